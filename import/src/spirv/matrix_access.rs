//! Accesses to matrices that memory has in another form than values: [`matrices`](crate::spirv::matrices) says which.

use crate::spirv::matrices::{MatrixLayout, MatrixPlacer, shape_of};
use crate::spirv::op;
use crate::spirv::types::CompositeType;

/// A pointer to what lies otherwise in memory than in values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MatrixPointer {
    /// To a value of a type.
    Memory { ty: u32, layout: Option<MatrixLayout>, class: u32 },
    /// To a column of a matrix in rows, whose parts lie in all of these: the pointer to the matrix, and the index.
    Column { matrix: u32, ty: u32, column: u32, class: u32 },
}

/// Values of more parts are refused: each part is an instruction.
const MOST_PARTS: u32 = 1024;

/// Structs and arrays with such matrices are copied up to so many parts in each other, and so many in all.
const MOST_LEVELS: u32 = 64;
const MOST_COPIED: u32 = 16 * MOST_PARTS;

impl MatrixPlacer<'_> {
    /// Rewrites an instruction of a function. The error says what is refused.
    pub(crate) fn access(&mut self, instruction: Vec<u32>) -> Result<(), String> {
        match (instruction[0] & 0xffff, instruction.as_slice()) {
            (op::ACCESS_CHAIN | op::IN_BOUNDS_ACCESS_CHAIN, &[head, ty, id, base, ref indices @ ..])
                if let Some(&pointer) = self.pointers.get(&base) =>
            {
                self.chain(head & 0xffff, [ty, id, base], pointer, indices)?;
            }
            (op::LOAD, &[_, ty, id, from, ..]) if let Some(&pointer) = self.pointers.get(&from) => {
                let loaded = self.loaded(from, pointer)?;
                self.writer.add_as(op::COPY_OBJECT, ty, id, &[loaded]);
            }
            (op::STORE, &[_, to, value, ..]) if let Some(&pointer) = self.pointers.get(&to) => {
                self.stored(to, pointer, value)?;
            }
            (op::COPY_MEMORY, &[_, to, from, ..])
                if self.pointers.contains_key(&to) || self.pointers.contains_key(&from) =>
            {
                let value = match self.pointers.get(&from) {
                    Some(&pointer) => self.loaded(from, pointer)?,
                    None => {
                        let pointer = self.writer.types.of(from).and_then(|ty| self.writer.types.composites.get(&ty));
                        let Some(&CompositeType::Pointer { pointee, .. }) = pointer else {
                            return Err("a copy of memory from what is no pointer".to_owned());
                        };
                        self.writer.add(op::LOAD, pointee, &[from])
                    }
                };
                match self.pointers.get(&to) {
                    Some(&pointer) => self.stored(to, pointer, value)?,
                    None => self.writer.push(crate::spirv::words::words(op::STORE, &[to, value])),
                }
            }
            (op::COPY_OBJECT, &[_, _, id, from]) if let Some(&pointer) = self.pointers.get(&from) => {
                let ty = self.writer.types.of(from).unwrap_or_default();
                self.pointers.insert(id, pointer);
                self.writer.add_as(op::COPY_OBJECT, ty, id, &[from]);
            }
            (op::FUNCTION_CALL, [_, _, _, _, args @ ..]) if args.iter().any(|arg| self.pointers.contains_key(arg)) => {
                return Err(
                    "a call with a pointer to a matrix in rows, or with another step between columns".to_owned()
                );
            }
            (op::PHI | op::SELECT, [_, _, _, values @ ..])
                if values.iter().any(|id| self.pointers.contains_key(id)) =>
            {
                let what = "a choice between pointers to matrices in rows, or with another step between columns";
                return Err(what.to_owned());
            }
            _ => self.writer.push(instruction),
        }
        Ok(())
    }

    /// An access chain from such a pointer.
    fn chain(
        &mut self,
        opcode: u32,
        [result, id, base]: [u32; 3],
        pointer: MatrixPointer,
        indices: &[u32],
    ) -> Result<(), String> {
        let (mut at, mut layout, class) = match pointer {
            MatrixPointer::Memory { ty, layout, class } => (ty, layout, class),
            MatrixPointer::Column { matrix, column, .. } => {
                // The row of a column: rows come first.
                let [row] = *indices else { return Err("an access chain into a component of a column".to_owned()) };
                self.writer.add_as(opcode, result, id, &[matrix, row, column]);
                return Ok(());
            }
        };
        let mut left = indices;
        let mut path: Vec<u32> = Vec::new();
        while let [index, rest @ ..] = left {
            match self.writer.types.composites.get(&at) {
                Some(CompositeType::Struct(members)) => {
                    let member = self.writer.types.numbers.get(index).copied();
                    let next = member.and_then(|member| Some((member, *members.get(member as usize)?)));
                    let Some((member, ty)) = next else { return Err("an index of a member that is none".to_owned()) };
                    layout = self.special.get(&(at, member)).copied();
                    at = ty;
                }
                Some(&CompositeType::Array { element, .. }) => at = element,
                Some(&CompositeType::Matrix { column, .. }) => {
                    if layout.is_some_and(|layout| layout.is_in_rows) {
                        return self.chain_into_rows(opcode, [result, id, base], (at, class), &path, left);
                    }
                    layout = None;
                    at = column;
                }
                Some(CompositeType::Pointer { .. }) | None => {
                    // A component of a vector.
                    path.extend(left);
                    break;
                }
            }
            path.push(*index);
            left = rest;
        }
        let memory = self.in_memory(at, layout);
        let operands = [&[base], path.as_slice()].concat();
        if memory == at {
            self.writer.add_as(opcode, result, id, &operands);
        } else {
            let result = self.writer.types.pointer(class, memory);
            self.writer.add_as(opcode, result, id, &operands);
            self.pointers.insert(id, MatrixPointer::Memory { ty: at, layout, class });
        }
        Ok(())
    }

    /// A chain to a matrix in rows, and on by the indices that are left: a column, and perhaps a row.
    fn chain_into_rows(
        &mut self,
        opcode: u32,
        [result, id, base]: [u32; 3],
        (matrix, class): (u32, u32),
        path: &[u32],
        left: &[u32],
    ) -> Result<(), String> {
        match *left {
            [column, row] => {
                let operands = [&[base], path, &[row, column]].concat();
                self.writer.add_as(opcode, result, id, &operands);
                Ok(())
            }
            [column] => {
                // The matrix itself: the base, if the path is empty.
                let pointer = if path.is_empty() {
                    base
                } else {
                    let layout = self.layout_behind(base, path);
                    let memory = self.in_memory(matrix, layout);
                    let ty = self.writer.types.pointer(class, memory);
                    self.writer.add(opcode, ty, &[&[base], path].concat())
                };
                self.pointers.insert(id, MatrixPointer::Column { matrix: pointer, ty: matrix, column, class });
                Ok(())
            }
            _ => Err("an access chain into a component of a matrix".to_owned()),
        }
    }

    /// The layout of the matrix behind a path.
    fn layout_behind(&self, base: u32, path: &[u32]) -> Option<MatrixLayout> {
        let &MatrixPointer::Memory { ty, layout, .. } = self.pointers.get(&base)? else { return None };
        let (mut at, mut layout) = (ty, layout);
        for index in path {
            match self.writer.types.composites.get(&at)? {
                CompositeType::Struct(members) => {
                    let member = *self.writer.types.numbers.get(index)?;
                    layout = self.special.get(&(at, member)).copied();
                    at = *members.get(member as usize)?;
                }
                CompositeType::Array { element, .. } => at = *element,
                CompositeType::Matrix { .. } | CompositeType::Pointer { .. } => return None,
            }
        }
        layout
    }

    /// Pointers to the parts of a column, in order, and their type and that of the column.
    fn column_parts(&mut self, matrix: u32, ty: u32, column: u32, class: u32) -> Result<(Vec<u32>, u32, u32), String> {
        let (Some((scalar, _, rows)), Some(&CompositeType::Matrix { column: vector, .. })) =
            (shape_of(self.writer.types, ty), self.writer.types.composites.get(&ty))
        else {
            return Err("a column of a matrix of an unknown type".to_owned());
        };
        let scalar = self.writer.types.type_id(scalar);
        let pointer = self.writer.types.pointer(class, scalar);
        let parts = (0..rows).map(|row| {
            let row = self.writer.types.number(row);
            self.writer.add(op::ACCESS_CHAIN, pointer, &[matrix, row, column])
        });
        Ok((parts.collect(), scalar, vector))
    }

    /// The value behind a pointer.
    fn loaded(&mut self, from: u32, pointer: MatrixPointer) -> Result<u32, String> {
        match pointer {
            MatrixPointer::Memory { ty, layout, .. } => {
                let memory = self.in_memory(ty, layout);
                let loaded = self.writer.add(op::LOAD, memory, &[from]);
                self.turned(loaded, ty, layout, true)
            }
            MatrixPointer::Column { matrix, ty, column, class } => {
                let (parts, scalar, vector) = self.column_parts(matrix, ty, column, class)?;
                let parts: Vec<u32> =
                    parts.into_iter().map(|part| self.writer.add(op::LOAD, scalar, &[part])).collect();
                Ok(self.writer.add(op::COMPOSITE_CONSTRUCT, vector, &parts))
            }
        }
    }

    /// Stores a value behind a pointer.
    fn stored(&mut self, to: u32, pointer: MatrixPointer, value: u32) -> Result<(), String> {
        match pointer {
            MatrixPointer::Memory { ty, layout, .. } => {
                let form = self.turned(value, ty, layout, false)?;
                self.writer.push(crate::spirv::words::words(op::STORE, &[to, form]));
            }
            MatrixPointer::Column { matrix, ty, column, class } => {
                let (parts, scalar, _) = self.column_parts(matrix, ty, column, class)?;
                for (row, part) in (0..).zip(parts) {
                    let number = self.writer.add(op::COMPOSITE_EXTRACT, scalar, &[value, row]);
                    self.writer.push(crate::spirv::words::words(op::STORE, &[part, number]));
                }
            }
        }
        Ok(())
    }

    /// A value of a type, from the form that memory has to that of values, or back.
    fn turned(&mut self, value: u32, ty: u32, layout: Option<MatrixLayout>, from_memory: bool) -> Result<u32, String> {
        self.turned_part(value, (ty, layout), from_memory, (0, &mut 0))
    }

    /// The same of a part, which lies so deep in the whole. Counts the parts.
    fn turned_part(
        &mut self,
        value: u32,
        (ty, layout): (u32, Option<MatrixLayout>),
        from_memory: bool,
        (depth, count): (u32, &mut u32),
    ) -> Result<u32, String> {
        let memory = self.in_memory(ty, layout);
        if memory == ty {
            return Ok(value);
        }
        *count += 1;
        // In a broken file a struct may be a member of itself.
        if depth > MOST_LEVELS || *count > MOST_COPIED {
            return Err("a copy of a struct or an array with many such matrices".to_owned());
        }
        let result = if from_memory { ty } else { memory };
        let parts = match self.writer.types.composites.get(&ty).cloned() {
            Some(CompositeType::Matrix { column, .. }) => {
                return self.turned_matrix(value, ty, (column, memory), layout, from_memory);
            }
            Some(CompositeType::Struct(members)) => {
                let layouts = (0..).zip(members);
                layouts.map(|(i, part)| (part, self.special.get(&(ty, i)).copied())).collect()
            }
            Some(CompositeType::Array { element, length }) => {
                let length = length.and_then(|length| self.writer.types.numbers.get(&length).copied());
                let length = length.filter(|length| *length <= MOST_PARTS);
                let Some(length) = length else { return Err("a copy of a long array of such matrices".to_owned()) };
                vec![(element, layout); length as usize]
            }
            Some(CompositeType::Pointer { .. }) | None => Vec::new(),
        };
        let mut turned = Vec::new();
        for (i, (part, layout)) in (0..).zip(parts) {
            let of = if from_memory { self.in_memory(part, layout) } else { part };
            let one = self.writer.add(op::COMPOSITE_EXTRACT, of, &[value, i]);
            turned.push(self.turned_part(one, (part, layout), from_memory, (depth + 1, &mut *count))?);
        }
        Ok(self.writer.add(op::COMPOSITE_CONSTRUCT, result, &turned))
    }

    fn turned_matrix(
        &mut self,
        value: u32,
        ty: u32,
        (column, memory): (u32, u32),
        layout: Option<MatrixLayout>,
        from_memory: bool,
    ) -> Result<u32, String> {
        let (Some((scalar, columns, rows)), Some(layout)) = (shape_of(self.writer.types, ty), layout) else {
            return Err("a matrix of an unknown type".to_owned());
        };
        let Some(&CompositeType::Array { element, .. }) = self.writer.types.composites.get(&memory) else {
            return Err("a matrix of an unknown type".to_owned());
        };
        let scalar = self.writer.types.type_id(scalar);
        let (result, vector, count) = match from_memory {
            true => (ty, column, columns),
            false => (memory, element, if layout.is_in_rows { rows } else { columns }),
        };
        let parts = (0..count).map(|i| {
            if !layout.is_in_rows {
                return self.writer.add(op::COMPOSITE_EXTRACT, vector, &[value, i]);
            }
            let across = if from_memory { rows } else { columns };
            let numbers: Vec<u32> =
                (0..across).map(|j| self.writer.add(op::COMPOSITE_EXTRACT, scalar, &[value, j, i])).collect();
            self.writer.add(op::COMPOSITE_CONSTRUCT, vector, &numbers)
        });
        let parts: Vec<u32> = parts.collect();
        Ok(self.writer.add(op::COMPOSITE_CONSTRUCT, result, &parts))
    }
}
