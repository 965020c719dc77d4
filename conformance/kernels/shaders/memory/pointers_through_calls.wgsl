// Pointers that are passed on, one step further at each call; one function for several variables; columns of matrices.
//! dispatch 1
//! a = 1 2 3 4 5 6 7 8
//! b = 10 20 30 40 50 60 70 80
//! m = 1 2 3 4 5 6
//! o: [8] = zero
//! expect a = 1 2 3 4 5 106 7 8
//! expect b = 10 20 130 40 50 60 70 80
//! expect m = 1 2 3 4 50 7
//! expect o = 6 30 9 70 11 3 77 3
requires unrestricted_pointer_parameters;

struct Inner { n: array<u32, 2> }
struct Outer { inner: array<Inner, 2> }
@group(0) @binding(0) var<storage, read_write> a: array<Outer, 2>;
@group(0) @binding(1) var<storage, read_write> b: array<Outer, 2>;
@group(0) @binding(2) var<storage, read_write> m: mat3x2f;
@group(0) @binding(3) var<storage, read_write> o: array<u32>;

fn leaf(p: ptr<storage, u32, read_write>, x: u32) -> u32 {
    let before = *p;
    *p += x;
    return before;
}

fn pair(p: ptr<storage, array<u32, 2>, read_write>, i: u32, x: u32) -> u32 { return leaf(&p[i], x); }

fn inner(p: ptr<storage, Inner, read_write>, i: u32, x: u32) -> u32 { return pair(&p.n, i, x); }

fn outer(p: ptr<storage, Outer, read_write>, i: vec2u, x: u32) -> u32 {
    if i.x > 1u { return 77u; }
    return inner(&(*p).inner[i.x], i.y, x);
}

fn all(p: ptr<storage, array<Outer, 2>, read_write>) -> u32 {
    var sum = 0u;
    for (var i = 0; i < 2; i++) {
        sum += outer(&(*p)[i], vec2u(0u, u32(i)), 0u) + outer(&p[1 - i], vec2u(1u), 0u);
    }
    return sum - p[0].inner[0].n[0];
}

fn column(p: ptr<storage, vec2f, read_write>, x: f32) -> f32 {
    (*p).x *= 10.0;
    p.y += x;
    return (*p)[0] + x;
}

fn of_function(p: ptr<function, u32>) -> u32 { *p += 1u; return *p; }

@compute @workgroup_size(1) fn main() {
    var k = 1u;
    o[0] = outer(&a[k], vec2u(0u, 1u), 100u);
    o[1] = outer(&b[0], vec2u(k, 0u), 100u);
    o[2] = all(&a) - 109u;
    o[3] = all(&b) - 110u;
    let before = m[0].x;
    o[4] = u32(column(&m[k + 1u], 1.0)) - 40u;
    o[5] = of_function(&k) + u32(before);
    o[6] = outer(&a[0], vec2u(2u, 0u), 5u);
    var local = array<u32, 2>(1u, 2u);
    o[7] = of_function(&local[1]);
}
