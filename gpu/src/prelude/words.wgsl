// Bits of a word, and the packed formats.
fn lz_u32(x: u32) -> u32 { return countLeadingZeros(x); }
fn tz_u32(x: u32) -> u32 { return countTrailingZeros(x); }
fn ones_u32(x: u32) -> u32 { return countOneBits(x); }
fn reverse_u32(x: u32) -> u32 { return reverseBits(x); }
fn swap_u32(x: u32) -> u32 { return (x << 24u) | ((x & 0xff00u) << 8u) | ((x >> 8u) & 0xff00u) | (x >> 24u); }
fn wrap_i8_i32(x: i32) -> i32 { return (x << 24u) >> 24u; }
fn wrap_i16_i32(x: i32) -> i32 { return (x << 16u) >> 16u; }
fn wrap_u8_u32(x: u32) -> u32 { return x & 0xffu; }
fn wrap_u16_u32(x: u32) -> u32 { return x & 0xffffu; }
fn f32_to_f16(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let sign = (bits >> 16u) & 0x8000u;
    let size = bits & 0x7fffffffu;
    if size > 0x7f800000u { return sign | 0x7e00u; }
    if size >= 0x47800000u { return sign | 0x7c00u; }
    if size >= 0x38800000u {
        let r = size - 0x38000000u;
        let q = r >> 13u;
        let rest = r & 0x1fffu;
        let up = rest > 0x1000u || (rest == 0x1000u && (q & 1u) != 0u);
        return sign | (q + select(0u, 1u, up));
    }
    let e = size >> 23u;
    if e < 101u { return sign; }
    let m = (size & 0x7fffffu) | 0x800000u;
    let by = 126u - e;
    let q = m >> by;
    let rest = m & ((1u << by) - 1u);
    let half = 1u << (by - 1u);
    let up = rest > half || (rest == half && (q & 1u) != 0u);
    return sign | (q + select(0u, 1u, up));
}
fn f16_to_f32(h: u32) -> f32 {
    let sign = (h & 0x8000u) << 16u;
    let e = (h >> 10u) & 31u;
    var m = h & 0x3ffu;
    if e == 31u { return bitcast<f32>(sign | 0x7f800000u | (m << 13u)); }
    if e == 0u {
        if m == 0u { return bitcast<f32>(sign); }
        let by = countLeadingZeros(m) - 21u;
        m = (m << by) & 0x3ffu;
        return bitcast<f32>(sign | ((113u - by) << 23u) | (m << 13u));
    }
    return bitcast<f32>(sign | ((e + 112u) << 23u) | (m << 13u));
}
fn quantize_f16_f32(x: f32) -> f32 { return f16_to_f32(f32_to_f16(x)); }
fn held(x: f32, scale: f32, lowest: f32) -> f32 {
    if is_nan_f32(x) { return 0.0; }
    var c = x;
    if lt_f32(x, lowest) { c = lowest; }
    if gt_f32(x, 1.0) { c = 1.0; }
    return floor_f32(0.5 + scale * c);
}
fn to_snorm(x: f32, scale: f32) -> u32 { return bitcast<u32>(to_i32_f32(held(x, scale, -1.0))); }
fn to_unorm(x: f32, scale: f32) -> u32 { return to_u32_f32(held(x, scale, 0.0)); }
fn four_bytes(a: u32, b: u32, c: u32, d: u32) -> u32 { return (a & 255u) | ((b & 255u) << 8u) | ((c & 255u) << 16u) | (d << 24u); }
fn signed_byte(x: u32, i: u32) -> i32 { return bitcast<i32>((x >> (8u * i)) << 24u) >> 24u; }
fn unsigned_byte(x: u32, i: u32) -> u32 { return (x >> (8u * i)) & 255u; }
// The lowest is -1 too, as the one above it.
fn from_snorm(x: i32, most: i32, scale: f32) -> f32 { return div_f32(from_i32_f32(max(x, -most)), scale); }
fn pack4x8snorm_(x: vec4<f32>) -> u32 { return four_bytes(to_snorm(x.x, 127.0), to_snorm(x.y, 127.0), to_snorm(x.z, 127.0), to_snorm(x.w, 127.0)); }
fn pack4x8unorm_(x: vec4<f32>) -> u32 { return four_bytes(to_unorm(x.x, 255.0), to_unorm(x.y, 255.0), to_unorm(x.z, 255.0), to_unorm(x.w, 255.0)); }
fn pack2x16snorm_(x: vec2<f32>) -> u32 { return (to_snorm(x.x, 32767.0) & 0xffffu) | (to_snorm(x.y, 32767.0) << 16u); }
fn pack2x16unorm_(x: vec2<f32>) -> u32 { return (to_unorm(x.x, 65535.0) & 0xffffu) | (to_unorm(x.y, 65535.0) << 16u); }
fn half_bits(x: f32) -> u32 { if is_nan_f32(x) { return 0x7e00u; } return f32_to_f16(x); }
fn pack2x16float_(x: vec2<f32>) -> u32 { return half_bits(x.x) | (half_bits(x.y) << 16u); }
fn unpack4x8snorm_(x: u32) -> vec4<f32> {
    return vec4<f32>(from_snorm(signed_byte(x, 0u), 127, 127.0), from_snorm(signed_byte(x, 1u), 127, 127.0), from_snorm(signed_byte(x, 2u), 127, 127.0), from_snorm(signed_byte(x, 3u), 127, 127.0));
}
fn unpack4x8unorm_(x: u32) -> vec4<f32> {
    return vec4<f32>(div_f32(from_u32_f32(unsigned_byte(x, 0u)), 255.0), div_f32(from_u32_f32(unsigned_byte(x, 1u)), 255.0), div_f32(from_u32_f32(unsigned_byte(x, 2u)), 255.0), div_f32(from_u32_f32(unsigned_byte(x, 3u)), 255.0));
}
fn unpack2x16snorm_(x: u32) -> vec2<f32> {
    let low = bitcast<i32>(x << 16u) >> 16u;
    let high = bitcast<i32>(x) >> 16u;
    return vec2<f32>(from_snorm(low, 32767, 32767.0), from_snorm(high, 32767, 32767.0));
}
fn unpack2x16unorm_(x: u32) -> vec2<f32> { return vec2<f32>(div_f32(from_u32_f32(x & 0xffffu), 65535.0), div_f32(from_u32_f32(x >> 16u), 65535.0)); }
fn unpack2x16float_(x: u32) -> vec2<f32> { return vec2<f32>(f16_to_f32(x & 0xffffu), f16_to_f32(x >> 16u)); }
fn pack4xi8_(x: vec4<i32>) -> u32 { return four_bytes(bitcast<u32>(x.x), bitcast<u32>(x.y), bitcast<u32>(x.z), bitcast<u32>(x.w)); }
fn pack4xi8_clamp_(x: vec4<i32>) -> u32 {
    return four_bytes(bitcast<u32>(clamp(x.x, -128, 127)), bitcast<u32>(clamp(x.y, -128, 127)), bitcast<u32>(clamp(x.z, -128, 127)), bitcast<u32>(clamp(x.w, -128, 127)));
}
fn pack4xu8_(x: vec4<u32>) -> u32 { return four_bytes(x.x, x.y, x.z, x.w); }
fn pack4xu8_clamp_(x: vec4<u32>) -> u32 { return four_bytes(min(x.x, 255u), min(x.y, 255u), min(x.z, 255u), min(x.w, 255u)); }
fn unpack4xi8_(x: u32) -> vec4<i32> { return vec4<i32>(signed_byte(x, 0u), signed_byte(x, 1u), signed_byte(x, 2u), signed_byte(x, 3u)); }
fn unpack4xu8_(x: u32) -> vec4<u32> { return vec4<u32>(unsigned_byte(x, 0u), unsigned_byte(x, 1u), unsigned_byte(x, 2u), unsigned_byte(x, 3u)); }
fn dot4_i8_(a: u32, b: u32) -> i32 {
    return signed_byte(a, 0u) * signed_byte(b, 0u) + signed_byte(a, 1u) * signed_byte(b, 1u) + signed_byte(a, 2u) * signed_byte(b, 2u) + signed_byte(a, 3u) * signed_byte(b, 3u);
}
fn dot4_u8_(a: u32, b: u32) -> u32 {
    return unsigned_byte(a, 0u) * unsigned_byte(b, 0u) + unsigned_byte(a, 1u) * unsigned_byte(b, 1u) + unsigned_byte(a, 2u) * unsigned_byte(b, 2u) + unsigned_byte(a, 3u) * unsigned_byte(b, 3u);
}
fn msad_one(reference: u32, low: u32, high: u32, shift: u32) -> u32 {
    let window = (low >> (8u * shift)) | ((high << 1u) << (31u - 8u * shift));
    var sum = 0u;
    for (var i = 0u; i < 4u; i = i + 1u) {
        let r = unsigned_byte(reference, i);
        let w = unsigned_byte(window, i);
        sum = sum + select(0u, max(r, w) - min(r, w), r != 0u);
    }
    return sum;
}
fn msad4_(reference: u32, source: vec2<u32>, accum: vec4<u32>) -> vec4<u32> {
    return accum + vec4<u32>(msad_one(reference, source.x, source.y, 0u), msad_one(reference, source.x, source.y, 1u), msad_one(reference, source.x, source.y, 2u), msad_one(reference, source.x, source.y, 3u));
}
