// A store that is out of range in either dimension changes no texel, and is no access at all.
//! dispatch 1
//! checks all
//! picture: [3, 4] = fill 7
//! expect picture = fill 7
@group(0) @binding(0) var picture: texture_storage_2d<r32uint, write>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(picture, vec2u(id.x, 3u + id.x), vec4u(1u));
    textureStore(picture, vec2u(4u + id.x, id.x % 3u), vec4u(2u));
    textureStore(picture, vec2i(-1, i32(id.x % 3u)), vec4u(3u));
    textureStore(picture, vec2i(i32(id.x), -1), vec4u(4u));
}
