//! `tilewise completions` and `tilewise man`: files for shells and for `man`, made from the same
//! description of the command line that parses it. Commands that the program keeps for itself are
//! left out.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use tilewise_conformance::whole_file;

use crate::CommandLine;
use crate::console::{CommandError, Console};

#[derive(Args, Debug)]
pub(crate) struct CompletionArgs {
    /// The shell
    shell: Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The command whose page is printed; the program's own page if left out
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Option<String>,
    /// Write all pages to this folder, which is made if it is missing: `tilewise.1`, and one for each command
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const NAME: &str = "tilewise";

/// The command line as users see it. Completions list hidden commands too, so they are left out here.
fn visible() -> clap::Command {
    let full = CommandLine::command();
    let commands: Vec<clap::Command> = full.get_subcommands().filter(|one| !one.is_hide_set()).cloned().collect();
    let mut out = clap::Command::new(NAME).version(env!("CARGO_PKG_VERSION")).subcommands(commands);
    out = match full.get_about() {
        Some(about) => out.about(about.clone()),
        None => out,
    };
    match full.get_after_help() {
        Some(help) => out.after_help(help.clone()),
        None => out,
    }
}

/// Prints the completions for a shell.
pub(crate) fn completions(args: &CompletionArgs, console: &mut Console) -> Result<bool, CommandError> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut visible(), NAME, &mut text);
    console.text(String::from_utf8_lossy(&text));
    Ok(true)
}

/// Prints a page of the manual, or writes all to a folder.
pub(crate) fn man(args: &ManArgs, console: &mut Console) -> Result<bool, CommandError> {
    // The commands get their full names, `tilewise-verify`; `help` has no page.
    let mut program = visible().disable_help_subcommand(true);
    program.build();
    let Some(folder) = &args.out else {
        let page = match &args.command {
            None => program,
            Some(name) => {
                let found = program.get_subcommands().find(|one| one.get_name() == name);
                found.cloned().ok_or_else(|| unknown(&program, name))?
            }
        };
        console.text(String::from_utf8_lossy(&rendered(page)?.1));
        return Ok(true);
    };
    std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    let commands: Vec<clap::Command> = program.get_subcommands().cloned().collect();
    for command in std::iter::once(program).chain(commands) {
        let (name, page) = rendered(command)?;
        let path = folder.join(name);
        whole_file::replace(&path, &page).map_err(|error| unwritten(&path, &error))?;
        console.line(path.display());
    }
    Ok(true)
}

/// File name and text of the page of a command.
fn rendered(command: clap::Command) -> Result<(String, Vec<u8>), CommandError> {
    let source = format!("{NAME} {}", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command).source(source).manual("Tilewise");
    let mut text = Vec::new();
    page.render(&mut text)
        .map_err(|error| CommandError::new(format!("the page cannot be made: {error}"), "this is a bug of Tilewise"))?;
    Ok((page.get_filename(), text))
}

fn unknown(program: &clap::Command, name: &str) -> CommandError {
    let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    CommandError::new(format!("there is no command `{name}`"), format!("the commands are: {}", names.join(", ")))
}

fn unwritten(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::new(format!("cannot write `{}`: {error}", path.display()), "name another folder")
}
