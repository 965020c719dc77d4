//! SPIR-V that naga would read otherwise than it is meant, rewritten before naga reads it.
//!
//! In SPIR-V the opcode says whether an operation is signed; the types of its operands say nothing, and
//! compilers whose languages have no signed types write unsigned ones throughout. naga takes the
//! signedness from the type: so operands of the other type are bitcast here, and results back. Where naga
//! gives a result the type of its operand, it is brought to the declared type. Float
//! comparisons of NaN follow the opcode too (`OpFUnordLessThan` is true), but naga makes ordered ones of
//! all but `OpFUnordNotEqual`, and that of `OpFOrdNotEqual`. `OpSMod` goes through floats in naga. Loads and stores
//! lose memory operands that have operands themselves, such as `Aligned 4`, which naga does not read.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::spirv_constants::{of_one_workgroup_size, widen_constants};
use crate::spirv_flow::{PlacedWords, straightened};
use crate::spirv_memory::refuse_rows;

/// The words before the instructions.
const HEAD: usize = 5;
/// The letters `GLSL`.
const GLSL: u32 = u32::from_le_bytes(*b"GLSL");

/// Beyond this bound of ids, which is far beyond SPIR-V's own limit, there might be none left.
const MOST_IDS: u32 = 1 << 30;

/// Constructs in constructs, as in WGSL: naga recurses over them. Kernels nest 256 deep.
pub(crate) const MAX_DEPTH: usize = 1000;

/// Why a module is not imported: what of it, and the byte of the instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SpirvRefusal {
    pub(crate) byte: u32,
    pub(crate) what: String,
}

impl SpirvRefusal {
    pub(crate) fn at(byte: u32, what: String) -> SpirvRefusal {
        SpirvRefusal { byte, what }
    }
}

/// The opcodes that are read or written here, as words.
pub(crate) mod op {
    use spirv::Op;

    pub(crate) const EXT_INST_IMPORT: u32 = Op::ExtInstImport as u32;
    pub(crate) const EXT_INST: u32 = Op::ExtInst as u32;
    pub(crate) const TYPE_BOOL: u32 = Op::TypeBool as u32;
    pub(crate) const TYPE_INT: u32 = Op::TypeInt as u32;
    pub(crate) const TYPE_VECTOR: u32 = Op::TypeVector as u32;
    pub(crate) const CONSTANT_NULL: u32 = Op::ConstantNull as u32;
    pub(crate) const FUNCTION: u32 = Op::Function as u32;
    pub(crate) const LOOP_MERGE: u32 = Op::LoopMerge as u32;
    pub(crate) const SELECTION_MERGE: u32 = Op::SelectionMerge as u32;
    pub(crate) const LOAD: u32 = Op::Load as u32;
    pub(crate) const STORE: u32 = Op::Store as u32;
    pub(crate) const LABEL: u32 = Op::Label as u32;
    pub(crate) const CONVERT_F_TO_S: u32 = Op::ConvertFToS as u32;
    pub(crate) const CONVERT_F_TO_U: u32 = Op::ConvertFToU as u32;
    pub(crate) const CONVERT_S_TO_F: u32 = Op::ConvertSToF as u32;
    pub(crate) const CONVERT_U_TO_F: u32 = Op::ConvertUToF as u32;
    pub(crate) const U_CONVERT: u32 = Op::UConvert as u32;
    pub(crate) const S_CONVERT: u32 = Op::SConvert as u32;
    pub(crate) const BITCAST: u32 = Op::Bitcast as u32;
    pub(crate) const S_NEGATE: u32 = Op::SNegate as u32;
    pub(crate) const I_ADD: u32 = Op::IAdd as u32;
    pub(crate) const S_DIV: u32 = Op::SDiv as u32;
    pub(crate) const U_DIV: u32 = Op::UDiv as u32;
    pub(crate) const U_MOD: u32 = Op::UMod as u32;
    pub(crate) const S_REM: u32 = Op::SRem as u32;
    pub(crate) const S_MOD: u32 = Op::SMod as u32;
    pub(crate) const LOGICAL_OR: u32 = Op::LogicalOr as u32;
    pub(crate) const LOGICAL_AND: u32 = Op::LogicalAnd as u32;
    pub(crate) const LOGICAL_NOT: u32 = Op::LogicalNot as u32;
    pub(crate) const SELECT: u32 = Op::Select as u32;
    pub(crate) const I_NOT_EQUAL: u32 = Op::INotEqual as u32;
    pub(crate) const S_LESS_THAN: u32 = Op::SLessThan as u32;
    pub(crate) const F_UNORD_EQUAL: u32 = Op::FUnordEqual as u32;
    pub(crate) const F_ORD_NOT_EQUAL: u32 = Op::FOrdNotEqual as u32;
    pub(crate) const F_ORD_LESS: u32 = Op::FOrdLessThan as u32;
    pub(crate) const F_UNORD_LESS: u32 = Op::FUnordLessThan as u32;
    pub(crate) const F_ORD_GREATER: u32 = Op::FOrdGreaterThan as u32;
    pub(crate) const F_UNORD_GREATER: u32 = Op::FUnordGreaterThan as u32;
    pub(crate) const F_ORD_LESS_EQUAL: u32 = Op::FOrdLessThanEqual as u32;
    pub(crate) const F_UNORD_LESS_EQUAL: u32 = Op::FUnordLessThanEqual as u32;
    pub(crate) const F_ORD_GREATER_EQUAL: u32 = Op::FOrdGreaterThanEqual as u32;
    pub(crate) const F_UNORD_GREATER_EQUAL: u32 = Op::FUnordGreaterThanEqual as u32;
    pub(crate) const SHIFT_RIGHT_LOGICAL: u32 = Op::ShiftRightLogical as u32;
    pub(crate) const SHIFT_RIGHT_ARITHMETIC: u32 = Op::ShiftRightArithmetic as u32;
    pub(crate) const SHIFT_LEFT_LOGICAL: u32 = Op::ShiftLeftLogical as u32;
    pub(crate) const BITWISE_XOR: u32 = Op::BitwiseXor as u32;
    pub(crate) const BIT_FIELD_INSERT: u32 = Op::BitFieldInsert as u32;
    pub(crate) const BIT_REVERSE: u32 = Op::BitReverse as u32;
    pub(crate) const BIT_COUNT: u32 = Op::BitCount as u32;
    pub(crate) const BIT_FIELD_S_EXTRACT: u32 = Op::BitFieldSExtract as u32;
    pub(crate) const BIT_FIELD_U_EXTRACT: u32 = Op::BitFieldUExtract as u32;
    pub(crate) const ATOMIC_S_MIN: u32 = Op::AtomicSMin as u32;
    pub(crate) const ATOMIC_U_MIN: u32 = Op::AtomicUMin as u32;
    pub(crate) const ATOMIC_S_MAX: u32 = Op::AtomicSMax as u32;
    pub(crate) const ATOMIC_U_MAX: u32 = Op::AtomicUMax as u32;
    pub(crate) const GROUP_S_MIN: u32 = Op::GroupNonUniformSMin as u32;
    pub(crate) const GROUP_U_MIN: u32 = Op::GroupNonUniformUMin as u32;
    pub(crate) const GROUP_S_MAX: u32 = Op::GroupNonUniformSMax as u32;
    pub(crate) const GROUP_U_MAX: u32 = Op::GroupNonUniformUMax as u32;
    pub(crate) const BRANCH: u32 = Op::Branch as u32;
    pub(crate) const BRANCH_CONDITIONAL: u32 = Op::BranchConditional as u32;
    pub(crate) const SWITCH: u32 = Op::Switch as u32;
    pub(crate) const PHI: u32 = Op::Phi as u32;
    pub(crate) const VARIABLE: u32 = Op::Variable as u32;
    pub(crate) const TYPE_POINTER: u32 = Op::TypePointer as u32;
    pub(crate) const CONSTANT: u32 = Op::Constant as u32;
    pub(crate) const CONSTANT_TRUE: u32 = Op::ConstantTrue as u32;
    pub(crate) const CONSTANT_FALSE: u32 = Op::ConstantFalse as u32;
    pub(crate) const I_EQUAL: u32 = Op::IEqual as u32;
    pub(crate) const TYPE_FLOAT: u32 = Op::TypeFloat as u32;
    pub(crate) const UNDEF: u32 = Op::Undef as u32;
    pub(crate) const COMPOSITE_CONSTRUCT: u32 = Op::CompositeConstruct as u32;
    pub(crate) const COMPOSITE_EXTRACT: u32 = Op::CompositeExtract as u32;
    pub(crate) const I_SUB: u32 = Op::ISub as u32;
    pub(crate) const I_MUL: u32 = Op::IMul as u32;
    pub(crate) const U_LESS_THAN: u32 = Op::ULessThan as u32;
    pub(crate) const U_MUL_EXTENDED: u32 = Op::UMulExtended as u32;
    pub(crate) const S_MUL_EXTENDED: u32 = Op::SMulExtended as u32;
    pub(crate) const I_ADD_CARRY: u32 = Op::IAddCarry as u32;
    pub(crate) const I_SUB_BORROW: u32 = Op::ISubBorrow as u32;
    pub(crate) const BITWISE_OR: u32 = Op::BitwiseOr as u32;
}

/// What an instruction needs of the types of its integers.
struct SignedOperands {
    /// The signedness that its opcode means; `None` if it means none.
    is_signed: Option<bool>,
    /// Its operands, as places among its words.
    operands: std::ops::Range<usize>,
    result: NagaResult,
}

/// The type that naga gives the result of an instruction, where the module declares another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NagaResult {
    /// The declared one, whose signedness changes nothing.
    Declared,
    /// The declared one, and its signedness is taken for the opcode's.
    Signed,
    /// That of the first operand.
    Operand,
}

/// The needs of an instruction whose words begin with its head; nothing of most.
fn signed_operands(words: &[u32]) -> Option<SignedOperands> {
    use NagaResult::{Declared, Operand, Signed};
    let needs = |is_signed, operands, result| Some(SignedOperands { is_signed, operands, result });
    // naga says what is wrong with an instruction that was cut off.
    if words.len() < 4 {
        return None;
    }
    match (words[0] & 0xffff, words.get(4)) {
        (op::CONVERT_S_TO_F | op::S_CONVERT, _) => needs(Some(true), 3..4, Declared),
        (op::CONVERT_U_TO_F | op::U_CONVERT, _) => needs(Some(false), 3..4, Declared),
        // Their operands are floats.
        (op::CONVERT_F_TO_S, _) => needs(Some(true), 3..3, Signed),
        (op::CONVERT_F_TO_U, _) => needs(Some(false), 3..3, Signed),
        (op::S_NEGATE, _) => needs(Some(true), 3..4, Signed),
        (op::S_DIV | op::S_REM | op::S_MOD, _) => needs(Some(true), 3..5, Signed),
        (op::U_DIV | op::U_MOD, _) => needs(Some(false), 3..5, Operand),
        (op::SHIFT_RIGHT_ARITHMETIC | op::BIT_FIELD_S_EXTRACT, _) => needs(Some(true), 3..4, Operand),
        (op::SHIFT_RIGHT_LOGICAL | op::BIT_FIELD_U_EXTRACT, _) => needs(Some(false), 3..4, Operand),
        (op::SHIFT_LEFT_LOGICAL | op::BIT_FIELD_INSERT | op::BIT_REVERSE | op::BIT_COUNT, _) => {
            needs(None, 3..4, Operand)
        }
        (op::GROUP_S_MIN | op::GROUP_S_MAX, _) => needs(Some(true), 5..6, Operand),
        (op::GROUP_U_MIN | op::GROUP_U_MAX, _) => needs(Some(false), 5..6, Operand),
        // Of GLSL.std.450: SAbs, SSign, SMin, SMax, SClamp, FindSMsb; UMin, UMax, UClamp, FindUMsb; FindILsb.
        (op::EXT_INST, Some(5 | 7 | 39 | 42 | 45 | 74)) => needs(Some(true), 5..words.len(), Operand),
        (op::EXT_INST, Some(38 | 41 | 44 | 75)) => needs(Some(false), 5..words.len(), Operand),
        (op::EXT_INST, Some(73)) => needs(None, 5..words.len(), Operand),
        _ => None,
    }
}

/// The module, rewritten where that is needed. The error is a sentence.
#[cfg(test)]
fn repaired(bytes: &[u8]) -> Result<Cow<'_, [u8]>, String> {
    repaired_with_origins(bytes).map(|(repaired, _)| repaired).map_err(|refusal| refusal.what)
}

/// Where instructions of a rewritten module come from: the byte of its first word there, and in the module as it
/// was. Empty if nothing is rewritten.
pub(crate) type InstructionOrigins = Vec<(u32, u32)>;

/// The module, rewritten where that is needed, and where its instructions come from.
pub(crate) fn repaired_with_origins(bytes: &[u8]) -> Result<(Cow<'_, [u8]>, InstructionOrigins), SpirvRefusal> {
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    if words.len() < HEAD || words[0] != spirv::MAGIC_NUMBER || !bytes.len().is_multiple_of(4) {
        // naga says what is wrong.
        return Ok((Cow::Borrowed(bytes), Vec::new()));
    }
    if words[3] > MOST_IDS {
        return Err(SpirvRefusal::at(12, format!("ids below {}, more than the limit of SPIR-V", words[3])));
    }
    let mut module: Vec<PlacedWords> = Vec::new();
    let mut rest = &words[HEAD..];
    while let Some(&head) = rest.first() {
        let length = (head >> 16) as usize;
        let whole = |(instruction, _): &(&[u32], &[u32])| length > 0 && length >= fewest_words(instruction[0] & 0xffff);
        let Some((instruction, after)) = rest.split_at_checked(length).filter(whole) else {
            return Ok((Cow::Borrowed(bytes), Vec::new()));
        };
        module.push(((words.len() - rest.len()) as u32 * 4, instruction.to_vec()));
        rest = after;
    }
    refuse_rows(&module)?;
    let mut rewriter = SpirvRewriter { bound: words[3], ..SpirvRewriter::default() };
    rewriter.has_changed |= of_one_workgroup_size(&mut module);
    rewriter.has_changed |= widen_constants(&mut module, &mut rewriter.bound);
    if let Some((straight, bound)) = straightened(&module, rewriter.bound)? {
        (module, rewriter.bound, rewriter.has_changed) = (straight, bound, true);
    }
    for (byte, instruction) in &module {
        rewriter.begin(*byte, instruction[0] & 0xffff);
        rewriter.instruction(instruction).map_err(|what| SpirvRefusal::at(*byte, what))?;
    }
    if !rewriter.has_changed {
        return Ok((Cow::Borrowed(bytes), Vec::new()));
    }
    let origins = rewriter.origins();
    let mut out = words[..HEAD].to_vec();
    out[3] = rewriter.bound;
    out.extend(rewriter.before.iter().chain(&rewriter.declared).chain(&rewriter.functions));
    Ok((Cow::Owned(out.iter().flat_map(|word| word.to_le_bytes()).collect()), origins))
}

/// The words that an instruction of the flow of control has at least.
fn fewest_words(opcode: u32) -> usize {
    match opcode {
        op::LABEL | op::BRANCH => 2,
        op::SWITCH | op::SELECTION_MERGE | op::PHI => 3,
        op::BRANCH_CONDITIONAL | op::LOOP_MERGE => 4,
        _ => 1,
    }
}

/// A type of numbers or conditions, or of vectors of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PlainType {
    Bool,
    Float { width: u32 },
    Int { width: u32, is_signed: bool },
    Vector { component: u32, count: u32 },
}

/// A module while it is rewritten.
#[derive(Default)]
pub(crate) struct SpirvRewriter {
    bound: u32,
    /// The words before all functions.
    before: Vec<u32>,
    /// Types and constants that are added behind them.
    pub(crate) declared: Vec<u32>,
    functions: Vec<u32>,
    pub(crate) types: HashMap<u32, PlainType>,
    ids: HashMap<PlainType, u32>,
    /// The type of each value.
    pub(crate) value_types: HashMap<u32, u32>,
    nulls: HashMap<u32, u32>,
    /// Constants of 32 bits that are added, by their values.
    pub(crate) numbers: HashMap<u32, u32>,
    /// Constants of the module of 32 bits.
    pub(crate) known: HashMap<u32, u32>,
    /// The set of instructions GLSL.std.450, by the beginning of its name.
    glsl: Option<u32>,
    is_in_functions: bool,
    has_changed: bool,
    /// The labels behind the constructs around.
    merges: Vec<u32>,
    /// Where the words of each instruction begin in `before` or in `functions`, and its byte in the module as it was.
    begun_before: Vec<(usize, u32)>,
    begun: Vec<(usize, u32)>,
}

impl SpirvRewriter {
    /// Notes where an instruction begins.
    fn begin(&mut self, byte: u32, opcode: u32) {
        if self.is_in_functions || opcode == op::FUNCTION {
            self.begun.push((self.functions.len(), byte));
        } else {
            self.begun_before.push((self.before.len(), byte));
        }
    }

    fn origins(&self) -> InstructionOrigins {
        let behind = HEAD + self.before.len() + self.declared.len();
        let before = self.begun_before.iter().map(|&(at, byte)| (HEAD + at, byte));
        let all = before.chain(self.begun.iter().map(|&(at, byte)| (behind + at, byte)));
        all.map(|(at, byte)| (at as u32 * 4, byte)).collect()
    }

    pub(crate) fn fresh(&mut self) -> u32 {
        let id = self.bound;
        self.bound += 1;
        id
    }

    /// The type's number, which is declared if it has none.
    pub(crate) fn type_id(&mut self, plain: PlainType) -> u32 {
        if let Some(&id) = self.ids.get(&plain) {
            return id;
        }
        let id = self.fresh();
        match plain {
            PlainType::Bool => self.declared.extend([2 << 16 | op::TYPE_BOOL, id]),
            PlainType::Float { width } => self.declared.extend([3 << 16 | op::TYPE_FLOAT, id, width]),
            PlainType::Int { width, is_signed } => {
                self.declared.extend([4 << 16 | op::TYPE_INT, id, width, is_signed.into()]);
            }
            PlainType::Vector { component, count } => {
                self.declared.extend([4 << 16 | op::TYPE_VECTOR, id, component, count]);
            }
        }
        self.types.insert(id, plain);
        self.ids.insert(plain, id);
        id
    }

    /// The type with another component: of a vector a vector.
    pub(crate) fn with_component(&mut self, ty: u32, component: PlainType) -> u32 {
        let component = self.type_id(component);
        match self.types.get(&ty) {
            Some(&PlainType::Vector { count, .. }) => self.type_id(PlainType::Vector { component, count }),
            _ => component,
        }
    }

    /// Width and signedness of a type of integers or of vectors of them.
    pub(crate) fn integer(&self, ty: u32) -> Option<(u32, bool)> {
        match *self.types.get(&ty)? {
            PlainType::Int { width, is_signed } => Some((width, is_signed)),
            // Vectors of vectors are none, and in a file that is broken could be of themselves.
            PlainType::Vector { component, .. } => match *self.types.get(&component)? {
                PlainType::Int { width, is_signed } => Some((width, is_signed)),
                PlainType::Vector { .. } | PlainType::Bool | PlainType::Float { .. } => None,
            },
            PlainType::Bool | PlainType::Float { .. } => None,
        }
    }

    pub(crate) fn null(&mut self, ty: u32) -> u32 {
        if let Some(&id) = self.nulls.get(&ty) {
            return id;
        }
        let id = self.fresh();
        self.declared.extend([3 << 16 | op::CONSTANT_NULL, ty, id]);
        self.nulls.insert(ty, id);
        id
    }

    /// Adds an instruction, and gives its result.
    pub(crate) fn add(&mut self, opcode: u32, ty: u32, operands: &[u32]) -> u32 {
        let id = self.fresh();
        self.add_as(opcode, ty, id, operands);
        id
    }

    pub(crate) fn add_as(&mut self, opcode: u32, ty: u32, id: u32, operands: &[u32]) {
        self.functions.extend([(operands.len() as u32 + 3) << 16 | opcode, ty, id]);
        self.functions.extend(operands);
        self.value_types.insert(id, ty);
        self.has_changed = true;
    }

    fn instruction(&mut self, words: &[u32]) -> Result<(), String> {
        let opcode = words[0] & 0xffff;
        self.is_in_functions |= opcode == op::FUNCTION;
        match (opcode, words) {
            (op::FUNCTION, _) => self.merges.clear(),
            (op::LOOP_MERGE | op::SELECTION_MERGE, &[_, merge, ..]) => self.merges.push(merge),
            (op::LABEL, &[_, label]) => {
                while self.merges.last() == Some(&label) {
                    self.merges.pop();
                }
            }
            (op::EXT_INST_IMPORT, &[_, id, GLSL, ..]) => self.glsl = Some(id),
            (op::CONSTANT, &[_, _, id, number]) => _ = self.known.insert(id, number),
            (op::TYPE_BOOL, &[_, id]) => self.declare(id, PlainType::Bool),
            (op::TYPE_INT, &[_, id, width, sign]) => self.declare(id, PlainType::Int { width, is_signed: sign != 0 }),
            (op::TYPE_FLOAT, &[_, id, width]) => self.declare(id, PlainType::Float { width }),
            (op::TYPE_VECTOR, &[_, id, component, count]) => {
                self.declare(id, PlainType::Vector { component, count });
            }
            _ => {}
        }
        if self.merges.len() > MAX_DEPTH {
            return Err(format!("constructs nested more than {MAX_DEPTH} deep"));
        }
        if let [_, ty, id, ..] = *words
            && self.types.contains_key(&ty)
        {
            self.value_types.insert(id, ty);
        }
        if !self.is_in_functions {
            self.before.extend(words);
            return Ok(());
        }
        if let Some(other) = self.image_or_barrier(words)? {
            self.functions.extend(other);
            self.has_changed = true;
            return Ok(());
        }
        match (opcode, words) {
            (op::F_UNORD_LESS, &[_, ty, id, a, b]) => self.not(op::F_ORD_GREATER_EQUAL, ty, id, [a, b]),
            (op::F_UNORD_GREATER, &[_, ty, id, a, b]) => self.not(op::F_ORD_LESS_EQUAL, ty, id, [a, b]),
            (op::F_UNORD_LESS_EQUAL, &[_, ty, id, a, b]) => self.not(op::F_ORD_GREATER, ty, id, [a, b]),
            (op::F_UNORD_GREATER_EQUAL, &[_, ty, id, a, b]) => self.not(op::F_ORD_LESS, ty, id, [a, b]),
            (op::F_ORD_NOT_EQUAL, &[_, ty, id, a, b]) => {
                let parts = [op::F_ORD_LESS, op::F_ORD_GREATER].map(|opcode| self.add(opcode, ty, &[a, b]));
                self.add_as(op::LOGICAL_OR, ty, id, &parts);
            }
            (op::F_UNORD_EQUAL, &[_, ty, id, a, b]) => {
                let parts = [op::F_ORD_LESS, op::F_ORD_GREATER].map(|opcode| self.add(opcode, ty, &[a, b]));
                let differ = self.add(op::LOGICAL_OR, ty, &parts);
                self.add_as(op::LOGICAL_NOT, ty, id, &[differ]);
            }
            (op::ATOMIC_S_MIN | op::ATOMIC_U_MIN | op::ATOMIC_S_MAX | op::ATOMIC_U_MAX, &[_, ty, ..]) => {
                let is_signed = matches!(opcode, op::ATOMIC_S_MIN | op::ATOMIC_S_MAX);
                if self.integer(ty).is_some_and(|(_, signed)| signed != is_signed) {
                    let (minimum, memory) = if is_signed { ("signed", "unsigned") } else { ("unsigned", "signed") };
                    return Err(format!("an atomic {minimum} minimum or maximum of {memory} integers"));
                }
                self.functions.extend(words);
            }
            // naga reads a mask of memory operands, but nothing behind it; alignments and the like change nothing.
            (op::LOAD, &[_, ty, id, pointer, _, _, ..]) => {
                self.functions.extend([4 << 16 | op::LOAD, ty, id, pointer]);
                self.has_changed = true;
            }
            (op::STORE, &[_, pointer, value, _, _, ..]) => {
                self.functions.extend([3 << 16 | op::STORE, pointer, value]);
                self.has_changed = true;
            }
            (op::U_MUL_EXTENDED | op::S_MUL_EXTENDED | op::I_ADD_CARRY | op::I_SUB_BORROW, &[_, ty, id, a, b])
                if self.extended(opcode, [ty, id, a, b]) => {}
            (op::BITCAST, &[_, ty, id, value]) if self.bitcast(ty, id, value) => {}
            // naga reads one in a function as a number that is computed twice.
            (op::UNDEF, &[_, ty, id]) => {
                self.declared.extend([3 << 16 | op::CONSTANT_NULL, ty, id]);
                self.has_changed = true;
            }
            (op::EXT_INST, &[_, _, _, set, ..]) if Some(set) != self.glsl => self.functions.extend(words),
            _ => match signed_operands(words) {
                Some(needs) => self.of_signs(words, &needs),
                None => self.functions.extend(words),
            },
        }
        Ok(())
    }

    fn declare(&mut self, id: u32, plain: PlainType) {
        self.types.insert(id, plain);
        self.ids.insert(plain, id);
    }

    /// The negation of a comparison.
    fn not(&mut self, opcode: u32, ty: u32, id: u32, operands: [u32; 2]) {
        let opposite = self.add(opcode, ty, &operands);
        self.add_as(op::LOGICAL_NOT, ty, id, &[opposite]);
    }

    /// An instruction whose operands get types of its signedness; its result is brought to the declared
    /// type.
    fn of_signs(&mut self, words: &[u32], needs: &SignedOperands) {
        let mut words = words.to_vec();
        let opcode = words[0] & 0xffff;
        for at in needs.operands.clone() {
            let Some(&ty) = words.get(at).and_then(|operand| self.value_types.get(operand)) else { continue };
            if let Some(other) = needs.is_signed.and_then(|is_signed| self.of_other_sign(ty, is_signed)) {
                words[at] = self.add(op::BITCAST, other, &[words[at]]);
            }
        }
        let &[_, ty, id, ..] = words.as_slice() else {
            // naga says what is wrong.
            self.functions.extend(&words);
            return;
        };
        let found = match needs.result {
            NagaResult::Declared => None,
            NagaResult::Signed => needs.is_signed.and_then(|is_signed| self.of_other_sign(ty, is_signed)),
            NagaResult::Operand => words
                .get(needs.operands.start)
                .and_then(|operand| self.value_types.get(operand).copied())
                .filter(|&found| found != ty && self.integer(found).is_some() && self.integer(ty).is_some()),
        };
        let (result_ty, result) = match found {
            Some(found) => (found, self.fresh()),
            None => (ty, id),
        };
        match words.as_slice() {
            &[_, _, _, a, b] if opcode == op::S_MOD => self.modulo(result_ty, result, a, b),
            _ => {
                (words[1], words[2]) = (result_ty, result);
                self.functions.extend(&words);
            }
        }
        if result != id {
            // A count of bits may be wider than what was counted.
            let width = |of: u32| self.integer(of).map(|(width, _)| width);
            let same_bits = width(result_ty) == width(ty);
            self.add_as(if same_bits { op::BITCAST } else { op::U_CONVERT }, ty, id, &[result]);
        }
    }

    /// The type with the other signedness, if it is not of this one.
    fn of_other_sign(&mut self, ty: u32, is_signed: bool) -> Option<u32> {
        let (width, signed) = self.integer(ty)?;
        (signed != is_signed).then(|| self.with_component(ty, PlainType::Int { width, is_signed }))
    }

    /// The remainder with the sign of the divisor.
    fn modulo(&mut self, ty: u32, id: u32, a: u32, b: u32) {
        let (conditions, zero) = (self.with_component(ty, PlainType::Bool), self.null(ty));
        let rest = self.add(op::S_REM, ty, &[a, b]);
        let is_some = self.add(op::I_NOT_EQUAL, conditions, &[rest, zero]);
        let signs = self.add(op::BITWISE_XOR, ty, &[rest, b]);
        let differ = self.add(op::S_LESS_THAN, conditions, &[signs, zero]);
        let other = self.add(op::LOGICAL_AND, conditions, &[is_some, differ]);
        let sum = self.add(op::I_ADD, ty, &[rest, b]);
        self.add_as(op::SELECT, ty, id, &[other, sum, rest]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(bound: u32, instructions: &[&[u32]]) -> Vec<u8> {
        let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0300, 0, bound, 0];
        for instruction in instructions {
            words.push((instruction.len() as u32) << 16 | instruction[0]);
            words.extend(&instruction[1..]);
        }
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn broken_modules_are_left_as_they_are_or_refused() {
        // A vector of itself; instructions that are cut off; an instruction without a length.
        let of_itself: &[&[u32]] = &[
            &[op::TYPE_VECTOR, 1, 1, 2],
            &[op::FUNCTION, 1, 2],
            &[op::CONVERT_S_TO_F, 1, 3, 2],
            &[op::S_MOD, 1, 4, 3, 3],
        ];
        let cut: &[&[u32]] = &[&[op::FUNCTION], &[op::S_MOD], &[op::CONVERT_S_TO_F, 1], &[op::EXT_INST, 1, 2, 3]];
        for broken in [module(9, of_itself), module(9, cut)] {
            assert!(repaired(&broken).is_ok());
        }
        let mut endless = module(9, cut);
        endless.extend([0; 4]);
        assert_eq!(repaired(&endless), Ok(Cow::Borrowed(endless.as_slice())));
        assert_eq!(repaired(&endless[..30]), Ok(Cow::Borrowed(&endless[..30])));
        assert!(repaired(&module(u32::MAX, cut)).is_err_and(|what| what.starts_with("ids below 4294967295")));
        let nested = |count: u32| {
            let constructs = (0..count).flat_map(|i| [[op::SELECTION_MERGE, 9 + i, 0], [op::LABEL, 9 + i, 0]]);
            let words: Vec<[u32; 3]> = [[op::FUNCTION, 1, 2]].into_iter().chain(constructs).collect();
            let one_behind_the_other = words.iter().map(|words| &words[..if words[0] == op::LABEL { 2 } else { 3 }]);
            let inside = one_behind_the_other.clone().filter(|words| words[0] != op::LABEL);
            [module(9, &one_behind_the_other.collect::<Vec<_>>()), module(9, &inside.collect::<Vec<_>>())]
        };
        assert!(nested(1000).iter().all(|module| repaired(module).is_ok()));
        let [flat, deep] = nested(50_000);
        assert!(repaired(&flat).is_ok());
        assert_eq!(repaired(&deep), Err("constructs nested more than 1000 deep".to_owned()));
    }
}
