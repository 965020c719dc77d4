// A parameter is no constant, also where its argument is: `x / 0` is `x` and `x % 0` is 0 in each component.
//! dispatch 1
//! o: [8] = zero
//! expect o = 7 4 0 2 5 5 0 0
@group(0) @binding(0) var<storage, read_write> o: array<i32>;
fn quotient(a: vec2i, b: vec2i) -> vec2i { return a / b; }
fn rest(a: vec2u, b: vec2u) -> vec2u { return a % b; }
@compute @workgroup_size(1) fn main() {
    let q = quotient(vec2i(7, 8), vec2i(0, 2));
    let r = rest(vec2u(7u, 8u), vec2u(0u, 3u));
    let all = quotient(vec2i(5), vec2i(0));
    let none = rest(vec2u(5u), vec2u());
    o[0] = q.x;
    o[1] = q.y;
    o[2] = i32(r.x);
    o[3] = i32(r.y);
    o[4] = all.x;
    o[5] = all.y;
    o[6] = i32(none.x);
    o[7] = i32(none.y);
}
