//! The options of a race, the same for `cargo bench --bench peers` and `tilewise bench`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use tilewise_peers::PeerWork;

use super::row::By;

/// Runs of each contestant.
const RUNS: usize = 5;
/// Cores, and workers on them.
const THREADS: usize = 2;

/// Options of a race.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "The race of all kernels")]
pub struct RaceOptions {
    /// Only this kernel; may be given again
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = work_parser(), hide_possible_values = true)]
    pub only: Vec<PeerWork>,
    /// Accelerators that take part; the first one is compared with the others. `jit` and the real GPUs if left out
    #[arg(long, value_name = "ACCELERATOR", value_delimiter = ',')]
    pub on: Vec<String>,
    /// Runs of each contestant, which take turns; 5 if left out
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1000))]
    pub runs: Option<usize>,
    /// One run of each contestant
    #[arg(long, conflicts_with = "runs")]
    pub quick: bool,
    /// Cores that all contestants are held to, and workers on them; 2 if left out
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=4096))]
    pub threads: Option<usize>,
    /// Compare the shortest runs, not the medians: for a machine that others use too
    #[arg(long)]
    pub shortest: bool,
    /// The small sizes of the tests, without other programs and drivers: to see that it works
    #[arg(long)]
    pub small: bool,
    /// Write all results to this file, for programs and for `--compare`
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a page for people to this file: bar charts, and needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Compare with the results of an earlier race, a file of `--json`; the exit code is 1 if an accelerator is slower beyond the noise of both
    #[arg(long, value_name = "OLD.json")]
    pub compare: Option<PathBuf>,
}

impl RaceOptions {
    /// Runs of each contestant.
    pub fn run_count(&self) -> usize {
        if self.quick { 1 } else { self.runs.unwrap_or(RUNS) }
    }

    /// Cores, and workers on them.
    pub fn thread_count(&self) -> usize {
        self.threads.unwrap_or(THREADS)
    }

    /// The run that represents a contestant.
    pub fn by(&self) -> By {
        if self.shortest { By::Shortest } else { By::Median }
    }

    /// The kernels, each once, in the order of the table.
    pub fn works(&self) -> Vec<PeerWork> {
        PeerWork::ALL.into_iter().filter(|work| self.only.is_empty() || self.only.contains(work)).collect()
    }

    /// An option that is given, if any is.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            (!self.only.is_empty(), "--only"),
            (!self.on.is_empty(), "--on"),
            (self.runs.is_some(), "--runs"),
            (self.quick, "--quick"),
            (self.threads.is_some(), "--threads"),
            (self.shortest, "--shortest"),
            (self.small, "--small"),
            (self.json.is_some(), "--json"),
            (self.html.is_some(), "--html"),
            (self.compare.is_some(), "--compare"),
        ];
        given.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }
}

fn work_parser() -> impl TypedValueParser<Value = PeerWork> {
    // The previous parser accepts only names of work.
    PossibleValuesParser::new(PeerWork::ALL.map(PeerWork::name))
        .map(|name| PeerWork::of_name(&name).unwrap_or(PeerWork::VectorAdd))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Parser, Debug)]
    struct OnlyRace {
        #[command(flatten)]
        race: RaceOptions,
    }

    fn parsed(arguments: &[&str]) -> Result<RaceOptions, String> {
        let all = [&["race"][..], arguments].concat();
        OnlyRace::try_parse_from(all).map(|parsed| parsed.race).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let options = parsed(&[]).expect("nothing is needed");
        assert_eq!((options.run_count(), options.thread_count(), options.by()), (5, 2, By::Median));
        assert_eq!(options.works(), PeerWork::ALL);
        assert_eq!(options.first_given(), None);
    }

    #[test]
    fn kernels_are_named_once_and_in_the_order_of_the_table() {
        let options = parsed(&["--only", "scan,vadd", "--only", "scan", "--quick"]).expect("they are names");
        assert_eq!(options.works(), [PeerWork::VectorAdd, PeerWork::Scan]);
        assert_eq!((options.run_count(), options.first_given()), (1, Some("--only")));
        let error = parsed(&["--only", "skan"]).expect_err("there is none");
        assert!(error.contains("possible values: vadd, saxpy") && error.contains("'scan'"), "{error}");
        assert!(parsed(&["--runs", "0"]).is_err() && parsed(&["--quick", "--runs", "3"]).is_err());
    }

    #[test]
    fn each_option_is_known_as_given() {
        for argument in OnlyRace::command().get_arguments().filter(|argument| argument.get_id() != "help") {
            let option = format!("--{}", argument.get_long().expect("all are long"));
            let value = match option.as_str() {
                "--only" => "vadd",
                "--quick" | "--shortest" | "--small" => "",
                _ => "1",
            };
            let words: Vec<&str> = [option.as_str(), value].into_iter().filter(|word| !word.is_empty()).collect();
            assert_eq!(parsed(&words).expect("it is right").first_given(), Some(option.as_str()));
        }
    }
}
