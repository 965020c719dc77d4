//! The report as text: each line of the source of which there is something to say, and below it what.

use std::borrow::Cow;
use std::fmt::Write as _;

use tilewise_ir::pos::{Pos, Source, Sources};

use super::{Access, Finding, Kind, Range, Report, Way, What};
use crate::lanes::How;

/// Characters of a place that are shown.
const SHOWN: usize = 36;

impl Report {
    /// For people. `sources` are the kernel's.
    pub fn text(&self, sources: &Sources) -> String {
        let texts: Vec<Option<Cow<'_, str>>> = sources.list.iter().map(Source::read).collect();
        let line = |pos: Pos| texts.get(pos.source as usize)?.as_deref()?.lines().nth(pos.line as usize - 1);
        let mut out = String::new();
        let mut last = None;
        for Finding { pos, what } in &self.findings {
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
        out
    }

    fn what(&self, what: &What) -> String {
        match what {
            What::Access(access) => self.access(access),
            What::Branch(how) => match how {
                How::Together => "all lanes go one way".to_owned(),
                How::Tile => "the tile goes one way, for a barrier".to_owned(),
                How::Limit => "lanes up to a limit: a mask only where it cuts a strip".to_owned(),
                How::Both => "both ways computed, no branch".to_owned(),
                How::Masked => "by a mask, a way is left out if no lane goes it".to_owned(),
            },
            What::Loop(how) => match how {
                How::Together | How::Limit | How::Both => "loop: all lanes together".to_owned(),
                How::Tile => "loop: the tile together, for a barrier".to_owned(),
                How::Masked => "loop: by a mask, until no lane is left".to_owned(),
            },
            What::Sum => "two roundings; `mad` may take one".to_owned(),
        }
    }

    fn access(&self, access: &Access) -> String {
        let mut out = match access.kind {
            Kind::Load => "load: ",
            Kind::Store => "store: ",
            Kind::Copy => "copy: ",
            Kind::Atomic => "atomic: ",
        }
        .to_owned();
        if self.width == 1 {
            out.push_str("one thread at a time");
        } else if access.kind == Kind::Atomic {
            out.push_str(match access.ways.as_slice() {
                [Way::One] => "lane by lane, all at one place",
                _ => "lane by lane",
            });
        } else {
            let way = |way: &Way| match way {
                Way::One => "one for all lanes".to_owned(),
                Way::Side => format!("side by side, {} lanes", self.width),
                Way::Step(step) => format!("lane by lane, {step} bytes apart"),
                Way::Each => "lane by lane, anywhere".to_owned(),
            };
            out.push_str(&access.ways.iter().map(way).collect::<Vec<_>>().join("; or "));
        }
        if access.masked {
            out.push_str(", by a mask");
        }
        out.push_str(match access.range {
            Range::Known => "",
            Range::Before => ", range asked before the loop",
            Range::Asked => ", range asked once for all lanes",
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
