//! The kernels of the conformance suite, for tests of what is lowered.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::path::{Path, PathBuf};
use std::{fs, io};

use tilewise_gpu::exact::Exact;
use tilewise_gpu::lower::{LoweredModule, ModuleKey, ModuleParam, lower};
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

/// The kernels that are accepted, with their paths inside the suite.
pub(crate) fn kernels() -> Vec<(PathBuf, Checked<Kernel>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/kernels");
    let mut paths = Vec::new();
    files(&root, &mut paths).unwrap_or_else(|error| panic!("the kernels cannot be read: {error}"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).ok()?;
        let kernel = check(parse("k.kir", &text).ok()?).ok()?;
        Some((path.strip_prefix(&root).unwrap_or(&path).to_owned(), kernel))
    };
    paths.into_iter().filter_map(read).collect()
}

/// The key of a launch whose parameters each lie in aligned memory of their own.
pub(crate) fn key(kernel: &Checked<Kernel>) -> ModuleKey {
    let params = kernel.inlined().params().iter().zip(0..).map(|(param, allocation)| match param.kind {
        ParamKind::Uniform(_) => ModuleParam::default(),
        ParamKind::View(_) | ParamKind::Buffer { .. } => {
            ModuleParam { allocation: Some(allocation), align: 4, unit: true, covers: false }
        }
    });
    ModuleKey { params: params.collect(), ..ModuleKey::default() }
}

/// What becomes of a kernel, where it can be lowered, in Relaxed and in Strict.
pub(crate) fn lowered(kernel: &Checked<Kernel>) -> Vec<(bool, LoweredModule)> {
    let each = [false, true].map(|strict| {
        let key = ModuleKey { strict: strict.then_some(Exact::LEAST), ..key(kernel) };
        Some((strict, lower(kernel, &key).ok()?))
    });
    each.into_iter().flatten().collect()
}
