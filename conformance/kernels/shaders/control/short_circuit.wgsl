// `&&` and `||` do not compute their right side in vain.
//! dispatch 2
//! out: [16] = zero
//! expect out = 4*101 12 12 12 9*111
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
fn count(calls: ptr<function, u32>) -> bool {
    *calls += 1u;
    return *calls % 2u == 1u;
}
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    var calls = 0u;
    if (i > 3u && count(&calls)) { calls += 10u; }
    if (i > 6u || count(&calls)) { calls += 100u; }
    out[i] = calls;
}
