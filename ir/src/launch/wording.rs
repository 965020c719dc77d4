//! The text of findings, as [`Diagnostic`]s like those of the checker.

use super::{ArithmeticSlip, Arrival, CheckReport, Cut, Divergence, Finding, MemoryAct, OutOf, Touch, Where};
use crate::diag::{Code, Diagnostic};

impl CheckReport {
    /// The code of the broken rule.
    pub fn code(&self) -> Code {
        match self.finding {
            Finding::OutOfRange(_) => Code::K0801,
            Finding::Race { .. } => Code::K0802,
            Finding::ReadBeforeWrite(_) => Code::K0804,
            Finding::NotWithin { .. } => Code::K0805,
            Finding::Misaligned { .. } => Code::K0806,
            Finding::Arithmetic { slip: ArithmeticSlip::DivisionByZero, .. } => Code::K0807,
            Finding::Arithmetic { slip: ArithmeticSlip::Overflow, .. } => Code::K0808,
            Finding::Arithmetic { slip: ArithmeticSlip::Shift, .. } => Code::K0809,
            Finding::Arithmetic { slip: ArithmeticSlip::LossyConversion, .. } => Code::K0810,
        }
    }

    /// The finding in one line, without a source position.
    pub fn message(&self) -> String {
        let place = &self.access.place;
        match &self.finding {
            Finding::OutOfRange(OutOf { object, levels: Some(1), .. }) => {
                format!("the texture `{object}` has no such level: it has level 0 only")
            }
            Finding::OutOfRange(OutOf { object, levels: Some(levels), .. }) => {
                format!("the texture `{object}` has no such level: it has the levels 0 to {}", levels - 1)
            }
            Finding::OutOfRange(OutOf { object, dimension, index, extent, levels: None }) => {
                let of = dimension.map_or(String::new(), |d| format!("dimension {d} of "));
                format!("index {index} is out of range for {of}`{object}`, whose extent is {extent}")
            }
            Finding::Race { same_tile: true, .. } => format!("a data race on `{place}` between threads of a tile"),
            Finding::Race { same_tile: false, memory: Where::Global, .. } if self.access.tile.is_empty() => {
                format!("a data race on `{place}` between threads")
            }
            Finding::Race { .. } => format!("a data race on `{place}` between tiles"),
            Finding::ReadBeforeWrite(_) => format!("`{place}` is read before it is written"),
            Finding::NotWithin { view, cut } => match cut {
                Cut::Section { dimension, origin, length, extent } => format!(
                    "a section at {origin} of extent {length} does not lie within dimension {dimension} of `{view}`, whose extent is {extent}"
                ),
                Cut::Project { index, extent } => {
                    format!("a projection at {index} does not lie within `{view}`, whose extent is {extent}")
                }
                Cut::Reinterpret { dense: false, .. } | Cut::ViewAs { dense: false, .. } => {
                    format!("the elements of `{view}` are not contiguous, and cannot be reinterpreted")
                }
                Cut::Reinterpret { bytes, size, .. } => {
                    format!("the {bytes} bytes of `{view}` can not be seen as elements of {size} bytes")
                }
                Cut::ViewAs { shape, extent, .. } => {
                    format!("`{view}` has {extent} elements, too few for the shape {}", list(shape))
                }
            },
            Finding::Misaligned { size, behind } => {
                let bytes = if *behind == 1 { "byte" } else { "bytes" };
                format!(
                    "an atomic operation on {size} bytes at `{place}`, {behind} {bytes} behind a multiple of {size}"
                )
            }
            Finding::Arithmetic { slip, operation, from, to } => match slip {
                ArithmeticSlip::DivisionByZero => format!("`{operation}` divides by zero"),
                ArithmeticSlip::Overflow => format!("`{operation}` is out of the range of {to}"),
                ArithmeticSlip::Shift => format!("`{operation}` shifts {from} by its width or more"),
                ArithmeticSlip::LossyConversion => format!("`{operation}`: {to} does not have the number"),
            },
        }
    }

    /// The report as a diagnostic, for rendering.
    pub fn diagnostic(&self) -> Diagnostic {
        let report = Diagnostic::new(self.code(), self.message());
        let report = match &self.finding {
            Finding::OutOfRange(out) => self.out_of_range(report, out),
            Finding::Race { first, memory, same_tile } => self.race(report, first, *memory, *same_tile),
            Finding::ReadBeforeWrite(memory) => self.read_before_write(report, *memory),
            Finding::NotWithin { cut, .. } => {
                let report = report.at(self.access.pos, format!("{} makes an empty view here", self.access.who()));
                let rule = match cut {
                    Cut::Section { .. } => {
                        "origin and extent of a section are at least 0, and their sum is at most the view's extent"
                    }
                    Cut::Project { .. } => {
                        "a view is projected at an index below the extent of its most significant dimension"
                    }
                    Cut::Reinterpret { .. } => {
                        "a view is reinterpreted whole: its elements are contiguous, and their bytes are a multiple of the new element's size"
                    }
                    Cut::ViewAs { .. } => {
                        "elements that are given a shape are contiguous, and at least as many as the shape has"
                    }
                };
                report.note(rule).note("all accesses of an empty view are out of range")
            }
            Finding::Misaligned { size, .. } => report
                .at(self.access.pos, format!("{} is here", self.access.who()))
                .note("an atomic operation on a word that is not aligned changes nothing and gives 0")
                .help(format!("let the word begin at a multiple of {size} bytes of its variable, view or buffer")),
            Finding::Arithmetic { slip, from, .. } => {
                let report = report.at(self.access.pos, format!("{} computes it here", self.access.who()));
                match slip {
                    ArithmeticSlip::DivisionByZero => report
                        .note("`x / 0` is `x` and `x % 0` is 0, on every target")
                        .help("make sure that the divisor is not zero"),
                    ArithmeticSlip::Overflow => report
                        .note("the result has the low bits of the number, on every target")
                        .help("if it is meant to wrap, say so: `wrapping_add`, `wrapping_mul` and the like"),
                    ArithmeticSlip::Shift => report
                        .note(format!("amounts are taken modulo {}, on every target", from.bits()))
                        .help("if that is meant, say so: `wrapping_shl`, `wrapping_shr`"),
                    ArithmeticSlip::LossyConversion => report
                        .note("integers keep the low bits; floats become the nearest integer that there is, NaN zero")
                        .help("convert only numbers that the type has, or clamp them first"),
                }
            }
        };
        match self.again {
            0 => report,
            1 => report.note("the same happened once more"),
            n => report.note(format!("the same happened {n} times more")),
        }
    }

    fn out_of_range(&self, report: Diagnostic, out: &OutOf) -> Diagnostic {
        let who = self.access.who();
        let (text, effect) = match self.access.did {
            MemoryAct::Read | MemoryAct::Cut | MemoryAct::Compute => {
                (format!("{who} reads here"), "a read out of range gives zero")
            }
            MemoryAct::Write => (format!("{who} writes here"), "a write out of range does nothing"),
            MemoryAct::Atomic => (format!("{who} is here"), "an atomic out of range changes nothing and gives 0"),
        };
        let report = report.at(self.access.pos, text).note(effect);
        if let Some(levels) = out.levels {
            return report.help(format!("access it only if the level is at least 0 and below {levels}"));
        }
        match out.extent {
            0 => report.note(format!("`{}` has no elements: was it made by a request that did not fit?", out.object)),
            n => report.help(format!("access it only if the index is at least 0 and below {n}")),
        }
    }

    fn race(&self, report: Diagnostic, first: &Touch, memory: Where, same_tile: bool) -> Diagnostic {
        let second = &self.access;
        let object =
            if first.place == second.place { "it".to_owned() } else { format!("the same bytes as `{}`", second.place) };
        let value = |touch: &Touch| touch.value.as_ref().map_or(String::new(), |value| format!(" ({value})"));
        let barrier = match memory {
            Where::TileStatic => "tile_static",
            Where::Global | Where::Local => "global",
        };
        let why = if same_tile {
            format!(", with no barrier in between that orders {barrier} memory")
        } else if second.tile.is_empty() {
            String::new()
        } else {
            ", in another tile".to_owned()
        };
        let text = format!("{} {} {object}{} here{why}", second.who(), does(second.did), value(second));
        let before = format!("{} {} `{}` here", first.who(), does(first.did), first.place);
        let report = report.at(second.pos, text).and(first.pos, before);
        let report = if same_tile {
            report
                .note("threads between the same barriers have no order, and a fence orders nothing for plain accesses")
                .help(format!("put `barrier;` or `barrier({barrier});` between the two accesses"))
        } else {
            report
                .note("nothing orders the threads of different tiles, or of an untiled kernel, within a launch")
                .help("let each thread write elements of its own, use atomics for all accesses, or launch twice")
        };
        match (first.did, second.did) {
            (MemoryAct::Atomic, _) | (_, MemoryAct::Atomic) => {
                report.note("an atomic does not order plain accesses, and races with a plain write")
            }
            _ => report,
        }
    }

    fn read_before_write(&self, report: Diagnostic, memory: Where) -> Diagnostic {
        let report = report.at(self.access.pos, format!("{} reads here what nothing has written", self.access.who()));
        match memory {
            Where::Global => report
                .note("memory that is not written yet, or was discarded, has unspecified contents")
                .help("write it first, or hand over memory that has contents"),
            Where::TileStatic => report
                .note("`tile_static` variables are zero when a tile begins, and hold nothing of the tile before")
                .help("write it first, and put a barrier between the write and the read"),
            Where::Local => report
                .note("a local variable that is declared without a value is zero")
                .help("write it first, or declare it with `= zero`"),
        }
    }
}

impl Touch {
    /// `thread (3, 4)`.
    fn who(&self) -> String {
        format!("thread {}", list(&self.index))
    }
}

fn does(did: MemoryAct) -> &'static str {
    match did {
        MemoryAct::Read => "reads",
        MemoryAct::Write => "writes",
        MemoryAct::Atomic => "changes by an atomic",
        MemoryAct::Cut => "makes a view of",
        MemoryAct::Compute => "computes with",
    }
}

fn list(index: &[i32]) -> String {
    let words: Vec<String> = index.iter().map(ToString::to_string).collect();
    format!("({})", words.join(", "))
}

impl Divergence {
    /// The report as a diagnostic, for rendering; each side has its label or note.
    pub fn diagnostic(&self) -> Diagnostic {
        let tile = list(&self.tile);
        let mut report = Diagnostic::new(Code::K0803, format!("the threads of tile {tile} do not meet at one barrier"));
        for (i, side) in self.sides.iter().enumerate() {
            let who = threads(&side.threads);
            let text = match &side.did {
                Arrival::Barrier { rounds } if rounds.is_empty() => format!("{who} reached this barrier"),
                Arrival::Barrier { rounds } => {
                    let rounds: Vec<String> = rounds.iter().map(ToString::to_string).collect();
                    format!(
                        "{who} reached this barrier in iteration {} of its loops, counted from 0",
                        rounds.join(", ")
                    )
                }
                Arrival::Returned if side.pos.is_known() => format!("{who} returned here"),
                Arrival::Returned => {
                    report = report.note(format!("{who} reached the end of the kernel"));
                    continue;
                }
            };
            report = if i == 0 { report.at(side.pos, text) } else { report.and(side.pos, text) };
        }
        report
            .note("threads are numbered within their tile")
            .note("all threads of a tile reach the same barriers, in the same iterations of the loops around them")
            .help("move the barrier to where all threads of the tile reach it, or make the condition the same for all of them")
    }
}

/// `thread 3 of the tile`, or `threads 0-3, 5 of the tile`.
fn threads(list: &[u32]) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut i = 0;
    while i < list.len() {
        let mut j = i;
        while list.get(j + 1) == Some(&(list[j] + 1)) {
            j += 1;
        }
        out.push(if i == j { list[i].to_string() } else { format!("{}-{}", list[i], list[j]) });
        i = j + 1;
    }
    format!("thread{} {} of the tile", if list.len() == 1 { "" } else { "s" }, out.join(", "))
}
