// Pointers to variables and their parts, to workgroup memory and storage; some as arguments.
//! dispatch 1
//! out: [8] = zero
//! expect out = iota 221 step -2
var<workgroup> shared_row: array<vec2u, 8>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
fn add(p: ptr<function, u32>, n: u32) { *p += n; }
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    var sums = array<u32, 2>(1u, 2u);
    let which = &sums[i % 2u];
    add(which, i);
    add(&sums[0], 100u);
    let mine = &shared_row[i];
    (*mine).y = sums[0] + sums[1];
    workgroupBarrier();
    out[i] = shared_row[7u - i].y;
    let cell = &out[i];
    *cell = *cell * 2u + 1u;
}
