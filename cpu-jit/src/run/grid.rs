//! Cuts a domain into units, and computes the arguments of compiled code for ranges of them.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::Domain;

use super::team::Units;

/// Columns of a strip: a multiple of every width; enough that elements of neighbouring strips
/// rarely share a cache line.
const STRIP: u64 = 1024;
/// Groups of rows for each thread of the machine's, at least: fewer do not balance.
const GROUPS: u64 = 4;
/// Number of threads in the first chunk when the pace is unknown.
const FIRST: u64 = 1024;

/// The units of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnitGrid {
    /// Each tile is a unit.
    Tiles {
        /// Number of tiles.
        tiles: u64,
        /// Threads per tile.
        threads: u64,
    },
    /// An untiled kernel: each strip of a group of rows is a unit, in row-major order.
    Rows {
        /// Product of all dimensions but the last.
        rows: u64,
        /// Rows of a group; the last group may have fewer.
        group: u64,
        /// The last dimension.
        columns: u64,
        /// The number of columns that the wide program executes in whole vectors.
        wide: u64,
        /// How the remaining columns are executed, if there are any. They belong to the last strip.
        rest: Rest,
        /// The column from which vectors follow one another, so that they are aligned; those before
        /// it are executed by a vector from column 0, and belong to the first strip.
        lead: u64,
    },
}

/// How columns beyond the last whole vector are executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    /// One at a time, by the program of width 1.
    Narrow,
    /// By the wide program, together with preceding columns that complete a vector of this many
    /// lanes: these run twice.
    Again(u64),
}

/// A range of units, in the form that a program takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UnitRange {
    /// Is it for the program of width 1 that executes the remaining columns?
    pub(super) narrow: bool,
    /// The given scalars.
    pub(super) given: [i64; 4],
}

impl UnitGrid {
    /// For a domain that fits the kernel, and a program of that width whose threads may run twice
    /// or not. `group` rows are a unit if there are groups for all `threads`.
    pub(super) fn new(
        kernel: &Kernel,
        domain: &Domain,
        (width, repeatable): (u32, bool),
        lead: u64,
        (group, threads): (u32, usize),
    ) -> UnitGrid {
        if let Some(tile) = kernel.tile() {
            let threads = tile.iter().map(|&t| u64::from(t.max(1))).product();
            return UnitGrid::Tiles { tiles: domain.threads() / threads, threads };
        }
        let columns = domain.extent.last().map_or(1, |&e| e.max(1) as u64);
        let rows = domain.threads() / columns;
        let width = u64::from(width.max(1));
        let rest = if repeatable && columns >= width { Rest::Again(width) } else { Rest::Narrow };
        // Threads of the first vector run twice, and must all be in the first strip.
        let fits = repeatable && lead < width && columns >= 2 * width;
        let lead = if fits { lead } else { 0 };
        let groups = rows / u64::from(group.max(1));
        let group = if groups >= GROUPS * threads as u64 { u64::from(group) } else { 1 };
        UnitGrid::Rows { rows, group, columns, wide: columns - lead - (columns - lead) % width, rest, lead }
    }

    /// Are there columns that the wide program does not execute?
    pub(super) fn has_narrow(self) -> bool {
        matches!(self, UnitGrid::Rows { columns, wide, rest: Rest::Narrow, lead, .. } if lead + wide < columns)
    }

    /// The units, for distribution.
    pub(super) fn units(self) -> Units {
        match self {
            UnitGrid::Tiles { tiles, threads } => Units { count: tiles, first: (FIRST / threads).max(1) },
            UnitGrid::Rows { rows, group, columns, wide, .. } => Units {
                count: rows.div_ceil(group) * strips(wide),
                first: (FIRST / (columns.min(STRIP) * group)).max(1),
            },
        }
    }

    /// Calls `run` with each part of a range of units, in order, until it returns false.
    pub(super) fn parts(self, first: u64, end: u64, run: &mut dyn FnMut(UnitRange) -> bool) -> bool {
        let UnitGrid::Rows { rows: all, group, columns, wide, rest, lead } = self else {
            return run(UnitRange { narrow: false, given: [first as i64, end as i64, 0, 0] });
        };
        let strips = strips(wide);
        // Part of a group, whole groups, part of one: the first and the last may be missing.
        let (mut at, mut going) = (first, true);
        while going && at < end {
            let (number, strip) = (at / strips, at % strips);
            let (groups, last) = if strip == 0 && end - at >= strips {
                ((end - at) / strips, strips)
            } else {
                (1, (strip + end - at).min(strips))
            };
            at = if groups > 1 { at + groups * strips } else { at + last - strip };
            let lost = u64::from(group > 1 && fault::planted(Fault::LastRowOfGroups));
            let (row, row_end) = (number * group, ((number + groups) * group).min(all - lost));
            let given = |from: u64, to: u64| [row as i64, row_end as i64, from as i64, to as i64];
            let first_strip = strip == 0 && !fault::planted(Fault::LeadSkipped);
            if let (true, Rest::Again(width)) = (lead > 0 && first_strip, rest) {
                going = run(UnitRange { narrow: false, given: given(0, width) });
            }
            let (from, to) = (lead + strip * STRIP, lead + (last * STRIP).min(wide));
            going = going && (from >= to || run(UnitRange { narrow: false, given: given(from, to) }));
            if going && last == strips && lead + wide < columns {
                going = run(match rest {
                    Rest::Narrow => {
                        let short = u64::from(fault::planted(Fault::RestOneColumnShort));
                        UnitRange { narrow: true, given: given(lead + wide, columns - short) }
                    }
                    Rest::Again(width) => UnitRange { narrow: false, given: given(columns - width, columns) },
                });
            }
        }
        going
    }
}

/// Strips of a row. The columns beyond the last whole vector form no strip of their own, so the
/// member that runs some of them twice owns them alone.
fn strips(wide: u64) -> u64 {
    wide.div_ceil(STRIP).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewise_ir::text::parse;

    #[test]
    fn every_thread_is_in_one_part_however_units_are_dealt_out() {
        for (rows, columns, width) in [
            (1, 1, 16),
            (3, 17, 16),
            (5, 1024, 16),
            (2, 1025, 8),
            (4, 2047, 4),
            (3, 3000, 16),
            (1, 5000, 1),
            (7, 15, 16),
            (2, 1039, 16),
            (35, 40, 16),
            (34, 1100, 8),
        ] {
            for repeatable in [false, true] {
                for lead in [0, 1, 12, 15] {
                    each_is_run(rows, columns, width, repeatable, lead, 1);
                }
            }
        }
    }

    /// Each thread runs once; if threads may run twice, at most twice, by one member that owns
    /// both.
    fn each_is_run(rows: u64, columns: u64, width: u64, repeatable: bool, lead: u64, group: u32) {
        let kernel = parse("k.kir", "kernel k() rank(2) { }").unwrap_or_else(|failure| panic!("{failure}"));
        let domain = Domain::new([rows as i32, columns as i32]);
        let grid = UnitGrid::new(&kernel, &domain, (width as u32, repeatable), lead, (group, 1));
        assert!(matches!(grid, UnitGrid::Rows { group: found, .. } if found == u64::from(group)));
        let wide = columns - columns % width;
        assert_eq!(grid.has_narrow(), wide < columns && !(repeatable && columns >= width), "{grid:?}");
        let count = grid.units().count;
        for size in [1, 2, 3, 5, count] {
            let mut times = vec![0; (rows * columns) as usize];
            let mut who = vec![0; times.len()];
            let mut first = 0;
            while first < count {
                let end = (first + size).min(count);
                let done = grid.parts(first, end, &mut |part| {
                    let [row, row_end, x, x_end] = part.given.map(|n| n as u64);
                    assert!(row < row_end && row_end <= rows && x < x_end && x_end <= columns, "{part:?}");
                    assert!(part.narrow || (x_end - x).is_multiple_of(width), "{part:?}");
                    assert!(!part.narrow || grid.has_narrow(), "{part:?}");
                    for at in (row..row_end).flat_map(|y| (x..x_end).map(move |x| (y * columns + x) as usize)) {
                        assert!(times[at] == 0 || who[at] == first, "{part:?}");
                        (times[at], who[at]) = (times[at] + 1, first);
                    }
                    true
                });
                assert!(done);
                first = end;
            }
            // Of the first vector, and of the last.
            let most = if repeatable { 3 } else { 1 };
            let all = times.iter().all(|times| (1..=most).contains(times));
            assert!(all, "{rows} x {columns} by {width}, {size} at once");
        }
    }

    #[test]
    fn rows_are_dealt_out_in_groups_if_there_are_enough() {
        for (rows, group) in [(35, 8), (34, 4), (33, 2), (32, 8)] {
            each_is_run(rows, 2100, 16, true, 3, group);
            each_is_run(rows, 70, 16, false, 0, group);
        }
        let kernel = parse("k.kir", "kernel k() rank(2) { }").unwrap_or_else(|failure| panic!("{failure}"));
        let units = |rows: i32, threads: usize| {
            UnitGrid::new(&kernel, &Domain::new([rows, 64]), (16, true), 0, (8, threads)).units().count
        };
        assert_eq!([units(64, 2), units(63, 2), units(64, 3), units(70, 1)], [8, 63, 64, 9]);
    }

    #[test]
    fn nothing_more_is_begun_after_a_stop() {
        let grid = UnitGrid::Rows { rows: 4, group: 1, columns: 2000, wide: 1984, rest: Rest::Narrow, lead: 0 };
        let mut parts = 0;
        let mut run = |_: UnitRange| {
            parts += 1;
            parts < 2
        };
        assert!(!grid.parts(1, 7, &mut run));
        assert_eq!(parts, 2);
    }
}
