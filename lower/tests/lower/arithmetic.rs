//! Numbers, views and the shape of what comes out.

use expect_test::expect;
use tilewise_ast::Mode;
use tilewise_lower::RustType;

use crate::case::{floats, ints, prints, run_ints};
use crate::dsl::{I32, Src, block, read_view, view};

#[test]
fn vector_addition() {
    let s = Src::new();
    let (out, a, b) =
        (s.capture("out", view(I32, 1)), s.capture("a", read_view(I32, 1)), s.capture("b", read_view(I32, 1)));
    let i = s.param("idx", RustType::Index(1), Mode::Value);
    let sum = s.add(s.index(s.cap(a), s.get(i)), s.index(s.cap(b), s.get(i)));
    let body = block([s.set(s.index(s.cap(out), s.get(i)), sum)]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>, a: view<i32, 1, read>, b: view<i32, 1, read>) rank(1) {
            let %6 = a[global[0]] + b[global[0]];
            out[global[0]] = %6;
        }
    "#]],
    );
    let out = run_ints(&function, &[3], vec![ints(&[0; 3]), ints(&[1, 2, 3]), ints(&[10, 20, 30])]);
    assert_eq!(out, [11, 22, 33]);
    let _ = floats(&[]);
}
