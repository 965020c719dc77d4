//! Decides how each local variable is kept: as values, or in memory.
//!
//! A local is split into its **parts**, the scalars that `Types::leaves` lists, if every place in
//! it is known statically: fields, components, and indices that are constant ([`ValueDef::Const`],
//! or a range of one number) and within their array. Aggregates of more than [`MAX_PARTS`] scalars
//! are not split. A vector component may have a computed index: a select among up to four parts is
//! cheaper than memory. Whole aggregates are declared and copied part by part. Scalars and vectors
//! are always split.
//!
//! Parts of all locals are numbered consecutively: those of local *n* are [`Locals::parts`]`(n)`,
//! in the order of the leaves; a place in a split local denotes a range of them, or one element of
//! a range ([`Touched`]). So `copy(a.inner, b.inner)` copies between two ranges of equal length.
//!
//! All other locals are **memory**: `offset` counts the bytes of one thread, which has
//! [`Locals::private`] in total. The threads of a strip are interleaved by `unit` bytes: byte `b`
//! of lane `l` of `W` is at `offset * W + b / unit * unit * W + l * unit + b % unit`. `unit` is the
//! size of the largest scalar, so that lanes in lockstep access consecutive scalars; if a scalar
//! crosses units, or elements are not aligned to units, it is the size of the whole. Offsets are
//! multiples of `unit` and of 8, or of 8 alone in the latter case.

use std::ops::Range;

use tilewise_ir::analysis::facts::KernelFacts;
use tilewise_ir::kernel::{Function, Kernel, LocalId, Place, Root, Step, ValueDef, ValueId};
use tilewise_ir::types::{Stored, Type, TypeId, Types};

/// Maximum number of scalars of an aggregate that is split.
pub(super) const MAX_PARTS: u64 = 64;

/// How a local variable is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    /// As values, one for each scalar.
    Parts(Vec<LocalPart>),
    /// In memory of each thread.
    Memory {
        /// Offset of the first byte, a multiple of 8.
        offset: u64,
        /// Size in bytes, of one thread.
        size: u64,
        /// The number of contiguous bytes per thread; never 0.
        unit: u32,
    },
}

/// One scalar of a split local.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LocalPart {
    /// Its byte offset within the local's type.
    pub(super) offset: u64,
    /// Its memory format: a store to it truncates or rounds to this.
    pub(super) stored: Stored,
}

/// The parts that a place in a split local denotes, numbered as in [`Locals::parts`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Touched {
    /// These parts, in the order of the leaves of the place's type.
    Parts(Range<usize>),
    /// The component of a vector at a computed index; none if out of range.
    Component {
        /// The parts of the whole vector, 2 to 4.
        vector: Range<usize>,
        /// `i32` or `u32`.
        index: ValueId,
    },
}

impl Touched {
    /// All parts that may be accessed.
    pub(super) fn parts(&self) -> Range<usize> {
        match self {
            Touched::Parts(parts) | Touched::Component { vector: parts, .. } => parts.clone(),
        }
    }
}

/// How the local variables of a kernel's body are kept.
#[derive(Clone, Debug)]
pub(super) struct Locals {
    keeps: Vec<Keep>,
    /// The first part of each local, and the end of the last.
    first: Vec<usize>,
    private: u64,
    /// The number of each value that is statically known.
    fixed: Vec<Option<u32>>,
}

impl Locals {
    /// Decides for the body of an inlined kernel.
    pub(super) fn of(kernel: &Kernel, facts: &KernelFacts) -> Locals {
        let (types, entry) = (kernel.types(), kernel.entry());
        let fixed = fixed(entry, facts);
        let splits = |ty| types.value(ty).is_some() || types.measure(ty).leaves <= MAX_PARTS;
        let mut split: Vec<bool> = entry.locals().iter().map(|local| splits(local.ty)).collect();
        entry.body().walk(&mut |inst| {
            inst.kind.places(&mut |place| {
                if let Root::Local(local) = place.root
                    && split[local.index()]
                {
                    let ty = entry.locals()[local.index()].ty;
                    split[local.index()] = way(types, ty, &place.path, &fixed).is_some();
                }
            });
        });
        let mut locals = Locals { keeps: Vec::new(), first: vec![0], private: 0, fixed };
        for (local, split) in entry.locals().iter().zip(split) {
            let keep = if split { Keep::Parts(parts(types, local.ty)) } else { locals.in_memory(types, local.ty) };
            let more = if let Keep::Parts(parts) = &keep { parts.len() } else { 0 };
            locals.first.push(locals.count() + more);
            locals.keeps.push(keep);
        }
        locals
    }

    fn in_memory(&mut self, types: &Types, ty: TypeId) -> Keep {
        let (size, unit) = (types.size(ty), unit(types, ty));
        let align = if unit.is_power_of_two() { u64::from(unit).max(8) } else { 8 };
        let offset = self.private.next_multiple_of(align);
        self.private = offset + size;
        Keep::Memory { offset, size, unit }
    }

    /// How a local is kept.
    pub(super) fn keep(&self, local: LocalId) -> &Keep {
        &self.keeps[local.index()]
    }

    /// How each local is kept, by number.
    #[cfg(test)]
    pub(super) fn keeps(&self) -> &[Keep] {
        &self.keeps
    }

    /// The parts of a local; empty if it is in memory.
    pub(super) fn parts(&self, local: LocalId) -> Range<usize> {
        self.first[local.index()]..self.first[local.index() + 1]
    }

    /// The total number of parts.
    pub(super) fn count(&self) -> usize {
        self.first.last().copied().unwrap_or(0)
    }

    /// A part by its number.
    pub(super) fn part(&self, number: usize) -> LocalPart {
        // Locals without parts share their first number with the next one: take the last one that
        // begins at or before it.
        let local = self.first.partition_point(|&first| first <= number) - 1;
        match &self.keeps[local] {
            Keep::Parts(parts) => parts[number - self.first[local]],
            Keep::Memory { .. } => unreachable!("a part of a local that has none"),
        }
    }

    /// The bytes of the locals in memory, of one thread, a multiple of 8.
    pub(super) fn private(&self) -> u64 {
        self.private.next_multiple_of(8)
    }

    /// The parts that a place denotes; `None` unless it is in a split local.
    pub(super) fn touched(&self, kernel: &Kernel, place: &Place) -> Option<Touched> {
        let Root::Local(local) = place.root else { return None };
        let Keep::Parts(_) = self.keep(local) else { return None };
        let first = self.first[local.index()];
        let ty = kernel.entry().locals()[local.index()].ty;
        Some(match way(kernel.types(), ty, &place.path, &self.fixed)? {
            Touched::Parts(parts) => Touched::Parts(first + parts.start..first + parts.end),
            Touched::Component { vector, index } => {
                Touched::Component { vector: first + vector.start..first + vector.end, index }
            }
        })
    }
}

/// The values that are a known number, as an index: 0 or more.
fn fixed(entry: &Function, facts: &KernelFacts) -> Vec<Option<u32>> {
    let by_range = |range: tilewise_ir::analysis::range::IntegerRange| (range.lo == range.hi).then_some(range.lo);
    let mut fixed: Vec<Option<u32>> = entry
        .values()
        .iter()
        .map(|value| match value.def {
            ValueDef::Const(number) => number.integer().and_then(|number| u32::try_from(number).ok()),
            ValueDef::Param(_) | ValueDef::Inst => None,
        })
        .collect();
    entry.body().walk(&mut |inst| {
        if let Some(value) = inst.result
            && let [fact] = facts.parts(value)
        {
            fixed[value.index()] = fact.range.and_then(by_range).and_then(|number| u32::try_from(number).ok());
        }
    });
    fixed
}

/// The leaves that a path denotes, counted from the first of `ty`; `None` if that is not known
/// statically.
fn way(types: &Types, ty: TypeId, path: &[Step], fixed: &[Option<u32>]) -> Option<Touched> {
    let leaves = |ty: TypeId| types.measure(ty).leaves as usize;
    let (mut at, mut first) = (ty, 0);
    for step in path {
        match (types.get(at), *step) {
            (Type::Struct(s), Step::Field(field)) => {
                let field = field as usize;
                first += s.fields[..field].iter().map(|field| leaves(field.ty)).sum::<usize>();
                at = s.fields[field].ty;
            }
            (Type::Array { element, length, .. }, Step::Index(index)) => {
                let index = fixed[index.index()].filter(|&index| length.is_some_and(|length| index < length))?;
                first += index as usize * leaves(*element);
                at = *element;
            }
            // A component is the last step.
            (Type::Vector(..), Step::Component(component)) => {
                let first = first + usize::from(component);
                return Some(Touched::Parts(first..first + 1));
            }
            (Type::Vector(_, width), Step::Index(index)) => {
                return Some(match fixed[index.index()].filter(|&index| index < u32::from(*width)) {
                    Some(number) => Touched::Parts(first + number as usize..first + number as usize + 1),
                    None => Touched::Component { vector: first..first + usize::from(*width), index },
                });
            }
            _ => return None,
        }
    }
    Some(Touched::Parts(first..first + leaves(at)))
}

fn parts(types: &Types, ty: TypeId) -> Vec<LocalPart> {
    let mut parts = Vec::new();
    types.leaves(ty, &mut |offset, stored| parts.push(LocalPart { offset, stored }));
    parts
}

/// The number of contiguous bytes per thread (see the page).
fn unit(types: &Types, ty: TypeId) -> u32 {
    let size = types.size(ty);
    let whole = u32::try_from(size).unwrap_or(u32::MAX).max(1);
    let mut largest = 1;
    types.leaves(ty, &mut |_, stored| largest = largest.max(stored.size()));
    let unit = u64::from(largest);
    let mut fits = size.is_multiple_of(unit);
    types.leaves(ty, &mut |offset, stored| fits &= offset % unit + u64::from(stored.size()) <= unit);
    // A computed index steps by units.
    fits &= !types.any(ty, &mut |part| match part {
        Type::Array { stride, .. } => !u64::from(*stride).is_multiple_of(unit),
        Type::Vector(stored, _) => stored.size() != largest,
        Type::Scalar(_) | Type::Struct(_) => false,
    });
    if fits { largest } else { whole }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::kernel::InstKind;

    use super::{Keep, LocalPart, Locals, Touched};
    use crate::vectorize::samples::checked;
    use tilewise_ir::types::Stored;

    fn locals(body: &str) -> Locals {
        let kernel = checked(body);
        Locals::of(kernel.inlined(), kernel.facts())
    }

    fn parts(keep: &Keep) -> Vec<(u64, &'static str)> {
        match keep {
            Keep::Parts(parts) => parts.iter().map(|&LocalPart { offset, stored }| (offset, stored.name())).collect(),
            Keep::Memory { .. } => panic!("in memory: {keep:?}"),
        }
    }

    #[test]
    fn scalars_and_vectors_are_split_and_numbered_in_one_row() {
        let locals = locals(
            "var a: i32 = 1; var v: f32x3 = f32x3(1.0, 2.0, 3.0); var b: bool = true; v[i] = v.y; a = if b { a } else { i }; out[i] = a + v.x as i32;",
        );
        assert_eq!(parts(&locals.keeps()[0]), [(0, "i32")]);
        assert_eq!(parts(&locals.keeps()[1]), [(0, "f32"), (4, "f32"), (8, "f32")]);
        assert_eq!(locals.count(), 5);
        assert_eq!(locals.part(3).offset, 8);
        assert_eq!(locals.part(4).stored, Stored::Bool);
        assert_eq!(locals.private(), 0);
    }

    #[test]
    fn an_aggregate_with_constant_ways_is_split_and_one_that_is_indexed_lies_in_memory() {
        let locals = locals(
            "var p: P = zero; var q: P = zero; var t: [f32; 4] = zero; var u: [f32; 4] = zero; \
             p.inner[1].y = 2.0; copy(q, p); copy(q.inner, p.inner); t[i] = 1.0; let two = 1 + 1; u[two] = t[3]; out[i] = q.n + u[2] as i32;",
        );
        assert_eq!(parts(&locals.keeps()[0]), [(0, "i32"), (4, "f32"), (8, "f32"), (12, "f32"), (16, "f32")]);
        assert_eq!(locals.keeps()[2], Keep::Memory { offset: 0, size: 16, unit: 4 });
        assert_eq!(parts(&locals.keeps()[3]).len(), 4);
        assert_eq!(locals.private(), 16);
        assert_eq!(locals.part(10).offset, 0);
    }

    #[test]
    fn an_index_out_of_range_and_a_large_aggregate_lead_to_memory() {
        let locals = locals(
            "var t: [f32; 65] = zero; var s: [f32; 2] = zero; let k = min(i, 2) - min(i, 2) + 2; s[k] = 1.0; out[i] = t[0] as i32 + s[0] as i32;",
        );
        assert_eq!(locals.keeps()[0], Keep::Memory { offset: 0, size: 260, unit: 4 });
        assert_eq!(locals.keeps()[1], Keep::Memory { offset: 264, size: 8, unit: 4 });
    }

    #[test]
    fn a_scalar_that_crosses_units_makes_the_whole_the_unit() {
        let locals = locals(
            "var a: [Odd; 2] = zero; var b: [u8; 3] = zero; var c: [Mixed; 2] = zero; a[i].x = 1; b[i] = 1u32; c[i].w = 1i64; out[i] = 1;",
        );
        assert_eq!(locals.keeps()[0], Keep::Memory { offset: 0, size: 12, unit: 12 });
        assert_eq!(locals.keeps()[1], Keep::Memory { offset: 16, size: 3, unit: 1 });
        assert_eq!(locals.keeps()[2], Keep::Memory { offset: 24, size: 32, unit: 8 });
    }

    #[test]
    fn a_place_stands_for_its_leaves() {
        let kernel = checked(
            "var a: i32 = 1; var p: P = zero; p.inner[1].y = 2.0; p.inner[1][i] = 3.0; copy(p.inner, p.inner); out[i] = p.n + a;",
        );
        let locals = Locals::of(kernel.inlined(), kernel.facts());
        let mut found = Vec::new();
        kernel.inlined().entry().body().walk(&mut |inst| {
            if let InstKind::Store { .. } | InstKind::Copy { .. } | InstKind::Load(_) = inst.kind {
                inst.kind.places(&mut |place| found.extend(locals.touched(kernel.inlined(), place)));
            }
        });
        let shown: Vec<_> =
            found.iter().map(|touched| (touched.parts(), matches!(touched, Touched::Parts(_)))).collect();
        assert_eq!(shown, [(5..6, true), (4..6, false), (2..6, true), (2..6, true), (1..2, true), (0..1, true)]);
    }
}
