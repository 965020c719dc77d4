//! Rows that are calls: the row's own evaluation function, in Rust, for one lane.
//!
//! The address of that function is an argument of a function with a C signature, so that nothing
//! depends on how Rust passes arrays.

use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Value, types};
use tilewise_ir::ops::Each;

use super::super::pieces::{Pieces, scalar_type};
use super::steps::integer_of;
use super::{Cx, LaneCost};
use crate::lanes::Elem;

/// Calls an evaluation function on four words.
#[allow(improper_ctypes_definitions, reason = "the pointer is only handed through")]
extern "C" fn run(meaning: Each, a: u64, b: u64, c: u64, d: u64) -> u64 {
    meaning([a, b, c, d])
}

/// A componentwise row, with a call for each lane.
pub(super) fn each(cx: &mut Cx<'_, '_>, meaning: Each, result: Elem, args: &[Pieces]) -> Pieces {
    cx.by_lanes(result, args, &mut |cx, args| {
        let mut words = vec![cx.at().iconst(types::I64, meaning as usize as i64); 5];
        for (to, &arg) in words[1..].iter_mut().zip(args) {
            *to = word(cx, arg);
        }
        called(cx, run as *const () as usize, &words, result)
    })
}

/// Converts a scalar to a word.
fn word(cx: &mut Cx<'_, '_>, arg: Pieces) -> Value {
    let bits = cx.as_int(arg);
    match bits.elem() {
        Elem::I64 => bits.first(),
        _ => cx.at().uextend(types::I64, bits.first()),
    }
}

/// Calls a function of words.
fn called(cx: &mut Cx<'_, '_>, function: usize, words: &[Value], result: Elem) -> Pieces {
    cx.pace = LaneCost::Calls;
    let mut signature = Signature::new(cx.facts.call_conv);
    signature.params = vec![AbiParam::new(types::I64); words.len()];
    signature.returns = vec![AbiParam::new(types::I64)];
    let signature = cx.builder.import_signature(signature);
    let function = cx.at().iconst(types::I64, function as i64);
    let call = cx.at().call_indirect(signature, function, words);
    let word = cx.builder.inst_results(call)[0];
    let int = integer_of(result);
    let bits = if int == Elem::I64 { word } else { cx.at().ireduce(scalar_type(int), word) };
    cx.seen_as(result, Pieces::scalar(int, bits))
}
