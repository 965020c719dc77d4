fn narrow_f64(x: f64) -> f32 {
    let sign = u32(bitcast<u64>(x) >> 32u) & 0x80000000u;
    if is_nan_f64(x) { return nan_f32(); }
    if size_f64(x) == 0lu { return bitcast<f32>(sign); }
    if is_inf_f64(x) { return bitcast<f32>(sign | 0x7f800000u); }
    let bits = fraction_f64(x) << 11u;
    let top = u32(bits >> 32u) | select(0u, 1u, u32(bits) != 0u);
    return pack_f32(sign, exponent_f64(x) - 896i, top);
}
