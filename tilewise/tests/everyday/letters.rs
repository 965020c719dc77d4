//! Numbers of every size, letters, and conversions between them.

use super::*;

mod into_of_numbers {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3.5], |launch, v: &ArrayView<'_, f64>| {
            parallel_for_each!(launch, |i| {
                let x: f32 = 3.5;
                v[i] = x.into();
            })
        });
    }
}

mod from_of_numbers {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[200.0], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                let b = 200u8;
                v[i] = f32::from(b) + f32::from(i16::from(false));
            })
        });
    }
}

mod small_integers {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[44, -128], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let a: u8 = 200 + i[0] as u8;
                let b = a.wrapping_add(100);
                let c = (127i8).wrapping_add(1);
                let d: u16 = 65535;
                let e = -5i16;
                v[i] = if i[0] == 0 { b as i32 } else { c as i32 + (d as i32 - 65535) + (e as i32 + 5) };
            })
        });
    }
}

mod number_times_struct {
    use super::*;

    use std::ops::Mul;
    #[derive(Clone, Copy, AmpStruct)]
    struct V {
        x: f32,
    }
    #[amp]
    impl Mul<V> for f32 {
        type Output = V;
        fn mul(self, o: V) -> V {
            V { x: self * o.x }
        }
    }

    #[test]
    fn runs() {
        on_all(&[6.0], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                v[i] = (2.0 * V { x: 3.0 }).x;
            })
        });
    }
}

mod function_of_a_primitive {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3.0], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                v[i] = f32::max(f32::sqrt(9.0), i32::abs(-2) as f32);
            })
        });
    }
}

mod char_to_digit {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[7], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = '7'.to_digit(10).unwrap_or(0) as i32;
            })
        });
    }
}

mod byte_methods {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let c = b'7';
                v[i] = (c.is_ascii_digit() && !c.is_ascii_alphabetic()) as i32;
            })
        });
    }
}

mod byte_case {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[65], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = b'a'.to_ascii_uppercase() as i32;
            })
        });
    }
}

mod number_constants {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let far = f32::MAX.min(f32::INFINITY).min(std::f32::consts::E);
                v[i] = (far > 2.7 && i32::MAX > 0 && u8::MAX == 255 && f32::EPSILON < 0.1) as i32;
            })
        });
    }
}

mod from_and_into_of_own {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Celsius(f32);
    #[amp]
    impl From<f32> for Celsius {
        fn from(x: f32) -> Self {
            Celsius(x)
        }
    }

    #[test]
    fn runs() {
        on_all(&[4.0], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                let c: Celsius = 4.0_f32.into();
                let d = Celsius::from(0.0_f32);
                v[i] = c.0 + d.0;
            })
        });
    }
}

mod casts {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[300], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let big = 300_i64 as i32;
                let byte = 300_i32 as u8;
                let f = -1.5_f32 as u32;
                v[i] = big + f as i32 + (byte as i32 - 44) + ('a' as u8 as char == 'a') as i32 - true as i32;
            })
        });
    }
}

mod hash_of_bytes {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[440920331], |launch, v: &ArrayView<'_, u32>| {
            parallel_for_each!(launch, |i| {
                let mut hash = 0x811c9dc5u32;
                for byte in [b'a', b'b', b'c'] {
                    hash = (hash ^ byte as u32).wrapping_mul(16777619);
                }
                v[i] = hash;
            })
        });
    }
}

mod from_of_letters {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[120, 8364, 65, 1], |launch, v: &ArrayView<'_, u32>| {
            parallel_for_each!(launch, |i| {
                let wide: u64 = 'é'.into();
                let same = char::from('x') == 'x' && wide == 233;
                v[i] = match i[0] {
                    0 => u32::from('x'),
                    1 => u64::from('€') as u32,
                    2 => char::from(60u8 + 5) as u32,
                    _ => same as u32,
                };
            })
        });
    }
}
