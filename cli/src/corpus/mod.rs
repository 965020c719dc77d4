//! `tilewise corpus`: judges every entry point of every shader in a folder.
//!
//! Each file is judged by a process of its own ([`child`]), which reports entry by entry, so that a
//! shader that crashes or never ends costs its own row and nothing else: [`parent`] ends it at the
//! time limit and goes on with the next entry point. Files of equal contents and of one kind are judged once. A script
//! of Amber counts as one entry point: it is judged as a whole, by its own inputs and expectations.

mod child;
mod parent;
mod record;
mod table;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tilewise::ir::limits::MAX_TEXT;
use tilewise_conformance::amber::is_script;
use tilewise_conformance::input_file;
use tilewise_conformance::kir::shader::is_shader;
use tilewise_conformance::shell_word::shell_word;
use tilewise_conformance::target::SuiteTarget;

use crate::console::{CommandError, Console, Paint};
use crate::fuzz::time_parser;
use crate::host;
use crate::report_file::ReportFile;
use crate::shader::{DispatchOption, dispatch_parser};
use crate::{each_once, missing_of};
use record::{CorpusFile, CorpusJson};

pub(crate) use child::{ChildArgs, child};

#[derive(Args, Debug)]
pub(crate) struct CorpusArgs {
    /// Folders and files of shaders, `.wgsl` and `.spv`, and of scripts of Amber, `.amber`; folders with all that is in them
    #[arg(required = true, value_name = "DIR")]
    paths: Vec<PathBuf>,
    /// Write the result of each entry point to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Targets that are compared with the reference accelerator; `jit-clif`, `jit-avx2`, `jit-avx512` and `lanes-8` as far as this processor runs them, if left out
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = crate::target_parser())]
    target: Vec<SuiteTarget>,
    /// Workgroups to run, x first
    #[arg(long, value_name = "COUNTS", default_value = "2", value_parser = dispatch_parser)]
    dispatch: DispatchOption,
    /// The time that an entry point may take
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time_parser)]
    time: Duration,
    /// Processes at a time; as many as this machine has cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
}

/// Judges a corpus; true if targets agree on all that ran, each named target ran something, and each file could be
/// read.
pub(crate) fn corpus(args: &CorpusArgs, console: &mut Console) -> Result<bool, CommandError> {
    if args.dispatch.0.contains(&0) {
        let help = "write `--dispatch` with at least 1 workgroup in each dimension";
        return Err(CommandError::new("a dispatch of no workgroups runs nothing that could be compared", help));
    }
    let json = ReportFile::prepare_if_named("--json", args.json.as_ref())?;
    let mut files = Vec::new();
    for path in &args.paths {
        find(path, &mut files).map_err(|error| {
            let help = "name folders and files that can be read";
            CommandError::new(format!("cannot read `{}`: {error}", path.display()), help)
        })?;
    }
    files.sort();
    files.dedup();
    if files.is_empty() {
        let message = "there are no shaders here";
        return Err(CommandError::new(
            message,
            "shaders are files that end in `.wgsl` or `.spv`, and scripts of Amber in `.amber`",
        ));
    }
    if let Some(json) = &json {
        files.iter().try_for_each(|file| json.spares(file))?;
    }
    let judged = all(&files, args);
    console.text(table::table(&judged, console));
    if let Some(file) = json {
        let report = CorpusJson::new(&judged);
        let text = serde_json::to_string_pretty(&report).map_err(|error| {
            CommandError::new(format!("the report cannot be written as JSON: {error}"), "this is a bug of Tilewise")
        })?;
        file.write(&(text + "\n"))?;
    }
    let is_empty = judged.iter().all(|file| file.entries.is_empty());
    if is_empty {
        let word = console.paint("FAILED:", Paint::Red);
        console.line(format_args!("{word} no entry point was judged"));
    }
    // A named target that is missing, or ran no entry point, agrees with nothing.
    let mut without = missing_of(&args.target);
    for target in each_once(&args.target) {
        let is_left_out = without.iter().any(|(missing, _)| *missing == target);
        if !is_empty && !is_left_out && !compared(&judged, target) {
            without.push((target, why_not_compared(&judged, target)));
        }
    }
    for (target, reason) in &without {
        console.nothing_run(target, reason);
    }
    Ok(!is_empty && without.is_empty() && !judged.iter().any(CorpusFile::is_failure))
}

/// Was the target compared on any entry point? One that crashed or did not end may have been.
fn compared(judged: &[CorpusFile], target: SuiteTarget) -> bool {
    let name = target.to_string();
    let mut entries = judged.iter().flat_map(|file| &file.entries);
    entries.any(|entry| entry.ended_early() || entry.compared.contains(&name))
}

/// Why a target was compared on no entry point, where the entry points tell.
fn why_not_compared(judged: &[CorpusFile], target: SuiteTarget) -> String {
    let said = format!("not compared on {target}: ");
    let mut entries = judged.iter().flat_map(|file| &file.entries);
    let told = entries.find_map(|entry| entry.reason.split("; ").find_map(|part| part.strip_prefix(&said)));
    told.unwrap_or("none of the entry points above was compared").to_owned()
}

/// Adds a file, or all shaders of a folder.
fn find(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        fs::metadata(path)?;
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        // A link to a folder might lead in a circle.
        if entry.file_type()?.is_dir() {
            find(&entry.path(), files)?;
        } else if is_shader(&entry.path().to_string_lossy()) || is_script(&entry.path().to_string_lossy()) {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Judges all files, several at a time; the results are in the order of the files.
fn all(files: &[PathBuf], args: &CorpusArgs) -> Vec<CorpusFile> {
    let bar = ProgressBar::with_draw_target(Some(files.len() as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let judged: Mutex<Vec<(usize, CorpusFile)>> = Mutex::new(Vec::new());
    let seen: Mutex<SeenFiles> = Mutex::new(HashMap::new());
    let work = || {
        while let Some((number, path)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            files.get(number).map(|path| (number, path))
        } {
            bar.set_message(path.display().to_string());
            let done = one(path, &seen, args);
            bar.inc(1);
            judged.lock().unwrap_or_else(PoisonError::into_inner).push((number, done));
        }
    };
    let jobs = args.jobs.map_or_else(host::threads, |jobs| jobs as usize).clamp(1, files.len());
    std::thread::scope(|scope| (0..jobs).for_each(|_| _ = scope.spawn(work)));
    bar.finish_and_clear();
    let mut judged = judged.into_inner().unwrap_or_else(PoisonError::into_inner);
    judged.sort_by_key(|entry| entry.0);
    judged.into_iter().map(|entry| entry.1).collect()
}

/// The first file of each hash and kind.
type SeenFiles = HashMap<(u64, FileKind), PathBuf>;

/// What the name of a file says of its contents.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum FileKind {
    Script,
    SpirV,
    /// WGSL, or SPIR-V if it begins so.
    Other,
}

impl FileKind {
    fn of(name: &str) -> FileKind {
        match name {
            name if is_script(name) => FileKind::Script,
            name if name.ends_with(".spv") => FileKind::SpirV,
            _ => FileKind::Other,
        }
    }
}

fn one(path: &Path, seen: &Mutex<SeenFiles>, args: &CorpusArgs) -> CorpusFile {
    let name = path.display().to_string();
    // To open a pipe waits for who writes into it, whatever the time limit.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return CorpusFile::unreadable(name, "cannot be read: it is no ordinary file".to_owned());
    }
    if name.ends_with(".kir") {
        let here = if name.starts_with('-') { "./" } else { "" };
        let command = format!("tilewise verify {here}{}", shell_word(&name));
        let reason = format!("is a kernel, and this judges shaders: `{command}` runs it");
        return CorpusFile::unreadable(name, reason);
    }
    let bytes = match input_file::bytes(path, MAX_TEXT as u64) {
        Ok(bytes) => bytes,
        Err(error) => return CorpusFile::unreadable(name, format!("cannot be read: {error}")),
    };
    let hash = hash_of(&bytes);
    let key = (hash, FileKind::of(&name));
    let mut known = seen.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(same) = known.get(&key) {
        return CorpusFile::same_as(name, hash, same.display().to_string());
    }
    known.insert(key, path.to_owned());
    drop(known);
    let (unread, entries) = parent::judge(path, args);
    CorpusFile::new(name, format!("{hash:016x}"), unread, entries)
}

/// FNV-1a: tells files apart, and nothing else depends on it.
fn hash_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
