// A parameter is no constant, also where its argument is: an index is out of range only where it is reached.
//! dispatch 1
//! o: [4] = zero
//! expect o = 4 -1 3 -1
@group(0) @binding(0) var<storage, read_write> o: array<i32>;
var<private> a: array<i32, 4>;
fn at(n: i32) -> i32 {
    if n >= 0 && n < 4 { return a[n]; }
    return -1;
}
fn component(v: vec3i, n: u32) -> i32 {
    if n < 3 { return v[n]; }
    return -1;
}
@compute @workgroup_size(1) fn main() {
    a = array(1, 2, 3, 4);
    o[0] = at(3);
    o[1] = at(7) * at(-5) * -1;
    o[2] = component(vec3i(1, 2, 3), 2);
    o[3] = component(vec3i(1, 2, 3), 9);
}
