// `storageBarrier` orders storage between the threads of a workgroup.
//! dispatch 2
//! rows: [16] = zero
//! out: [16] = zero
//! expect rows = 0 1 4 9 16 25 36 49 64 81 100 121 144 169 196 225
//! expect out = 9 16 25 36 49 0 1 4 121 144 169 196 225 64 81 100
@group(0) @binding(0) var<storage, read_write> rows: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    rows[id.x] = id.x * id.x;
    storageBarrier();
    out[id.x] = rows[id.x - i + (i + 3u) % 8u];
}
