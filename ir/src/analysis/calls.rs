//! The call graph: an order with callees before callers, or the cycles that prevent such an order;
//! and a kernel's size and depth after inlining, counted without building it.
//!
//! Numbers saturate: a call tree may contain more instructions than a `u64` can count.

use crate::kernel::{Block, Function, FunctionId, InstClass, InstKind, Kernel};
use crate::pos::Pos;

/// A call: its callee and its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// The function called.
    pub callee: FunctionId,
    /// Position of the call.
    pub pos: Pos,
}

/// The calls of a kernel.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// Functions reachable from the entry, callees before callers. Excludes those on a cycle and
    /// those that reach one.
    order: Vec<FunctionId>,
    /// For each function, whether the entry reaches it.
    reached: Vec<bool>,
    /// Cycles of calls: each site's callee contains the next site, and the last callee contains the
    /// first site. At most [`MAX_CYCLES`].
    cycles: Vec<Vec<CallSite>>,
    /// Number of instructions after inlining, of each function and, last, of the entry. One with very many
    /// operands counts as several.
    size: Vec<u64>,
    /// Nesting depth of the deepest instruction after inlining, in the same order; a call counts as
    /// one level.
    depth: Vec<u64>,
    /// For each function, whether it may end the thread, itself or through a call.
    stops: Vec<bool>,
}

/// Limit on the cycles kept. There may be as many cycles as calls, each as long as the number of
/// functions.
const MAX_CYCLES: usize = 20;

/// An instruction counts once more for each so many operands, steps of places and values of cases.
const PARTS_OF_INSTRUCTION: usize = 8;

/// So many bytes of a message count as one operand.
const BYTES_OF_PART: usize = 16;

/// State of a function in the search.
#[derive(Clone, Copy, PartialEq)]
enum SearchMark {
    New,
    Open,
    Done,
}

impl CallGraph {
    /// Builds the call graph. Searches functions that the entry does not reach for cycles too.
    pub fn of(kernel: &Kernel) -> CallGraph {
        let n = kernel.functions.len();
        let sites: Vec<Vec<CallSite>> = kernel.functions.iter().chain([&kernel.entry]).map(|f| sites(f, n)).collect();
        let mut calls = CallGraph {
            order: Vec::new(),
            reached: vec![false; n],
            cycles: Vec::new(),
            size: vec![0; n + 1],
            depth: vec![0; n + 1],
            stops: stopping(kernel, &sites),
        };
        let mut marks = vec![SearchMark::New; n + 1];
        calls.search(kernel, n, &sites, &mut marks);
        for (reached, mark) in calls.reached.iter_mut().zip(&marks) {
            *reached = *mark == SearchMark::Done;
        }
        calls.order.retain(|id| id.index() < n);
        let reached_order = calls.order.len();
        for start in 0..n {
            calls.search(kernel, start, &sites, &mut marks);
        }
        calls.order.truncate(reached_order);
        calls
    }

    /// Functions reachable from the entry, callees before callers.
    pub fn order(&self) -> &[FunctionId] {
        &self.order
    }

    /// Whether the entry reaches the function.
    pub fn reaches(&self, id: FunctionId) -> bool {
        self.reached.get(id.index()).copied().unwrap_or(false)
    }

    /// Cycles found: at least one if any exists, at most a fixed number.
    pub fn cycles(&self) -> &[Vec<CallSite>] {
        &self.cycles
    }

    /// Upper bound on the kernel's instructions after inlining; one with very many operands counts as
    /// several. Meaningless if there are cycles.
    pub fn size(&self) -> u64 {
        self.size.last().copied().unwrap_or(0)
    }

    /// Upper bound on the nesting depth of instructions after inlining; each call counts as one
    /// level.
    pub fn depth(&self) -> u64 {
        self.depth.last().copied().unwrap_or(0)
    }

    /// Whether the function may end the thread, by an `abort` or `error` in it or in a function
    /// that it calls.
    pub fn stops(&self, id: FunctionId) -> bool {
        self.stops.get(id.index()).copied().unwrap_or(false)
    }

    /// Depth-first search without recursion: a chain of calls may be as long as the kernel.
    fn search(&mut self, kernel: &Kernel, start: usize, sites: &[Vec<CallSite>], marks: &mut [SearchMark]) {
        if marks[start] != SearchMark::New {
            return;
        }
        marks[start] = SearchMark::Open;
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            let Some(site) = sites[at].get(*next) else {
                path.pop();
                marks[at] = SearchMark::Done;
                self.order.push(FunctionId(at as u32));
                let function = kernel.functions.get(at).unwrap_or(&kernel.entry);
                let (size, depth) = self.measure(&function.body);
                (self.size[at], self.depth[at]) = (size, depth);
                continue;
            };
            *next += 1;
            let callee = site.callee.index();
            match marks[callee] {
                SearchMark::New => {
                    marks[callee] = SearchMark::Open;
                    path.push((callee, 0));
                }
                SearchMark::Open if self.cycles.len() < MAX_CYCLES => {
                    let from = path.iter().position(|(f, _)| *f == callee).unwrap_or(0);
                    self.cycles.push(path[from..].iter().map(|(f, next)| sites[*f][next - 1]).collect());
                }
                SearchMark::Open | SearchMark::Done => {}
            }
        }
    }

    fn measure(&self, block: &Block) -> (u64, u64) {
        let (mut size, mut depth) = (0u64, 0u64);
        for inst in &block.insts {
            size = size.saturating_add(weight(&inst.kind));
            if let InstKind::Call { function, .. } = &inst.kind {
                size = size.saturating_add(self.size.get(function.index()).copied().unwrap_or(0));
                depth = depth.max(self.depth.get(function.index()).copied().unwrap_or(0).saturating_add(1));
            }
            inst.kind.blocks(&mut |inner| {
                let (s, d) = self.measure(inner);
                size = size.saturating_add(s);
                depth = depth.max(d.saturating_add(1));
            });
        }
        (size, depth)
    }
}

/// The number of instructions that this one counts as: more than one if it has very many operands, since
/// each copy of it takes their memory and time.
pub(crate) fn weight(kind: &InstKind) -> u64 {
    let mut parts = 0;
    kind.operands(&mut |_| parts += 1);
    kind.places(&mut |place| parts += place.path.len());
    if let InstKind::Switch { cases, .. } = kind {
        parts += cases.iter().map(|case| 1 + case.values.len()).sum::<usize>();
    }
    if let InstKind::Print(message) | InstKind::Error(message) = kind {
        parts += message.pieces.iter().map(|piece| piece.len() / BYTES_OF_PART).sum::<usize>();
    }
    1 + (parts / PARTS_OF_INSTRUCTION) as u64
}

/// For each function, whether it may end the thread; propagates from callees to callers.
fn stopping(kernel: &Kernel, sites: &[Vec<CallSite>]) -> Vec<bool> {
    let n = kernel.functions.len();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (caller, sites) in sites.iter().enumerate().take(n) {
        sites.iter().for_each(|site| callers[site.callee.index()].push(caller));
    }
    let mut stops = vec![false; n];
    let mut found: Vec<usize> = Vec::new();
    for (i, function) in kernel.functions.iter().enumerate() {
        function.body.walk(&mut |inst| stops[i] |= inst.kind.class() == InstClass::Stop);
        found.extend(stops[i].then_some(i));
    }
    while let Some(function) = found.pop() {
        for &caller in &callers[function] {
            if !std::mem::replace(&mut stops[caller], true) {
                found.push(caller);
            }
        }
    }
    stops
}

/// The calls in a function, in text order, to functions that exist.
fn sites(function: &Function, functions: usize) -> Vec<CallSite> {
    let mut sites = Vec::new();
    function.body.walk(&mut |inst| {
        if let InstKind::Call { function, .. } = &inst.kind
            && function.index() < functions
        {
            sites.push(CallSite { callee: *function, pos: inst.pos });
        }
    });
    sites
}
