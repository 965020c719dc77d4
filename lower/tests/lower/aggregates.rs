//! Structs, arrays, tuples: held part by part, loaded and stored part by part.

use expect_test::expect;
use tilewise_ast::{Binary, Mode};
use tilewise_ir::types::{Data, Scalar};
use tilewise_lower::{RustFunction, RustType};

use crate::case::{Bind, ints, launch, prints, run_ints};
use crate::dsl::{I32, Src, array, block, does, scalar, structure, view};

fn point() -> RustType {
    structure("Point", &[("x", I32), ("y", I32)])
}

fn particle() -> RustType {
    structure("Particle", &[("pos", point()), ("tags", array(I32, 2))])
}

fn start() -> (Src, u32, u32) {
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    let i = s.param("idx", RustType::Index(1), Mode::Value);
    (s, out, i)
}

#[test]
fn a_field_of_an_element_is_stored_alone() {
    let s = Src::new();
    let v = s.capture("v", view(particle(), 1));
    let i = s.param("idx", RustType::Index(1), Mode::Value);
    let element = || s.index(s.cap(v), s.get(i));
    let body = block([
        s.set(s.field(s.field(element(), "pos"), "y"), s.int(5)),
        s.set_op(Binary::Add, s.index(s.field(element(), "tags"), s.index(s.get(i), s.int(0))), s.int(3)),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        struct Point size(8) align(4) { x: i32 @ 0, y: i32 @ 4 }

        struct Particle size(16) align(4) { pos: Point @ 0, tags: [i32; 2] @ 8 }

        kernel k(v: view<Particle, 1, read_write>) rank(1) {
            v[global[0]].pos.y = 5;
            let %3 = global[0];
            let %4 = global[0];
            v[%3].tags[%4] = v[%3].tags[%4] + 3;
        }
    "#]],
    );
    let words = (0..8).collect();
    let found = run_ints(&function, &[2], vec![Bind::Words(words, &[2])]);
    assert_eq!(found, [0, 5, 5, 3, 4, 5, 6, 10]);
}

#[test]
fn an_element_is_copied_after_it_was_read_whole() {
    // v[0] = Particle { pos: Point { x: v[0].pos.y, y: v[0].pos.x }, ..v[1] }
    let s = Src::new();
    let v = s.capture("v", view(particle(), 1));
    s.param("idx", RustType::Index(1), Mode::Value);
    let at = |n| s.index(s.cap(v), s.int(n));
    let pos = |field| s.field(s.field(at(0), "pos"), field);
    let swapped = s.make(point(), [("x", pos("y")), ("y", pos("x"))]);
    let body = block([s.set(at(0), s.make_with(particle(), [("pos", swapped)], Some(at(1))))]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        struct Point size(8) align(4) { x: i32 @ 0, y: i32 @ 4 }

        struct Particle size(16) align(4) { pos: Point @ 0, tags: [i32; 2] @ 8 }

        kernel k(v: view<Particle, 1, read_write>) rank(1) {
            let %2 = v[0].pos.y;
            let %3 = v[0].pos.x;
            let %5 = v[1].tags[0];
            let %6 = v[1].tags[1];
            v[0].pos.x = %2;
            v[0].pos.y = %3;
            v[0].tags[0] = %5;
            v[0].tags[1] = %6;
        }
    "#]],
    );
    let found = run_ints(&function, &[1], vec![Bind::Words((0..8).collect(), &[2])]);
    assert_eq!(found, [1, 0, 6, 7, 4, 5, 6, 7]);
}

#[test]
fn a_struct_that_changes_is_a_variable_for_each_part() {
    let (s, out, i) = start();
    let (p, q) = (s.mutable("p"), s.local("q"));
    let me = || s.index(s.get(i), s.int(0));
    let made = s.make(
        particle(),
        [("pos", s.make(point(), [("x", s.int(1)), ("y", s.int(2))])), ("tags", s.repeat(s.int(0), I32, 2))],
    );
    let field = |p, name| s.field(s.field(s.get(p), "pos"), name);
    let tag = |p, n| s.index(s.field(s.get(p), "tags"), n);
    let body = block([
        s.let_(p, made),
        s.set_op(Binary::Add, field(p, "x"), me()),
        s.set(tag(p, me()), s.int(9)),
        s.let_(q, s.get(p)),
        s.set(field(p, "x"), s.int(1000)),
        s.set(
            s.index(s.cap(out), s.get(i)),
            s.add(s.mul(field(q, "x"), s.int(100)), s.add(s.mul(tag(q, s.int(0)), s.int(10)), tag(q, s.int(1)))),
        ),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            var p_pos_x: i32 = 1;
            var p_pos_y: i32 = 2;
            var p_tags: [i32; 2] = zero;
            let %2 = global[0];
            p_pos_x = p_pos_x + %2;
            p_tags[global[0]] = 9;
            let q_pos_x = p_pos_x;
            let q_pos_y = p_pos_y;
            let q_tags_0 = p_tags[0];
            let q_tags_1 = p_tags[1];
            p_pos_x = 1000;
            let %18 = q_pos_x * 100 + (q_tags_0 * 10 + q_tags_1);
            out[global[0]] = %18;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[2], vec![ints(&[0; 2])]), [190, 209]);
}

#[test]
fn a_captured_struct_is_read_where_it_is_used() {
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    let c = s.capture("setup", particle());
    let n = s.capture("n", I32);
    let none = s.capture("none", RustType::Unit);
    let i = s.param("idx", RustType::Index(1), Mode::Value);
    let tag = s.index(s.field(s.cap(c), "tags"), s.index(s.get(i), s.int(0)));
    let sum = s.add(s.add(s.field(s.field(s.cap(c), "pos"), "y"), tag), s.cap(n));
    let body = block([does(s.cap(none)), s.set(s.index(s.cap(out), s.get(i)), sum)]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        struct Point size(8) align(4) { x: i32 @ 0, y: i32 @ 4 }

        struct Particle size(16) align(4) { pos: Point @ 0, tags: [i32; 2] @ 8 }

        kernel k(out: view<i32, 1, read_write>, setup: Particle, n: i32) rank(1) {
            let %5 = setup.pos.y + setup.tags[global[0]] + n;
            out[global[0]] = %5;
        }
    "#]],
    );
    let binds = vec![ints(&[0; 2]), Bind::Leaves(&[1, 2, 30, 40]), Bind::Leaves(&[500]), Bind::Leaves(&[])];
    assert_eq!(run_ints(&function, &[2], binds), [532, 542]);
}

#[test]
fn nested_arrays_and_copies_of_them() {
    let (s, out, i) = start();
    let (a, row, k) = (s.mutable("a"), s.local("row"), s.local("k"));
    let row_ty = array(I32, 3);
    let at = |n, m| s.index(s.index(s.get(a), n), m);
    let body = block([
        s.let_(a, s.repeat(s.repeat(s.int(0), I32, 3), row_ty, 30)),
        s.for_(k, I32, (s.int(0), s.int(3)), block([s.set(at(s.int(7), s.get(k)), s.add(s.get(k), s.int(1)))]), 0),
        s.let_(row, s.index(s.get(a), s.int(7))),
        s.set(at(s.int(7), s.int(1)), s.int(100)),
        s.set(s.index(s.cap(out), s.get(i)), s.index(s.get(row), s.index(s.get(i), s.int(0)))),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            var a: [[i32; 3]; 30] = zero;
            var k_counter: i32 = 0;
            while k_counter < 3 {
                let k = k_counter;
                a[7][k] = k + 1;
            } continuing {
                k_counter = k_counter + 1;
            }
            let %10 = a[7][0];
            let %11 = a[7][1];
            let %13 = a[7][2];
            var array: [i32; 3];
            array[0] = %10;
            array[1] = %11;
            array[2] = %13;
            a[7][1] = 100;
            let %16 = array[global[0]];
            out[global[0]] = %16;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[3], vec![ints(&[0; 3])]), [1, 2, 3]);
}

#[test]
fn a_large_array_is_filled_by_a_loop_and_copied_whole() {
    let (s, out, i) = start();
    let (a, b) = (s.mutable("a"), s.local("b"));
    let body = block([
        s.let_(a, s.repeat(s.int(7), I32, 100)),
        s.let_(b, s.get(a)),
        s.set(s.index(s.get(a), s.int(3)), s.int(1)),
        s.set(s.index(s.get(a), s.int(4)), s.index(s.get(b), s.int(3))),
        s.set(s.index(s.cap(out), s.get(i)), s.index(s.get(a), s.index(s.get(i), s.int(0)))),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            var a: [i32; 100];
            var round_: u32 = 0u32;
            while round_ < 100u32 {
                a[round_] = 7;
            } continuing {
                round_ = round_ + 1u32;
            }
            var copy_: [i32; 100];
            copy(copy_, a);
            a[3] = 1;
            a[4] = copy_[3];
            let %14 = a[global[0]];
            out[global[0]] = %14;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[5], vec![ints(&[0; 5])]), [7, 7, 7, 1, 7]);
}

#[test]
fn a_constant_array_is_a_table() {
    let (s, out, i) = start();
    let list = s.local("list");
    let me = || s.index(s.get(i), s.int(0));
    let konst = s.konst(array(I32, 3), &[4, 5, 6]);
    let body = block([
        s.let_(list, s.list(I32, [s.int(10), s.int(20), s.int(30)])),
        s.set(s.index(s.cap(out), s.get(i)), s.add(s.index(konst, me()), s.index(s.get(list), me()))),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        const table: [i32; 3] = [10, 20, 30];

        const table_2: [i32; 3] = [4, 5, 6];

        kernel k(out: view<i32, 1, read_write>) rank(1) {
            let %4 = table_2[global[0]] + table[global[0]];
            out[global[0]] = %4;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[3], vec![ints(&[0; 3])]), [14, 25, 36]);
}

#[test]
fn vectors_have_components() {
    const V: RustType = RustType::Data(Data { scalar: Scalar::I32, width: 3 });
    let (s, out, i) = start();
    let (a, b) = (s.mutable("a"), s.local("b"));
    let me = || s.index(s.get(i), s.int(0));
    let body = block([
        s.let_(a, s.make(V, [("x", s.int(1)), ("y", s.int(2)), ("z", s.int(3))])),
        s.set(s.field(s.get(a), "y"), me()),
        s.let_(b, s.add(s.mul(s.get(a), s.int(2)), s.get(a))),
        s.set(s.index(s.cap(out), s.get(i)), s.add(s.field(s.get(b), "y"), s.field(s.get(b), "z"))),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            var a: i32x3 = i32x3(1, 2, 3);
            a.y = global[0];
            let b = a * splat(2, 3) + a;
            let %12 = b.y + b.z;
            out[global[0]] = %12;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[2], vec![ints(&[0; 2])]), [9, 12]);
}

#[test]
fn an_index_changes_and_is_indexed_by_numbers() {
    let s = Src::new();
    let out = s.capture("out", view(I32, 2));
    let i = s.param("idx", RustType::Index(2), Mode::Value);
    let (p, k) = (s.mutable("p"), s.local("k"));
    let body = block([
        s.let_(p, s.add(s.get(i), s.int(1))),
        s.for_(k, I32, (s.int(0), s.int(2)), block([s.set_op(Binary::Sub, s.index(s.get(p), s.get(k)), s.int(1))]), 0),
        s.set_op(Binary::Mul, s.index(s.get(p), s.int(1)), s.int(1)),
        s.set(
            s.index(s.cap(out), s.get(p)),
            s.add(s.mul(s.index(s.get(i), s.int(0)), s.int(10)), s.index(s.get(p), s.int(1))),
        ),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 2, read_write>) rank(2) {
            let %0 = global[0];
            let %1 = global[1];
            let %3 = %0 + 1;
            let %4 = %1 + 1;
            var p_0: i32 = %3;
            var p_1: i32 = %4;
            var k_counter: i32 = 0;
            while k_counter < 2 {
                let k = k_counter;
                let %10 = p_0;
                let %11 = p_1;
                let %13 = select(k == 0, %10, 0);
                let %16 = select(k == 1, %11, %13) - 1;
                let %17 = p_0;
                p_0 = select(k == 0, %16, %17);
                let %20 = p_1;
                p_1 = select(k == 1, %16, %20);
            } continuing {
                k_counter = k_counter + 1;
            }
            p_1 = p_1 * 1;
            let %31 = global[0] * 10 + p_1;
            out[p_0, p_1] = %31;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[2, 3], vec![Bind::Words(vec![0; 6], &[2, 3])]), [0, 1, 2, 10, 11, 12]);
}

#[test]
fn small_numbers_are_computed_with_32_bits_and_wrapped() {
    use tilewise_ir::types::Stored;
    let s = Src::new();
    let v = s.capture("v", view(RustType::Small(Stored::U8), 1));
    let i = s.param("idx", RustType::Index(1), Mode::Value);
    let at = || s.index(s.cap(v), s.get(i));
    let bytes = |n| s.lit(n, RustType::Small(Stored::U8));
    let body = block([s.set(at(), s.add(at(), bytes(200)))]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
            kernel k(v: view<u8, 1, read_write>) rank(1) {
                let %5 = wrap_u8(v[global[0]] + 200u32);
                v[global[0]] = %5;
            }
        "#]],
    );
    let (views, _) = launch(&function, &[4], vec![Bind::Words(vec![0x04_03_64_01], &[4])]);
    assert_eq!(views[0], [0xcc_cb_2c_c9]);
}

#[test]
fn a_cast_to_a_small_number_is_cut_or_saturates() {
    use tilewise_ir::types::Stored;
    let (s, out, i) = start();
    let _ = i;
    let set = |n, value| s.set(s.index(s.cap(out), s.int(n)), s.cast(value, I32));
    let body = block([
        set(0, s.cast(s.int(300), RustType::Small(Stored::U8))),
        set(1, s.cast(s.int(200), RustType::Small(Stored::I8))),
        set(2, s.cast(s.float("300.7"), RustType::Small(Stored::U8))),
        set(3, s.cast(s.float("-1e9"), RustType::Small(Stored::I16))),
        set(4, s.float("-2.9")),
        set(5, s.cast(s.truth(true), scalar(Scalar::I64))),
    ]);
    let function: RustFunction = s.finish("kernel", body);
    assert_eq!(run_ints(&function, &[1], vec![ints(&[0; 6])]), [44, -56, 255, -32768, -2, 1]);
}

#[test]
fn truth_values_may_be_captured_and_kept() {
    use crate::dsl::BOOL;
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    let flag = s.capture("flag", BOOL);
    let pair = s.capture("pair", RustType::Tuple(vec![BOOL, I32, RustType::Unit, array(BOOL, 2)]));
    let i = s.param("idx", RustType::Index(1), Mode::Value);
    let (kept, me) = (s.mutable("kept"), || s.index(s.get(i), s.int(0)));
    let int = |value| s.cast(value, I32);
    let tens = |a, b| s.add(s.mul(a, s.int(10)), b);
    let body = block([
        s.let_(kept, s.field(s.cap(pair), "3")),
        s.set(s.index(s.get(kept), me()), s.bin(Binary::Eq, me(), s.int(1))),
        s.set(
            s.index(s.cap(out), s.get(i)),
            tens(
                tens(int(s.cap(flag)), int(s.field(s.cap(pair), "0"))),
                tens(s.field(s.cap(pair), "1"), int(s.index(s.get(kept), me()))),
            ),
        ),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        struct tuple size(12) align(4) { _0: u8 @ 0, _1: i32 @ 4, _3: [u8; 2] @ 8 }

        kernel k(out: view<i32, 1, read_write>, flag: bool, pair: tuple) rank(1) {
            var kept: [bool; 2];
            kept[0] = pair._3[0] != 0u32;
            kept[1] = pair._3[1] != 0u32;
            let %8 = global[0] == 1;
            kept[global[0]] = %8;
            let %25 = (flag as i32 * 10 + (pair._0 != 0u32) as i32) * 10 + (pair._1 * 10 + kept[global[0]] as i32);
            out[global[0]] = %25;
        }
    "#]],
    );
    let binds = vec![ints(&[0; 2]), Bind::Leaves(&[1]), Bind::Leaves(&[1, 7, 0, 1])];
    assert_eq!(run_ints(&function, &[2], binds), [180, 181]);
}
