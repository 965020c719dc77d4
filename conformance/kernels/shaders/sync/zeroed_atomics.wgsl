// Workgroup memory with atomics begins as zeros, which compilers to SPIR-V store whole.
//! dispatch 2
//! out: [32] = fill 9
//! expect out = fill 4 4 4 4 4 4 4 4 0 2 16 0 0 16 16 16 4 4 4 4 4 4 4 4 0 2 16 0 0 16 16 16

struct Cell {
    before: vec2u,
    count: atomic<u32>,
    signed: array<atomic<i32>, 3>,
}

@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> counts: array<atomic<u32>, 8>;
var<workgroup> cells: array<Cell, 6>;
var<workgroup> alone: atomic<u32>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u) {
    for (var i = 0u; i < 2u; i += 1u) {
        atomicAdd(&counts[local % 8u], 1u);
    }
    atomicAdd(&cells[5].count, 1u);
    atomicSub(&cells[3].signed[2], 1);
    atomicMax(&cells[0].signed[1], 2);
    atomicAdd(&alone, 1u);
    workgroupBarrier();
    let at = group.x * 16u;
    if local < 8u {
        out[at + local] = atomicLoad(&counts[local]);
    }
    if local == 8u {
        out[at + 8u] = cells[4].before.x + cells[5].before.y;
        out[at + 9u] = u32(atomicLoad(&cells[0].signed[1]));
        out[at + 10u] = atomicLoad(&cells[5].count);
        out[at + 11u] = atomicLoad(&cells[4].count);
        out[at + 12u] = u32(atomicLoad(&cells[3].signed[1]));
        out[at + 13u] = u32(-atomicLoad(&cells[3].signed[2]));
        out[at + 14u] = atomicLoad(&alone);
        out[at + 15u] = atomicLoad(&cells[5].count);
    }
}
