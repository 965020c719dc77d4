//! Specialization constants of SPIR-V: they get their values, and become constants before naga reads the module, which
//! reads no computed ones. What is computed of them is computed here: numbers, conditions, vectors, parts of composites.

use std::collections::{HashMap, HashSet};

use half::f16;
use naga::{Scalar, ScalarKind};
use spirv::{Decoration, Op};

use crate::spirv::fold::{ScalarType, folded};
use crate::spirv::op;
use crate::spirv::types::{CompositeType, PlainType, SpirvTypes};
use crate::spirv::words::{PlacedWords, SpirvRefusal, words};

/// A constant that can be given a value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SpecConstant {
    /// The number of its `SpecId`.
    pub(crate) number: u32,
    pub(crate) scalar: Scalar,
    /// The byte of its declaration.
    pub(crate) byte: u32,
}

/// What a constant is.
#[derive(Clone, Debug)]
enum ConstantValue {
    /// The bits of a scalar; 0 and 1 of a condition.
    Scalar(u64),
    Parts(Vec<u32>),
    /// Zeros.
    Null,
}

/// The values of constants, while a module is rewritten.
struct Specialization<'t> {
    types: &'t mut SpirvTypes,
    values: HashMap<u32, ConstantValue>,
    /// Zeros that are declared, by their types.
    nulls: HashMap<u32, u32>,
    out: Vec<PlacedWords>,
    /// The words of these.
    length: usize,
    /// The byte of the instruction that is rewritten.
    byte: u32,
}

/// Zeros of more parts are not divided.
const MOST_NULL_PARTS: u32 = 1024;

/// More words are no module: parts of parts could be copied without an end.
const MOST_WORDS: usize = 1 << 24;

/// The help where an operation is not known.
const HELP: &str = "integers, conditions and vectors of them can be computed: sums, products, bits, shifts, comparisons, Select, parts";

/// The help where an array has no elements.
const LENGTH: &str =
    "arrays have one element at least, also of the lengths that are computed of specialization constants";

/// Longer chains of parts of parts are none of shaders, whose types nest less.
const MOST_INDICES: usize = 255;

/// Gives the specialization constants of a module their values, by their numbers; others have their defaults. Returns
/// those there are, and notes all declarations.
pub(crate) fn specialize(
    module: &mut Vec<PlacedWords>,
    types: &mut SpirvTypes,
    values: &HashMap<u32, f64>,
) -> Result<Vec<SpecConstant>, SpirvRefusal> {
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    // Of what is computed, the number of a constant that it is computed of.
    let mut made_of: HashMap<u32, u32> = HashMap::new();
    let mut constants = Vec::new();
    // Several constants may have one number.
    let mut seen: HashSet<u32> = HashSet::new();
    let before = std::mem::take(module);
    let out = Vec::with_capacity(before.len());
    let mut work = Specialization { types, values: HashMap::new(), nulls: HashMap::new(), out, length: 0, byte: 0 };
    for (byte, instruction) in before {
        work.byte = byte;
        if work.length > MOST_WORDS {
            return Err(SpirvRefusal::at(byte, "constants of too many parts"));
        }
        let opcode = instruction[0] & 0xffff;
        let given = |id: u32| {
            let number = numbers.get(&id)?;
            values.get(number).copied()
        };
        match (opcode, instruction.as_slice()) {
            (op::DECORATE, &[_, id, decoration, number]) if decoration == Decoration::SpecId as u32 => {
                numbers.insert(id, number);
            }
            (op::SPEC_CONSTANT_TRUE | op::SPEC_CONSTANT_FALSE, &[_, ty, id]) => {
                let own = opcode == op::SPEC_CONSTANT_TRUE;
                let is_true = given(id).map_or(own, |value| value != 0.0);
                if let Some(&number) = numbers.get(&id)
                    && seen.insert(number)
                {
                    constants.push(SpecConstant { number, scalar: Scalar::BOOL, byte });
                }
                work.set(ty, id, ConstantValue::Scalar(is_true.into()));
            }
            (op::SPEC_CONSTANT, &[_, ty, id, ref bits @ ..]) => {
                let plain = work.types.plain.get(&ty).copied();
                if let (Some(&number), Some(scalar)) = (numbers.get(&id), plain.and_then(naga_scalar))
                    && seen.insert(number)
                {
                    constants.push(SpecConstant { number, scalar, byte });
                }
                let own = bits.iter().rev().fold(0, |all, &word| all << 32 | u64::from(word));
                let value = given(id).and_then(|value| Some(bits_of(value, plain?)));
                work.set(ty, id, ConstantValue::Scalar(value.unwrap_or(own)));
            }
            (op::SPEC_CONSTANT_COMPOSITE, &[_, ty, id, ref parts @ ..]) => {
                work.set(ty, id, ConstantValue::Parts(parts.to_vec()));
            }
            (op::SPEC_CONSTANT_OP, &[_, ty, id, opcode, ref operands @ ..]) => {
                let values = match opcode {
                    _ if opcode == Op::CompositeExtract as u32 => 1,
                    _ if opcode == Op::CompositeInsert as u32 || opcode == Op::VectorShuffle as u32 => 2,
                    _ => operands.len(),
                };
                let number = |id: &u32| numbers.get(id).or_else(|| made_of.get(id)).copied();
                if let Some(number) = operands.iter().take(values).find_map(number) {
                    made_of.insert(id, number);
                }
                match work.computed(opcode, ty, operands) {
                    Some(value) => work.set(ty, id, value),
                    None => {
                        let what = "an `OpSpecConstantOp` of an operation or of operands that are not supported";
                        return Err(SpirvRefusal::at(byte, what).with_help(HELP));
                    }
                }
            }
            (op::TYPE_ARRAY, &[_, _, _, length]) if work.scalar(length) == Some(0) => {
                let what = match (numbers.get(&length), made_of.get(&length)) {
                    (Some(own), _) => format!("an array whose length, the specialization constant {own}, is 0"),
                    (None, Some(number)) => {
                        let of = format!("computed of the specialization constant {number}");
                        format!("an array whose length, which is {of}, is 0")
                    }
                    (None, None) => "an array whose length is 0".to_owned(),
                };
                return Err(SpirvRefusal::at(byte, what).with_help(LENGTH));
            }
            _ => {
                match (opcode, instruction.as_slice()) {
                    (op::CONSTANT, &[_, _, id, ref bits @ ..]) => {
                        let bits = bits.iter().rev().fold(0, |all, &word| all << 32 | u64::from(word));
                        work.values.insert(id, ConstantValue::Scalar(bits));
                    }
                    (op::CONSTANT_TRUE | op::CONSTANT_FALSE, &[_, _, id]) => {
                        work.values.insert(id, ConstantValue::Scalar(u64::from(opcode == op::CONSTANT_TRUE)));
                    }
                    (op::CONSTANT_COMPOSITE, &[_, _, id, ref parts @ ..]) => {
                        work.values.insert(id, ConstantValue::Parts(parts.to_vec()));
                    }
                    (op::CONSTANT_NULL | op::UNDEF, &[_, _, id]) => _ = work.values.insert(id, ConstantValue::Null),
                    _ => {}
                }
                work.add(instruction);
            }
        }
    }
    *module = work.out;
    Ok(constants)
}

/// A type of numbers as naga has it.
fn naga_scalar(plain: PlainType) -> Option<Scalar> {
    let (kind, width) = match plain {
        PlainType::Int { width, is_signed: true } => (ScalarKind::Sint, width),
        PlainType::Int { width, is_signed: false } => (ScalarKind::Uint, width),
        PlainType::Float { width } => (ScalarKind::Float, width),
        PlainType::Bool | PlainType::Vector { .. } => return None,
    };
    Some(Scalar { kind, width: u8::try_from(width / 8).ok()? })
}

/// The bits of a number of a type.
fn bits_of(value: f64, plain: PlainType) -> u64 {
    match plain {
        PlainType::Float { width: 16 } => f16::from_f64(value).to_bits().into(),
        PlainType::Float { width: 64 } => value.to_bits(),
        PlainType::Float { .. } => (value as f32).to_bits().into(),
        PlainType::Int { is_signed: false, .. } if value >= 0.0 => value as u64,
        PlainType::Int { .. } | PlainType::Bool | PlainType::Vector { .. } => value as i64 as u64,
    }
}

impl Specialization<'_> {
    fn add(&mut self, instruction: Vec<u32>) {
        self.types.note(&instruction);
        self.length += instruction.len();
        self.out.push((self.byte, instruction));
    }

    /// Declares a constant of this value.
    fn set(&mut self, ty: u32, id: u32, value: ConstantValue) {
        let instruction = match (&value, self.types.plain.get(&ty)) {
            (ConstantValue::Scalar(bits), Some(PlainType::Bool)) => {
                words(if *bits == 0 { op::CONSTANT_FALSE } else { op::CONSTANT_TRUE }, &[ty, id])
            }
            (&ConstantValue::Scalar(bits), Some(&plain)) => {
                let scalar = ScalarType::of(plain).unwrap_or(ScalarType { width: 32, is_signed: false });
                let bits = scalar.extended(bits);
                match scalar.width {
                    64 => words(op::CONSTANT, &[ty, id, bits as u32, (bits >> 32) as u32]),
                    _ => words(op::CONSTANT, &[ty, id, bits as u32]),
                }
            }
            // naga says what is wrong with such a type.
            (&ConstantValue::Scalar(bits), None) => words(op::CONSTANT, &[ty, id, bits as u32]),
            (ConstantValue::Parts(parts), _) => words(op::CONSTANT_COMPOSITE, &[&[ty, id], parts.as_slice()].concat()),
            (ConstantValue::Null, _) => words(op::CONSTANT_NULL, &[ty, id]),
        };
        self.add(instruction);
        self.values.insert(id, value);
    }

    /// Declares a constant under a new number.
    fn made(&mut self, ty: u32, value: ConstantValue) -> u32 {
        let id = self.types.fresh();
        self.set(ty, id, value);
        id
    }

    /// Zero of a type.
    fn null(&mut self, ty: u32) -> u32 {
        if let Some(&id) = self.nulls.get(&ty) {
            return id;
        }
        let id = self.made(ty, ConstantValue::Null);
        self.nulls.insert(ty, id);
        id
    }

    /// The number of a part of a constant.
    fn part(&mut self, id: u32, index: u32) -> Option<u32> {
        match self.values.get(&id)? {
            ConstantValue::Parts(parts) => parts.get(index as usize).copied(),
            ConstantValue::Null => {
                let ty = part_type(self.types, self.types.of(id)?, index)?;
                Some(self.null(ty))
            }
            ConstantValue::Scalar(_) => None,
        }
    }

    /// All parts of a composite.
    fn parts(&mut self, id: u32) -> Option<Vec<u32>> {
        match self.values.get(&id)? {
            ConstantValue::Parts(parts) => Some(parts.clone()),
            ConstantValue::Null => {
                let ty = self.types.of(id)?;
                let count = match (self.types.plain.get(&ty), self.types.composites.get(&ty)) {
                    (Some(&PlainType::Vector { count, .. }), _) | (_, Some(&CompositeType::Matrix { count, .. })) => {
                        count
                    }
                    (_, Some(CompositeType::Struct(members))) => members.len() as u32,
                    (_, Some(&CompositeType::Array { length: Some(length), .. })) => {
                        *self.types.numbers.get(&length)?
                    }
                    _ => return None,
                };
                if count > MOST_NULL_PARTS {
                    return None;
                }
                (0..count).map(|index| self.part(id, index)).collect()
            }
            ConstantValue::Scalar(_) => None,
        }
    }

    /// The bits of a scalar.
    fn scalar(&self, id: u32) -> Option<u64> {
        match self.values.get(&id)? {
            ConstantValue::Scalar(bits) => Some(*bits),
            ConstantValue::Null => Some(0),
            ConstantValue::Parts(_) => None,
        }
    }

    /// The result of an operation on constants.
    fn computed(&mut self, opcode: u32, ty: u32, operands: &[u32]) -> Option<ConstantValue> {
        let is = |other: Op| opcode == other as u32;
        match *operands {
            [composite, ref indices @ ..] if is(Op::CompositeExtract) => {
                let found = indices.iter().try_fold(composite, |id, &index| self.part(id, index))?;
                self.values.get(&found).cloned()
            }
            [object, composite, ref indices @ ..] if is(Op::CompositeInsert) => {
                self.inserted(object, composite, indices)
            }
            [first, second, ref picked @ ..] if is(Op::VectorShuffle) => {
                let mut all = self.parts(first)?;
                all.extend(self.parts(second)?);
                let component = part_type(self.types, ty, 0)?;
                let parts: Option<Vec<u32>> = picked
                    .iter()
                    .map(|&at| match at {
                        u32::MAX => Some(self.null(component)),
                        at => all.get(at as usize).copied(),
                    })
                    .collect();
                parts.map(ConstantValue::Parts)
            }
            [condition, yes, no]
                if is(Op::Select) && self.scalar(condition).is_some_and(|_| !self.is_vector(condition)) =>
            {
                let chosen = if self.scalar(condition)? != 0 { yes } else { no };
                self.values.get(&chosen).cloned()
            }
            _ if self.is_vector_type(ty) => {
                let component = part_type(self.types, ty, 0)?;
                let columns: Option<Vec<Vec<u32>>> = operands.iter().map(|&operand| self.parts(operand)).collect();
                let columns = columns?;
                let parts: Option<Vec<u32>> = (0..columns.first()?.len())
                    .map(|i| {
                        let operands: Option<Vec<u32>> = columns.iter().map(|column| column.get(i).copied()).collect();
                        let value = self.folded(opcode, component, &operands?)?;
                        Some(self.made(component, ConstantValue::Scalar(value)))
                    })
                    .collect();
                parts.map(ConstantValue::Parts)
            }
            _ => self.folded(opcode, ty, operands).map(ConstantValue::Scalar),
        }
    }

    fn is_vector_type(&self, ty: u32) -> bool {
        matches!(self.types.plain.get(&ty), Some(PlainType::Vector { .. }))
    }

    fn is_vector(&self, id: u32) -> bool {
        self.types.of(id).is_some_and(|ty| self.is_vector_type(ty))
    }

    /// A composite with another part.
    fn inserted(&mut self, object: u32, composite: u32, indices: &[u32]) -> Option<ConstantValue> {
        let Some((&index, rest)) = indices.split_first().filter(|_| indices.len() <= MOST_INDICES) else {
            return self.values.get(&object).cloned();
        };
        let mut parts = self.parts(composite)?;
        let place = parts.get(index as usize).copied()?;
        let value = self.inserted(object, place, rest)?;
        let ty = part_type(self.types, self.types.of(composite)?, index)?;
        parts[index as usize] = self.made(ty, value);
        Some(ConstantValue::Parts(parts))
    }

    /// The bits that an operation on scalars gives.
    fn folded(&self, opcode: u32, ty: u32, operands: &[u32]) -> Option<u64> {
        let scalars: Option<Vec<(u64, ScalarType)>> = operands
            .iter()
            .map(|&id| Some((self.scalar(id)?, ScalarType::of(*self.types.plain.get(&self.types.of(id)?)?)?)))
            .collect();
        folded(opcode, ScalarType::of(*self.types.plain.get(&ty)?)?, &scalars?)
    }
}

/// The type of a part of a type.
fn part_type(types: &SpirvTypes, ty: u32, index: u32) -> Option<u32> {
    match (types.plain.get(&ty), types.composites.get(&ty)) {
        (Some(&PlainType::Vector { component, .. }), _) => Some(component),
        (_, Some(&CompositeType::Matrix { column, .. })) => Some(column),
        (_, Some(&CompositeType::Array { element, .. })) => Some(element),
        (_, Some(CompositeType::Struct(members))) => members.get(index as usize).copied(),
        _ => None,
    }
}
