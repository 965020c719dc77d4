// Storage formats of 8 bits: numbers are rounded to the format as they are stored, integers held to it.
//! dispatch 1
//! u: [1, 2] = zero
//! s: [1, 2] = zero
//! b: [1, 2] = zero
//! n: [1, 2] = zero
//! i: [1, 2] = zero
//! expect u = (0 128 255 51) (0 0 255 2)
//! expect s = (-127 64 127 25) (0 0 127 1)
//! expect b = (255 128 0 51) (255 0 0 2)
//! expect n = (255 7 0 1) (0 0 0 255)
//! expect i = (-128 127) (-5 6)
@group(0) @binding(0) var u: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(1) var s: texture_storage_2d<rgba8snorm, write>;
@group(0) @binding(2) var b: texture_storage_2d<bgra8unorm, write>;
@group(0) @binding(3) var n: texture_storage_2d<rgba8uint, write>;
@group(0) @binding(4) var i: texture_storage_2d<rg8sint, write>;
@compute @workgroup_size(1)
fn main() {
    let a = vec4f(-1.5, 0.5, 2.0, 0.2);
    let c = vec4f(0.0, 0.3 / 255.0, 1.0, 1.7 / 255.0);
    textureStore(u, vec2u(0, 0), a);
    textureStore(u, vec2u(1, 0), c);
    textureStore(s, vec2u(0, 0), a);
    textureStore(s, vec2u(1, 0), vec4f(0.0, 0.3 / 127.0, 1.0, 1.4 / 127.0));
    textureStore(b, vec2u(0, 0), a);
    textureStore(b, vec2u(1, 0), c);
    textureStore(n, vec2u(0, 0), vec4u(256u, 7u, 0u, 1u));
    textureStore(n, vec2u(1, 0), vec4u(0u, 0u, 0u, 4000000000u));
    textureStore(i, vec2u(0, 0), vec4i(-1000, 1000, 0, 0));
    textureStore(i, vec2u(1, 0), vec4i(-5, 6, 7, 8));
}
