//! `tilewise bench`: without a file, the race of all kernels beside other ways to compute the same; with one, how long
//! its launches take.

mod file;
mod race;

use std::path::PathBuf;

use clap::Args;
use tilewise_benches::harness::options::RaceOptions;

use crate::console::{CommandError, Console};
use file::FileArgs;

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// The kernel's or shader's file; `-` is standard input. If left out, all kernels of the benchmarks race with their peers
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    race: RaceOptions,
    #[command(flatten)]
    launches: FileArgs,
}

/// Times a file, or all kernels; true if all ran, and nothing is slower than in the race to compare with.
pub(crate) fn bench(args: &BenchArgs, console: &mut Console) -> Result<bool, CommandError> {
    match &args.file {
        Some(path) => match args.race.first_given() {
            None => file::bench(path, &args.launches, console),
            Some(option) => {
                let message =
                    format!("`{option}` is about the race of all kernels, and `{}` is one file", path.display());
                Err(CommandError::new(
                    message,
                    format!("leave out one of them; `tilewise bench {option} ..` is the race"),
                ))
            }
        },
        None => match args.launches.first_given() {
            None => race::race(&args.race, console),
            Some(option) => {
                let message = format!("`{option}` is about the launches of a file, and none is named");
                let help = format!(
                    "write `tilewise bench FILE {option} ..`; the race of all kernels has `--on` for accelerators and `--only` \
                     for kernels"
                );
                Err(CommandError::new(message, help))
            }
        },
    }
}
