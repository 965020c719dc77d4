//! Launches from the last places in which a program can run code: a destructor while the thread unwinds, the destructor of a thread's variable, a handler of `atexit`. Each is the first
//! launch of its process, so this program is started again for each accelerator; afterwards another thread launches as ever.
#![allow(unsafe_code, reason = "registers a handler with `atexit`, for which Rust has no safe function")]
#![allow(clippy::print_stderr, reason = "the process that started this one reads it")]

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use tilewise::prelude::*;

/// Which accelerator a process launches on.
const ACCELERATOR: &str = "TEARDOWN_ACCELERATOR";
/// Those whose launches are tried here.
const ACCELERATORS: [&str; 3] = [Accelerator::JIT, Accelerator::REFERENCE, Accelerator::NATIVE];

/// Launches a kernel without tiles and one with barriers, and compares what they write.
fn launch(note: &str) {
    let path = std::env::var(ACCELERATOR).unwrap_or_else(|_| Accelerator::JIT.to_owned());
    let queue = Accelerator::new(&path).expect("it is always there").default_view();
    let plain = ArrayView::from_vec(40, (0..40).collect::<Vec<i32>>()).expect("40 elements");
    parallel_for_each!((&queue, plain.extent()), |i| {
        plain[i] = plain[i] * 3 + 1;
    })
    .expect("the kernel without tiles runs");
    let result = plain.to_vec().expect("the view is at home");
    assert_eq!(result, (0..40).map(|n| n * 3 + 1).collect::<Vec<i32>>(), "{note}");
    let tiled = ArrayView::from_vec(32, (0..32).collect::<Vec<i32>>()).expect("32 elements");
    parallel_for_each!((&queue, tiled.extent().tile::<8>()), |t| {
        #[tile_static]
        let turned: [i32; 8];
        let local = t.local[0] as usize;
        turned[local] = tiled[t.global];
        t.barrier.wait();
        tiled[t.global] = turned[7 - local];
    })
    .expect("the kernel with tiles runs");
    let result = tiled.to_vec().expect("the view is at home");
    assert_eq!(result, (0..32).map(|n| n / 8 * 8 + 7 - n % 8).collect::<Vec<i32>>(), "{note}");
    // Enough for several threads, where there are some.
    let count = if path == Accelerator::JIT { 1 << 20 } else { 1000 };
    let many = ArrayView::from_vec(count, vec![1; count as usize]).expect("there is memory");
    for _ in 0..3 {
        parallel_for_each!((&queue, many.extent()), |i| {
            let mut sum = many[i];
            for k in 0..20 {
                sum = (sum * 3 + k) % 1000;
            }
            many[i] = sum;
        })
        .expect("the large launch runs");
    }
    let expected = (0..60).fold(1_i32, |sum, k| (sum * 3 + k % 20) % 1000);
    assert!(many.to_vec().expect("the view is at home").iter().all(|&n| n == expected), "{note}");
    eprintln!("launched {note}");
}

/// Launches when it is dropped.
struct LaunchOnDrop(&'static str);

impl Drop for LaunchOnDrop {
    fn drop(&mut self) {
        launch(self.0);
    }
}

fn launch_elsewhere() {
    thread::spawn(|| launch("on another thread")).join().expect("the launch succeeds");
}

#[test]
fn while_unwinding() {
    let unwound = catch_unwind(|| {
        let _launch = LaunchOnDrop("while unwinding");
        panic!("as the test wants");
    });
    assert!(unwound.is_err());
    launch("after unwinding");
    launch_elsewhere();
}

#[test]
fn arrays_on_a_thread_with_a_small_stack() {
    let allocate = || Array::<i32>::new(4).expect("there is room").to_vec().expect("it is there");
    let thread = thread::Builder::new().stack_size(40 << 10).spawn(allocate).expect("a thread");
    assert_eq!(thread.join().expect("it ends"), [0; 4]);
}

/// A launch with a time limit that does not end by itself.
struct EndlessOnDrop;

impl Drop for EndlessOnDrop {
    fn drop(&mut self) {
        for accelerator in ["native", "jit", "reference"].map(|path| Accelerator::new(path).expect("it is there")) {
            let limited = accelerator.view_builder().time_limit(Some(Duration::from_millis(100)));
            let limited = limited.create().expect("a plain queue");
            let view = ArrayView::from_vec(1, vec![0]).expect("there is room");
            let ended = parallel_for_each!(&limited, view.extent(), |i| {
                while view[i] == 0 {
                    view[i] *= 2;
                }
            });
            let error = ended.expect_err("it has no end").to_string();
            assert!(error.contains("100ms"), "{error}");
        }
    }
}

#[test]
fn a_time_limit_holds_while_unwinding() {
    let unwound = catch_unwind(|| {
        let _launch = EndlessOnDrop;
        panic!("as the test wants");
    });
    assert_eq!(unwound.unwrap_err().downcast_ref(), Some(&"as the test wants"));
}

thread_local! {
    static LAST: RefCell<Option<LaunchOnDrop>> = const { RefCell::new(None) };
}

#[test]
fn in_a_destructor_of_a_thread() {
    let ends = thread::spawn(|| LAST.set(Some(LaunchOnDrop("first, in a destructor of a thread"))));
    ends.join().expect("the launch succeeds");
    // The library's own variables are dropped before one that was there first, and after one that came later.
    let before = || {
        LAST.set(Some(LaunchOnDrop("behind the library's variables")));
        launch("on a thread that ends");
    };
    thread::spawn(before).join().expect("the launch succeeds");
    let after = || {
        launch("on a thread that ends");
        LAST.set(Some(LaunchOnDrop("before the library's variables")));
    };
    thread::spawn(after).join().expect("the launch succeeds");
    launch_elsewhere();
}

#[test]
fn in_a_destructor_of_a_thread_that_unwinds() {
    let unwinds = || {
        LAST.set(Some(LaunchOnDrop("behind a thread that unwound")));
        let _launch = LaunchOnDrop("on a thread that unwinds");
        panic!("as the test wants");
    };
    assert!(thread::spawn(unwinds).join().is_err());
    launch_elsewhere();
}

/// What the closure of a kernel does when it is dropped, or panics, is the program's affair too.
#[test]
fn in_a_hook_while_unwinding() {
    static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    tilewise::set_print_hook(|line| {
        launch("in a hook");
        HEARD.lock().expect("nothing panics").push(line.to_owned());
    });
    struct PrintOnDrop;
    impl Drop for PrintOnDrop {
        fn drop(&mut self) {
            let path = std::env::var(ACCELERATOR).unwrap_or_else(|_| Accelerator::JIT.to_owned());
            let queue = Accelerator::new(&path).expect("it is always there").default_view();
            parallel_for_each!((&queue, Extent([2])), |i| print!("thread {}", i[0])).expect("it runs");
        }
    }
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        let _print = PrintOnDrop;
        panic!("as the test wants");
    }));
    assert!(unwound.is_err());
    assert_eq!(*HEARD.lock().expect("nothing panics"), ["thread 0", "thread 1"]);
    launch_elsewhere();
}

unsafe extern "C" {
    /// From the C library: calls a function when the process exits.
    fn atexit(handler: extern "C" fn()) -> std::ffi::c_int;
}

extern "C" fn launch_at_exit() {
    // A panic would abort the process.
    launch("at exit");
    launch_elsewhere();
    eprintln!("exit is reached");
}

#[test]
fn at_exit() {
    // SAFETY: the function is that of the C library, which Rust programs are linked with; the handler may be called at any time, and does not unwind, as it is `extern "C"`.
    let registered = unsafe { atexit(launch_at_exit) };
    assert_eq!(registered, 0);
}

/// On the thread that calls `exit`, whose variables are gone when handlers are called.
#[test]
fn at_exit_of_a_thread_with_variables() {
    let exits = || {
        // SAFETY: as above.
        let registered = unsafe { atexit(launch_at_exit) };
        assert_eq!(registered, 0);
        if std::env::var_os(ACCELERATOR).is_some() {
            launch("on the thread that exits");
            LAST.set(Some(LaunchOnDrop("in its destructor")));
            std::process::exit(0);
        }
    };
    thread::spawn(exits).join().expect("only a child exits");
}

/// Nor is a large stack needed.
#[test]
fn on_a_thread_with_a_small_stack() {
    let thread = thread::Builder::new().stack_size(64 << 10).spawn(|| launch("on a small stack"));
    thread.expect("the system gives a thread").join().expect("the launch succeeds");
    launch_elsewhere();
}

/// Runs one of the tests above in a process of its own; gives what it says on standard error.
fn again(test: &str, accelerator: &str) -> String {
    let mut program = Command::new(std::env::current_exe().expect("a test knows its path"));
    let output = program
        .args(["--exact", test, "--nocapture"])
        .env(ACCELERATOR, accelerator)
        .env("RUST_BACKTRACE", "0")
        .output();
    let output = output.expect("the program starts again");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{test} on {accelerator}: {}\n{said}", output.status);
    said
}

/// Says whether that happened on all accelerators.
fn everywhere(test: &str, notes: &[&str]) {
    let launched = Cell::new(0);
    for accelerator in ACCELERATORS {
        let said = again(test, accelerator);
        for note in notes {
            assert!(said.contains(note), "{test} on {accelerator}: no `{note}` in\n{said}");
            launched.set(launched.get() + 1);
        }
    }
    assert_eq!(launched.get(), notes.len() * ACCELERATORS.len());
}

#[test]
fn the_first_launch_may_be_in_a_destructor_while_the_thread_unwinds() {
    everywhere(
        "while_unwinding",
        &["launched while unwinding", "launched after unwinding", "launched on another thread"],
    );
    everywhere("in_a_hook_while_unwinding", &["launched in a hook", "launched on another thread"]);
}

#[test]
fn a_launch_may_be_in_a_destructor_of_a_thread_variable() {
    let notes = [
        "launched first, in a destructor of a thread",
        "launched behind the library's variables",
        "launched before the library's variables",
        "launched on another thread",
    ];
    everywhere("in_a_destructor_of_a_thread", &notes);
    let notes = ["launched on a thread that unwinds", "launched behind a thread that unwound"];
    everywhere("in_a_destructor_of_a_thread_that_unwinds", &notes);
}

#[test]
fn the_first_launch_may_be_on_a_thread_with_a_small_stack() {
    everywhere("on_a_thread_with_a_small_stack", &["launched on a small stack", "launched on another thread"]);
}

#[test]
fn a_launch_may_be_in_a_handler_of_atexit() {
    let notes = ["launched at exit", "launched on another thread", "exit is reached"];
    everywhere("at_exit", &notes);
    let notes = ["launched on the thread that exits", "launched at exit", "exit is reached"];
    everywhere("at_exit_of_a_thread_with_variables", &notes);
}
