//! Any text: the parser gives a kernel or reports, and a kernel prints as text that reads back as the same kernel.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilewise_ir::diag::{Colour, render};
use tilewise_ir::text;

fuzz_target!(|input: &str| {
    match text::parse_all("fuzz.kir", input) {
        Ok(kernels) => {
            for kernel in kernels {
                let printed = text::print(&kernel);
                match text::parse("printed.kir", &printed) {
                    Ok(again) => assert!(again == kernel, "not the same kernel after printing:\n{printed}"),
                    Err(failure) => panic!("a printed kernel does not read back:\n{printed}\n{failure}"),
                }
            }
        }
        Err(failure) => {
            assert!(!failure.diagnostics.is_empty(), "refused without a report");
            // The first ones are enough: rendering takes much longer than parsing.
            let reports = &failure.diagnostics[..failure.diagnostics.len().min(2)];
            let _ = render(reports, &failure.sources, Colour::Never);
        }
    }
});
