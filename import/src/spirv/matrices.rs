//! Matrices of SPIR-V whose rows lie one behind the other (`RowMajor`), or whose columns are further apart or closer
//! together than naga has them (`mat2` of std140). In memory they become arrays of their rows or columns; a value of a
//! matrix stays one, and is put together and taken apart where it is loaded and stored
//! ([`matrix_access`](crate::spirv::matrix_access)). A type that holds such a matrix is declared twice, once as memory
//! has it, and once, without places, as values have it.

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, StorageClass};

use crate::spirv::matrix_access::MatrixPointer;
use crate::spirv::op;
use crate::spirv::types::{CompositeType, PlainType, SpirvTypes};
use crate::spirv::words::{PlacedWords, SpirvRefusal, first_function, words};
use crate::spirv::writer::WordWriter;

/// How a matrix lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MatrixLayout {
    pub(crate) is_in_rows: bool,
    /// Bytes from one row, or column, to the next.
    pub(crate) stride: u32,
}

/// Longer arrays of arrays are none of shaders.
const MAX_DEPTH: u32 = 64;

/// A module whose matrices get such a form.
pub(crate) struct MatrixPlacer<'t> {
    pub(crate) writer: WordWriter<'t>,
    /// The members that have such matrices, by struct and number.
    pub(crate) special: HashMap<(u32, u32), MatrixLayout>,
    /// The types that hold such members.
    pub(crate) holding: HashSet<u32>,
    /// Types as memory has them.
    memory: HashMap<(u32, Option<MatrixLayout>), u32>,
    /// Pointers to what lies otherwise in memory than in values.
    pub(crate) pointers: HashMap<u32, MatrixPointer>,
}

/// Gives all matrices of a module that lie otherwise than naga's the form of arrays.
pub(crate) fn lay_out_matrices(module: &mut Vec<PlacedWords>, types: &mut SpirvTypes) -> Result<(), SpirvRefusal> {
    let special = special_members(module, types);
    if special.is_empty() {
        return Ok(());
    }
    let mut placer = MatrixPlacer {
        writer: WordWriter::new(types),
        special,
        holding: HashSet::new(),
        memory: HashMap::new(),
        pointers: HashMap::new(),
    };
    placer.find_holding(module);
    let functions = module.split_off(first_function(module));
    placer.annotations(module);
    for (byte, instruction) in std::mem::take(module) {
        placer.writer.byte = byte;
        placer.declaration(instruction);
    }
    for (byte, instruction) in functions {
        placer.writer.byte = byte;
        placer.access(instruction).map_err(|what| SpirvRefusal::at(byte, what))?;
    }
    *module = placer.writer.out;
    Ok(())
}

/// The matrix of a member, which may be one in arrays.
fn matrix_in(types: &SpirvTypes, mut ty: u32) -> Option<u32> {
    for _ in 0..MAX_DEPTH {
        match *types.composites.get(&ty)? {
            CompositeType::Matrix { .. } => return Some(ty),
            CompositeType::Array { element, .. } => ty = element,
            CompositeType::Struct(_) | CompositeType::Pointer { .. } => return None,
        }
    }
    None
}

/// The scalar of a matrix, its columns, and its rows.
pub(crate) fn shape_of(types: &SpirvTypes, matrix: u32) -> Option<(PlainType, u32, u32)> {
    let &CompositeType::Matrix { column, count } = types.composites.get(&matrix)? else { return None };
    let (scalar, rows) = types.components(column)?;
    ((2..=4).contains(&count) && (2..=4).contains(&rows)).then_some((scalar, count, rows))
}

/// The members whose matrices lie otherwise than naga has them.
fn special_members(module: &[PlacedWords], types: &SpirvTypes) -> HashMap<(u32, u32), MatrixLayout> {
    let mut layouts: HashMap<(u32, u32), (bool, Option<u32>)> = HashMap::new();
    for (_, one) in module {
        if let [head, ty, member, decoration, rest @ ..] = one.as_slice()
            && head & 0xffff == op::MEMBER_DECORATE
        {
            let layout = layouts.entry((*ty, *member)).or_default();
            layout.0 |= *decoration == Decoration::RowMajor as u32;
            if *decoration == Decoration::MatrixStride as u32 {
                layout.1 = rest.first().copied();
            }
        }
    }
    let special = layouts.into_iter().filter_map(|((ty, member), (is_in_rows, stride))| {
        let CompositeType::Struct(members) = types.composites.get(&ty)? else { return None };
        let matrix = matrix_in(types, *members.get(member as usize)?)?;
        let (scalar, columns, rows) = shape_of(types, matrix)?;
        let PlainType::Float { width } = scalar else { return None };
        let bytes = |count: u32| if count == 3 { 4 } else { count } * (width / 8);
        let natural = bytes(if is_in_rows { columns } else { rows });
        let stride = stride.unwrap_or(natural);
        (is_in_rows || stride != natural).then_some(((ty, member), MatrixLayout { is_in_rows, stride }))
    });
    special.collect()
}

/// The array and the bytes from one of its elements to the next, of a decoration that gives them.
fn array_step(decoration: &[u32]) -> Option<(u32, u32)> {
    let &[head, array, number, step] = decoration else { return None };
    (head & 0xffff == op::DECORATE && number == Decoration::ArrayStride as u32).then_some((array, step))
}

impl MatrixPlacer<'_> {
    /// Finds the types that hold such matrices, which stand behind these. Each gets a number for its form in memory.
    fn find_holding(&mut self, module: &[PlacedWords]) {
        for (_, one) in module {
            let id = match (one[0] & 0xffff, one.as_slice()) {
                (op::TYPE_STRUCT, [_, id, members @ ..]) => {
                    let is_special = |member: u32| self.special.contains_key(&(*id, member));
                    let numbered = (0..).zip(members);
                    let is_holding = numbered.into_iter().any(|(i, ty)| is_special(i) || self.holding.contains(ty));
                    if !is_holding {
                        continue;
                    }
                    *id
                }
                (op::TYPE_ARRAY | op::TYPE_RUNTIME_ARRAY, &[_, id, element, ..]) if self.holding.contains(&element) => {
                    id
                }
                _ => continue,
            };
            self.holding.insert(id);
            let memory = self.writer.types.fresh();
            self.memory.insert((id, None), memory);
        }
        let mut members: Vec<((u32, u32), MatrixLayout)> =
            self.special.iter().map(|(at, layout)| (*at, *layout)).collect();
        members.sort_by_key(|(at, _)| *at);
        for ((ty, member), layout) in members {
            let Some(CompositeType::Struct(all)) = self.writer.types.composites.get(&ty) else { continue };
            let mut next = all.get(member as usize).copied();
            while let Some(ty) = next {
                if let std::collections::hash_map::Entry::Vacant(place) = self.memory.entry((ty, Some(layout))) {
                    place.insert(self.writer.types.fresh());
                }
                next = match self.writer.types.composites.get(&ty) {
                    Some(&CompositeType::Array { element, .. }) => Some(element),
                    _ => None,
                };
            }
        }
    }

    /// The type as memory has it: of a member with this layout.
    pub(crate) fn in_memory(&self, ty: u32, layout: Option<MatrixLayout>) -> u32 {
        self.memory.get(&(ty, layout)).copied().unwrap_or(ty)
    }

    /// Gives the names and decorations of types to their forms in memory. Values keep their names alone.
    fn annotations(&mut self, module: &mut Vec<PlacedWords>) {
        let mut forms: Vec<(u32, Option<MatrixLayout>, u32)> =
            self.memory.iter().map(|(&(ty, layout), &memory)| (ty, layout, memory)).collect();
        forms.sort_by_key(|form| form.2);
        let steps: HashMap<u32, u32> = module.iter().filter_map(|(_, one)| array_step(one)).collect();
        let mut out: Vec<PlacedWords> = Vec::with_capacity(module.len());
        for (byte, one) in std::mem::take(module) {
            let opcode = one[0] & 0xffff;
            let is_name = matches!(opcode, op::NAME | op::MEMBER_NAME);
            let is_decoration = matches!(opcode, op::DECORATE | op::MEMBER_DECORATE);
            let target = one.get(1).copied().unwrap_or_default();
            let of_matrix = [Decoration::RowMajor, Decoration::ColMajor, Decoration::MatrixStride];
            let is_of_matrix = opcode == op::MEMBER_DECORATE
                && one.get(3).is_some_and(|number| of_matrix.iter().any(|decoration| *decoration as u32 == *number))
                && one.get(2).is_some_and(|member| self.special.contains_key(&(target, *member)));
            if (is_name || is_decoration) && !is_of_matrix {
                for &(ty, layout, memory) in forms.iter().filter(|form| form.0 == target) {
                    // The step of an array of matrices is that of its form.
                    if layout.is_none() || (ty == target && opcode == op::DECORATE) {
                        let mut copy = one.clone();
                        copy[1] = memory;
                        out.push((byte, copy));
                    }
                }
            }
            if is_name || !is_decoration || !self.holding.contains(&target) && !self.is_too_close(&one, &steps) {
                out.push((byte, one));
            }
        }
        // The steps between the rows or columns of each form of a matrix stand behind all others.
        let types = [op::TYPE_BOOL, op::TYPE_INT, op::TYPE_FLOAT, op::TYPE_VOID];
        let at = out.iter().position(|one| types.contains(&(one.1[0] & 0xffff))).unwrap_or(out.len());
        let byte = out.get(at).map_or(0, |one| one.0);
        let strides = forms.into_iter().filter_map(|(ty, layout, memory)| {
            shape_of(self.writer.types, ty)?;
            Some((byte, words(op::DECORATE, &[memory, Decoration::ArrayStride as u32, layout?.stride])))
        });
        let strides: Vec<PlacedWords> = strides.collect();
        out.splice(at..at, strides);
        *module = out;
    }

    /// Is it the step of an array of matrices, less than its elements take as values?
    fn is_too_close(&self, decoration: &[u32], steps: &HashMap<u32, u32>) -> bool {
        let Some((array, step)) = array_step(decoration) else { return false };
        let is_special = self.memory.keys().any(|(ty, layout)| *ty == array && layout.is_some());
        is_special
            && match self.writer.types.composites.get(&array) {
                Some(&CompositeType::Array { element, .. }) => {
                    self.value_size(element, steps, 0).is_some_and(|size| u64::from(step) < size)
                }
                _ => false,
            }
    }

    /// The bytes of a matrix as naga has it, or of arrays of such, which keep steps that are long enough.
    fn value_size(&self, ty: u32, steps: &HashMap<u32, u32>, depth: u32) -> Option<u64> {
        if let Some((scalar, columns, rows)) = shape_of(self.writer.types, ty) {
            let PlainType::Float { width } = scalar else { return None };
            let places = u64::from(columns * if rows == 3 { 4 } else { rows });
            // The width of a broken file may be any number.
            return Some(places * u64::from(width / 8));
        }
        let &CompositeType::Array { element, length } = self.writer.types.composites.get(&ty)? else { return None };
        let of_element = (depth < MAX_DEPTH).then(|| self.value_size(element, steps, depth + 1))??;
        let step = steps.get(&ty).map_or(of_element, |&step| of_element.max(step.into()));
        let length = self.writer.types.numbers.get(&length?)?;
        step.checked_mul(u64::from(*length))
    }

    /// What stands before the functions.
    fn declaration(&mut self, mut instruction: Vec<u32>) {
        let opcode = instruction[0] & 0xffff;
        match (opcode, instruction.as_slice()) {
            (op::TYPE_POINTER, &[_, id, class, pointee]) => {
                if is_laid_out(class) && self.holding.contains(&pointee) {
                    instruction[3] = self.in_memory(pointee, None);
                    let pointee = instruction[3];
                    self.writer.types.composites.insert(id, CompositeType::Pointer { class, pointee });
                }
                self.writer.push(instruction);
            }
            (op::TYPE_STRUCT | op::TYPE_ARRAY | op::TYPE_RUNTIME_ARRAY | op::TYPE_MATRIX, &[_, id, ..]) => {
                self.writer.push(instruction.clone());
                let mut forms: Vec<(Option<MatrixLayout>, u32)> = self
                    .memory
                    .iter()
                    .filter(|((ty, _), _)| *ty == id)
                    .map(|(&(_, layout), &memory)| (layout, memory))
                    .collect();
                forms.sort_by_key(|form| form.1);
                for (layout, memory) in forms {
                    let mut form = instruction.clone();
                    form[1] = memory;
                    match opcode {
                        op::TYPE_STRUCT => {
                            for (member, ty) in (0..).zip(&mut form[2..]) {
                                *ty = self.in_memory(*ty, self.special.get(&(id, member)).copied());
                            }
                        }
                        op::TYPE_MATRIX => form = self.matrix_form(id, memory, layout),
                        _ => form[2] = self.in_memory(form[2], layout),
                    }
                    self.writer.types.note(&form);
                    self.writer.push(form);
                }
            }
            _ => {
                if opcode == op::VARIABLE
                    && let &[_, ty, id, ..] = instruction.as_slice()
                {
                    self.variable(ty, id);
                }
                self.writer.push(instruction);
            }
        }
    }

    /// The array that a matrix is in memory. Its element and its length are declared before it.
    fn matrix_form(&mut self, matrix: u32, memory: u32, layout: Option<MatrixLayout>) -> Vec<u32> {
        let shape = shape_of(self.writer.types, matrix);
        let (Some((scalar, columns, rows)), Some(layout)) = (shape, layout) else { return words(op::NOP, &[]) };
        let (width, length) = if layout.is_in_rows { (columns, rows) } else { (rows, columns) };
        let [number, count, element] = [(); 3].map(|()| self.writer.types.fresh());
        let component = self.writer.types.type_id(scalar);
        self.writer.types.plain.insert(number, PlainType::Int { width: 32, is_signed: false });
        self.writer.types.plain.insert(element, PlainType::Vector { component, count: width });
        self.writer.types.numbers.insert(count, length);
        self.writer.types.values.insert(count, number);
        self.writer.push(words(op::TYPE_INT, &[number, 32, 0]));
        self.writer.push(words(op::CONSTANT, &[number, count, length]));
        self.writer.push(words(op::TYPE_VECTOR, &[element, component, width]));
        words(op::TYPE_ARRAY, &[memory, element, count])
    }

    /// Notes a variable of what lies otherwise in memory.
    fn variable(&mut self, pointer: u32, id: u32) {
        if let Some(&CompositeType::Pointer { class, pointee }) = self.writer.types.composites.get(&pointer)
            && is_laid_out(class)
            && let Some((&(ty, _), _)) = self.memory.iter().find(|(_, memory)| **memory == pointee)
        {
            self.pointers.insert(id, MatrixPointer::Memory { ty, layout: None, class });
        }
    }
}

/// Does memory of this class have places for members?
fn is_laid_out(class: u32) -> bool {
    [StorageClass::Uniform, StorageClass::StorageBuffer, StorageClass::PushConstant]
        .iter()
        .any(|laid_out| *laid_out as u32 == class)
}
