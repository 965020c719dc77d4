//! Instructions that neither hold blocks nor leave.

use naga::{Barrier, Expression, Statement, SwizzleComponent};
use tilewise_ir::analysis::uniformity::TileAgreement;
use tilewise_ir::kernel::{Builtin, Const, Fence, Inst, InstKind, Place, ValueId};
use tilewise_ir::limits::MAX_PRIVATE;
use tilewise_ir::ops::{DivisionOp, Op, OpFamily};
use tilewise_ir::types::{Data, Scalar, Type, TypeId};

use super::builder::ExprHandle;
use super::lowered::{Unsupported, block};
use super::place::{FoundPlace, PlaceContents, WordAddress};
use super::state::{Lowerer, LoweringResult, WordMemory, malformed};

/// Most scalars of an array that are copied one by one; larger arrays are copied in a loop.
const UNROLLED: u64 = 32;

impl<'a> Lowerer<'a> {
    pub(super) fn plain(&mut self, inst: &'a Inst) -> LoweringResult {
        let result = inst.result;
        if let Some(folded) = self.rearranged(&inst.kind, result) {
            self.set(result, folded);
            return Ok(());
        }
        let made = match &inst.kind {
            InstKind::Op { op, args } => {
                let common = self.data(
                    *args
                        .get(usize::from(*op == Op::Select))
                        .ok_or_else(|| malformed("an operation lacks arguments"))?,
                );
                let width = args.iter().map(|&arg| self.data(arg).width).max().unwrap_or(1);
                if let Some(folded) = self.folded(*op, args, result) {
                    self.set(result, folded);
                    return Ok(());
                }
                if let Some(divided) = self.divided(*op, args)? {
                    self.set(result, divided);
                    return Ok(());
                }
                if let Some(negated) = self.negated(*op, common.scalar, args)? {
                    self.set(result, negated);
                    return Ok(());
                }
                let mut values = Vec::new();
                for &arg in args {
                    values.push(self.value(arg)?);
                }
                self.note_size(*op, common.scalar, args, result);
                self.note_signs(*op, common.scalar, args, result);
                if let Some(rooted) = self.rooted(*op, common.scalar, width, args, result)? {
                    self.set(result, rooted);
                    return Ok(());
                }
                match (op.comparison(), args[..].first_chunk(), values[..].first_chunk()) {
                    (Some(comparison), Some(&ids), Some(&values)) if common.scalar.is_float() => {
                        self.compare_values(comparison, common.scalar, width, ids, values)
                    }
                    (Some(_) | None, ..) => self.op(*op, common.scalar, width, &values)?,
                }
            }
            InstKind::Compose(parts) => {
                let data = result.map_or(Data::U32, |result| self.data(result));
                let mut components = Vec::new();
                for &part in parts {
                    components.push(self.value(part)?);
                }
                self.b.compose(data, components)
            }
            InstKind::Splat { value, width } => {
                let value = self.value(*value)?;
                match width {
                    1 => value,
                    &n => self.b.expr(Expression::Splat { size: super::builder::vector_size(n), value }),
                }
            }
            InstKind::Swizzle { value, components } => {
                let width = self.data(*value).width;
                let vector = self.value(*value)?;
                match components[..] {
                    _ if width == 1 => vector,
                    [one] => self.b.at(vector, u32::from(one)),
                    _ => {
                        let mut pattern = [SwizzleComponent::X; 4];
                        for (to, &from) in pattern.iter_mut().zip(components) {
                            *to = SwizzleComponent::XYZW[usize::from(from)];
                        }
                        let size = super::builder::vector_size(components.len() as u8);
                        self.b.expr(Expression::Swizzle { size, vector, pattern })
                    }
                }
            }
            InstKind::ComponentAt { value, index } => {
                let data = self.data(*value);
                let whole = self.value(*value)?;
                let index = self.index(*index)?;
                self.component_at(whole, data, index)
            }
            InstKind::Builtin(builtin) => {
                if let (&Builtin::Global(d), Some(result)) = (builtin, result) {
                    self.forms.globals.insert(result, d);
                }
                self.builtin(*builtin)
            }
            InstKind::ViewExtent { view, dimension } => return self.view_extent(*view, *dimension, result),
            InstKind::Section { view, origin, extent } => {
                let view = self.section(*view, origin, extent)?;
                return self.set_view(result, view);
            }
            InstKind::Project { view, index } => {
                let view = self.project(*view, *index)?;
                return self.set_view(result, view);
            }
            InstKind::Reinterpret { view, element } => {
                let view = self.reinterpret(result, *view, *element)?;
                return self.set_view(result, view);
            }
            InstKind::ViewAs { view, extent } => {
                let view = self.view_as(*view, extent)?;
                return self.set_view(result, view);
            }
            InstKind::Call { function, args } => self.native(*function, args)?,
            InstKind::Length(place) => self.length(place)?,
            InstKind::Load(place) => {
                let found = self.find(place)?;
                self.load(found)?
            }
            InstKind::Store { place, value } => {
                let stored = self.value(*value)?;
                let found = self.find(place)?;
                self.store(found, stored)?;
                return self.store_texel(place, *value);
            }
            InstKind::Copy { to, from } => return self.copy(to, from),
            InstKind::Atomic { op, place, value } => return self.atomic(*op, place, *value, result),
            InstKind::CompareExchange { place, expected, new, equal } => {
                return self.compare_exchange(place, *expected, *new, result, *equal);
            }
            InstKind::Declare { local, init } => return self.declare(*local, *init),
            InstKind::Barrier(fence) => {
                let mut barrier = memories(*fence);
                if !self.input.scan.global_barriers {
                    barrier = Barrier::WORK_GROUP;
                }
                self.b.statement(Statement::ControlBarrier(barrier));
                return Ok(());
            }
            InstKind::Fence(_) if self.input.key.fences_need_barriers => {
                // Sets no bits; only the atomicity matters.
                self.report(0);
                return Ok(());
            }
            InstKind::Fence(fence) => {
                let together = self.fact().is_some_and(|fact| fact.control == TileAgreement::Uniform);
                self.findings.fences |= !together || self.lifted.masks.is_some();
                let barrier = memories(*fence);
                self.b.statement(Statement::MemoryBarrier(barrier));
                return Ok(());
            }
            InstKind::Print(message) => return self.say_print(message, inst.pos),
            InstKind::Error(message) => return self.say_error(Some(message), inst.pos),
            InstKind::Abort => return self.say_error(None, inst.pos),
            InstKind::If { .. }
            | InstKind::Loop { .. }
            | InstKind::Switch { .. }
            | InstKind::Scope { .. }
            | InstKind::Break { .. }
            | InstKind::Continue { .. }
            | InstKind::Return(_) => return Err(malformed("an instruction stands where it cannot")),
        };
        self.set(result, made);
        Ok(())
    }

    /// Quotient or remainder of a non-negative 32-bit number by a power of two, without the tests
    /// of zeros and signs that drivers put before a division.
    fn divided(&mut self, op: Op, args: &[ValueId]) -> LoweringResult<Option<ExprHandle>> {
        let (OpFamily::Division(division), &[a, b]) = (op.family(), args) else { return Ok(None) };
        let remainder = match division {
            DivisionOp::Div => false,
            DivisionOp::Rem => true,
            DivisionOp::DivEuclid | DivisionOp::RemEuclid => return Ok(None),
        };
        let data = self.data(a);
        let Some(by) = self.constant_of(b) else { return Ok(None) };
        let by = by.integer().and_then(|by| u32::try_from(by).ok()).filter(|by| by.is_power_of_two());
        let counts = self.input.facts.value(a).range.is_some_and(|range| range.lo >= 0);
        let (Some(by), true, 1, Scalar::I32 | Scalar::U32) = (by, counts, data.width, data.scalar) else {
            return Ok(None);
        };
        let number = self.value(a)?;
        let number = self.b.bits(number, data.scalar, Scalar::U32);
        let made = if remainder { self.b.and(number, by - 1) } else { self.b.shr(number, by.trailing_zeros()) };
        Ok(Some(self.b.bits(made, Scalar::U32, data.scalar)))
    }

    /// Folds an operation on constants by the op table: readers of WGSL would fold it too, each in
    /// its own way.
    fn folded(&mut self, op: Op, args: &[ValueId], result: Option<ValueId>) -> Option<ExprHandle> {
        let constants: Option<Vec<Vec<Const>>> = args.iter().map(|&arg| self.constants_of(arg)).collect();
        let constants = constants?;
        let types: Vec<Data> = args.iter().map(|&arg| self.data(arg)).collect();
        let instance = op.resolve(&types).ok()?;
        let lanes = |constants: &Vec<Const>| {
            let mut lanes = [0; 4];
            lanes.iter_mut().zip(constants).for_each(|(lane, constant)| *lane = constant.bits);
            lanes
        };
        let lanes: Vec<[u64; 4]> = constants.iter().map(lanes).collect();
        let Data { scalar, width } = instance.result;
        let bits = op.eval(instance, &lanes);
        let folded = bits.iter().take(usize::from(width)).map(|&bits| Const { scalar, bits }).collect();
        Some(self.constants(folded, result?))
    }

    /// Folds an instruction that only rearranges constants, so that what is computed of its result is
    /// folded too: drivers fold sums and products of constants in ways of their own, also where they may
    /// not contract them.
    fn rearranged(&mut self, kind: &InstKind, result: Option<ValueId>) -> Option<ExprHandle> {
        let folded: Vec<Const> = if let InstKind::Compose(parts) = kind {
            parts.iter().map(|&part| self.constant_of(part)).collect::<Option<_>>()?
        } else if let InstKind::Splat { value, width } = kind {
            vec![self.constant_of(*value)?; usize::from(*width)]
        } else if let InstKind::Swizzle { value, components } = kind {
            let vector = self.constants_of(*value)?;
            components.iter().map(|&component| vector.get(usize::from(component)).copied()).collect::<Option<_>>()?
        } else {
            return None;
        };
        Some(self.constants(folded, result?))
    }

    /// The constants that a scalar or a vector is, if it is.
    fn constants_of(&self, value: ValueId) -> Option<Vec<Const>> {
        let scalar = self.constant_of(value).map(|constant| vec![constant]);
        scalar.or_else(|| self.forms.folded_vectors.get(&value).cloned())
    }

    /// Records that a value is these constants, and makes them.
    fn constants(&mut self, constants: Vec<Const>, result: ValueId) -> ExprHandle {
        let mut components: Vec<ExprHandle> = Vec::new();
        for constant in &constants {
            components.push(self.constant(constant.scalar, constant.bits));
        }
        match (&constants[..], &components[..]) {
            (&[constant], &[component]) => {
                self.forms.folded.insert(result, constant);
                component
            }
            _ => {
                let data = self.data(result);
                self.forms.folded_vectors.insert(result, constants);
                self.b.compose(data, components)
            }
        }
    }

    fn builtin(&mut self, builtin: Builtin) -> ExprHandle {
        let d = builtin.dimension() as usize;
        let size = self.input.kernel.tile().and_then(|tile| tile.get(d).copied()).unwrap_or(1);
        let rank = self.input.kernel.rank();
        let number = match builtin {
            Builtin::Global(_) => self.here.global[d],
            Builtin::Local(_) => self.here.local[d],
            Builtin::Tile(_) => self.here.tile[d],
            Builtin::TileOrigin(_) => {
                let tile = self.here.tile[d];
                let size = self.b.u32(size);
                self.b.mul(tile, size)
            }
            Builtin::DomainExtent(_) => self.word(block::DOMAIN + d as u32),
            Builtin::TileExtent(_) => self.b.u32(size),
            Builtin::TileCount(_) => self.word(block::DOMAIN + rank + d as u32),
        };
        self.b.bits(number, Scalar::U32, Scalar::I32)
    }

    /// Copies an aggregate. All reads precede all writes.
    fn copy(&mut self, to: &Place, from: &Place) -> LoweringResult {
        let (FoundPlace::Words(to, PlaceContents::Whole(ty)), FoundPlace::Words(from, PlaceContents::Whole(_))) =
            (self.find(to)?, self.find(from)?)
        else {
            return Err(malformed("a copy is of no aggregate"));
        };
        let mut out = Vec::new();
        self.read_parts(from, ty, &mut out)?;
        let mut parts = out.into_iter();
        self.write_parts(to, ty, &mut parts)?;
        // Another copy may pass through the same memory.
        let between = std::mem::take(&mut self.memory.copied);
        self.memory.spare.extend(between);
        Ok(())
    }

    /// Thread-private memory for an array that is copied: that of an earlier copy, if it has the size.
    fn for_a_copy(&mut self, count: u32) -> WordMemory {
        let spare = self.memory.spare.iter().position(|&(size, _)| size == count);
        let words = match spare {
            Some(at) => self.memory.spare.swap_remove(at).1,
            None => self.private("copied", count),
        };
        self.memory.copied.push((count, words));
        words
    }

    /// Reads the scalars of an aggregate in order. A long array is read into one private variable
    /// instead.
    fn read_parts(&mut self, from: WordAddress, ty: TypeId, out: &mut Vec<ExprHandle>) -> LoweringResult {
        match (self.what(ty), self.input.kernel.types().get(ty).clone()) {
            (PlaceContents::Leaf(stored, width), _) => {
                let value = self.load(FoundPlace::Words(from, PlaceContents::Leaf(stored, width)))?;
                out.push(value);
            }
            (_, Type::Struct(s)) => {
                for field in &s.fields {
                    let part = self.behind(from, field.offset);
                    self.read_parts(part, field.ty, out)?;
                }
            }
            (_, Type::Array { element, length, stride }) => {
                let length = length.unwrap_or(0);
                if self.input.kernel.types().measure(ty).leaves <= UNROLLED {
                    for i in 0..length {
                        let part = self.behind(from, i * stride);
                        self.read_parts(part, element, out)?;
                    }
                    return Ok(());
                }
                // Copies the whole array to thread-private memory; the writes then read from there.
                let size = self.input.kernel.types().size(ty);
                let bytes = u32::try_from(size).ok().filter(|_| size <= MAX_PRIVATE);
                let bytes = bytes.ok_or_else(|| {
                    Unsupported(format!("`copy` of {size} bytes, of which a thread keeps at most {MAX_PRIVATE}"))
                })?;
                let words = self.for_a_copy(bytes.div_ceil(4));
                out.push(words.array);
                let at = self.b.u32(0);
                let own = WordAddress { words, at, scale: 4, align: 4, quad: false, within: None };
                self.each_element(length, stride, from, own, |this, from, to| {
                    let mut parts = Vec::new();
                    this.read_parts(from, element, &mut parts)?;
                    this.write_parts(to, element, &mut parts.into_iter())
                })?;
            }
            _ => return Err(malformed("an aggregate is none")),
        }
        Ok(())
    }

    fn write_parts(
        &mut self,
        to: WordAddress,
        ty: TypeId,
        parts: &mut dyn Iterator<Item = ExprHandle>,
    ) -> LoweringResult {
        match (self.what(ty), self.input.kernel.types().get(ty).clone()) {
            (PlaceContents::Leaf(stored, width), _) => {
                let value = parts.next().ok_or_else(|| malformed("a part of a copy is missing"))?;
                self.store(FoundPlace::Words(to, PlaceContents::Leaf(stored, width)), value)
            }
            (_, Type::Struct(s)) => {
                for field in &s.fields {
                    let part = self.behind(to, field.offset);
                    self.write_parts(part, field.ty, parts)?;
                }
                Ok(())
            }
            (_, Type::Array { element, length, stride }) => {
                let length = length.unwrap_or(0);
                if self.input.kernel.types().measure(ty).leaves <= UNROLLED {
                    for i in 0..length {
                        let part = self.behind(to, i * stride);
                        self.write_parts(part, element, parts)?;
                    }
                    return Ok(());
                }
                let array = parts.next().ok_or_else(|| malformed("a part of a copy is missing"))?;
                let words = WordMemory { array, atomic: None, head: false, shared: false, quads: false };
                let at = self.b.u32(0);
                let own = WordAddress { words, at, scale: 4, align: 4, quad: false, within: None };
                self.each_element(length, stride, own, to, |this, from, to| {
                    let mut parts = Vec::new();
                    this.read_parts(from, element, &mut parts)?;
                    this.write_parts(to, element, &mut parts.into_iter())
                })
            }
            _ => Err(malformed("an aggregate is none")),
        }
    }

    /// Emits a loop that applies `copy` to each pair of elements of two arrays.
    fn each_element(
        &mut self,
        length: u32,
        stride: u32,
        from: WordAddress,
        to: WordAddress,
        copy: impl FnOnce(&mut Self, WordAddress, WordAddress) -> LoweringResult,
    ) -> LoweringResult {
        self.spend_more(length);
        let counter = self.variable("i", Data::U32);
        let none = self.b.u32(0);
        self.b.store(counter, none);
        let body = self.nested(|this| {
            let i = this.b.load(counter);
            let length = this.b.u32(length);
            let over = this.b.binary(naga::BinaryOperator::GreaterEqual, i, length);
            this.b.when(over, |b| b.statement(Statement::Break));
            let one = this.b.u32(1);
            let next = this.b.add(i, one);
            this.b.store(counter, next);
            let [from, to] = [from, to].map(|address| this.further(address, i, stride));
            copy(this, from, to)
        })?;
        self.b.statement(Statement::Loop { body, continuing: naga::Block::new(), break_if: None });
        Ok(())
    }
}

/// The memories that a fence orders, as naga flags.
fn memories(fence: Fence) -> Barrier {
    match fence {
        Fence::All => Barrier::STORAGE | Barrier::WORK_GROUP,
        Fence::Global => Barrier::STORAGE,
        Fence::TileStatic => Barrier::WORK_GROUP,
    }
}

#[cfg(test)]
mod tests {
    use naga::{BinaryOperator, Expression};
    use tilewise_ir::check::check;
    use tilewise_ir::launch::{Argument, Domain, ViewArgument};
    use tilewise_ir::text::parse;

    use crate::exact::Exact;
    use crate::lower::{LaunchPredicates, ModuleKey, lower};

    /// Products in the entry point of a strict module of a kernel with this statement.
    fn products(statement: &str) -> usize {
        let text = format!("kernel k(out: view<f32, 1, read_write>) rank(1) {{ {statement} }}");
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|failure| panic!("{failure}"));
        let arguments = [Argument::View(ViewArgument::dense(0, &[4]))];
        let key = ModuleKey::of(&kernel, &LaunchPredicates::of(&kernel), &Domain::new([4]), &arguments);
        let lowered =
            lower(&kernel, &ModuleKey { strict: Some(Exact::ALL), ..key }).unwrap_or_else(|why| panic!("{why}"));
        let main = &lowered.module.entry_points[0].function;
        let is_product =
            |expression: &Expression| matches!(expression, Expression::Binary { op: BinaryOperator::Multiply, .. });
        main.expressions.iter().filter(|(_, expression)| is_product(expression)).count()
    }

    #[test]
    fn drivers_are_given_no_products_of_constants_also_not_through_vectors() {
        // A driver took another logarithm for this number than for the same one in memory.
        let none = products("out[0] = 1.0;");
        assert_eq!(products("out[0] = fast_math::log10(11.675781);"), none);
        assert_eq!(products("let v = f32x3(1.5, 2.5, 3.5) * splat(1.1, 3); out[0] = dot(v.zx, v.yy) + v.x;"), none);
        assert!(products("out[0] = fast_math::log10(out[1]);") > none);
    }
}
