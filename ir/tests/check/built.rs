//! Kernels that only the builder can make: without text, or with trees that no text stands for.

use tilewise_ir::analysis::uniformity::TileAgreement;
use tilewise_ir::build::Builder;
use tilewise_ir::check::check;
use tilewise_ir::diag::Colour;
use tilewise_ir::inline::{inline, size_after};
use tilewise_ir::kernel::{
    Builtin, CallArgument, Const, FnParam, FnParamKind, Init, InstKind, Kernel, ParamKind, Place, Root,
};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Access, Data, Stored, ViewType};

fn codes(kernel: Kernel) -> Vec<&'static str> {
    match check(kernel) {
        Ok(_) => Vec::new(),
        Err(rejected) => {
            assert!(!rejected.render(Colour::Never).is_empty(), "a rejection says why");
            rejected.diagnostics.iter().map(|report| report.code.name()).collect()
        }
    }
}

fn view(b: &mut Builder) -> tilewise_ir::kernel::ValueId {
    let element = b.types().scalar(Stored::I32);
    let v = b.param("v", ParamKind::View(ViewType { element, rank: 1, access: Access::ReadWrite }), Pos::NONE);
    b.begin_entry();
    b.param_value(v.index() as u32)
}

#[test]
fn a_plain_kernel_is_accepted() {
    let mut b = Builder::new("twice", 1, None);
    let v = view(&mut b);
    let i = b.value(InstKind::Builtin(Builtin::Global(0)), Pos::NONE);
    let place = Place { root: Root::View { view: v, index: vec![i] }, path: vec![] };
    let old = b.load(place.clone(), Pos::NONE);
    let two = b.constant(Const::i32(2));
    let new = b.op(Op::Mul, &[old, two], Pos::NONE);
    b.emit(InstKind::Store { place, value: new }, Pos::NONE);
    let kernel = b.finish();
    assert_eq!(inline(&kernel), kernel, "nothing to inline");
    let checked = check(kernel.clone()).unwrap();
    assert_eq!(*checked.kernel(), kernel);
}

#[test]
fn a_value_in_error_is_never_accepted() {
    let mut b = Builder::new("k", 1, None);
    let v = view(&mut b);
    let invalid = b.invalid();
    let place = Place { root: Root::View { view: v, index: vec![invalid] }, path: vec![] };
    b.load(place, Pos::NONE);
    assert_eq!(codes(b.finish()), ["K0100"]);
}

#[test]
fn an_unfit_operand_is_reported_once_and_its_users_are_silent() {
    let mut b = Builder::new("k", 1, None);
    let v = view(&mut b);
    let i = b.value(InstKind::Builtin(Builtin::Global(0)), Pos::NONE);
    let one = b.constant(Const::f32(1.0));
    let bad = b.op(Op::Add, &[i, one], Pos::NONE);
    let worse = b.op(Op::Mul, &[bad, one], Pos::NONE);
    let place = Place { root: Root::View { view: v, index: vec![worse] }, path: vec![] };
    b.emit(InstKind::Store { place, value: bad }, Pos::NONE);
    assert_eq!(codes(b.finish()), ["K0101"]);
}

#[test]
fn the_same_block_twice_is_refused() {
    let mut b = Builder::new("k", 1, None);
    let v = view(&mut b);
    let condition = b.constant(Const::bool(true));
    b.begin_block();
    let i = b.value(InstKind::Builtin(Builtin::Global(0)), Pos::NONE);
    b.load(Place { root: Root::View { view: v, index: vec![i] }, path: vec![] }, Pos::NONE);
    let block = b.end_block(None);
    b.emit(InstKind::If { condition, then: block.clone(), otherwise: block }, Pos::NONE);
    assert!(codes(b.finish()).contains(&"K0306"));
}

/// `f0` returns its argument; each further function calls the one before twice.
fn call_tree(depth: u32) -> Kernel {
    let mut b = Builder::new("tree", 1, None);
    let param = || vec![FnParam { name: "x".into(), kind: FnParamKind::Value(Data::I32.into()), pos: Pos::NONE }];
    let mut below = None;
    for n in 0..depth {
        let f = b.declare(&format!("f{n}"), param(), Some(Data::I32.into()), Pos::NONE);
        b.begin(f);
        let mut x = b.param_value(0);
        for _ in 0..2 {
            if let Some(function) = below {
                x = b.value(InstKind::Call { function, args: vec![CallArgument::Value(x)] }, Pos::NONE);
            }
        }
        let one = b.constant(Const::i32(1));
        x = b.op(Op::Add, &[x, one], Pos::NONE);
        b.emit(InstKind::Return(Some(x)), Pos::NONE);
        b.end();
        below = Some(f);
    }
    let v = view(&mut b);
    let mut i = b.value(InstKind::Builtin(Builtin::Global(0)), Pos::NONE);
    if let Some(function) = below {
        i = b.value(InstKind::Call { function, args: vec![CallArgument::Value(i)] }, Pos::NONE);
    }
    b.load(Place { root: Root::View { view: v, index: vec![i] }, path: vec![] }, Pos::NONE);
    b.finish()
}

#[test]
fn a_small_call_tree_is_inlined() {
    let checked = check(call_tree(5)).unwrap();
    let inlined = checked.inlined();
    assert!(inlined.functions().is_empty());
    let mut adds = 0;
    inlined.entry().body().walk(&mut |inst| {
        assert!(!matches!(inst.kind, InstKind::Call { .. } | InstKind::Return(_) | InstKind::Scope { .. }));
        adds += usize::from(matches!(inst.kind, InstKind::Op { op: Op::Add, .. }));
    });
    assert_eq!(adds, 31);
}

#[test]
fn an_exponential_call_tree_is_refused_without_building_it() {
    for depth in [20, 63, 64, 200] {
        let kernel = call_tree(depth);
        assert!(size_after(&kernel) > 100_000);
        assert_eq!(codes(kernel), ["K0605"]);
    }
}

#[test]
fn a_long_chain_of_calls_is_refused() {
    let mut b = Builder::new("chain", 1, None);
    let mut below = None;
    for n in 0..20_000 {
        let f = b.declare(&format!("f{n}"), Vec::new(), None, Pos::NONE);
        b.begin(f);
        if let Some(function) = below {
            b.emit(InstKind::Call { function, args: Vec::new() }, Pos::NONE);
        }
        b.end();
        below = Some(f);
    }
    b.begin_entry();
    b.emit(InstKind::Call { function: below.unwrap(), args: Vec::new() }, Pos::NONE);
    assert_eq!(codes(b.finish()), ["K0606"]);
}

#[test]
fn recursion_is_refused() {
    let mut b = Builder::new("k", 1, None);
    let f = b.declare("f", Vec::new(), None, Pos::NONE);
    let g = b.declare("g", Vec::new(), None, Pos::NONE);
    for (caller, callee) in [(f, g), (g, f)] {
        b.begin(caller);
        b.emit(InstKind::Call { function: callee, args: Vec::new() }, Pos::NONE);
        b.end();
    }
    b.begin_entry();
    b.emit(InstKind::Call { function: f, args: Vec::new() }, Pos::NONE);
    let kernel = b.finish();
    assert_eq!(inline(&kernel), kernel, "a recursive kernel is left alone");
    assert_eq!(codes(kernel), ["K0304"]);
}

/// `depth` loops, one in the other, each with a counter of its own that the innermost changes.
fn nested_loops(depth: usize, barrier: bool) -> String {
    let mut text = String::from("kernel k(v: view<i32, 1, read_write>) tile(16) {\n");
    (0..depth).for_each(|i| text += &format!("var x{i}: i32 = 0;\n"));
    (0..depth).for_each(|i| text += &format!("while x{i} < 4 {{ x{i} = x{i} + 1;\n"));
    text += if barrier { "barrier;\n" } else { "v[0] = 1;\n" };
    (1..depth).for_each(|i| text += &format!("x{i} = x{};\n", i - 1));
    text += &"}".repeat(depth);
    text + "}\n"
}

#[test]
fn deep_loops_do_not_multiply_the_work() {
    for depth in [2, 20, 120, 250] {
        let checked = super::accept(&nested_loops(depth, true));
        assert!(!checked.uniformity().gave_up(), "{depth} loops");
        assert!(checked.uniformity().barriers().iter().all(|barrier| barrier.class == TileAgreement::Uniform));
    }
}

#[test]
fn many_branches_and_variables_are_checked_in_time() {
    let mut text = String::from("kernel k(v: view<i32, 1, read_write>) tile(16) {\nbarrier;\n");
    (0..6000).for_each(|i| text += &format!("var x{i}: i32;\nvar y{i}: i32 = 0;\n"));
    text += "'all: loop {\n";
    (0..6000).for_each(|i| text += &format!("x{i} = y{i}; if v[x{i}] > 1 {{ y{i} = 1; break 'all; }}\n"));
    text += "}\n}\n";
    let start = std::time::Instant::now();
    let checked = super::accept(&text);
    assert!(checked.uniformity().gave_up(), "then nothing is claimed");
    assert_eq!(checked.uniformity().barriers()[0].class, TileAgreement::Unproven);
    // Under a second alone; without the limit on work it would be hours.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn deeper_blocks_than_the_limit_are_refused() {
    let mut b = Builder::new("k", 1, None);
    b.begin_entry();
    let condition = b.constant(Const::bool(true));
    for _ in 0..5000 {
        b.begin_block();
    }
    b.emit(InstKind::Abort, Pos::NONE);
    for _ in 0..5000 {
        let then = b.end_block(None);
        b.emit(InstKind::If { condition, then, otherwise: Default::default() }, Pos::NONE);
    }
    assert_eq!(codes(b.finish()), ["K0606"]);
}

#[test]
fn layouts_that_make_no_sense_are_refused() {
    use tilewise_ir::types::{Field, Struct, Type};
    let mut b = Builder::new("k", 1, None);
    let f32 = b.types().scalar(Stored::F32);
    let field = |name: &str, offset| Field { name: name.into(), ty: f32, offset };
    let overlap = Struct { name: "Overlap".into(), fields: vec![field("a", 0), field("b", 2)], size: 8, align: 4 };
    let outside = Struct { name: "Outside".into(), fields: vec![field("a", 6)], size: 8, align: 4 };
    let odd = Struct { name: "Odd".into(), fields: vec![field("a", 0)], size: 4, align: 3 };
    let empty = Struct { name: "Empty".into(), fields: vec![], size: 0, align: 1 };
    for s in [overlap, outside, odd, empty] {
        b.types().add(Type::Struct(s));
    }
    let tight = b.types().add(Type::Array { element: f32, length: Some(4), stride: 2 });
    let none = b.types().add(Type::Array { element: f32, length: Some(0), stride: 4 });
    for (name, ty) in [("tight", tight), ("none", none)] {
        b.param(name, ParamKind::Buffer { ty, access: Access::Read }, Pos::NONE);
    }
    let codes = codes(b.finish());
    assert_eq!(codes, ["K0607", "K0607", "K0607", "K0607", "K0608", "K0608"]);
}

#[test]
fn a_layout_is_reported_where_its_type_is_used_first() {
    use tilewise_ir::types::{Field, Struct, Type};
    let pos = |line| Pos { source: 0, line, column: 5, length: 3 };
    let mut b = Builder::new("k", 1, None);
    let f32 = b.types().scalar(Stored::F32);
    let empty = b.types().add(Type::Struct(Struct { name: "Empty".into(), fields: vec![], size: 0, align: 1 }));
    let holder = vec![Field { name: "inner".into(), ty: empty, offset: 0 }];
    let holder = b.types().add(Type::Struct(Struct { name: "Holder".into(), fields: holder, size: 4, align: 4 }));
    let tight = b.types().add(Type::Array { element: f32, length: Some(4), stride: 2 });
    let none = b.types().add(Type::Array { element: f32, length: Some(0), stride: 4 });
    b.param("good", ParamKind::Buffer { ty: f32, access: Access::Read }, pos(2));
    b.param("held", ParamKind::Buffer { ty: holder, access: Access::Read }, pos(3));
    b.param("again", ParamKind::Buffer { ty: holder, access: Access::Read }, pos(4));
    b.tile_var("none", none, pos(6));
    b.begin_entry();
    let local = b.local("tight", tight);
    b.emit(InstKind::Declare { local, init: Init::Zero }, pos(5));
    let errors = check(b.finish()).expect_err("it is refused");
    let mut found: Vec<(&str, u32)> = errors
        .diagnostics
        .iter()
        .filter(|report| matches!(report.code.name(), "K0607" | "K0608"))
        .map(|report| (report.code.name(), report.pos().map_or(0, |pos| pos.line)))
        .collect();
    found.sort_by_key(|found| found.1);
    assert_eq!(found, [("K0608", 3), ("K0607", 5), ("K0608", 6)]);
}

#[test]
fn a_layout_of_a_text_is_reported_where_the_type_stands() {
    let text =
        "struct Nothing {}\nkernel k(list: view<Nothing, 1, read>) tile(4) {\n    tile_static none: [i32; 0];\n}\n";
    let kernel = tilewise_ir::text::parse("k.kir", text).expect("it is read");
    let rejected = check(kernel).expect_err("it is refused");
    let shown = rejected.render(Colour::Never);
    assert!(shown.contains("error[K0608]: struct `Nothing`: it has no fields\n --> k.kir:1:8\n"), "{shown}");
    assert!(shown.contains("error[K0608]: `[i32; 0]` has no elements\n --> k.kir:3:29\n"), "{shown}");
}

#[test]
fn a_rank_of_zero_is_refused() {
    assert_eq!(codes(Builder::new("k", 0, None).finish()), ["K0602"]);
    assert_eq!(codes(Builder::new("k", 1, Some(&[0])).finish()), ["K0601"]);
    assert_eq!(codes(Builder::new("k", 2, Some(&[4])).finish()), ["K0601"]);
}

#[test]
fn what_names_nothing_is_refused() {
    let mut other = Builder::new("other", 1, None);
    let ty = other.types().scalar(Stored::I32);
    let param = other.param("p", ParamKind::Buffer { ty, access: Access::ReadWrite }, Pos::NONE);
    let tile = other.tile_var("t", ty, Pos::NONE);
    let table = other.table("c", ty, vec![0], Pos::NONE);
    let function = other.declare("f", Vec::new(), None, Pos::NONE);
    let label = other.label(None);
    for root in [Root::Param(param), Root::Tile(tile), Root::Table(table), Root::Ref(7)] {
        let mut b = Builder::new("k", 1, None);
        b.load(Place { root, path: vec![] }, Pos::NONE);
        assert_eq!(codes(b.finish()), ["K0202"]);
    }
    let mut b = Builder::new("k", 1, None);
    b.emit(InstKind::Call { function, args: Vec::new() }, Pos::NONE);
    assert_eq!(codes(b.finish()), ["K0306"]);
    let mut b = Builder::new("k", 1, None);
    b.label(None);
    b.emit(InstKind::Break { label, value: None }, Pos::NONE);
    assert_eq!(codes(b.finish()), ["K0305"]);
}

#[test]
fn a_table_of_countless_scalars_is_refused() {
    use tilewise_ir::types::Type;
    let mut b = Builder::new("k", 1, None);
    let mut ty = b.types().scalar(Stored::F32);
    for _ in 0..6 {
        ty = b.types().add(Type::Array { element: ty, length: Some(u32::MAX), stride: 0 });
    }
    b.table("t", ty, Vec::new(), Pos::NONE);
    assert!(codes(b.finish()).contains(&"K0609"));
}

#[test]
fn an_instruction_with_very_many_operands_counts_as_several() {
    let kernel = |holes: usize, calls: usize, word: &str| {
        let values = "n, ".repeat(holes);
        let print = format!("print(\"{word}{}\", {values});", "{}".repeat(holes));
        let text = format!("fn f(n: i32) {{ {print} }} kernel k(n: i32) rank(1) {{ {} }}", "f(n); ".repeat(calls));
        tilewise_ir::text::parse("a.kir", &text).expect("it parses")
    };
    assert_eq!(codes(kernel(3, 1000, "n = ")), [""; 0]);
    assert_eq!(codes(kernel(1000, 1000, "n = ")), ["K0605"]);
    assert_eq!(codes(kernel(0, 1000, &"n".repeat(20_000))), ["K0605"]);
    let case: String = (0..2000).map(|i| format!("{i}, ")).collect();
    let switch = format!("switch n {{ case {} : {{}} }}", case.trim_end_matches(", "));
    let text = format!("fn f(n: i32) {{ {switch} }} kernel k(n: i32) rank(1) {{ {} }}", "f(n); ".repeat(1000));
    assert_eq!(codes(tilewise_ir::text::parse("a.kir", &text).expect("it parses")), ["K0605"]);
}
