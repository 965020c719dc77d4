// Constants of many parts, indexed: each is one table, however often it is named.
//! dispatch 1
//! v: [8] = 0 1 2 3 4 5 6 7
//! w: [4] = zero
//! expect v = 9 10 11 12 13 14 15 16
//! expect w = 3 2 2.5 8
struct Entry { weight: f32, at: vec2i, on: bool }
const SQUARES = array<u32, 20>(0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361);
const ENTRIES = array<Entry, 6>(Entry(0.5, vec2i(1, 2), true), Entry(), Entry(2.5, vec2i(3), false),
    Entry(1, vec2i(-1, 7), true), Entry(), Entry(4, vec2i(0, 8), true));
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@group(0) @binding(1) var<storage, read_write> w: array<f32>;

fn at(table: array<u32, 20>, i: u32) -> u32 { return table[i]; }

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    let n = v[i];
    // The difference of squares is 2 n + 9.
    let difference = SQUARES[n + 5u] - at(SQUARES, n + 4u);
    let small = array(1u, 2u, 3u, 4u)[n % 4u];
    var own = SQUARES;
    own[n] += small - n % 4u - 1u;
    var zeros = array<u32, 60>();
    zeros[n] = 1u;
    zeros = array<u32, 60>();
    v[i] = difference - n + own[n] - SQUARES[n] + zeros[n] + array<u32, 60>()[n];
    if i == 0u {
        let all = ENTRIES;
        w[0] = f32(all[n + 2u].at.x);
        w[1] = f32(ENTRIES[n].at.y);
        w[2] = select(ENTRIES[n + 2u].weight, 0.0, ENTRIES[n + 2u].on);
        w[3] = f32(ENTRIES[n + 5u].at.y);
    }
}
