//! Watching a launch: every instruction that begins and every value that is computed, as it happens.
//!
//! For tests of analyses: what they claim of all threads can be held against what each thread did. A launch that nobody watches has no code for it.

use super::bind::bind;
use super::code::{Slot, WatchCode};
use super::compile::compile;
use super::meter::Meter;
use super::watch::Watch;
use super::{Options, Reuse, launch};
use crate::check::Checked;
use crate::kernel::{InstId, Kernel, LabelId, ValueId};
use crate::launch::{Argument, Domain, Memory, Outcome, Refusal, validate};

/// Something that a thread did. Instructions, values and labels are those of the inlined kernel's entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Linear index of the thread in the domain.
    pub thread: u64,
    /// What it did.
    pub what: Did,
}

/// What a thread did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Did {
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
        let lanes = |from: Slot, count: u32| {
            let mut lanes = [0; 4];
            lanes.iter_mut().zip(&frame[from as usize..][..count as usize]).for_each(|(to, from)| *to = *from);
            lanes
        };
        let what = match code {
            WatchCode::Begins(inst) => Did::Begin(inst),
            WatchCode::Value(value, slot, count) => Did::Value(value, lanes(slot, count)),
            WatchCode::Loop(label) => Did::Loop(label),
            WatchCode::Round(label) => Did::Round(label),
        };
        Event { thread, what }
    }
}

/// Tells somebody of all that is done.
struct Teller<'a>(&'a mut dyn FnMut(Event));

impl Watch for Teller<'_> {
    fn did(&mut self, thread: u64, what: WatchCode, frame: &[u64]) {
        (self.0)(Event::new(thread, what, frame));
    }
}

/// Runs a kernel as [`run`](super::run) does, without checks, and tells `observer` of everything that threads do.
pub fn observe(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    memory: &mut Memory,
    arguments: &[Argument],
    options: &Options,
    observer: &mut dyn FnMut(Event),
) -> Result<Outcome, Refusal> {
    domain.check(kernel)?;
    validate(kernel, arguments, |allocation| memory.facts(allocation))?;
    let kernel = kernel.inlined();
    let bound = bind(kernel, domain, memory.allocations.len(), arguments);
    let code = compile(kernel, bound.plan, Reuse::Yes, true)?;
    Ok(launch(&code, memory.lend(), bound.spaces, options.order, Meter::new(options.fuel, None), Teller(observer)).0)
}
