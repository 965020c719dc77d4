//! Structs whose fields have no size.

use super::*;

mod a_field_without_size {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct U;
    #[derive(Clone, Copy, AmpStruct)]
    struct X {
        u: U,
    }
    #[amp]
    impl X {
        fn m(self) -> i32 {
            4
        }
    }

    same! {
        runs: i32, |n| {
            let x = X { u: U };
            let y = x;
            let X { u: _ } = y;
            n + x.m()
        }
    }
}

mod compared {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct U;
    #[amp]
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct X {
        u: U,
    }

    same! {
        runs: i32, |n| {
            let x = X { u: U };
            n + i32::from(x == X { u: U })
        }
    }
}

mod unit_field {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Y {
        a: (),
        b: i32,
    }

    same! {
        runs: i32, |n| {
            let x = Y { a: (), b: n };
            let () = x.a;
            x.b
        }
    }
}

mod only_unit_fields {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Z {
        a: (),
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct W();
    #[derive(Clone, Copy, AmpStruct)]
    struct V {}

    same! {
        runs: i32, |n| {
            let x = Z { a: () };
            x.a;
            let w = W();
            let v = V {};
            let _ = (w, v, x);
            n
        }
    }
}

mod markers {
    use super::*;

    use std::marker::PhantomData;
    #[derive(Clone, Copy, AmpStruct)]
    struct U;
    #[derive(Clone, Copy, AmpStruct)]
    struct Meters<T: Copy + Send + Sync + 'static> {
        p: PhantomData<T>,
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Len<T: Copy + Send + Sync + 'static> {
        v: i32,
        p: PhantomData<T>,
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Only(PhantomData<i32>);
    #[amp]
    impl<T: Copy + Send + Sync + 'static> Meters<T> {
        fn f(&self) -> i32 {
            3
        }
    }

    same! {
        runs: i32, |n| {
            let m = Meters::<u8> { p: PhantomData };
            let k = Len::<U> { v: n, p: PhantomData };
            let j = Only(PhantomData::<i32>);
            let _ = j;
            k.v + m.f()
        }
    }
}

mod in_arrays_and_options {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct U;
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct X {
        u: U,
    }

    same! {
        runs: i32, |n| {
            let a = [X { u: U }; 3];
            let t = (X { u: U }, n);
            let o = if n > 2 { Some(X { u: U }) } else { None };
            a.len() as i32
                + t.1
                + i32::from(o.is_some())
                + match o {
                    Some(X { u: U }) => 5,
                    None => 6,
                }
        }
    }
}

mod in_enums {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct U;
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct X {
        u: U,
    }
    #[derive(Clone, Copy, AmpStruct)]
    enum E {
        A(U),
        B { x: X, k: i32 },
    }

    same! {
        runs: i32, |n| {
            let e = if n > 2 { E::A(U) } else { E::B { x: X { u: U }, k: n } };
            match e {
                E::A(_) => 1,
                E::B { k, .. } => k,
            }
        }
    }
}

mod in_functions {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct U;
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct X {
        u: U,
    }
    #[amp]
    fn f(x: X, n: i32) -> i32 {
        let _ = x;
        n
    }
    #[amp]
    fn g() -> X {
        X { u: U }
    }
    #[amp]
    impl X {
        fn h(&self) -> i32 {
            2
        }
    }

    same! {
        runs: i32, |n| {
            f(X { u: U }, n) + g().h()
        }
    }
}

mod arrays_of_them {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct U;
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct X {
        u: U,
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct P {
        us: [U; 2],
        k: i32,
    }

    same! {
        runs: i32, |n| {
            let a = P { us: [U; 2], k: n };
            a.k + a.us.len() as i32
        }
    }
}
