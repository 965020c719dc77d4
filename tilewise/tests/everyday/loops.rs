//! Loops, arrays and what goes over them.

use super::*;

mod for_in_array {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[6], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut s = 0;
                for x in [1, 2, 3] {
                    s += x;
                }
                v[i] = s;
            })
        });
    }
}

mod iter_enumerate {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[8], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let a = [1, 2, 3];
                let mut s = 0;
                for (k, x) in a.iter().enumerate() {
                    s += k as i32 * *x;
                }
                v[i] = s;
            })
        });
    }
}

mod iter_mut {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[12], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = [1, 2, 3];
                for x in a.iter_mut() {
                    *x *= 2;
                }
                for x in &mut a {
                    *x += 0;
                }
                v[i] = a[0] + a[1] + a[2];
            })
        });
    }
}

mod range_in_let {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[0, 1, 3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let r = 0..i[0] + 1;
                let mut s = 0;
                for k in r {
                    s += k;
                }
                v[i] = s;
            })
        });
    }
}

mod step_rev {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[9, 10], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut s = i[0];
                for k in (1..6).step_by(2).rev() {
                    s += k;
                }
                v[i] = s;
            })
        });
    }
}

mod array_len {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let a = [1.0, 2.0, 3.0];
                v[i] = a.len() as i32;
            })
        });
    }
}

mod const_in_a_loop {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[15], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut s = 0;
                for _ in 0..3 {
                    const K: i32 = 5;
                    s += K;
                }
                v[i] = s;
            })
        });
    }
}

mod mutable_reference_to_an_array_element {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[9], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = [1, 2, 3];
                let p = &mut a[1];
                *p = 9;
                v[i] = a[1];
            })
        });
    }
}

mod mutable_reference_to_an_element_of_a_reference {
    use super::*;

    #[amp]
    fn raise(a: &mut [i32; 2]) {
        let p = &mut a[1];
        *p += 1;
    }

    #[test]
    fn runs() {
        on_all(&[62], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = [1, 2];
                raise(&mut a);
                let mut rows = [[1, 2]; 2];
                for row in &mut rows {
                    let p = &mut row[1];
                    *p = 9;
                }
                let whole = &mut rows;
                let p = &mut whole[0][0];
                *p = 50;
                v[i] = a[1] + rows[0][0] + rows[1][1];
            })
        });
    }
}

mod ranges_that_contain {
    use super::*;

    #[test]
    fn a_method_of_the_answer() {
        on_all(&[4, 4, 3, 3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| v[i] = (2..9).contains(&i[0]).then_some(3).unwrap_or(4))
        });
    }

    #[test]
    fn with_one_end() {
        on_all(&[6, 6, 7, 1, 1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = (2..).contains(&i[0]) as i32;
                v[i] += 2 * (..=2).contains(&i[0]) as i32;
                v[i] += 4 * (..3).contains(&i[0]) as i32;
            })
        });
    }
}

mod two_semicolons {
    use super::*;

    #[test]
    #[rustfmt::skip]
    #[allow(redundant_semicolons, reason = "that is what is tested")]
    fn run() {
        on_all(&[1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = 1;;
            })
        });
    }
}

mod cmp_min_max {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                use std::cmp::{max, min};
                v[i] = min(max(i[0], 0), 5) + 1;
            })
        });
    }
}

mod array_reference_parameter {
    use super::*;

    #[amp]
    fn total<const N: usize>(a: &[i32; N]) -> i32 {
        let mut s = 0;
        for x in a {
            s += *x;
        }
        s
    }

    #[test]
    fn runs() {
        on_all(&[6], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = total(&[1, 2, 3]);
            })
        });
    }
}

mod array_reference_parameter_mut {
    use super::*;

    #[amp]
    fn reverse(a: &mut [i32; 3]) {
        let t = a[0];
        a[0] = a[2];
        a[2] = t;
    }

    #[test]
    fn runs() {
        on_all(&[321], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = [1, 2, 3];
                reverse(&mut a);
                v[i] = a[0] * 100 + a[1] * 10 + a[2];
            })
        });
    }
}

mod break_with_a_value {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[4, 4], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut n = 1;
                v[i] = loop {
                    n *= 2;
                    if n > 3 {
                        break n;
                    }
                };
            })
        });
    }
}

mod labelled_block {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = 'a: {
                    if i[0] == 0 {
                        break 'a 1;
                    }
                    2
                };
            })
        });
    }
}

mod arrays_compared {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = if [i[0], 1] == [0, 1] { 1 } else { 0 };
            })
        });
    }
}

mod array_fill_and_contains {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = [0; 4];
                a.fill(3);
                v[i] = a.contains(&3) as i32;
            })
        });
    }
}

mod arrays_of_small_numbers_that_contain {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[4, 1, 7], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let x = i[0] as u8;
                v[i] = [1_u8, 2].contains(&x) as i32;
                v[i] += 2 * [true, true].contains(&(x == 2)) as i32;
                v[i] += 4 * ['a', 'c'].contains(&((b'a' + x) as char)) as i32;
            })
        });
    }
}

mod clones {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Pair {
        left: i32,
        right: i32,
    }

    #[test]
    fn run() {
        on_all(&[14, 15], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let a = [i[0], 2];
                let mut b = a.clone();
                b[1] = 5;
                let pair = Pair { left: 3, right: 4 };
                v[i] = a[1].clone() + b[0] + b[1] + pair.clone().left + pair.right;
            })
        });
    }
}

mod method_with_the_name_of_a_slices {
    use super::*;

    #[amp]
    trait Sorts {
        fn sort(&mut self);
    }

    #[amp]
    impl Sorts for [i32; 2] {
        fn sort(&mut self) {
            if self[1] < self[0] {
                self.swap(0, 1);
            }
        }
    }

    #[test]
    fn runs() {
        on_all(&[0, 1, 1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = [i[0], 1];
                a.sort();
                v[i] = a[0];
            })
        });
    }
}

mod nested_array_loops {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[10], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut g = [[1, 2], [3, 4]];
                for row in g.iter_mut() {
                    for x in row.iter_mut() {
                        *x += 0;
                    }
                }
                let mut s = 0;
                for row in &g {
                    for x in row {
                        s += x;
                    }
                }
                v[i] = s;
            })
        });
    }
}

mod index_into_array {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[0, 1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let Index([x]) = i;
                v[i] = x;
            })
        });
    }
}

mod byte_ranges {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = match b'q' {
                    b'0'..=b'9' => 1,
                    b'a'..=b'z' | b'A'..=b'Z' => 2,
                    _ => 3,
                };
            })
        });
    }
}

mod shadowed_loop_variable {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[6], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut s = 0;
                for mut k in 0..3 {
                    k += 1;
                    s += k;
                }
                v[i] = s;
            })
        });
    }
}

mod while_with_an_array {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let a = [5, 6, 7];
                let mut k = 0;
                while k < a.len() && a[k] != 7 {
                    k += 1;
                }
                v[i] = k as i32;
            })
        });
    }
}

mod lookup_in_two_dimensions {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[6], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                const N: usize = 2;
                let mut m = [[0; N + 1]; N];
                for y in 0..N {
                    for x in 0..N + 1 {
                        m[y][x] = (y * 3 + x) as i32 + 1;
                    }
                }
                v[i] = m[1][2];
            })
        });
    }
}

mod chunks_by_step {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[0, 6], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut s = 0;
                for k in (0..i[0] * 6).step_by(3) {
                    s += k * 2;
                }
                v[i] = s;
            })
        });
    }
}

mod flatten_and_zip {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[7], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let nested = Some(Some(3));
                let Some((a, b)) = nested.flatten().zip(Some(4)) else { return };
                v[i] = a + b;
            })
        });
    }
}

mod reversed_array {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[321], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = [1, 2, 3];
                a.reverse();
                v[i] = a[0] * 100 + a[1] * 10 + a[2];
            })
        });
    }
}

mod element_of_a_nested_array {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[9], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut g = [[1, 2], [3, 4]];
                let p = &mut g[1][0];
                *p *= 3;
                v[i] = g[1][0];
            })
        });
    }
}

mod function_in_a_loop {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[12], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut s = 0;
                for k in 0..3 {
                    fn square(x: i32) -> i32 {
                        x * x
                    }
                    const BASE: i32 = 1;
                    s += square(k + BASE) - BASE + 1 - 1;
                }
                v[i] = s + 1;
            })
        });
    }
}

mod arrays_differ {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[0, 1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = ([i[0]; 3] != [0, 0, 0]) as i32;
            })
        });
    }
}

mod words_counted {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                const TEXT: [u8; 14] = *b"so it goes. \n ";
                let (mut words, mut inside) = (0, false);
                for byte in TEXT {
                    let letter = byte.is_ascii_graphic();
                    if letter && !inside {
                        words += 1;
                    }
                    inside = letter;
                }
                v[i] = words;
            })
        });
    }
}

mod array_of_bytes_in_a_loop {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                const TEXT: [u8; 4] = *b"a1b2";
                v[i] = 0;
                let mut sum = 0;
                for (k, &byte) in TEXT.iter().enumerate() {
                    if byte.is_ascii_digit() {
                        sum += (byte - b'0') as i32 + (k as i32) * 0;
                    }
                }
                v[i] = sum;
            })
        });
    }
}
