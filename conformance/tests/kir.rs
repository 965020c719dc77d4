//! Runs every file test of `kernels/` on every target, shaders too if this build imports them; what
//! is not run counts as ignored, with its reason; `BLESS=1` rewrites what the files expect.
//! `docs/tests.md` tells how such a file is written.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use tilewise_conformance::kir::case;
use tilewise_conformance::shader_optimiser::run_without_shader_optimiser;
use tilewise_conformance::target::SuiteTarget;
use tilewise_conformance::verdict::Verdict;

fn main() -> ExitCode {
    if let Some(code) = run_without_shader_optimiser() {
        return code;
    }
    let arguments = Arguments::from_args();
    tilewise_cpu_jit::emit::check_generated_code();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
    let bless = env::var_os("BLESS").is_some_and(|value| value != "0");
    let mut files = Vec::new();
    if let Err(error) = find(&root, &mut files) {
        let failed = move || Err(Failed::from(format!("cannot read the test files: {error}")));
        return libtest_mimic::run(&arguments, vec![Trial::test("kernels", failed)]).exit_code();
    }
    files.sort();
    let mut trials = Vec::new();
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&file).unwrap_or_default();
        for &target in SuiteTarget::BUILT {
            if target != SuiteTarget::Reference && !case::launches(&text) {
                continue;
            }
            let file = file.clone();
            let path = format!("conformance/kernels/{name}");
            let trial = Trial::ignorable_test(name.clone(), move || test(&file, &path, target, bless));
            trials.push(trial.with_kind(target.name()));
        }
    }
    trials.sort_by_key(|trial| trial.kind().to_owned());
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn test(file: &Path, path: &str, target: SuiteTarget, bless: bool) -> Result<Completion, Failed> {
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {path}: {error}"))?;
    let verdict = if bless && target == SuiteTarget::Reference {
        let (verdict, blessed) = case::run_and_bless(path, &text, target);
        if let Some(blessed) = blessed {
            fs::write(file, blessed).map_err(|error| format!("cannot write {path}: {error}"))?;
        }
        verdict
    } else {
        case::run(path, &text, target)
    };
    match verdict {
        Verdict::Pass => Ok(Completion::Completed),
        // What jit and lane programs cannot do is decided where the verdict is made; to leave a kernel to the interpreter is no such thing.
        Verdict::NotRun(reason) if target != SuiteTarget::Reference && !reason.starts_with(case::FELL_BACK) => {
            Ok(Completion::ignored_with(reason))
        }
        // The reference lacks nothing, so a skip is a mistake.
        Verdict::Fail(_) | Verdict::Unsupported(_) | Verdict::NotRun(_) => {
            let reason = verdict.reason().unwrap_or_default();
            Err(format!("{}\n{reason}", verdict.name()).into())
        }
    }
}

fn is_test(extension: &OsStr) -> bool {
    extension == "kir" || cfg!(feature = "import") && (extension == "wgsl" || extension == "amber")
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(is_test) {
            files.push(path);
        }
    }
    Ok(())
}
