//! SPIR-V whose specialization constants have values: they become constants, which the importer reads where it reads
//! no computed ones. Constants that are computed of others, and sizes of workgroups that are, become numbers.

use std::collections::{BTreeMap, BTreeSet};

use half::f16;
use spirv::{BuiltIn, Decoration, ExecutionMode, Op};
use tilewise_header::FilePlace;

use crate::assemble::AssembledModule;

/// The words before the instructions.
const HEAD: usize = 5;

/// Opcodes as words.
mod op {
    use spirv::Op;

    pub(super) const DECORATE: u32 = Op::Decorate as u32;
    pub(super) const TYPE_BOOL: u32 = Op::TypeBool as u32;
    pub(super) const TYPE_INT: u32 = Op::TypeInt as u32;
    pub(super) const TYPE_FLOAT: u32 = Op::TypeFloat as u32;
    pub(super) const CONSTANT_TRUE: u32 = Op::ConstantTrue as u32;
    pub(super) const CONSTANT_FALSE: u32 = Op::ConstantFalse as u32;
    pub(super) const CONSTANT: u32 = Op::Constant as u32;
    pub(super) const CONSTANT_COMPOSITE: u32 = Op::ConstantComposite as u32;
    pub(super) const SPEC_CONSTANT_TRUE: u32 = Op::SpecConstantTrue as u32;
    pub(super) const SPEC_CONSTANT_FALSE: u32 = Op::SpecConstantFalse as u32;
    pub(super) const SPEC_CONSTANT: u32 = Op::SpecConstant as u32;
    pub(super) const SPEC_CONSTANT_COMPOSITE: u32 = Op::SpecConstantComposite as u32;
    pub(super) const SPEC_CONSTANT_OP: u32 = Op::SpecConstantOp as u32;
    pub(super) const ENTRY_POINT: u32 = Op::EntryPoint as u32;
    pub(super) const EXECUTION_MODE: u32 = Op::ExecutionMode as u32;
    pub(super) const EXECUTION_MODE_ID: u32 = Op::ExecutionModeId as u32;
    pub(super) const CAPABILITY: u32 = Op::Capability as u32;
    pub(super) const EXTENSION: u32 = Op::Extension as u32;
    pub(super) const EXT_INST_IMPORT: u32 = Op::ExtInstImport as u32;
    pub(super) const MEMORY_MODEL: u32 = Op::MemoryModel as u32;
}

/// The module with these values of its specialization constants, by their numbers; others have their defaults.
pub fn specialized(module: &AssembledModule, values: &[(u32, f64)]) -> AssembledModule {
    let Some(instructions) = instructions(&module.words) else { return module.clone() };
    let mut known = KnownConstants::default();
    for words in &instructions {
        known.declare(words, values);
    }
    let sizes = known.workgroup.and_then(|id| known.sizes(known.parts.get(&id)?));
    let mut out = Specialized { words: module.words[..HEAD].to_vec(), places: Vec::new() };
    let mut modes_are_added = false;
    for (number, words) in instructions.iter().enumerate() {
        let place = module.places.get(number).map(|&(_, at, length)| (at, length));
        let opcode = words[0] & 0xffff;
        let is_before_modes =
            matches!(opcode, op::CAPABILITY | op::EXTENSION | op::EXT_INST_IMPORT | op::MEMORY_MODEL | op::ENTRY_POINT);
        if let (false, false, Some([x, y, z])) = (is_before_modes, modes_are_added, sizes) {
            modes_are_added = true;
            for &entry in known.entries.difference(&known.sized) {
                out.add(place, op::EXECUTION_MODE, &[entry, ExecutionMode::LocalSize as u32, x, y, z]);
            }
        }
        match (opcode, *words) {
            (op::DECORATE, &[_, _, decoration, ..]) if decoration == Decoration::SpecId as u32 => {}
            (op::DECORATE, &[_, id, ..]) if Some(id) == known.workgroup && sizes.is_some() => {}
            (op::EXECUTION_MODE, &[_, entry, mode, ..]) if mode == ExecutionMode::LocalSize as u32 => match sizes {
                Some([x, y, z]) => out.add(place, opcode, &[entry, mode, x, y, z]),
                None => out.add(place, opcode, &words[1..]),
            },
            (op::EXECUTION_MODE_ID, &[_, entry, mode, ref ids @ ..]) if mode == ExecutionMode::LocalSizeId as u32 => {
                match sizes.or_else(|| known.sizes(ids)) {
                    Some([x, y, z]) => {
                        let mode = ExecutionMode::LocalSize as u32;
                        out.add(place, op::EXECUTION_MODE, &[entry, mode, x, y, z]);
                    }
                    None => out.add(place, opcode, &words[1..]),
                }
            }
            (op::SPEC_CONSTANT_TRUE | op::SPEC_CONSTANT_FALSE, &[_, ty, id]) => {
                let is_true = known.scalars.get(&id) == Some(&1);
                out.add(place, if is_true { op::CONSTANT_TRUE } else { op::CONSTANT_FALSE }, &[ty, id]);
            }
            (op::SPEC_CONSTANT, &[_, ty, id, ..]) => {
                let bits = known.literals.get(&id).map_or(&words[3..], Vec::as_slice);
                out.add(place, op::CONSTANT, &[&[ty, id], bits].concat());
            }
            (op::SPEC_CONSTANT_COMPOSITE, _) => out.add(place, op::CONSTANT_COMPOSITE, &words[1..]),
            (op::SPEC_CONSTANT_OP, &[_, ty, id, ..]) if known.is_number(ty) && known.scalars.contains_key(&id) => {
                out.add(place, op::CONSTANT, &[ty, id, known.scalars[&id]]);
            }
            (op::SPEC_CONSTANT_OP, &[_, ty, id, ..]) if known.bool == Some(ty) && known.scalars.contains_key(&id) => {
                let is_true = known.scalars[&id] != 0;
                out.add(place, if is_true { op::CONSTANT_TRUE } else { op::CONSTANT_FALSE }, &[ty, id]);
            }
            _ => out.add(place, opcode, &words[1..]),
        }
    }
    AssembledModule { words: out.words, places: out.places }
}

/// Where the first instruction stands that is still computed of constants: the operation is none of those above.
/// Of words without places that is 0:0.
pub fn left_over(module: &AssembledModule) -> Option<FilePlace> {
    let instructions = instructions(&module.words)?;
    let number = instructions.iter().position(|words| words[0] & 0xffff == op::SPEC_CONSTANT_OP)?;
    Some(module.places.get(number).map_or(FilePlace::default(), |&(_, at, _)| at))
}

/// The instructions of a module; nothing if it is cut off.
fn instructions(words: &[u32]) -> Option<Vec<&[u32]>> {
    let mut rest = words.get(HEAD..)?;
    let mut out = Vec::new();
    while let Some(&head) = rest.first() {
        let (instruction, after) = rest.split_at_checked((head >> 16) as usize).filter(|_| head >> 16 > 0)?;
        out.push(instruction);
        rest = after;
    }
    Some(out)
}

/// A module while it is written.
struct Specialized {
    words: Vec<u32>,
    places: Vec<(u32, FilePlace, u32)>,
}

impl Specialized {
    fn add(&mut self, place: Option<(FilePlace, u32)>, opcode: u32, operands: &[u32]) {
        self.places.extend(place.map(|(at, length)| (self.words.len() as u32 * 4, at, length)));
        self.words.push((operands.len() as u32 + 1) << 16 | opcode);
        self.words.extend(operands);
    }
}

/// What is known of the constants of a module, as they are declared.
#[derive(Default)]
struct KnownConstants {
    /// The numbers of specialization constants.
    numbers: BTreeMap<u32, u32>,
    /// Width and kind of types of numbers: is it of floats?
    types: BTreeMap<u32, (u32, bool)>,
    /// The type of conditions.
    bool: Option<u32>,
    /// Integers of 32 bits, and conditions as 0 and 1.
    scalars: BTreeMap<u32, u32>,
    /// The literals of specialization constants that have another value than their default.
    literals: BTreeMap<u32, Vec<u32>>,
    /// The parts of composites.
    parts: BTreeMap<u32, Vec<u32>>,
    /// The constant that is the size of workgroups.
    workgroup: Option<u32>,
    /// The entry points, and those of them that have a size.
    entries: BTreeSet<u32>,
    sized: BTreeSet<u32>,
}

impl KnownConstants {
    fn is_number(&self, ty: u32) -> bool {
        self.types.get(&ty) == Some(&(32, false))
    }

    /// The three sizes that these constants are.
    fn sizes(&self, ids: &[u32]) -> Option<[u32; 3]> {
        let &[x, y, z] = ids else { return None };
        Some([*self.scalars.get(&x)?, *self.scalars.get(&y)?, *self.scalars.get(&z)?])
    }

    fn declare(&mut self, words: &[u32], values: &[(u32, f64)]) {
        match (words[0] & 0xffff, words) {
            (op::ENTRY_POINT, &[_, _, entry, ..]) => {
                self.entries.insert(entry);
            }
            (op::EXECUTION_MODE | op::EXECUTION_MODE_ID, &[_, entry, mode, ..])
                if mode == ExecutionMode::LocalSize as u32 || mode == ExecutionMode::LocalSizeId as u32 =>
            {
                self.sized.insert(entry);
            }
            (op::DECORATE, &[_, id, decoration, number]) if decoration == Decoration::SpecId as u32 => {
                self.numbers.insert(id, number);
            }
            (op::DECORATE, &[_, id, decoration, which])
                if decoration == Decoration::BuiltIn as u32 && which == BuiltIn::WorkgroupSize as u32 =>
            {
                self.workgroup = Some(id);
            }
            (op::TYPE_BOOL, &[_, id]) => self.bool = Some(id),
            (op::TYPE_INT, &[_, id, width, _]) => {
                self.types.insert(id, (width, false));
            }
            (op::TYPE_FLOAT, &[_, id, width, ..]) => {
                self.types.insert(id, (width, true));
            }
            (op::CONSTANT, &[_, ty, id, bits]) if self.is_number(ty) => {
                self.scalars.insert(id, bits);
            }
            (op::CONSTANT_TRUE | op::CONSTANT_FALSE, &[head, _, id]) => {
                self.scalars.insert(id, u32::from(head & 0xffff == op::CONSTANT_TRUE));
            }
            (op::SPEC_CONSTANT_TRUE | op::SPEC_CONSTANT_FALSE, &[head, _, id]) => {
                let own = head & 0xffff == op::SPEC_CONSTANT_TRUE;
                let is_true = self.given(id, values).map_or(own, |value| value != 0.0);
                self.scalars.insert(id, u32::from(is_true));
            }
            (op::SPEC_CONSTANT, &[_, ty, id, bits, ..]) => {
                let mut bits = bits;
                if let (Some(value), Some(&(width, is_float))) = (self.given(id, values), self.types.get(&ty)) {
                    let literal = literal(value, width, is_float);
                    bits = literal[0];
                    self.literals.insert(id, literal);
                }
                if self.is_number(ty) {
                    self.scalars.insert(id, bits);
                }
            }
            (op::CONSTANT_COMPOSITE | op::SPEC_CONSTANT_COMPOSITE, &[_, _, id, ref parts @ ..]) => {
                self.parts.insert(id, parts.to_vec());
            }
            (op::SPEC_CONSTANT_OP, &[_, _, id, opcode, ref operands @ ..]) => {
                if let Some(value) = self.computed(opcode, operands) {
                    self.scalars.insert(id, value);
                }
            }
            _ => {}
        }
    }

    /// The value that a specialization constant is given.
    fn given(&self, id: u32, values: &[(u32, f64)]) -> Option<f64> {
        let number = self.numbers.get(&id)?;
        values.iter().find(|(other, _)| other == number).map(|(_, value)| *value)
    }

    /// The result of an operation on constants.
    fn computed(&self, opcode: u32, operands: &[u32]) -> Option<u32> {
        if opcode == Op::CompositeExtract as u32 {
            let &[composite, part] = operands else { return None };
            return self.scalars.get(self.parts.get(&composite)?.get(part as usize)?).copied();
        }
        let all: Option<Vec<u32>> = operands.iter().map(|operand| self.scalars.get(operand).copied()).collect();
        let all = all?;
        let is = |other: Op| opcode == other as u32;
        let (a, b) = (*all.first()?, all.get(1).copied());
        if is(Op::Select) {
            return all.get(if a == 1 { 1 } else { 2 }).copied();
        }
        let Some(b) = b else {
            return match () {
                () if is(Op::SNegate) => Some(a.wrapping_neg()),
                () if is(Op::Not) => Some(!a),
                () if is(Op::LogicalNot) => Some(1 - a.min(1)),
                () => None,
            };
        };
        let signed = (a as i32, b as i32);
        Some(match () {
            () if is(Op::IAdd) => a.wrapping_add(b),
            () if is(Op::ISub) => a.wrapping_sub(b),
            () if is(Op::IMul) => a.wrapping_mul(b),
            () if is(Op::UDiv) => a.checked_div(b)?,
            () if is(Op::UMod) => a.checked_rem(b)?,
            () if is(Op::SDiv) => signed.0.checked_div(signed.1)? as u32,
            () if is(Op::SMod) => {
                // Its sign is that of the divisor.
                let rest = signed.0.checked_rem(signed.1)?;
                let is_other = rest != 0 && (rest < 0) != (signed.1 < 0);
                if is_other { rest.wrapping_add(signed.1) as u32 } else { rest as u32 }
            }
            () if is(Op::SRem) => signed.0.checked_rem(signed.1)? as u32,
            () if is(Op::ShiftLeftLogical) => a.checked_shl(b)?,
            () if is(Op::ShiftRightLogical) => a.checked_shr(b)?,
            () if is(Op::ShiftRightArithmetic) => signed.0.checked_shr(b)? as u32,
            () if is(Op::BitwiseAnd) || is(Op::LogicalAnd) => a & b,
            () if is(Op::BitwiseOr) || is(Op::LogicalOr) => a | b,
            () if is(Op::BitwiseXor) => a ^ b,
            () if is(Op::IEqual) || is(Op::LogicalEqual) => u32::from(a == b),
            () if is(Op::INotEqual) || is(Op::LogicalNotEqual) => u32::from(a != b),
            () if is(Op::UGreaterThan) => u32::from(a > b),
            () if is(Op::UGreaterThanEqual) => u32::from(a >= b),
            () if is(Op::ULessThan) => u32::from(a < b),
            () if is(Op::ULessThanEqual) => u32::from(a <= b),
            () if is(Op::SGreaterThan) => u32::from(signed.0 > signed.1),
            () if is(Op::SGreaterThanEqual) => u32::from(signed.0 >= signed.1),
            () if is(Op::SLessThan) => u32::from(signed.0 < signed.1),
            () if is(Op::SLessThanEqual) => u32::from(signed.0 <= signed.1),
            () => return None,
        })
    }
}

/// The words of a number of a type.
fn literal(value: f64, width: u32, is_float: bool) -> Vec<u32> {
    let whole = value as i64;
    match (is_float, width) {
        (true, 16) => vec![f16::from_f64(value).to_bits().into()],
        (true, 64) => vec![value.to_bits() as u32, (value.to_bits() >> 32) as u32],
        (true, _) => vec![(value as f32).to_bits()],
        (false, 64) => vec![whole as u32, (whole >> 32) as u32],
        (false, _) => vec![whole as u32],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::assemble;

    const TEXT: &str = "OpEntryPoint GLCompute %main \"main\"
        OpDecorate %size BuiltIn WorkgroupSize OpDecorate %x SpecId 4 OpDecorate %on SpecId 5 OpDecorate %f SpecId 6
        %bool = OpTypeBool %uint = OpTypeInt 32 0 %float = OpTypeFloat 32 %uint3 = OpTypeVector %uint 3
        %main = OpTypeVoid %two = OpConstant %uint 2
        %x = OpSpecConstant %uint 1 %on = OpSpecConstantFalse %bool %f = OpSpecConstant %float 0.5
        %y = OpSpecConstantOp %uint IMul %x %two %z = OpSpecConstantOp %uint Select %on %x %two
        %size = OpSpecConstantComposite %uint3 %x %y %z";

    #[test]
    fn values_replace_defaults_and_what_is_computed_of_them() {
        let with = |values: &[(u32, f64)]| {
            let module = assemble(TEXT, 1, 0x0001_0000).unwrap();
            let out = specialized(&module, values);
            assert_eq!(instructions(&out.words).unwrap().len(), out.places.len());
            let all = instructions(&out.words).unwrap();
            let size = all.iter().find(|words| words[0] & 0xffff == op::EXECUTION_MODE).unwrap();
            let kinds = [op::SPEC_CONSTANT, op::SPEC_CONSTANT_OP, op::SPEC_CONSTANT_COMPOSITE, op::DECORATE];
            assert!(all.iter().all(|words| !kinds.contains(&(words[0] & 0xffff))));
            let is_true = all.iter().any(|words| words[0] & 0xffff == op::CONSTANT_TRUE);
            let has = |bits: u32| all.iter().any(|words| words[0] & 0xffff == op::CONSTANT && words[3] == bits);
            ([size[3], size[4], size[5]], is_true, has(0.5f32.to_bits()), has(3f32.to_bits()))
        };
        assert_eq!(with(&[]), ([1, 2, 2], false, true, false));
        assert_eq!(with(&[(4, 8.0), (5, 1.0), (6, 3.0), (77, 9.0)]), ([8, 16, 8], true, false, true));
    }

    #[test]
    fn conditions_are_computed_of_specialization_constants() {
        let of = |op: &str, x: u32| {
            let head = "%bool = OpTypeBool %uint = OpTypeInt 32 0 OpDecorate %x SpecId 1 \
                %true = OpConstantTrue %bool %x = OpSpecConstant %uint 7 %three = OpConstant %uint 3 \
                %minus = OpConstant %uint 0xfffffffe %on = OpSpecConstantTrue %bool";
            let module = assemble(&format!("{head} %r = OpSpecConstantOp {op}"), 1, 0x0001_0000).unwrap();
            let out = specialized(&module, &[(1, f64::from(x))]);
            let last = instructions(&out.words).unwrap().last().unwrap().to_vec();
            match last[0] & 0xffff {
                op::CONSTANT_TRUE => 1,
                op::CONSTANT_FALSE => 0,
                op::CONSTANT => last[3],
                _ => 77,
            }
        };
        for (op, of_three, of_four) in [
            ("IEqual", 1, 0),
            ("INotEqual", 0, 1),
            ("UGreaterThan", 0, 1),
            ("UGreaterThanEqual", 1, 1),
            ("ULessThan", 0, 0),
            ("ULessThanEqual", 1, 0),
            ("SGreaterThan", 0, 1),
            ("SGreaterThanEqual", 1, 1),
            ("SLessThan", 0, 0),
            ("SLessThanEqual", 1, 0),
        ] {
            let made = format!("%bool {op} %x %three");
            assert_eq!((of(&made, 3), of(&made, 4)), (of_three, of_four), "{op}");
        }
        assert_eq!((of("%bool SLessThan %minus %x", 3), of("%bool ULessThan %minus %x", 3)), (1, 0));
        for (op, expected) in [("LogicalAnd", 1), ("LogicalOr", 1), ("LogicalEqual", 1), ("LogicalNotEqual", 0)] {
            assert_eq!(of(&format!("%bool {op} %on %true"), 3), expected, "{op}");
        }
        assert_eq!(of("%bool LogicalNot %on", 3), 0);
        assert_eq!(of("%bool Select %on %on %true", 3), 1);
        // The sign of the remainder is that of the divisor, or of the dividend.
        assert_eq!((of("%uint SMod %minus %x", 3), of("%uint SRem %minus %x", 3)), (1, 0xffff_fffe));
        assert_eq!((of("%uint SMod %x %minus", 3), of("%uint SRem %x %minus", 3)), (0xffff_ffff, 1));
        assert_eq!((of("%uint SMod %x %minus", 4), of("%uint SMod %minus %minus", 4)), (0, 0));
    }

    #[test]
    fn modules_that_are_cut_off_stay() {
        let broken = AssembledModule { words: vec![0, 0, 0, 0, 0, 9 << 16 | 1], places: Vec::new() };
        assert_eq!(specialized(&broken, &[]), broken);
        let empty = AssembledModule { words: Vec::new(), places: Vec::new() };
        assert_eq!(specialized(&empty, &[]), empty);
    }
}
