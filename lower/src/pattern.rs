//! Patterns: the parts of a value that they name, and their bindings. Their conditions are in
//! [`fitting`](super::fitting).
//!
//! A pattern has no effects, so its condition may be evaluated as a whole, and its names bound at
//! the start of the arm.

use std::ops::Range;
use std::rc::Rc;

use tilewise_ast::{Expr, ExprKind, FieldPattern, Pattern, SyntaxBlock};

use super::RustType;
use super::scan::binds;
use super::state::{Lower, NoValue, OrNoValue};
use super::types::TypeContents;
use super::value::{HeldAs, LoweredValue, RustPlace, SpotRoot};
use tilewise_ir::kernel::{Const, InstKind, Root, ValueDef, ValueId};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

/// What a pattern takes apart.
#[derive(Clone, Debug)]
pub(super) enum TakenApart {
    /// A value: names stand for parts of it.
    Value(LoweredValue),
    /// A place behind a reference: names stand for parts of the place.
    Place(RustPlace),
    /// A tuple that holds references, as that is written: each part is taken apart for itself.
    Parts(Vec<TakenApart>),
}

impl TakenApart {
    /// Is a part of it lent by `&mut`?
    fn is_exclusive(&self) -> bool {
        match self {
            TakenApart::Value(_) => false,
            TakenApart::Place(place) => place.exclusive,
            TakenApart::Parts(parts) => parts.iter().any(TakenApart::is_exclusive),
        }
    }

    /// Is a part of it in `tile_static` memory, which other threads may change?
    fn is_shared(&self) -> bool {
        match self {
            TakenApart::Value(_) => false,
            TakenApart::Place(place) => {
                matches!(&place.at, SpotRoot::Memory(place) if matches!(place.root, Root::Tile(_)))
            }
            TakenApart::Parts(parts) => parts.iter().any(TakenApart::is_shared),
        }
    }

    /// The place that it is, whose parts may be places of their own.
    fn place(&self) -> RustPlace {
        match self {
            TakenApart::Value(value) => RustPlace::value(value.clone()),
            TakenApart::Place(place) => place.clone(),
            TakenApart::Parts(parts) => {
                let places: Rc<[RustPlace]> = parts.iter().map(TakenApart::place).collect();
                let types = places.iter().map(|place| place.ty.clone()).collect();
                RustPlace::new(RustType::Tuple(types), SpotRoot::Split(places))
            }
        }
    }
}

/// The part of a value that a pattern in a pattern stands for.
#[derive(Clone, Debug)]
pub(super) enum PatternPart {
    /// By its position.
    One(usize),
    /// By its name.
    Named(String),
    /// The parts of an array that `..` stands for.
    Several(Range<usize>),
}

/// Is it `..`, or `name @ ..`?
pub(super) fn is_rest(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Rest => true,
        Pattern::At(_, inner) => matches!(**inner, Pattern::Rest),
        _ => false,
    }
}

impl Lower {
    /// What a pattern takes apart: the place behind a reference, or a value.
    pub(super) fn taken_apart(&mut self, expr: &Expr) -> OrNoValue<TakenApart> {
        match &expr.kind {
            ExprKind::Ref(mutable, place) => {
                let place = self.place(place)?;
                Ok(TakenApart::Place(RustPlace { exclusive: *mutable, ..place }))
            }
            ExprKind::Call(..) if self.gives_self(expr)? => self.place(expr).map(TakenApart::Place),
            // A parameter without a type, which is a reference.
            ExprKind::Local(_) if self.is_reference(expr) => self.place(expr).map(TakenApart::Place),
            // A part of an item, which may be a reference: `p.0` of a pair that `zip` gives.
            ExprKind::Field(..) if self.is_part_of_lent(expr) => {
                let place = self.place(expr)?;
                match place.exclusive {
                    true => Ok(TakenApart::Place(place)),
                    false => self.value(expr).map(TakenApart::Value),
                }
            }
            ExprKind::Tuple(parts) if parts.iter().any(|part| self.holds_lent(part)) => {
                let part = |part: &Expr| match self.holds_lent(part) {
                    true => self.taken_apart(part),
                    false => self.moved(part).map(TakenApart::Value),
                };
                parts.iter().map(part).collect::<OrNoValue<Vec<_>>>().map(TakenApart::Parts)
            }
            _ if self.ends_in_self(expr)? => {
                let pos = self.pos(expr.at);
                self.changed_end(pos)
            }
            _ => self.value(expr).map(TakenApart::Value),
        }
    }

    /// Is it a reference, or a tuple of expressions with one among them?
    fn holds_lent(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Tuple(parts) => parts.iter().any(|part| self.holds_lent(part)),
            ExprKind::Field(..) => self.is_part_of_lent(expr),
            _ => self.is_reference(expr),
        }
    }

    /// Is it a part of a name of a reference, by its fields alone?
    fn is_part_of_lent(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Field(base, _) => self.is_part_of_lent(base),
            _ => self.is_lent_name(expr),
        }
    }

    /// The current value of what a pattern takes apart.
    pub(super) fn taken_value(&mut self, taken: &TakenApart, pos: Pos) -> OrNoValue<LoweredValue> {
        match taken {
            TakenApart::Value(value) => Ok(value.clone()),
            TakenApart::Place(place) => self.load(place, pos),
            TakenApart::Parts(_) => self.load(&taken.place(), pos),
        }
    }

    /// Binds the names of a pattern that fits.
    pub(super) fn bind_taken(&mut self, pattern: &Pattern, taken: &TakenApart, pos: Pos) -> OrNoValue<()> {
        match taken {
            TakenApart::Value(value) => self.bind(pattern, value, pos),
            TakenApart::Place(place) => self.bind_spot(pattern, place.clone(), pos),
            TakenApart::Parts(parts) => self.nested(pos, |lower| lower.bind_parts(pattern, (taken, parts), pos)),
        }
    }

    fn bind_parts(
        &mut self,
        pattern: &Pattern,
        (whole, parts): (&TakenApart, &[TakenApart]),
        pos: Pos,
    ) -> OrNoValue<()> {
        match pattern {
            Pattern::Tuple(patterns) => {
                let ty = whole.place().ty;
                for (part, pattern) in self.in_positions(patterns, 0..parts.len(), &ty, pos)? {
                    if let PatternPart::One(i) = part
                        && binds(pattern)
                        && let Some(part) = parts.get(i)
                    {
                        self.bind_taken(pattern, part, pos)?;
                    }
                }
                Ok(())
            }
            Pattern::At(local, inner) => {
                self.bind_parts(&Pattern::Bind(*local), (whole, parts), pos)?;
                self.nested(pos, |lower| lower.bind_parts(inner, (whole, parts), pos))
            }
            _ if !binds(pattern) => Ok(()),
            _ if whole.is_exclusive() => self.exclusive_value(pos),
            _ if whole.is_shared() => self.shared_value(pos),
            _ => {
                let value = self.taken_value(whole, pos)?;
                self.bind(pattern, &value, pos)
            }
        }
    }

    /// `let .. else`: the other block leaves, so the names are bound behind it.
    pub(super) fn let_else(
        &mut self,
        pattern: &Pattern,
        taken: &TakenApart,
        otherwise: &SyntaxBlock,
        pos: Pos,
    ) -> OrNoValue<()> {
        let value = self.taken_value(taken, pos)?;
        if let Some(condition) = self.fits(pattern, &value, pos)? {
            self.unless(condition, pos, |lower| lower.block(otherwise).map(|_| ()))?;
        }
        self.bind_taken(pattern, taken, pos)
    }

    /// `if !condition { leave }`, where the block does not reach its end.
    pub(super) fn unless(
        &mut self,
        condition: ValueId,
        pos: Pos,
        leave: impl FnOnce(&mut Lower) -> OrNoValue<()>,
    ) -> OrNoValue<()> {
        self.b.begin_block();
        let then = self.b.end_block(None);
        self.b.begin_block();
        let left = leave(self);
        let otherwise = self.b.end_block(None);
        match left {
            Err(NoValue::Failed) => Err(NoValue::Failed),
            Ok(()) | Err(NoValue::Left | NoValue::Gone) => {
                self.emit(InstKind::If { condition, then, otherwise }, pos).map(|_| ())
            }
        }
    }

    /// Binds the names of a pattern that fits to parts of the value.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: &LoweredValue, pos: Pos) -> OrNoValue<()> {
        match pattern {
            Pattern::Bind(local) => self.bind_value(*local, value, pos),
            Pattern::At(local, inner) => {
                self.bind_value(*local, value, pos)?;
                self.nested(pos, |lower| lower.bind(inner, value, pos))
            }
            Pattern::Tuple(_) | Pattern::Fields(..) | Pattern::Positions(..) => self.nested(pos, |lower| {
                for (part, pattern) in lower.takes_apart(pattern, &value.ty, pos)? {
                    if binds(pattern) {
                        let part = lower.part_of_value(value, &part, pos)?;
                        lower.bind(pattern, &part, pos)?;
                    }
                }
                Ok(())
            }),
            Pattern::Deref(inner) => self.nested(pos, |lower| lower.bind(inner, value, pos)),
            Pattern::Or(choices) if choices.iter().any(binds) => self.bound_in_one_choice(pos),
            Pattern::Wild
            | Pattern::Literal(..)
            | Pattern::Const(..)
            | Pattern::Range(..)
            | Pattern::Or(_)
            | Pattern::Rest => Ok(()),
        }
    }

    pub(super) fn bound_in_one_choice<T>(&mut self, pos: Pos) -> OrNoValue<T> {
        self.formless(
            "a name is bound in only one of several patterns, or differently in each",
            "which value it stands for depends on the pattern that fits",
            "write an arm for each pattern",
            pos,
        )
    }

    pub(super) fn bind_value(&mut self, local: u32, value: &LoweredValue, pos: Pos) -> OrNoValue<()> {
        let read = self.frame().read.clone();
        let Some(info) = read.tree.locals.get(local as usize) else {
            return self.broken(format!("there is no name {local}"), pos);
        };
        let at = if info.at.line > 0 { self.pos(info.at) } else { pos };
        // A name whose value cannot change is the value itself, even with `mut`.
        let spot = if info.mutable && self.may_change(value) {
            self.changing(&info.text, value, at)?
        } else {
            let indexed = read.scan.indexed.get(local as usize).copied().unwrap_or(false);
            let value = if indexed { self.keep_arrays(value, at)? } else { value.clone() };
            self.name(&value, &info.text);
            RustPlace::value(value)
        };
        self.bind_local(local, spot, at)
    }

    /// Has it a part that can be given another value? Views and what has no contents have none.
    fn may_change(&self, value: &LoweredValue) -> bool {
        match value.ty.holds() {
            TypeContents::Scalars => true,
            TypeContents::Nothing => false,
            TypeContents::Handle => match &value.held {
                HeldAs::Parts(parts) if matches!(value.ty, RustType::Tuple(_) | RustType::Struct(_)) => {
                    parts.iter().any(|part| self.may_change(part))
                }
                _ => false,
            },
        }
    }

    /// A name that may be given another value: variables for its numbers, and its views as they are.
    pub(super) fn changing(&mut self, name: &str, value: &LoweredValue, pos: Pos) -> OrNoValue<RustPlace> {
        match &value.held {
            _ if value.ty.holds() == TypeContents::Scalars => self.variable(name, &value.ty, Some(value), pos),
            HeldAs::Parts(parts) if self.may_change(value) => self.nested(pos, |lower| {
                let mut places = Vec::new();
                for (i, part) in parts.iter().enumerate() {
                    places.push(lower.changing(&format!("{name}_{}", value.ty.part_name(i)), part, pos)?);
                }
                Ok(RustPlace::new(value.ty.clone(), SpotRoot::Split(places.into())))
            }),
            _ => Ok(RustPlace::value(value.clone())),
        }
    }

    /// The parts that the pattern of a tuple, an array, a struct or a variant names, each with its
    /// own pattern.
    pub(super) fn takes_apart<'p>(
        &mut self,
        pattern: &'p Pattern,
        ty: &RustType,
        pos: Pos,
    ) -> OrNoValue<Vec<(PatternPart, &'p Pattern)>> {
        match pattern {
            Pattern::Tuple(parts) => self.in_positions(parts, 0..ty.count(), ty, pos),
            Pattern::Positions(slot, parts, at) => {
                let pos = self.pos(*at);
                match ty {
                    RustType::Variants(of) => {
                        let number = self.variant_number(*slot, pos)?;
                        self.in_positions(parts, of.parts_of(number), ty, pos)
                    }
                    RustType::Index(_) | RustType::Extent(_) => {
                        let numbers = |pattern| (PatternPart::Named("0".to_owned()), pattern);
                        Ok(parts.iter().filter(|part| !is_rest(part)).map(numbers).collect())
                    }
                    _ => self.in_positions(parts, 0..ty.count(), ty, pos),
                }
            }
            Pattern::Fields(slot, fields, at) => {
                let RustType::Variants(of) = ty else {
                    let named = |field: &'p FieldPattern| (PatternPart::Named(field.name.clone()), &field.pattern);
                    return Ok(fields.iter().map(named).collect());
                };
                let pos = self.pos(*at);
                let number = self.variant_number(*slot, pos)?;
                let parts = of.parts_of(number);
                let mut found = Vec::new();
                for field in fields {
                    let names = of.variants.get(number).map(|variant| &variant.fields[..]).unwrap_or_default();
                    match names.iter().position(|(name, _)| *name == field.name) {
                        Some(i) => found.push((PatternPart::One(parts.start + i), &field.pattern)),
                        None => return self.broken(format!("`{}` without `{}`", of.name, field.name), pos),
                    }
                }
                Ok(found)
            }
            _ => self.broken("a pattern without parts", pos),
        }
    }

    /// Patterns for the parts in a range, one of which may be `..`.
    fn in_positions<'p>(
        &mut self,
        patterns: &'p [Pattern],
        range: Range<usize>,
        ty: &RustType,
        pos: Pos,
    ) -> OrNoValue<Vec<(PatternPart, &'p Pattern)>> {
        let (given, count) = (patterns.len(), range.len());
        let rest = patterns.iter().position(is_rest);
        let fits = if rest.is_some() { given <= count + 1 } else { given == count };
        if !fits {
            return self.broken(format!("`{}` taken apart into {given}", ty.show()), pos);
        }
        let place = |(i, pattern): (usize, &'p Pattern)| match rest {
            Some(rest) if i == rest => {
                (PatternPart::Several(range.start + i..range.start + i + count + 1 - given), pattern)
            }
            Some(rest) if i > rest => (PatternPart::One(range.start + i + count - given), pattern),
            _ => (PatternPart::One(range.start + i), pattern),
        };
        Ok(patterns.iter().enumerate().map(place).collect())
    }

    pub(super) fn part_of_value(
        &mut self,
        value: &LoweredValue,
        part: &PatternPart,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        match part {
            PatternPart::One(i) => self.part(value, *i, pos),
            PatternPart::Named(name) => {
                let part = self.field(&RustPlace::value(value.clone()), name, pos)?;
                self.load(&part, pos)
            }
            PatternPart::Several(range) => {
                let RustType::Array(element, _) = &value.ty else { return Ok(LoweredValue::UNIT) };
                let ty = RustType::Array(element.clone(), range.len() as u32);
                self.spend(range.len() as u64, pos)?;
                let parts = range.clone().map(|i| self.part(value, i, pos)).collect::<OrNoValue<Vec<_>>>()?;
                Ok(LoweredValue::parts(ty, parts))
            }
        }
    }

    pub(super) fn part_of_place(&mut self, spot: &RustPlace, part: &PatternPart, pos: Pos) -> OrNoValue<RustPlace> {
        match part {
            PatternPart::One(i) => self.sub(spot, *i, pos),
            PatternPart::Named(name) => self.field(spot, name, pos),
            PatternPart::Several(range) => match (&spot.at, &spot.ty) {
                (SpotRoot::Value(value), _) => self.part_of_value(value, part, pos).map(RustPlace::value),
                (_, RustType::Array(element, _)) => {
                    let ty = RustType::Array(element.clone(), range.len() as u32);
                    Ok(RustPlace::new(ty, SpotRoot::Rest(Rc::new(spot.clone()), range.start)))
                }
                // `..` in a tuple binds nothing.
                _ => Ok(RustPlace::value(LoweredValue::UNIT)),
            },
        }
    }

    /// The number of a variant, by its slot in the tree.
    pub(super) fn variant_number(&mut self, slot: u32, pos: Pos) -> OrNoValue<usize> {
        let constant = self.constant(slot, pos)?;
        match constant.leaves[..] {
            [number] => Ok(number as usize),
            _ => self.broken("a variant without a number", pos),
        }
    }

    /// The first part of a value that is this variant.
    pub(super) fn variant_constant(&mut self, number: usize) -> LoweredValue {
        LoweredValue::one(RustType::scalar(Scalar::U32), self.b.constant(Const::u32(number as u32)))
    }

    /// For a name that is indexed by computed numbers, puts the arrays in its value in memory,
    /// once.
    fn keep_arrays(&mut self, value: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        match (&value.ty, &value.held) {
            (RustType::Array(element, n), HeldAs::Parts(_) | HeldAs::Repeat(_)) if *n > 0 && element.in_memory() => {
                self.keep(value, pos)
            }
            (RustType::Struct(_) | RustType::Tuple(_) | RustType::Variants(_), HeldAs::Parts(parts)) => {
                let parts = parts.iter().map(|part| self.keep_arrays(part, pos)).collect::<OrNoValue<Vec<_>>>()?;
                Ok(LoweredValue::parts(value.ty.clone(), parts))
            }
            _ => Ok(value.clone()),
        }
    }

    /// Names the results of instructions as in the source, for readers of the kernel. Where reports name
    /// the call, a view keeps the name that it has there.
    fn name(&mut self, value: &LoweredValue, name: &str) {
        if matches!(value.ty, RustType::View { .. }) && self.frame().read.tree.tracks_caller {
            return;
        }
        match &value.held {
            HeldAs::One(id) => {
                let free = self
                    .b
                    .context()
                    .values
                    .get(id.index())
                    .is_some_and(|it| it.def == ValueDef::Inst && it.name.is_none());
                if free && !name.is_empty() {
                    self.b.name(*id, name);
                }
            }
            HeldAs::Parts(parts) if parts.len() <= 8 => {
                for (i, part) in parts.iter().enumerate() {
                    self.name(part, &format!("{name}_{}", value.ty.part_name(i)));
                }
            }
            _ => {}
        }
    }
}
