//! A kernel of the sweep for a row: its text, its memory, and the results that it must give.

use std::fmt::Write as _;

use tilewise_ir::check::Checked;
use tilewise_ir::diag::Colour;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};
use tilewise_ir::ops::{Lanes, Op, OpRow, Oracle};
use tilewise_ir::types::{Data, Scalar};

use super::forms::{CapturedValue, OperandForm, OperandSource, SweepShape};
use super::oracle::judge::{judge, oracle, result_type, same, slot_width};
use super::values::{Tuple, shown};
use crate::kir::case;
use crate::tolerance::Tolerance;

/// The byte that fills outputs before a launch: an element that was not written shows.
const POISON: u8 = 0xa5;

/// Bytes behind each output, which no launch may write.
const GUARD: usize = 64;

/// A row at one scalar, with its oracle.
#[derive(Clone, Debug)]
pub(super) struct SweptRow {
    pub(super) row: &'static OpRow,
    pub(super) scalar: Scalar,
    /// The scalar of each argument.
    pub(super) types: Vec<Scalar>,
    pub(super) oracle: Oracle,
}

impl SweptRow {
    /// The error names a row that no oracle judges, or more than one.
    pub(super) fn new(op: Op, scalar: Scalar) -> Result<SweptRow, String> {
        let row = op.row();
        let types = super::oracle::arguments::scalars(row, scalar);
        Ok(SweptRow { row, scalar, types, oracle: oracle(row, scalar)? })
    }

    pub(super) fn result(&self, width: usize) -> Data {
        result_type(self.row, self.scalar, width)
    }

    /// The result by the oracle.
    pub(super) fn expected(&self, operands: [Lanes; 4], width: usize) -> Lanes {
        // `new` found that the oracle judges the row at this scalar.
        judge(self.oracle, self.row, self.scalar, operands, width).unwrap_or_default()
    }
}

/// A kernel.
#[derive(Clone, Debug)]
pub(super) struct SweepProgram {
    pub(super) shape: SweepShape,
    pub(super) forms: Vec<OperandForm>,
    pub(super) captured: Vec<CapturedValue>,
    pub(super) text: String,
    pub(super) kernel: Checked<Kernel>,
    /// The views of operands: slot and width.
    inputs: Vec<(usize, usize)>,
    /// The views of results: the width, and the forms that write there.
    outputs: Vec<(usize, Vec<usize>)>,
}

/// The type of an element in memory; truth values are stored as words.
fn stored(scalar: Scalar) -> Scalar {
    if scalar == Scalar::Bool { Scalar::U32 } else { scalar }
}

fn type_name(scalar: Scalar, width: usize) -> String {
    if width == 1 { scalar.name().to_owned() } else { format!("{}x{width}", scalar.name()) }
}

impl SweepProgram {
    /// The kernel of these forms. The error is that of the checker.
    pub(super) fn new(
        swept: &SweptRow,
        shape: SweepShape,
        forms: Vec<OperandForm>,
        captured: Vec<CapturedValue>,
    ) -> Result<SweepProgram, String> {
        let SweptRow { row, types, .. } = swept;
        let mut inputs: Vec<(usize, usize)> = Vec::new();
        let mut outputs: Vec<(usize, Vec<usize>)> = Vec::new();
        for (number, form) in forms.iter().enumerate() {
            for (slot, source) in form.sources.iter().enumerate() {
                let input = (slot, slot_width(row.args[slot].width, form.width));
                if *source == OperandSource::Memory && !inputs.contains(&input) {
                    inputs.push(input);
                }
            }
            let width = usize::from(swept.result(form.width).width);
            match outputs.iter_mut().find(|output| output.0 == width) {
                Some(output) => output.1.push(number),
                None => outputs.push((width, vec![number])),
            }
        }
        let mut params = Vec::new();
        for &(slot, width) in &inputs {
            params.push(format!("a{slot}w{width}: view<{}, 1, read>", type_name(stored(types[slot]), width)));
        }
        for (number, value) in captured.iter().enumerate() {
            params.push(format!("held{number}: {}", types[value.slot].name()));
        }
        let result = swept.result(1).scalar;
        for (width, _) in &outputs {
            params.push(format!("o{width}: view<{}, 2, read_write>", type_name(stored(result), *width)));
        }
        let mut text = format!("kernel sweep({}) {} {{\n", params.join(", "), shape.attribute());
        let _ = writeln!(text, "    let i = {};", shape.index());
        for (width, numbers) in &outputs {
            for (at, &number) in numbers.iter().enumerate() {
                let value = forms[number].text(row, types);
                let value = if result == Scalar::Bool { format!("to_u32({value})") } else { value };
                let _ = writeln!(text, "    o{width}[{at}, i] = {value};");
            }
        }
        text += "}\n";
        let kernel = case::compile("sweep.kir", &text)
            .map_err(|rejection| format!("the kernel is rejected\n{}\n{text}", rejection.render(Colour::Never)))?;
        Ok(SweepProgram { shape, forms, captured, text, kernel, inputs, outputs })
    }

    /// The arguments, and the memory before the launch, of this many threads.
    pub(super) fn bind(
        &self,
        swept: &SweptRow,
        tuples: &[Tuple],
        threads: usize,
    ) -> (Domain, Vec<Argument>, LaunchMemory) {
        let mut allocations = Vec::new();
        let mut arguments = Vec::new();
        for &(slot, width) in &self.inputs {
            let size = stored(swept.types[slot]).bits() as usize / 8;
            let component = |at: usize| tuples[at % tuples.len()][slot].to_le_bytes().into_iter().take(size);
            arguments.push(Argument::View(ViewArgument::dense(allocations.len(), &[threads as i32])));
            allocations.push((0..threads * width).flat_map(component).collect());
        }
        for value in &self.captured {
            let size = (swept.types[value.slot].bits() as usize).div_ceil(8);
            arguments.push(Argument::Uniform(value.bits.to_le_bytes()[..size].to_vec()));
        }
        for (width, numbers) in &self.outputs {
            let size = stored(swept.result(1).scalar).bits() as usize / 8;
            let extent = [numbers.len() as i32, threads as i32];
            arguments.push(Argument::View(ViewArgument::dense(allocations.len(), &extent)));
            allocations.push(vec![POISON; numbers.len() * threads * width * size + GUARD]);
        }
        (Domain::new(self.shape.domain(threads)), arguments, LaunchMemory::new(allocations))
    }

    /// The results that the forms must give: of each form those of each thread, component by
    /// component. `known` has the results of single tuples of a row that works by component.
    pub(super) fn expected(
        &self,
        swept: &SweptRow,
        tuples: &[Tuple],
        threads: usize,
        known: Option<&[u64]>,
    ) -> Vec<Vec<u64>> {
        let of_form = |form: &OperandForm| {
            let width = usize::from(swept.result(form.width).width);
            let mut out = Vec::with_capacity(threads * width);
            for thread in 0..threads {
                match known {
                    Some(known) if form.is_of_memory() => {
                        out.extend((0..width).map(|c| known[(thread * width + c) % known.len()]));
                    }
                    _ => {
                        let operands = form.operands(swept.row, tuples, &self.captured, thread);
                        out.extend(&swept.expected(operands, form.width)[..width]);
                    }
                }
            }
            out
        };
        self.forms.iter().map(of_form).collect()
    }

    /// The first difference between the memory that a launch left and the expected results.
    pub(super) fn difference(
        &self,
        swept: &SweptRow,
        tuples: &[Tuple],
        (before, after): (&LaunchMemory, &LaunchMemory),
        expected: &[Vec<u64>],
        tolerance: Tolerance,
    ) -> Option<String> {
        let inputs = self.inputs.len();
        if let Some(slot) = (0..inputs).find(|&i| before.allocations[i] != after.allocations[i]) {
            return Some(format!("the launch changes its operand a{}w{}", self.inputs[slot].0, self.inputs[slot].1));
        }
        let result = swept.result(1).scalar;
        let size = stored(result).bits() as usize / 8;
        let value = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        for ((width, numbers), bytes) in self.outputs.iter().zip(&after.allocations[inputs..]) {
            let mut wrong = Vec::new();
            for (element, &number) in bytes.chunks(bytes.len().saturating_sub(GUARD) / numbers.len()).zip(numbers) {
                let got = element.chunks_exact(size).map(value);
                let differing = got
                    .zip(&expected[number])
                    .enumerate()
                    .filter(|(_, (a, b))| !same(result, *a, **b) && !tolerance.allows_scalar(**b, *a, result));
                wrong.extend(differing.map(|(at, (got, &want))| (number, at, got, want)));
            }
            if let Some(&(number, at, got, want)) = wrong.first() {
                let form = &self.forms[number];
                let thread = at / width;
                let mut out = format!(
                    "{} wrong, the first in thread {thread}, component {} of `{}` {}\n",
                    wrong.len(),
                    at % width,
                    form.text(swept.row, &swept.types),
                    self.shape.attribute(),
                );
                let operands = form.operands(swept.row, tuples, &self.captured, thread);
                for (slot, (&scalar, lanes)) in swept.row.args.iter().zip(swept.types.iter().zip(&operands)) {
                    let lanes = &lanes[..slot_width(slot.width, form.width)];
                    let lanes: Vec<String> = lanes.iter().map(|&bits| shown(scalar, bits)).collect();
                    let _ = writeln!(out, "  {} = {}", slot.name, lanes.join(", "));
                }
                let poison = u64::from_le_bytes([POISON; 8]) >> (64 - 8 * size);
                let lost = if got == poison { ", which was there before the launch" } else { "" };
                let _ = write!(out, "  got      {}{lost}\n  expected {}", shown(result, got), shown(result, want));
                return Some(out);
            }
            if bytes[bytes.len() - GUARD..].iter().any(|&byte| byte != POISON) {
                return Some(format!("the launch writes behind the view o{width}"));
            }
        }
        None
    }
}
