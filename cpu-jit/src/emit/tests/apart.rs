//! Arms that are compiled apart, when they first run.

use std::sync::atomic::AtomicU32;

use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::super::{CodeForm, EmitOptions, MachineCode, compile};
use super::{Elem, HostCalls, LaneProgram, Line, Test, WIDTHS, aligned, bytes, pointer, tell};
use crate::lanes::{ExitStatus, LaneBlock, LaneInst, LaneValue, Likely, Node};

const LAZY: EmitOptions =
    EmitOptions { text: false, whole: false, apart: 0, soon: EmitOptions::WELL, form: CodeForm::Cranelift };

fn call(code: &MachineCode, words: &[u64], given: i64) -> i64 {
    let stop = AtomicU32::new(0);
    let host = HostCalls { stop: &raw const stop, state: std::ptr::null_mut(), tell };
    let mut arena = vec![Line([0; 64]); 64];
    // SAFETY: the words lead to memory of the test that is as large as its program needs; the arena is large enough.
    unsafe { code.call(words.as_ptr(), [given, 7, 0, 0], arena.as_mut_ptr().cast(), &raw const host) }
}

/// Where the first number given is not 0: twice what is in the first buffer is stored. Else an arm that seldom runs adds the second number given to what is there, in a
/// loop three times, and stores that; and ends the program if the first lane's number was 100.
fn program(width: u32) -> LaneProgram {
    let mut test = Test::new(width);
    let [first, second, ..] = test.b.given();
    let zero = test.b.number(0);
    let usual = test.b.op(Op::Ne, Scalar::I64, &[first, zero]);
    let before = test.b.load(test.source(Stored::I32), None);
    // Nothing but the arm needs it.
    let small = test.b.op(Op::ToI32, Scalar::I64, &[second]);
    let small = test.b.lanes(small);
    test.b.open_arm();
    let twice = test.b.op(Op::Add, Scalar::I32, &[before, before]);
    let then = test.b.close(vec![twice]);
    test.b.open_arm();
    let sum = thrice(&mut test, before, small);
    let hundred = test.b.constant(Elem::I32, 100);
    let hundred = test.b.lanes(hundred);
    let is_hundred = test.b.op(Op::Eq, Scalar::I32, &[before, hundred]);
    let over = test.b.any(is_hundred);
    test.b.exit(over, ExitStatus::Interrupted);
    let otherwise = test.b.close(vec![sum]);
    let results = test.b.if_else(usual, then, otherwise, Likely::Then);
    let to = test.target(Stored::I32);
    test.store(to, results[0], None);
    test.finish()
}

fn thrice(test: &mut Test, start: LaneValue, by: LaneValue) -> LaneValue {
    let (zero, one, three) = (test.b.number(0), test.b.number(1), test.b.number(3));
    let types = [test.b.ty(zero), test.b.ty(start)];
    let params = test.b.open_loop(&types);
    let sum = test.b.op(Op::Add, Scalar::I32, &[params[1], by]);
    let next = test.b.op(Op::Add, Scalar::I64, &[params[0], one]);
    let again = test.b.op(Op::Lt, Scalar::I64, &[next, three]);
    let body = test.b.close(vec![next, sum]);
    test.b.repeat(params, vec![zero, start], body, again)[1]
}

#[test]
fn an_arm_that_seldom_runs_is_compiled_when_it_runs_and_does_what_it_should() {
    for width in WIDTHS {
        let program = program(width);
        let lanes = width as usize;
        let input: Vec<u8> = (0..lanes as i32).flat_map(|n| (n * 3).to_le_bytes()).collect();
        let (from, to) = (aligned(&input), aligned(&[0; 64]));
        let words = [pointer(&from), pointer(&to)];
        let stored = || -> Vec<i32> {
            let words = bytes(&to);
            words.chunks(4).take(lanes).map(|word| i32::from_le_bytes(std::array::from_fn(|i| word[i]))).collect()
        };
        let expected = |f: fn(i32) -> i32| -> Vec<i32> { (0..lanes as i32).map(|n| f(n * 3)).collect() };
        let code = compile(&program, &LAZY).expect("it compiles");
        assert_eq!(call(&code, &words, 1), 0);
        assert_eq!((stored(), code.parts().count()), (expected(|n| n + n), 1));
        for _ in 0..2 {
            assert_eq!(call(&code, &words, 0), 0);
            assert_eq!(stored(), expected(|n| n + 21));
            assert_eq!(code.parts().count(), 2);
        }
        assert_eq!(call(&code, &words, 1), 0);
        assert_eq!(stored(), expected(|n| n + n));
    }
}

#[test]
fn an_arm_that_is_compiled_apart_can_end_the_program() {
    for width in WIDTHS {
        let code = compile(&program(width), &LAZY).expect("it compiles");
        let (from, to) = (aligned(&100_i32.to_le_bytes()), aligned(&[9; 64]));
        let words = [pointer(&from), pointer(&to)];
        assert_eq!(call(&code, &words, 0), ExitStatus::Interrupted as i64);
        assert_eq!(bytes(&to), [9; 64]);
        assert!(code.failure().is_none());
    }
}

#[test]
fn what_cannot_be_compiled_is_known_at_once_where_that_is_asked_for() {
    let mut program = program(8);
    let code = compile(&program, &EmitOptions { whole: true, ..LAZY }).expect("it compiles");
    assert_eq!(code.parts().count(), 2);
    break_arm(&mut program.body);
    let lazy = compile(&program, &LAZY).expect("the rest compiles");
    let (from, to) = (aligned(&[1; 64]), aligned(&[9; 64]));
    let words = [pointer(&from), pointer(&to)];
    assert_eq!(call(&lazy, &words, 0), super::super::FAILED);
    assert!(lazy.failure().is_some());
    assert_eq!(bytes(&to), [9; 64]);
    assert!(compile(&program, &EmitOptions { whole: true, ..LAZY }).is_err());
}

/// In the arm stands an operation that is none for single numbers.
fn break_arm(block: &mut LaneBlock) {
    let arms = block
        .nodes
        .iter_mut()
        .filter_map(|node| if let Node::If { otherwise, .. } = node { Some(otherwise) } else { None });
    for node in arms.flat_map(|arm| &mut arm.nodes) {
        if let Node::Let { inst: LaneInst::Op { op, .. }, .. } = node {
            *op = Op::Dot;
        }
    }
}
