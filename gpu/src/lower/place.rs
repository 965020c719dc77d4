//! Places: resolves a root and a path to words and a first byte, with the bounds check.

use tilewise_ir::analysis::facts::IndexBound;
use tilewise_ir::analysis::range::IntegerRange;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{ParamKind, Place, Root, Step, ValueDef, ValueId};
use tilewise_ir::types::{Data, Stored, Type, TypeId};

use super::builder::ExprHandle;
use super::launch_predicates::{Fit, indexed};
use super::lowered::{HEAD, ParamWords};
use super::state::{LocalVar, Lowerer, LoweringResult, WordMemory, malformed};
use super::view::{OriginKey, common};

/// The address of a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordAddress {
    pub(super) words: WordMemory,
    /// The first byte, in units of `scale` bytes; 4 only if it is aligned.
    pub(super) at: ExprHandle,
    pub(super) scale: u32,
    /// The alignment of the place in bytes, 1 to 4.
    pub(super) align: u32,
    /// Whether it lies at a multiple of 16 bytes.
    pub(super) quad: bool,
    /// Whether it is in range; `None` if it always is.
    pub(super) within: Option<ExprHandle>,
}

/// A resolved place.
#[derive(Clone, Copy, Debug)]
pub(super) enum FoundPlace {
    /// In memory made of words.
    Words(WordAddress, PlaceContents),
    /// A whole variable, or a component of it.
    Variable { pointer: ExprHandle, data: Data, component: Option<Component> },
}

/// The contents of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlaceContents {
    /// This many contiguous stored scalars: a scalar or a vector.
    Leaf(Stored, u8),
    /// An array or a struct.
    Whole(TypeId),
}

/// A component of a vector.
#[derive(Clone, Copy, Debug)]
pub(super) enum Component {
    Fixed(u8),
    At(ExprHandle),
}

impl Lowerer<'_> {
    /// Resolves a place.
    pub(super) fn find(&mut self, place: &Place) -> LoweringResult<FoundPlace> {
        // `known_indices` advances the cursor's `places`; both number the places of an instruction
        // in order.
        let first = self.cursor.places;
        let mut known = self.known_indices(place);
        let (mut address, ty) = match &place.root {
            Root::View { view, index } => {
                let (origin, view) = (self.origin(*view)?, self.view(*view)?);
                let mut within = None;
                let mut at = view.base;
                let fitting = self.fitting(place, first);
                let index_count = index.len();
                for (d, &index) in index.iter().enumerate() {
                    let own = view.covers && self.forms.globals.get(&index) == Some(&(d as u32))
                        || fitting.contains(&(d as u32));
                    known.next();
                    let index = self.index(index)?;
                    if !(own || fault::planted(Fault::LastIndexUnchecked) && d > 0 && d + 1 == index_count) {
                        let test = self.b.less(index, view.extents[d]);
                        within = Some(self.and_then(within, test));
                    }
                    let step = self.b.mul(index, view.strides[d]);
                    at = self.b.add(at, step);
                }
                let words =
                    self.memory.allocations[origin.allocation].ok_or_else(|| malformed("a view lies in no buffer"))?;
                let OriginKey { align, quad, .. } = origin;
                (WordAddress { words, at, scale: view.scale, align, quad, within }, view.element)
            }
            Root::Local(local) => {
                let ty = self.input.kernel.entry().locals()[local.index()].ty;
                match self.memory.locals.get(local).copied() {
                    Some(LocalVar::Words(words, _)) => (self.beginning(words, 0), ty),
                    Some(LocalVar::Native(pointer)) => return self.in_variable(pointer, ty, &place.path),
                    None => return Err(malformed("a local is used before it is declared")),
                }
            }
            root => self.root(root)?,
        };
        let mut what = self.what(ty);
        for step in &place.path {
            let ty = match what {
                PlaceContents::Leaf(stored, width) => Type::Vector(stored, width),
                PlaceContents::Whole(ty) => self.input.kernel.types().get(ty).clone(),
            };
            what = match (*step, ty) {
                (Step::Field(field), Type::Struct(s)) => {
                    let field = &s.fields[field as usize];
                    address = self.behind(address, field.offset);
                    self.what(field.ty)
                }
                (Step::Component(component), Type::Vector(stored, _)) => {
                    address = self.behind(address, u32::from(component) * stored.size());
                    PlaceContents::Leaf(stored, 1)
                }
                (Step::Index(index), Type::Vector(stored, width)) => {
                    let length = self.b.u32(u32::from(width));
                    let range = known.next().flatten();
                    address = self.step(address, index, range, length, u32::from(width), stored.size())?;
                    PlaceContents::Leaf(stored, 1)
                }
                (Step::Index(index), Type::Array { element, length, stride }) => {
                    let (length, count) = match length {
                        Some(n) => (self.b.u32(n), n),
                        None => (self.runtime_length(&place.root, address, stride)?, 0),
                    };
                    let range = known.next().flatten();
                    address = self.step(address, index, range, length, count, stride)?;
                    self.what(element)
                }
                _ => return Err(malformed("a step of a place does not fit")),
            };
        }
        Ok(FoundPlace::Words(address, what))
    }

    /// An address in memory made of words.
    fn beginning(&mut self, words: WordMemory, byte: u32) -> WordAddress {
        WordAddress { words, at: self.b.u32(byte / 4), scale: 4, align: 4, quad: byte.is_multiple_of(16), within: None }
    }

    /// The address of memory without an index.
    fn root(&mut self, root: &Root) -> LoweringResult<(WordAddress, TypeId)> {
        match *root {
            Root::Param(param) => {
                let ty = match self.input.kernel.params()[param.index()].kind {
                    ParamKind::Buffer { ty, .. } | ParamKind::Uniform(ty) => ty,
                    ParamKind::View(_) => return Err(malformed("a view is used as a place")),
                };
                let address = match (&self.memory.layout.params[param.index()], self.input.key.params[param.index()]) {
                    (&ParamWords::Buffer { at }, key) => {
                        let allocation = key.allocation.ok_or_else(|| malformed("a buffer lies nowhere"))? as usize;
                        let words =
                            self.memory.allocations[allocation].ok_or_else(|| malformed("a buffer lies nowhere"))?;
                        let align = key.align.clamp(1, 4);
                        let scale = if align == 4 { 4 } else { 1 };
                        let first = self.word(at);
                        let at = self.b.shr(first, u32::trailing_zeros(scale));
                        WordAddress { words, at, scale, align, quad: key.align >= 16, within: None }
                    }
                    (&ParamWords::Aggregate { at }, _) => {
                        let words = self.memory.constants.ok_or_else(|| malformed("there are no constants"))?;
                        self.beginning(words, at + HEAD)
                    }
                    _ => return Err(malformed("a value is used as a place")),
                };
                Ok((address, ty))
            }
            Root::Tile(var) => {
                let words =
                    self.memory.tile_vars[var.index()].ok_or_else(|| malformed("a tile variable lies nowhere"))?;
                Ok((self.beginning(words, 0), self.input.kernel.tile_vars()[var.index()].ty))
            }
            Root::Table(table) => {
                let words = self.memory.constants.ok_or_else(|| malformed("there are no constants"))?;
                let at = self.memory.layout.tables[table.index()] + HEAD;
                Ok((self.beginning(words, at), self.input.kernel.tables()[table.index()].ty))
            }
            Root::Ref(_) => Err(malformed("a reference is left after inlining")),
            Root::View { .. } | Root::Local(_) => Err(malformed("a place begins nowhere")),
        }
    }

    /// The known ranges of a place's indices at its instruction: first those of its root, then
    /// those of its path.
    fn known_indices(&mut self, place: &Place) -> std::vec::IntoIter<Option<IntegerRange>> {
        let fact = self.fact();
        let mut ranges = Vec::new();
        let mut next = self.cursor.places;
        let reached = fact.is_some_and(|fact| fact.reached);
        place.place_values(&mut |_| {
            let range = fact.and_then(|fact| fact.places.get(next)).and_then(|fact| fact.range);
            ranges.push(range.filter(|_| reached));
            next += 1;
        });
        self.cursor.places = next;
        // The first value is the view itself.
        if matches!(place.root, Root::View { .. }) && !ranges.is_empty() {
            ranges.remove(0);
        }
        ranges.into_iter()
    }

    /// The dimensions in which an index is known to be in range, by its upper bounds and the
    /// launch's predicates about these. `first` is the number of the place's first value among
    /// those that the instruction names in places.
    fn fitting(&self, place: &Place, first: usize) -> Vec<u32> {
        let Some((view, rank)) = indexed(self.input.kernel, place) else { return Vec::new() };
        let Some(fact) = self.fact().filter(|fact| fact.reached) else {
            return Vec::new();
        };
        let fits = |d: &u32| {
            let at = first + 1 + *d as usize;
            let (Some(index), Some(below)) = (fact.places.get(at), fact.below.get(at)) else { return false };
            let fits = |&number: &IndexBound| {
                number == IndexBound::Extent(view, *d)
                    || self.input.key.fits.contains(&Fit { number, view, dimension: *d })
            };
            index.range.is_some_and(|range| range.lo >= 0) && below.iter().any(fits)
        };
        (0..rank).filter(fits).collect()
    }

    /// The address `count` times `stride` bytes after `address`.
    pub(super) fn further(&mut self, address: WordAddress, count: ExprHandle, stride: u32) -> WordAddress {
        let address = match stride % address.scale {
            0 => address,
            _ => WordAddress { at: self.b.shl(address.at, address.scale.trailing_zeros()), scale: 1, ..address },
        };
        let step = self.b.u32(stride / address.scale);
        let step = self.b.mul(count, step);
        let at = self.b.add(address.at, step);
        let all = self.b.known(count).map_or(stride, |count| count.wrapping_mul(stride));
        let quad = address.quad && all.is_multiple_of(16);
        WordAddress { at, align: common(&[u64::from(address.align), u64::from(all)]), quad, ..address }
    }

    /// The address `offset` bytes after `address`.
    pub(super) fn behind(&mut self, address: WordAddress, offset: u32) -> WordAddress {
        let one = self.b.u32(1);
        self.further(address, one, offset)
    }

    /// The address of an element, with a bounds check if the index may be out of range.
    fn step(
        &mut self,
        address: WordAddress,
        index: ValueId,
        range: Option<IntegerRange>,
        length: ExprHandle,
        known: u32,
        stride: u32,
    ) -> LoweringResult<WordAddress> {
        let index = self.index(index)?;
        let address = self.further(address, index, stride);
        let fixed = self.b.known(index).map(|index| IntegerRange::just(i128::from(index)));
        if fixed.or(range).is_some_and(|range| {
            range.lo >= 0 && range.hi < i128::from(known) + i128::from(fault::planted(Fault::RangeAtLength))
        }) {
            return Ok(address);
        }
        let test = self.b.less(index, length);
        Ok(WordAddress { within: Some(self.and_then(address.within, test)), ..address })
    }

    /// The number of elements of a runtime-sized array that begins at `address` in a buffer.
    fn runtime_length(&mut self, root: &Root, address: WordAddress, stride: u32) -> LoweringResult<ExprHandle> {
        let at = self.b.shl(address.at, address.scale.trailing_zeros());
        let Root::Param(param) = root else { return Err(malformed("an array without a length is in no buffer")) };
        let ParamWords::Buffer { at: word } = self.memory.layout.params[param.index()] else {
            return Err(malformed("an array without a length is in no buffer"));
        };
        let (base, size) = (self.word(word), self.word(word + 1));
        let end = self.b.add(base, size);
        let at = if fault::planted(Fault::RuntimeLength) { base } else { at };
        let bytes = self.b.binary(naga::BinaryOperator::Subtract, end, at);
        let stride = self.b.u32(stride.max(1));
        Ok(self.b.binary(naga::BinaryOperator::Divide, bytes, stride))
    }

    /// The number of elements of an array, a `u32`.
    pub(super) fn length(&mut self, place: &Place) -> LoweringResult<ExprHandle> {
        let FoundPlace::Words(address, PlaceContents::Whole(ty)) = self.find(place)? else {
            return Err(malformed("only arrays have a length"));
        };
        match *self.input.kernel.types().get(ty) {
            Type::Array { length: Some(n), .. } => Ok(self.b.u32(n)),
            Type::Array { length: None, stride, .. } => self.runtime_length(&place.root, address, stride),
            _ => Err(malformed("only arrays have a length")),
        }
    }

    /// A place in a variable that is a scalar or vector.
    fn in_variable(&mut self, pointer: ExprHandle, ty: TypeId, path: &[Step]) -> LoweringResult<FoundPlace> {
        let component = match path {
            [] => None,
            [Step::Component(component)] => Some(Component::Fixed(*component)),
            [Step::Index(index)] => match self.input.kernel.entry().value(*index).def {
                ValueDef::Const(constant) if constant.bits < 4 => Some(Component::Fixed(constant.bits as u8)),
                _ => Some(Component::At(self.index(*index)?)),
            },
            _ => return Err(malformed("a step leads into a scalar")),
        };
        let data = self.input.kernel.types().value(ty).ok_or_else(|| malformed("an aggregate is no variable"))?;
        Ok(FoundPlace::Variable { pointer, data, component })
    }

    pub(super) fn what(&self, ty: TypeId) -> PlaceContents {
        match *self.input.kernel.types().get(ty) {
            Type::Scalar(stored) => PlaceContents::Leaf(stored, 1),
            Type::Vector(stored, width) => PlaceContents::Leaf(stored, width),
            Type::Array { .. } | Type::Struct(_) => PlaceContents::Whole(ty),
        }
    }
}
