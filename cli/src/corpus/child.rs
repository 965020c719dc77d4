//! The process that judges one file. It writes one line for each entry point as soon as that is
//! judged.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tilewise::import::ShaderModule;
use tilewise::ir::diag::Diagnostic;
use tilewise_conformance::amber::{SCRIPT_ENTRY, is_script, judge_script};
use tilewise_conformance::shader_corpus::{CorpusOptions, judge};
use tilewise_conformance::target::SuiteTarget;

use super::record::ChildLine;
use crate::console::{CommandError, Console};
use crate::shader::{DispatchOption, dispatch_parser};
use crate::source::{self, SourceContents};

#[derive(Args, Debug)]
pub(crate) struct ChildArgs {
    file: PathBuf,
    /// Entry points that are judged already
    #[arg(long)]
    skip: usize,
    #[arg(long, value_delimiter = ',', value_parser = crate::target_parser())]
    target: Vec<SuiteTarget>,
    #[arg(long, value_parser = dispatch_parser)]
    dispatch: DispatchOption,
    /// Seconds
    #[arg(long)]
    time: u64,
}

/// Judges the entry points of a file from the one with number `skip` on.
pub(crate) fn child(args: &ChildArgs, console: &mut Console) -> Result<bool, CommandError> {
    // What panics is told by the parent.
    std::panic::set_hook(Box::new(|_| {}));
    // The parent has read the bytes: it is what they are that is wrong.
    let (name, contents) = match source::contents(&args.file) {
        Ok(read) => read,
        Err(error) => return say(&ChildLine::Unreadable(error.message), console),
    };
    let mut options =
        CorpusOptions { dispatch: args.dispatch.0, time: Duration::from_secs(args.time), ..CorpusOptions::default() };
    if !args.target.is_empty() {
        options.targets.clone_from(&args.target);
    }
    if let (SourceContents::Text(text), true) = (&contents, is_script(&name)) {
        return script(&name, text, &options, console);
    }
    let module = match &contents {
        SourceContents::Text(text) => ShaderModule::from_wgsl(&name, text),
        SourceContents::SpirV(bytes) => ShaderModule::from_spirv(&name, bytes),
    };
    let module = match module {
        Ok(module) => module,
        Err(error) => {
            let first = error.diagnostics.first();
            let line = first.and_then(Diagnostic::pos).filter(|pos| pos.is_known()).map(|pos| pos.line);
            let place = line.map_or(String::new(), |line| format!("line {line}: "));
            let message = first.map_or("", |first| first.message.as_str());
            return say(&ChildLine::Unreadable(format!("{place}{message}")), console);
        }
    };
    let entries: Vec<String> = module.entry_points().map(str::to_owned).collect();
    say(&ChildLine::Entries(entries.clone()), console)?;
    for entry in entries.iter().skip(args.skip) {
        say(&ChildLine::Judged(judge(&module, entry, &options).into()), console)?;
    }
    Ok(true)
}

/// Judges a script of Amber, which counts as one entry point.
fn script(name: &str, text: &str, options: &CorpusOptions, console: &mut Console) -> Result<bool, CommandError> {
    say(&ChildLine::Entries(vec![SCRIPT_ENTRY.to_owned()]), console)?;
    match judge_script(name, text, options) {
        Ok(report) => say(&ChildLine::Judged(report.into()), console),
        Err(message) => say(&ChildLine::Unreadable(message), console),
    }
}

fn say(line: &ChildLine, console: &mut Console) -> Result<bool, CommandError> {
    let text = serde_json::to_string(line)
        .map_err(|error| CommandError::new(error.to_string(), "this is a bug of Tilewise"))?;
    console.line(text);
    console.flush();
    Ok(true)
}
