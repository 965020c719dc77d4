//! Test: the error of a launch is delivered once.

use crate::Error;
use crate::memory::pending::{LaunchEnd, Pending};

#[test]
fn an_error_is_given_once() {
    let pending =
        Pending::new(|| LaunchEnd { printed: (Vec::new(), 0), result: Err(Error::OutOfMemory(5)), is_lost: false });
    assert!(pending.is_open() && !pending.is_well());
    pending.know();
    assert!(pending.has_failed() && !pending.is_open() && !pending.is_well());
    pending.tell();
    assert!(pending.has_failed());
    assert!(matches!(pending.take(), Err(Error::OutOfMemory(5))));
    assert!(pending.is_well() && !pending.has_failed() && pending.take().is_ok());
}
