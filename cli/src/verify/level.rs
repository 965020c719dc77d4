//! How much of the sweep `tilewise verify` runs.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use tilewise_conformance::sweep::{ResumeFile, SweepLevel};

use crate::console::CommandError;

/// The arguments of the command line.
#[derive(Args, Debug)]
pub(crate) struct LevelArgs {
    /// How much of the sweep over the operation table runs: `quick`, edge values and 2^10 random operands per cell; `std`, 2^20 per row; `full`, also all
    /// small operands, and all 2^32 of rows of one `f32` on `jit`
    #[arg(long, value_name = "LEVEL", default_value = "quick", value_parser = level_parser())]
    pub(super) level: SweepLevel,
    /// Keep the progress of the sweep in this file: cells that have passed are not run again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "tolerance", "relative"])]
    resume: Option<PathBuf>,
}

impl LevelArgs {
    /// The name of the file of progress.
    pub(super) fn resume(&self) -> &Option<PathBuf> {
        &self.resume
    }

    /// The file of progress, if one is named.
    pub(super) fn resume_file(&self) -> Result<Option<ResumeFile>, CommandError> {
        let open = |path: &PathBuf| {
            ResumeFile::open(path).map_err(|message| {
                CommandError::new(message, "name a file of an earlier `--resume`, or one that does not exist yet")
            })
        };
        self.resume.as_ref().map(open).transpose()
    }
}

pub(crate) fn level_parser() -> impl clap::builder::TypedValueParser<Value = SweepLevel> {
    let names = SweepLevel::ALL.map(SweepLevel::name);
    // The previous parser accepts only names of levels.
    PossibleValuesParser::new(names).map(|name| SweepLevel::by_name(&name).unwrap_or_default())
}
