//! `--cases FILE`: the cases that a file lists, a line for each, `NAME@TARGET`.

use std::collections::HashMap;
use std::path::Path;

use tilewise_conformance::input_file;
use tilewise_conformance::library::{self, LibraryCase};
use tilewise_conformance::suite::{self, SuiteCase};
use tilewise_conformance::sweep::SweepLevel;
use tilewise_conformance::target::SuiteTarget;

use crate::console::CommandError;

/// The cases of a list, in its order. Each must exist on this machine.
pub(super) fn read(path: &Path, level: SweepLevel) -> Result<(Vec<SuiteCase>, Vec<LibraryCase>), CommandError> {
    let text = input_file::text(path).map_err(|error| {
        let message = format!("cannot read `{}`: {error}", path.display());
        CommandError::new(message, "name a file that lists cases, a line for each: NAME@TARGET")
    })?;
    let files: HashMap<(&str, &str), SuiteCase> = suite::select(None, SuiteTarget::BUILT, level)
        .into_iter()
        .map(|case| ((case.name, case.target.name()), case))
        .collect();
    let mut checks = None;
    let (mut cases, mut listed_checks) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let id = line.split('#').next().unwrap_or_default().trim();
        if id.is_empty() {
            continue;
        }
        let unknown = |why: &str| {
            let message = format!("line {number} of `{}`: {why}: `{id}`", path.display());
            CommandError::new(message, "`tilewise list` shows all cases; an id is NAME@TARGET")
        };
        let Some((name, on)) = id.rsplit_once('@') else { return Err(unknown("there is no `@`")) };
        if let Some(&case) = files.get(&(name, on)) {
            cases.push(case);
            continue;
        }
        // The accelerators are looked for only if there is a check.
        let checks = checks.get_or_insert_with(|| library::select(None));
        let check = checks.iter().find(|case| case.check.name == name && case.accelerator.path() == on);
        listed_checks.push(check.cloned().ok_or_else(|| unknown("there is no such case on this machine"))?);
    }
    if cases.is_empty() && listed_checks.is_empty() {
        let message = format!("`{}` lists no case", path.display());
        return Err(CommandError::new(message, "a list has a line for each case: NAME@TARGET"));
    }
    Ok((cases, listed_checks))
}
