//! What macros stumble over: raw names, names of one letter, statements without a semicolon, elided lifetimes.

use super::*;
use tilewise::ReadView;

mod raw_name_of_a_view {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 2], |launch, r#in: &ArrayView<'_, i32>| {
            let r#type = 1;
            parallel_for_each!(launch, |i| {
                r#in[i] = r#type;
                r#in[i] += i[0];
            })
        });
    }
}

mod names_of_impl_parameters {
    use super::*;

    #[amp]
    fn first(_1: impl Fn(i32) -> i32, x: i32) -> i32 {
        _1(x)
    }
    #[amp]
    fn second(self_: impl Fn(i32) -> i32, _é: impl Fn(i32) -> i32, x: i32) -> i32 {
        self_(_é(x))
    }

    #[test]
    fn runs() {
        on_all(&[4, 6], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| v[i] =
                first(|x| x + 2, i[0]) + second(|x| x * 2, |x| x + 1, 0) - i[0] + i[0] + i[0])
        });
    }
}

mod checks_when_compiled {
    use super::*;

    #[amp]
    fn first<const N: usize>(a: [i32; N]) -> i32 {
        const { assert!(N > 0) };
        a[0]
    }
    #[amp]
    fn last<const N: usize>(a: [i32; N]) -> i32 {
        const { assert!(N > 0) }
        a[N - 1]
    }
    #[amp]
    fn nothing<const N: usize>(_: [i32; N]) {
        const { assert!(N < 9) }
    }

    #[test]
    fn runs() {
        on_all(&[3, 4], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                const { assert!(i32::MAX > 0) }
                nothing([1]);
                v[i] = first([i[0], 7]) + last([1, 3]);
            })
        });
    }
}

mod comparisons_of_references {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, PartialOrd, AmpStruct)]
    struct Point {
        x: i32,
        y: f32,
    }
    #[derive(Clone, Copy, PartialEq, PartialOrd, AmpStruct)]
    enum Way {
        Up,
        Down,
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Meters(f32);
    #[amp]
    impl PartialEq<f32> for Meters {
        fn eq(&self, other: &f32) -> bool {
            self.0 == *other
        }
    }
    #[amp]
    fn same(p: &Point, q: &Point) -> bool {
        p == q
    }
    #[amp]
    fn less(p: &Point, q: &Point) -> bool {
        p < q && q != p
    }
    #[amp]
    fn ways(p: &Way, q: &Way) -> bool {
        p == q && *p != Way::Down || p > q
    }
    #[amp]
    fn arrays(p: &[i32; 3], q: &[i32; 3], a: &(i32, f32), b: &(i32, f32)) -> bool {
        p == q && a == b
    }
    #[amp]
    fn meters(m: &Meters, x: &f32) -> bool {
        m == x
    }

    #[test]
    fn runs() {
        on_all(&[110_100, 1_011], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let (p, q) = (Point { x: i[0], y: 2.0 }, Point { x: 0, y: 2.0 });
                let way = if i[0] == 0 { Way::Up } else { Way::Down };
                let number = same(&p, &q) as i32 * 100_000
                    + less(&q, &p) as i32
                    + ways(&way, &Way::Up) as i32 * 10
                    + arrays(&[1, 2, i[0]], &[1, 2, 0], &(1, 2.0), &(1, 2.0)) as i32 * 10_000
                    + meters(&Meters(1.5), &1.5) as i32 * 1_000;
                v[i] = if i[0] == 0 { number - 1_000 - 10 + 100 } else { number };
            })
        });
    }
}

mod printed_references {
    use super::*;

    #[derive(Clone, Copy, Debug, AmpStruct)]
    struct Point {
        x: i32,
        y: f32,
    }
    #[amp]
    fn show(p: &Point, k: &i32) {
        print!("{:?} {} {k}", p, k);
        print!("{k} {0:?} {1}", p, k);
    }
    #[amp]
    impl Point {
        fn said(&self, by: &mut i32) {
            let Point { x, y } = self;
            print!("{x} {} {self:?} {by}", y);
        }
    }

    #[test]
    fn runs() {
        on_all(&[6, 7], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let (a, mut n) = ([1, 2, 3 + i[0]], 4);
                for x in &a {
                    print!("{}", x);
                    v[i] += *x;
                }
                for (k, x) in a.iter().enumerate() {
                    print!("{k} {x}");
                }
                show(&Point { x: 1, y: 2.0 }, &i[0]);
                Point { x: 1, y: 2.0 }.said(&mut n);
                print! { "at {}", i[0] }
                v[i] += 0;
            })
        });
    }
}

mod functions_that_return_views {
    use super::*;

    #[amp]
    fn cut(v: ReadView<'_, i32>) -> ReadView<'_, i32> {
        v.section(1, 2)
    }
    #[amp]
    fn row<'a>(v: &ReadView<'a, i32, 2>, i: i32) -> ReadView<'a, i32> {
        v[i]
    }
    #[amp]
    trait Rows {
        fn row_at(&self, i: &Index<1>) -> ReadView<'_, i32>;
        fn row_of<'a>(&'a self, i: i32, _: &i32) -> ReadView<'a, i32>;
        fn first(&self) -> ReadView<'_, i32> {
            self.row_of(0, &1)
        }
    }
    #[amp]
    impl Rows for ReadView<'_, i32, 2> {
        fn row_at(&self, i: &Index<1>) -> ReadView<'_, i32> {
            self[i[0]]
        }
        fn row_of<'a>(&'a self, i: i32, _: &i32) -> ReadView<'a, i32> {
            self[i]
        }
    }

    #[test]
    fn runs() {
        on_all(&[3213, 6546], |launch, out: &ArrayView<'_, i32>| {
            let all = ArrayView::from_vec((2, 3), vec![1, 2, 3, 4, 5, 6])?.as_read_only();
            parallel_for_each!(launch, |i| {
                out[i] = cut(all[i[0]])[1] * 1000
                    + row(&all, i[0])[1] * 100
                    + all.row_at(&i)[0] * 10
                    + all.row_of(i[0], &2)[2]
                    + all.first()[0]
                    - 1;
            })
        });
    }
}

mod arguments_of_functions_that_are_called {
    use super::*;

    #[amp]
    fn sum<T: Scalar, F: Fn(i32) -> T>(n: i32, f: F) -> T {
        let mut s = T::ZERO;
        for i in 0..n {
            s = s + f(i);
        }
        s
    }
    #[amp]
    fn mapped<F, const N: usize>(f: F, a: [i32; N]) -> i32
    where
        F: Fn(i32) -> i32,
    {
        let mut s = 0;
        for x in a {
            s += f(x);
        }
        s
    }

    #[test]
    fn runs() {
        on_all(&[6, 10], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = sum::<f32, _>(3, |k| k as f32) as i32
                    + mapped::<_, 2>(|x| x + i[0], [1, 2])
                    + sum(2, |k| k * 0)
                    + i[0] * 2;
            })
        });
    }
}

mod variants_in_capitals {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    enum Tree<T> {
        E,
        N(T),
    }
    struct Limits;
    impl Limits {
        const A: i32 = 1;
    }
    #[amp]
    fn value(t: Tree<i32>) -> i32 {
        match t {
            Tree::E => 0,
            Tree::N(Limits::A) => 50,
            Tree::N(i32::MAX) => 60,
            Tree::N(x) => x,
        }
    }

    #[test]
    fn runs() {
        on_all(&[0, 50, 2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| v[i] = value(if i[0] == 0 { Tree::E } else { Tree::N(i[0]) }))
        });
    }
}

mod types_named_like_those_of_the_heap {
    use super::*;

    mod geometry {
        use tilewise::{AmpStruct, amp};
        #[derive(Clone, Copy, AmpStruct)]
        pub(crate) struct Vec {
            pub(crate) x: i32,
        }
        #[amp]
        impl Vec {
            pub(crate) fn new(x: i32) -> Vec {
                Vec { x }
            }
        }
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Box {
        low: i32,
        high: i32,
    }
    #[amp]
    impl Box {
        fn new(low: i32, high: i32) -> Box {
            Box { low, high }
        }
        fn size(self) -> i32 {
            self.high - self.low
        }
    }

    #[test]
    fn runs() {
        on_all(&[3, 4], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| v[i] = Box::new(0, 3).size() + geometry::Vec::new(i[0]).x)
        });
    }
}

mod labels_of_macros {
    use super::*;

    macro_rules! add {
        ($l:lifetime, $launch:ident, $v:ident) => {
            parallel_for_each!($launch, |i| {
                $l: for k in 0..9 {
                    loop {
                        if k > 3 {
                            break $l;
                        }
                        $v[i] += k;
                        continue $l;
                    }
                }
            })
        };
    }

    #[test]
    fn runs() {
        on_all(&[6, 6], |launch, v: &ArrayView<'_, i32>| add!('a, launch, v));
    }
}

mod functions_that_are_deprecated {
    #![deny(warnings)]
    use super::*;

    #[deprecated]
    #[amp]
    pub(crate) fn old(x: i32) -> i32 {
        x
    }
}

mod methods_of_macros_that_kernels_alone_call {
    #![deny(dead_code)]
    use super::*;

    macro_rules! halves {
        ($name:ident) => {
            #[derive(Clone, Copy, AmpStruct)]
            struct $name {
                left: i32,
                right: i32,
            }

            #[amp]
            impl $name {
                fn sum(&self) -> i32 {
                    self.left + self.right
                }
            }
        };
    }

    halves!(Halves);

    #[test]
    fn run_without_warnings() {
        on_all(&[1, 3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| v[i] = Halves { left: i[0], right: i[0] + 1 }.sum())
        });
    }
}

mod elements_that_do_not_fit_on_the_stack {
    use tilewise::copy_async_into;

    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Large {
        numbers: [u32; 100_000],
    }

    fn are_copied() -> tilewise::Result<()> {
        let array = Array::<Large>::new(5)?;
        let jit = Accelerator::new("jit")?.default_view();
        let view = array.view();
        parallel_for_each!((&jit, view.extent()), |i| {
            view[i].numbers[99_999] = i[0] as u32 + 7;
        })?;
        let first = copy_async_into(&array, Vec::new())?.get()?;
        let second = copy_async_into(&array.view().section(3, 2), first)?.get()?;
        assert_eq!(second.iter().map(|large| large.numbers[99_999]).collect::<Vec<_>>(), [10, 11]);
        let third = copy_async_into(&array, second)?.get()?;
        assert_eq!(third.iter().map(|large| large.numbers[99_999]).collect::<Vec<_>>(), [7, 8, 9, 10, 11]);
        assert!(third.iter().all(|large| large.numbers[0] == 0));
        assert_eq!(array.to_vec()?[4].numbers[99_999], 11);
        Ok(())
    }

    #[test]
    fn are_copied_on_a_small_one() {
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(are_copied).expect("there is room");
        thread.join().expect("it does not panic").expect("they are copied");
    }
}
