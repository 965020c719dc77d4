// A sampled and a storage texture of two dimensions: loads, stores, sizes. A store out of range does nothing.
//! dispatch 1
//! t: [2, 3] = iota
//! out: [2, 3] = fill 9
//! sizes: [4] = zero
//! expect out = (0 1 2 3) (4 5 6 7) (9 9 9 9) (12 13 14 15) (16 17 18 19) (9 9 9 9)
//! expect sizes = 3 2 3 2
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var out: texture_storage_2d<rgba32float, write>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;
@compute @workgroup_size(2, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(out, id.xy, textureLoad(t, id.xy, 0));
    textureStore(out, vec2i(id.xy) - vec2i(2, 3), vec4f(1.0));
    textureStore(out, id.xy + 3u, vec4f(2.0));
    if (id.x + id.y == 0u) {
        let a = textureDimensions(t);
        let b = textureDimensions(out);
        sizes[0] = a.x;
        sizes[1] = a.y;
        sizes[2] = b.x;
        sizes[3] = b.y;
    }
}
