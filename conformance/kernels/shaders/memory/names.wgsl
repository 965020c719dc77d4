// Variables whose names a kernel's parameter cannot have are found by them.
//! dispatch 1
//! größe = 3
//! copy: [2] = 1 2
//! loop_: [2] = zero
//! expect copy = 4 5
//! expect loop_ = 1 2
@group(0) @binding(0) var<uniform> größe: u32;
@group(0) @binding(1) var<storage, read_write> copy: array<u32>;
@group(0) @binding(2) var<storage, read_write> loop_: array<u32>;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) i: u32) {
    loop_[i] = copy[i];
    copy[i] += größe;
}
