//! Hand-written programs: how they print, what the verifier says of broken ones, what they do.

use expect_test::expect;
use tilewise_ir::launch::Ending;
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar, Stored};

use super::interp::{LaneFault, LaneHost, MemoryPiece, PieceMemory, pointer, run};
use super::{
    AddressStep, ArenaPart, ArenaSizes, ArgumentWord, Effect, Elem, ExitStatus, LaneAddress, LaneBuilder, LaneInst,
    LaneProgram, LaneType, LaneValue, Likely, MemorySpace, MessageKind, Node, verify,
};

/// `y[i] += a * x[i]`, and a line for each negative `x[i]`.
fn saxpy() -> LaneProgram {
    let mut b = LaneBuilder::new(4);
    let [_, _, first, end] = b.given();
    let x = b.input(ArgumentWord::ViewBase(0));
    let y = b.input(ArgumentWord::ViewBase(1));
    let a = b.input(ArgumentWord::Uniform(2, 0, Elem::F32));
    let at = b.open_loop(&[LaneType::Scalar(Elem::I64)])[0];
    b.at(Pos { source: 0, line: 3, column: 1, length: 1 });
    let four = b.number(4);
    let offset = b.op(Op::Mul, Scalar::I64, &[at, four]);
    let address = |base, space| LaneAddress {
        space: MemorySpace::Buffer(space),
        base,
        offset: Some(offset),
        displacement: 0,
        along: AddressStep::Step(4),
        stored: Stored::F32,
    };
    let own = b.load(address(x, 0), None);
    let old = b.load(address(y, 1), None);
    let product = b.op(Op::Mul, Scalar::F32, &[own, a]);
    let sum = b.op(Op::Add, Scalar::F32, &[old, product]);
    b.effect(Effect::Store { at: address(y, 1), value: sum, mask: None });
    b.at(Pos { source: 0, line: 4, column: 1, length: 1 });
    let zero = b.constant(Elem::F32, 0);
    let below = b.op(Op::Lt, Scalar::F32, &[own, zero]);
    let any = b.any(below);
    b.open_arm();
    b.effect(Effect::Message { message: 0, thread: at, values: vec![own], mask: below });
    let then = b.close(Vec::new());
    b.open_arm();
    let otherwise = b.close(Vec::new());
    b.if_else(any, then, otherwise, Likely::Either);
    b.at(Pos::NONE);
    b.poll();
    let next = b.op(Op::Add, Scalar::I64, &[at, four]);
    let again = b.op(Op::Lt, Scalar::I64, &[next, end]);
    let body = b.close(vec![next]);
    b.repeat(vec![at], vec![first], body, again);
    let mut program = b.finish("saxpy".into(), ArenaSizes { tile_static: 16, ..ArenaSizes::default() });
    program.writable = vec![false, true];
    let message = tilewise_ir::kernel::Message {
        pieces: vec!["x is ".into(), "".into()],
        values: Vec::new(),
        formats: Vec::new(),
    };
    let pos = Pos { source: 0, line: 4, column: 1, length: 1 };
    program.messages = vec![(pos, MessageKind::Print(message, vec![Data::F32]))];
    program
}

#[test]
fn a_program_prints_its_structure_and_types() {
    expect![[r#"
        program saxpy, width 4, given %s0, %s1, %s2, %s3, tile_static 16 bytes
        nobody writes buffer0
        message 0: print "x is {}"  ; line 4
        %s4 = input base of param 0
        %s5 = input base of param 1
        %s6 = input f32 component 0 of param 2
        %s8 = const.i64 4  ; line 3
        %v12 = splat %s6  ; line 3
        %s15 = const.f32 0  ; line 4
        %v16 = splat %s15  ; line 4
        %s21 = loop %s7: i64 = %s2 {
          %s9 = mul.i64 %s7, %s8  ; line 3
          %v10 = load.f32 buffer0[%s4 + %s9 | step 4]  ; line 3
          %v11 = load.f32 buffer1[%s5 + %s9 | step 4]  ; line 3
          %v13 = mul.f32 %v10, %v12  ; line 3
          %v14 = add.f32 %v11, %v13  ; line 3
          store.f32 buffer1[%s5 + %s9 | step 4], %v14  ; line 3
          %m17 = lt.f32 %v10, %v16  ; line 4
          %s18 = any %m17  ; line 4
          if %s18 {
            message 0 thread %s7, %v10 where %m17  ; line 4
          }
          poll
          %s19 = add.i64 %s7, %s8
          %s20 = lt.i64 %s19, %s3
          give %s19
        } again if %s20
    "#]]
    .assert_eq(&saxpy().to_string());
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn buffers(buffers: &[&[f32]]) -> PieceMemory {
    let piece =
        |(i, values): (usize, &&[f32])| MemoryPiece { bytes: floats(values), space: MemorySpace::Buffer(i as u16) };
    let mut memory = PieceMemory::new(buffers.iter().enumerate().map(piece).collect());
    memory.arm(ArenaSizes { tile_static: 16, ..ArenaSizes::default() });
    memory
}

fn words() -> Vec<u64> {
    vec![pointer(0, 0), pointer(1, 0), u64::from(2.0f32.to_bits())]
}

#[test]
fn conjunctions_with_what_they_imply_need_no_instruction() {
    let mut b = LaneBuilder::new(4);
    let [w, x, y, z] = b.given();
    let [p, q, r] = [[w, x], [x, y], [y, z]].map(|numbers| b.op(Op::Lt, Scalar::I64, &numbers));
    let both = b.and(p, q);
    let all = b.and(both, r);
    assert_eq!([b.and(p, all), b.and(all, q), b.and(all, both)], [all; 3]);
    // Of the lanes in a loop, those that have not left.
    let not = b.not(r);
    let left = b.and(both, not);
    let stay = b.not(left);
    assert_eq!(b.and(both, stay), all);
    assert_eq!(b.and(all, stay), all);
    // `p` alone says nothing of `left`.
    let more = b.and(p, stay);
    assert!(![p, stay, all].contains(&more));
}

#[test]
fn a_program_does_what_it_says() {
    let program = saxpy();
    assert_eq!(verify(&program), Ok(()));
    let mut memory = buffers(&[&[1.0, -2.0, 3.0, 4.0, 5.0, 6.0, 7.0, -8.0], &[10.0; 8]]);
    let mut host = LaneHost::with_fuel(1000);
    assert_eq!(run(&program, &words(), &mut memory, [0, 1, 0, 8], &mut host), Ok(ExitStatus::Done));
    assert_eq!(memory.pieces[1].bytes, floats(&[12.0, 6.0, 16.0, 18.0, 20.0, 22.0, 24.0, -6.0]));
    let outcome = host.output.outcome(Ending::Completed, 0);
    let lines: Vec<(u64, &str)> = outcome.printed.iter().map(|line| (line.thread, line.text.as_str())).collect();
    assert_eq!(lines, [(1, "x is -2"), (7, "x is -8")]);
}

#[test]
fn an_access_beyond_its_memory_is_a_fault_that_names_the_node() {
    let mut memory = buffers(&[&[1.0; 6], &[10.0; 8]]);
    let fault = run(&saxpy(), &words(), &mut memory, [0, 1, 0, 8], &mut LaneHost::with_fuel(1000)).unwrap_err();
    expect!["`%v10 = load.f32 buffer0[%s4 + %s9 | step 4]`: bytes 24 to 28 of 24 are accessed by lane 2 (line 3)"]
        .assert_eq(&fault.to_string());
    let swapped = [pointer(1, 0), pointer(0, 0), 0];
    let fault = run(&saxpy(), &swapped, &mut memory, [0, 1, 0, 4], &mut LaneHost::with_fuel(1000)).unwrap_err();
    expect![
        "`%v10 = load.f32 buffer0[%s4 + %s9 | step 4]`: the address lies in memory of another space by lane 0 (line 3)"
    ]
    .assert_eq(&fault.to_string());
}

#[test]
fn fuel_and_interrupts_end_a_program() {
    let endless = |given| {
        let mut memory = buffers(&[&[1.0; 4], &[10.0; 4]]);
        let end = || true;
        let mut host = LaneHost { interrupt: &end, ..LaneHost::with_fuel(12) };
        run(&saxpy(), &words(), &mut memory, given, &mut host)
    };
    assert_eq!(endless([0, 1, 0, 4]), Err(LaneFault::OutOfFuel));
    let mut memory = buffers(&[&[1.0; 4], &[10.0; 4]]);
    let end = || true;
    let mut host = LaneHost { interrupt: &end, ..LaneHost::with_fuel(1000) };
    assert_eq!(run(&saxpy(), &words(), &mut memory, [0, 1, 0, 4], &mut host), Ok(ExitStatus::Interrupted));
}

/// What the verifier says after a change to a good program.
fn broken(change: impl FnOnce(&mut LaneProgram)) -> String {
    let mut program = saxpy();
    change(&mut program);
    verify(&program).expect_err("the program is broken")
}

/// The first node of the loop's body that is wanted.
fn find(program: &mut LaneProgram, wanted: impl Fn(&Node) -> bool) -> &mut Node {
    let body = program
        .body
        .nodes
        .iter_mut()
        .find_map(|node| if let Node::Loop { body, .. } = node { Some(body) } else { None });
    body.expect("there is a loop").nodes.iter_mut().find(|node| wanted(node)).expect("there is such a node")
}

#[test]
fn the_verifier_names_the_node_and_the_rule() {
    let store = |node: &Node| matches!(node, Node::Do { effect: Effect::Store { .. }, .. });
    let load = |node: &Node| matches!(node, Node::Let { inst: LaneInst::Load { .. }, .. });
    let mut said = Vec::new();
    said.push(broken(|program| program.writable[1] = false));
    said.push(broken(|program| program.writable.truncate(1)));
    said.push(broken(|program| {
        program.inputs.truncate(2);
    }));
    said.push(broken(|program| program.messages[0].1 = MessageKind::Abort));
    said.push(broken(|program| {
        if let Node::Do { effect: Effect::Store { value, .. }, .. } = find(program, store) {
            *value = LaneValue(6);
        }
    }));
    said.push(broken(|program| {
        if let Node::Let { inst: LaneInst::Load { at, .. }, .. } = find(program, load) {
            at.along = AddressStep::Uniform;
        }
    }));
    said.push(broken(|program| {
        if let Node::Let { inst: LaneInst::Load { mask, .. }, .. } = find(program, load) {
            *mask = Some(LaneValue(0));
        }
    }));
    said.push(broken(|program| {
        if let Node::Let { inst: LaneInst::Op { scalar, .. }, .. } = find(program, |node| {
            matches!(node, Node::Let { inst: LaneInst::Op { op: Op::Mul, scalar: Scalar::F32, .. }, .. })
        }) {
            *scalar = Scalar::I32;
        }
    }));
    said.push(broken(|program| {
        let copy = find(program, load).clone();
        program.body.nodes.push(copy);
    }));
    said.push(broken(|program| {
        if let Some(Node::Loop { init, .. }) = program.body.nodes.last_mut() {
            init.clear();
        }
    }));
    said.push(broken(|program| {
        let condition = LaneValue(program.types.len() as u32 - 2);
        program.body.nodes.push(Node::Exit { condition, status: ExitStatus::Done });
    }));
    expect![[r#"
        `store.f32 buffer1[%s5 + %s9 | step 4], %v14`: nobody writes to this space
        `%v11 = load.f32 buffer1[%s5 + %s9 | step 4]`: there is no such buffer space
        `%s6 = input number 2`: there is no such input
        `message 0 thread %s7, %v10 where %m17`: the message has another number of values
        `store.f32 buffer1[%s5 + %s9 | step 4], %s6`: a scalar is stored at a uniform address and without a mask
        `%v10 = load.f32 buffer0[%s4 + %s9]`: %v10 is `f32` lanes, what it is computed by gives a scalar `f32`
        `%v10 = load.f32 buffer0[%s4 + %s9 | step 4] where %s0`: %s0 is a scalar `i64`, not a mask
        `%v13 = mul.i32 %v10, %v12`: %v10 is `f32` lanes, not `i32` lanes
        `%v10 = load.f32 buffer0[%s4 + %s9 | step 4]`: %s9 is used outside of its scope
        `%s21 = loop`: 0 values are given where 1 are taken
        `exit done if %s20`: %s20 is used outside of its scope"#]]
    .assert_eq(&said.join("\n"));
}

#[test]
fn the_arena_is_read_a_little_beyond_its_parts_and_not_further() {
    let load = |displacement| {
        let mut b = LaneBuilder::new(1);
        let base = b.here(LaneInst::Arena(ArenaPart::TileStatic), LaneType::Scalar(Elem::I64));
        let space = MemorySpace::Arena(ArenaPart::TileStatic);
        let at =
            LaneAddress { space, base, offset: None, displacement, along: AddressStep::Uniform, stored: Stored::I32 };
        b.load(at, None);
        let program = b.finish("k".into(), ArenaSizes { tile_static: 16, ..ArenaSizes::default() });
        assert_eq!(verify(&program), Ok(()));
        run(&program, &[], &mut buffers(&[]), [0; 4], &mut LaneHost::with_fuel(10)).is_ok()
    };
    assert!(load(12) && load(16 + 60) && load(-64));
    assert!(!load(16 + 61) && !load(-65));
}

/// A mask is found again where the scalars that describe it are new: in an attempt that is rolled back, in an arm.
#[test]
fn what_describes_a_mask_is_available_where_the_mask_is() {
    let mut b = LaneBuilder::new(8);
    let [first, end, ..] = b.given();
    let place = b.op(Op::ToI32, Scalar::I64, &[first]);
    let places = b.lanes(place);
    let lane = b.pure(LaneInst::Lane, LaneType::Lanes(Elem::I32));
    let mask = b.op(Op::Eq, Scalar::I32, &[places, lane]);
    let describe = |b: &mut LaneBuilder| {
        let any = b.op(Op::Lt, Scalar::I64, &[first, end]);
        let all = b.truth(false);
        b.describe(mask, any, all);
    };
    let mark = b.mark();
    describe(&mut b);
    assert!(b.is_described(mask));
    b.back_to(&mark);
    assert!(!b.is_described(mask), "by values that are gone");
    b.open_arm();
    describe(&mut b);
    assert!(!b.is_described(mask), "by values of the arm");
    b.close(Vec::new());
    describe(&mut b);
    assert!(b.is_described(mask));
}
