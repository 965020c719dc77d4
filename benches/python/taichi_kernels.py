"""The work of the benchmarks in Taichi; `works.py` has the inputs, the checks and the form of the output.

Kernels work on numpy's arrays in place. Each outermost loop is parallel; loops that depend on each other
are launches of their own, as Taichi has it.
"""

import numpy as np
import taichi as ti
from works import THREADS, main

ti.init(arch=ti.cpu, cpu_max_num_threads=THREADS, fast_math=True, offline_cache=False, log_level=ti.ERROR)

F1 = ti.types.ndarray(dtype=ti.f32, ndim=1)
F2 = ti.types.ndarray(dtype=ti.f32, ndim=2)
F3 = ti.types.ndarray(dtype=ti.f32, ndim=3)
U1 = ti.types.ndarray(dtype=ti.u32, ndim=1)
U2 = ti.types.ndarray(dtype=ti.u32, ndim=2)
I2 = ti.types.ndarray(dtype=ti.i32, ndim=2)
BYTES = ti.types.ndarray(dtype=ti.u8, ndim=2)
COMPLEX = ti.types.ndarray(dtype=ti.math.vec2, ndim=1)

# Parts of an array that workers take.
PARTS = THREADS * 4


@ti.func
def begin_of(part, size):
    return ti.cast(ti.i64(part) * size // PARTS, ti.i32)


# An operation for each element.


@ti.kernel
def vadd(a: F1, b: F1, c: F1):
    for i in range(a.shape[0]):
        c[i] = a[i] + b[i]


@ti.kernel
def saxpy(x: F1, y: F1):
    for i in range(x.shape[0]):
        y[i] = 2.5 * x[i] + y[i]


@ti.kernel
def mandel(steps: U2):
    side = steps.shape[0]
    for py in range(side):
        for px in range(side):
            cx = -2.5 + 3.5 * ti.cast(px, ti.f32) / ti.cast(side, ti.f32)
            cy = -1.25 + 2.5 * ti.cast(py, ti.f32) / ti.cast(side, ti.f32)
            x = 0.0
            y = 0.0
            count = 0
            while count < 256 and x * x + y * y <= 4.0:
                following = x * x - y * y + cx
                y = 2.0 * x * y + cy
                x = following
                count += 1
            steps[py, px] = ti.cast(count, ti.u32)


@ti.kernel
def nbody(bodies: F2, results: F2):
    for i in range(bodies.shape[0]):
        me = ti.math.vec3(bodies[i, 0], bodies[i, 1], bodies[i, 2])
        total = ti.math.vec3(0.0)
        for j in range(bodies.shape[0]):
            apart = ti.math.vec3(bodies[j, 0], bodies[j, 1], bodies[j, 2]) - me
            inverse = ti.rsqrt(apart.dot(apart) + 0.01)
            total += apart * (bodies[j, 3] * inverse * inverse * inverse)
        results[i, 0] = total.x
        results[i, 1] = total.y
        results[i, 2] = total.z
        results[i, 3] = 0.0


@ti.func
def share_below(d):
    k = 1.0 / (1.0 + 0.2316419 * ti.abs(d))
    inner = 1.7814780 + k * (-1.8212560 + k * 1.3302744)
    tail = 0.3989423 * ti.exp(-0.5 * d * d)
    tail = tail * (k * (0.31938153 + k * (-0.35656378 + k * inner)))
    return ti.select(d > 0.0, 1.0 - tail, tail)


@ti.kernel
def bs(prices: F1, strikes: F1, years: F1, buy: F1, sell: F1):
    for i in range(prices.shape[0]):
        s = prices[i]
        x = strikes[i]
        t = years[i]
        q = ti.sqrt(t)
        d1 = (ti.log(s / x) + (0.02 + 0.5 * 0.3 * 0.3) * t) / (0.3 * q)
        n1 = share_below(d1)
        n2 = share_below(d1 - 0.3 * q)
        e = ti.exp(-0.02 * t)
        buy[i] = s * n1 - x * e * n2
        sell[i] = x * e * (1.0 - n2) - s * (1.0 - n1)


@ti.kernel
def hist_of_parts(numbers: U1, own: U2, counts: U1):
    size = numbers.shape[0]
    for part in range(PARTS):
        for digit in range(256):
            own[part, digit] = ti.u32(0)
        for i in range(begin_of(part, size), begin_of(part + 1, size)):
            own[part, ti.cast(ti.bit_shr(numbers[i], 24), ti.i32)] += ti.u32(1)
    for digit in range(256):
        total = ti.u32(0)
        for part in range(PARTS):
            total += own[part, digit]
        counts[digit] = total


def hist(numbers, counts):
    hist_of_parts(numbers, np.zeros((PARTS, 256), np.uint32), counts)


# Grids.


@ti.kernel
def stencil_step(a: F2, out: F2):
    side = a.shape[0]
    for y in range(side):
        for x in range(side):
            if y == 0 or y == side - 1 or x == 0 or x == side - 1:
                out[y, x] = a[y, x]
            else:
                out[y, x] = 0.2 * (a[y, x] + a[y, x - 1] + a[y, x + 1] + a[y - 1, x] + a[y + 1, x])


def stencil(now, following):
    for _ in range(5):
        stencil_step(now, following)
        stencil_step(following, now)


@ti.kernel
def transpose(a: F2, out: F2):
    side = a.shape[0]
    for band in range(side // 32):
        for block in range(side // 32):
            for x in range(band * 32, band * 32 + 32):
                for y in range(block * 32, block * 32 + 32):
                    out[x, y] = a[y, x]


@ti.kernel
def stencil3d(a: F3, out: F3):
    side = a.shape[0]
    for z in range(side):
        for y in range(side):
            for x in range(side):
                if z == 0 or z == side - 1 or y == 0 or y == side - 1 or x == 0 or x == side - 1:
                    out[z, y, x] = a[z, y, x]
                else:
                    total = 0.0
                    for near in ti.static(ti.grouped(ti.ndrange((-1, 2), (-1, 2), (-1, 2)))):
                        total += a[z + near[0], y + near[1], x + near[2]]
                    out[z, y, x] = total * (1 / 27)


@ti.kernel
def convolution(picture: F2, weights: F2, out: F2):
    side = out.shape[0]
    for y in range(side):
        for x in range(side):
            total = 0.0
            for dy in ti.static(range(9)):
                for dx in ti.static(range(9)):
                    total += weights[dy, dx] * picture[y + dy, x + dx]
            out[y, x] = total


@ti.kernel
def life_step(a: BYTES, out: BYTES):
    side = a.shape[0]
    for y in range(side):
        up = y - 1 if y > 0 else side - 1
        down = y + 1 if y < side - 1 else 0
        for x in range(side):
            left = x - 1 if x > 0 else side - 1
            right = x + 1 if x < side - 1 else 0
            around = ti.cast(a[up, left], ti.i32) + a[up, x] + a[up, right] + a[y, left] + a[y, right]
            around += ti.cast(a[down, left], ti.i32) + a[down, x] + a[down, right]
            lives = (around == 3) | ((around == 2) & (a[y, x] == 1))
            out[y, x] = ti.cast(lives, ti.u8)


def life(now, following):
    for _ in range(5):
        life_step(now, following)
        life_step(following, now)


# Sums.


@ti.kernel
def reduce(numbers: F1, sums: F1):
    for tile in range(sums.shape[0]):
        total = 0.0
        for i in range(256):
            total += numbers[tile * 256 + i]
        sums[tile] = total


@ti.kernel
def scan(numbers: F1, sums: F1):
    for tile in range(numbers.shape[0] // 256):
        total = 0.0
        for i in range(tile * 256, tile * 256 + 256):
            total += numbers[i]
            sums[i] = total


@ti.kernel
def prefix_of_parts(numbers: U1, before: U1, sums: U1):
    size = numbers.shape[0]
    for part in range(PARTS):
        total = ti.u32(0)
        for i in range(begin_of(part, size), begin_of(part + 1, size)):
            total += numbers[i]
        before[part] = total
    for part in range(PARTS):
        total = ti.u32(0)
        for earlier in range(part):
            total += before[earlier]
        for i in range(begin_of(part, size), begin_of(part + 1, size)):
            total += numbers[i]
            sums[i] = total


def prefix(numbers, sums):
    prefix_of_parts(numbers, np.zeros(PARTS, np.uint32), sums)


# Matrices.


@ti.kernel
def matmul(a: F2, b: F2, c: F2):
    side = a.shape[0]
    for row in range(side):
        for column in range(side):
            c[row, column] = 0.0
        for k in range(side):
            factor = a[row, k]
            for column in range(side):
                c[row, column] += factor * b[k, column]


@ti.kernel
def matmul_tiled(a: F2, b: F2, c: F2):
    side = a.shape[0]
    for band in range(side // 4):
        row = band * 4
        for near in range(4):
            for column in range(side):
                c[row + near, column] = 0.0
        for k in range(side):
            p = a[row, k]
            q = a[row + 1, k]
            r = a[row + 2, k]
            s = a[row + 3, k]
            for column in range(side):
                y = b[k, column]
                c[row, column] += p * y
                c[row + 1, column] += q * y
                c[row + 2, column] += r * y
                c[row + 3, column] += s * y


@ti.kernel
def spmv(starts: U1, columns: U1, values: F1, x: F1, y: F1):
    for row in range(y.shape[0]):
        total = 0.0
        for k in range(ti.cast(starts[row], ti.i32), ti.cast(starts[row + 1], ti.i32)):
            total += values[k] * x[ti.cast(columns[k], ti.i32)]
        y[row] = total


@ti.kernel
def floyd_begin(given: F2, paths: F2):
    side = paths.shape[0]
    for row in range(side):
        for to in range(side):
            paths[row, to] = given[row, to]


@ti.kernel
def floyd_step(paths: F2, via: ti.i32):
    side = paths.shape[0]
    for row in range(side):
        first = paths[row, via]
        for to in range(side):
            paths[row, to] = ti.min(paths[row, to], first + paths[via, to])


def floyd(given, paths):
    floyd_begin(given, paths)
    for via in range(len(paths)):
        floyd_step(paths, via)


@ti.kernel
def kmeans(points: F2, centres: F2, nearest: U1):
    for i in range(nearest.shape[0]):
        x = points[i, 0]
        y = points[i, 1]
        z = points[i, 2]
        least = 1e30
        which = 0
        for c in range(16):
            dx = x - centres[c, 0]
            dy = y - centres[c, 1]
            dz = z - centres[c, 2]
            square = dx * dx + dy * dy + dz * dz
            if square < least:
                least = square
                which = c
        nearest[i] = ti.cast(which, ti.u32)


# Sorting, and the Fourier transform.


@ti.kernel
def bitonic_begin(given: U1, numbers: U1):
    for i in range(given.shape[0]):
        numbers[i] = given[i]


@ti.kernel
def bitonic_step(numbers: U1, distance: ti.i32, length: ti.i32):
    for i in range(numbers.shape[0] // 2):
        low = 2 * i - (i & (distance - 1))
        a = numbers[low]
        b = numbers[low + distance]
        less = ti.min(a, b)
        more = ti.max(a, b)
        up = (low & length) == 0
        numbers[low] = ti.select(up, less, more)
        numbers[low + distance] = ti.select(up, more, less)


def bitonic(given, numbers):
    bitonic_begin(given, numbers)
    length = 2
    while length <= len(numbers):
        distance = length // 2
        while distance > 0:
            bitonic_step(numbers, distance, length)
            distance //= 2
        length *= 2


@ti.kernel
def radix_count(numbers: U1, places: I2):
    size = numbers.shape[0]
    for part in range(PARTS):
        for i in range(begin_of(part, size), begin_of(part + 1, size)):
            places[part, ti.cast(ti.bit_shr(numbers[i], 8) & ti.u32(15), ti.i32)] += 1


@ti.kernel
def radix_scatter(numbers: U1, places: I2, out: U1):
    size = numbers.shape[0]
    for part in range(PARTS):
        for i in range(begin_of(part, size), begin_of(part + 1, size)):
            digit = ti.cast(ti.bit_shr(numbers[i], 8) & ti.u32(15), ti.i32)
            out[places[part, digit]] = numbers[i]
            places[part, digit] += 1


def radix(numbers, out):
    counts = np.zeros((PARTS, 16), np.int32)
    radix_count(numbers, counts)
    # The places of a digit are behind those of all lower ones, in the order of the parts.
    ends = counts.T.cumsum(dtype=np.int32).reshape(16, PARTS).T
    radix_scatter(numbers, np.ascontiguousarray(ends - counts), out)


@ti.func
def product(a, b):
    return ti.math.vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)


@ti.kernel
def fft_pass(length: ti.i32, given: COMPLEX, roots: COMPLEX, out: COMPLEX):
    quarter = given.shape[0] // 4
    for i in range(quarter):
        inside = i & (length - 1)
        start = i - inside
        a = given[i]
        b = given[i + quarter]
        c = given[i + 2 * quarter]
        d = given[i + 3 * quarter]
        turned = ti.math.vec2((b - d).y, -(b - d).x)
        to = 4 * start + inside
        out[to] = a + c + (b + d)
        out[to + length] = product(roots[start], a - c + turned)
        out[to + 2 * length] = product(roots[2 * start], a + c - (b + d))
        out[to + 3 * length] = product(roots[3 * start], a - c - turned)


def fft(given, roots, now, following):
    """The result is in `now` for an even number of passes."""
    given, roots, now, following = (x.view(np.float32).reshape(-1, 2) for x in (given, roots, now, following))
    fft_pass(1, given, roots, following)
    length = 4
    while length < len(given):
        fft_pass(length, following, roots, now)
        now, following = following, now
        length *= 4


WORKS = {
    "vadd": vadd,
    "saxpy": saxpy,
    "mandel": mandel,
    "nbody": nbody,
    "bs": bs,
    "hist": hist,
    "stencil": stencil,
    "transpose": transpose,
    "reduce": reduce,
    "scan": scan,
    "matmul": matmul,
    "matmul_tiled": matmul_tiled,
    "kmeans": kmeans,
    "stencil3d": stencil3d,
    "convolution": convolution,
    "spmv": spmv,
    "floyd": floyd,
    "bitonic": bitonic,
    "radix": radix,
    "prefix": prefix,
    "fft": fft,
    "life": life,
}

main("taichi", WORKS)
