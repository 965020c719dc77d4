//! Patterns: of values, of references, and of what is assigned.

use super::*;

mod if_let_of_an_element {
    use super::*;

    #[amp]
    fn odd(n: i32) -> Option<i32> {
        if n % 2 == 0 { Some(n + 1) } else { None }
    }

    #[test]
    fn runs() {
        on_all(&[1, 0, 3, 0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                if let Some(x) = odd(i[0]) {
                    v[i] = x;
                } else {
                    v[i] = 0;
                }
            })
        });
    }
}

mod let_else_with_a_struct {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }
    #[amp]
    fn find(n: i32) -> Option<P> {
        if n < 2 { Some(P { x: n, y: n + 7 }) } else { None }
    }

    #[test]
    fn runs() {
        on_all(&[7, 9, 0, 0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let Some(P { x, y }) = find(i[0]) else { return };
                v[i] = x + y;
            })
        });
    }
}

mod while_let_of_a_stack {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Stack {
        items: [i32; 8],
        len: usize,
    }
    #[amp]
    impl Stack {
        fn new() -> Self {
            Self { items: [0; 8], len: 0 }
        }
        fn push(&mut self, x: i32) {
            self.items[self.len] = x;
            self.len += 1;
        }
        fn pop(&mut self) -> Option<i32> {
            if self.len == 0 {
                return None;
            }
            self.len -= 1;
            Some(self.items[self.len])
        }
    }

    #[test]
    fn runs() {
        on_all(&[0, 1, 3, 6], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut stack = Stack::new();
                for k in 0..=i[0] {
                    stack.push(k);
                }
                let mut sum = 0;
                while let Some(x) = stack.pop() {
                    sum += x;
                }
                v[i] = sum;
            })
        });
    }
}

mod array_pattern_with_a_rest {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[6, 9], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let a = [1 + i[0], 2 + i[0], 3 + i[0]];
                let [first, rest @ ..] = a;
                v[i] = first + rest[0] + rest[1];
            })
        });
    }
}

mod first_and_last {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[4, 6], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let a = [1 + i[0], 2, 3 + i[0]];
                let [first, .., last] = a;
                v[i] = first + last;
            })
        });
    }
}

mod slice_match {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let a = [i[0], 5];
                v[i] = match a {
                    [0, _] => 1,
                    [x, 5] if x == 1 => 2,
                    [_, _] => 3,
                };
            })
        });
    }
}

mod tuple_match {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[0, 1, 20, 30], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = match (i[0] % 2 == 0, i[0]) {
                    (true, 0) => 0,
                    (false, 1) => 1,
                    (_, n) => n * 10,
                };
            })
        });
    }
}

mod payload_enum {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    enum Shape {
        Dot,
        Disc { r: f32 },
        Box(f32, f32),
    }
    #[amp]
    fn area(s: Shape) -> f32 {
        match s {
            Shape::Dot => 0.0,
            Shape::Disc { r } => r * 3.0,
            Shape::Box(w, h) => w * h,
        }
    }

    #[test]
    fn runs() {
        on_all(&[0.0, 3.0, 8.0], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                let s = match i[0] {
                    0 => Shape::Dot,
                    1 => Shape::Disc { r: 1.0 },
                    _ => Shape::Box(2.0, 4.0),
                };
                v[i] = area(s);
            })
        });
    }
}

mod iter_enumerate_deref_pattern {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[8], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let a = [1, 2, 3];
                let mut s = 0;
                for (k, &x) in a.iter().enumerate() {
                    s += k as i32 * x;
                }
                v[i] = s;
            })
        });
    }
}

mod for_deref_pattern {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[6], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let a = [1, 2, 3];
                let mut s = 0;
                for &x in a.iter() {
                    s += x;
                }
                for &x in &a {
                    s += x - x;
                }
                v[i] = s;
            })
        });
    }
}

mod option_match {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[5, 0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let o = if i[0] == 0 { Some(5) } else { None };
                v[i] = match o {
                    Some(n) if n > 3 => n,
                    Some(_) => 1,
                    None => 0,
                };
            })
        });
    }
}

mod index_taken_apart {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[0, 1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let x = i[0];
                let at: usize = x as usize;
                v[at] = x;
            })
        });
    }
}

mod index_parameter_pattern {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[0, 1], |launch, v: &ArrayView<'_, i32>| {
            let w = v;
            parallel_for_each!(w.extent(), |Index([x])| {
                w[x] = x;
            })?;

            parallel_for_each!(launch, |i| {
                v[i] = i[0];
            })
        });
    }
}

mod state_machine {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    enum State {
        Start,
        Middle(i32),
        End,
    }

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut s = State::Start;
                let mut n = 0;
                loop {
                    s = match s {
                        State::Start => State::Middle(2),
                        State::Middle(0) => State::End,
                        State::Middle(k) => State::Middle(k - 1),
                        State::End => break,
                    };
                    n += 1;
                    if n > 2 {
                        break;
                    }
                }
                v[i] = n;
            })
        });
    }
}

mod closure_with_pattern {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }

    #[test]
    fn runs() {
        on_all(&[7], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let f = |(a, b): (i32, i32), P { x, .. }: P| a + b + x;
                v[i] = f((1, 2), P { x: 4, y: 0 });
            })
        });
    }
}

mod let_chain {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[5, 0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let o = Some(5);
                v[i] = if i[0] == 0
                    && let Some(x) = o
                    && x > 3
                {
                    x
                } else {
                    0
                };
            })
        });
    }
}

mod let_ref_of_a_tuple {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let pair = (1, 2);
                let (a, b) = &pair;
                v[i] = a + b;
            })
        });
    }
}

mod deref_copy_of_ref_pattern {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let pair = (1, 2);
                let &(a, b) = &pair;
                v[i] = a + b;
            })
        });
    }
}

mod for_with_tuple_pattern {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[10], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let pairs = [(1, 2), (3, 4)];
                let mut s = 0;
                for (a, b) in pairs {
                    s += a + b;
                }
                v[i] = s;
            })
        });
    }
}
