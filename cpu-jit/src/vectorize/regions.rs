//! Prints the barrier regions of a kernel as text: where threads of a tile meet, and the values
//! they keep from one region to the next.
//!
//! The text comes from [`super::cross`] and the facts, before any lane program exists.

use std::borrow::Cow;
use std::fmt::Write as _;

use tilewise_ir::analysis::barrier_regions::{BarrierRegions, TileStep};
use tilewise_ir::analysis::facts::KernelFacts;
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{Block, Construct, Inst, Kernel, ValueId};
use tilewise_ir::pos::{Pos, Source};
use tilewise_ir::stack::with_levels;

use super::cross::{Carry, RegionLiveness};
use super::locals::Locals;
use super::state::PartNumber;
use crate::hash::HashMap;
use crate::report::snippet;
use crate::sorted::SortedSet;

/// Prints the regions of a kernel.
pub(crate) fn regions(checked: &Checked<Kernel>) -> String {
    with_levels(checked.inlined().levels(), || regions_of(checked))
}

fn regions_of(checked: &Checked<Kernel>) -> String {
    let (kernel, facts) = (checked.inlined(), checked.facts());
    let locals = Locals::of(kernel, facts);
    let regions = BarrierRegions::of(kernel);
    let crossing = match regions.any() {
        true => RegionLiveness::of(kernel, facts, &locals, &regions),
        false => RegionLiveness::default(),
    };
    let mut positions = HashMap::default();
    kernel.entry().body().walk(&mut |inst| {
        if let Some(value) = inst.result {
            positions.insert(value, inst.pos);
        }
    });
    let texts = checked.sources().list.iter().map(Source::read).collect();
    let mut teller = RegionPrinter {
        checked,
        kernel,
        facts,
        locals: &locals,
        regions: &regions,
        crossing,
        positions,
        texts,
        out: String::new(),
    };
    teller.kernel();
    teller.out
}

struct RegionPrinter<'a> {
    checked: &'a Checked<Kernel>,
    kernel: &'a Kernel,
    facts: &'a KernelFacts,
    locals: &'a Locals,
    regions: &'a BarrierRegions,
    crossing: RegionLiveness,
    /// The positions where values are defined.
    positions: HashMap<ValueId, Pos>,
    /// The source texts, as far as they are readable.
    texts: Vec<Option<Cow<'a, str>>>,
    out: String,
}

impl RegionPrinter<'_> {
    fn kernel(&mut self) {
        let of = match self.kernel.tile() {
            Some(tile) => {
                let tile: Vec<String> = tile.iter().map(ToString::to_string).collect();
                format!("tiles of {}", tile.join(" x "))
            }
            None => "no tiles: strips of neighbours, rows and strips in any order".to_owned(),
        };
        self.line(0, &format!("kernel {}, {of}", self.kernel.name()));
        self.level(self.kernel.entry().body(), 1);
    }

    /// Writes a line of the output.
    fn line(&mut self, depth: usize, text: &str) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.out, "{:1$}{text}", "", depth * 4);
    }

    /// A block at tile level.
    fn level(&mut self, block: &Block, depth: usize) {
        let mut rest = &block.insts[..];
        while let Some((step, behind)) = self.regions.split_first(rest) {
            match step {
                TileStep::Region(region) => self.region(region, depth),
                TileStep::Lifted(inst) => self.lifted(inst, depth),
            }
            rest = behind;
        }
    }

    /// A barrier, or a construct that holds one.
    fn lifted(&mut self, inst: &Inst, depth: usize) {
        let place = self.place(inst.pos);
        if inst.kind.barrier().is_some() {
            let proved = self.facts.uniformity().proves_barrier(inst.id);
            let judged = if proved { "" } else { ", where it is seen whether all threads have come" };
            return self.line(depth, &format!("barrier{judged}  {place}"));
        }
        let (what, several) = match inst.kind.construct() {
            Some(Construct::If { .. } | Construct::Switch { .. }) => ("branch", true),
            Some(Construct::Loop { .. }) => ("loop", false),
            Some(Construct::Scope { .. }) => ("scope", false),
            None => ("something without a block", false),
        };
        self.line(depth, &format!("{what} of the tile  {place}"));
        let mut blocks = Vec::new();
        inst.kind.each_block(&mut |block| blocks.push(block));
        for (i, block) in blocks.into_iter().enumerate() {
            if several && i > 0 && !block.insts.is_empty() {
                self.line(depth, "or");
            }
            self.level(block, depth + 1);
        }
    }

    /// Prints the instructions of a region.
    fn region(&mut self, insts: &[Inst], depth: usize) {
        let mut lines = SortedSet::new();
        for inst in insts {
            let mut note = |inst: &Inst| {
                if inst.pos.is_known() {
                    lines.insert((inst.pos.source, inst.pos.line));
                }
            };
            note(inst);
            inst.kind.blocks(&mut |block| block.walk(&mut note));
        }
        let place = match (lines.first(), lines.last()) {
            (Some(&a), Some(&b)) if a == b => format!("  {}:{}", self.name(a.0), a.1),
            (Some(&a), Some(&b)) if a.0 == b.0 => format!("  {}:{} to {}", self.name(a.0), a.1, b.1),
            (Some(&a), Some(&b)) => format!("  {}:{} to {}:{}", self.name(a.0), a.1, self.name(b.0), b.1),
            _ => String::new(),
        };
        self.line(depth, &format!("region{place}"));
        let region = insts.first().and_then(|first| self.crossing.regions.get(&first.id)).cloned().unwrap_or_default();
        for &value in &region.uses {
            let how = match self.crossing.values.get(&value) {
                Some(Carry::Once) | None => "one for the tile",
                Some(Carry::Again) => "computed again",
                Some(Carry::Kept) => "taken up by each thread",
            };
            let what = self.value(value);
            self.line(depth + 1, &format!("uses {what}: {how}"));
        }
        for &value in &region.makes {
            if self.crossing.values.get(&value) != Some(&Carry::Kept) {
                continue;
            }
            let what = self.value(value);
            self.line(depth + 1, &format!("keeps {what}: for each thread"));
        }
        let mut variables = SortedSet::new();
        for &part in &region.touches {
            let taken = !region.begins.contains(&part);
            variables.insert((self.variable(part), taken, region.writes.contains(&part), self.crossing.parts[&part]));
        }
        for (name, taken, written, once) in variables {
            let how = match (taken, written) {
                (true, true) => "takes up and keeps",
                (true, false) => "takes up",
                (false, _) => "keeps",
            };
            let whose = if once { "one for the tile" } else { "for each thread" };
            self.line(depth + 1, &format!("{how} `{name}`: {whose}"));
        }
    }

    fn variable(&self, part: PartNumber) -> String {
        let mut name = String::new();
        self.kernel.entry().body().walk(&mut |inst| {
            if let Some(local) = inst.kind.declared()
                && self.locals.parts(local).contains(&part)
            {
                name = self.kernel.entry().locals()[local.index()].name.to_string();
            }
        });
        name
    }

    fn value(&self, value: ValueId) -> String {
        let pos = self.positions.get(&value).copied().unwrap_or(Pos::NONE);
        self.place(pos)
    }

    /// The source text at a position, and the position.
    fn place(&self, pos: Pos) -> String {
        if !pos.is_known() {
            return "something of no place".to_owned();
        }
        let line = self.texts.get(pos.source as usize).and_then(|text| text.as_deref());
        let line = line.and_then(|text| text.lines().nth((pos.line as usize).wrapping_sub(1)));
        let text = line.map(|line| format!(" `{}`", snippet(line, pos))).unwrap_or_default();
        format!("{}:{}{text}", self.name(pos.source), pos.line)
    }

    fn name(&self, source: u32) -> &str {
        self.checked.sources().list.get(source as usize).map_or("?", |source| &*source.name)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use super::*;

    #[track_caller]
    fn is(text: &str, expected: &Expect) {
        let kernel = check(parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}")));
        expected.assert_eq(&regions(&kernel.unwrap_or_else(|rejected| panic!("{rejected}"))));
    }

    #[test]
    fn a_loop_with_barriers_is_the_tiles_and_what_threads_keep_is_told() {
        is(
            "kernel sum(v: view<i32, 1, read_write>) tile(64) {
    tile_static t: [i32; 64];
    let i = local[0];
    let mine = v[global[0]];
    t[i] = mine;
    barrier;
    var half: i32 = 32;
    var own: i32 = 0;
    while half > 0 {
        if i < half {
            t[i] = t[i] + t[i + half];
        }
        own = own + t[i];
        barrier;
        half = half / 2;
    }
    v[global[0]] = mine + own;
}",
            &expect![[r#"
                kernel sum, tiles of 64
                    region  k.kir:3 to 5
                        keeps k.kir:4 `v[global[0]]`: for each thread
                    barrier  k.kir:6 `barrier`
                    region  k.kir:7 to 8
                        keeps `half`: one for the tile
                        keeps `own`: for each thread
                    loop of the tile  k.kir:9 `while`
                        region  k.kir:9
                            takes up `half`: one for the tile
                        region  k.kir:10 to 13
                            uses k.kir:3 `local[0]`: computed again
                            takes up `half`: one for the tile
                            takes up and keeps `own`: for each thread
                        barrier  k.kir:14 `barrier`
                        region  k.kir:15
                            takes up and keeps `half`: one for the tile
                    region  k.kir:17
                        uses k.kir:4 `v[global[0]]`: taken up by each thread
                        takes up `own`: for each thread
            "#]],
        );
    }

    #[test]
    fn without_barriers_there_is_one_region() {
        is(
            "kernel scale(v: view<f32, 2, read_write>, by: f32) rank(2) {
    v[global[0], global[1]] =
        v[global[0], global[1]] * by;
}",
            &expect![[r#"
                kernel scale, no tiles: strips of neighbours, rows and strips in any order
                    region  k.kir:2 to 3
            "#]],
        );
    }

    #[test]
    fn a_branch_that_nobody_has_proved_is_judged_at_its_barrier() {
        is(
            "kernel choose(v: view<i32, 1, read_write>) tile(8) {
    tile_static t: [i32; 8];
    t[local[0]] = v[global[0]];
    if v[tile[0]] > 0 {
        barrier;
        v[global[0]] = t[7 - local[0]];
    } else {
        v[global[0]] = 0;
    }
}",
            &expect![[r#"
                kernel choose, tiles of 8
                    region  k.kir:3 to 4
                        keeps k.kir:4 `v[tile[0]] > 0`: for each thread
                    branch of the tile  k.kir:4 `if`
                        barrier, where it is seen whether all threads have come  k.kir:5 `barrier`
                        region  k.kir:6
                    or
                        region  k.kir:8
            "#]],
        );
    }

    #[test]
    fn each_call_of_a_function_with_a_barrier_has_a_verdict_of_its_own() {
        is(
            "fn meet() { barrier; }
kernel twice(v: view<i32, 1, read_write>) tile(8) {
    meet();
    if v[tile[0]] > 0 {
        meet();
    }
    v[global[0]] = 0;
}",
            &expect![[r#"
                kernel twice, tiles of 8
                    barrier  k.kir:1 `barrier`
                    region  k.kir:4
                        keeps k.kir:4 `v[tile[0]] > 0`: for each thread
                    branch of the tile  k.kir:4 `if`
                        barrier, where it is seen whether all threads have come  k.kir:1 `barrier`
                    region  k.kir:7
            "#]],
        );
    }
}
