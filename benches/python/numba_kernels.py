"""The work of the benchmarks in Numba; `works.py` has the inputs, the checks and the form of the output."""

import os

from works import THREADS, F, U, main

os.environ["NUMBA_NUM_THREADS"] = str(THREADS)

import numpy as np  # noqa: E402
from numba import njit, prange  # noqa: E402

jit = njit(parallel=True, fastmath=True)
helper = njit(fastmath=True)


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


@jit
def hist(numbers, counts):
    parts = THREADS * 4
    own = np.zeros((parts, 256), np.uint32)
    for part in prange(parts):
        for i in range(part * numbers.size // parts, (part + 1) * numbers.size // parts):
            own[part, numbers[i] >> 24] += 1
    for digit in range(256):
        counts[digit] = own[:, digit].sum()


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


WORKS = [
    vadd,
    saxpy,
    mandel,
    nbody,
    bs,
    hist,
    stencil,
    transpose,
    reduce,
    scan,
    matmul,
    matmul_tiled,
    kmeans,
    stencil3d,
    convolution,
    spmv,
    floyd,
    bitonic,
    radix,
    prefix,
    fft,
    life,
]

main("numba", {work.__name__: work for work in WORKS})
