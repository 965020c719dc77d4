//! Bitwise operations that become one instruction.
//!
//! - A tree of `and`, `or`, `xor` and `not` over at most three values is a function of three bits.
//!   AVX-512 has one instruction for each of the 256 such functions, AVX2 for `a & !b`.
//! - `(high << k) | (low >> (32 - k))` takes bits from two values in sequence: a rotation, if the two
//!   are one, otherwise an instruction of VBMI2. `+` and `^` in place of `|` are the same, since no bit
//!   is set in both.
//! - `(a & b) != 0` and `(a & b) == 0` are one test, which makes a mask.
//!
//! What a merge computes in between has no other use, and lies in the same block: otherwise it would
//! be computed more often than before.

use iced_x86::Code;
use smallvec::SmallVec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::{BitwiseOp, Op};
use tilewise_ir::types::Scalar;

use super::folding::constant_in;
use super::lower::{Lowered, WideLowering};
use super::machine::WideMachine;
use super::vcode::RegisterView;
use super::vectors::{Parts, WideValue, bits_of, is_wide, sized};
use super::writer::{CodeWriter, InstOperand, at_length, vector};
use crate::emit::op::compare::CompareRow;
use crate::emit::op::table::{OpWriter, lowering};
use crate::hash::HashMap;
use crate::lanes::{Elem, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node, operands};

/// The values that a function of three bits has as its arguments, as the numbers of its table say them: bit `i`
/// of a table is the result where the arguments have the bits of `i`.
const ARGUMENTS: [u8; 3] = [0xf0, 0xcc, 0xaa];
/// `a & !b`, by its table.
const WITHOUT_SECOND: u8 = ARGUMENTS[0] & !ARGUMENTS[1];
/// `!a & b`.
const WITHOUT_FIRST: u8 = !ARGUMENTS[0] & ARGUMENTS[1];

/// What a value is computed as, in place of the operation that defines it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BitMerge {
    /// A function of two or three values, bit by bit.
    Logic { arguments: SmallVec<[LaneValue; 3]>, table: u8 },
    /// The bits of `high` from bit 0 on moved up, and behind them the topmost bits of `low`.
    Funnel { high: LaneValue, low: LaneValue, by: u8 },
    /// Have two values a bit in common, or none?
    Test { values: [LaneValue; 2], common: bool },
}

impl BitMerge {
    /// The values that it is computed from.
    pub(super) fn operands(&self) -> SmallVec<[LaneValue; 3]> {
        match self {
            BitMerge::Logic { arguments, .. } => arguments.clone(),
            BitMerge::Funnel { high, low, .. } if high == low => SmallVec::from_slice(&[*high]),
            BitMerge::Funnel { high, low, .. } => SmallVec::from_slice(&[*high, *low]),
            BitMerge::Test { values, .. } => SmallVec::from_slice(values),
        }
    }

    /// May operand `i` be memory?
    pub(super) fn folds(&self, i: usize) -> bool {
        match self {
            BitMerge::Logic { arguments, .. } => i == 2 && arguments.len() == 3,
            BitMerge::Funnel { .. } => i + 1 == self.operands().len(),
            BitMerge::Test { values: [a, b], .. } => i == 1 && a != b,
        }
    }
}

/// Finds the merges of a program. The uses of values are those of the code with the merges when it is done.
pub(super) struct MergeSearch<'s, 'p> {
    machine: WideMachine,
    program: &'p LaneProgram,
    definitions: &'s [Option<&'p LaneInst>],
    /// The number of uses of each value.
    uses: &'s mut [u32],
    /// The block of each value that has been seen.
    blocks: Vec<u32>,
    /// The number of blocks seen.
    count: u32,
    merges: HashMap<LaneValue, BitMerge>,
}

impl<'s, 'p> MergeSearch<'s, 'p> {
    /// The merges of a program whose values are used so often and defined so.
    pub(super) fn find(
        program: &'p LaneProgram,
        machine: WideMachine,
        definitions: &'s [Option<&'p LaneInst>],
        uses: &'s mut [u32],
    ) -> HashMap<LaneValue, BitMerge> {
        let blocks = vec![0; definitions.len()];
        let mut search =
            MergeSearch { machine, program, definitions, uses, blocks, count: 0, merges: HashMap::default() };
        search.block(&program.body);
        search.merges
    }

    fn block(&mut self, block: &'p LaneBlock) {
        self.count += 1;
        let own = self.count;
        let mut may_merge = false;
        for node in &block.nodes {
            if let Node::Let { value, inst, .. } = node {
                self.blocks[value.index()] = own;
                may_merge |= self.program.ty(*value).is_lanes() && bitwise(inst).is_some();
            }
        }
        for node in block.nodes.iter().rev() {
            match node {
                Node::Let { value, inst, .. } => {
                    if may_merge && self.uses[value.index()] > 0 && self.program.ty(*value).is_lanes() {
                        self.merge(*value, inst, own);
                    }
                }
                Node::If { then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                }
                Node::Loop { body, .. } => self.block(body),
                Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    /// Merges a value with what only it is computed from, if it can.
    fn merge(&mut self, value: LaneValue, inst: &'p LaneInst, block: u32) {
        let merge = self
            .test(inst, block)
            .or_else(|| self.funnel(inst, block))
            .or_else(|| bitwise(inst).and_then(|_| self.logic(value, block)));
        let Some((merge, inner)) = merge else { return };
        for used in inner.iter().chain([&value]) {
            if let Some(inst) = self.definitions[used.index()] {
                operands(inst, &mut |operand| self.uses[operand.index()] -= 1);
            }
        }
        for operand in merge.operands() {
            self.uses[operand.index()] += 1;
        }
        self.merges.insert(value, self.with_memory_last(merge));
    }

    /// The instruction of a value that is used so often, in the same block.
    fn inner(&self, value: LaneValue, uses: u32, block: u32) -> Option<&'p LaneInst> {
        let alone = self.uses[value.index()] == uses && self.blocks[value.index()] == block;
        self.definitions[value.index()].filter(|_| alone && self.program.ty(value).is_lanes())
    }

    fn constant(&self, value: LaneValue) -> Option<u64> {
        constant_in(self.definitions, value)
    }

    /// A comparison with 0 of the bits that two values have in common.
    fn test(&self, inst: &LaneInst, block: u32) -> Option<(BitMerge, SmallVec<[LaneValue; 4]>)> {
        let LaneInst::Op { op: op @ (Op::Eq | Op::Ne), scalar, args } = inst else { return None };
        if !self.machine.has_masks || scalar.is_float() || *scalar == Scalar::Bool {
            return None;
        }
        let both = match args[..] {
            [both, zero] if self.constant(zero) == Some(0) => both,
            [zero, both] if self.constant(zero) == Some(0) => both,
            _ => return None,
        };
        let LaneInst::Op { op: Op::And, args, .. } = self.inner(both, 1, block)? else { return None };
        let merge = BitMerge::Test { values: [args[0], args[1]], common: *op == Op::Ne };
        Some((merge, SmallVec::from_slice(&[both])))
    }

    /// Bits of two values in sequence.
    fn funnel(&self, inst: &LaneInst, block: u32) -> Option<(BitMerge, SmallVec<[LaneValue; 4]>)> {
        let LaneInst::Op { op: Op::Or | Op::Xor | Op::Add, scalar, args } = inst else { return None };
        if !self.machine.has_masks || scalar.is_float() || *scalar == Scalar::Bool {
            return None;
        }
        let shifted = |way: Op, value: LaneValue| match self.inner(value, 1, block) {
            Some(LaneInst::Op { op, scalar, args })
                if *op == way && (way == Op::Shl || matches!(scalar, Scalar::U32 | Scalar::U64)) =>
            {
                Some((args[0], self.constant(args[1])?))
            }
            _ => None,
        };
        let both = |up, down| Some((shifted(Op::Shl, up)?, shifted(Op::Shr, down)?));
        let ((high, up), (low, down)) = both(args[0], args[1]).or_else(|| both(args[1], args[0]))?;
        let bits = u64::from(bits_of(Elem::of(*scalar)));
        let (up, down) = (up % bits, down % bits);
        let possible = up > 0 && up + down == bits && (high == low || self.machine.shifts_pairs);
        possible.then(|| (BitMerge::Funnel { high, low, by: up as u8 }, SmallVec::from_slice(&[args[0], args[1]])))
    }

    /// A tree of bitwise operations.
    fn logic(&self, root: LaneValue, block: u32) -> Option<(BitMerge, SmallVec<[LaneValue; 4]>)> {
        let most = if self.machine.has_masks { 3 } else { 2 };
        let mut inside: SmallVec<[LaneValue; 4]> = SmallVec::from_slice(&[root]);
        let mut leaves = self.leaves(&inside);
        while let Some(grown) = leaves.iter().find_map(|&(leaf, uses)| {
            let inst = self.inner(leaf, uses, block)?;
            if bitwise(inst).is_none() || self.funnel(inst, block).is_some() {
                return None;
            }
            let mut grown = inside.clone();
            grown.push(leaf);
            (self.leaves(&grown).len() <= most).then_some(grown)
        }) {
            inside = grown;
            leaves = self.leaves(&inside);
        }
        if inside.len() < 2 || !(2..=most).contains(&leaves.len()) {
            return None;
        }
        let mut arguments: SmallVec<[LaneValue; 3]> = leaves.iter().map(|&(leaf, _)| leaf).collect();
        // The instruction overwrites its first argument: one that has no other use, if there is one.
        let dies = |&(leaf, uses): &(LaneValue, u32)| self.uses[leaf.index()] == uses && self.constant(leaf).is_none();
        if let Some(first) = leaves.iter().position(dies) {
            arguments.swap(0, first);
        }
        let table = self.table(root, &arguments);
        let possible = self.machine.has_masks || matches!(table, WITHOUT_FIRST | WITHOUT_SECOND);
        inside.remove(0);
        possible.then_some((BitMerge::Logic { arguments, table }, inside))
    }

    /// The values that nodes are computed from and that are none of them, and how often these use each.
    fn leaves(&self, inside: &[LaneValue]) -> SmallVec<[(LaneValue, u32); 8]> {
        let mut leaves: SmallVec<[(LaneValue, u32); 8]> = SmallVec::new();
        for node in inside {
            let Some(inst) = self.definitions[node.index()] else { continue };
            operands(inst, &mut |&operand| {
                if inside.contains(&operand) {
                    return;
                }
                match leaves.iter_mut().find(|(leaf, _)| *leaf == operand) {
                    Some((_, uses)) => *uses += 1,
                    None => leaves.push((operand, 1)),
                }
            });
        }
        leaves
    }

    /// The table of a tree's value.
    fn table(&self, value: LaneValue, arguments: &[LaneValue]) -> u8 {
        if let Some(argument) = arguments.iter().position(|&argument| argument == value) {
            return ARGUMENTS[argument];
        }
        match self.definitions[value.index()].and_then(bitwise) {
            Some((CompareRow::Bitwise(op), args)) => {
                let [a, b] = [0, 1].map(|i| self.table(args[i], arguments));
                match op {
                    BitwiseOp::And => a & b,
                    BitwiseOp::Or => a | b,
                    BitwiseOp::Xor => a ^ b,
                }
            }
            Some((CompareRow::Not, args)) => !self.table(args[0], arguments),
            Some((CompareRow::Compare(_) | CompareRow::Select, _)) | None => {
                unreachable!("a tree has bitwise operations and arguments")
            }
        }
    }

    /// The same with the operand last that may be memory: a load that has no other use, or a constant.
    fn with_memory_last(&self, merge: BitMerge) -> BitMerge {
        let is_memory = |value: LaneValue| {
            let loaded = matches!(self.definitions[value.index()], Some(LaneInst::Load { mask: None, .. }));
            loaded && self.uses[value.index()] == 1 || self.constant(value).is_some()
        };
        match merge {
            BitMerge::Logic { mut arguments, table } if arguments.len() == 3 && !is_memory(arguments[2]) => {
                let Some(memory) = (0..2).rev().find(|&i| is_memory(arguments[i])) else {
                    return BitMerge::Logic { arguments, table };
                };
                arguments.swap(memory, 2);
                BitMerge::Logic { arguments, table: exchanged(table, memory) }
            }
            BitMerge::Test { values: [a, b], common } if is_memory(a) && !is_memory(b) => {
                BitMerge::Test { values: [b, a], common }
            }
            BitMerge::Logic { .. } | BitMerge::Funnel { .. } | BitMerge::Test { .. } => merge,
        }
    }
}

/// A bitwise operation on integers, and its operands.
fn bitwise(inst: &LaneInst) -> Option<(CompareRow, &[LaneValue])> {
    let LaneInst::Op { op, scalar, args } = inst else { return None };
    match lowering(*op).code(*scalar) {
        OpWriter::Compare(row @ (CompareRow::Bitwise(_) | CompareRow::Not)) if *scalar != Scalar::Bool => {
            Some((row, args))
        }
        _ => None,
    }
}

/// A table whose argument `with` and the last have changed places.
fn exchanged(table: u8, with: usize) -> u8 {
    if fault::planted(Fault::BitTableKept) {
        return table;
    }
    // Argument `i` is bit `2 - i` of the number of an entry.
    let bit = 2 - with as u32;
    (0..8_u32).fold(0, |to, entry| {
        let (low, other) = (entry & 1, entry >> bit & 1);
        let from = entry & !(1 | 1 << bit) | low << bit | other;
        to | (table >> from & 1) << entry
    })
}

impl WideLowering<'_> {
    /// Lowers a merge that is the value of a type.
    pub(super) fn bit_merge(&mut self, ty: LaneType, merge: &BitMerge) -> Lowered<WideValue> {
        match merge {
            BitMerge::Logic { arguments, table } => {
                let mut lanes: SmallVec<[WideValue; 3]> = SmallVec::new();
                for &argument in arguments {
                    lanes.push(self.lanes(argument)?.seen_as(ty.elem()));
                }
                Ok(match *table {
                    WITHOUT_SECOND => self.code.without(&lanes[0], &lanes[1]),
                    WITHOUT_FIRST => self.code.without(&lanes[1], &lanes[0]),
                    table => self.code.bit_function(table, &lanes),
                })
            }
            BitMerge::Funnel { high, low, by } => {
                let (high_lanes, low_lanes) = (self.lanes(*high)?, self.lanes(*low)?);
                Ok(self.code.funnel(&high_lanes, (high != low).then_some(&low_lanes), *by))
            }
            BitMerge::Test { values: [a, b], common } => {
                let (a, b) = (self.lanes(*a)?, self.lanes(*b)?);
                Ok(self.code.test_bits(&a, &b, *common))
            }
        }
    }
}

impl CodeWriter {
    /// A function of two or three values, bit by bit.
    fn bit_function(&mut self, table: u8, arguments: &[WideValue]) -> WideValue {
        let [first, second] = [&arguments[0], &arguments[1]];
        let (length, elem) = (first.length(), first.elem);
        let code = sized(
            elem,
            Code::EVEX_Vpternlogd_xmm_k1z_xmm_xmmm128b32_imm8,
            Code::EVEX_Vpternlogq_xmm_k1z_xmm_xmmm128b64_imm8,
        );
        let mut parts = Parts::new();
        for part in 0..first.parts.len() {
            let (a, b) = (self.in_register(first, part), vector(self.in_register(second, part), length));
            let c = arguments.get(2).map_or(b, |third| third.parts[part]);
            let sources = [b, c, InstOperand::Imm8(table)];
            let result = self.def_over(at_length(code, length), RegisterView::Vector(length), a, &sources, None);
            parts.push(vector(result, length));
        }
        WideValue { elem, width: first.width, parts, constant: None }
    }

    /// A rotation of `high`, or what is moved out of `low` behind it.
    fn funnel(&mut self, high: &WideValue, low: Option<&WideValue>, by: u8) -> WideValue {
        let Some(low) = low else {
            let code =
                sized(high.elem, Code::EVEX_Vprold_xmm_k1z_xmmm128b32_imm8, Code::EVEX_Vprolq_xmm_k1z_xmmm128b64_imm8);
            return self.unary(code, high.elem, high, Some(by));
        };
        let code = sized(
            high.elem,
            Code::EVEX_Vpshldd_xmm_k1z_xmm_xmmm128b32_imm8,
            Code::EVEX_Vpshldq_xmm_k1z_xmm_xmmm128b64_imm8,
        );
        let length = high.length();
        let mut parts = Parts::new();
        for part in 0..high.parts.len() {
            let sources = [vector(self.in_register(high, part), length), low.parts[part], InstOperand::Imm8(by)];
            let result =
                self.def(at_length(code, length), super::vcode::VECTOR, RegisterView::Vector(length), &sources);
            parts.push(vector(result, length));
        }
        WideValue { elem: high.elem, width: high.width, parts, constant: None }
    }

    /// The mask of the lanes in which two values have a bit in common, or none.
    fn test_bits(&mut self, a: &WideValue, b: &WideValue, common: bool) -> WideValue {
        let code = match (is_wide(a.elem), common) {
            (false, true) => Code::EVEX_Vptestmd_kr_k1_xmm_xmmm128b32,
            (false, false) => Code::EVEX_Vptestnmd_kr_k1_xmm_xmmm128b32,
            (true, true) => Code::EVEX_Vptestmq_kr_k1_xmm_xmmm128b64,
            (true, false) => Code::EVEX_Vptestnmq_kr_k1_xmm_xmmm128b64,
        };
        self.compare(code, a, b, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanged_arguments_give_the_table_of_the_same_function() {
        for table in 0..=u8::MAX {
            let of = |table: u8, [a, b, c]: [u8; 3]| table >> (a << 2 | b << 1 | c) & 1;
            for (with, table_of) in [0, 1].map(|with| (with, exchanged(table, with))) {
                for bits in 0..8_u8 {
                    let mut arguments = [bits >> 2 & 1, bits >> 1 & 1, bits & 1];
                    let expected = of(table, arguments);
                    arguments.swap(with, 2);
                    assert_eq!(of(table_of, arguments), expected, "{table:#x}, {with}, {bits}");
                }
            }
        }
    }
}
