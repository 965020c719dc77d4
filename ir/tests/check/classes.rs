//! What instructions say of themselves ([`InstKind::class`] and the questions beside it) against the walks over them.

use tilewise_ir::kernel::{Construct, Inst, InstClass, InstKind, Jump, Kernel};

pub(super) const EVERY_KIND: &str = r#"
fn twice(x: i32) -> i32 { return x + x; }
kernel k(v: view<i32, 1, read_write>, n: i32) tile(16) {
    tile_static shared: [i32; 16];
    var a: [i32; 4];
    var b: [i32; 4] = zero;
    copy(a, b);
    let pair = i32x2(n, extent(v, 0));
    let wide = splat(pair.x, 4);
    shared[local[0]] = wide[n] + twice(a[0]);
    let part = section(v, [0], [2]);
    let row = project(view_as(part, [1, 2]), 0);
    let other = reinterpret<u32>(row);
    barrier;
    fence;
    let (old, same) = atomic_compare_exchange(v[0], 1, 2);
    atomic_add(v[1], old);
    print("{} {}", same, other[0]);
    if n == 1 { error("no"); } else { abort; }
    switch n { case 1: { return; } default: {} }
    'all: loop {
        while n > 2 { break 'all; }
        if n > 3 { continue; }
        let found = 'in: { if n > 4 { break 'in 1; } 2 };
        v[2] = found;
        break;
    }
}
"#;

fn each(kernel: &Kernel, f: &mut dyn FnMut(&Inst)) {
    for function in kernel.functions().iter().chain([kernel.entry()]) {
        function.body().walk(&mut |inst| f(inst));
    }
}

#[test]
fn answers_agree_with_the_walks() {
    let kernel = tilewise_ir::text::parse("k.kir", EVERY_KIND).unwrap_or_else(|failure| panic!("{failure}"));
    let mut classes = std::collections::HashSet::new();
    each(&kernel, &mut |inst| {
        let kind = &inst.kind;
        classes.insert(kind.class());
        let (mut places, mut operands, mut blocks) = (Vec::new(), Vec::new(), 0);
        kind.places(&mut |place| places.push(place.clone()));
        kind.operands(&mut |&value| operands.push(value));
        kind.blocks(&mut |_| blocks += 1);
        assert_eq!(kind.is_structured(), blocks > 0, "{kind:?}");
        let mut inside = 0;
        if let Some(construct) = kind.construct() {
            inside = match construct {
                Construct::If { .. } => 2,
                Construct::Switch { cases, .. } => cases.len() + 1,
                Construct::Loop { condition, .. } => 2 + usize::from(condition.is_some()),
                Construct::Scope { .. } => 1,
            };
            assert_eq!(construct.label(), kind.label(), "{kind:?}");
        }
        assert_eq!(inside, blocks, "{kind:?}");
        if let Some(jump) = kind.jump() {
            let (label, value) = match jump {
                Jump::Break { label, value } => (Some(label), value),
                Jump::Continue { label } => (Some(label), None),
                Jump::Return(value) => (None, value),
            };
            assert_eq!((label, value), (kind.label(), operands.first().copied()), "{kind:?}");
        }
        assert_eq!(kind.jump().is_some(), kind.class() == InstClass::Jump, "{kind:?}");
        assert_eq!(kind.declared().is_some(), kind.class() == InstClass::Declare, "{kind:?}");
        if let Some(read) = kind.read_place() {
            assert_eq!(Some(read), places.last(), "{kind:?}");
        }
        if let Some(opened) = kind.opened_label() {
            assert!(blocks > 0 && kind.label() == Some(opened), "{kind:?}");
        } else {
            assert!(kind.label().is_none() || kind.leaves(), "a label is opened or left: {kind:?}");
        }
        if let Some(written) = kind.written_place() {
            assert_eq!(Some(written), places.first(), "{kind:?}");
        }
        assert_eq!(kind.atomic_place().is_some(), kind.class() == InstClass::Atomic, "{kind:?}");
        assert_eq!(kind.atomic_name().is_some(), kind.class() == InstClass::Atomic, "{kind:?}");
        if let Some(source) = kind.view_source() {
            assert!(operands.first() == Some(&source) && kind.class() == InstClass::MakeView, "{kind:?}");
        }
        let results: Vec<_> = inst.results().collect();
        assert_eq!(results.first(), inst.result.as_ref(), "{kind:?}");
        assert_eq!(results.len() == 2, matches!(kind, InstKind::CompareExchange { .. }), "{kind:?}");
        assert_eq!(kind.clone().second_result_mut().copied(), kind.second_result(), "{kind:?}");
    });
    assert_eq!(classes.len(), 13, "the kernel has instructions of every class: {classes:?}");
}
