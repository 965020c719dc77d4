//! Instruction ids: dense and in preorder in every function, however the kernel came about.

use tilewise_ir::build::Builder;
use tilewise_ir::inline::{inline, inline_where};
use tilewise_ir::kernel::{Const, Inst, InstId, InstKind, Kernel};
use tilewise_ir::pos::Pos;
use tilewise_ir::text::{parse, print};

use super::accept;
use super::classes::EVERY_KIND;

/// Functions that are called twice, that return early, and that call each other.
const CALLS: &str = r#"
fn clip(x: i32) -> i32 { if x > 9 { return 9; } return x; }
fn both(v: view<i32, 1, read_write>, x: i32) -> i32 { if clip(x) > 3 { v[x] = 1; } return clip(x + 1); }
kernel k(v: view<i32, 1, read_write>) rank(1) {
    var i: i32 = 0;
    while both(v, i) < 7 { if i > 3 { continue; } v[i] = both(v, i + 1); } continuing { i = i + 1; }
    'out: { switch v[0] { case 1: { v[1] = clip(v[0]); break 'out; } default: {} } v[2] = 3; }
}
"#;

/// Holds the ids of every function against a walk; gives the number of instructions.
fn assert_dense(kernel: &Kernel) -> usize {
    let mut all = 0;
    for function in kernel.functions().iter().chain([kernel.entry()]) {
        let mut ids = Vec::new();
        function.body().walk(&mut |inst| {
            let mut inside = vec![inst.id];
            inst.kind.blocks(&mut |block| block.walk(&mut |inst| inside.push(inst.id)));
            assert_eq!(Some(&inst.last_inside()), inside.last());
            ids.push(inst.id);
        });
        let indices: Vec<usize> = ids.iter().map(|id| id.index()).collect();
        assert_eq!(indices, (0..function.inst_count()).collect::<Vec<_>>(), "{}", print(kernel));
        assert!(ids.first().is_none_or(|&first| first == InstId::FIRST));
        all += ids.len();
    }
    all
}

#[test]
fn ids_are_dense_and_in_preorder() {
    for text in [EVERY_KIND, CALLS, "kernel k() rank(1) {}"] {
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        assert_dense(&kernel);
        let checked = accept(text);
        assert_dense(checked.kernel());
        let inlined = assert_dense(checked.inlined());
        assert_eq!(inlined > assert_dense(&kernel), text == CALLS);
        assert_dense(&inline_where(&kernel, &|function| function.name() == "clip"));
    }
}

#[test]
fn a_block_that_is_put_in_twice_has_other_ids() {
    let mut b = Builder::new("k", 1, None);
    let condition = b.constant(Const::bool(true));
    b.begin_block();
    b.emit(InstKind::Abort, Pos::NONE);
    let block = b.end_block(None);
    b.emit(InstKind::If { condition, then: block.clone(), otherwise: block }, Pos::NONE);
    let kernel = b.finish();
    assert_eq!(assert_dense(&kernel), 3);
    // They say the same all the same.
    let mut aborts: Vec<Inst> = Vec::new();
    kernel.entry().body().walk(&mut |inst| aborts.extend((inst.kind == InstKind::Abort).then(|| inst.clone())));
    assert_ne!(aborts[0].id, aborts[1].id);
    assert_eq!(aborts[0], aborts[1]);
    assert_eq!(hash(&aborts[0]), hash(&aborts[1]));
}

#[test]
fn kernels_that_read_the_same_have_the_same_ids() {
    let kernel = accept(CALLS);
    let again = accept(&print(kernel.kernel()));
    let ids = |kernel: &Kernel| {
        let mut ids = Vec::new();
        inline(kernel).entry().body().walk(&mut |inst| ids.push((inst.id, inst.result)));
        ids
    };
    assert_eq!(ids(kernel.kernel()), ids(again.kernel()));
}

fn hash(inst: &Inst) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    inst.hash(&mut hasher);
    hasher.finish()
}
