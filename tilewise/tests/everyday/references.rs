//! References, captured values, and what else stands in a kernel.

use super::*;

mod mutable_reference_to_a_local {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[5], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut x = 4;
                let p = &mut x;
                *p += 1;
                v[i] = x;
            })
        });
    }
}

mod shared_reference_to_an_element {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[7, 7], |launch, v: &ArrayView<'_, i32>| {
            let w = ArrayView::from_vec(2, vec![7, 7])?;

            parallel_for_each!(launch, |i| {
                let p = &w[i];
                v[i] = *p;
            })
        });
    }
}

mod atomic_float_max {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3.0, 0.0, 0.0, 0.0], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                v.atomic(0).fetch_max(i[0] as f32);
            })
        });
    }
}

mod capture_of_a_field {
    use super::*;

    struct Setup {
        scale: i32,
        name: String,
    }

    #[test]
    fn runs() {
        on_all(&[12], |launch, v: &ArrayView<'_, i32>| {
            let setup = Setup { scale: 4, name: String::new() };
            let table = [1, 2, 3];

            parallel_for_each!(launch, |i| {
                v[i] = setup.scale * table[2];
            })
        });
    }
}

mod capture_of_an_element {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[6, 7], |launch, v: &ArrayView<'_, i32>| {
            let tables = [[1, 2], [6, 7]];
            let k = 1usize;

            parallel_for_each!(launch, |i| {
                v[i] = tables[k][i[0] as usize];
            })
        });
    }
}

mod move_kernel {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let k = 1;
                v[i] = i[0] + k;
            })
        });
    }
}

mod tuples_compared {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = if (i[0], 1) == (0, 1) { 1 } else { 0 };
            })
        });
    }
}

mod match_on_ordering {
    use super::*;

    use std::cmp::Ordering;

    #[test]
    fn runs() {
        on_all(&[-1, 0, 1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = match i[0].cmp(&1) {
                    Ordering::Less => -1,
                    Ordering::Equal => 0,
                    Ordering::Greater => 1,
                };
            })
        });
    }
}

mod attributes_and_comments {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                /// a note
                #[allow(unused_variables)]
                let x = 1;
                // a comment
                #[allow(clippy::all)]
                {
                    v[i] = 2;
                }
            })
        });
    }
}

mod filter_keeps_even {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[2, 0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = Some(2 + i[0]).filter(|n| *n % 2 == 0).unwrap_or(0);
            })
        });
    }
}

mod none_or_positive {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let o = if i[0] == 0 { None } else { Some(-1) };
                v[i] = o.is_none_or(|n| n > 0) as i32;
            })
        });
    }
}

mod bubble_sort {
    use super::*;

    #[amp]
    fn sort<const N: usize>(a: &mut [i32; N]) {
        for end in (1..N).rev() {
            for k in 0..end {
                if a[k] > a[k + 1] {
                    a.swap(k, k + 1);
                }
            }
        }
    }

    #[test]
    fn runs() {
        on_all(&[1234], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = [3, 1, 4, 2];
                sort(&mut a);
                v[i] = a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3];
            })
        });
    }
}

mod euclid {
    use super::*;

    #[amp]
    fn gcd(a: i32, b: i32) -> i32 {
        let (mut a, mut b) = (a, b);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    }

    #[test]
    fn runs() {
        on_all(&[6], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = gcd(54, 24);
            })
        });
    }
}

mod assignment_to_elements {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[21], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = [1, 2];
                (a[0], a[1]) = (a[1], a[0]);
                v[i] = a[0] * 10 + a[1];
            })
        });
    }
}

mod nested_assignment {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[6], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let (mut a, mut b, mut c) = (0, 0, 0);
                ((a, b), [c, _]) = ((1, 2), [3, 4]);
                v[i] = a + b + c;
            })
        });
    }
}

mod rest_in_an_assignment {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[4], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let (mut a, mut b) = (0, 0);
                (a, .., b) = (1, 2, 3);
                v[i] = a + b;
            })
        });
    }
}

mod element_of_a_field {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Bag {
        items: [i32; 4],
    }
    #[amp]
    impl Bag {
        fn double(&mut self, at: usize) {
            let item = &mut self.items[at];
            *item *= 2;
        }
    }

    #[test]
    fn runs() {
        on_all(&[10], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut bag = Bag { items: [5; 4] };
                bag.double(2);
                v[i] = bag.items[2];
            })
        });
    }
}

mod element_read_by_reference {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            let ps = ArrayView::from_vec(1, vec![P { x: 1, y: 2 }])?;

            parallel_for_each!(launch, |i| {
                let P { x, y } = &ps[i];
                v[i] = *x + *y;
            })
        });
    }
}

mod hexadecimal {
    use super::*;

    #[amp]
    fn parse(text: [u8; 2]) -> Option<u32> {
        let mut value = 0;
        for byte in text {
            value = value * 16 + (byte as char).to_digit(16)?;
        }
        Some(value)
    }

    #[test]
    fn runs() {
        on_all(&[255], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                const TEXT: [u8; 2] = *b"fF";
                v[i] = parse(TEXT).map_or(-1, |n| n as i32);
            })
        });
    }
}

mod inferred_reference_parameter {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct P {
        x: i32,
    }
    #[amp]
    fn apply<F: Fn(&P, &i32) -> i32>(p: &P, f: F) -> i32 {
        f(p, &5)
    }

    #[test]
    fn runs() {
        on_all(&[9], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let q = P { x: 4 };
                v[i] = apply(&q, |p, k| p.x + *k);
            })
        });
    }
}

mod methods_change_elements {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Body {
        at: i32,
        speed: i32,
    }

    #[amp]
    impl Body {
        fn step(&mut self, by: i32) -> i32 {
            self.at += self.speed * by;
            self.speed += 1;
            self.at
        }
        fn far(&self) -> i32 {
            self.at.abs()
        }
        fn apart(&self, other: &Body) -> i32 {
            self.at - other.at
        }
        fn stopped(self) -> Body {
            Body { speed: 0, ..self }
        }
    }

    #[derive(Clone, Copy, AmpStruct)]
    struct World {
        bodies: [Body; 3],
        steps: i32,
    }

    #[amp]
    impl World {
        fn advance(&mut self) {
            for k in 0..3 {
                self.steps += self.bodies[k].step(k as i32 + 1);
            }
        }
    }

    #[amp]
    fn push(bodies: &mut [Body; 3], k: usize) -> i32 {
        bodies[k].step(5) + bodies[0].far()
    }

    same! {
        elements_are_changed_by_their_methods: i32, |i| {
            let mut bodies = [Body { at: i, speed: 2 }; 3];
            let mut k = 0;
            let mut s = 0;
            while k < 3 {
                s = s * 3 + bodies[k].step(bodies[0].at + 1);
                k += 1;
            }
            bodies[1] = bodies[2].stopped();
            for body in &bodies {
                s = s * 3 + bodies[1].apart(body) + body.far();
            }
            let mut world = World { bodies, steps: 0 };
            world.advance();
            world.advance();
            s + push(&mut bodies, (i % 3) as usize) * 7 + bodies[2].at + world.steps + world.bodies[1].at
        }

        numbers_and_options_in_arrays: i32, |i| {
            let mut a = [3, -i, 7];
            a[0] += 1;
            let mut slots = [Some(i), None, Some(4)];
            let taken = slots[0].take().unwrap_or(0);
            let before = slots[1].replace(9);
            let n = a.iter().map(|x| a[1].max(*x)).sum::<i32>();
            a[1].abs() * 100 + a[2].pow(2) + taken + before.unwrap_or(50) + slots[1].unwrap_or(0) + n
                + i32::from(slots[0].is_none())
        }

        methods_by_their_paths: i32, |i| {
            let bodies = [Body { at: i, speed: 2 }, Body { at: -7, speed: 1 }];
            let far = bodies.iter().map(Body::far).max().unwrap_or(0);
            far * 10 + bodies.into_iter().map(Body::stopped).map(|body| body.at + body.speed).sum::<i32>()
        }
    }
}
