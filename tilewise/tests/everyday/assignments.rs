//! Assignments to several places, and names that get their value later.

use super::*;

mod swap_of_locals {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[10, 10], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let (mut a, mut b) = (1, 10);
                std::mem::swap(&mut a, &mut b);
                v[i] = a;
            })
        });
    }
}

mod swap_of_elements_of_an_array {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[31], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = [1, 2, 3];
                a.swap(0, 2);
                v[i] = a[0] * 10 + a[2];
            })
        });
    }
}

mod swap_by_assignment {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[21], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let (mut a, mut b) = (1, 2);
                (a, b) = (b, a);
                v[i] = a * 10 + b;
            })
        });
    }
}

mod destructuring_assignment {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }

    #[test]
    fn runs() {
        on_all(&[12], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let (a, b, c);
                P { x: a, y: b } = P { x: 1, y: 2 };
                [_, c] = [5, 9];
                v[i] = a + b + c;
            })
        });
    }
}

mod fibonacci_by_assignment {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[0, 1, 1, 2, 3, 5], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let (mut a, mut b) = (0, 1);
                for _ in 0..i[0] {
                    (a, b) = (b, a + b);
                }
                v[i] = a;
            })
        });
    }
}

mod deferred_let {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let x;
                if i[0] == 0 {
                    x = 1
                } else {
                    x = 2
                }
                v[i] = x;
            })
        });
    }
}

mod swap_of_fields {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }

    #[test]
    fn runs() {
        on_all(&[21], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut p = P { x: 1, y: 2 };
                (p.x, p.y) = (p.y, p.x);
                v[i] = p.x * 10 + p.y;
            })
        });
    }
}

mod deferred_names {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3, 7], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let (a, b);
                if i[0] == 0 {
                    a = 1;
                    b = 2
                } else {
                    a = 3;
                    b = 4
                }
                v[i] = a + b;
            })
        });
    }
}

mod deferred_float {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[2.5], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                let x;
                loop {
                    x = 2.5;
                    break;
                }
                v[i] = x;
            })
        });
    }
}
