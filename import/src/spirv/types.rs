//! What a module of SPIR-V declares, for all passes over its words: types, constants, the types of its values; and what
//! the passes declare besides.

use std::collections::HashMap;

use crate::spirv::fewest::has_result;
use crate::spirv::op;
use crate::spirv::words::words;

/// A type of numbers or conditions, or of vectors of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PlainType {
    Bool,
    Float { width: u32 },
    Int { width: u32, is_signed: bool },
    Vector { component: u32, count: u32 },
}

/// A type that is made of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CompositeType {
    Matrix {
        column: u32,
        count: u32,
    },
    /// `length`: the number of a constant; `None` of one without an end.
    Array {
        element: u32,
        length: Option<u32>,
    },
    Struct(Vec<u32>),
    Pointer {
        class: u32,
        pointee: u32,
    },
}

/// The declarations of a module.
#[derive(Default)]
pub(crate) struct SpirvTypes {
    /// The next number that is free.
    pub(crate) bound: u32,
    pub(crate) plain: HashMap<u32, PlainType>,
    pub(crate) composites: HashMap<u32, CompositeType>,
    /// The type of each value.
    pub(crate) values: HashMap<u32, u32>,
    /// Constants of the module with one word.
    pub(crate) numbers: HashMap<u32, u32>,
    /// The number of each plain type.
    ids: HashMap<PlainType, u32>,
    /// Types and constants that are added, by their words without their number.
    made: HashMap<Vec<u32>, u32>,
    /// These, one behind the other.
    pub(crate) added: Vec<Vec<u32>>,
}

impl SpirvTypes {
    pub(crate) fn new(bound: u32) -> SpirvTypes {
        SpirvTypes { bound, ..SpirvTypes::default() }
    }

    /// Notes what an instruction declares.
    pub(crate) fn note(&mut self, words: &[u32]) {
        let opcode = words[0] & 0xffff;
        match (opcode, words) {
            (op::TYPE_BOOL, &[_, id]) => self.declare(id, PlainType::Bool),
            (op::TYPE_INT, &[_, id, width, sign]) => self.declare(id, PlainType::Int { width, is_signed: sign != 0 }),
            (op::TYPE_FLOAT, &[_, id, width]) => self.declare(id, PlainType::Float { width }),
            (op::TYPE_VECTOR, &[_, id, component, count]) => self.declare(id, PlainType::Vector { component, count }),
            (op::TYPE_MATRIX, &[_, id, column, count]) => {
                self.composites.insert(id, CompositeType::Matrix { column, count });
            }
            (op::TYPE_ARRAY, &[_, id, element, length]) => {
                self.composites.insert(id, CompositeType::Array { element, length: Some(length) });
            }
            (op::TYPE_RUNTIME_ARRAY, &[_, id, element]) => {
                self.composites.insert(id, CompositeType::Array { element, length: None });
            }
            (op::TYPE_STRUCT, &[_, id, ref members @ ..]) => {
                self.composites.insert(id, CompositeType::Struct(members.to_vec()));
            }
            (op::TYPE_POINTER, &[_, id, class, pointee]) => {
                self.composites.insert(id, CompositeType::Pointer { class, pointee });
            }
            (op::CONSTANT, &[_, _, id, number]) => _ = self.numbers.insert(id, number),
            _ => {}
        }
        if let [_, ty, id, ..] = *words
            && has_result(opcode).unwrap_or_else(|| self.plain.contains_key(&ty))
        {
            self.values.entry(id).or_insert(ty);
        }
    }

    fn declare(&mut self, id: u32, plain: PlainType) {
        self.plain.insert(id, plain);
        self.ids.insert(plain, id);
    }

    pub(crate) fn fresh(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    /// The type's number, which is declared if it has none.
    pub(crate) fn type_id(&mut self, plain: PlainType) -> u32 {
        if let Some(&id) = self.ids.get(&plain) {
            return id;
        }
        let id = self.fresh();
        self.added.push(match plain {
            PlainType::Bool => words(op::TYPE_BOOL, &[id]),
            PlainType::Float { width } => words(op::TYPE_FLOAT, &[id, width]),
            PlainType::Int { width, is_signed } => words(op::TYPE_INT, &[id, width, is_signed.into()]),
            PlainType::Vector { component, count } => words(op::TYPE_VECTOR, &[id, component, count]),
        });
        self.declare(id, plain);
        id
    }

    pub(crate) fn int(&mut self, width: u32, is_signed: bool) -> u32 {
        self.type_id(PlainType::Int { width, is_signed })
    }

    /// The type with another component: of a vector a vector.
    pub(crate) fn with_component(&mut self, ty: u32, component: PlainType) -> u32 {
        let component = self.type_id(component);
        match self.plain.get(&ty) {
            Some(&PlainType::Vector { count, .. }) => self.type_id(PlainType::Vector { component, count }),
            _ => component,
        }
    }

    /// Width and signedness of a type of integers or of vectors of them.
    pub(crate) fn integer(&self, ty: u32) -> Option<(u32, bool)> {
        match self.components(ty)?.0 {
            PlainType::Int { width, is_signed } => Some((width, is_signed)),
            PlainType::Bool | PlainType::Float { .. } | PlainType::Vector { .. } => None,
        }
    }

    /// The type of the components of a scalar or a vector, and how many there are.
    pub(crate) fn components(&self, ty: u32) -> Option<(PlainType, u32)> {
        match *self.plain.get(&ty)? {
            PlainType::Vector { component, count } => match *self.plain.get(&component)? {
                // Vectors of vectors are none, and in a file that is broken could be of themselves.
                PlainType::Vector { .. } => None,
                scalar => Some((scalar, count)),
            },
            scalar => Some((scalar, 1)),
        }
    }

    /// The type of a value.
    pub(crate) fn of(&self, value: u32) -> Option<u32> {
        self.values.get(&value).copied()
    }

    /// What a type that is added is made of, behind its number; or a constant, behind its type and number.
    fn made(&mut self, key: Vec<u32>, with_id: impl FnOnce(u32) -> Vec<u32>) -> u32 {
        if let Some(&id) = self.made.get(&key) {
            return id;
        }
        let id = self.fresh();
        let declaration = with_id(id);
        self.note(&declaration);
        self.added.push(declaration);
        self.made.insert(key, id);
        id
    }

    /// A type of pointers.
    pub(crate) fn pointer(&mut self, class: u32, pointee: u32) -> u32 {
        let key = words(op::TYPE_POINTER, &[class, pointee]);
        self.made(key, |id| words(op::TYPE_POINTER, &[id, class, pointee]))
    }

    /// A struct of values, which has no place in memory.
    pub(crate) fn structure(&mut self, members: &[u32]) -> u32 {
        self.made(words(op::TYPE_STRUCT, members), |id| words(op::TYPE_STRUCT, &[&[id], members].concat()))
    }

    /// A constant of these words behind its type and number.
    pub(crate) fn constant(&mut self, opcode: u32, ty: u32, literal: &[u32]) -> u32 {
        let key = words(opcode, &[&[ty], literal].concat());
        self.made(key, |id| words(opcode, &[&[ty, id], literal].concat()))
    }

    /// A constant of 32 bits.
    pub(crate) fn number(&mut self, value: u32) -> u32 {
        let ty = self.int(32, false);
        self.constant(op::CONSTANT, ty, &[value])
    }

    /// Zero of a type.
    pub(crate) fn null(&mut self, ty: u32) -> u32 {
        self.constant(op::CONSTANT_NULL, ty, &[])
    }
}
