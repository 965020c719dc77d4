//! Places: from a root and a way to words and a first byte, with the test whether it is in range.

use tilewise_ir::kernel::{Place, Root, Step, ValueDef, ValueId};
use tilewise_ir::types::{Data, Stored, Type, TypeId};

use super::builder::Expr;
use super::lowered::{HEAD, ParamWords};
use super::state::{LocalVar, Lowerer, Made, Words, malformed};
use super::view::common;

/// Where a place is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub(super) words: Words,
    /// First byte.
    pub(super) at: Expr,
    /// Bytes that `at` is a multiple of, 1 to 4.
    pub(super) align: u32,
    /// Is it in range? Nothing if it always is.
    pub(super) within: Option<Expr>,
}

/// A place, found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// In memory made of words.
    Words(Address, What),
    /// A whole variable, or a component of it.
    Variable { pointer: Expr, data: Data, component: Option<Component> },
}

/// What lies in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// So many stored scalars in a row: a scalar or a vector.
    Leaf(Stored, u8),
    /// An array or a struct.
    Whole(TypeId),
}

/// Which component of a vector.
#[derive(Clone, Copy, Debug)]
pub(super) enum Component {
    Fixed(u8),
    At(Expr),
}

impl Lowerer<'_> {
    /// Finds a place.
    pub(super) fn find(&mut self, place: &Place) -> Made<Found> {
        let (words, mut at, mut align, mut within, ty) = match &place.root {
            Root::View { view, index } => {
                let view = self.view(*view)?;
                let mut within = None;
                let mut at = view.base;
                for (d, &index) in index.iter().enumerate() {
                    let index = self.index(index)?;
                    let test = self.b.less(index, view.extents[d]);
                    within = Some(self.and_then(within, test));
                    let step = self.b.mul(index, view.strides[d]);
                    at = self.b.add(at, step);
                }
                let words = self.homes[view.home].ok_or_else(|| malformed("a view lies in no buffer"))?;
                (words, at, view.align, within, view.element)
            }
            Root::Param(param) => {
                let (words, at, align) = match (&self.layout.params[param.index()], self.key.params[param.index()]) {
                    (&ParamWords::Buffer { at }, key) => {
                        let home = key.home.ok_or_else(|| malformed("a buffer lies nowhere"))? as usize;
                        let words = self.homes[home].ok_or_else(|| malformed("a buffer lies nowhere"))?;
                        (words, self.word(at), key.align.max(1))
                    }
                    (&ParamWords::Aggregate { at }, _) => {
                        let words = self.constants.ok_or_else(|| malformed("there are no constants"))?;
                        (words, self.b.u32(at + HEAD), 4)
                    }
                    _ => return Err(malformed("a value is used as a place")),
                };
                let ty = match self.kernel.params()[param.index()].kind {
                    tilewise_ir::kernel::ParamKind::Buffer { ty, .. } | tilewise_ir::kernel::ParamKind::Uniform(ty) => {
                        ty
                    }
                    tilewise_ir::kernel::ParamKind::View(_) => return Err(malformed("a view is used as a place")),
                };
                (words, at, align, None, ty)
            }
            Root::Tile(var) => {
                let words = self.tile_vars[var.index()].ok_or_else(|| malformed("a tile variable lies nowhere"))?;
                (words, self.b.u32(0), 4, None, self.kernel.tile_vars()[var.index()].ty)
            }
            Root::Table(table) => {
                let words = self.constants.ok_or_else(|| malformed("there are no constants"))?;
                let at = self.layout.tables[table.index()] + HEAD;
                (words, self.b.u32(at), 4, None, self.kernel.tables()[table.index()].ty)
            }
            Root::Local(local) => {
                let ty = self.kernel.entry().locals()[local.index()].ty;
                match self.locals.get(local).copied() {
                    Some(LocalVar::Words(words, _)) => (words, self.b.u32(0), 4, None, ty),
                    Some(LocalVar::Native(pointer)) => return self.in_variable(pointer, ty, &place.path),
                    None => return Err(malformed("a local is used before it is declared")),
                }
            }
            Root::Ref(_) => return Err(malformed("a reference is left after inlining")),
        };
        let mut what = self.what(ty);
        for step in &place.path {
            let ty = match what {
                What::Leaf(stored, width) => Type::Vector(stored, width),
                What::Whole(ty) => self.kernel.types().get(ty).clone(),
            };
            what = match (*step, ty) {
                (Step::Field(field), Type::Struct(s)) => {
                    let field = &s.fields[field as usize];
                    let offset = self.b.u32(field.offset);
                    at = self.b.add(at, offset);
                    align = common(&[u64::from(align), u64::from(field.offset)]);
                    self.what(field.ty)
                }
                (Step::Component(component), Type::Vector(stored, _)) => {
                    let offset = u32::from(component) * stored.size();
                    let bytes = self.b.u32(offset);
                    at = self.b.add(at, bytes);
                    align = common(&[u64::from(align), u64::from(offset)]);
                    What::Leaf(stored, 1)
                }
                (Step::Index(index), Type::Vector(stored, width)) => {
                    let length = self.b.u32(u32::from(width));
                    within = self.step(index, length, u32::from(width), stored.size(), &mut at, &mut align, within)?;
                    What::Leaf(stored, 1)
                }
                (Step::Index(index), Type::Array { element, length, stride }) => {
                    let (length, known) = match length {
                        Some(n) => (self.b.u32(n), n),
                        None => (self.runtime_length(&place.root, at, stride)?, 0),
                    };
                    within = self.step(index, length, known, stride, &mut at, &mut align, within)?;
                    self.what(element)
                }
                _ => return Err(malformed("a step of a place does not fit")),
            };
        }
        Ok(Found::Words(Address { words, at, align, within }, what))
    }

    /// Goes to an element: gives the test of the whole.
    #[allow(clippy::too_many_arguments, reason = "what the walk carries along")]
    fn step(
        &mut self,
        index: ValueId,
        length: Expr,
        known: u32,
        stride: u32,
        at: &mut Expr,
        align: &mut u32,
        within: Option<Expr>,
    ) -> Made<Option<Expr>> {
        let fixed = match self.kernel.entry().value(index).def {
            ValueDef::Const(constant) => Some(constant.bits as u32),
            ValueDef::Param(_) | ValueDef::Inst => None,
        };
        let index = self.index(index)?;
        let bytes = self.b.u32(stride);
        let offset = self.b.mul(index, bytes);
        *at = self.b.add(*at, offset);
        let step = fixed.map_or(stride, |index| index.wrapping_mul(stride));
        *align = common(&[u64::from(*align), u64::from(step)]);
        if fixed.is_some_and(|index| index < known) {
            return Ok(within);
        }
        let test = self.b.less(index, length);
        Ok(Some(self.and_then(within, test)))
    }

    /// Elements of a runtime-sized array that begins at a byte of a buffer.
    fn runtime_length(&mut self, root: &Root, at: Expr, stride: u32) -> Made<Expr> {
        let Root::Param(param) = root else { return Err(malformed("an array without a length is in no buffer")) };
        let ParamWords::Buffer { at: word } = self.layout.params[param.index()] else {
            return Err(malformed("an array without a length is in no buffer"));
        };
        let (base, size) = (self.word(word), self.word(word + 1));
        let end = self.b.add(base, size);
        let bytes = self.b.binary(naga::BinaryOperator::Subtract, end, at);
        let stride = self.b.u32(stride.max(1));
        Ok(self.b.binary(naga::BinaryOperator::Divide, bytes, stride))
    }

    /// Number of elements of a runtime-sized array, a `u32`.
    pub(super) fn length(&mut self, place: &Place) -> Made<Expr> {
        let Found::Words(address, What::Whole(ty)) = self.find(place)? else {
            return Err(malformed("only arrays have a length"));
        };
        match *self.kernel.types().get(ty) {
            Type::Array { length: Some(n), .. } => Ok(self.b.u32(n)),
            Type::Array { length: None, stride, .. } => self.runtime_length(&place.root, address.at, stride),
            _ => Err(malformed("only arrays have a length")),
        }
    }

    /// A place in a variable that is a scalar or vector.
    fn in_variable(&mut self, pointer: Expr, ty: TypeId, path: &[Step]) -> Made<Found> {
        let component = match path {
            [] => None,
            [Step::Component(component)] => Some(Component::Fixed(*component)),
            [Step::Index(index)] => match self.kernel.entry().value(*index).def {
                ValueDef::Const(constant) if constant.bits < 4 => Some(Component::Fixed(constant.bits as u8)),
                _ => Some(Component::At(self.index(*index)?)),
            },
            _ => return Err(malformed("a step leads into a scalar")),
        };
        let data = self.kernel.types().value(ty).ok_or_else(|| malformed("an aggregate is no variable"))?;
        Ok(Found::Variable { pointer, data, component })
    }

    pub(super) fn what(&self, ty: TypeId) -> What {
        match *self.kernel.types().get(ty) {
            Type::Scalar(stored) => What::Leaf(stored, 1),
            Type::Vector(stored, width) => What::Leaf(stored, width),
            Type::Array { .. } | Type::Struct(_) => What::Whole(ty),
        }
    }
}
