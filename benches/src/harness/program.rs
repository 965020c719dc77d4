//! Contestants that are separate programs. They print a line
//! `peer,kernel,median ms,min,max,runs,unchecked`; the environment variables `PEER`, `ONLY` and
//! `THREADS` are their options.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use tilewise_peers::PeerWork;

use super::contestant::{AbsentPeer, Contestant, Out};
use super::script::ScriptFolder;

/// The environment variable with the folder of the programs: those in ISPC, and plain Rust for this machine.
const FOLDER: &str = "TILEWISE_PEERS";

/// The names of the programs in Python in the table.
pub(super) const PYTHON: [&str; 2] = ["numba", "taichi"];

/// Workers of the ISPC programs, which is fixed.
const ISPC_THREADS: usize = 2;

/// A separate program.
pub struct PeerProgram {
    /// Its name in the table.
    pub name: &'static str,
    /// What it is, in words.
    pub about: &'static str,
    path: PathBuf,
    /// The file that it runs, if it is an interpreter.
    script: Option<(Arc<ScriptFolder>, &'static str)>,
    threads: usize,
    has: Has,
}

/// The work that a program has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Has {
    /// All.
    All,
    /// One form of each.
    FirstForms,
    /// One form of each, up to the products of matrices, which are both under one name.
    Classic,
}

impl PeerProgram {
    pub(super) fn takes_part(&self, work: PeerWork) -> Result<(), Out> {
        match (self.has, work.of_others()) {
            (Has::All, _) => Ok(()),
            (Has::Classic, None) => Err(Out::NotRun("it has the kernels up to the products of matrices".into())),
            _ if work == PeerWork::NBodyPlain => Err(Out::NotRun("it has one form of this, see `nbody`".into())),
            _ => Ok(()),
        }
    }

    /// Milliseconds of one run.
    pub(super) fn one_run(&self, work: PeerWork) -> Result<f64, String> {
        let work = if self.has == Has::All { work } else { work.of_others().unwrap_or(work) };
        let only = match work {
            PeerWork::MatmulTiled if self.has == Has::Classic => PeerWork::Matmul,
            other => other,
        };
        let mut command = Command::new(&self.path);
        command
            .args(self.script.as_ref().map(|(folder, name)| folder.file(name)))
            .env("PEER", self.name)
            .env("ONLY", only.name())
            .env("THREADS", self.threads.to_string());
        let output = command.output().map_err(|error| format!("it cannot be started: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().map(|line| format!(": {line}")).unwrap_or_default();
            return Err(format!("it ended with {}{last}", output.status));
        }
        let lines = String::from_utf8_lossy(&output.stdout);
        median_of(&lines, work).ok_or_else(|| format!("it printed no line for `{work}`"))
    }
}

/// The third field of the line for this work.
fn median_of(lines: &str, work: PeerWork) -> Option<f64> {
    let fields = lines.lines().map(|line| line.split(',').collect::<Vec<_>>());
    fields.filter(|fields| fields.get(1) == Some(&work.name())).find_map(|fields| fields.get(2)?.trim().parse().ok())
}

/// The ISPC programs in the folder that the environment variable names.
pub fn ispc(threads: usize) -> Vec<Result<Contestant, AbsentPeer>> {
    let folder = env::var_os(FOLDER).map(PathBuf::from);
    let find = |(name, about): (&'static str, &'static str)| {
        let absent = |reason: String| Err(AbsentPeer::new(name, about, reason));
        let Some(folder) = &folder else {
            return absent(format!("the environment variable {FOLDER} names no folder with the ISPC programs"));
        };
        let path = folder.join(name);
        if !path.is_file() {
            return absent(format!("there is no {}", path.display()));
        }
        if threads != ISPC_THREADS {
            return absent(format!("it has {ISPC_THREADS} threads, the others {threads}"));
        }
        Ok(Contestant::Program(PeerProgram { name, about, path, script: None, threads, has: Has::Classic }))
    };
    let programs = [
        ("ispc-avx2", "kernels in ISPC, a language for vector code, compiled for AVX2"),
        ("ispc-avx512", "kernels in ISPC, compiled for AVX-512"),
    ];
    programs.map(find).into()
}

/// The kernels in Numba and in Taichi, if `python3` has them.
pub fn python(threads: usize) -> Vec<Result<Contestant, AbsentPeer>> {
    let folder = ScriptFolder::write().map(Arc::new);
    let find = |name: &'static str| {
        let (about, script) = match name {
            "numba" => ("Python, compiled by Numba with parallel=True and fastmath=True", "numba_kernels.py"),
            _ => ("Python, compiled by Taichi for the processor with fast_math", "taichi_kernels.py"),
        };
        let absent = |reason: String| Err(AbsentPeer::new(name, about, reason));
        let folder = match &folder {
            Ok(folder) => Arc::clone(folder),
            Err(error) => return absent(format!("its files cannot be written: {error}")),
        };
        let path = PathBuf::from("python3");
        match Command::new(&path).args(["-c", &format!("import {name}")]).output() {
            Err(error) => absent(format!("`python3` cannot be started: {error}")),
            Ok(output) if !output.status.success() => {
                absent(format!("`python3 -c 'import {name}'` fails; `pip install {name} numpy` installs it"))
            }
            Ok(_) => {
                let script = Some((folder, script));
                Ok(Contestant::Program(PeerProgram { name, about, path, script, threads, has: Has::FirstForms }))
            }
        }
    };
    PYTHON.map(find).into()
}

/// Plain Rust, compiled for this machine: from the folder of programs, or built from the sources of this workspace, if
/// it is missing or out of date.
pub fn rust_native(threads: usize) -> Result<Contestant, AbsentPeer> {
    let (name, about) = ("rust-native", "plain Rust with rayon, built with `-C target-cpu=native`");
    let path = match env::var_os(FOLDER).map(|folder| PathBuf::from(folder).join(program_name())) {
        Some(path) if path.is_file() => Ok(path),
        Some(_) | None => build(),
    };
    match path {
        Ok(path) => Ok(Contestant::Program(PeerProgram { name, about, path, script: None, threads, has: Has::All })),
        Err(reason) => Err(AbsentPeer::new(name, about, reason)),
    }
}

/// The file of plain Rust.
fn program_name() -> String {
    format!("tilewise-peers{}", env::consts::EXE_SUFFIX)
}

fn build() -> Result<PathBuf, String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let workspace = workspace.filter(|workspace| workspace.join("benches/peers/Cargo.toml").is_file());
    let workspace = workspace.ok_or_else(|| {
        format!(
            "the sources of this program are not here; `RUSTFLAGS='-C target-cpu=native' cargo install tilewise-peers \
             --root FOLDER` builds it, and {FOLDER} names FOLDER/bin then"
        )
    })?;
    let target = workspace.join("target/peers-native");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--offline", "--package", "tilewise-peers"])
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", "-C target-cpu=native")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .current_dir(workspace)
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().rev().find(|line| line.starts_with("error")).unwrap_or("cargo says not why");
        return Err(format!("it does not build: {last}"));
    }
    Ok(target.join("release").join(program_name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_the_work_is_found() {
        let lines = "p,matmul,230.5,1,2,7,unchecked\np,matmul_tiled,47.25,1,2,7,unchecked\n";
        assert_eq!(median_of(lines, PeerWork::MatmulTiled), Some(47.25));
        assert_eq!(median_of(lines, PeerWork::Scan), None);
    }

    #[test]
    fn a_program_in_python_runs_or_says_how_to_install_it() {
        for found in python(1) {
            match found {
                Ok(Contestant::Program(program)) => assert!(program.script.is_some()),
                Ok(other) => panic!("{} is no program", other.name()),
                Err(absent) => assert!(absent.reason.contains("python3"), "{}", absent.reason),
            }
        }
    }

    #[test]
    fn a_program_takes_part_in_the_work_that_it_has() {
        let of = |has| PeerProgram { name: "p", about: "", path: "p".into(), script: None, threads: 2, has };
        let takes_part = |has, work| of(has).takes_part(work).is_ok();
        assert!(PeerWork::ALL.into_iter().all(|work| takes_part(Has::All, work)));
        assert!(takes_part(Has::FirstForms, PeerWork::Life) && !takes_part(Has::FirstForms, PeerWork::NBodyPlain));
        assert!(takes_part(Has::Classic, PeerWork::MatmulTiledMad) && !takes_part(Has::Classic, PeerWork::Life));
    }
}
