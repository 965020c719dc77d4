// Functions of numbers without a type, which naga does not evaluate: they are computed as `f32` and `i32`.
//! dispatch 1
//! o: [10] = zero
//! expect o = 0.5 0.25 11 4 7 5 -2 3 0.75 1
@group(0) @binding(0) var<storage, read_write> o: array<f32>;
@compute @workgroup_size(1) fn main() {
    o[0] = smoothstep(0.0, 2.0, 1.0);
    o[1] = mix(0.0, 1.0, 0.25);
    o[2] = f32(dot(vec2(1, 2), vec2(3, 4)));
    o[3] = ldexp(0.5, 3);
    o[4] = fma(2.0, 3.0, 1.0);
    o[5] = distance(vec2(0.0, 0.0), vec2(3.0, 4.0));
    o[6] = determinant(mat2x2(1.0, 2.0, 3.0, 4.0));
    o[7] = transpose(mat2x2(1.0, 2.0, 3.0, 4.0))[0].y;
    o[8] = mix(0.5, 1.0, 0.5);
    o[9] = f32(reflect(vec2(1.0, -1.0), vec2(0.0, 1.0)).y);
}
