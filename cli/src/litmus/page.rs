//! The page of litmus tests, in Markdown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tilewise_conformance::litmus::run::{LitmusCounts, OutcomeClass};
use tilewise_conformance::litmus::shapes;
use tilewise_conformance::target::SuiteTarget;

use super::record::{LitmusColumn, cell_text, gpu};
use crate::host;

const HEAD: &str = "\
# Litmus tests

Written by `tilewise litmus --page docs/litmus.md`; do not edit.

A litmus test is a small race: two to four threads with one or two accesses each. The memory model of
[semantics.md](semantics.md) allows some outcomes and forbids the others. Which ones is computed from the model
(`conformance/src/litmus/model.rs`), not listed by hand: the enumerator makes every execution of a test, that is every
choice of the write that each read sees and of the order of the writes of each location, and keeps those that break no
axiom.

| axiom | rule |
|---|---|
| write-write coherence | of two writes to a location, the one that happens before is the older |
| write-read coherence | a read does not give a value that was overwritten before it |
| read-write coherence | a read does not give the value of a write behind it |
| atomicity | no write comes between the read and the write of one atomic |
| no thin air | a value does not depend on itself |
| order of fences | a fence orders the accesses of its flavour, for the other threads of the tile |
| chains of atomics | an atomic that changes a value on its way keeps the order that comes with it |
| order of barriers | a barrier orders the accesses of its flavour before it and behind it, in its tile |

A test holds that each axiom is needed: the model without it allows some test an outcome that the model forbids.

An outcome is *strong* if some order of all accesses gives it, *weak* if it is allowed although none does, else
*forbidden*. A forbidden outcome that is seen is a failure. A weak one that is not seen is none: the machine, the driver
or the compiler may be stronger than the model. `jit` runs the threads of a tile on one thread of the processor, so weak
outcomes can come only from tiles; on x86-64 every atomic is a full fence.

The name of a test is its shape, the place of its threads (`tile`: all in one, `tiles`: each in one of its own), the
memory of its locations (`both`: the first in a view, the others in `tile_static`) and what stands between the accesses
of a thread. Accesses are atomic; in `-plain` they are not, in `-data` those of the first location are not. A launch
runs some thousand instances of a test beside threads that only disturb them; launches vary how instances are dealt to
threads and tiles, how far locations lie apart, and how long threads wait, also for each other.
`tilewise litmus --outcomes 'mp/**'` shows each outcome.
";

/// The text of the page.
pub(super) fn page(all: &[LitmusCounts], others: &[LitmusColumn]) -> String {
    let mut out = HEAD.to_owned();
    let host = host::host();
    let targets: BTreeSet<SuiteTarget> = all.iter().map(|counts| counts.target).collect();
    let names: Vec<&str> = targets.iter().map(|target| target.name()).collect();
    let gpu = gpu(all).map_or(String::new(), |gpu| format!("; the GPU is {gpu}"));
    let beside = if others.is_empty() { "" } else { "\nColumns behind them are of other machines." };
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "\nThe table is of {} on {} ({} {}){gpu}.\nA cell is the number of instances, and how many of the weak and of the \
         forbidden outcomes were seen.{beside}\n\n",
        names.join(" and "),
        host.cpu,
        host.os,
        host.architecture
    );
    let mut shapes_seen: Vec<&str> = Vec::new();
    let mut rows: BTreeMap<&str, Vec<&LitmusCounts>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for counts in all {
        let shape = shape_of(&counts.name);
        if !shapes_seen.contains(&shape) {
            shapes_seen.push(shape);
        }
        if !order.contains(&counts.name.as_str()) {
            order.push(&counts.name);
        }
        rows.entry(&counts.name).or_default().push(counts);
    }
    for shape in shapes_seen {
        let _ = write!(out, "## {shape}: {}\n\n| test | strong | weak | forbidden |", shapes::sentence(shape));
        let titles = names.iter().copied().chain(others.iter().map(|other| other.title.as_str()));
        titles.clone().for_each(|title| out += &format!(" {title} |"));
        out += "\n|---|---|---|---|";
        titles.for_each(|_| out += "---|");
        out += "\n";
        for name in order.iter().filter(|name| shape_of(name) == shape) {
            let counts = &rows[name];
            let all = [OutcomeClass::Strong, OutcomeClass::Weak, OutcomeClass::Forbidden].map(|c| counts[0].of(c).0);
            let _ = write!(out, "| `{name}` | {} | {} | {} |", all[0], all[1], all[2]);
            for target in &targets {
                let cell = counts.iter().find(|counts| counts.target == *target).map(|counts| cell(counts));
                let _ = write!(out, " {} |", cell.unwrap_or_default());
            }
            for other in others {
                let _ = write!(out, " {} |", other.cells.get(*name).map_or("", String::as_str));
            }
            out += "\n";
        }
        out += "\n";
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// The shape of a test, without the kind of its accesses.
fn shape_of(name: &str) -> &str {
    let shape = name.split('/').next().unwrap_or(name);
    shape.strip_suffix("-plain").or(shape.strip_suffix("-data")).unwrap_or(shape)
}

fn cell(counts: &LitmusCounts) -> String {
    if counts.is_not_run {
        return "not run".to_owned();
    }
    let [weak, forbidden] = [OutcomeClass::Weak, OutcomeClass::Forbidden].map(|class| counts.of(class).1);
    cell_text(counts.instances, weak, forbidden, counts.is_wrong())
}
