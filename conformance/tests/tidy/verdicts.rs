//! `conformance/verdicts.txt`: what came of each test that shows an item of C++ AMP, on each accelerator. `.ci/verdicts` runs the tests and makes it; what it has to agree with is in [`coverage`](crate::coverage).
//!
//! What tests leave in a folder: `PACKAGE.log`, what `cargo test` printed; lines of `tilewise/tests/verdicts/mod.rs`, one for each round of a loop over accelerators; lines of `conformance/tests/kir.rs`, one
//! for each file test and target.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::read;

/// The list of verdicts.
pub(crate) const FILE: &str = "conformance/verdicts.txt";

/// Where tests run, in the order of the page: accelerators, the default accelerator whichever it is, the host, the compiler.
pub(crate) const PLACES: [&str; 7] = ["reference", "jit", "native", "gpu", "default", "host", "compiler"];

/// A test by the name that the page has for it, and where it runs.
pub(crate) type Wanted = BTreeMap<String, BTreeSet<&'static str>>;

/// Verdicts as the list has them.
#[derive(Default)]
pub(crate) struct Verdicts {
    /// What `gpu` was.
    pub(crate) gpu: String,
    /// For each test and place: `passed`, `failed`, `not run: ` and why.
    pub(crate) rows: BTreeMap<String, BTreeMap<String, String>>,
}

impl Verdicts {
    /// Those of the repository.
    pub(crate) fn of_repository() -> Verdicts {
        let mut out = Verdicts::default();
        for line in read(FILE).lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let mut parts = line.split(" | ");
            let test = parts.next().unwrap_or_default();
            if let Some(gpu) = test.strip_prefix("gpu: ") {
                out.gpu = gpu.to_owned();
                continue;
            }
            let verdicts = parts.filter_map(|part| part.split_once(' '));
            let verdicts = verdicts.map(|(place, verdict)| (place.to_owned(), verdict.to_owned()));
            out.rows.insert(test.to_owned(), verdicts.collect());
        }
        out
    }

    /// How often each verdict came at a place, of some tests: passed, not run, failed.
    pub(crate) fn count(&self, tests: &[&String], place: &str) -> [usize; 3] {
        let mut counts = [0; 3];
        let rows = tests.iter().filter_map(|&test| self.rows.get(test));
        for verdict in rows.filter_map(|row| row.get(place)) {
            let kind = if verdict == "passed" { 0 } else { 1 + usize::from(verdict == "failed") };
            counts[kind] += 1;
        }
        counts
    }

    /// The text of the list.
    pub(crate) fn text(&self) -> String {
        let mut out = String::from(
            "# What came of the tests that show items of C++ AMP: `TEST | place verdict | ..`. Written by `.ci/verdicts`, which runs them.\n",
        );
        let _ = writeln!(out, "gpu: {}", self.gpu);
        for (test, verdicts) in &self.rows {
            out += test;
            for (place, verdict) in verdicts {
                let _ = write!(out, " | {place} {verdict}");
            }
            out.push('\n');
        }
        out
    }

    /// What came of tests, by what they left in a folder.
    pub(crate) fn of_records(folder: &Path, wanted: &Wanted) -> Verdicts {
        let records = Records::read(folder);
        let rows = wanted.iter().map(|(test, places)| {
            let verdicts = places.iter().map(|&place| (place.to_owned(), records.verdict(test, place)));
            (test.clone(), verdicts.collect())
        });
        Verdicts { rows: rows.collect(), gpu: records.gpu.into_iter().collect::<Vec<_>>().join(", ") }
    }
}

/// Program, test, accelerator.
type Round = (String, String, String);

/// What tests left.
#[derive(Default)]
struct Records {
    /// Where sources of a program of tests lie (`tilewise/tests/library/`), the name of a test without modules, and whether it passed.
    outcomes: Vec<(String, String, bool)>,
    /// Program, test, accelerator, and whether each round came to its end.
    rounds: BTreeMap<Round, bool>,
    /// The same, and why a test leaves that accelerator out: `not run: ` and the reason.
    left_out: BTreeMap<Round, String>,
    /// File and target: the verdict.
    files: BTreeMap<(String, String), String>,
    gpu: BTreeSet<String>,
}

/// The last part of a path of modules.
fn last(path: &str) -> String {
    path.rsplit("::").next().unwrap_or(path).to_owned()
}

impl Records {
    fn read(folder: &Path) -> Records {
        let mut out = Records::default();
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("a folder can be read").path()) {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            if path.extension().is_some_and(|extension| extension == "log") {
                let package = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                out.log(&package, &text);
            } else {
                text.lines().for_each(|line| out.line(line));
            }
        }
        assert!(!out.outcomes.is_empty(), "{}: no test was run", folder.display());
        out
    }

    /// Reads what `cargo test` printed.
    fn log(&mut self, package: &str, text: &str) {
        let mut sources = String::new();
        for line in text.lines() {
            if let Some(running) = line.trim_start().strip_prefix("Running ") {
                let path = running.strip_prefix("unittests ").unwrap_or(running).split(' ').next().unwrap_or_default();
                let path = path.strip_suffix("main.rs").or(path.strip_suffix("lib.rs")).unwrap_or(path);
                sources = format!("{package}/{path}");
            } else if let Some((test, how)) = line.strip_prefix("test ").and_then(|rest| rest.rsplit_once(" ... ")) {
                let test = test.split(" - ").next().unwrap_or(test);
                self.outcomes.push((sources.clone(), last(test), how.starts_with("ok")));
            }
        }
    }

    /// Reads a line of a test's own.
    fn line(&mut self, line: &str) {
        let parts: Vec<&str> = line.split('\t').collect();
        match parts[..] {
            ["round", program, test, path, description, how] => {
                let place = if path.starts_with("gpu/") { "gpu" } else { path };
                if place == "gpu" {
                    self.gpu.insert(description.to_owned());
                }
                let key = (program.to_owned(), last(test), place.to_owned());
                if how.starts_with("not run: ") {
                    self.left_out.insert(key, how.replace('|', "/"));
                } else {
                    *self.rounds.entry(key).or_insert(true) &= how == "done";
                }
            }
            ["kir", path, target, verdict, reason] => {
                let verdict = match verdict {
                    "pass" => "passed".to_owned(),
                    "not-run" => format!("not run: {}", reason.replace('|', "/")),
                    _ => "failed".to_owned(),
                };
                self.files.insert((path.to_owned(), target.to_owned()), verdict);
            }
            _ => panic!("`{line}` is no record of a test"),
        }
    }

    fn verdict(&self, test: &str, place: &str) -> String {
        if test.ends_with(".kir") {
            return self.of_file(test, place);
        }
        let passed = if test.starts_with("tilewise/mistakes/") {
            let evaluated = test.starts_with("tilewise/mistakes/tests/mistakes/evaluated/");
            let name = ["each_mistake_gets_its_message", "mistakes_in_constants_get_their_message_when_built"];
            self.passed("tilewise/mistakes/tests/mistakes.rs", name[usize::from(evaluated)])
        } else {
            let (file, name) = test.split_once("::").unwrap_or((test, ""));
            let root = if file.contains("/src/") { file.to_owned() } else { format!("tilewise/tests/{file}") };
            let program = file.trim_end_matches(".rs").split('/').next().unwrap_or_default();
            let key = (program.to_owned(), name.to_owned(), place.to_owned());
            match (self.passed(&root, name), self.rounds.get(&key)) {
                (Some(true), None) if self.left_out.contains_key(&key) => return self.left_out[&key].clone(),
                (Some(true), None) if place == "gpu" => return "not run: no driver was found".to_owned(),
                (Some(false), Some(true)) => Some(true),
                (passed, _) => passed,
            }
        };
        match passed {
            Some(true) => "passed".to_owned(),
            Some(false) => "failed".to_owned(),
            None => "not run: the program of tests did not get to it".to_owned(),
        }
    }

    /// Did a test pass, in each program that has it? Nothing if none has.
    fn passed(&self, file: &str, name: &str) -> Option<bool> {
        let of_name = |(sources, test, _): &&(String, String, bool)| test == name && file.starts_with(sources.as_str());
        self.outcomes.iter().filter(of_name).map(|(_, _, passed)| *passed).reduce(|a, b| a && b)
    }

    /// What came of a file test; on a GPU it is handed over in three ways, of which each counts where it can be taken.
    fn of_file(&self, file: &str, place: &str) -> String {
        let targets: &[&str] = match place {
            "gpu" => &["gpu-wgsl", "gpu-module", "gpu-strict"],
            "jit" => &["jit"],
            _ => &["reference"],
        };
        let path = format!("conformance/kernels/{file}");
        let found: Vec<&String> =
            targets.iter().filter_map(|target| self.files.get(&(path.clone(), (*target).to_owned()))).collect();
        let worst = |verdict: &&&String| match verdict.as_str() {
            "failed" => 0,
            "passed" => 1,
            _ => 2,
        };
        found.iter().min_by_key(worst).map_or_else(|| "not run: the target is not built in".to_owned(), |&v| v.clone())
    }
}

#[test]
fn verdicts_are_read_from_what_tests_leave() {
    let mut records = Records::default();
    records.log(
        "tilewise",
        "     Running tests/library/main.rs (target/x)\ntest copies::cpy_1_a ... ok\ntest copies::cpy_2_b ... FAILED\n",
    );
    records.log("tilewise", "     Running tests/views.rs (target/y)\ntest av_1_c - should panic ... ok\n");
    for line in [
        "round\tlibrary\tcopies::cpy_1_a\tjit\tall cores\tdone",
        "round\tlibrary\tcopies::cpy_1_a\tgpu/0\ta driver\tdone",
        "round\tlibrary\tcopies::cpy_1_a\tnative\tclosures\tnot run: it has no lanes",
        "round\tlibrary\tcopies::cpy_2_b\treference\tinterpreter\tdone",
        "round\tlibrary\tcopies::cpy_2_b\tjit\tall cores\tleft",
        "kir\tconformance/kernels/a/b.kir\tgpu-wgsl\tnot-run\tno fence",
        "kir\tconformance/kernels/a/b.kir\tgpu-strict\tpass\t",
        "kir\tconformance/kernels/a/c.kir\tgpu-strict\tnot-run\tno f64",
    ] {
        records.line(line);
    }
    let verdict = |test: &str, place: &str| records.verdict(test, place);
    assert_eq!(verdict("library/copies.rs::cpy_1_a", "gpu"), "passed");
    assert_eq!(verdict("library/copies.rs::cpy_1_a", "native"), "not run: it has no lanes");
    assert_eq!(verdict("library/copies.rs::cpy_2_b", "reference"), "passed");
    assert_eq!(verdict("library/copies.rs::cpy_2_b", "jit"), "failed");
    assert_eq!(verdict("views.rs::av_1_c", "host"), "passed");
    assert_eq!(verdict("views.rs::av_1_c", "gpu"), "not run: no driver was found");
    assert_eq!(verdict("a/b.kir", "gpu"), "passed");
    assert_eq!(verdict("a/c.kir", "gpu"), "not run: no f64");
    assert!(verdict("views.rs::av_2_d", "host").starts_with("not run"));
    let rows = BTreeMap::from([("t".to_owned(), BTreeMap::from([("jit".to_owned(), "failed".to_owned())]))]);
    assert_eq!(Verdicts { gpu: String::new(), rows }.count(&[&"t".to_owned()], "jit"), [0, 0, 1]);
}
