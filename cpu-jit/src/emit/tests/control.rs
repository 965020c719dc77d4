//! Branches, loops, exits, the poll and messages; and what becomes of code as a whole.

use tilewise_ir::check::check;
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::text::parse;
use tilewise_ir::types::{Scalar, Stored};

use super::super::{CodeForm, EmitOptions, compile, compile_for};
use super::{
    AddressStep, Effect, Elem, LaneType, MemorySpace, Test, Told, WIDTHS, address, aligned, bytes, noise, pointer, run,
    run_telling,
};
use crate::dump::{CodeChoice, DumpStage, dump};
use crate::emit::listing::listing;
use crate::lanes::{ExitStatus, LaneAddress, LaneProgram, Likely, MessageKind};

fn output_of(program: &LaneProgram, given: i64) -> (i64, u64) {
    let output = aligned(&[0x77; 64]);
    let (status, _) = run_telling(program, &[0, pointer(&output)], [given, 0, 0, 0], 0, 0);
    let bytes = bytes(&output);
    (status, u64::from_le_bytes(std::array::from_fn(|i| bytes[i])))
}

fn to_output(test: &Test) -> LaneAddress {
    address(MemorySpace::Buffer(1), test.to, AddressStep::Uniform, Stored::I64)
}

#[test]
fn a_branch_runs_one_arm_and_gives_its_results() {
    for likely in [Likely::Either, Likely::Then] {
        let mut test = Test::new(4);
        let (given, ten) = (test.b.given()[0], test.b.number(10));
        let condition = test.b.op(Op::Lt, Scalar::I64, &[given, ten]);
        test.b.open_arm();
        let more = test.b.op(Op::Add, Scalar::I64, &[given, ten]);
        let then = test.b.close(vec![more, given]);
        test.b.open_arm();
        let otherwise = test.b.close(vec![ten, ten]);
        let results = test.b.if_else(condition, then, otherwise, likely);
        let product = test.b.op(Op::Mul, Scalar::I64, &[results[0], results[1]]);
        test.store(to_output(&test), product, None);
        let program = test.finish();
        assert_eq!(output_of(&program, 3), (0, 39));
        assert_eq!(output_of(&program, 12), (0, 100));
    }
}

#[test]
fn a_loop_carries_its_parameters_and_swaps_them_all_at_once() {
    for width in WIDTHS {
        // Fibonacci: (a, b, n) -> (b, a + b, n - 1), the second in lanes as well.
        let mut test = Test::new(width);
        let i64s = LaneType::Scalar(Elem::I64);
        let (zero, one) = (test.b.number(0), test.b.number(1));
        let given = test.b.given()[0];
        let lanes = test.b.lanes(one);
        let lanes = if width == 1 { one } else { lanes };
        let lane_ty = test.b.ty(lanes);
        let params = test.b.open_loop(&[i64s, i64s, i64s, lane_ty]);
        let sum = test.b.op(Op::Add, Scalar::I64, &[params[0], params[1]]);
        let less = test.b.op(Op::Sub, Scalar::I64, &[params[2], one]);
        let doubled = test.b.op(Op::Add, Scalar::I64, &[params[3], params[3]]);
        let again = test.b.op(Op::Gt, Scalar::I64, &[less, zero]);
        let body = test.b.close(vec![params[1], sum, less, doubled]);
        let results = test.b.repeat(params, vec![zero, one, given, lanes], body, again);
        test.store(to_output(&test), results[0], None);
        let mut at = to_output(&test);
        at.displacement = 8;
        test.store(at, results[3], None);
        let program = test.finish();
        assert_eq!(output_of(&program, 10), (0, 55));
        assert_eq!(output_of(&program, 0), (0, 1), "the body runs once before it is asked");
        let output = aligned(&[0; 64]);
        run_telling(&program, &[0, pointer(&output)], [10, 0, 0, 0], 0, 0);
        assert_eq!(bytes(&output)[8..10], 1024_u16.to_le_bytes());
    }
}

/// Conditions that wait for one another are lowered by recursion, which must not be as deep as a
/// chain of them is long.
#[test]
fn a_condition_of_thousands_of_parts_needs_no_more_stack() {
    for op in [Op::And, Op::Or] {
        let mut test = Test::new(16);
        let number = test.b.load(LaneAddress { along: AddressStep::Uniform, ..test.source(Stored::I32) }, None);
        let mut all = test.b.constant(Elem::Bool, u64::from(op == Op::And));
        for n in 0..3000 {
            let n = test.b.constant(Elem::I32, n);
            let above = test.b.op(Op::Gt, Scalar::I32, &[number, n]);
            all = test.b.op(op, Scalar::Bool, &[all, above]);
        }
        let to = LaneAddress { along: AddressStep::Uniform, ..test.target(Stored::I32) };
        test.b.exit(all, ExitStatus::Interrupted);
        test.store(to, number, None);
        let program = test.finish();
        for (number, status) in [(6000, ExitStatus::Interrupted), (-1, ExitStatus::Done)] {
            let (from, to) = (aligned(&i32::to_le_bytes(number)), aligned(&[0; 4]));
            assert_eq!(run(&program, &[pointer(&from), pointer(&to)]), status as i64, "{op:?} of {number}");
        }
    }
}

#[test]
fn an_exit_ends_the_program_with_its_status() {
    let mut test = Test::new(8);
    let (given, seven) = (test.b.given()[0], test.b.number(7));
    let condition = test.b.op(Op::Eq, Scalar::I64, &[given, seven]);
    test.b.exit(condition, ExitStatus::Diverged);
    test.store(to_output(&test), seven, None);
    let program = test.finish();
    assert_eq!(output_of(&program, 7), (1, u64::from_le_bytes([0x77; 8])));
    assert_eq!(output_of(&program, 8), (0, 7));
}

#[test]
fn the_poll_is_asked_in_each_round_and_ends_a_loop_without_end() {
    let mut test = Test::new(4);
    test.b.poll();
    let one = test.b.number(1);
    let truth = test.b.truth(true);
    let param = test.b.open_loop(&[LaneType::Scalar(Elem::I64)]);
    test.b.poll();
    let next = test.b.op(Op::Add, Scalar::I64, &[param[0], one]);
    let body = test.b.close(vec![next]);
    test.b.repeat(param, vec![one], body, truth);
    let code = compile(&test.finish(), &EmitOptions::default()).expect("it compiles");
    let stop = std::sync::atomic::AtomicU32::new(0);
    let status = std::thread::scope(|scope| {
        let looping = scope.spawn(|| {
            let host = super::HostCalls { stop: &raw const stop, state: std::ptr::null_mut(), tell: super::tell };
            let mut arena = vec![super::Line([0; 64]); 64];
            // SAFETY: the program touches no memory but the stop flag.
            unsafe { code.call([0_u64; 2].as_ptr(), [0; 4], arena.as_mut_ptr().cast(), &raw const host) }
        });
        std::thread::sleep(std::time::Duration::from_millis(10));
        stop.store(1, std::sync::atomic::Ordering::Relaxed);
        looping.join()
    });
    assert_eq!(status.expect("it ended"), ExitStatus::Interrupted as i64);
}

#[test]
fn a_message_hands_over_lanes_thread_and_the_words_of_every_lane() {
    for width in WIDTHS {
        let lanes = width as usize;
        let mut test = Test::new(width);
        let mask = test.mask(128);
        let mut values = Vec::new();
        for stored in [Stored::F32, Stored::I64, Stored::Bool, Stored::U32] {
            let from = LaneAddress { along: AddressStep::Step(8), ..test.source(stored) };
            values.push(test.b.load(from, None));
        }
        values.push(test.b.given()[1]);
        let thread = test.b.given()[0];
        test.b.effect(Effect::Message { message: 3, thread, values, mask });
        let mut program = test.finish();
        program.messages = vec![(Pos::NONE, MessageKind::Abort); 4];
        let mut input = noise(2, 128);
        for lane in 0..16 {
            input[8 * lane] = lane as u8 & 1;
        }
        input.extend((0..16).map(|lane| u8::from(lane % 3 == 0)));
        let lines = aligned(&input);
        let (_, told) = run_telling(&program, &[pointer(&lines), 0], [1 << 40, -5, 0, 0], 0, 5 * lanes);
        let word = |lane: usize| u64::from_le_bytes(std::array::from_fn(|i| input[8 * lane + i]));
        let low = (0..lanes).map(|lane| word(lane) & 0xffff_ffff);
        let mut words: Vec<u64> = low.clone().chain((0..lanes).map(word)).collect();
        words.extend((0..lanes).map(|lane| lane as u64 & 1).chain(low));
        words.extend(vec![-5_i64 as u64; lanes]);
        let set = (0..lanes).filter(|lane| lane % 3 == 0).fold(0, |bits, lane| bits | 1 << lane);
        assert_eq!(told, [Told { message: 3, lanes: set, thread: 1 << 40, words }]);
    }
}

/// A program of some size.
fn some_program(width: u32) -> LaneProgram {
    let mut test = Test::new(width);
    let mask = test.mask(0);
    let a = test.b.load(test.source(Stored::F32), Some(mask));
    let sum = test.b.op(Op::Add, Scalar::F32, &[a, a]);
    test.b.at(Pos { source: 0, line: 12, column: 3, length: 4 });
    test.store(test.target(Stored::F32), sum, Some(mask));
    test.finish()
}

#[test]
fn code_names_the_lines_it_comes_from_and_can_be_read() {
    let code = compile(&some_program(16), &EmitOptions { text: true, ..EmitOptions::default() }).expect("it compiles");
    let lines: Vec<u32> = (0..code.size() as u32).map(|offset| code.pos_at(offset).line).collect();
    assert!(lines.contains(&12) && lines.contains(&0));
    let text = code.text().expect("it was asked for");
    assert!(text.contains("region"));
    let listing = listing(&code, &|pos| format!("line {}", pos.line));
    assert!(listing.contains("; line 12\n") && listing.lines().count() > 20, "{listing}");
}

#[test]
fn what_no_code_can_be_made_of_is_an_error_and_no_panic() {
    let mut program = some_program(4);
    program.types.clear();
    let why = compile(&program, &EmitOptions::default()).expect_err("values without types");
    assert!(why.0.starts_with("the compiler gave up"), "{why}");
}

#[test]
fn other_machines_get_code_too() {
    for machine in super::MACHINES {
        for width in WIDTHS {
            let bytes = compile_for(&some_program(width), &EmitOptions::default(), machine);
            assert!(bytes.as_ref().is_ok_and(|bytes| !bytes.is_empty()), "{machine}: {bytes:?}");
        }
    }
}

/// A code owns its mapping, so as many mappings are alive as codes.
#[test]
fn dropped_code_gives_its_memory_back() {
    let alive = || super::super::code::ALIVE.get();
    let program = some_program(4);
    drop(compile(&program, &EmitOptions::default()).expect("it compiles"));
    // The thunk stays.
    let before = alive();
    let code = compile(&program, &EmitOptions::default()).expect("it compiles");
    assert_eq!(alive(), before + 1);
    drop(code);
    assert_eq!(alive(), before);
}

#[test]
fn a_rare_arm_does_not_take_the_registers_of_the_code_before_it() {
    // The other arm of a power needs many registers, and x, the power and the lanes it is wanted for.
    let text = "kernel k(a: view<f32, 1, read>, b: view<f32, 1, read_write>) rank(1) {
        b[global[0]] = fast_math::pow(a[global[0]], 2.7);
    }";
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
    if !CodeForm::Avx512.is_native() {
        return;
    }
    let choice = CodeChoice { width: Some(64), form: Some(CodeForm::Avx512) };
    let asm = dump(&kernel, None, choice, DumpStage::Asm).unwrap_or_else(|why| panic!("{why}"));
    let usual = asm.lines().skip_while(|line| !line.contains("vdivps")).take_while(|line| !line.contains("jne"));
    let stored: Vec<&str> = usual.filter(|line| line.contains("vmov") && line.contains("[rsp")).collect();
    assert!(stored.is_empty(), "{stored:#?}");
}
