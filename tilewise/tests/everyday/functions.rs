//! Functions, closures, macros, constants and items.

use super::*;

mod closure {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let f = |x: i32| x * 2 + 1;
                v[i] = f(i[0]);
            })
        });
    }
}

mod closure_changes {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[2, 3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut n = i[0];
                let mut inc = || n += 1;
                inc();
                inc();
                v[i] = n;
            })
        });
    }
}

mod function_by_its_name {
    use super::*;

    #[amp]
    fn map<F: Fn(f32) -> f32>(x: f32, f: F) -> f32 {
        f(x)
    }
    #[amp]
    fn square(x: f32) -> f32 {
        x * x
    }

    #[test]
    fn runs() {
        on_all(&[0.0, 1.0, 4.0], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                v[i] = map(i[0] as f32, square);
            })
        });
    }
}

mod value_named_like_a_function {
    use super::*;

    #[amp]
    fn plus(a: i32, b: i32) -> i32 {
        a + b
    }
    #[amp]
    fn seven() -> i32 {
        7
    }

    #[test]
    fn runs() {
        on_all(&[7, 8], |launch, v: &ArrayView<'_, i32>| {
            let seven = 7;

            parallel_for_each!(launch, |i| {
                v[i] = plus(seven, i[0]);
            })
        });
    }
}

mod imported_function_by_its_name {
    use super::*;

    mod shapes {
        use super::*;
        #[amp]
        pub fn area(x: f32) -> f32 {
            x * x
        }
    }
    use shapes::area;
    #[amp]
    fn map<F: Fn(f32) -> f32>(x: f32, f: F) -> f32 {
        f(x)
    }

    #[test]
    fn runs() {
        on_all(&[0.0, 1.0, 4.0], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                v[i] = map(i[0] as f32, area);
            })
        });
    }
}

mod function_handed_twice {
    use super::*;

    #[amp]
    fn combine<F: Fn(i32) -> i32, G: Fn(i32) -> i32>(x: i32, f: F, g: G) -> i32 {
        f(g(x))
    }
    #[amp]
    fn add_one(x: i32) -> i32 {
        x + 1
    }
    #[amp]
    fn double(x: i32) -> i32 {
        x * 2
    }

    #[test]
    fn runs() {
        on_all(&[3, 5], |launch, v: &ArrayView<'_, i32>| {
            let k = 1;

            parallel_for_each!(launch, |i| {
                v[i] = combine(i[0] + k, add_one, double) + combine(k, double, add_one) - 4;
            })
        });
    }
}

mod impl_fn_parameter {
    use super::*;

    #[amp]
    fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(f(x))
    }

    #[test]
    fn runs() {
        on_all(&[1.0, 2.0], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                v[i] = twice(|x| x + 0.5, i[0] as f32);
            })
        });
    }
}

mod nested_function {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[0, 2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                fn double(x: i32) -> i32 {
                    x * 2
                }
                v[i] = double(i[0]);
            })
        });
    }
}

mod items_in_a_block {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[5], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                {
                    const K: i32 = 5;
                    v[i] = K;
                }
            })
        });
    }
}

mod use_in_kernel {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3.1415927], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                use std::f32::consts::PI;
                v[i] = PI;
            })
        });
    }
}

mod macro_of_functions {
    use super::*;

    macro_rules! adder {
        ($name:ident, $n:expr) => {
            #[amp]
            fn $name(x: i32) -> i32 {
                x + $n
            }
        };
    }
    adder!(add_three, 3);

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = add_three(i[0]);
            })
        });
    }
}

mod statics {
    use super::*;

    static TABLE: [i32; 3] = [10, 20, 30];

    #[test]
    fn runs() {
        on_all(&[20], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = TABLE[1];
            })
        });
    }
}

mod closure_return {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[0, 5], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let f = |x: i32| -> i32 {
                    if x == 0 {
                        return 0;
                    }
                    5
                };
                v[i] = f(i[0]);
            })
        });
    }
}

mod trait_of_what_structs_hold {
    use super::*;
    use tilewise::types::KernelValue;

    #[amp]
    trait Shape: KernelValue {
        fn area(&self) -> i32;
    }

    #[derive(Clone, Copy, AmpStruct)]
    struct Square {
        side: i32,
    }

    #[amp]
    impl Shape for Square {
        fn area(&self) -> i32 {
            self.side * self.side
        }
    }

    #[derive(Clone, Copy, AmpStruct)]
    struct Larger<S> {
        inner: S,
        more: i32,
    }

    #[amp]
    impl<S: Shape> Shape for Larger<S> {
        fn area(&self) -> i32 {
            self.inner.area() + self.more
        }
    }

    #[amp]
    fn second<S: Shape>(shapes: [S; 2]) -> Option<S> {
        if shapes[0].area() > 3 { Some(shapes[1]) } else { None }
    }

    #[test]
    fn runs() {
        on_all(&[0, 10, 10], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let shape = Larger { inner: Larger { inner: Square { side: 1 + i[0] }, more: 1 }, more: 1 };
                let larger = Larger { inner: Larger { inner: Square { side: 3 }, more: 1 }, more: 0 };
                v[i] = match second([shape, larger]) {
                    Some(shape) => shape.area(),
                    None => 0,
                };
            })
        });
    }
}

mod generic_const {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Mat<const R: usize, const C: usize> {
        m: [[i32; C]; R],
    }
    #[amp]
    impl<const R: usize, const C: usize> Mat<R, C> {
        const CELLS: usize = R * C;
        fn sum(&self) -> i32 {
            let mut s = 0;
            for r in 0..R {
                for c in 0..C {
                    s += self.m[r][c];
                }
            }
            s
        }
    }

    #[test]
    fn runs() {
        on_all(&[12], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let m = Mat::<2, 3> { m: [[1; 3]; 2] };
                v[i] = m.sum() + Mat::<2, 3>::CELLS as i32;
            })
        });
    }
}

mod closure_of_a_reference {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3, 5], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let add = |&(a, b): &(i32, i32)| a + b;
                v[i] = add(&(1, 2)) + 2 * i[0];
            })
        });
    }
}

mod parameter_named_like_a_type {
    use super::*;

    #[amp]
    fn row(index: impl tilewise::IntoIndex<2>) -> i32 {
        Index::new(index)[0]
    }

    #[test]
    fn runs() {
        on_all(&[5, 6], |launch, v: &ArrayView<'_, i32>| parallel_for_each!(launch, |i| v[i] = row((i[0] + 5, 0))));
    }
}

mod views_by_value {
    use super::*;

    #[amp]
    fn at(v: ArrayView<f32, 1>, i: Index<1>) -> f32 {
        v[i]
    }

    #[amp]
    fn sum(v: ReadView<'_, f32>, n: i32) -> f32 {
        let mut s = 0.0;
        for k in 0..n {
            s += v[k];
        }
        s
    }

    #[amp]
    fn put(v: ArrayView<'_, f32>, i: i32, x: f32) {
        v[i] = x;
    }

    #[amp]
    fn twice(v: ReadView<'_, f32>, n: i32) -> f32 {
        sum(v.clone(), n) + sum(v, n - 1)
    }

    #[amp]
    fn scaled<T: Scalar>(v: ArrayView<'_, T>, i: i32, by: T) -> T {
        v[i] * by
    }

    #[amp]
    fn plus(a: i32, b: i32) -> i32 {
        a + b
    }

    #[test]
    fn run() {
        on_all(&[0.0, 12.0, 24.0, 36.0], |launch, out: &ArrayView<'_, f32>| {
            let data = [1.0_f32, 2.0, 3.0, 4.0];
            let (a, b) = (ArrayView::read_only(4, &data).unwrap(), ArrayView::<f32>::without_source([4]).unwrap());
            let seven = 7;
            let three = 3.0_f32;
            let rows = ArrayView::read_only((2, 2), &data).unwrap();
            parallel_for_each!(launch, |i| {
                put(b, i[0], i[0] as f32);
                let row = rows[1];
                let more = sum(a, 2) + twice(a.clone(), 2) + sum(row, 2);
                let n = plus(seven, i[0]).min(seven) as f32;
                out[i] = at(b, i) + at(b.clone(), i) + scaled(b, i[0], three) * 3.0 - b[i] + (n + more) * b[i] * 0.0;
                out[i] += scaled(b, i[0], 2.0) + at(out, i) * 0.0;
                let _ = n;
            })
        });
    }
}

mod constructors {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Meters(i32);
    #[derive(Clone, Copy, AmpStruct)]
    enum Shape {
        Dot,
        Disc(i32),
    }
    #[amp]
    impl Shape {
        fn area(self) -> i32 {
            match self {
                Shape::Dot => 0,
                Shape::Disc(r) => 3 * r * r,
            }
        }
    }

    same! {
        constructors_are_handed_on: i32, |i| {
            let far: i32 = [1, 2, i].into_iter().map(Meters).map(|m| m.0 * 2).sum();
            let discs = (0..i).map(Shape::Disc).map(|shape| shape.area()).sum::<i32>();
            let some = Some(i).map(Meters).map_or(7, |m| m.0) + Some(i).and_then(Some).unwrap_or(3);
            let first = [i, 5].into_iter().map(Some).find_map(|x| x.filter(|x| *x > 2)).unwrap_or(-1);
            far * 1000 + discs * 10 + some + first * 7
        }
    }
}

/// A call looks for a macro of its name, too (`macro_support::call`): other macros, the compiler's and the user's, and
/// attributes, are none of its business.
mod functions_named_like_macros_and_attributes {
    use super::*;

    macro_rules! doubled {
        ($x:expr) => {
            $x + $x
        };
    }

    mod macros {
        macro_rules! tripled {
            ($x:expr) => {
                3 * $x
            };
        }
        pub(crate) use tripled;
    }
    use macros::tripled;

    #[amp]
    fn doubled(x: i32) -> i32 {
        2 * x
    }

    #[amp]
    fn tripled(x: i32) -> i32 {
        3 * x
    }

    #[amp]
    fn path(x: i32) -> i32 {
        x + 1
    }

    #[amp]
    fn expect(x: i32) -> i32 {
        x + 2
    }

    #[amp]
    fn test(x: i32) -> i32 {
        x + 3
    }

    #[amp]
    fn line(x: i32) -> i32 {
        x + 4
    }

    #[amp]
    fn write(x: i32) -> i32 {
        x + 5
    }

    #[test]
    fn runs() {
        on_all(&[101, 119], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let some = Some(1).map(|x| path(x) + doubled(line(x)));
                v[i] = doubled(doubled(i[0])) + tripled(path(2)) + expect(3) + test(4) + line(5) + write(6);
                v[i] += some.unwrap_or(0) + tripled(i[0]) * 2 + doubled(write(path(i[0]))) * 4;
            })
        });
        assert_eq!(doubled!(2) + tripled!(1), 7);
    }
}
