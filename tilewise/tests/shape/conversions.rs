//! Every vector as each other vector of its length (SVC-1): of components that all scalars have.

use tilewise::graphics::{Norm2, Norm3, Norm4, Unorm2, Unorm3, Unorm4};
use tilewise::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};

use crate::checks;

/// Tests of a length: all six conversions of each of its vectors, as floats that are one number.
macro_rules! conversions {
    ($($test:ident: $bits:expr, $weights:expr => {$($name:ident of $v:ident;)*})*) => {$(
        mod $test {
            use super::*;

            checks! {$(
                $name: [f32; 6] = {
                    let bits: &[i32] = &$bits;
                    [bits.iter().zip($weights.to_array()).map(|(&bit, weight)| bit as f32 * weight).sum(); 6]
                }; {
                    let (bits, weights) = ($bits, $weights);
                    let (mut v, on) = ($v::ZERO, $v::ONE);
                    for k in 0..bits.len() {
                        if bits[k] == 1 {
                            v[k] = on[k];
                        }
                    }
                    [
                        v.as_int().as_float().dot(weights), v.as_uint().as_float().dot(weights),
                        v.as_float().dot(weights), v.as_double().as_float().dot(weights),
                        v.as_norm().as_float().dot(weights), v.as_unorm().as_float().dot(weights),
                    ]
                }
            )*}
        }
    )*};
}

conversions! {
    svc_1_every_conversion_of_two: [0, 1], Float2::new(1.0, 2.0) => {
        ints of Int2; uints of UInt2; floats of Float2; doubles of Double2; norms of Norm2; unorms of Unorm2;
    }
    svc_1_every_conversion_of_three: [1, 0, 1], Float3::new(1.0, 2.0, 4.0) => {
        ints of Int3; uints of UInt3; floats of Float3; doubles of Double3; norms of Norm3; unorms of Unorm3;
    }
    svc_1_every_conversion_of_four: [1, 1, 0, 1], Float4::new(1.0, 2.0, 4.0, 8.0) => {
        ints of Int4; uints of UInt4; floats of Float4; doubles of Double4; norms of Norm4; unorms of Unorm4;
    }
}
