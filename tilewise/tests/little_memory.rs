//! Launches where the system has little memory left: an error, not a panic.
//!
//! The test starts itself again with a limit on its address space.

use std::process::Command;

use tilewise::prelude::*;

/// Set in the process with little memory.
const INSIDE: &str = "TILEWISE_TEST_LITTLE_MEMORY";

#[derive(Clone, Copy, AmpStruct)]
struct Large {
    numbers: [u32; 4 << 20],
}

#[test]
#[cfg(target_os = "linux")]
fn a_closure_that_needs_a_large_stack_ends_with_an_error_if_there_is_none() {
    if std::env::var_os(INSIDE).is_some() {
        let elements = ArrayView::<Large>::without_source(1).expect("there is room for it");
        let native = Accelerator::new("native").expect("it is always there").default_view();
        let ended = parallel_for_each!((&native, elements.extent()), |i| {
            elements[i].numbers[5] = 3;
        });
        assert!(matches!(ended, Err(tilewise::Error::OutOfMemory(bytes)) if bytes > 12 * (16 << 20)), "{ended:?}");
        return;
    }
    let this = std::env::current_exe().expect("it runs");
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 200000; exec \"$0\" --test-threads 1"])
        .arg(this)
        .env(INSIDE, "1")
        .output()
        .expect("there is a shell");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}
