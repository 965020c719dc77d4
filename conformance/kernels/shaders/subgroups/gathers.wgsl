// Values of other threads of a subgroup: by number, by distance, of the quad; the built-in values.
//! dispatch 2
//! out: [1152] = zero
enable subgroups;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(16, 3)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u,
        @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) size: u32,
        @builtin(subgroup_id) id: u32, @builtin(num_subgroups) count: u32) {
    let x = vec2u(i * i, i + 100u * group.x);
    let at = (group.x * 48u + i) * 12u;
    out[at] = subgroupBroadcast(x, 3u).y;
    out[at + 1u] = subgroupBroadcastFirst(x).y;
    out[at + 2u] = subgroupShuffle(x, (lane * 5u) % 16u).x;
    out[at + 3u] = subgroupShuffleDown(x, 2u).y;
    out[at + 4u] = subgroupShuffleUp(x, 3u).y;
    out[at + 5u] = subgroupShuffleXor(x, 9u).y;
    out[at + 6u] = quadBroadcast(x, 2u).y;
    out[at + 7u] = quadSwapX(x).y;
    out[at + 8u] = quadSwapY(x).y;
    out[at + 9u] = quadSwapDiagonal(x).y;
    out[at + 10u] = lane + size * 100u;
    out[at + 11u] = id + count * 100u;
}
