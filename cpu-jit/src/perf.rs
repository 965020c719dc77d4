//! The map from which the profiler `perf` reads the names of generated code: written if the
//! environment variable `TILEWISE_PERF` requests it.
//!
//! With `1` each kernel has one name; with `lines` each line of its source has one, so that `perf
//! report` shows the cost of each line. Dropping a kernel removes nothing from the map: code placed
//! at the same address later has its own entry, and the last one counts.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::{Mutex, OnceLock, PoisonError};

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;

use crate::emit::MachineCode;
use crate::environment;
use crate::lanes::LaneProgram;

/// The granularity of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PerfNames {
    Kernels,
    Lines,
}

/// The requested granularity.
fn asked() -> Option<PerfNames> {
    static ASKED: OnceLock<Option<PerfNames>> = OnceLock::new();
    *ASKED.get_or_init(|| match environment::word("TILEWISE_PERF", "0", &["1", "lines"])? {
        "lines" => Some(PerfNames::Lines),
        _ => Some(PerfNames::Kernels),
    })
}

/// Is a map requested?
pub(crate) fn is_asked() -> bool {
    asked().is_some()
}

/// Adds code to the map, if requested. A failure to write the map is reported once.
pub(crate) fn note(kernel: &Checked<Kernel>, program: &LaneProgram, code: &MachineCode) {
    let Some(names) = asked().filter(|_| cfg!(target_os = "linux")) else { return };
    static FAILED: Mutex<bool> = Mutex::new(false);
    // Serialised: an entry is a line.
    let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    // The path that `perf` reads, independent of the directory for temporary files.
    let path = format!("/tmp/perf-{}.map", std::process::id());
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(entries(names, kernel, program, code).as_bytes()));
    if let Err(why) = written
        && !std::mem::replace(&mut *failed, true)
    {
        // A closed stderr is no error of the program.
        _ = writeln!(std::io::stderr().lock(), "tilewise: `{path}` cannot be written: {why}");
    }
}

/// Entries of the map: first address and length in hexadecimal digits, and a name.
fn entries(names: PerfNames, kernel: &Checked<Kernel>, program: &LaneProgram, code: &MachineCode) -> String {
    let mut out = String::new();
    code.parts().for_each(|part| part_entries(names, kernel, program, part, &mut out));
    out
}

/// The entries of one part of the code.
fn part_entries(
    names: PerfNames,
    kernel: &Checked<Kernel>,
    program: &LaneProgram,
    code: &MachineCode,
    out: &mut String,
) {
    let begin = code.bytes().as_ptr().addr();
    let whole = format!("tilewise::{} (width {})", program.name, program.width);
    let mut entry = |from: u32, to: u32, name: &str| {
        if from < to {
            // Writing to a `String` cannot fail.
            let _ = writeln!(out, "{:x} {:x} {name}", begin + from as usize, to - from);
        }
    };
    let end = code.size() as u32;
    if names == PerfNames::Kernels {
        entry(0, end, &whole);
        return;
    }
    let mut last = (0, whole.clone());
    for &(at, pos) in code.lines() {
        let name = match kernel.sources().list.get(pos.source as usize).filter(|_| pos.is_known()) {
            Some(source) => format!("{whole} {}:{}", source.name, pos.line),
            None => whole.clone(),
        };
        if name != last.1 {
            entry(last.0, at, &last.1);
            last = (at, name);
        }
    }
    entry(last.0, end, &last.1);
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use super::*;
    use crate::dump::tests::compiled;

    #[test]
    fn entries_cover_the_code_without_a_gap_and_name_lines() {
        let text = "kernel scale(v: view<f32, 1, read_write>, by: f32) rank(1) {\n let i = global[0];\n v[i] =\n v[i] * by;\n}";
        let kernel = check(parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}")));
        let kernel = kernel.unwrap_or_else(|rejected| panic!("{rejected}"));
        let (program, code) = compiled(&kernel);
        let bounds = |part: &MachineCode| (part.bytes().as_ptr().addr(), part.bytes().as_ptr().addr() + part.size());
        for names in [PerfNames::Kernels, PerfNames::Lines] {
            let mut parts = code.parts().map(bounds);
            let (mut at, mut end) = parts.next().expect("there is code");
            let mut lines = Vec::new();
            let map = entries(names, &kernel, &program, &code);
            for line in map.lines() {
                let mut words = line.splitn(3, ' ');
                let mut number = || usize::from_str_radix(words.next().unwrap_or(""), 16).expect("a number");
                let (from, size) = (number(), number());
                if at == end {
                    (at, end) = parts.next().expect("it is a part of the code");
                }
                assert_eq!(from, at);
                at += size;
                lines.push(words.next().expect("a name"));
            }
            assert_eq!((at, parts.next()), (end, None));
            assert!(lines.iter().all(|line| line.starts_with("tilewise::scale (width ")), "{map}");
            assert_eq!(lines.iter().any(|line| line.ends_with("k.kir:4")), names == PerfNames::Lines, "{map}");
        }
    }
}
