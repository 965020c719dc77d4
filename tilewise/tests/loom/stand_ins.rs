//! What the library's files call, in the checker: hooks that count, and workers that are the checker's threads.
//!
//! All threads of a model are one of the system, so its variables are the model's; those of a model's threads are the checker's.

pub(crate) mod error {
    //! Errors that nobody asked for.
    use std::cell::Cell;

    use tilewise::Error;

    thread_local! {
        pub(crate) static UNASKED: Cell<u32> = const { Cell::new(0) };
    }

    pub(crate) fn nobody_asked(_: &Error) {
        UNASKED.set(UNASKED.get() + 1);
    }
}

pub(crate) mod hook {
    //! Whether a thread is in a hook.
    use std::cell::Cell;

    loom::thread_local! {
        pub(crate) static DEPTH: Cell<u32> = Cell::new(0);
    }

    pub(crate) fn inside() -> bool {
        DEPTH.with(|depth| depth.get() > 0)
    }

    pub(crate) fn is_nested() -> bool {
        DEPTH.with(|depth| depth.get() > 1)
    }
}

pub(crate) mod printed {
    //! Lines, and what the hook does that is told one.
    use std::cell::RefCell;
    use std::rc::Rc;

    use tilewise_ir::launch::Printed;

    type Hook = Rc<dyn Fn(&str)>;

    thread_local! {
        pub(crate) static HOOK: RefCell<Option<Hook>> = const { RefCell::new(None) };
    }

    pub(crate) fn deliver(lines: &[Printed], _: u64) {
        let hook = HOOK.with_borrow(Option::clone);
        super::hook::DEPTH.with(|depth| depth.set(depth.get() + 1));
        for line in lines {
            loom::thread::yield_now();
            hook.iter().for_each(|hook| hook(&line.text));
        }
        super::hook::DEPTH.with(|depth| depth.set(depth.get() - 1));
    }
}

pub(crate) mod workers {
    //! A thread for each piece of work.
    pub(crate) fn run(work: Box<dyn FnOnce() + Send>) {
        loom::thread::spawn(work);
    }
}
