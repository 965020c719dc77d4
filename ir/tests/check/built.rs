//! Kernels that only the builder can make: without text, or with trees that no text stands for.

use tilewise_ir::build::Builder;
use tilewise_ir::check::check;
use tilewise_ir::diag::Colour;
use tilewise_ir::inline::{inline, size_after};
use tilewise_ir::kernel::{Arg, Builtin, Const, FnParam, FnParamKind, InstKind, Kernel, ParamKind, Place, Root};
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
                x = b.value(InstKind::Call { function, args: vec![Arg::Value(x)] }, Pos::NONE);
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
        i = b.value(InstKind::Call { function, args: vec![Arg::Value(i)] }, Pos::NONE);
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
