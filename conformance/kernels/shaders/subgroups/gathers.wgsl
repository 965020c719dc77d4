// Values of other threads of a subgroup: by number, by distance, of the quad; the built-in values.
//! dispatch 1
//! out: [480] = zero
//! expect out = 3 0 0 2 0 9 2 1 2 3 3200 200 3 0 25 3 1 8 2 0 3 2 3201 200 3 0 100 4 2 11 2 3 0 1 3202 200 3
//!   0 225 5 0 10 2 2 1 0 3203 200 3 0 16 6 1 13 6 5 6 7 3204 200 3 0 81 7 2 12 6 4 7 6 3205 200 3 0 196 8 3
//!   15 6 7 4 5 3206 200 3 0 9 9 4 14 6 6 5 4 3207 200 3 0 64 10 5 1 10 9 10 11 3208 200 3 0 169 11 6 0 10 8
//!   11 10 3209 200 3 0 4 12 7 3 10 11 8 9 3210 200 3 0 49 13 8 2 10 10 9 8 3211 200 3 0 144 14 9 5 14 13 14
//!   15 3212 200 3 0 1 15 10 4 14 12 15 14 3213 200 3 0 36 16 11 7 14 15 12 13 3214 200 3 0 121 17 12 6 14 14
//!   13 12 3215 200 3 0 0 18 13 25 18 17 18 19 3216 200 3 0 25 19 14 24 18 16 19 18 3217 200 3 0 100 20 15 27
//!   18 19 16 17 3218 200 3 0 225 21 16 26 18 18 17 16 3219 200 3 0 16 22 17 29 22 21 22 23 3220 200 3 0 81
//!   23 18 28 22 20 23 22 3221 200 3 0 196 24 19 31 22 23 20 21 3222 200 3 0 9 25 20 30 22 22 21 20 3223 200
//!   3 0 64 26 21 17 26 25 26 27 3224 200 3 0 169 27 22 16 26 24 27 26 3225 200 3 0 4 28 23 19 26 27 24 25
//!   3226 200 3 0 49 29 24 18 26 26 25 24 3227 200 3 0 144 30 25 21 30 29 30 31 3228 200 3 0 1 31 26 20 30 28
//!   31 30 3229 200 3 0 36 30 27 23 30 31 28 29 3230 200 3 0 121 31 28 22 30 30 29 28 3231 200 35 32 1024 34
//!   32 32 34 33 34 35 3200 201 35 32 1369 35 33 33 34 32 35 34 3201 201 35 32 1156 36 34 34 34 35 32 33 3202
//!   201 35 32 1225 37 32 35 34 34 33 32 3203 201 35 32 1296 38 33 36 38 37 38 39 3204 201 35 32 1369 39 34
//!   37 38 36 39 38 3205 201 35 32 1444 38 35 38 38 39 36 37 3206 201 35 32 1225 39 36 39 38 38 37 36 3207
//!   201
enable subgroups;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(40)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u,
        @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) size: u32,
        @builtin(subgroup_id) id: u32, @builtin(num_subgroups) count: u32) {
    let x = vec2u(i * i, i + 100u * group.x);
    let at = (group.x * 40u + i) * 12u;
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
