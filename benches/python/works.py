"""The work of the benchmarks for peers in Python: inputs, expected results in numpy, checks and times.

A peer is a file with a function for each work, which calls `main`. It prints a line
`peer,kernel,median ms,min,max,runs,checked` for each: `PEER` is the first word, `ONLY` names one
work, `THREADS` is the number of workers. Each function is compared with numpy at a small size
first; a difference ends the program. The inputs are those of `benches/peers/src/input.rs`, by
position, so that the data is the same.
"""

import os
import statistics
import sys
import time

import numpy as np

THREADS = int(os.environ.get("THREADS", os.cpu_count() or 1))

F = np.float32
U = np.uint32


# Inputs.


def words(count, stream):
    """Whole numbers of 32 bits: `pcg` of the plain forms."""
    with np.errstate(over="ignore"):
        position = np.arange(count, dtype=np.uint32)
        offset = U(stream * 0x9E3779B9 & 0xFFFFFFFF)
        state = (position + offset) * U(747796405) + U(2891336453)
        word = ((state >> ((state >> U(28)) + U(4))) ^ state) * U(277803737)
        return (word >> U(22)) ^ word


def floats(count, stream, low, high):
    """Floats of [low, high)."""
    return F(low) + F(high - low) * ((words(count, stream) >> U(8)).astype(F) / F(16777216))


# Expected results, in numpy.


def mandel_expected(side):
    place = np.arange(side, dtype=F)
    cx = (F(-2.5) + F(3.5) * place / F(side))[None, :]
    cy = (F(-1.25) + F(2.5) * place / F(side))[:, None]
    x = np.zeros((side, side), F)
    y = np.zeros((side, side), F)
    count = np.zeros((side, side), U)
    inside = np.ones((side, side), bool)
    for _ in range(256):
        inside &= x * x + y * y <= F(4)
        count += inside
        following = np.where(inside, x * x - y * y + cx, x)
        y = np.where(inside, F(2) * x * y + cy, y)
        x = following
    return count


def nbody_expected(bodies):
    apart = (bodies[None, :, :3] - bodies[:, None, :3]).astype(np.float64)
    square = (apart**2).sum(2) + 0.01
    sums = (apart * (bodies[None, :, 3] / square**1.5)[:, :, None]).sum(1)
    return np.concatenate([sums, np.zeros((len(bodies), 1))], 1)


def bs_expected(prices, strikes, years):
    def below(d):
        k = 1 / (1 + 0.2316419 * np.abs(d))
        poly = [1.3302744, -1.821256, 1.781478, -0.35656378, 0.31938153, 0]
        tail = 0.3989423 * np.exp(-0.5 * d * d) * np.polyval(poly, k)
        return np.where(d > 0, 1 - tail, tail)

    s, x, t = (given.astype(np.float64) for given in (prices, strikes, years))
    d1 = (np.log(s / x) + (0.02 + 0.5 * 0.3**2) * t) / (0.3 * np.sqrt(t))
    n1, n2, e = below(d1), below(d1 - 0.3 * np.sqrt(t)), np.exp(-0.02 * t)
    return np.concatenate([s * n1 - x * e * n2, x * e * (1 - n2) - s * (1 - n1)])


def stencil_expected(grid):
    for _ in range(10):
        after = grid.copy()
        sides = grid[1:-1, :-2] + grid[1:-1, 2:] + grid[:-2, 1:-1] + grid[2:, 1:-1]
        after[1:-1, 1:-1] = F(0.2) * (grid[1:-1, 1:-1] + sides)
        grid = after
    return grid


def stencil3d_expected(a):
    out = a.copy()
    n = a.shape[0]
    near = range(3)
    cut = [a[z : n - 2 + z, y : n - 2 + y, x : n - 2 + x] for z in near for y in near for x in near]
    out[1:-1, 1:-1, 1:-1] = sum(cut) / F(27)
    return out


def convolution_expected(picture, weights):
    side = picture.shape[0] - 8
    cut = lambda row, column: picture[row : row + side, column : column + side]  # noqa: E731
    return sum(weights[row, column] * cut(row, column) for row in range(9) for column in range(9))


def life_expected(grid):
    for _ in range(10):
        near = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if y or x]
        around = sum(np.roll(grid, by, (0, 1)) for by in near)
        grid = ((around == 3) | ((around == 2) & (grid == 1))).astype(np.uint8)
    return grid


def floyd_expected(given):
    paths = given.copy()
    for via in range(len(paths)):
        paths = np.minimum(paths, paths[:, via, None] + paths[None, via, :])
    return paths


# The list: for a size, the arguments, the result, and the expected result.


def square(side, stream, low=0.0, high=1.0):
    return floats(side * side, stream, low, high).reshape(side, side)


def of_vadd(n):
    a, b, c = floats(n, 0, 0, 1), floats(n, 1, 0, 1), np.zeros(n, F)
    return (a, b, c), c, lambda: a + b


def of_saxpy(n):
    x, y = floats(n, 0, 0, 1), floats(n, 1, 0, 1)
    before = y.copy()
    return (x, y), y, lambda: F(2.5) * x + before


def of_mandel(n):
    steps = np.zeros((n, n), U)
    return (steps,), steps, lambda: mandel_expected(n)


def of_nbody(n):
    bodies, results = floats(4 * n, 0, 0, 1).reshape(n, 4), np.zeros((n, 4), F)
    return (bodies, results), results, lambda: nbody_expected(bodies)


def of_bs(n):
    given = floats(n, 0, 5, 30), floats(n, 1, 1, 100), floats(n, 2, 0.25, 10)
    both = np.zeros(2 * n, F)
    return (*given, both[:n], both[n:]), both, lambda: bs_expected(*given)


def of_hist(n):
    numbers, counts = words(n, 0), np.zeros(256, U)
    return (numbers, counts), counts, lambda: np.bincount(numbers >> U(24), minlength=256)


def of_stencil(n):
    now, following = square(n, 0), np.zeros((n, n), F)
    before = now.copy()
    return (now, following), now, lambda: stencil_expected(before)


def of_transpose(n):
    a, out = square(n, 0), np.zeros((n, n), F)
    return (a, out), out, lambda: a.T


def of_reduce(n):
    numbers, sums = floats(n, 0, 0, 1), np.zeros(n // 256, F)
    return (numbers, sums), sums, lambda: numbers.reshape(-1, 256).sum(1)


def of_scan(n):
    numbers, sums = floats(n, 0, 0, 1), np.zeros(n, F)
    return (numbers, sums), sums, lambda: numbers.reshape(-1, 256).cumsum(1).ravel()


def of_product(n):
    a, b, c = square(n, 0), square(n, 1), np.zeros((n, n), F)
    return (a, b, c), c, lambda: a @ b


def of_kmeans(n):
    points, nearest = floats(3 * n, 0, -1, 1).reshape(n, 3), np.zeros(n, U)
    centres = floats(48, 1, -1, 1).reshape(16, 3)
    apart = lambda: ((points[:, None] - centres[None]) ** 2).sum(2).argmin(1)  # noqa: E731
    return (points, centres, nearest), nearest, apart


def of_stencil3d(n):
    a, out = floats(n**3, 0, 0, 1).reshape(n, n, n), np.zeros((n, n, n), F)
    return (a, out), out, lambda: stencil3d_expected(a)


def of_convolution(n):
    picture, out = square(n + 8, 0), np.zeros((n, n), F)
    weights = floats(81, 1, 0, 1 / 81).reshape(9, 9)
    return (picture, weights, out), out, lambda: convolution_expected(picture, weights)


def of_spmv(n):
    rows = np.arange(n, dtype=U)
    counts = 8 + words(n, 0) % U(16)
    starts = np.concatenate([[0], counts.cumsum()]).astype(U)
    of_row = np.repeat(rows, counts)
    place = np.arange(starts[-1], dtype=U) - np.repeat(starts[:-1], counts)
    random = words(16 * n + 16, 1)[16 * of_row + place] % U(2000)
    columns = np.clip(of_row.astype(np.int64) + random - 1000, 0, n - 1).astype(U)
    values, x, y = floats(starts[-1], 2, -1, 1), floats(n, 3, -1, 1), np.zeros(n, F)
    expected = lambda: np.add.reduceat(values * x[columns], starts[:-1].astype(np.int64))  # noqa: E731
    return (starts, columns, values, x, y), y, expected


def of_floyd(n):
    given, paths = square(n, 0, 1, 10), np.zeros((n, n), F)
    np.fill_diagonal(given, 0)
    return (given, paths), paths, lambda: floyd_expected(given)


def of_bitonic(n):
    given, numbers = words(n, 0), np.zeros(n, U)
    return (given, numbers), numbers, lambda: np.sort(given)


def of_radix(n):
    numbers, out = words(n, 0), np.zeros(n, U)
    order = lambda: np.argsort((numbers >> U(8)) & U(15), kind="stable")  # noqa: E731
    return (numbers, out), out, lambda: numbers[order()]


def of_prefix(n):
    numbers, sums = words(n, 0), np.zeros(n, U)
    return (numbers, sums), sums, lambda: numbers.cumsum(dtype=U)


def of_fft(n):
    given = floats(2 * n, 0, -1, 1).view(np.complex64)
    roots = np.exp(-2j * np.pi * np.arange(n) / n).astype(np.complex64)
    now, following = np.zeros(n, np.complex64), np.zeros(n, np.complex64)
    passes = (n.bit_length() - 1) // 2
    return (given, roots, now, following), (following, now)[(passes + 1) % 2], lambda: np.fft.fft(given)


def of_life(n):
    now, following = (words(n * n, 0) >> U(31)).astype(np.uint8).reshape(n, n), np.zeros((n, n), np.uint8)
    before = now.copy()
    return (now, following), now, lambda: life_expected(before)


# Name: how it is made, the size of the table, the size of the check.
WORKS = {
    "vadd": (of_vadd, 1 << 24, 1000),
    "saxpy": (of_saxpy, 1 << 24, 1000),
    "mandel": (of_mandel, 2048, 64),
    "nbody": (of_nbody, 8192, 256),
    "bs": (of_bs, 1 << 22, 1000),
    "hist": (of_hist, 1 << 24, 10000),
    "stencil": (of_stencil, 4096, 37),
    "transpose": (of_transpose, 4096, 64),
    "reduce": (of_reduce, 1 << 24, 1024),
    "scan": (of_scan, 1 << 24, 1024),
    "matmul": (of_product, 1024, 64),
    "matmul_tiled": (of_product, 1024, 64),
    "kmeans": (of_kmeans, 1 << 22, 1000),
    "stencil3d": (of_stencil3d, 256, 18),
    "convolution": (of_convolution, 2048, 41),
    "spmv": (of_spmv, 1 << 20, 500),
    "floyd": (of_floyd, 1024, 42),
    "bitonic": (of_bitonic, 1 << 20, 4096),
    "radix": (of_radix, 1 << 22, 6144),
    "prefix": (of_prefix, 1 << 24, 1000),
    "fft": (of_fft, 1 << 20, 1024),
    "life": (of_life, 4096, 37),
}


def wrong(name, found, expected):
    """The difference between two results, or None."""
    if found.shape != expected.shape:
        return f"{name}: the shape is {found.shape}, expected {expected.shape}"
    if found.dtype.kind in "fc":
        scale = float(np.abs(expected).max())
        differ = np.abs(found - expected) > 1e-4 * np.abs(expected) + 1e-5 * scale
    else:
        differ = found != expected
    # A point on the edge of the Mandelbrot set may count one step more by another rounding.
    allowed = found.size // 500 if name == "mandel" else 0
    if np.count_nonzero(differ) <= allowed:
        return None
    at = np.flatnonzero(differ)[0]
    return f"{name}: element {at} is {found.flat[at]}, expected {expected.flat[at]}"


def measure(function, arguments):
    """Milliseconds of up to nine runs that fit 1.5 seconds, at least three."""
    function(*arguments)
    times = []
    begin = time.perf_counter()
    while len(times) < 3 or (len(times) < 9 and time.perf_counter() - begin < 1.5):
        start = time.perf_counter()
        function(*arguments)
        times.append((time.perf_counter() - start) * 1e3)
    return times


def main(peer, functions):
    """Checks and times the functions of a peer, by the names of the table."""
    peer = os.environ.get("PEER", peer)
    only = os.environ.get("ONLY")
    if only is not None and only not in functions:
        sys.exit(f"there is no work `{only}` in {peer}")
    for name in [only] if only else functions:
        function = functions[name]
        make, full, small = WORKS[name]
        arguments, result, expected = make(small)
        # Some work changes its inputs: the expected result is of those before.
        function(*arguments)
        difference = wrong(name, result, expected())
        if difference:
            sys.exit(difference)
        arguments, _, _ = make(full)
        times = measure(function, arguments)
        median = statistics.median_high(times)
        print(f"{peer},{name},{median:.5f},{min(times):.5f},{max(times):.5f},{len(times)},checked")
