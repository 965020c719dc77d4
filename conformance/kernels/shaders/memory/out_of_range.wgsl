// Out of range a read gives zero and a write does nothing; the reference accelerator reports both.
//! dispatch 1
//! a: [3] = 5 6 7
//! out: [4] = 9 9 9 9
//! expect out = 9 6 7 0
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    out[i + 1u] = a[i + 1u];
}
