//! Observes a launch: reports every instruction that begins and every value that is computed, as
//! events.
//!
//! Tests of analyses use it to compare claims about all threads with the actual execution of each
//! thread. A launch without an observer has no code for it.

use super::bind::bind;
use super::code::{FrameSlot, WatchCode};
use super::compile::{Watched, compile};
use super::meter::Meter;
use super::watch::LaunchWatch;
use super::{Options, Reuse, launch};
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{InstId, Kernel, LabelId, ValueId};
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, Outcome, Refusal, validate};

/// An event in a thread. Instructions, values and labels are those of the inlined kernel's entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Linear index of the thread in the domain.
    pub thread: u64,
    /// The kind of event.
    pub what: ObservedAct,
}

/// The kinds of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObservedAct {
    /// The instruction begins.
    Begin(InstId),
    /// A scalar or vector was computed: the bits of its components, zero beyond its width.
    Value(ValueId, [u64; 4]),
    /// A loop begins.
    Loop(LabelId),
    /// An iteration begins, or the evaluation of the condition that ends the loop.
    Round(LabelId),
}

impl Event {
    pub(super) fn new(thread: u64, code: WatchCode, frame: &[u64]) -> Event {
        let lanes = |from: FrameSlot, count: u32| {
            let mut lanes = [0; 4];
            lanes.iter_mut().zip(&frame[from as usize..][..count as usize]).for_each(|(to, from)| *to = *from);
            lanes
        };
        let what = match code {
            WatchCode::Begins(inst) => ObservedAct::Begin(inst),
            WatchCode::Value(value, slot, count) => ObservedAct::Value(value, lanes(slot, count)),
            WatchCode::Loop(label) => ObservedAct::Loop(label),
            WatchCode::Round(label) => ObservedAct::Round(label),
        };
        Event { thread, what }
    }
}

/// Forwards all events to a callback.
struct ObservingWatch<'a>(&'a mut dyn FnMut(Event));

impl LaunchWatch for ObservingWatch<'_> {
    fn did(&mut self, thread: u64, what: WatchCode, frame: &[u64]) {
        (self.0)(Event::new(thread, what, frame));
    }
}

/// Runs a kernel like [`run`](super::run), without checks, and calls `observer` for every event in
/// every thread.
pub fn observe(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    memory: &mut LaunchMemory,
    arguments: &[Argument],
    options: &Options,
    observer: &mut dyn FnMut(Event),
) -> Result<Outcome, Refusal> {
    domain.check(kernel)?;
    validate(kernel, arguments, |allocation| memory.facts(allocation))?;
    let kernel = kernel.inlined();
    let bound = bind(kernel, domain, memory.allocations.len(), arguments);
    let code = compile(kernel, bound.plan, Reuse::Yes, Watched::Events)?;
    Ok(launch(
        &code,
        memory.lend(),
        bound.spaces,
        options.order,
        Meter::new(options.fuel, None),
        ObservingWatch(observer),
    )
    .0)
}
