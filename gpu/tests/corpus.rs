//! Every kernel of the conformance suite is lowered, and each way out is valid: a target that cannot hold a kernel says which feature is missing.

mod suite;

use tilewise_gpu::exact::Exact;
use tilewise_gpu::lower::{LoweredModule, MAX_EXPRESSIONS, ModuleKey, ModuleParam, lower};
use tilewise_gpu::shader_form;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::text::parse;

/// Keys of launches: each parameter in memory of its own and aligned; all in one memory, at odd bytes.
fn keys(kernel: &Kernel) -> [ModuleKey; 2] {
    let key = |one: bool| {
        let mut next = 0;
        let params = kernel.params().iter().map(|param| match param.kind {
            ParamKind::View(_) | ParamKind::Buffer { .. } => {
                let allocation = if one { 0 } else { next };
                next += 1;
                ModuleParam { allocation: Some(allocation), align: if one { 1 } else { 16 }, unit: !one, covers: !one }
            }
            ParamKind::Uniform(_) => ModuleParam::default(),
        });
        ModuleKey {
            params: params.collect(),
            strict: one.then_some(Exact::LEAST),
            grid: !one && kernel.rank() == 2,
            ..ModuleKey::default()
        }
    };
    [key(false), key(true)]
}

#[test]
fn every_kernel_of_the_suite_is_lowered_or_says_what_is_missing() {
    let kernels = suite::kernels();
    assert!(kernels.len() > 300, "only {} kernels were found", kernels.len());
    let mut wrong = Vec::new();
    for (path, kernel) in &kernels {
        for key in keys(kernel.inlined()) {
            let name = path.display();
            let lowered = match lower(kernel, &key) {
                Ok(lowered) => lowered,
                Err(reason) if reason.0.contains("missing") => continue,
                Err(reason) => {
                    wrong.push(format!("{name}: {reason}"));
                    continue;
                }
            };
            let size = expressions(&lowered);
            if size > MAX_EXPRESSIONS / 10 {
                wrong.push(format!("{name}: {size} expressions, and the limit is to be ten times what kernels have"));
            }
            if let Err(reason) = shader_form::validate(&lowered.module) {
                wrong.push(format!("{name}: {reason}"));
                continue;
            }
            match shader_form::wgsl(&lowered) {
                Err(reason) if lowered.needs.fences => assert!(reason.0.contains("fence"), "{name}: {reason}"),
                Err(reason) => wrong.push(format!("{name}: wgsl: {reason}")),
                Ok(text) => {
                    if let Err(error) = naga::front::wgsl::parse_str(&text) {
                        wrong.push(format!("{name}: wgsl: {}", error.emit_to_string(&text)));
                    }
                }
            }
            if let Err(reason) = shader_form::strict(&lowered, shader_form::FloatControls::default()) {
                wrong.push(format!("{name}: strict: {reason}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), kernels.len(), wrong.join("\n"));
}

/// The expressions of a lowered kernel.
fn expressions(lowered: &LoweredModule) -> usize {
    lowered.module.entry_points.iter().map(|entry| entry.function.expressions.len()).sum()
}

/// The kernel of a body that copies arrays of 100 numbers.
fn of_copies(copies: usize) -> Checked<Kernel> {
    let body = "copy(b, a[0]); copy(a[1], b);".repeat(copies / 2);
    let text = format!("kernel k(a: view<[u32; 100], 1, read_write>) rank(1) {{ var b: [u32; 100] = zero; {body} }}");
    check(parse("k.kir", &text).expect("it parses")).unwrap_or_else(|rejected| panic!("{rejected}"))
}

#[test]
fn copies_of_arrays_pass_through_one_memory() {
    let kernel = of_copies(200);
    let lowered = lower(&kernel, &keys(&kernel)[0]).unwrap_or_else(|reason| panic!("{reason}"));
    let function = &lowered.module.entry_points[0].function;
    let arrays = function.local_variables.iter().filter(|(_, variable)| variable.name.as_deref() == Some("copied"));
    assert_eq!(arrays.count(), 1);
    shader_form::validate(&lowered.module).unwrap_or_else(|reason| panic!("{reason}"));
}

#[test]
fn a_kernel_that_is_too_large_for_drivers_is_refused_in_little_time() {
    let kernel = of_copies(90_000);
    let start = std::time::Instant::now();
    let refused = lower(&kernel, &keys(&kernel)[0]).map(|lowered| expressions(&lowered));
    let reason = refused.expect_err("it is too large").0;
    assert!(reason.starts_with("the kernel is too large for GPUs: its code has more than"), "{reason}");
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}
