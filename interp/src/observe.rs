//! Watching a launch: every instruction that begins and every value that is computed, as it happens.
//!
//! For tests of analyses: what they claim of all threads can be held against what each thread did. A launch that nobody watches has no code for it.

use super::bind::bind;
use super::code::{FrameSlot, WatchCode};
use super::compile::compile;
use super::meter::Meter;
use super::watch::LaunchWatch;
use super::{Options, Reuse, launch};
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{InstId, Kernel, LabelId, ValueId};
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, Outcome, Refusal, validate};

/// Something that a thread did. Instructions, values and labels are those of the inlined kernel's entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Linear index of the thread in the domain.
    pub thread: u64,
    /// What it did.
    pub what: ObservedAct,
}

/// What a thread did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObservedAct {
    /// It began the instruction.
    Begin(InstId),
    /// It computed a scalar or vector: the bits of the components, those beyond the width zero.
    Value(ValueId, [u64; 4]),
    /// It came to a loop.
    Loop(LabelId),
    /// It began a round, or the look at the condition that ends the loop.
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

/// Tells somebody of all that is done.
struct ObservingWatch<'a>(&'a mut dyn FnMut(Event));

impl LaunchWatch for ObservingWatch<'_> {
    fn did(&mut self, thread: u64, what: WatchCode, frame: &[u64]) {
        (self.0)(Event::new(thread, what, frame));
    }
}

/// Runs a kernel as [`run`](super::run) does, without checks, and tells `observer` of everything that threads do.
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
    let code = compile(kernel, bound.plan, Reuse::Yes, true)?;
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
