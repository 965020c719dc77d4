fn widen_f32(x: f32) -> f64 {
    let sign = u64(bitcast<u32>(x) >> 31u) << 63u;
    if size_f32(x) == 0u { return bitcast<f64>(sign); }
    if !is_finite_f32(x) { return bitcast<f64>(sign | 0x7ff0000000000000lu | (u64(bitcast<u32>(x) & 0x7fffffu) << 29u)); }
    let field = u64(bitcast<u32>(exponent_f32(x) + 896i));
    return bitcast<f64>(sign | (field << 52u) | (u64(fraction_f32(x) & 0x7fffffu) << 29u));
}
