//! Functions: every one is inlined where it is called.

use std::sync::LazyLock;

use expect_test::expect;
use tilewise_ast::{Binary, Mode};
use tilewise_ir::diag::Code;
use tilewise_lower::{Form, RustFunction, RustType};

use crate::case::{ints, prints, refused, run_ints};
use crate::dsl::{F32, I32, Src, array, block, does, gives, structure, view};

macro_rules! function {
    ($name:ident, $s:ident => $body:expr) => {
        fn $name() -> Form {
            static IT: LazyLock<RustFunction> = LazyLock::new(|| {
                let $s = Src::new();
                let body = $body;
                $s.finish(stringify!($name), body)
            });
            Form::Function(IT.clone())
        }
    };
}

/// A kernel over a view, from what its body is.
fn kernel(body: impl FnOnce(&Src, u32, u32) -> Vec<tilewise_ast::Statement>) -> RustFunction {
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    let i = s.param("idx", RustType::Index(1), Mode::Value);
    let body = block(body(&s, out, i));
    s.finish("kernel", body)
}

function!(double, s => {
    let x = s.param("x", I32, Mode::Value);
    gives([], s.mul(s.get(x), s.int(2)))
});

function!(clamp_sum, s => {
    let (a, b) = (s.param("a", I32, Mode::Value), s.param("b", I32, Mode::Value));
    let sum = s.local("sum");
    let small = block([does(s.return_(Some(s.int(-1))))]);
    gives(
        [s.let_(sum, s.add(s.get(a), s.get(b))), does(s.if_(s.lt(s.get(sum), s.int(3)), small, None))],
        s.get(sum),
    )
});

function!(last_return, s => {
    let x = s.param("x", I32, Mode::Value);
    block([does(s.return_(Some(s.add(s.get(x), s.int(1)))))])
});

#[test]
fn a_function_is_inlined() {
    let function = kernel(|s, out, i| {
        let sum = s.call(double, [s.call(last_return, [s.index(s.get(i), s.int(0))])]);
        vec![s.set(s.index(s.cap(out), s.get(i)), sum)]
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let x = global[0];
            let x_2 = x + 1;
            let %4 = x_2 * 2;
            out[global[0]] = %4;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[3], vec![ints(&[0; 3])]), [2, 4, 6]);
}

#[test]
fn an_early_return_leaves_a_scope() {
    let function = kernel(|s, out, i| {
        let sum = s.call(clamp_sum, [s.index(s.get(i), s.int(0)), s.int(1)]);
        vec![s.set(s.index(s.cap(out), s.get(i)), s.add(sum, s.int(100)))]
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let a = global[0];
            let %6 = '%0: {
                let sum = a + 1;
                if sum < 3 {
                    break '%0 -1;
                }
                sum
            };
            let %8 = %6 + 100;
            out[global[0]] = %8;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[4], vec![ints(&[0; 4])]), [99, 99, 103, 104]);
}

function!(swap, s => {
    let (a, b) = (s.param("a", I32, Mode::RefMut), s.param("b", I32, Mode::RefMut));
    let old = s.local("old");
    block([
        s.let_(old, s.deref(s.get(a))),
        s.set(s.deref(s.get(a)), s.deref(s.get(b))),
        s.set(s.deref(s.get(b)), s.get(old)),
    ])
});

#[test]
fn a_mutable_reference_is_the_callers_place() {
    let function = kernel(|s, out, i| {
        let (x, y, list) = (s.mutable("x"), s.mutable("y"), s.mutable("list"));
        let at = |n| s.reference(true, s.index(s.get(list), n));
        vec![
            s.let_(x, s.index(s.get(i), s.int(0))),
            s.let_(y, s.int(50)),
            s.let_(list, s.list(I32, [s.int(1), s.int(2), s.int(3)])),
            does(s.call(swap, [s.reference(true, s.get(x)), s.reference(true, s.get(y))])),
            // The index is evaluated once, at the call.
            does(s.call(swap, [at(s.get(y)), at(s.int(2))])),
            s.set(s.index(s.cap(out), s.get(y)), s.add(s.mul(s.get(x), s.int(10)), s.index(s.get(list), s.get(y)))),
        ]
    });
    prints(
        &function,
        expect![[r#"
            kernel k(out: view<i32, 1, read_write>) rank(1) {
                var x: i32 = global[0];
                var y: i32 = 50;
                var list: [i32; 3];
                list[0] = 1;
                list[1] = 2;
                list[2] = 3;
                let old = x;
                x = y;
                y = old;
                let %8 = y;
                var lent: i32 = list[%8];
                var lent_2: i32 = list[2];
                let old_2 = lent;
                lent = lent_2;
                lent_2 = old_2;
                list[%8] = lent;
                list[2] = lent_2;
                let %20 = x * 10 + list[y];
                out[y] = %20;
            }
        "#]],
    );
    assert_eq!(run_ints(&function, &[3], vec![ints(&[0; 3])]), [503, 503, 503]);
}

#[test]
fn elements_of_views_are_handed_over_by_reference() {
    let function = kernel(|s, out, _| {
        let at = |n| s.reference(true, s.index(s.cap(out), s.int(n)));
        vec![does(s.call(swap, [at(0), at(2)]))]
    });
    assert_eq!(run_ints(&function, &[1], vec![ints(&[7, 8, 9])]), [9, 8, 7]);
}

fn particle() -> RustType {
    structure("Particle", &[("pos", structure("V", &[("x", F32), ("y", F32)])), ("mass", F32), ("tag", I32)])
}

function!(heavier, s => {
    let me = s.param("self", particle(), Mode::Ref);
    gives([], s.add(s.cast(s.field(s.get(me), "mass"), I32), s.field(s.get(me), "tag")))
});

function!(shift, s => {
    let me = s.param("self", particle(), Mode::RefMut);
    let by = s.param("by", F32, Mode::Value);
    let x = || s.field(s.field(s.get(me), "pos"), "x");
    block([s.set_op(Binary::Add, x(), s.get(by)), s.set_op(Binary::Add, s.field(s.get(me), "tag"), s.int(1))])
});

#[test]
fn methods_take_their_receiver_as_they_want_it() {
    let function = kernel(|s, out, i| {
        let p = s.mutable("p");
        let v = s.make(
            RustType::clone(&structure("V", &[("x", F32), ("y", F32)])),
            [("y", s.float("2.0")), ("x", s.float("1.0"))],
        );
        let me = s.index(s.get(i), s.int(0));
        vec![
            s.let_(p, s.make(particle(), [("pos", v), ("tag", me), ("mass", s.float("4.5"))])),
            does(s.call(shift, [s.get(p), s.float("0.5")])),
            does(s.call(shift, [s.get(p), s.float("0.5")])),
            s.set(
                s.index(s.cap(out), s.get(i)),
                s.add(s.call(heavier, [s.get(p)]), s.cast(s.field(s.field(s.get(p), "pos"), "x"), I32)),
            ),
        ]
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let %0 = global[0];
            var p_pos_x: f32 = 1.0;
            var p_pos_y: f32 = 2.0;
            var p_mass: f32 = 4.5;
            var p_tag: i32 = %0;
            p_pos_x = p_pos_x + 0.5;
            p_tag = p_tag + 1;
            p_pos_x = p_pos_x + 0.5;
            p_tag = p_tag + 1;
            let %20 = p_mass as i32 + p_tag + p_pos_x as i32;
            out[global[0]] = %20;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[2], vec![ints(&[0; 2])]), [8, 9]);
}

function!(sum_of, s => {
    let a = s.param("a", array(I32, 4), Mode::Ref);
    let (sum, i) = (s.mutable("sum"), s.local("i"));
    gives(
        [
            s.let_(sum, s.int(0)),
            s.for_(i, I32, (s.int(0), s.int(4)), block([s.set_op(Binary::Add, s.get(sum), s.index(s.get(a), s.get(i)))]), 0),
        ],
        s.get(sum),
    )
});

#[test]
fn arrays_are_handed_over_by_reference() {
    let function = kernel(|s, out, i| {
        let list = s.local("list");
        let me = || s.index(s.get(i), s.int(0));
        vec![
            s.let_(list, s.list(I32, [s.int(1), me(), s.int(3), me()])),
            s.set(s.index(s.cap(out), s.get(i)), s.call(sum_of, [s.reference(false, s.get(list))])),
        ]
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let list_1 = global[0];
            let list_3 = global[0];
            var array: [i32; 4];
            array[0] = 1;
            array[1] = list_1;
            array[2] = 3;
            array[3] = list_3;
            var sum: i32 = 0;
            var i_counter: i32 = 0;
            while i_counter < 4 {
                let i = i_counter;
                let %10 = array[i];
                sum = sum + %10;
            } continuing {
                i_counter = i_counter + 1;
            }
            let %15 = sum;
            out[global[0]] = %15;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[2], vec![ints(&[0; 2])]), [4, 6]);
}

function!(set_first, s => {
    let v = s.param("v", view(I32, 1), Mode::Ref);
    let x = s.param("x", I32, Mode::Value);
    block([s.set(s.index(s.get(v), s.int(0)), s.get(x))])
});

#[test]
fn views_are_handed_over_by_value_and_by_reference() {
    let function = kernel(|s, out, i| {
        let _ = i;
        vec![does(s.call(set_first, [s.reference(false, s.cap(out)), s.int(4)]))]
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            out[0] = 4;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[1], vec![ints(&[0; 2])]), [4, 0]);
}

function!(ping, s => {
    let x = s.param("x", I32, Mode::Value);
    gives([], s.call(pong, [s.get(x)]))
});

function!(pong, s => {
    let x = s.param("x", I32, Mode::Value);
    gives([], s.call(ping, [s.add(s.get(x), s.int(1))]))
});

function!(forever, s => {
    let x = s.param("x", I32, Mode::Value);
    gives([], s.call(forever, [s.get(x)]))
});

#[test]
fn recursion_is_reported_with_its_chain() {
    let function = kernel(|s, out, i| vec![s.set(s.index(s.cap(out), s.get(i)), s.call(ping, [s.int(0)]))]);
    let reports = refused(&function);
    assert_eq!(reports, [(Code::K0702, "`ping` calls itself through 1 other function".to_owned())]);
    let rejected = tilewise_lower::kernel("k", &function).err().unwrap();
    expect![[r#"
        error[K0702]: `ping` calls itself through 1 other function
         |
         = note: at test.rs:5:1: calls `ping` again
         = note: at test.rs:7:1: calls `ping`
         = note: at test.rs:3:1: calls `pong`
         = note: functions are inlined, so that none can call itself
         = help: use a loop
    "#]]
    .assert_eq(&rejected.to_string());
    let function = kernel(|s, out, i| vec![s.set(s.index(s.cap(out), s.get(i)), s.call(forever, [s.int(0)]))]);
    assert_eq!(refused(&function)[0].1, "`forever` calls itself");
}

macro_rules! doubling {
    ($($name:ident $next:ident)*) => {$(
        function!($name, s => {
            let x = s.param("x", I32, Mode::Value);
            gives([], s.add(s.call($next, [s.get(x)]), s.call($next, [s.get(x)])))
        });
    )*};
}

doubling!(d0 d1 d1 d2 d2 d3 d3 d4 d4 d5 d5 d6 d6 d7 d7 d8 d8 d9 d9 d10 d10 d11 d11 d12 d12 d13 d13 d14 d14 d15 d15 d16 d16 d17 d17 d18 d18 double);

macro_rules! hollow {
    ($($name:ident $next:ident)*) => {$(
        function!($name, s => {
            let x = s.param("x", I32, Mode::Value);
            block([does(s.call($next, [s.get(x)])), does(s.call($next, [s.get(x)]))])
        });
    )*};
}

function!(nothing, s => {
    s.param("x", I32, Mode::Value);
    block([])
});

hollow!(h0 h1 h1 h2 h2 h3 h3 h4 h4 h5 h5 h6 h6 h7 h7 h8 h8 h9 h9 h10 h10 h11 h11 h12 h12 h13 h13 h14 h14 h15
    h15 h16 h16 h17 h17 h18 h18 h19 h19 h20 h20 h21 h21 h22 h22 h23 h23 h24 h24 h25 h25 h26 h26 h27 h27 nothing);

#[test]
fn calls_that_multiply_are_stopped() {
    let function = kernel(|s, out, i| vec![s.set(s.index(s.cap(out), s.get(i)), s.call(d0, [s.int(1)]))]);
    assert_eq!(refused(&function)[0].0, Code::K0705);
    let function = kernel(|s, _, _| vec![does(s.call(h0, [s.int(1)]))]);
    assert_eq!(refused(&function)[0].0, Code::K0705);
}
