//! Receives the messages of threads while compiled code runs: lines of output, and ends of threads.
#![allow(unsafe_code, reason = "answers calls of compiled code, which hands over pointers")]

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use tilewise_ir::kernel::Message;
use tilewise_ir::launch::OutputCollector;
use tilewise_ir::print;
use tilewise_ir::types::Data;

use super::watch::StopFlag;
use crate::emit::HostCalls;
use crate::lanes::{LaneProgram, MessageKind};

/// The messages of a launch so far.
#[derive(Debug, Default)]
pub(super) struct Told {
    output: Mutex<OutputCollector>,
    /// The first panic in a callback.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// The message listener of one call of compiled code.
pub(super) struct Ear<'a> {
    pub(super) told: &'a Told,
    pub(super) program: &'a LaneProgram,
    pub(super) stop: &'a Arc<StopFlag>,
}

impl Told {
    /// The collected output, after all threads have finished; or the panic, if there was one.
    pub(super) fn finish(&self) -> Result<OutputCollector, Box<dyn Any + Send>> {
        if let Some(panic) = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(panic);
        }
        Ok(std::mem::take(&mut *self.output.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Ear<'_> {
    /// The host for calls of compiled code, valid while this listener is not moved.
    pub(super) fn host(&self) -> HostCalls {
        HostCalls { stop: Arc::as_ptr(self.stop), state: (&raw const *self).cast_mut().cast(), tell }
    }

    fn hear(&self, message: u32, lanes: u64, thread: i64, words: *const u64) {
        let Some((pos, kind)) = self.program.messages.get(message as usize) else { return };
        let width = self.program.width;
        for lane in (0..width).filter(|lane| lanes >> lane & 1 != 0) {
            let word = |component: usize| {
                // SAFETY: compiled code passes a word for each lane of each component of the
                // message, valid until this returns.
                unsafe { words.add(component * width as usize + lane as usize).read() }
            };
            let thread = (thread as u64).wrapping_add(u64::from(lane));
            let output = || self.told.output.lock().unwrap_or_else(PoisonError::into_inner);
            match kind {
                MessageKind::Print(message, types) => {
                    let text = text(message, types, &word);
                    output().print(thread, text);
                }
                MessageKind::Error(message, types) => {
                    let text = text(message, types, &word);
                    output().fail(thread, Some(text), *pos);
                }
                MessageKind::Abort => output().fail(thread, None, *pos),
            }
        }
    }
}

/// The callback for compiled code.
unsafe extern "C" fn tell(state: *mut c_void, message: u32, lanes: u64, thread: i64, words: *const u64) {
    // SAFETY: `state` comes from `Ear::host`, and the listener outlives the call of compiled code
    // that this is part of.
    let ear = unsafe { &*state.cast::<Ear<'_>>() };
    // Nothing may unwind through compiled code.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| ear.hear(message, lanes, thread, words))) {
        ear.told.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
        ear.stop.store(1, Ordering::Relaxed);
    }
}

/// The text of a message for one lane, formatted like the interpreter's.
fn text(message: &Message, types: &[Data], word: &dyn Fn(usize) -> u64) -> String {
    let mut component = 0;
    let values = types.iter().map(|&data| {
        let mut lanes = [0; 4];
        for lane in &mut lanes[..usize::from(data.width).min(4)] {
            *lane = word(component);
            component += 1;
        }
        (data, lanes)
    });
    print::message(message, values)
}
