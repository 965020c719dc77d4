// A loop that tries until it has exchanged ends also where there is nothing to exchange.
//! dispatch 1
//! counts: [4] = zero
//! at = 100
//! done: [4] = zero
//! expect counts = fill 0 0 0 0
//! expect done = fill 1 2 3 4

@group(0) @binding(0) var<storage, read_write> counts: array<atomic<i32>>;
@group(0) @binding(1) var<uniform> at: u32;
@group(0) @binding(2) var<storage, read_write> done: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) local: u32) {
    var old = 0;
    loop {
        let tried = atomicCompareExchangeWeak(&counts[at + local], old, old + 5);
        if tried.exchanged { break; }
        old = tried.old_value;
    }
    done[local] = local + 1u;
}
