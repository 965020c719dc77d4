//! Constants of many parts are tables of the kernel: one each, however often a shader names it.

use naga::{Arena, Expression, Handle, Type as ShaderType};
use tilewise_ir::kernel::{Place, Root, TableId};
use tilewise_ir::limits::MAX_TABLE;
use tilewise_ir::types::TypeId;

use crate::ShaderImporter;
use crate::expression::constant_of_literal;
use crate::types::width;

/// A constant expression: one of the module, or of the function whose expressions lie at that address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ConstantPlace {
    function: Option<usize>,
    of: Handle<Expression>,
}

/// Scalars of a table.
const MAX_SCALARS: u64 = 65_536;

impl<'m> ShaderImporter<'m> {
    /// The table of a constant of many parts.
    pub(crate) fn large_constant(&mut self, arena: &'m Arena<Expression>, of: Handle<Expression>) -> Option<Place> {
        let ty = match arena[of] {
            Expression::Constant(constant) => self.module.constants[constant].ty,
            Expression::Compose { ty, .. } => ty,
            _ => return None,
        };
        let memory = self.memory_type(ty);
        if self.is_large(memory) { self.constant_place(arena, of) } else { None }
    }

    /// The table of a constant that is an array, a matrix or a struct.
    pub(crate) fn constant_place(&mut self, arena: &'m Arena<Expression>, of: Handle<Expression>) -> Option<Place> {
        let (ty, place) = match arena[of] {
            Expression::Constant(constant) => {
                let constant = &self.module.constants[constant];
                (constant.ty, ConstantPlace { function: None, of: constant.init })
            }
            Expression::Compose { ty, .. } => {
                let is_global = std::ptr::eq(arena, &self.module.global_expressions);
                let address = std::ptr::from_ref(arena).addr();
                (ty, ConstantPlace { function: (!is_global).then_some(address), of })
            }
            _ => return None,
        };
        let table = match self.tables.get(&place) {
            Some(&table) => table,
            None => {
                let table = self.make_table(arena, of, ty);
                self.tables.insert(place, table);
                table
            }
        };
        table.map(place_of_table)
    }

    fn make_table(
        &mut self,
        arena: &'m Arena<Expression>,
        of: Handle<Expression>,
        ty: Handle<ShaderType>,
    ) -> Option<TableId> {
        let memory = self.memory_type(ty);
        let count = self.table_scalars(memory)?;
        let mut leaves = Vec::new();
        let is_constant = self.leaves_of(arena, of, &mut leaves);
        if !is_constant || leaves.len() as u64 != count {
            return None;
        }
        let name = match arena[of] {
            Expression::Constant(constant) => self.module.constants[constant].name.as_deref(),
            _ => None,
        };
        let pos = self.pos;
        Some(self.builder.table(name.unwrap_or("constant"), memory, leaves, pos))
    }

    /// The number of scalars of a type, if a table may have so many.
    fn table_scalars(&mut self, ty: TypeId) -> Option<u64> {
        let types = self.builder.types();
        let (scalars, bytes) = (types.measure(ty).leaves, types.size(ty));
        (scalars <= MAX_SCALARS && bytes <= MAX_TABLE).then_some(scalars)
    }

    /// Appends the scalars of a constant expression; `false` if it is none.
    fn leaves_of(&mut self, arena: &'m Arena<Expression>, of: Handle<Expression>, leaves: &mut Vec<u64>) -> bool {
        let module = self.module;
        match arena[of] {
            Expression::Literal(literal) => match constant_of_literal(literal) {
                Some(constant) => {
                    leaves.push(constant.bits);
                    true
                }
                None => false,
            },
            Expression::Constant(constant) => {
                self.leaves_of(&module.global_expressions, module.constants[constant].init, leaves)
            }
            Expression::ZeroValue(ty) => {
                let memory = self.memory_type(ty);
                let Some(count) = self.table_scalars(memory) else { return false };
                leaves.extend((0..count).map(|_| 0));
                leaves.len() as u64 <= MAX_SCALARS
            }
            Expression::Compose { ref components, .. } => components
                .iter()
                .all(|&component| leaves.len() as u64 <= MAX_SCALARS && self.leaves_of(arena, component, leaves)),
            Expression::Splat { size, value } => {
                let begin = leaves.len();
                let is_constant = self.leaves_of(arena, value, leaves) && leaves.len() == begin + 1;
                if let Some(&scalar) = leaves.last().filter(|_| is_constant) {
                    leaves.extend((1..width(size)).map(|_| scalar));
                }
                is_constant
            }
            _ => false,
        }
    }
}

fn place_of_table(table: TableId) -> Place {
    Place { root: Root::Table(table), path: Vec::new() }
}
