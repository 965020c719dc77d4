//! What becomes of a launch's results on the command line: saved to files, compared with files or
//! numbers, with a tolerance if one is given.

use std::path::Path;

use clap::Args;
use tilewise::ir::launch::LaunchMemory;
use tilewise::ir::types::Stored;
use tilewise_conformance::kir::bind::{BoundRun, NamedData};
use tilewise_conformance::kir::header::InputPlace;
use tilewise_conformance::kir::{data, value};
use tilewise_conformance::tolerance::Tolerance;

use crate::console::CommandError;
use crate::data_file::{DataFile, contents_of, file_bytes, is_data_file, saved_format};
use crate::launch_inputs::from_text;
use crate::report_file::ReportFile;
use crate::shader::{KernelFile, bound_name};

/// What to do with results.
#[derive(Args, Debug, Default)]
pub(crate) struct ResultArgs {
    /// What a parameter must hold after the run: 'out = 1 2 3', from a file, 'out = right.npy', or of a shader's binding, `0.1=right.npy`
    #[arg(long, value_name = "NAME=CONTENTS")]
    expect: Vec<String>,
    #[command(flatten)]
    pub(crate) tolerance: ToleranceArgs,
}

/// Files for results.
#[derive(Args, Debug, Default)]
pub(crate) struct SaveArgs {
    /// Write the contents of a parameter after the run to a file: `out=out.npy` (also `.json`, and bytes as `.bin` or `.raw`), or of a shader's binding, `0.1=out.npy`
    #[arg(long, value_name = "NAME=FILE")]
    save: Vec<String>,
}

impl SaveArgs {
    /// Is nothing to be saved?
    pub(crate) fn is_empty(&self) -> bool {
        self.save.is_empty()
    }
}

/// By how much numbers may differ.
#[derive(Args, Debug, Default, Clone, Copy)]
pub(crate) struct ToleranceArgs {
    /// The difference that floats may have from the expected ones; by default none: the same bits, but any NaN equals any NaN
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, value_parser = tolerance_parser)]
    tolerance: Option<f64>,
    /// The same as a part of the expected number, added to `--tolerance`: 1e-3 is a thousandth
    #[arg(long, value_name = "PART", allow_hyphen_values = true, value_parser = tolerance_parser)]
    relative: Option<f64>,
}

fn tolerance_parser(word: &str) -> Result<f64, String> {
    let number = word.parse().ok().filter(|number: &f64| *number >= 0.0 && number.is_finite());
    number.ok_or_else(|| "write a number that is not negative, such as 1e-6".to_owned())
}

impl ToleranceArgs {
    /// Is there any?
    pub(crate) fn is_given(self) -> bool {
        self.first_given().is_some()
    }

    /// An option that is given, if any is.
    pub(crate) fn first_given(self) -> Option<&'static str> {
        let given = [(self.tolerance.is_some(), "--tolerance"), (self.relative.is_some(), "--relative")];
        given.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }

    /// The tolerance that the command line states.
    pub(crate) fn tolerance(self) -> Tolerance {
        Tolerance { absolute: self.tolerance.unwrap_or(0.0), relative: self.relative.unwrap_or(0.0) }
    }
}

/// The maximum number of differing scalars that are listed.
const LISTED: usize = 8;

/// How far two scalars are apart; nothing if one is NaN. Integers of 64 bits are not rounded before.
fn distance(want: u64, got: u64, stored: Stored) -> Option<f64> {
    let off = match stored {
        Stored::I64 => (i128::from(want as i64) - i128::from(got as i64)) as f64,
        Stored::U64 => (i128::from(want) - i128::from(got)) as f64,
        Stored::Bool
        | Stored::I8
        | Stored::U8
        | Stored::I16
        | Stored::U16
        | Stored::I32
        | Stored::U32
        | Stored::F16
        | Stored::F32
        | Stored::F64 => value::number(want, stored) - value::number(got, stored),
    };
    Some(off.abs()).filter(|off| !off.is_nan())
}

/// How memory differs from what it is to hold, in lines.
pub(crate) fn differing(object: &NamedData, want: &[u64], got: &[u64], tolerance: Tolerance) -> Option<String> {
    let types = object.types();
    let wrong: Vec<usize> = (0..types.len()).filter(|&i| !tolerance.allows(want[i], got[i], types[i])).collect();
    wrong.first()?;
    let mut out = format!("`{}` differs in {} of {} numbers", object.own_name, wrong.len(), types.len());
    let all = wrong.iter().filter_map(|&i| Some((i, distance(want[i], got[i], types[i])?)));
    if let Some((worst, off)) = all.reduce(|worst, one| if one.1 > worst.1 { one } else { worst }) {
        out += &format!(", most at {}, by {off:e}", object.index(worst));
    }
    for &i in wrong.iter().take(LISTED) {
        let (want, got) = (value::show(want[i], types[i]), value::show(got[i], types[i]));
        out += &format!("\n  {}{}: expected {want}, got {got}", object.own_name, object.index(i));
    }
    if wrong.len() > LISTED {
        out += &format!("\n  and {} more", wrong.len() - LISTED);
    }
    Some(out)
}

/// Name and value of an option `NAME=VALUE`, where the name may be a binding's group and number.
fn named<'t>(file: &KernelFile, option: &str, text: &'t str) -> Result<(String, &'t str), CommandError> {
    let help = format!("write `{option} out=out.npy`, or for a shader's binding `{option} 0.1=out.npy`");
    let (name, value) =
        text.split_once('=').ok_or_else(|| CommandError::new(format!("`{option} {text}` has no `=`"), help.clone()))?;
    let name = name.trim();
    let is_slot = name.starts_with(|c: char| c.is_ascii_digit());
    let shader = &file.file.shader;
    let name = match is_slot {
        true => bound_name(file, option, name, &help)?,
        false if let Some((message, help)) = shader.ambiguity(name) => return Err(CommandError::new(message, help)),
        false => shader.param_of(name).to_owned(),
    };
    Ok((name, value.trim()))
}

fn object<'b>(bound: &'b BoundRun, name: &str) -> Result<&'b NamedData, CommandError> {
    bound.objects.iter().find(|object| object.name == name).ok_or_else(|| {
        let names: Vec<String> = bound.objects.iter().map(|object| format!("`{}`", object.own_name)).collect();
        let help = match names.as_slice() {
            [] => "the run has no memory".to_owned(),
            _ => format!("memory is: {}", names.join(", ")),
        };
        CommandError::new(format!("there is no memory called `{name}`"), help)
    })
}

/// What memory must hold after a run.
#[derive(Debug)]
pub(crate) struct ExpectedContents<'b> {
    object: &'b NamedData,
    bits: Vec<u64>,
    /// Where the numbers come from.
    from: String,
}

impl ResultArgs {
    /// Does the command line expect nothing?
    pub(crate) fn is_empty(&self) -> bool {
        self.expect.is_empty()
    }

    /// What the command line expects; read before the run, so that a mistake in it costs no time.
    pub(crate) fn expected<'b>(
        &self,
        file: &KernelFile,
        bound: &'b BoundRun,
    ) -> Result<Vec<ExpectedContents<'b>>, CommandError> {
        self.expect.iter().map(|text| one_expected(file, bound, text)).collect()
    }
}

fn one_expected<'b>(file: &KernelFile, bound: &'b BoundRun, text: &str) -> Result<ExpectedContents<'b>, CommandError> {
    let (name, contents) = named(file, "--expect", text)?;
    let object = object(bound, &name)?;
    if is_data_file(contents) {
        let bits = contents_of(&DataFile::read(contents)?, object)?;
        return Ok(ExpectedContents { object, bits, from: contents.to_owned() });
    }
    let bad = |message: String, help: String| CommandError::new(format!("in `--expect '{text}'`: {message}"), help);
    let inputs =
        from_text(&format!("{name} = {contents}"), 0).map_err(|complaint| bad(complaint.message, complaint.help))?;
    let Some(InputPlace::Own(data)) = inputs.first().map(|input| &input.place) else {
        return Err(bad("these are no numbers".to_owned(), "write `--expect 'out = 1 2 3'`".to_owned()));
    };
    let bits = data::fill(data, &object.types()).map_err(|complaint| bad(complaint.message, complaint.help))?;
    Ok(ExpectedContents { object, bits, from: contents.to_owned() })
}

impl ExpectedContents<'_> {
    /// How memory differs from it.
    pub(crate) fn difference(&self, after: &LaunchMemory, tolerance: Tolerance) -> Option<String> {
        let found = differing(self.object, &self.bits, &self.object.contents(after), tolerance)?;
        let from = if is_data_file(&self.from) { format!("from `{}`, ", self.from) } else { String::new() };
        Some(format!("{from}{found}"))
    }

    /// Are all numbers equal to it that are no floats?
    pub(crate) fn holds_beside_floats(&self, after: &LaunchMemory) -> bool {
        let (types, got) = (self.object.types(), self.object.contents(after));
        let numbers = types.iter().zip(self.bits.iter().zip(&got));
        numbers.into_iter().all(|(ty, (want, got))| ty.value().is_float() || want == got)
    }
}

impl SaveArgs {
    /// The memory and the files of the command line.
    pub(crate) fn targets<'b>(
        &self,
        file: &KernelFile,
        bound: &'b BoundRun,
    ) -> Result<Vec<SavedData<'b>>, CommandError> {
        let mut saved: Vec<SavedData<'b>> = Vec::new();
        for text in &self.save {
            let (name, path) = named(file, "--save", text)?;
            if !is_data_file(path) {
                let message = format!("`{path}` is no name of a file for numbers");
                return Err(CommandError::new(message, "it ends in `.npy`, `.json`, `.bin` or `.raw`"));
            }
            let object = object(bound, &name)?;
            saved_format(path, object)?;
            let file = ReportFile::prepare("--save", Path::new(path))?;
            saved.iter().try_for_each(|other| file.differs_from(&other.file))?;
            saved.push(SavedData { object, name: path.to_owned(), file });
        }
        Ok(saved)
    }
}

/// Memory that a run leaves in a file.
#[derive(Debug)]
pub(crate) struct SavedData<'b> {
    object: &'b NamedData,
    /// The file's name, which says its format.
    name: String,
    file: ReportFile,
}

impl SavedData<'_> {
    /// Writes the file.
    pub(crate) fn write(self, after: &LaunchMemory) -> Result<(), CommandError> {
        self.file.write(file_bytes(&self.name, self.object, after)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_differ_are_apart() {
        let large = 9_007_199_254_740_993;
        assert_eq!(distance(large, large - 1, Stored::I64), Some(1.0));
        assert_eq!(distance(u64::MAX, 0, Stored::U64), Some(18_446_744_073_709_551_615.0));
        assert_eq!(distance(u64::MAX, 0, Stored::I64), Some(1.0));
        let [one, nan] = [1.0, f32::NAN].map(|x| u64::from(x.to_bits()));
        assert_eq!((distance(one, nan, Stored::F32), distance(one, 0, Stored::F32)), (None, Some(1.0)));
    }
}
