"""The work of the benchmarks in Numba: a line `peer,kernel,median ms,min,max,runs,checked` for each.

`PEER` is the first word of each line; `ONLY` names one work; `THREADS` is the number of workers.
Each function is compared with numpy at a small size first; a difference ends the program. The
inputs are those of `benches/peers/src/input.rs`, by position, so that the data is the same.
"""

import os
import statistics
import sys
import time

THREADS = int(os.environ.get("THREADS", os.cpu_count() or 1))
os.environ["NUMBA_NUM_THREADS"] = str(THREADS)

import numpy as np  # noqa: E402
from numba import njit, prange  # noqa: E402

F = np.float32
U = np.uint32
jit = njit(parallel=True, fastmath=True)
helper = njit(fastmath=True)


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


# An operation for each element.


@jit
def vadd(a, b, c):
    for i in prange(a.size):
        c[i] = a[i] + b[i]


@jit
def saxpy(x, y):
    for i in prange(x.size):
        y[i] = F(2.5) * x[i] + y[i]


@jit
def mandel(steps):
    side = steps.shape[0]
    for py in prange(side):
        cy = F(-1.25) + F(2.5) * F(py) / F(side)
        for px in range(side):
            cx = F(-2.5) + F(3.5) * F(px) / F(side)
            x = F(0)
            y = F(0)
            count = 0
            while count < 256 and x * x + y * y <= F(4):
                following = x * x - y * y + cx
                y = F(2) * x * y + cy
                x = following
                count += 1
            steps[py, px] = count


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


@jit
def nbody(bodies, results):
    for i in prange(bodies.shape[0]):
        mx, my, mz = bodies[i, 0], bodies[i, 1], bodies[i, 2]
        ax = F(0)
        ay = F(0)
        az = F(0)
        for j in range(bodies.shape[0]):
            dx = bodies[j, 0] - mx
            dy = bodies[j, 1] - my
            dz = bodies[j, 2] - mz
            inverse = F(1) / np.sqrt(dx * dx + dy * dy + dz * dz + F(0.01))
            scale = bodies[j, 3] * inverse * inverse * inverse
            ax += dx * scale
            ay += dy * scale
            az += dz * scale
        results[i, 0] = ax
        results[i, 1] = ay
        results[i, 2] = az
        results[i, 3] = F(0)


def nbody_expected(bodies):
    apart = (bodies[None, :, :3] - bodies[:, None, :3]).astype(np.float64)
    square = (apart**2).sum(2) + 0.01
    sums = (apart * (bodies[None, :, 3] / square**1.5)[:, :, None]).sum(1)
    return np.concatenate([sums, np.zeros((len(bodies), 1))], 1)


@helper
def share_below(d):
    k = F(1) / (F(1) + F(0.2316419) * abs(d))
    inner = F(1.7814780) + k * (F(-1.8212560) + k * F(1.3302744))
    tail = F(0.3989423) * np.exp(F(-0.5) * d * d)
    tail = tail * (k * (F(0.31938153) + k * (F(-0.35656378) + k * inner)))
    return F(1) - tail if d > F(0) else tail


@jit
def bs(prices, strikes, years, buy, sell):
    for i in prange(prices.size):
        s, x, t = prices[i], strikes[i], years[i]
        q = np.sqrt(t)
        d1 = (np.log(s / x) + F(0.02 + 0.5 * 0.3 * 0.3) * t) / (F(0.3) * q)
        n1 = share_below(d1)
        n2 = share_below(d1 - F(0.3) * q)
        e = np.exp(F(-0.02) * t)
        buy[i] = s * n1 - x * e * n2
        sell[i] = x * e * (F(1) - n2) - s * (F(1) - n1)


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


@jit
def hist(numbers, counts):
    parts = THREADS * 4
    own = np.zeros((parts, 256), np.uint32)
    for part in prange(parts):
        for i in range(part * numbers.size // parts, (part + 1) * numbers.size // parts):
            own[part, numbers[i] >> 24] += 1
    for digit in range(256):
        counts[digit] = own[:, digit].sum()


# Grids.


@jit
def stencil_step(a, out):
    side = a.shape[0]
    for y in prange(side):
        if y == 0 or y == side - 1:
            out[y, :] = a[y, :]
        else:
            out[y, 0] = a[y, 0]
            out[y, side - 1] = a[y, side - 1]
            for x in range(1, side - 1):
                out[y, x] = F(0.2) * (a[y, x] + a[y, x - 1] + a[y, x + 1] + a[y - 1, x] + a[y + 1, x])


def stencil(now, following):
    for _ in range(5):
        stencil_step(now, following)
        stencil_step(following, now)


def stencil_expected(grid):
    for _ in range(10):
        after = grid.copy()
        sides = grid[1:-1, :-2] + grid[1:-1, 2:] + grid[:-2, 1:-1] + grid[2:, 1:-1]
        after[1:-1, 1:-1] = F(0.2) * (grid[1:-1, 1:-1] + sides)
        grid = after
    return grid


@jit
def transpose(a, out):
    bands = a.shape[0] // 32
    for band in prange(bands):
        for top in range(0, a.shape[0], 32):
            for x in range(band * 32, band * 32 + 32):
                for y in range(top, top + 32):
                    out[x, y] = a[y, x]


@jit
def stencil3d(a, out):
    side = a.shape[0]
    for z in prange(side):
        for y in range(side):
            if z == 0 or z == side - 1 or y == 0 or y == side - 1:
                out[z, y, :] = a[z, y, :]
            else:
                out[z, y, 0] = a[z, y, 0]
                out[z, y, side - 1] = a[z, y, side - 1]
                for x in range(1, side - 1):
                    total = F(0)
                    for dz in range(-1, 2):
                        for dy in range(-1, 2):
                            for dx in range(-1, 2):
                                total += a[z + dz, y + dy, x + dx]
                    out[z, y, x] = total * F(1 / 27)


def stencil3d_expected(a):
    out = a.copy()
    n = a.shape[0]
    near = range(3)
    cut = [a[z : n - 2 + z, y : n - 2 + y, x : n - 2 + x] for z in near for y in near for x in near]
    out[1:-1, 1:-1, 1:-1] = sum(cut) / F(27)
    return out


@jit
def convolution(picture, weights, out):
    side = out.shape[0]
    for y in prange(side):
        out[y, :] = F(0)
        for row in range(9):
            for column in range(9):
                weight = weights[row, column]
                for x in range(side):
                    out[y, x] += weight * picture[y + row, x + column]


def convolution_expected(picture, weights):
    side = picture.shape[0] - 8
    cut = lambda row, column: picture[row : row + side, column : column + side]  # noqa: E731
    return sum(weights[row, column] * cut(row, column) for row in range(9) for column in range(9))


@jit
def life_step(a, out):
    side = a.shape[0]
    for y in prange(side):
        above = a[y - 1 if y > 0 else side - 1]
        below = a[y + 1 if y < side - 1 else 0]
        own = a[y]
        for x in range(1, side - 1):
            around = above[x - 1] + above[x] + above[x + 1] + own[x - 1] + own[x + 1]
            around = around + below[x - 1] + below[x] + below[x + 1]
            out[y, x] = (around == 3) | ((around == 2) & (own[x] == 1))
        for x in (0, side - 1):
            left = x - 1 if x > 0 else side - 1
            right = x + 1 if x < side - 1 else 0
            around = above[left] + above[x] + above[right] + own[left] + own[right]
            around = around + below[left] + below[x] + below[right]
            out[y, x] = (around == 3) | ((around == 2) & (own[x] == 1))


def life(now, following):
    for _ in range(5):
        life_step(now, following)
        life_step(following, now)


def life_expected(grid):
    for _ in range(10):
        near = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if y or x]
        around = sum(np.roll(grid, by, (0, 1)) for by in near)
        grid = ((around == 3) | ((around == 2) & (grid == 1))).astype(np.uint8)
    return grid


# Sums.


@jit
def reduce(numbers, sums):
    for tile in prange(sums.size):
        total = F(0)
        for i in range(256):
            total += numbers[tile * 256 + i]
        sums[tile] = total


@jit
def scan(numbers, sums):
    for tile in prange(numbers.size // 256):
        total = F(0)
        for i in range(tile * 256, tile * 256 + 256):
            total += numbers[i]
            sums[i] = total


@jit
def prefix(numbers, sums):
    parts = THREADS * 4
    before = np.zeros(parts + 1, np.uint32)
    for part in prange(parts):
        total = U(0)
        for i in range(part * numbers.size // parts, (part + 1) * numbers.size // parts):
            total += numbers[i]
        before[part + 1] = total
    for part in range(parts):
        before[part + 1] += before[part]
    for part in prange(parts):
        total = before[part]
        for i in range(part * numbers.size // parts, (part + 1) * numbers.size // parts):
            total += numbers[i]
            sums[i] = total


# Matrices.


@jit
def matmul(a, b, c):
    side = a.shape[0]
    for row in prange(side):
        c[row, :] = F(0)
        for k in range(side):
            factor = a[row, k]
            for column in range(side):
                c[row, column] += factor * b[k, column]


@jit
def matmul_tiled(a, b, c):
    side = a.shape[0]
    for band in prange(side // 16):
        top = band * 16
        c[top : top + 16, :] = F(0)
        for first in range(0, side, 64):
            for row in range(top, top + 16, 4):
                for k in range(first, min(first + 64, side)):
                    p, q, r, s = a[row, k], a[row + 1, k], a[row + 2, k], a[row + 3, k]
                    for column in range(side):
                        y = b[k, column]
                        c[row, column] += p * y
                        c[row + 1, column] += q * y
                        c[row + 2, column] += r * y
                        c[row + 3, column] += s * y


@jit
def spmv(starts, columns, values, x, y):
    for row in prange(y.size):
        total = F(0)
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[columns[k]]
        y[row] = total


@jit
def floyd(given, paths):
    paths[:, :] = given
    for via in range(paths.shape[0]):
        through = paths[via].copy()
        for row in prange(paths.shape[0]):
            first = paths[row, via]
            for to in range(paths.shape[0]):
                paths[row, to] = min(paths[row, to], first + through[to])


def floyd_expected(given):
    paths = given.copy()
    for via in range(len(paths)):
        paths = np.minimum(paths, paths[:, via, None] + paths[None, via, :])
    return paths


@jit
def kmeans(points, centres, nearest):
    for i in prange(nearest.size):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        least = F(np.inf)
        which = U(0)
        for c in range(16):
            dx, dy, dz = x - centres[c, 0], y - centres[c, 1], z - centres[c, 2]
            square = dx * dx + dy * dy + dz * dz
            if square < least:
                least = square
                which = U(c)
        nearest[i] = which


# Sorting, and the Fourier transform.


@jit
def bitonic(given, numbers):
    for i in prange(given.size):
        numbers[i] = given[i]
    length = 2
    while length <= numbers.size:
        distance = length // 2
        while distance > 0:
            bits = np.int64(distance) - 1
            for i in prange(numbers.size // 2):
                low = 2 * i - (i & bits)
                a, b = numbers[low], numbers[low + distance]
                less, more = min(a, b), max(a, b)
                up = (low & length) == 0
                numbers[low] = less if up else more
                numbers[low + distance] = more if up else less
            distance //= 2
        length *= 2


@jit
def radix(numbers, out):
    parts = THREADS * 4
    places = np.zeros((parts, 16), np.int64)
    for part in prange(parts):
        for i in range(part * numbers.size // parts, (part + 1) * numbers.size // parts):
            places[part, (numbers[i] >> 8) & 15] += 1
    total = 0
    for digit in range(16):
        for part in range(parts):
            count = places[part, digit]
            places[part, digit] = total
            total += count
    for part in prange(parts):
        for i in range(part * numbers.size // parts, (part + 1) * numbers.size // parts):
            digit = (numbers[i] >> 8) & 15
            out[places[part, digit]] = numbers[i]
            places[part, digit] += 1


@jit
def fft_pass(length, given, roots, out):
    quarter = given.size // 4
    for i in prange(quarter):
        inside = i & (length - 1)
        start = i - inside
        a, b, c, d = given[i], given[i + quarter], given[i + 2 * quarter], given[i + 3 * quarter]
        other = b - d
        turned = np.complex64(complex(other.imag, -other.real))
        to = 4 * start + inside
        out[to] = a + c + (b + d)
        out[to + length] = roots[start] * (a - c + turned)
        out[to + 2 * length] = roots[2 * start] * (a + c - (b + d))
        out[to + 3 * length] = roots[3 * start] * (a - c - turned)


def fft(given, roots, now, following):
    """The result is in `now` for an even number of passes."""
    fft_pass(1, given, roots, following)
    length = 4
    while length < given.size:
        fft_pass(length, following, roots, now)
        now, following = following, now
        length *= 4


# The list: for a size, the function, its arguments, the result, and the expected result.


def square(side, stream, low=0.0, high=1.0):
    return floats(side * side, stream, low, high).reshape(side, side)


def of_vadd(n):
    a, b, c = floats(n, 0, 0, 1), floats(n, 1, 0, 1), np.zeros(n, F)
    return vadd, (a, b, c), c, lambda: a + b


def of_saxpy(n):
    x, y = floats(n, 0, 0, 1), floats(n, 1, 0, 1)
    before = y.copy()
    return saxpy, (x, y), y, lambda: F(2.5) * x + before


def of_mandel(n):
    steps = np.zeros((n, n), U)
    return mandel, (steps,), steps, lambda: mandel_expected(n)


def of_nbody(n):
    bodies, results = floats(4 * n, 0, 0, 1).reshape(n, 4), np.zeros((n, 4), F)
    return nbody, (bodies, results), results, lambda: nbody_expected(bodies)


def of_bs(n):
    given = floats(n, 0, 5, 30), floats(n, 1, 1, 100), floats(n, 2, 0.25, 10)
    both = np.zeros(2 * n, F)
    return bs, (*given, both[:n], both[n:]), both, lambda: bs_expected(*given)


def of_hist(n):
    numbers, counts = words(n, 0), np.zeros(256, U)
    return hist, (numbers, counts), counts, lambda: np.bincount(numbers >> U(24), minlength=256)


def of_stencil(n):
    now, following = square(n, 0), np.zeros((n, n), F)
    before = now.copy()
    return stencil, (now, following), now, lambda: stencil_expected(before)


def of_transpose(n):
    a, out = square(n, 0), np.zeros((n, n), F)
    return transpose, (a, out), out, lambda: a.T


def of_reduce(n):
    numbers, sums = floats(n, 0, 0, 1), np.zeros(n // 256, F)
    return reduce, (numbers, sums), sums, lambda: numbers.reshape(-1, 256).sum(1)


def of_scan(n):
    numbers, sums = floats(n, 0, 0, 1), np.zeros(n, F)
    return scan, (numbers, sums), sums, lambda: numbers.reshape(-1, 256).cumsum(1).ravel()


def of_product(function):
    def of(n):
        a, b, c = square(n, 0), square(n, 1), np.zeros((n, n), F)
        return function, (a, b, c), c, lambda: a @ b

    return of


def of_kmeans(n):
    points, nearest = floats(3 * n, 0, -1, 1).reshape(n, 3), np.zeros(n, U)
    centres = floats(48, 1, -1, 1).reshape(16, 3)
    apart = lambda: ((points[:, None] - centres[None]) ** 2).sum(2).argmin(1)  # noqa: E731
    return kmeans, (points, centres, nearest), nearest, apart


def of_stencil3d(n):
    a, out = floats(n**3, 0, 0, 1).reshape(n, n, n), np.zeros((n, n, n), F)
    return stencil3d, (a, out), out, lambda: stencil3d_expected(a)


def of_convolution(n):
    picture, out = square(n + 8, 0), np.zeros((n, n), F)
    weights = floats(81, 1, 0, 1 / 81).reshape(9, 9)
    return convolution, (picture, weights, out), out, lambda: convolution_expected(picture, weights)


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
    return spmv, (starts, columns, values, x, y), y, expected


def of_floyd(n):
    given, paths = square(n, 0, 1, 10), np.zeros((n, n), F)
    np.fill_diagonal(given, 0)
    return floyd, (given, paths), paths, lambda: floyd_expected(given)


def of_bitonic(n):
    given, numbers = words(n, 0), np.zeros(n, U)
    return bitonic, (given, numbers), numbers, lambda: np.sort(given)


def of_radix(n):
    numbers, out = words(n, 0), np.zeros(n, U)
    order = lambda: np.argsort((numbers >> U(8)) & U(15), kind="stable")  # noqa: E731
    return radix, (numbers, out), out, lambda: numbers[order()]


def of_prefix(n):
    numbers, sums = words(n, 0), np.zeros(n, U)
    return prefix, (numbers, sums), sums, lambda: numbers.cumsum(dtype=U)


def of_fft(n):
    given = floats(2 * n, 0, -1, 1).view(np.complex64)
    roots = np.exp(-2j * np.pi * np.arange(n) / n).astype(np.complex64)
    now, following = np.zeros(n, np.complex64), np.zeros(n, np.complex64)
    passes = (n.bit_length() - 1) // 2
    return fft, (given, roots, now, following), (following, now)[(passes + 1) % 2], lambda: np.fft.fft(given)


def of_life(n):
    now, following = (words(n * n, 0) >> U(31)).astype(np.uint8).reshape(n, n), np.zeros((n, n), np.uint8)
    before = now.copy()
    return life, (now, following), now, lambda: life_expected(before)


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
    "matmul": (of_product(matmul), 1024, 64),
    "matmul_tiled": (of_product(matmul_tiled), 1024, 64),
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


def main():
    peer = os.environ.get("PEER", "numba")
    only = os.environ.get("ONLY")
    if only is not None and only not in WORKS:
        sys.exit(f"ONLY names no work: {only}")
    for name in [only] if only else WORKS:
        make, full, small = WORKS[name]
        function, arguments, result, expected = make(small)
        # Some work changes its inputs: the expected result is of those before.
        function(*arguments)
        difference = wrong(name, result, expected())
        if difference:
            sys.exit(difference)
        function, arguments, _, _ = make(full)
        times = measure(function, arguments)
        median = statistics.median_high(times)
        print(f"{peer},{name},{median:.5f},{min(times):.5f},{max(times):.5f},{len(times)},checked")


main()
