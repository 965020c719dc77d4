// Overrides: from the header, by default, as an array's size and the workgroup's.
//! dispatch 2
//! override SIZE = 4
//! override 7 = 2.5
//! override on = true
//! out: [8] = zero
//! expect out = 60.0 40.0 20.0 0.0 60.0 40.0 20.0 0.0
override SIZE: u32;
@id(7) override scale: f32 = 1.0;
override extra: u32 = SIZE * 2u;
override on: bool = false;
var<workgroup> row: array<u32, SIZE>;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    row[i] = i * extra;
    workgroupBarrier();
    out[id.x] = f32(row[SIZE - 1u - i]) * scale * f32(on);
}
