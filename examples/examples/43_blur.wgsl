// The mean of each number and its two neighbours, three times: twice with a bug. See 43_shader_test.rs.

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

const SIZE = 16u;
/// The numbers of a workgroup, with a neighbour at each end.
var<workgroup> near: array<f32, SIZE + 2u>;

fn at(i: u32) -> f32 {
    return input[clamp(i, 1u, arrayLength(&input)) - 1u];
}

fn load(global: u32, local: u32) {
    near[local + 1u] = at(global + 1u);
    if local == 0u { near[0] = at(global); }
    if local == SIZE - 1u { near[SIZE + 1u] = at(global + 2u); }
}

fn mean(local: u32) -> f32 {
    return (near[local] + near[local + 1u] + near[local + 2u]) / 3.0;
}

@compute @workgroup_size(SIZE)
fn without_a_barrier(@builtin(global_invocation_id) global: vec3u, @builtin(local_invocation_index) local: u32) {
    load(global.x, local);
    output[global.x] = mean(local);
}

@compute @workgroup_size(SIZE)
fn one_too_far(@builtin(global_invocation_id) global: vec3u, @builtin(local_invocation_index) local: u32) {
    load(global.x, local);
    workgroupBarrier();
    output[global.x + 1u] = mean(local);
}

@compute @workgroup_size(SIZE)
fn blur(@builtin(global_invocation_id) global: vec3u, @builtin(local_invocation_index) local: u32) {
    load(global.x, local);
    workgroupBarrier();
    output[global.x] = mean(local);
}
