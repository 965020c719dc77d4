//! Rows that are calls: the row's own meaning, in Rust, for one lane.
//!
//! The address of the meaning is an argument of a function with a C signature, so that nothing depends on how Rust passes arrays.

use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Value, types};
use tilewise_ir::ops::{Each, Instance, Op, Whole};
use tilewise_ir::types::Scalar;

use super::super::pieces::{Pieces, scalar_type};
use super::Cx;
use super::steps::integer_of;
use crate::lanes::Elem;

/// Runs a meaning on four words.
#[allow(improper_ctypes_definitions, reason = "the pointer is only handed through")]
extern "C" fn run(meaning: Each, a: u64, b: u64, c: u64, d: u64) -> u64 {
    meaning([a, b, c, d])
}

/// Runs a meaning on up to eight words that the caller says the places of: four bits each, from the lowest; the top bits are the component.
#[allow(improper_ctypes_definitions, reason = "the pointer is only handed through")]
#[allow(clippy::too_many_arguments, reason = "each is a register or a word on the stack")]
extern "C" fn run_whole(
    meaning: Whole,
    width: u64,
    component: u64,
    places: u64,
    a: u64,
    b: u64,
    c: u64,
    d: u64,
    e: u64,
    f: u64,
    g: u64,
    h: u64,
    i: u64,
    j: u64,
    k: u64,
    l: u64,
) -> u64 {
    let mut args = [[0; 4]; 4];
    for (at, word) in [a, b, c, d, e, f, g, h, i, j, k, l].into_iter().enumerate() {
        let place = (places >> (4 * at)) as usize & 15;
        args[place / 4][place % 4] = word;
    }
    meaning(args, width as usize)[component as usize & 3]
}

/// A row that goes component by component, by a call for each lane.
pub(super) fn each(cx: &mut Cx<'_, '_>, op: Op, scalar: Scalar, result: Elem, args: &[Pieces]) -> Option<Pieces> {
    let meaning = op.each(scalar)?;
    Some(cx.by_lanes(result, args, |cx, args| {
        let mut words = vec![cx.at().iconst(types::I64, meaning as usize as i64); 5];
        for (to, &arg) in words[1..].iter_mut().zip(args) {
            *to = word(cx, arg);
        }
        called(cx, run as *const () as usize, &words, result)
    }))
}

/// A component of a row on whole vectors, by a call for each lane.
pub(super) fn whole(
    cx: &mut Cx<'_, '_>,
    op: Op,
    instance: Instance,
    args: &[Pieces],
    widths: &[u8],
    component: u8,
) -> Option<Pieces> {
    let meaning = op.whole(instance.scalar)?;
    let result = Elem::of(instance.result.scalar);
    let mut places = [15; 12];
    let filled =
        widths.iter().enumerate().flat_map(|(arg, &width)| (0..u64::from(width)).map(move |i| arg as u64 * 4 + i));
    places.iter_mut().zip(filled).for_each(|(to, place)| *to = place);
    let places = places.iter().enumerate().fold(0, |all, (at, place)| all | place << (4 * at));
    Some(cx.by_lanes(result, args, |cx, args| {
        let head = [meaning as usize as u64, instance.width.into(), component.into(), places];
        let mut words: Vec<Value> = head.iter().map(|&word| cx.at().iconst(types::I64, word as i64)).collect();
        for i in 0..12 {
            let next = match args.get(i) {
                Some(&arg) => word(cx, arg),
                None => cx.at().iconst(types::I64, 0),
            };
            words.push(next);
        }
        called(cx, run_whole as *const () as usize, &words, result)
    }))
}

/// A scalar as a word.
fn word(cx: &mut Cx<'_, '_>, arg: Pieces) -> Value {
    let bits = cx.as_int(arg);
    match bits.elem() {
        Elem::I64 => bits.first(),
        _ => cx.at().uextend(types::I64, bits.first()),
    }
}

/// Calls a function of words.
fn called(cx: &mut Cx<'_, '_>, function: usize, words: &[Value], result: Elem) -> Pieces {
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
