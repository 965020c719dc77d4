//! A launch from end to end with kernels that the builder makes; what each rule means is tested in text, in `ir/tests/interp`.

use super::{Options, Order, run, run_inlined};
use crate::build::Builder;
use crate::check::check;
use crate::kernel::{Block, Builtin, Const, Fence, Init, InstKind, Kernel, ParamKind, Place, Root, Step, ValueId};
use crate::launch::{Argument, Arrival, Domain, Ending, Memory, ViewArgument};
use crate::ops::Op;
use crate::pos::Pos;
use crate::types::{Access, Stored, ViewType};

const ORDERS: [Order; 3] = [Order::Linear, Order::Shuffled(1), Order::Shuffled(2)];

fn words(memory: &Memory) -> Vec<i32> {
    memory.pieces[0].chunks(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect()
}

fn block(b: &mut Builder, fill: impl FnOnce(&mut Builder) -> Option<ValueId>) -> Block {
    b.begin_block();
    let value = fill(b);
    b.end_block(value)
}

/// Reverses each tile of 8 through `tile_static`, then sums the tile's elements below its own in a loop.
fn reverse(barrier: bool) -> Kernel {
    let mut b = Builder::new("reverse", 1, Some(&[8]));
    let element = b.types().scalar(Stored::I32);
    let row = b.types().natural_array(element, Some(8));
    let v = b.param("v", ParamKind::View(ViewType { element, rank: 1, access: Access::ReadWrite }), Pos::NONE);
    let part = b.tile_var("part", row, Pos::NONE);
    b.begin_entry();
    let v = b.param_value(v.index() as u32);
    let global = b.value(InstKind::Builtin(Builtin::Global(0)), Pos::NONE);
    let local = b.value(InstKind::Builtin(Builtin::Local(0)), Pos::NONE);
    let seven = b.constant(Const::i32(7));
    let one = b.constant(Const::i32(1));
    let other = b.op(Op::Sub, &[seven, local], Pos::NONE);
    let here = Place { root: Root::View { view: v, index: vec![global] }, path: vec![] };
    let at = |index| Place { root: Root::Tile(part), path: vec![Step::Index(index)] };
    let value = b.load(here.clone(), Pos::NONE);
    b.emit(InstKind::Store { place: at(other), value }, Pos::NONE);
    if barrier {
        b.emit(InstKind::Barrier(Fence::All), Pos::NONE);
    }
    let sum = b.local("sum", element);
    let i = b.local("i", element);
    let (sum_at, i_at) = (Place { root: Root::Local(sum), path: vec![] }, Place { root: Root::Local(i), path: vec![] });
    b.emit(InstKind::Declare { local: sum, init: Init::Zero }, Pos::NONE);
    b.emit(InstKind::Declare { local: i, init: Init::Zero }, Pos::NONE);
    let label = b.label(None);
    let condition = block(&mut b, |b| {
        let now = b.load(i_at.clone(), Pos::NONE);
        Some(b.op(Op::Le, &[now, local], Pos::NONE))
    });
    let body = block(&mut b, |b| {
        let now = b.load(i_at.clone(), Pos::NONE);
        let (old, part) = (b.load(sum_at.clone(), Pos::NONE), b.load(at(now), Pos::NONE));
        let value = b.op(Op::Add, &[old, part], Pos::NONE);
        b.emit(InstKind::Store { place: sum_at.clone(), value }, Pos::NONE);
        let value = b.op(Op::Add, &[now, one], Pos::NONE);
        b.emit(InstKind::Store { place: i_at.clone(), value }, Pos::NONE);
        None
    });
    let continuing = block(&mut b, |_| None);
    b.emit(InstKind::Loop { label, condition: Some(Box::new(condition)), body, continuing }, Pos::NONE);
    let value = b.load(sum_at, Pos::NONE);
    b.emit(InstKind::Store { place: here, value }, Pos::NONE);
    b.finish()
}

#[test]
fn tiles_meet_at_barriers_in_every_order() {
    for order in ORDERS {
        let mut memory = Memory { pieces: vec![(0..16i32).flat_map(i32::to_le_bytes).collect()] };
        let arguments = [Argument::View(ViewArgument::dense(0, &[16]))];
        let options = Options { order, fuel: Some(10_000) };
        let outcome =
            run(&check(reverse(true)).unwrap(), &Domain::new([16]), &mut memory, &arguments, &options).unwrap();
        assert_eq!(outcome.ending, Ending::Completed);
        assert_eq!(words(&memory), [7, 13, 18, 22, 25, 27, 28, 28, 15, 29, 42, 54, 65, 75, 84, 92]);
        assert!(outcome.instructions > 500);
    }
}

#[test]
fn fuel_ends_a_launch() {
    let mut memory = Memory { pieces: vec![vec![0; 64]] };
    let arguments = [Argument::View(ViewArgument::dense(0, &[16]))];
    let options = Options { order: Order::Linear, fuel: Some(100) };
    let outcome = run(&check(reverse(false)).unwrap(), &Domain::new([16]), &mut memory, &arguments, &options).unwrap();
    assert_eq!(outcome.ending, Ending::OutOfFuel { fuel: 100 });
    assert!(outcome.instructions <= 100);
}

#[test]
fn a_barrier_that_some_threads_miss_is_divergence() {
    let mut b = Builder::new("diverge", 1, Some(&[4]));
    b.begin_entry();
    let local = b.value(InstKind::Builtin(Builtin::Local(0)), Pos::NONE);
    let two = b.constant(Const::i32(2));
    let condition = b.op(Op::Lt, &[local, two], Pos::NONE);
    let then = block(&mut b, |b| {
        b.emit(InstKind::Barrier(Fence::All), Pos::NONE);
        None
    });
    b.emit(InstKind::If { condition, then, otherwise: Block::default() }, Pos::NONE);
    let kernel = b.finish();
    for order in ORDERS {
        let options = Options { order, fuel: None };
        let outcome = run_inlined(&kernel, &Domain::new([8]), &mut Memory::default(), &[], &options).unwrap();
        let Ending::BarrierDivergence(divergence) = outcome.ending else { panic!("no divergence") };
        let sides: Vec<_> = divergence.sides.iter().map(|side| (&side.did, &side.threads[..])).collect();
        let arrived = Arrival::Barrier { rounds: vec![] };
        assert_eq!(sides, [(&arrived, &[0, 1][..]), (&Arrival::Returned, &[2, 3][..])]);
    }
}
