// Arrays of structs with arrays inside.
//! dispatch 1
//! out: [4] = zero
//! expect out = 530 600 700 830
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
struct Item { v: vec3u, n: array<u32, 2> }
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var pool: array<Item, 3>;
    pool[id.x % 3u].n[1] = 5u + id.x;
    pool[1].v = vec3u(1u, 2u, 3u);
    let one = pool[(id.x + 1u) % 3u];
    out[id.x] = one.n[0] + one.n[1] + one.v.z * 10u + pool[id.x % 3u].n[1] * 100u;
}
