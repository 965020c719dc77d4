//! Every kernel of the conformance suite is lowered, and each way out is valid: a target that cannot hold a kernel says which feature is missing.

mod suite;

use tilewise_gpu::exact::Exact;
use tilewise_gpu::lower::{ModuleKey, ModuleParam, lower};
use tilewise_gpu::shader_form;
use tilewise_ir::kernel::{Kernel, ParamKind};

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
