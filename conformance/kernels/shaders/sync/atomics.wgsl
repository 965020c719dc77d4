// Atomics on storage and workgroup memory: all operations, their results, load and store.
//! dispatch 2
//! sums: [8] = 0 0 1000 4294967295 0 0 5 0
//! least = 50 -50
//! expect sums = 120 45 880 4294901760 524280 65535 5 8032
//! expect least = -3 -15
var<workgroup> count: atomic<u32>;
@group(0) @binding(0) var<storage, read_write> sums: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> least: array<atomic<i32>, 2>;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    atomicAdd(&sums[0], id.x);
    atomicMax(&sums[1], id.x * 3u);
    atomicSub(&sums[2], id.x);
    atomicAnd(&sums[3], ~(1u << id.x));
    atomicOr(&sums[4], 1u << (id.x + 3u));
    atomicXor(&sums[5], 1u << id.x);
    atomicMin(&least[0], i32(id.x) - 3);
    atomicMax(&least[1], i32(id.x) - 30);
    atomicAdd(&count, 2u);
    workgroupBarrier();
    if (i == 0u) { atomicAdd(&sums[7], atomicLoad(&count)); }
    workgroupBarrier();
    if (i == 7u) { atomicStore(&count, 40u); }
    workgroupBarrier();
    if (i == 3u) { atomicAdd(&sums[7], atomicExchange(&count, 1u) * 100u); }
}
