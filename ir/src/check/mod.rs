//! Checks kernels: decides whether a kernel may run, and reports every rule that it breaks.
//!
//! A kernel that passes is a [`Checked`] one, and targets accept no other: a target may assume
//! every rule listed here. The checker finds all breaches at once; it reports a value in error
//! where it arises, and not again where it is used.
//!
//! | module | purpose |
//! |---|---|
//! | `tree` | well-formedness of the tree |
//! | `types`, `agree` | types of operands; types that must agree across blocks and functions |
//! | `places`, `spaces` | places and access to them |
//! | `layout` | memory types |
//! | `control`, `values`, `assigned` | control flow; constant values; definite assignment |
//! | `barriers` | barriers in uniform control flow |
//! | `limits` | limits |
//! | `body`, `wording` | shared by all: lookup of definitions; names in messages |
//!
//! # The rules
//! Each has a paragraph and an example in `docs/errors.md`.
//!
//! **Types** (`types`, `agree`): `K0100` no value is in error (covers errors that no other rule
//! explains). `K0101` operands fit the operation's row. `K0102` conditions are `bool`. `K0103`
//! indices are `i32` or `u32`; origins, extents and projections of views `i32`. `K0104` as many
//! indices as dimensions. `K0105` vectors are made of 2 to 4 scalars of one type, and their
//! components are within their width. `K0106` no view where a number is needed, nor the reverse.
//! `K0107` a stored value has its place's type. `K0108` `K0109` arguments fit parameters in number,
//! type, kind and access. `K0110` returned values fit. `K0111` `K0112` the arms of an `if`, the end
//! of a scope and its `break`s have values of one type. `K0113` messages have a value for each
//! `{}`. `K0114` `K0115` selectors and cases. `K0116` `project` needs rank 2, `reinterpret` and
//! `view_as` rank 1. `K0117` operands of atomics. `K0118` `array_length`.
//!
//! **Places and access** (`places`, `layout`, `spaces`): `K0201` nothing read-only is written.
//! `K0202` each step of a place fits. `K0203` `copy` is between equal types. `K0204` and between
//! aggregates, while loads and stores are of scalars and vectors. `K0205` no `bool` where the host
//! has access. `K0206` runtime-sized arrays only as or at the end of a buffer. `K0207` atomics only
//! on views, buffers and `tile_static`. `K0208` and only on scalars that have them. `K0209` no
//! tile, no `tile_static`, no barrier in an untiled kernel. `K0210` locals are used in their block,
//! after they are declared (`tree`).
//!
//! **Control flow** (`control`, `tree`): `K0301` a function with a result always returns one.
//! `K0302` no unreachable code. `K0303` no loop without an exit. `K0304` no recursion. `K0305`
//! `break` and `continue` are inside the construct that they name. `K0306` the tree is well formed:
//! each value has one definition and is used in its block after it.
//!
//! **Values** (`values`, `assigned`): `K0401` no integer division by a constant zero. `K0402`
//! constant indices are in range. `K0403` dimensions are below the rank. `K0404` a scalar or vector
//! is written before it is read, on every path.
//!
//! **Barriers** (`barriers`): `K0501` no barrier that threads of one tile do not reach together
//! because of their indices, `K0502` or because some have left; only what is proved
//! ([`analysis::divergence_proof`]) is an error. A warning, `K0503`: a barrier that is not shown to
//! be reached together ([`analysis::uniformity`]); there the threads vote.
//!
//! **Limits** (`limits`, `layout`): `K0601` tiles. `K0602` ranks. `K0603` `K0604` bytes of a tile
//! and of a thread. `K0605` `K0606` instructions and nesting after inlining. `K0607` `K0608` types
//! have a size and their parts do not overlap. `K0609` tables. `K0610` parameters.
//!
//! # The phases
//! First the limits and types of the kernel; then each function as written; and, if there are no
//! errors, the rules that need all calls inlined: the memory that an atomic reaches through a
//! reference, variables written through references, barriers. Each phase may assume that the
//! earlier ones passed.

mod agree;
mod assigned;
mod barriers;
mod body;
mod control;
mod layout;
mod limits;
mod places;
mod spaces;
mod tree;
mod types;
mod values;
mod wording;

use std::fmt;
use std::ops::Deref;

use crate::analysis;
use crate::analysis::calls::CallGraph;
use crate::analysis::uniformity::Uniformity;
use crate::diag::{Code, Colour, Diagnostic, DiagnosticList, cut, render};
use crate::fault::{self, Fault};
use crate::inline::inline;
use crate::kernel::{Builtin, Function, InstClass, InstKind, Kernel};
use crate::pos::{Pos, Sources};
use crate::stack::with_levels;
use crate::text;
use body::Body;
use layout::TypeFacts;

/// A kernel that obeys every rule. Only [`check`] makes one.
#[derive(Clone, Debug)]
pub struct Checked<T> {
    kernel: T,
    inlined: Kernel,
    facts: analysis::facts::KernelFacts,
    written: Vec<bool>,
    atomic_sizes: Vec<u32>,
    warnings: Vec<Diagnostic>,
}

/// Can an instruction of this class show in which order tiles run?
const fn shows_order(class: InstClass) -> bool {
    match class {
        InstClass::Output | InstClass::Stop | InstClass::Atomic => true,
        InstClass::Synchronize
        | InstClass::Query
        | InstClass::Compute
        | InstClass::MakeView
        | InstClass::Read
        | InstClass::Write
        | InstClass::Declare
        | InstClass::Call
        | InstClass::Structured
        | InstClass::Jump => false,
    }
}

impl Checked<Kernel> {
    /// The kernel as written.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The same kernel without calls: see [`inline`].
    pub fn inlined(&self) -> &Kernel {
        &self.inlined
    }

    /// The same kernel as an untiled one, if no thread can see that it is tiled and it is faster by rows of the
    /// domain than by tiles. Only the order of threads that do not wait for each other is another. A launch has
    /// the same domain, a multiple of the tile.
    pub fn without_tiles(&self) -> Option<Checked<Kernel>> {
        let by_rows = with_levels(self.inlined.levels(), || {
            analysis::tile_independence::runs_by_rows(&self.inlined, &self.facts)
        });
        by_rows.then(|| {
            let untiled = |kernel: &Kernel| Kernel { tile: None, ..kernel.clone() };
            let (kernel, inlined) = (untiled(&self.kernel), untiled(&self.inlined));
            let facts = analysis::facts::KernelFacts::of(&inlined);
            let (written, atomic_sizes) = (self.written.clone(), self.atomic_sizes.clone());
            Checked { kernel, inlined, facts, written, atomic_sizes, warnings: Vec::new() }
        })
    }

    /// The same untiled kernel with the dimension before the last `by` as its last one, for a domain that is
    /// [turned](crate::launch::Domain::turned) likewise. Threads have another order, if the last `by`
    /// dimensions have more than one index: that nobody can see it, [`Checked::has_order`] tells.
    ///
    /// # Panics
    /// If the kernel is tiled, or has not so many dimensions.
    pub fn turned(&self, by: u32) -> Checked<Kernel> {
        let last = self.kernel.rank - 1;
        assert!(self.kernel.tile.is_none() && by <= last, "the dimensions of a tile are not turned");
        let long = last - by;
        let turn = |kernel: &Kernel| {
            let mut turned = kernel.clone();
            let functions = turned.functions.iter_mut().chain([&mut turned.entry]);
            functions.for_each(|function| {
                function.body.walk_mut(&mut |inst| {
                    if fault::planted(Fault::TurnedExtentKept)
                        && matches!(inst.kind, InstKind::Builtin(Builtin::DomainExtent(_)))
                    {
                        return;
                    }
                    if let InstKind::Builtin(Builtin::Global(d) | Builtin::DomainExtent(d)) = &mut inst.kind {
                        *d = match *d {
                            d if d < long => d,
                            d if d == long => last,
                            d => d - 1,
                        };
                    }
                });
            });
            turned
        };
        with_levels(self.inlined.levels(), || {
            let (kernel, inlined) = (turn(&self.kernel), turn(&self.inlined));
            let facts = analysis::facts::KernelFacts::of(&inlined);
            let (written, atomic_sizes) = (self.written.clone(), self.atomic_sizes.clone());
            Checked { kernel, inlined, facts, written, atomic_sizes, warnings: Vec::new() }
        })
    }

    /// Does an untiled kernel print, fail or have atomics, so that the order of threads may be seen?
    pub fn has_order(&self) -> bool {
        self.some(|class| class == InstClass::Synchronize || shows_order(class))
    }

    /// The same for the order of tiles, each of which runs to its end: its barriers show nothing to others.
    pub fn has_order_of_tiles(&self) -> bool {
        self.some(shows_order)
    }

    /// Is an instruction of such a class in it?
    fn some(&self, is: impl Fn(InstClass) -> bool) -> bool {
        let mut seen = false;
        self.inlined.entry().body().walk(&mut |inst| seen |= is(inst.kind.class()));
        seen
    }

    /// Reports that do not keep the kernel from running, in source order: barriers that may not be
    /// reached by all threads of a tile (`K0503`). Their sources are those of the kernel.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// For each parameter, whether the kernel may write through it: its type permits it, and some
    /// instruction does.
    pub fn written(&self) -> &[bool] {
        &self.written
    }

    /// For each parameter, the bytes of the largest scalar that the kernel changes through it
    /// atomically; 0 for none.
    pub fn atomic_sizes(&self) -> &[u32] {
        &self.atomic_sizes
    }

    /// The values and control flow that the threads of a tile agree on, in the inlined kernel.
    pub fn uniformity(&self) -> &Uniformity {
        self.facts.uniformity()
    }

    /// All facts about the inlined kernel: ranges, shapes, control flow.
    pub fn facts(&self) -> &analysis::facts::KernelFacts {
        &self.facts
    }
}

impl Deref for Checked<Kernel> {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.kernel
    }
}

/// The reports on a kernel that may not run: every rule that it breaks.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The reports in source order. If there are too many, only the first; the last one then gives
    /// the number of the others.
    pub diagnostics: Vec<Diagnostic>,
    /// The sources that they refer to.
    pub sources: Sources,
}

impl Rejected {
    /// The reports in the style of rustc.
    pub fn render(&self, colour: Colour) -> String {
        render(&self.diagnostics, &self.sources, colour)
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Colour::Never))
    }
}

impl std::error::Error for Rejected {}

/// Checks a kernel against all rules.
pub fn check(kernel: Kernel) -> Result<Checked<Kernel>, Rejected> {
    with_levels(kernel.levels(), || checked(kernel))
}

fn checked(kernel: Kernel) -> Result<Checked<Kernel>, Rejected> {
    // A built kernel has no source text, so its positions refer to its printed form.
    let built = kernel.sources.list.is_empty() && tree::all_exist(&kernel);
    let kernel = if built { text::with_positions(&kernel) } else { kernel };
    let mut reports = DiagnosticList::default();
    match judge(&kernel, &mut reports) {
        Some((inlined, facts, warnings)) if reports.is_empty() => {
            let (written, atomic_sizes) = (analysis::written::written(&inlined), analysis::written::atomic(&inlined));
            Ok(Checked { kernel, inlined, facts, written, atomic_sizes, warnings: in_order(warnings) })
        }
        _ => Err(Rejected { diagnostics: in_order(reports), sources: kernel.sources }),
    }
}

/// Runs all phases. Returns the inlined kernel, its facts and the warnings if the last phase ran.
fn judge(
    kernel: &Kernel,
    reports: &mut DiagnosticList,
) -> Option<(Kernel, analysis::facts::KernelFacts, DiagnosticList)> {
    let facts = TypeFacts::of(&kernel.types);
    limits::shape(kernel, &facts, reports);
    layout::check(kernel, &facts, reports);
    let calls = CallGraph::of(kernel);
    for function in kernel.functions.iter().chain([&kernel.entry]) {
        check_function(kernel, function, &facts, &calls, reports);
    }
    control::recursion(kernel, &calls, reports);
    if !reports.is_empty() {
        return None;
    }
    limits::growth(kernel, &calls, reports);
    if !reports.is_empty() {
        return None;
    }
    let inlined = inline(kernel);
    let mut body = Body::new(&inlined, &inlined.entry, &facts);
    spaces::check(&mut body);
    assigned::check(&mut body);
    limits::private(&mut body);
    let known = analysis::facts::KernelFacts::of(&inlined);
    let warnings = barriers::check(&mut body, known.uniformity());
    reports.append(body.reports);
    Some((inlined, known, warnings))
}

fn check_function(
    kernel: &Kernel,
    function: &Function,
    facts: &TypeFacts,
    calls: &CallGraph,
    reports: &mut DiagnosticList,
) {
    let mut body = Body::new(kernel, function, facts);
    // The other families assume a well-formed tree.
    if tree::check(&mut body) {
        types::check(&mut body);
        places::check(&mut body);
        values::check(&mut body);
        control::check(&mut body, calls);
        // It does not depend on types; it only needs the scopes of variables to be correct.
        if !body.reports.has(Code::K0210) && !body.reports.has(Code::K0305) {
            assigned::check(&mut body);
        }
        if body.reports.is_empty() && reports.is_empty() {
            types::none_in_error(&mut body);
        }
    }
    reports.append(body.reports);
}

/// Sorts by position and removes duplicates: an error in a function recurs wherever the function
/// was inlined. Truncates a long list.
fn in_order(reports: DiagnosticList) -> Vec<Diagnostic> {
    let (mut reports, dropped) = reports.into_parts();
    let place = |report: &Diagnostic| report.pos().map(|pos: Pos| (pos.source, pos.line, pos.column));
    reports.sort_by_key(|report| (place(report), report.code));
    let same = |a: &Diagnostic, b: &Diagnostic| {
        place(a) == place(b) && (a.code, &a.message) == (b.code, &b.message) && (place(a).is_some() || a == b)
    };
    reports.dedup_by(|b, a| same(a, b));
    cut(&mut reports, dropped);
    reports
}

/// Shorthand for the families.
fn report(code: Code, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, message)
}
