//! Code that runs faster, compiled behind the launches that need some at once.
//!
//! A kernel's first code is there soon, as its registers are dealt out the quick way. When a launch has run some of it, the specialisation asks once for better code, which one thread of the
//! process compiles for all, one after another. Whoever begins another chunk takes the best that there is ([`ReadyCode::code`](super::prepared::ReadyCode::code)): both are made of the same
//! program, so they take the same words and the same memory, and do the same. A large kernel whose registers would suffice for more lanes begins with fewer; the program with more
//! takes other words, so it is for launches that begin when it is there ([`Which`](super::prepared::Which)).
//!
//! The thread holds nothing alive: what nobody has a handle to any more when its turn comes is not compiled.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, OnceLock, PoisonError, Weak};
use std::thread;

use super::prepared::Specialised;
use crate::emit::{self, MachineCode};
use crate::lanes::LaneProgram;

/// The faster code of a program, once it is there.
pub(super) struct Better {
    /// Until it is compiled.
    program: Mutex<Option<LaneProgram>>,
    /// Nothing if the program cannot be compiled so: what there was first goes on serving.
    code: OnceLock<Option<MachineCode>>,
    asked: AtomicBool,
}

impl Better {
    /// Of this program.
    pub(super) fn new(program: LaneProgram) -> Better {
        Better { program: Mutex::new(Some(program)), code: OnceLock::new(), asked: AtomicBool::new(false) }
    }

    /// The code, if it is there.
    pub(super) fn get(&self) -> Option<&MachineCode> {
        self.code.get()?.as_ref()
    }

    /// Is it missing, and is this the first time that somebody asks? Then that one sees to it.
    pub(super) fn is_wanted(&self) -> bool {
        !self.asked.load(Ordering::Relaxed) && !self.asked.swap(true, Ordering::Relaxed) && self.code.get().is_none()
    }

    /// Compiles it, or waits for whoever does; says whether it was done here.
    pub(super) fn make(&self) -> bool {
        let mut made = false;
        self.code.get_or_init(|| {
            made = true;
            let program = self.program.lock().unwrap_or_else(PoisonError::into_inner).take()?;
            emit::compile(&program, &emit::EmitOptions::default()).ok()
        });
        made
    }
}

/// Has the faster code of a specialisation compiled, soon. Without a thread there will be none.
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
    for specialised in queue {
        if let Some(specialised) = specialised.upgrade() {
            specialised.make_better();
        }
    }
}
