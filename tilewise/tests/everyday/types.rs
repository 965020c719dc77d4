//! Methods, traits, operators and generic types of the program.

use super::*;

mod generic_function_with_its_type {
    use super::*;

    #[amp]
    fn map<T, F: Fn(T) -> T>(x: T, f: F) -> T
    where
        T: Scalar,
    {
        f(x)
    }
    #[amp]
    fn square<T: Scalar>(x: T) -> T {
        x * x
    }

    #[test]
    fn runs() {
        on_all(&[0, 1, 4], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = map(i[0], self::square::<i32>);
            })
        });
    }
}

mod derived_default {
    use super::*;

    #[derive(Clone, Copy, Default, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }

    #[test]
    fn runs() {
        on_all(&[0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let p = P::default();
                v[i] = p.x + p.y;
            })
        });
    }
}

mod struct_update {
    use super::*;

    #[derive(Clone, Copy, Default, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
        z: i32,
    }

    #[test]
    fn runs() {
        on_all(&[5], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let p = P { x: 5, ..Default::default() };
                let q = P { y: 0, ..p };
                v[i] = q.x + q.y + q.z;
            })
        });
    }
}

mod add_assign {
    use super::*;

    use std::ops::{Add, AddAssign, Index, IndexMut};
    #[derive(Clone, Copy, AmpStruct)]
    struct V2(i32, i32);
    #[amp]
    impl AddAssign for V2 {
        fn add_assign(&mut self, o: V2) {
            self.0 += o.0;
            self.1 += o.1;
        }
    }

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = V2(1, 1);
                a += V2(2, 3);
                v[i] = a.0;
            })
        });
    }
}

mod index_of_own {
    use super::*;

    use std::ops::{Index, IndexMut};
    #[derive(Clone, Copy, AmpStruct)]
    struct Row {
        cells: [i32; 4],
    }
    #[amp]
    impl Index<usize> for Row {
        type Output = i32;
        fn index(&self, i: usize) -> &i32 {
            &self.cells[i]
        }
    }
    #[amp]
    impl IndexMut<usize> for Row {
        fn index_mut(&mut self, i: usize) -> &mut i32 {
            &mut self.cells[i]
        }
    }

    #[test]
    fn runs() {
        on_all(&[4], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut r = Row { cells: [0; 4] };
                r[2] = 3;
                r[2] += 1;
                v[i] = r[2];
            })
        });
    }
}

mod trait_with_default {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Dog {
        age: i32,
    }
    #[amp]
    trait Animal {
        const LEGS: i32 = 4;
        fn age(&self) -> i32;
        fn score(&self) -> i32 {
            self.age() + Self::LEGS
        }
    }
    #[amp]
    impl Animal for Dog {
        fn age(&self) -> i32 {
            self.age
        }
    }
    #[amp]
    fn rate<A: Animal>(a: &A) -> i32 {
        a.score()
    }

    #[test]
    fn runs() {
        on_all(&[13], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = rate(&Dog { age: 9 });
            })
        });
    }
}

mod generic_struct {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Pair<T> {
        a: T,
        b: T,
    }
    #[amp]
    impl<T: Scalar> Pair<T> {
        fn sum(self) -> T {
            self.a + self.b
        }
    }

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = Pair { a: 1, b: 2 }.sum();
            })
        });
    }
}

mod generic_operator {
    use super::*;

    use std::ops::Add;
    #[derive(Clone, Copy, AmpStruct)]
    struct V<T> {
        x: T,
    }
    #[amp]
    impl<T: Scalar> Add for V<T> {
        type Output = V<T>;
        fn add(self, o: V<T>) -> V<T> {
            V { x: self.x + o.x }
        }
    }

    #[test]
    fn runs() {
        on_all(&[3.0], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                v[i] = (V { x: 1.0 } + V { x: 2.0 }).x;
            })
        });
    }
}

mod enum_as_number {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    enum Level {
        Low = 3,
        High = 7,
    }

    #[test]
    fn runs() {
        on_all(&[7], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = Level::High as i32;
            })
        });
    }
}

mod trait_static_and_assoc_type {
    use super::*;

    #[amp]
    trait Op {
        fn apply(x: i32) -> i32;
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct AddFive {
        _n: i32,
    }
    #[amp]
    impl Op for AddFive {
        fn apply(x: i32) -> i32 {
            x + 5
        }
    }
    #[amp]
    fn run<O: Op>(x: i32) -> i32 {
        O::apply(x)
    }

    #[test]
    fn runs() {
        on_all(&[5], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = run::<AddFive>(0);
            })
        });
    }
}

mod struct_with_struct_equality {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct P {
        x: i32,
    }

    #[test]
    fn runs() {
        on_all(&[1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = (P { x: 1 } == P { x: 1 }) as i32;
            })
        });
    }
}

mod method_in_a_chain_of_references {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Acc {
        n: i32,
    }
    #[amp]
    impl Acc {
        fn add(&mut self, k: i32) {
            self.n += k;
        }
        fn get(&self) -> i32 {
            self.n
        }
    }

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut a = Acc { n: 0 };
                a.add(1);
                let p = &mut a;
                p.add(2);
                let q = &a;
                v[i] = q.get();
            })
        });
    }
}

mod struct_method_by_path {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct P {
        x: i32,
    }
    #[amp]
    impl P {
        fn get(&self) -> i32 {
            self.x
        }
        fn new(x: i32) -> Self {
            P { x }
        }
    }

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = P::get(&P::new(3));
            })
        });
    }
}

mod struct_behind_a_name {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }

    #[test]
    fn runs() {
        on_all(&[8], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut ps = [P { x: 1, y: 2 }; 3];
                let p = &mut ps[1];
                p.x = 5;
                p.y += 1;
                v[i] = ps[1].x + ps[1].y;
            })
        });
    }
}

mod impl_trait_of_the_program {
    use super::*;

    #[amp]
    trait Side {
        fn side(&self) -> i32;
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Square(i32);
    #[amp]
    impl Side for Square {
        fn side(&self) -> i32 {
            self.0
        }
    }
    #[amp]
    fn around(shape: &impl Side) -> i32 {
        4 * shape.side()
    }

    #[test]
    fn runs() {
        on_all(&[12], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = around(&Square(3));
            })
        });
    }
}

mod method_with_impl_fn {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Cell(i32);
    #[amp]
    impl Cell {
        fn map(self, f: impl Fn(i32) -> i32, g: impl Fn(i32) -> i32) -> Cell {
            Cell(g(f(self.0)))
        }
    }

    #[test]
    fn runs() {
        on_all(&[8], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = Cell(3).map(|x| x + 1, |x| x * 2).0;
            })
        });
    }
}

mod struct_in_a_block {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[7], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let sum = {
                    #[derive(Clone, Copy, AmpStruct)]
                    struct Pair {
                        a: i32,
                        b: i32,
                    }
                    let p = Pair { a: 3, b: 4 };
                    p.a + p.b
                };
                v[i] = sum;
            })
        });
    }
}
