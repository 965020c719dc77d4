//! Every kernel of the conformance suite is lowered, and each way out is valid: a target that cannot hold a kernel says which feature is missing.

use std::path::{Path, PathBuf};
use std::{fs, io};

use tilewise_gpu::exact::Exact;
use tilewise_gpu::lower::{Key, ParamKey, lower};
use tilewise_gpu::ways;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::text::parse;

fn files(folder: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, out)?;
        } else if path.extension().is_some_and(|extension| extension == "kir") {
            out.push(path);
        }
    }
    Ok(())
}

/// The kernels of the suite that are accepted.
fn kernels() -> Vec<(PathBuf, Checked<Kernel>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/kernels");
    let mut paths = Vec::new();
    files(&root, &mut paths).unwrap_or_else(|error| panic!("the kernels cannot be read: {error}"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).ok()?;
        let kernel = check(parse("k.kir", &text).ok()?).ok()?;
        Some((path, kernel))
    };
    paths.into_iter().filter_map(read).collect()
}

/// Keys of launches: each parameter in memory of its own and aligned; all in one memory, at odd bytes.
fn keys(kernel: &Kernel) -> [Key; 2] {
    let key = |one: bool| {
        let mut next = 0;
        let params = kernel.params().iter().map(|param| match param.kind {
            ParamKind::View(_) | ParamKind::Buffer { .. } => {
                let home = if one { 0 } else { next };
                next += 1;
                ParamKey { home: Some(home), align: if one { 1 } else { 16 }, unit: !one, covers: !one }
            }
            ParamKind::Uniform(_) => ParamKey::default(),
        });
        Key {
            params: params.collect(),
            strict: one.then_some(Exact::LEAST),
            grid: !one && kernel.rank() == 2,
            ..Key::default()
        }
    };
    [key(false), key(true)]
}

#[test]
fn every_kernel_of_the_suite_is_lowered_or_says_what_is_missing() {
    let kernels = kernels();
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
            if let Err(reason) = ways::validate(&lowered.module) {
                wrong.push(format!("{name}: {reason}"));
                continue;
            }
            match ways::wgsl(&lowered) {
                Err(reason) if lowered.needs.fences => assert!(reason.0.contains("fence"), "{name}: {reason}"),
                Err(reason) => wrong.push(format!("{name}: wgsl: {reason}")),
                Ok(text) => {
                    if let Err(error) = naga::front::wgsl::parse_str(&text) {
                        wrong.push(format!("{name}: wgsl: {}", error.emit_to_string(&text)));
                    }
                }
            }
            if let Err(reason) = ways::strict(&lowered, ways::FloatControls::default()) {
                wrong.push(format!("{name}: strict: {reason}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), kernels.len(), wrong.join("\n"));
}
