//! Every built-in function.

use expect_test::expect;
use tilewise_ast::{Binary, Expr, ExprKind, Mode, Pattern};
use tilewise_ir::diag::Code;
use tilewise_ir::inline::inline_where;
use tilewise_ir::kernel::{AtomicOp, Fence};
use tilewise_ir::launch::Ending;
use tilewise_ir::ops::Op;
use tilewise_ir::text::parse;
use tilewise_ir::types::{Data, Scalar};
use tilewise_lower::{Form, RustBuiltin, RustFunction, RustType, kernel};

use crate::case::{Bind, floats, ints, launch, prints, refused, run_ints};
use crate::dsl::{F32, I32, Src, U32, array, block, does, read_view, view};

macro_rules! builtin {
    ($s:ident, $builtin:expr, [$($arg:expr),* $(,)?]) => {
        $s.call(|| Form::Builtin($builtin), [$($arg),*])
    };
}

const V2: Data = Data { scalar: Scalar::F32, width: 2 };
const V3: Data = Data { scalar: Scalar::F32, width: 3 };

/// A kernel that writes the values that `values` gives, one after the other.
fn writes(values: impl FnOnce(&Src) -> Vec<Expr>) -> RustFunction {
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    s.param("idx", RustType::Index(1), Mode::Value);
    let values = values(&s);
    let body = block(
        values
            .into_iter()
            .enumerate()
            .map(|(i, value)| {
                let place = s.index(s.cap(out), s.int(i as i32));
                s.set(place, value)
            })
            .collect::<Vec<_>>(),
    );
    s.finish("kernel", body)
}

fn gives(function: &RustFunction, expected: &[i32]) {
    assert_eq!(run_ints(function, &[1], vec![ints(&vec![0; expected.len()])]), expected);
}

#[test]
fn vectors_are_made_and_taken_apart() {
    let function = writes(|s| {
        let int = |value: Expr| s.cast(value, I32);
        let two = builtin!(s, RustBuiltin::Compose(V2), [s.float("1.0"), s.float("2.0")]);
        let three = || {
            builtin!(
                s,
                RustBuiltin::Compose(V3),
                [builtin!(s, RustBuiltin::Splat(V2), [s.float("5.0")]), s.float("7.0")]
            )
        };
        let turned = builtin!(s, RustBuiltin::Swizzle(&[2, 0]), [three()]);
        vec![
            int(s.field(two, "y")),
            int(s.field(turned, "x")),
            int(builtin!(s, RustBuiltin::Op(Op::Dot), [three(), three()])),
            int(s.field(builtin!(s, RustBuiltin::Op(Op::Max), [three(), s.float("6.0")]), "y")),
            int(s.index(builtin!(s, RustBuiltin::ToArray, [three()]), s.int(2))),
            int(s.field(builtin!(s, RustBuiltin::Zero(RustType::Data(V2)), []), "x")),
        ]
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            out[0] = f32x2(1.0, 2.0).y as i32;
            let %8 = splat(5.0, 2);
            out[1] = f32x3(%8.x, %8.y, 7.0).zx.x as i32;
            let %17 = splat(5.0, 2);
            let %20 = f32x3(%17.x, %17.y, 7.0);
            let %21 = splat(5.0, 2);
            out[2] = dot(%20, f32x3(%21.x, %21.y, 7.0)) as i32;
            let %28 = splat(5.0, 2);
            out[3] = max(f32x3(%28.x, %28.y, 7.0), splat(6.0, 3)).y as i32;
            let %38 = splat(5.0, 2);
            let %41 = f32x3(%38.x, %38.y, 7.0);
            %41.x;
            %41.y;
            out[4] = %41.z as i32;
            out[5] = splat(0.0, 2).x as i32;
        }
    "#]],
    );
    gives(&function, &[2, 7, 99, 6, 7, 0]);
}

#[test]
fn vectors_are_compared_as_wholes() {
    let function = writes(|s| {
        let v = |x| builtin!(s, RustBuiltin::Compose(V2), [s.float("1.0"), s.float(x)]);
        let int = |value: Expr| s.cast(value, I32);
        vec![
            int(s.bin(Binary::Eq, v("2.0"), v("2.0"))),
            int(s.bin(Binary::Eq, v("2.0"), v("3.0"))),
            int(s.bin(Binary::Ne, v("2.0"), v("3.0"))),
        ]
    });
    gives(&function, &[1, 0, 1]);
}

#[test]
fn methods_and_library_functions() {
    let function = writes(|s| {
        let root = builtin!(s, RustBuiltin::Method("sqrt"), [s.float("16.0")]);
        let pair = builtin!(s, RustBuiltin::Method("overflowing_add"), [s.int(i32::MAX), s.int(1)]);
        let e = builtin!(s, RustBuiltin::Library("fast_math::exp"), [s.float("0.0")]);
        vec![
            s.cast(root, I32),
            s.cast(s.field(pair, "1"), I32),
            s.cast(e, I32),
            builtin!(s, RustBuiltin::Identity, [s.int(3)]),
        ]
    });
    gives(&function, &[4, 1, 1, 3]);
}

#[test]
fn a_function_of_a_library_is_the_same_whoever_calls_it() {
    macro_rules! called {
        ($($name:literal)*) => {
            [$(($name, writes(|s| vec![s.cast(builtin!(s, RustBuiltin::Library($name), [s.float("0.5")]), I32)]))),*]
        };
    }
    let all = called!("fast_math::exp" "fast_math::exp2" "fast_math::log" "fast_math::log2" "fast_math::sin");
    for (name, function) in &all {
        let lowered = kernel("k", function).unwrap_or_else(|rejected| panic!("{rejected:?}")).kernel;
        // The types have the numbers that they have in the other kernel.
        let text = format!(
            "kernel k(i: view<i32, 1, read>, a: view<f32, 1, read_write>) rank(1)
            {{ a[1] = a[0] * 2.0; a[0] = {name}(a[1]); }}"
        );
        let read = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let [lowered, read] = [lowered, read].map(|kernel| {
            let kept = inline_where(&kernel, &|function| function.name() == *name);
            kept.functions().to_vec()
        });
        assert_eq!((lowered.len(), lowered == read), (1, true), "{name}");
    }
}

#[test]
fn what_does_not_exist_is_reported() {
    let function = writes(|s| {
        vec![
            builtin!(s, RustBuiltin::Method("nonsense"), [s.int(1)]),
            builtin!(s, RustBuiltin::Library("fast_math::nonsense"), [s.int(1)]),
        ]
    });
    let reports = refused(&function);
    assert_eq!(reports.iter().map(|it| it.0).collect::<Vec<_>>(), [Code::K0703, Code::K0703]);
    assert_eq!(reports[0].1, "no method `nonsense` of `i32` in kernels");
}

#[test]
fn shifts_count_modulo_the_width_whatever_integer_they_are() {
    let function = writes(|s| {
        let i64s = |n| s.lit(n, crate::dsl::scalar(Scalar::I64));
        vec![
            s.bin(Binary::Shl, s.int(1), s.int(3)),
            s.bin(Binary::Shl, s.int(1), i64s(33)),
            s.cast(s.bin(Binary::Shr, i64s(1 << 40), s.lit(8, U32)), I32),
            s.not(s.int(0)),
            s.cast(s.not(s.truth(true)), I32),
            s.cast(s.bin(Binary::BitXor, s.truth(true), s.truth(false)), I32),
        ]
    });
    gives(&function, &[8, 2, 0, -1, 0, 1]);
}

#[test]
fn indices_and_extents() {
    let function = writes(|s| {
        let index = || builtin!(s, RustBuiltin::ToIndex(2), [s.tuple([s.int(3), s.int(4)])]);
        let extent = || builtin!(s, RustBuiltin::ToExtent(2), [s.list(I32, [s.int(5), s.int(6)])]);
        let at = |value, n| s.index(value, s.int(n));
        let int = |value| s.cast(value, I32);
        vec![
            at(index(), 1),
            at(s.add(extent(), index()), 0),
            at(s.bin(Binary::Sub, s.int(10), index()), 1),
            int(s.bin(Binary::Eq, index(), index())),
            int(s.bin(Binary::Ne, index(), s.add(index(), s.int(1)))),
            int(builtin!(s, RustBuiltin::ExtentSize, [extent()])),
            int(builtin!(s, RustBuiltin::ExtentContains, [extent(), index()])),
            int(builtin!(s, RustBuiltin::ExtentContains, [extent(), s.add(index(), s.int(2))])),
            at(builtin!(s, RustBuiltin::ToArray, [index()]), 0),
            at(s.field(index(), "0"), 1),
            int(s.lt(index(), s.add(index(), s.int(1)))),
        ]
    });
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) rank(1) {
            out[0] = 4;
            let %5 = 5 + 3;
            6 + 4;
            out[1] = %5;
            10 - 3;
            out[2] = 10 - 4;
            out[3] = ((3 == 3) & (4 == 4)) as i32;
            let %17 = 3 + 1;
            let %18 = 4 + 1;
            out[4] = !((3 == %17) & (4 == %18)) as i32;
            out[5] = (5 * 6) as u32 as i32;
            out[6] = ((3 >= 0) & (3 < 5) & ((4 >= 0) & (4 < 6))) as i32;
            let %35 = 3 + 2;
            let %36 = 4 + 2;
            out[7] = ((%35 >= 0) & (%35 < 5) & ((%36 >= 0) & (%36 < 6))) as i32;
            out[8] = 3;
            out[9] = 4;
            let %48 = 3 + 1;
            let %49 = 4 + 1;
            let %54 = (4 < %49) | (4 == %49) & false;
            out[10] = ((3 < %48) | (3 == %48) & %54) as i32;
        }
    "#]],
    );
    gives(&function, &[4, 8, 6, 1, 1, 30, 1, 0, 3, 4, 1]);
}

#[test]
fn tiled_extents_round_up_and_down() {
    let function = writes(|s| {
        let tiled = || {
            let extent = builtin!(s, RustBuiltin::ToExtent(1), [s.int(25)]);
            builtin!(s, RustBuiltin::Tile(vec![4]), [extent])
        };
        let whole = |tiled| s.index(builtin!(s, RustBuiltin::TiledExtentWhole, [tiled]), s.int(0));
        vec![
            whole(builtin!(s, RustBuiltin::Pad, [tiled()])),
            whole(builtin!(s, RustBuiltin::Truncate, [tiled()])),
            s.index(builtin!(s, RustBuiltin::TileExtent, [tiled()]), s.int(0)),
            s.cast(s.bin(Binary::Eq, tiled(), tiled()), I32),
        ]
    });
    gives(&function, &[28, 24, 4, 1]);
}

#[test]
fn views_are_cut_and_turned() {
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    let v = s.capture("v", read_view(I32, 2));
    let i = s.param("idx", RustType::Index(1), Mode::Value);
    let me = || s.index(s.get(i), s.int(0));
    let pair = |a, b| s.tuple([s.int(a), s.int(b)]);
    let section = builtin!(s, RustBuiltin::Section, [s.cap(v), pair(1, 1), pair(2, 2)]);
    let from = builtin!(s, RustBuiltin::SectionFrom, [s.cap(v), pair(2, 0)]);
    let to = builtin!(s, RustBuiltin::SectionTo, [s.cap(v), pair(2, 3)]);
    let row = builtin!(s, RustBuiltin::Project, [s.cap(v), s.int(1)]);
    let flat = builtin!(s, RustBuiltin::ViewAs(2), [s.cap(out), pair(2, 3)]);
    let bits = builtin!(s, RustBuiltin::Reinterpret(U32), [s.cap(out)]);
    let read_only = builtin!(s, RustBuiltin::AsReadOnly, [s.cap(out)]);
    let extent = |view, n| s.index(builtin!(s, RustBuiltin::ViewExtent, [view]), s.int(n));
    let set = |n, value| s.set(s.index(s.cap(out), s.int(n)), value);
    let (a, b, c) = (s.local("a"), s.local("b"), s.local("c"));
    let body = block([
        s.let_(a, section),
        s.let_(b, from),
        s.let_(c, to),
        set(0, s.index(s.get(a), pair(1, 1))),
        set(1, s.add(extent(s.get(b), 0), s.index(s.get(b), pair(0, 2)))),
        set(2, extent(s.get(c), 1)),
        set(3, s.index(row, s.int(2))),
        set(4, s.index(s.index(s.cap(v), me()), s.int(1))),
        s.set(s.index(flat, pair(1, 2)), s.int(77)),
        set(6, s.cast(s.index(bits, s.int(5)), I32)),
        set(7, s.index(read_only, s.int(3))),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>, v: view<i32, 2, read>) rank(1) {
            let a = section(v, [1, 1], [2, 2]);
            let %4 = extent(v, 0);
            let %5 = extent(v, 1);
            let b = section(v, [2, 0], [%4 - 2, %5 - 0]);
            let c = section(v, [0, 0], [2, 3]);
            out[0] = a[1, 1];
            let %14 = extent(b, 0);
            extent(b, 1);
            out[1] = %14 + b[0, 2];
            extent(c, 0);
            out[2] = extent(c, 1);
            out[3] = project(v, 1)[2];
            out[4] = project(v, global[0])[1];
            view_as(out, [2, 3])[1, 2] = 77;
            out[6] = reinterpret<u32>(out)[5] as i32;
            out[7] = out[3];
        }
    "#]],
    );
    let found = run_ints(&function, &[1], vec![ints(&[0; 8]), Bind::Words((0..12).collect(), &[3, 4])]);
    assert_eq!(found, [10, 11, 3, 6, 1, 77, 77, 6]);
}

#[test]
fn atomics_give_the_value_before() {
    let s = Src::new();
    let v = s.capture("v", view(I32, 1));
    let out = s.capture("out", view(I32, 1));
    s.param("idx", RustType::Index(1), Mode::Value);
    let at = |n| builtin!(s, RustBuiltin::AtomicAt, [s.cap(v), s.int(n)]);
    let set = |n, value| s.set(s.index(s.cap(out), s.int(n)), value);
    let (a, old, done) = (s.local("a"), s.local("old"), s.local("done"));
    let exchange = builtin!(s, RustBuiltin::CompareExchange, [s.get(a), s.int(5), s.int(6)]);
    let body = block([
        s.let_(a, at(0)),
        set(0, builtin!(s, RustBuiltin::Atomic(AtomicOp::Add), [s.get(a), s.int(5)])),
        s.let_pattern(Pattern::Tuple(vec![Pattern::Bind(old), Pattern::Bind(done)]), exchange),
        set(1, s.add(s.mul(s.get(old), s.int(10)), s.cast(s.get(done), I32))),
        set(2, builtin!(s, RustBuiltin::Atomic(AtomicOp::Inc), [at(1)])),
        set(3, builtin!(s, RustBuiltin::Atomic(AtomicOp::Exchange), [s.reference(false, s.get(a)), s.int(1)])),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(v: view<i32, 1, read_write>, out: view<i32, 1, read_write>) rank(1) {
            out[0] = atomic_add(v[0], 5);
            let (old, done) = atomic_compare_exchange(v[0], 5, 6);
            out[1] = old * 10 + done as i32;
            out[2] = atomic_inc(v[1]);
            out[3] = atomic_exchange(v[0], 1);
        }
    "#]],
    );
    let (views, _) = launch(&function, &[1], vec![ints(&[0, 9]), ints(&[0; 4])]);
    assert_eq!(views, [vec![1, 10], vec![0, 51, 9, 6]]);
}

#[test]
fn a_tile_shares_memory_and_meets() {
    fn tile_sum() -> Form {
        static IT: std::sync::LazyLock<RustFunction> = std::sync::LazyLock::new(|| {
            let s = Src::new();
            let nums = s.param("nums", RustType::TileStatic(array(array(F32, 2), 2).into()), Mode::Ref);
            let at = |a, b| s.index(s.index(s.get(nums), s.int(a)), s.int(b));
            let sum = s.add(s.add(at(0, 0), at(0, 1)), s.add(at(1, 0), at(1, 1)));
            let body = crate::dsl::gives([], sum);
            s.finish("tile_sum", body)
        });
        Form::Function(IT.clone())
    }
    let s = Src::new();
    let average = s.capture("average", view(F32, 2));
    let sample = s.capture("sample", read_view(F32, 2));
    let t = s.param("t", RustType::TiledIndex(vec![2, 2]), Mode::Value);
    let nums = s.local("nums");
    let local = |n| s.index(s.field(s.get(t), "local"), s.int(n));
    let place = s.index(s.index(s.get(nums), local(1)), local(0));
    let sum = s.call(tile_sum, [s.reference(false, s.get(nums))]);
    let body = block([
        s.tile_static(nums, array(array(F32, 2), 2)),
        s.set(place, s.index(s.cap(sample), s.field(s.get(t), "global"))),
        does(builtin!(s, RustBuiltin::Barrier(Fence::All), [s.field(s.get(t), "barrier")])),
        s.set(s.index(s.cap(average), s.get(t)), s.bin(Binary::Div, sum, s.float("4.0"))),
        does(builtin!(s, RustBuiltin::Fence(Fence::Global), [s.field(s.get(t), "barrier")])),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(average: view<f32, 2, read_write>, sample: view<f32, 2, read>) tile(2, 2) {
            tile_static nums: [[f32; 2]; 2];
            let %3 = sample[global[0], global[1]];
            nums[local[1]][local[0]] = %3;
            barrier;
            let %16 = (nums[0][0] + nums[0][1] + (nums[1][0] + nums[1][1])) / 4.0;
            average[global[0], global[1]] = %16;
            fence(global);
        }
    "#]],
    );
    let sample: Vec<u32> =
        [2., 2., 9., 7., 1., 4., 4., 4., 8., 8., 3., 4., 1., 5., 1., 2., 5., 2., 6., 8., 3., 2., 7., 2.]
            .map(f32::to_bits)
            .to_vec();
    let (views, _) = launch(&function, &[4, 6], vec![Bind::Words(vec![0; 24], &[4, 6]), Bind::Words(sample, &[4, 6])]);
    let found: Vec<f32> = views[0].iter().map(|&bits| f32::from_bits(bits)).collect();
    let rows = [[3., 3., 8., 8., 3., 3.], [5., 5., 2., 2., 4., 4.]];
    assert_eq!(found, [rows[0], rows[0], rows[1], rows[1]].concat());
}

#[test]
fn a_tiled_index_knows_its_parts() {
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    let t = s.param("t", RustType::TiledIndex(vec![4]), Mode::Value);
    let part = |name| s.index(s.field(s.get(t), name), s.int(0));
    let again = s.local("again");
    let parts = builtin!(
        s,
        RustBuiltin::TiledIndexFromParts(vec![4]),
        [
            s.field(s.get(t), "tile"),
            s.field(s.get(t), "local"),
            s.field(s.get(t), "tile"),
            s.field(s.get(t), "tile_origin"),
            s.field(s.get(t), "barrier"),
        ]
    );
    let sum = s.add(s.add(part("local"), s.mul(part("tile"), s.int(10))), s.mul(part("tile_origin"), s.int(100)));
    let size = s.index(builtin!(s, RustBuiltin::TileExtent, [s.get(t)]), s.int(0));
    let first = s.index(s.field(s.get(again), "global"), s.int(0));
    let body = block([
        s.let_(again, parts),
        s.set(s.index(s.cap(out), s.get(t)), s.add(sum, s.add(s.mul(size, s.int(1000)), s.mul(first, s.int(10000))))),
    ]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k(out: view<i32, 1, read_write>) tile(4) {
            let again_global_0 = tile[0];
            let again_local_0 = local[0];
            let again_tile_0 = tile[0];
            let again_tile_origin_0 = tile_origin[0];
            let %19 = local[0] + tile[0] * 10 + tile_origin[0] * 100 + (4 * 1000 + again_global_0 * 10000);
            out[global[0]] = %19;
        }
    "#]],
    );
    assert_eq!(run_ints(&function, &[8], vec![ints(&[0; 8])]), [4000, 4001, 4002, 4003, 14410, 14411, 14412, 14413]);
}

#[test]
fn messages_write_what_has_parts() {
    let s = Src::new();
    let i = s.param("idx", RustType::Index(2), Mode::Value);
    let pieces = |list: &[&str]| list.iter().map(|&piece| piece.to_owned()).collect();
    let values = vec![s.get(i), s.truth(true), s.tuple([s.int(1), s.float("2.5")]), s.list(I32, [s.int(4), s.int(5)])];
    let formats = vec![String::new(); values.len()];
    let print = s.expr(ExprKind::Print(pieces(&["at ", " is ", ", ", " ", "!"]), values, formats));
    let stop = s.expr(ExprKind::Error(pieces(&["code ", ""]), vec![s.int(7)], vec!["?".to_owned()]));
    let body = block([does(print), does(stop), does(s.expr(ExprKind::Abort))]);
    let function = s.finish("kernel", body);
    prints(
        &function,
        expect![[r#"
        kernel k() rank(2) {
            print("at ({}, {}) is {}, ({}, {}) [{}, {}]!", global[0], global[1], true, 1, 2.5, 4, 5);
            error("code {:?}", 7);
        }
    "#]],
    );
    let (_, outcome) = launch(&function, &[1, 1], vec![]);
    assert_eq!(outcome.printed[0].text, "at (0, 0) is true, (1, 2.5) [4, 5]!");
    assert!(matches!(&outcome.ending, Ending::Failed { message: Some(text), .. } if text == "code 7"));
}

#[test]
fn choosing_a_view_is_refused() {
    let s = Src::new();
    let (a, b) = (s.capture("a", view(I32, 1)), s.capture("b", view(I32, 1)));
    let i = s.param("idx", RustType::Index(1), Mode::Value);
    let v = s.mutable("v");
    let condition = || s.lt(s.index(s.get(i), s.int(0)), s.int(3));
    let chosen = s.if_(condition(), crate::dsl::gives([], s.cap(a)), Some(crate::dsl::gives([], s.cap(b))));
    let same = s.if_(condition(), crate::dsl::gives([], s.cap(a)), Some(crate::dsl::gives([], s.cap(a))));
    let w = s.local("w");
    let body = block([
        s.let_(v, chosen),
        s.set(s.index(s.get(v), s.int(0)), s.int(1)),
        s.let_(w, same),
        s.set(s.index(s.get(w), s.int(0)), s.int(1)),
        s.set(s.get(w), s.cap(b)),
    ]);
    let function = s.finish("kernel", body);
    let reports = refused(&function);
    assert_eq!(reports.len(), 2, "{reports:?}");
    assert_eq!(reports[0].1, "which `ArrayView<i32, 1>` this is depends on a condition");
    assert_eq!(reports[1].1, "a name of type `ArrayView<i32, 1>` is given another value");
    assert!(reports.iter().all(|report| report.0 == Code::K0704));
}

#[test]
fn floats_stay_as_they_are_written() {
    let s = Src::new();
    let out = s.capture("out", view(F32, 1));
    s.param("idx", RustType::Index(1), Mode::Value);
    let set = |n, value| s.set(s.index(s.cap(out), s.int(n)), value);
    let body =
        block([set(0, s.float("0.1")), set(1, s.float("16777217.0")), set(2, s.lit(3, F32)), set(3, s.float("1e-45"))]);
    let function = s.finish("kernel", body);
    let (views, _) = launch(&function, &[1], vec![floats(&[0.0; 4])]);
    assert_eq!(views[0], [0.1f32, 16_777_216.0, 3.0, 1e-45].map(f32::to_bits));
}
