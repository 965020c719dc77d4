// Storage formats of 16 bits and the packed ones, read again after they are written.
//! dispatch 1
//! u: [1, 1] = zero
//! s: [1, 1] = zero
//! h: [1, 1] = zero
//! n: [1, 1] = zero
//! p: [1, 1] = zero
//! q: [1, 1] = zero
//! e: [1, 3] = zero
//! out: [5] = zero
//! expect u = (0 32768 65535 13107)
//! expect s = (-32767 16384)
//! expect h = (1 0.333251953125 inf -2)
//! expect n = (65535 0 7 1)
//! expect p = 1610612735
//! expect q = 3221750783
//! expect e = 1746666432 0 0
//! expect out = (0 0.5000076293945312 1 0.2) (1 0.333251953125 inf -2) (0 0 0 1) (1023 1023 511 1) (1 0.5 0.25 1)
@group(0) @binding(0) var u: texture_storage_2d<rgba16unorm, read_write>;
@group(0) @binding(1) var s: texture_storage_2d<rg16snorm, write>;
@group(0) @binding(2) var h: texture_storage_2d<rgba16float, read_write>;
@group(0) @binding(3) var n: texture_storage_2d<rgba16uint, write>;
@group(0) @binding(4) var p: texture_storage_2d<rgb10a2uint, read_write>;
@group(0) @binding(5) var q: texture_storage_2d<rgb10a2unorm, write>;
@group(0) @binding(6) var e: texture_storage_2d<rg11b10ufloat, read_write>;
@group(0) @binding(7) var<storage, read_write> out: array<vec4f>;
@compute @workgroup_size(1)
fn main() {
    let at = vec2u(0);
    textureStore(u, at, vec4f(-0.5, 0.5, 2.0, 0.2));
    textureStore(s, at, vec4f(-1.0, 0.5, 0.0, 0.0));
    textureStore(h, at, vec4f(1.0, 1.0 / 3.0, 70000.0, -2.0));
    textureStore(n, at, vec4u(70000u, 0u, 7u, 1u));
    textureStore(p, at, vec4u(4000u, 1023u, 511u, 1u));
    textureStore(q, at, vec4f(1.0, 0.5, 0.0, 1.0));
    textureStore(e, at, vec4f(1.0, 0.5, 0.25, 9.0));
    out[0] = textureLoad(u, at);
    out[1] = textureLoad(h, at);
    out[2] = textureLoad(e, at + 1);
    out[3] = vec4f(textureLoad(p, at));
    out[4] = textureLoad(e, at);
}
