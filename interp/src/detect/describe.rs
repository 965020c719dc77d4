//! Turns findings into text: threads by their index, bytes by the element of their variable.
//!
//! This code runs only for a new finding, so its speed does not matter.

use super::arithmetic::ArithmeticRule;
use super::reports::{FindingKind, ReportKey, ReportList, first_report};
use super::shadow::{ShadowFinding, Who};
use crate::code::{ArithmeticCode, Bytecode, Instr, ViewKind};
use crate::memory::{SpaceAddress, SpaceId};
use crate::place::RootCode;
use crate::tile::position;
use crate::views::EXTENTS;
use crate::watch::{PendingWrite, Scene};
use crate::words::{AccessSiteKind, PlaceObject, PlaceStep, signed};
use tilewise_ir::bytes;
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{
    Argument, ArithmeticSlip, Cut, Finding, LevelExtent, MemoryAct, OutOf, Touch, ViewArgument, Where,
};
use tilewise_ir::ops::DivisionOp;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Stored, Type, TypeId};
use tilewise_ir::{print, text};

/// The sources of the text.
pub(super) struct Describe<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) code: &'a Bytecode,
    pub(super) arguments: &'a [Argument],
}

/// How names of methods begin that say what becomes of a number out of range.
const MEANT: [&str; 5] = ["wrapping_", "checked_", "overflowing_", "saturating_", "unsigned_abs"];

impl Describe<'_> {
    /// Does the source say what becomes of a number out of range? A method or a function whose name says so, and any
    /// other one for a conversion, which is a step of it: `to_le_bytes` takes parts of numbers.
    fn is_meant(&self, pos: Pos, rule: ArithmeticRule) -> bool {
        if pos.is_implied() {
            return true;
        }
        let Some(text) = self.kernel.sources().text_at(pos) else {
            return matches!(rule, ArithmeticRule::NarrowCast(_));
        };
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(text.len());
        let (path, behind) = text.split_at(end);
        // An operation on what a call gives begins with the call too, in the text form: `min(a, b) as u32`.
        let goes_on =
            arguments_length(behind).is_some_and(|length| pos.length as usize > path.chars().count() + length);
        let name = if goes_on { "" } else { path.rsplit(':').next().unwrap_or_default() };
        let is_called = !goes_on && !path.is_empty() && (behind.starts_with('(') || path.ends_with("::"));
        match rule {
            ArithmeticRule::NarrowCast(_) => !text.starts_with("as "),
            ArithmeticRule::Conversion(_) if is_called => true,
            ArithmeticRule::Sum(_)
            | ArithmeticRule::MultiplyAdd
            | ArithmeticRule::Magnitude
            | ArithmeticRule::Power
            | ArithmeticRule::Division(_)
            | ArithmeticRule::Shift
            | ArithmeticRule::Conversion(_)
            | ArithmeticRule::NarrowResult(_) => MEANT.iter().any(|start| name.starts_with(start)),
        }
    }

    /// Reports a finding of the shadow.
    #[cold]
    #[allow(clippy::too_many_arguments, reason = "each is a fact of its own that the caller has at hand")]
    pub(super) fn found(
        &self,
        reports: &mut ReportList,
        scene: Scene<'_>,
        who: Who,
        space: SpaceId,
        did: MemoryAct,
        found: ShadowFinding,
        new: Option<PendingWrite<'_>>,
    ) {
        let pos = self.code.report.pos[scene.pc];
        let memory = self.memory(space);
        let site = self.code.report.site_of[scene.pc];
        match found {
            ShadowFinding::Unwritten { at } => {
                let key = ReportKey::new(FindingKind::ReadBeforeWrite, (pos, did), None);
                reports.add(key, || {
                    let (place, _) = self.element(site, did, space, at, who);
                    first_report(Finding::ReadBeforeWrite(memory), self.touch(did, pos, who.thread, place))
                });
            }
            ShadowFinding::Race { granule, mask, with } => {
                let first_pos = self.site_pos(with.site);
                let first_did = match (with.wrote, with.atomic) {
                    (true, _) => MemoryAct::Write,
                    (false, true) => MemoryAct::Atomic,
                    (false, false) => MemoryAct::Read,
                };
                let same_tile = with.thread.wrapping_sub(who.first) < who.threads;
                let kind = if same_tile { FindingKind::RaceInTile } else { FindingKind::RaceOfTiles };
                let key = ReportKey::new(kind, (pos, did), Some((first_pos, first_did)));
                reports.add(key, || {
                    let at = granule + u64::from(mask.trailing_zeros());
                    let (place, stored) = self.element(site, did, space, at, who);
                    let (first_place, _) = self.element(with.site, first_did, space, at, who);
                    let first = self.touch(first_did, first_pos, with.thread, first_place);
                    let mut access = self.touch(did, pos, who.thread, place);
                    access.value = new.and_then(|new| value(scene, new, stored));
                    first_report(Finding::Race { first, memory, same_tile }, access)
                });
            }
        }
    }

    /// Reports an index that is out of range.
    pub(super) fn out_of_range(&self, reports: &mut ReportList, scene: Scene<'_>, who: Who, did: MemoryAct) {
        let pos = self.code.report.pos[scene.pc];
        let key = ReportKey::new(FindingKind::OutOfRange, (pos, did), None);
        reports.add(key, || {
            let out = self.fault(scene, did);
            let access = self.touch(did, pos, who.thread, format!("{}[{}]", out.object, out.index));
            first_report(Finding::OutOfRange(out), access)
        });
    }

    /// Reports a view that does not fit into the one it is made from.
    pub(super) fn misfit(&self, reports: &mut ReportList, scene: Scene<'_>, who: Who) {
        let pos = self.code.report.pos[scene.pc];
        let key = ReportKey::new(FindingKind::NotWithin, (pos, MemoryAct::Cut), None);
        reports.add(key, || {
            let (view, cut) = self.cut(scene);
            let access = self.touch(MemoryAct::Cut, pos, who.thread, view.clone());
            first_report(Finding::NotWithin { view, cut }, access)
        });
    }

    /// Reports an atomic operation on a word that is not aligned.
    #[cold]
    pub(super) fn misaligned(&self, reports: &mut ReportList, scene: Scene<'_>, who: Who, at: SpaceAddress, size: u64) {
        let pos = self.code.report.pos[scene.pc];
        let key = ReportKey::new(FindingKind::Misaligned, (pos, MemoryAct::Atomic), None);
        reports.add(key, || {
            let site = self.code.report.site_of[scene.pc];
            let (place, _) = self.element(site, MemoryAct::Atomic, at.space, at.at, who);
            let access = self.touch(MemoryAct::Atomic, pos, who.thread, place);
            first_report(Finding::Misaligned { size, behind: at.at % size }, access)
        });
    }

    /// Reports arithmetic beyond the range of its type, where it is not meant so.
    #[cold]
    pub(super) fn arithmetic(
        &self,
        reports: &mut ReportList,
        scene: Scene<'_>,
        who: Who,
        code: &ArithmeticCode,
        operands: [u64; 3],
        slip: ArithmeticSlip,
    ) {
        let pos = self.code.report.pos[scene.pc];
        let kind = match slip {
            ArithmeticSlip::DivisionByZero => FindingKind::DivisionByZero,
            ArithmeticSlip::Overflow => FindingKind::Overflow,
            ArithmeticSlip::Shift => FindingKind::Shift,
            ArithmeticSlip::LossyConversion => FindingKind::LossyConversion,
        };
        let key = ReportKey::new(kind, (pos, MemoryAct::Compute), None);
        if !reports.has(key) && reports.is_meant(key, code.rule, || self.is_meant(pos, code.rule)) {
            return;
        }
        reports.add(key, || {
            let operands = (0..code.args.len()).map(|i| {
                let mut text = String::new();
                print::value(&mut text, Data::scalar(code.rule.operand(code.scalar, i)), &operands[i..=i]);
                text
            });
            let mut operands = operands.collect::<Vec<_>>();
            let operation = match (code.rule, operands.as_mut_slice()) {
                (ArithmeticRule::NarrowCast(to), [number]) => format!("{number} as {to}"),
                (ArithmeticRule::NarrowResult(_), [number]) => std::mem::take(number),
                // The quotient is out of range; the remainder, 0, is not.
                (ArithmeticRule::Division(DivisionOp::Rem | DivisionOp::RemEuclid), [a, b])
                    if slip == ArithmeticSlip::Overflow =>
                {
                    format!("{a} / {b}")
                }
                _ => text::operation(code.op, &operands),
            };
            let access = self.touch(MemoryAct::Compute, pos, who.thread, String::new());
            first_report(Finding::Arithmetic { slip, operation, from: code.scalar, to: code.result }, access)
        });
    }

    fn memory(&self, space: SpaceId) -> Where {
        match space {
            space if space < self.code.launch.tile_space => Where::Global,
            space if space == self.code.launch.tile_space => Where::TileStatic,
            _ => Where::Local,
        }
    }

    fn site_pos(&self, site: u32) -> Pos {
        let site = self.code.report.sites.get(site as usize);
        site.and_then(|site| self.code.report.pos.get(site.pc as usize)).copied().unwrap_or_default()
    }

    /// An access by a thread; threads are numbered tile by tile.
    fn touch(&self, did: MemoryAct, pos: Pos, thread: u32, place: String) -> Touch {
        let code = self.code;
        let threads: u32 = code.launch.tile.iter().product::<u32>().max(1);
        let tiles: Vec<u32> = code.launch.domain.iter().zip(&code.launch.tile).map(|(&e, &t)| e / t.max(1)).collect();
        let (tile, local) = (position(thread / threads, &tiles), position(thread % threads, &code.launch.tile));
        let index: Vec<u32> = tile
            .iter()
            .zip(&code.launch.tile)
            .zip(&local)
            .map(|((&tile, &size), &local)| tile * size + local)
            .collect();
        let linear = index.iter().zip(&code.launch.domain).fold(0, |at, (&i, &e)| at * u64::from(e) + u64::from(i));
        let whole = |list: &[u32]| list.iter().map(|&i| i as i32).collect();
        Touch {
            did,
            pos,
            thread: linear,
            index: whole(&index),
            tile: if self.kernel.tile().is_some() { whole(&tile) } else { Vec::new() },
            place,
            value: None,
        }
    }

    /// The place of a site that is read or written.
    fn place_of(&self, site: u32, did: MemoryAct) -> Option<u32> {
        match (&self.code.report.sites.get(site as usize)?.what, did) {
            (AccessSiteKind::Place(place), _) => Some(*place),
            (AccessSiteKind::Copy { to, .. }, MemoryAct::Write) => Some(*to),
            (AccessSiteKind::Copy { from, .. }, _) => Some(*from),
            (AccessSiteKind::Lane { .. } | AccessSiteKind::View { .. }, _) => None,
        }
    }

    /// The element at a byte, described by the site, and its stored format.
    fn element(&self, site: u32, did: MemoryAct, space: SpaceId, at: u64, who: Who) -> (String, Option<Stored>) {
        let nameless = || ("memory".to_owned(), None);
        let Some(number) = self.place_of(site, did) else { return nameless() };
        let (words, place) = (&self.code.report.words[number as usize], &self.code.places[number as usize]);
        let Some(name) = &words.root else { return nameless() };
        let mut text = name.to_string();
        let kernel = self.kernel;
        let (ty, offset) = match (words.object, &place.root) {
            (PlaceObject::View(Some(param)), _) => {
                let param = param as usize;
                let (Some(Argument::View(view)), ParamKind::View(ty)) =
                    (self.arguments.get(param), kernel.params()[param].kind)
                else {
                    return (text, None);
                };
                text = kernel.params()[param].name.to_string();
                let size = kernel.types().element_size(ty.element);
                let Some((index, within)) = locate(view, space, at, size) else { return (text, None) };
                if let ([element], [_, ..]) = (&index[..], &view.levels[..]) {
                    // The element holds the texel's bits, which are no value of the program.
                    return (texel(text, &view.levels, *element), None);
                }
                text += &format!("[{}]", list(&index));
                (ty.element, within)
            }
            (PlaceObject::Buffer(param), RootCode::Fixed { at: base, .. }) => {
                match kernel.params()[param as usize].kind {
                    ParamKind::Buffer { ty, .. } => (ty, at.wrapping_sub(*base)),
                    ParamKind::View(_) | ParamKind::Uniform(_) => return (text, None),
                }
            }
            (PlaceObject::Tile(var), RootCode::Fixed { at: base, .. }) => {
                (kernel.tile_vars()[var as usize].ty, at.wrapping_sub(*base))
            }
            (PlaceObject::Local(local), RootCode::Private { at: base }) => {
                let own = if self.code.barriers.is_empty() { 0 } else { u64::from(who.thread - who.first) };
                let offset = at.wrapping_sub(own * self.code.frame.private).wrapping_sub(*base);
                (kernel.entry().locals()[local as usize].ty, offset)
            }
            _ => return (text, None),
        };
        let stored = self.way(&mut text, ty, offset);
        (text, stored)
    }

    /// Appends the path from a type to the scalar at a byte; returns the scalar's stored format.
    fn way(&self, text: &mut String, mut ty: TypeId, mut at: u64) -> Option<Stored> {
        loop {
            match self.kernel.types().get(ty) {
                Type::Scalar(stored) => return Some(*stored),
                Type::Vector(stored, _) => {
                    let component = at / u64::from(stored.size());
                    *text += &format!(".{}", ["x", "y", "z", "w"].get(component as usize)?);
                    return Some(*stored);
                }
                Type::Array { element, stride, .. } => {
                    let stride = u64::from(*stride).max(1);
                    *text += &format!("[{}]", at / stride);
                    at %= stride;
                    ty = *element;
                }
                Type::Struct(s) => {
                    let types = self.kernel.types();
                    let holds = |offset: u64, ty: TypeId| {
                        // A runtime-sized array has no end.
                        offset <= at && (at - offset < types.size(ty) || types.size(ty) == 0)
                    };
                    let mut fields = s.fields.iter().rev();
                    let field = fields.find(|field| holds(u64::from(field.offset), field.ty))?;
                    *text += &format!(".{}", field.name);
                    at -= u64::from(field.offset);
                    ty = field.ty;
                }
            }
        }
    }

    /// The index of the current instruction that is out of range.
    fn fault(&self, scene: Scene<'_>, did: MemoryAct) -> OutOf {
        let site = self.code.report.site_of[scene.pc];
        let frame = scene.frame;
        if let Some(AccessSiteKind::Lane { name, index }) =
            self.code.report.sites.get(site as usize).map(|site| &site.what)
        {
            let width = match self.code.instrs[scene.pc] {
                Instr::Component { width, .. } | Instr::SetComponent { width, .. } => width,
                _ => 0,
            };
            let object = name.as_ref().map_or("vector".to_owned(), ToString::to_string);
            return OutOf { object, dimension: None, index: index.read(frame), extent: u64::from(width), levels: None };
        }
        let nothing = OutOf { object: "memory".to_owned(), dimension: None, index: 0, extent: 0, levels: None };
        let Some(number) = self.place_of(site, did) else { return nothing };
        let (words, place) = (&self.code.report.words[number as usize], &self.code.places[number as usize]);
        let mut text = words.root.as_ref().map_or("view".to_owned(), ToString::to_string);
        if let RootCode::View { view, index, .. } = &place.root {
            let rank = index.len();
            if let PlaceObject::View(Some(param)) = words.object
                && let Some(Argument::View(of)) = self.arguments.get(param as usize)
                && !of.levels.is_empty()
                && (0..rank).all(|d| frame[(view + EXTENTS) as usize + d] == 0)
            {
                // Each level that there is has texels.
                let object = self.kernel.params()[param as usize].name.to_string();
                let levels = Some(of.levels.len() as u32);
                return OutOf { object, dimension: None, index: 0, extent: 0, levels };
            }
            for (d, word) in words.index.iter().enumerate() {
                let extent = frame[(view + EXTENTS) as usize + d];
                let at = word.read(frame);
                if u64::from(at as u32) >= extent {
                    return OutOf {
                        object: text,
                        dimension: (rank > 1).then_some(d as u32),
                        index: at,
                        extent,
                        levels: None,
                    };
                }
            }
            let index: Vec<u64> = words.index.iter().map(|word| word.read(frame) as u64).collect();
            text += &format!("[{}]", list(&index));
        }
        for part in &words.parts {
            match part {
                PlaceStep::Field(name) => text += &format!(".{name}"),
                PlaceStep::Component(i) => text += &format!(".{}", ["x", "y", "z", "w"][usize::from(*i) % 4]),
                PlaceStep::Index(word, bounded) => {
                    let at = word.read(frame);
                    let length = bounded.and_then(|i| place.steps.get(i as usize)).map(|step| step.length);
                    if let Some(length) = length.filter(|&length| at as u32 >= length) {
                        return OutOf {
                            object: text,
                            dimension: None,
                            index: at,
                            extent: u64::from(length),
                            levels: None,
                        };
                    }
                    text += &format!("[{at}]");
                }
            }
        }
        nothing
    }

    /// The source view of the current instruction, and the mismatch.
    fn cut(&self, scene: Scene<'_>) -> (String, Cut) {
        let frame = scene.frame;
        let site = self.code.report.sites.get(self.code.report.site_of[scene.pc] as usize).map(|site| &site.what);
        let (name, is_signed) = match site {
            Some(AccessSiteKind::View { name, index_signed }) => (name.as_ref(), *index_signed),
            _ => (None, true),
        };
        let name = name.map_or("view".to_owned(), ToString::to_string);
        let Instr::View(i) = self.code.instrs[scene.pc] else {
            return (name, Cut::Project { index: 0, extent: 0 });
        };
        let view = &self.code.views[i as usize];
        let extent = |d: usize| frame[(view.from + EXTENTS) as usize + d];
        let dense = frame[(view.from + EXTENTS + view.rank) as usize] == 1;
        let cut = match &view.kind {
            ViewKind::Section { origin, extent: lengths } => {
                let of = |d: usize| (frame[origin[d] as usize] as i32, frame[lengths[d] as usize] as i32);
                let outside = |d: &usize| {
                    let (origin, length) = of(*d);
                    origin < 0 || length < 0 || i64::from(origin) + i64::from(length) > extent(*d) as i64
                };
                let d = (0..view.rank as usize).find(outside).unwrap_or(0);
                let (origin, length) = of(d);
                Cut::Section { dimension: d as u32, origin, length, extent: extent(d) }
            }
            ViewKind::Project { index } => {
                Cut::Project { index: signed(frame[*index as usize], is_signed), extent: extent(0) }
            }
            ViewKind::Reinterpret { size } => Cut::Reinterpret { bytes: extent(0) * view.size, size: *size, dense },
            ViewKind::ViewAs { extent: shape } => {
                let shape = shape.iter().map(|&slot| frame[slot as usize] as i32).collect();
                Cut::ViewAs { shape, extent: extent(0), dense }
            }
        };
        (name, cut)
    }
}

/// The characters of the arguments in parentheses that a text begins with, if they end in the same line.
fn arguments_length(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (i, c) in text.chars().enumerate() {
        match c {
            '(' => open += 1,
            ')' if open == 1 => return Some(i + 1),
            _ if open == 0 => return None,
            ')' => open -= 1,
            _ => {}
        }
    }
    None
}

fn list(index: &[u64]) -> String {
    index.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A texel of a texture.
fn texel(name: String, levels: &[LevelExtent], element: u64) -> String {
    match LevelExtent::find(levels, element) {
        Some((0, texel)) => format!("{name}[{}]", list(&texel)),
        Some((level, texel)) => format!("{name}[{}] of level {level}", list(&texel)),
        None => name,
    }
}

/// The element of a view that contains a byte, and the byte's offset in it; `None` if there is
/// none.
fn locate(view: &ViewArgument, space: SpaceId, at: u64, size: u64) -> Option<(Vec<u64>, u64)> {
    let from = at.checked_sub(view.offset).filter(|_| view.allocation == space as usize)?;
    let mut rest = from.checked_div(size)?;
    let mut dimensions: Vec<usize> = (0..view.extent.len()).collect();
    // In order of decreasing stride; for equal strides, the dimension with more elements first.
    dimensions.sort_by_key(|&d| std::cmp::Reverse((view.strides[d], view.extent[d])));
    let mut index = vec![0; view.extent.len()];
    for d in dimensions {
        if let Some(i) = rest.checked_div(view.strides[d]) {
            index[d] = i.min((view.extent[d].max(1) - 1) as u64);
            rest -= index[d] * view.strides[d];
        }
    }
    (rest == 0).then(|| (index, from % size))
}

/// The written value, if it is a single scalar or vector.
fn value(scene: Scene<'_>, new: PendingWrite<'_>, stored: Option<Stored>) -> Option<String> {
    let PendingWrite::Lanes(from, format, width) = new else { return None };
    let lanes = scene.frame.get(from as usize..from as usize + usize::from(width))?;
    let mut text = String::new();
    match (stored, lanes) {
        // As it lies there: it may have been written through a view of another type.
        (Some(stored), &[lane]) if stored.size() == format.size() => {
            let mut written = [0; 8];
            bytes::encode(&mut written, format, lane);
            print::value(&mut text, Data::scalar(stored.value()), &[bytes::decode(&written, stored)]);
        }
        // A part of a scalar, or several. What it was written as is not known: words of any type are stored as `u32`.
        (_, [_]) => return None,
        _ => print::value(&mut text, Data { scalar: format.value(), width }, lanes),
    }
    Some(text)
}
