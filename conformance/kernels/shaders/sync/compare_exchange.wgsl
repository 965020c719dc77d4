// A lock-free maximum by compare-exchange: both members of its result.
//! dispatch 2
//! top = zero
//! expect top = 15 16
@group(0) @binding(0) var<storage, read_write> top: array<atomic<u32>, 2>;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let mine = (id.x * 7u) % 16u;
    var old = atomicLoad(&top[0]);
    loop {
        if (old >= mine) { break; }
        let result = atomicCompareExchangeWeak(&top[0], old, mine);
        if (result.exchanged) { break; }
        old = result.old_value;
    }
    atomicAdd(&top[1], 1u);
}
