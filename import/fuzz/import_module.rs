//! One run of the fuzz targets: every entry point of a module is imported, and the kernel checked. naga's
//! own panics are caught and reported as naga's; all others end the run.

use std::sync::Once;

use tilewise_import::{ImportOptions, ShaderError, ShaderModule};
use tilewise_ir::check::check;
use tilewise_ir::diag::Colour;

/// libFuzzer's hook ends the process at any panic, also at one that is caught. A panic that is not
/// caught ends it without the hook, too.
pub(crate) fn let_panics_be_caught() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|_| {})));
}

/// Imports what naga has read.
pub(crate) fn import_module(read: Result<ShaderModule, ShaderError>) {
    let module = match read {
        Ok(module) => module,
        Err(error) => return refused(&error),
    };
    let entries: Vec<String> = module.entry_points().map(str::to_owned).collect();
    let mut options = ImportOptions::default();
    for (name, has_default) in module.overrides_with_defaults() {
        if !has_default {
            options.overrides.insert(name, 4.0);
        }
    }
    for entry in entries {
        options.entry = Some(entry);
        match module.import(&options) {
            Ok(shader) => {
                if let Err(rejected) = check(shader.kernel) {
                    assert!(!rejected.diagnostics.is_empty(), "rejected without a report");
                    let _ = rejected.render(Colour::Never);
                }
            }
            Err(error) => refused(&error),
        }
    }
}

fn refused(error: &ShaderError) {
    assert!(!error.diagnostics.is_empty(), "refused without a report");
    let text = error.render(Colour::Never);
    assert!(!text.contains("importer panicked"), "{text}");
}
