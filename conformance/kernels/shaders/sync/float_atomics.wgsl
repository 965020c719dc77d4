// Atomic sums, differences and exchanges of floats.
//! dispatch 2
//! sums = 100 100 0
//! expect sums = 116 84 7
@group(0) @binding(0) var<storage, read_write> sums: array<atomic<f32>, 3>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    atomicAdd(&sums[0], 1.0);
    atomicSub(&sums[1], 1.0);
    atomicExchange(&sums[2], 7.0);
}
