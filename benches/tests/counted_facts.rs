//! What `jit` makes of each kernel of the benchmarks, as its reports count it: how each access goes, operations on
//! vectors and scalars, calls, values, bytes between barriers, machine code. `benches/facts` has it for each emitter,
//! so that a change shows in review, on any machine; `UPDATE_EXPECT=1` writes the files.
//!
//! The program runs itself once for each emitter: a process has one, and shows reports on standard error.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use libtest_mimic::{Arguments, Failed, Trial};
use tilewise::Accelerator;
use tilewise_benches::kernels;
use tilewise_peers::PeerWork;

/// Is set in the process that runs the kernels.
const CHILD: &str = "COUNTED_FACTS";

/// How the line begins with which the child announces a kernel.
const KERNEL: &str = "=== ";

fn main() {
    if env::var_os(CHILD).is_some() {
        return run_kernels();
    }
    let arguments = Arguments::from_args();
    let trial = |form: &'static str| {
        let ignored = if runs_here(form) { "" } else { "this processor does not run it" };
        Trial::test(form, move || compare(form)).with_kind(ignored).with_ignored_flag(!ignored.is_empty())
    };
    libtest_mimic::run(&arguments, ["cranelift", "avx2", "avx512"].map(trial).into_iter().collect()).exit();
}

/// Does this processor run the code of an emitter? Cranelift's depends on the processor too, so its file is for those
/// that have AVX2.
fn runs_here(form: &str) -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        avx2 && (form != "avx512" || avx512)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        _ = form;
        false
    }
}

/// Runs each kernel once, small.
fn run_kernels() {
    let on = Accelerator::new("jit").expect("it is everywhere").default_view();
    for work in PeerWork::ALL {
        // Into the stream of the reports.
        writeln!(std::io::stderr(), "{KERNEL}{work}").expect("the parent reads it");
        let mut kernel = kernels::prepare(work, work.small_size(), &on).expect("it fits");
        kernel.run().expect("it runs");
    }
}

fn compare(form: &str) -> Result<(), Failed> {
    let mut child = Command::new(env::current_exe()?);
    let child = child.env(CHILD, "1").env("TILEWISE_DUMP", "report").env("TILEWISE_CODE", form);
    // As on a processor that gathers.
    let child = child.env("TILEWISE_GATHERS", "instructions").output()?;
    let reports = String::from_utf8(child.stderr)?;
    if !child.status.success() {
        return Err(format!("the kernels did not run: {}\n{reports}", child.status).into());
    }
    let facts = counted(&reports);
    let works = facts.lines().filter(|line| line.starts_with(KERNEL)).count();
    if works != PeerWork::ALL.len() || !facts.contains("operations on vectors") {
        return Err(format!("these are no reports of all kernels:\n{facts}").into());
    }
    let path = file_of(form);
    if env::var_os("UPDATE_EXPECT").is_some() {
        return fs::write(&path, facts).map_err(Failed::from);
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    match difference(&expected, &facts) {
        None => Ok(()),
        Some(difference) => {
            let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(&path).display();
            Err(format!("benches/{name} has other facts; UPDATE_EXPECT=1 writes it\n{difference}").into())
        }
    }
}

fn file_of(form: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("facts").join(format!("{form}.txt"))
}

/// The reports without what is of a machine or a place: times, the code of an emitter that depends on the processor,
/// and numbers of lines.
fn counted(reports: &str) -> String {
    let mut out = String::new();
    let mut of_cranelift = false;
    for line in reports.lines() {
        if let Some(code) = line.strip_prefix("code ") {
            of_cranelift = code.trim() == "cranelift";
        }
        if line.starts_with("time ") || line.starts_with("machine code") && of_cranelift {
            continue;
        }
        out += &without_line(line);
        out.push('\n');
    }
    out
}

/// A line of a report without the number of a line: of `FILE.rs:28  c[i] = a[i];` and of `lines 22-26   a thread ..`.
fn without_line(line: &str) -> String {
    let numbers = |rest: &str| rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
    for (begin, keep) in [("line ", "line"), ("lines ", "line")] {
        if let Some(rest) = line.strip_prefix(begin) {
            return format!("{keep}  {}", rest[numbers(rest)..].trim_start());
        }
    }
    match line.split_once(".rs:").or_else(|| line.split_once(".kir:")) {
        Some((file, rest)) if !file.contains(' ') => {
            let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
            format!("{name}{}", &rest[numbers(rest)..])
        }
        _ => line.to_owned(),
    }
}

/// The first lines that differ, with the kernel they are of.
fn difference(expected: &str, got: &str) -> Option<String> {
    if expected == got {
        return None;
    }
    let (mut kernel, mut shown) = ("", Vec::new());
    let mut old = expected.lines();
    for line in got.lines() {
        if line.starts_with(KERNEL) {
            kernel = line;
        }
        let before = old.next().unwrap_or("(nothing)");
        if before != line {
            shown.push(format!("{}\n  - {before}\n  + {line}", kernel.trim_start_matches(KERNEL)));
            if shown.len() == 3 {
                break;
            }
        }
    }
    shown.extend(old.next().filter(|_| shown.is_empty()).map(|line| format!("  - {line}")));
    Some(shown.join("\n"))
}
