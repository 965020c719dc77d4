//! Runs a program in the lane interpreter and as machine code, in equal memory, and reports
//! differences.

use tilewise_ir::launch::{OutputCollector, Printed};
use tilewise_ir::print;

use super::super::interp::{LaneFault, LaneHost, MemoryPiece, PieceMemory, pointer, run};
use super::super::program::{ArgumentWord, LaneProgram, MessageKind};
use super::counted;
use super::make::{PRINTED, WORDS};
use super::places::{CONSTANT, PIECE, PIECES, PieceContents, contents, number, space};
use super::rng::ProgramRng;
use crate::emit::CodeForm;
use crate::emit::tests::{Told, aligned, bytes, pointer as address, run_on};

/// Bytes before and after a piece that must not change.
const GUARD: usize = 64;

/// Maximum steps of a program, far more than any takes.
const FUEL: u64 = 2_000_000;

/// The final state of a program.
pub(super) struct Left {
    status: i64,
    lines: Vec<Printed>,
    pieces: Vec<Vec<u8>>,
}

fn given(seed: u64) -> [i64; 4] {
    let mut rng = ProgramRng::new(seed ^ 0x5eed);
    let given: [i64; 4] = std::array::from_fn(|_| rng.below(100) as i64 - 50);
    // There is a first row.
    [given[0], given[0] + 1 + rng.below(20) as i64, given[2], given[3]]
}

fn pieces(seed: u64) -> Vec<Vec<u8>> {
    let mut rng = ProgramRng::new(seed ^ 0xda7a);
    (0..PIECES.len()).map(|piece| contents(piece, &mut rng)).collect()
}

/// The argument block, with pieces at these addresses.
fn words(program: &LaneProgram, seed: u64, at: &[u64]) -> Vec<u64> {
    let word = |input: &ArgumentWord| match *input {
        ArgumentWord::ViewBase(piece) => at[piece as usize],
        ArgumentWord::TableBase(_) => at[CONSTANT],
        ArgumentWord::Uniform(WORDS, i, elem) => number(elem, &mut ProgramRng::new(seed ^ u64::from(i) << 32)),
        other => counted::input(other).unwrap_or_else(|| panic!("{other:?} is no input of random programs")),
    };
    program.inputs.iter().map(word).collect()
}

/// Runs it in the lane interpreter.
pub(super) fn interpret(program: &LaneProgram, seed: u64) -> Result<Left, LaneFault> {
    let piece = |(i, bytes)| MemoryPiece { bytes, space: space(i) };
    let mut memory = PieceMemory::new(pieces(seed).into_iter().enumerate().map(piece).collect());
    memory.arm(program.arena);
    let at: Vec<u64> = (0..PIECES.len()).map(|piece| pointer(piece, 0)).collect();
    let mut host = LaneHost::with_fuel(FUEL);
    let status = run(program, &words(program, seed, &at), &mut memory, given(seed), &mut host)?;
    let (lines, _, _) = host.output.finish();
    let pieces = memory.pieces.into_iter().map(|piece| piece.bytes).collect();
    Ok(Left { status: status as i64, lines, pieces })
}

/// Runs it as machine code of an emitter. `None` if bytes around a piece were changed.
fn execute(form: CodeForm, program: &LaneProgram, seed: u64) -> Option<Left> {
    let guarded = |piece: Vec<u8>| aligned(&[vec![0x77; GUARD], piece, vec![0x77; GUARD]].concat());
    let pieces: Vec<_> = pieces(seed).into_iter().map(guarded).collect();
    let at: Vec<u64> = pieces.iter().map(|piece| address(piece) + GUARD as u64).collect();
    let values: usize = PRINTED.iter().map(|data| usize::from(data.width)).sum();
    let width = program.width as usize;
    let words = words(program, seed, &at);
    let (status, told) = run_on(form, program, &words, given(seed), 0, values * width);
    let mut output: OutputCollector = OutputCollector::default();
    for told in &told {
        say(program, told, &mut output);
    }
    let pieces: Vec<Vec<u8>> = pieces.iter().map(|piece| bytes(piece)).collect();
    let whole = |piece: &Vec<u8>| piece[..GUARD].iter().chain(&piece[GUARD + PIECE..]).all(|&byte| byte == 0x77);
    let pieces = pieces.iter().all(whole).then(|| pieces.iter().map(|piece| piece[GUARD..GUARD + PIECE].to_vec()))?;
    Some(Left { status, lines: output.finish().0, pieces: pieces.collect() })
}

/// The lines of one message.
fn say(program: &LaneProgram, told: &Told, output: &mut OutputCollector) {
    let (_, MessageKind::Print(message, data)) = &program.messages[told.message as usize] else { return };
    let width = program.width as usize;
    for lane in (0..width).filter(|lane| told.lanes >> lane & 1 != 0) {
        let components: Vec<u64> = told.words.chunks(width).map(|value| value[lane]).collect();
        let mut rest = components.as_slice();
        let values = data.iter().map(|&data| {
            let (own, others) = rest.split_at(usize::from(data.width));
            rest = others;
            (data, own)
        });
        output.print((told.thread as u64).wrapping_add(lane as u64), print::message(message, values));
    }
}

/// The difference, if there is one. A program that the interpreter rejects has none.
pub(super) fn difference(program: &LaneProgram, seed: u64) -> Option<String> {
    let expected = interpret(program, seed).ok()?;
    forms(program.width).find_map(|form| {
        let Some(found) = execute(form, program, seed) else {
            return Some(format!("{}: bytes around a piece of memory were changed", form.name()));
        };
        differ(&expected, &found).map(|what| format!("{}: {what}", form.name()))
    })
}

/// The emitters of this machine that compile programs of a width.
fn forms(width: u32) -> impl Iterator<Item = CodeForm> {
    CodeForm::ALL.into_iter().filter(move |&form| match form {
        CodeForm::Cranelift => width <= 16,
        CodeForm::Avx2 | CodeForm::Avx512 => width > 1 && form.is_native(),
    })
}

/// The difference between the results of two programs in the lane interpreter.
pub(super) fn differs(program: &LaneProgram, other: &LaneProgram, seed: u64) -> Option<String> {
    let expected = interpret(program, seed).ok()?;
    match interpret(other, seed) {
        Ok(found) => differ(&expected, &found),
        Err(fault) => Some(fault.to_string()),
    }
}

fn differ(expected: &Left, found: &Left) -> Option<String> {
    if expected.status != found.status {
        return Some(format!("ended with {} instead of {}", found.status, expected.status));
    }
    if expected.lines != found.lines {
        let pair = expected.lines.iter().zip(&found.lines).find(|(a, b)| a != b);
        let show = |line: &Printed| format!("{}: {}", line.thread, line.text);
        return Some(match pair {
            Some((a, b)) => format!("printed `{}` instead of `{}`", show(b), show(a)),
            None => format!("printed {} lines instead of {}", found.lines.len(), expected.lines.len()),
        });
    }
    for (i, (a, b)) in expected.pieces.iter().zip(&found.pieces).enumerate() {
        let size = match PIECES[i] {
            PieceContents::F16 => 2,
            PieceContents::F64 => 8,
            PieceContents::F32 | PieceContents::Integers => 4,
        };
        let differ = |(a, b): &(&[u8], &[u8])| a != b && !(is_nan(PIECES[i], a) && is_nan(PIECES[i], b));
        let mut pairs = a.chunks(size).zip(b.chunks(size));
        if let Some(at) = pairs.position(|pair| differ(&pair)) {
            let show =
                |bytes: &[u8]| bytes[at * size..][..size].iter().map(|byte| format!("{byte:02x} ")).collect::<String>();
            return Some(format!("piece {i} has {}instead of {}at byte {}", show(b), show(a), at * size));
        }
    }
    None
}

fn is_nan(holds: PieceContents, bytes: &[u8]) -> bool {
    let number = bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
    match holds {
        PieceContents::Integers => false,
        PieceContents::F16 => number & 0x7fff > 0x7c00,
        PieceContents::F32 => f32::from_bits(number as u32).is_nan(),
        PieceContents::F64 => f64::from_bits(number).is_nan(),
    }
}
