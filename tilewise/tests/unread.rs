//! A program whose standard error nobody reads goes on: what the library has to say is lost, and nothing else. The program is started again, as its own standard error is somebody's.

use std::process::{Command, Stdio};

use tilewise::prelude::*;
use tilewise::{Completion, Error};

/// What is said when nobody has set a hook.
#[test]
fn an_error_that_nobody_asks_for_is_dropped() {
    let failed = Completion::ready(()).then(|()| Err::<(), _>(Error::OutOfMemory(5)));
    failed.wait();
    drop(failed);
}

/// What is said of a kernel that is interpreted.
#[test]
fn a_kernel_is_launched() {
    let view = ArrayView::from_vec(4, vec![1; 4]).unwrap();
    let jit = Accelerator::new(Accelerator::JIT).unwrap().default_view();
    parallel_for_each!((&jit, view.extent()), |i| view[i] += i[0]).unwrap();
    assert_eq!(view.to_vec().unwrap(), [1, 2, 3, 4]);
}

/// Runs a test of this file; says whether it passed, and what it said on standard error if that is read.
fn again(test: &str, is_read: bool) -> (bool, String) {
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args(["--exact", test, "--nocapture"]).env("TILEWISE_FALLBACK", "always");
    let mut child = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    if !is_read {
        drop(child.stderr.take());
    }
    let output = child.wait_with_output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn nobody_reads_what_is_said() {
    let tests = [
        ("an_error_that_nobody_asks_for_is_dropped", "tilewise: out of memory"),
        ("a_kernel_is_launched", "is interpreted, as TILEWISE_FALLBACK is `always`"),
    ];
    for (test, says) in tests {
        let (passed, said) = again(test, true);
        assert!(passed && said.contains(says), "{test}: {said}");
        assert!(again(test, false).0, "{test}, unread");
    }
}
