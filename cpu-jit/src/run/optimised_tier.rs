//! The optimised tier: code compiled in the background while launches run baseline code.
//!
//! A kernel's first code is compiled with single-pass register allocation. When a launch has run
//! some of it, the specialisation requests optimised code once, which one thread of the process
//! compiles for all kernels, sequentially. A member that begins another chunk takes the best code
//! available ([`ReadyCode::code`](super::prepared::ReadyCode::code)): both are compiled from the
//! same program, so they take the same words and the same memory, and do the same. A large kernel
//! whose registers would suffice for more lanes begins with fewer; the wider program takes other
//! words, so it is for launches that begin after it is ready ([`Which`](super::prepared::Which)).
//!
//! The thread keeps nothing alive: a specialisation without handles when its turn comes is not
//! compiled.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, OnceLock, PoisonError, Weak};
use std::thread;

use tilewise_ir::stack::or_no_stack;

use super::heap;
use super::prepared::Specialised;
use crate::emit::{self, CodeForm, EmitOptions, MachineCode};
use crate::lanes::LaneProgram;

/// The optimised code of a program, once it is ready.
pub(super) struct Better {
    /// The program, until it is compiled.
    program: Mutex<Option<LaneProgram>>,
    /// The emitter of the baseline code.
    form: CodeForm,
    /// `None` if the program fails to compile: the baseline code remains in use.
    code: OnceLock<Option<MachineCode>>,
    asked: AtomicBool,
}

impl Better {
    /// Of this program, by the emitter of its baseline code.
    pub(super) fn new(program: LaneProgram, form: CodeForm) -> Better {
        Better { program: Mutex::new(Some(program)), form, code: OnceLock::new(), asked: AtomicBool::new(false) }
    }

    /// The code, if it is ready.
    pub(super) fn get(&self) -> Option<&MachineCode> {
        self.code.get()?.as_ref()
    }

    /// Is it missing, and is this the first request? Then the caller must have it compiled.
    pub(super) fn is_wanted(&self) -> bool {
        !self.asked.load(Ordering::Relaxed) && !self.asked.swap(true, Ordering::Relaxed) && self.code.get().is_none()
    }

    /// Compiles it, or waits for the thread that does; returns whether this call compiled it.
    pub(super) fn make(&self) -> bool {
        let mut made = false;
        self.code.get_or_init(|| {
            made = true;
            let program = self.program.lock().unwrap_or_else(PoisonError::into_inner).take()?;
            emit::compile(&program, &EmitOptions { form: self.form, ..EmitOptions::default() }).ok()
        });
        made
    }
}

/// Queues a specialisation for the background thread. If that thread cannot be started, there is no
/// optimised code.
pub(super) fn compile(specialised: Weak<Specialised>) {
    static QUEUE: OnceLock<Mutex<Sender<Weak<Specialised>>>> = OnceLock::new();
    let queue = QUEUE.get_or_init(|| {
        let (sender, receiver) = mpsc::channel();
        let started = thread::Builder::new().name("tilewise compile".into()).spawn(move || work(&receiver));
        drop(started);
        Mutex::new(sender)
    });
    let sent = queue.lock().unwrap_or_else(PoisonError::into_inner).send(specialised);
    drop(sent);
}

fn work(queue: &Receiver<Weak<Specialised>>) {
    heap::make_room();
    for specialised in queue {
        if let Some(specialised) = specialised.upgrade() {
            // Without room for a stack there is no optimised code.
            let _made = or_no_stack(|| specialised.make_better());
        }
    }
}
