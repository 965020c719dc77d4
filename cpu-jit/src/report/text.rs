//! Renders the report as text: each line of the source with findings, followed by these.

use std::borrow::Cow;
use std::fmt::Write as _;

use tilewise_ir::pos::{Pos, Source, Sources};

use super::{AccessKind, BoundsKnowledge, KernelReport, LaneStride, PlaceFinding, PlaceOutcome, ReportedAccess};
use crate::lanes::LaneControl;

/// Maximum number of characters shown of a place.
const SHOWN: usize = 36;

impl KernelReport {
    /// The report as text. `sources` are the kernel's.
    pub fn text(&self, sources: &Sources) -> String {
        let texts: Vec<Option<Cow<'_, str>>> = sources.list.iter().map(Source::read).collect();
        let line = |pos: Pos| texts.get(pos.source as usize)?.as_deref()?.lines().nth(pos.line as usize - 1);
        let mut out = String::new();
        let mut last = None;
        for PlaceFinding { pos, what } in &self.findings {
            let source = line(*pos);
            if last != Some((pos.source, pos.line)) {
                last = Some((pos.source, pos.line));
                let name = sources.list.get(pos.source as usize).map_or("?", |source| &*source.name);
                // Writing to a `String` cannot fail.
                let _ = writeln!(out, "{name}:{}  {}", pos.line, source.unwrap_or("").trim());
            }
            let place = source.map_or_else(|| format!("column {}", pos.column), |line| snippet(line, *pos));
            let _ = writeln!(out, "    {place:<SHOWN$}  {}", self.what(what));
        }
        for part in &self.costs {
            let (first, last) = (part.first.line, part.last_line);
            let lines = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
            let _ = writeln!(out, "{lines:<14}{}", part.text());
        }
        out
    }

    fn what(&self, what: &PlaceOutcome) -> String {
        match what {
            PlaceOutcome::Access(access) => self.access(access),
            PlaceOutcome::Branch(how) => match how {
                LaneControl::Together => "uniform".to_owned(),
                LaneControl::Tile => "uniform in the tile, for a barrier".to_owned(),
                LaneControl::Limit => "lanes below a limit: masked only where it cuts a vector".to_owned(),
                LaneControl::Both => "both arms computed, no branch".to_owned(),
                LaneControl::Masked => "masked, an arm that no lane takes is skipped".to_owned(),
            },
            PlaceOutcome::Loop(how) => match how {
                LaneControl::Together | LaneControl::Limit | LaneControl::Both => "loop: uniform".to_owned(),
                LaneControl::Tile => "loop: uniform in the tile, for a barrier".to_owned(),
                LaneControl::Masked => "loop: masked, until no lane is active".to_owned(),
            },
            PlaceOutcome::Unrolled => "loop: unrolled".to_owned(),
            PlaceOutcome::Promoted => "in registers, but for tiles at an edge".to_owned(),
            PlaceOutcome::Rows(count) => format!("loaded once for {count} rows, which are executed together"),
            PlaceOutcome::Prefetched => "prefetched some iterations ahead".to_owned(),
            PlaceOutcome::Sum => "two roundings; `mad` may take one".to_owned(),
        }
    }

    fn access(&self, access: &ReportedAccess) -> String {
        let mut out = match access.kind {
            AccessKind::Load => "load: ",
            AccessKind::Store => "store: ",
            AccessKind::Copy => "copy: ",
            AccessKind::Atomic | AccessKind::CombinedAtomic => "atomic: ",
        }
        .to_owned();
        if self.width == 1 {
            out.push_str("one thread at a time");
        } else if access.kind == AccessKind::CombinedAtomic {
            out.push_str("once for all lanes, at one place");
        } else if access.kind == AccessKind::Atomic {
            out.push_str(match access.ways.as_slice() {
                [LaneStride::One] => "scalarised, all at one place",
                _ => "scalarised",
            });
        } else {
            let way = |way: &LaneStride| match way {
                LaneStride::One => "uniform".to_owned(),
                LaneStride::Side => format!("unit stride, {} lanes", self.width),
                LaneStride::Rows { step, elements, near } if self.moves_rows(access.kind, *elements, *near) => {
                    format!("whole vectors, with others of rows of {step} bytes")
                }
                LaneStride::Run { step: Some(step) } if self.moves_runs() => {
                    format!("whole vectors, of each lane's own run in {step} bytes")
                }
                LaneStride::Run { step: None } if self.moves_runs() => {
                    "whole vectors, of each lane's own run".to_owned()
                }
                LaneStride::Near { step, elements } if self.moves_vectors(access.kind, *elements) => {
                    format!("whole vectors, stride of {step} bytes")
                }
                LaneStride::Rows { step, .. }
                | LaneStride::Run { step: Some(step) }
                | LaneStride::Near { step, .. }
                | LaneStride::Step(step) => {
                    format!("scalarised, stride of {step} bytes")
                }
                LaneStride::Run { step: None } | LaneStride::Each => "scalarised, any address".to_owned(),
            };
            // The iterations that fill no block take the other ways.
            let (runs, others): (Vec<_>, Vec<_>) = access.ways.iter().partition(|way| self.is_run(way));
            let [runs, others] = [runs, others].map(|ways| ways.into_iter().map(way).collect::<Vec<_>>());
            let rest = others.join("; or ");
            match (runs.is_empty(), others.is_empty()) {
                (true, _) => out.push_str(&rest),
                (false, true) => out.push_str(&runs.join("; or ")),
                (false, false) => _ = write!(out, "{}; the last iterations {rest}", runs.join("; or ")),
            }
        }
        if access.masked {
            out.push_str(", masked");
        }
        out.push_str(match access.range {
            BoundsKnowledge::Known => "",
            BoundsKnowledge::Before => ", bounds check hoisted out of the loop",
            BoundsKnowledge::Asked => ", one bounds check for all lanes",
        });
        out
    }
}

/// The characters of a line at a place.
pub(crate) fn snippet(line: &str, pos: Pos) -> String {
    let chars = line.chars().skip(pos.column as usize - 1).take(pos.length as usize);
    let text: String = chars.collect();
    let text = text.trim_end();
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    let begin: String = text.chars().take(SHOWN - 2).collect();
    format!("{begin}..")
}
