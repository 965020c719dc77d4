//! Names of the compiler's own attributes, which no macro may have beside them.

/// The attributes of rustc 1.95 whose names are words, unstable ones too, in order; [`is_attribute`] has the others.
const ATTRIBUTES: [&str; 86] = [
    "allow",
    "allow_internal_unsafe",
    "allow_internal_unstable",
    "automatically_derived",
    "cfg",
    "cfg_attr",
    "cfi_encoding",
    "cold",
    "collapse_debuginfo",
    "compiler_builtins",
    "const_continue",
    "coroutine",
    "coverage",
    "crate_name",
    "crate_type",
    "custom_mir",
    "debugger_visualizer",
    "default_lib_allocator",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "export_name",
    "export_stable",
    "feature",
    "ffi_const",
    "ffi_pure",
    "forbid",
    "fundamental",
    "ignore",
    "inline",
    "instruction_set",
    "lang",
    "link",
    "link_name",
    "link_ordinal",
    "link_section",
    "linkage",
    "loop_match",
    "macro_escape",
    "macro_export",
    "macro_use",
    "marker",
    "may_dangle",
    "move_size_limit",
    "must_not_suspend",
    "must_use",
    "naked",
    "needs_allocator",
    "needs_panic_runtime",
    "no_builtins",
    "no_core",
    "no_implicit_prelude",
    "no_link",
    "no_main",
    "no_mangle",
    "no_std",
    "non_exhaustive",
    "optimize",
    "panic_handler",
    "panic_runtime",
    "patchable_function_entry",
    "path",
    "pin_v2",
    "prelude_import",
    "proc_macro",
    "proc_macro_attribute",
    "proc_macro_derive",
    "profiler_runtime",
    "recursion_limit",
    "reexport_test_harness_main",
    "register_tool",
    "repr",
    "sanitize",
    "should_panic",
    "stable",
    "target_feature",
    "test_runner",
    "thread_local",
    "track_caller",
    "type_length_limit",
    "unstable",
    "unstable_feature_bound",
    "used",
    "warn",
    "windows_subsystem",
];

/// Is it the name of an attribute of the compiler's? In an import, rustc takes such a name for ambiguous where a macro
/// has it.
pub(super) fn is_attribute(name: &str) -> bool {
    name.starts_with("rustc_") || ATTRIBUTES.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{ATTRIBUTES, is_attribute};

    #[test]
    fn the_names_are_in_order() {
        assert!(ATTRIBUTES.is_sorted());
        assert!(is_attribute("path") && is_attribute("rustc_dummy") && !is_attribute("halve"));
    }
}
