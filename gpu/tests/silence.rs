//! Listing adapters writes nothing to a program's standard error, also where there is no desktop.

use std::process::Command;

/// Set for the process that lists the adapters.
const LIST_ADAPTERS: &str = "TILEWISE_TEST_LIST_ADAPTERS";

#[test]
fn listing_adapters_without_a_desktop_is_silent() {
    if std::env::var_os(LIST_ADAPTERS).is_some() {
        tilewise_gpu::run::adapters();
        return;
    }
    let this = std::env::current_exe().expect("the path of this test is known");
    let listed = Command::new(this)
        .args(["--exact", "listing_adapters_without_a_desktop_is_silent", "--nocapture"])
        .env(LIST_ADAPTERS, "1")
        // What would keep Mesa's layer from looking for a desktop, and what would show it one.
        .env_remove("NODEVICE_SELECT")
        .env_remove("XDG_RUNTIME_DIR")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("DISPLAY")
        .output()
        .expect("this test can be run again");
    assert_eq!(String::from_utf8_lossy(&listed.stderr), "");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stdout));
}
