//! A race from its options to its result: the contestants, all rows, and what disturbed.

use std::time::{Instant, SystemTime};

use tilewise::Accelerator;
use tilewise_peers::{PeerWork, pool};

use super::compare::{RaceChanges, comparable};
use super::contestant::{AbsentPeer, Contestant};
use super::listener::{RaceListener, RaceStep};
use super::machine::{self, MachineRecord};
use super::noise::{LIMITS, NoiseMeter};
use super::options::RaceOptions;
use super::record::{ContestantRecord, RaceRecord, RaceSettings, RowRecord};
use super::row::{BenchRow, RowPhase};
use super::{page, program, report, row};
use crate::cores;
#[cfg(feature = "drivers")]
use crate::drivers::{Driver, DriverKind};

/// The reason why there is no race, and how to fix it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceError {
    /// The reason.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl RaceError {
    /// Made of texts.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> RaceError {
        RaceError { message: message.into(), help: help.into() }
    }
}

/// A race that can begin: its options are right.
pub struct ReadyRace<'o> {
    options: &'o RaceOptions,
    settings: RaceSettings,
    machine: MachineRecord,
    accelerators: Vec<Accelerator>,
    /// The earlier race to compare with.
    old: Option<RaceRecord>,
    /// Why the program is not held to its cores, if it is not.
    not_held: Option<String>,
}

/// A race that has ended.
pub struct EndedRace {
    /// Its result.
    pub record: RaceRecord,
    /// What changed since an earlier one.
    pub changes: Option<RaceChanges>,
    is_wrong: bool,
}

impl EndedRace {
    /// The page.
    pub fn page(&self) -> String {
        page::page(&self.record, self.changes.as_ref())
    }

    /// Are all results right, and is nothing slower than in the earlier race?
    ///
    /// # Errors
    /// What is wrong.
    pub fn verdict(&self) -> Result<(), String> {
        if self.is_wrong {
            return Err("there are wrong results".into());
        }
        match self.changes.as_ref().map_or(0, |changes| changes.regressions().len()) {
            0 => Ok(()),
            1 => Err("a time is worse than in the earlier race".into()),
            count => Err(format!("{count} times are worse than in the earlier race")),
        }
    }
}

impl<'o> ReadyRace<'o> {
    /// Tests the options, reads the race to compare with, and holds the program to its cores: it starts itself once
    /// more for that, so nothing may have begun before.
    ///
    /// # Errors
    /// If the options cannot be followed.
    pub fn new(options: &'o RaceOptions) -> Result<ReadyRace<'o>, RaceError> {
        let machine = MachineRecord::this();
        let mut settings = RaceSettings {
            threads: options.thread_count(),
            cores: None,
            runs: options.run_count(),
            compared: options.by(),
            small: options.small,
            release: !cfg!(debug_assertions),
        };
        let old = options.compare.as_deref().map(RaceRecord::read).transpose()?;
        if let Some(old) = &old {
            comparable(old, &machine, &settings)?;
        }
        let not_held = cores::hold_to(settings.threads).err();
        settings.cores = cores::held();
        let accelerators = accelerators(&options.on)?;
        Ok(ReadyRace { options, settings, machine, accelerators, old, not_held })
    }

    /// Runs it.
    ///
    /// # Errors
    /// If an expected result cannot be computed.
    pub fn run(self, listener: &mut dyn RaceListener) -> Result<EndedRace, RaceError> {
        let start = Instant::now();
        let date = machine::date(SystemTime::now());
        if let Some(reason) = &self.not_held {
            listener.note(&format!("not held to {} cores: {reason}", self.settings.threads));
        }
        if !self.settings.release && !self.settings.small {
            listener.note("this program is built for development: its own times say little");
        }
        let mut meter = NoiseMeter::begin(self.settings.threads);
        let (contestants, absent) = self.contestants(listener);
        let before = meter.before().findings(&LIMITS);
        if !before.is_empty() {
            listener.note(&format!("the machine is noisy: {}", before.join("; ")));
        }
        let by = self.settings.compared;
        let mut rows: Vec<BenchRow> = Vec::new();
        let mut records = Vec::new();
        let works = self.options.works();
        let steps = RaceSteps { works: works.len(), contestants: contestants.len(), runs: self.settings.runs };
        for (number, &work) in works.iter().enumerate() {
            let row = self.row(number, work, &contestants, &steps, listener)?;
            if number == 0 {
                listener.line(&report::heading(&row));
            }
            listener.line(&report::line(&row, by));
            records.push(RowRecord::new(&row, by, meter.row()));
            rows.push(row);
        }
        listener.line(&report::means_line(&rows, by));
        let (schema, report) = RaceRecord::kind();
        let record = RaceRecord {
            schema,
            report,
            tilewise: env!("CARGO_PKG_VERSION").into(),
            date,
            seconds: start.elapsed().as_secs_f64(),
            machine: self.machine,
            settings: self.settings,
            contestants: contestants.iter().map(ContestantRecord::of).collect(),
            absent,
            noise: meter.end(),
            rows: records,
            means: report::means(&rows, by),
        };
        for line in report::explanation(&record).into_iter().chain(report::reasons(&rows)) {
            listener.line(&line);
        }
        report::noise_lines(&record).iter().for_each(|line| listener.line(line));
        let changes = self.old.map(|old| RaceChanges::between(&old, &record)).transpose()?;
        for line in changes.iter().flat_map(RaceChanges::lines) {
            listener.line(&line);
        }
        Ok(EndedRace { record, changes, is_wrong: report::any_wrong(&rows) })
    }

    fn row(
        &self,
        number: usize,
        work: PeerWork,
        contestants: &[Contestant],
        steps: &RaceSteps,
        listener: &mut dyn RaceListener,
    ) -> Result<BenchRow, RaceError> {
        let size = if self.settings.small { work.small_size() } else { work.full_size() };
        let title = format!("row {} of {}: {work}", number + 1, steps.works);
        let mut done = number * steps.of_row();
        listener.step(RaceStep { done, of: steps.all(), text: &title, is_new: true });
        let runs = self.settings.runs;
        let mut step = |name: &str, phase: RowPhase| {
            let text = match phase {
                RowPhase::Check => format!("{title}: {name}, is its result right?"),
                RowPhase::Run(run) => format!("{title}: {name}, run {run} of {runs}"),
            };
            listener.step(RaceStep { done, of: steps.all(), text: &text, is_new: false });
            done += 1;
        };
        row::race(work, size, contestants, runs, &mut step).map_err(|error| {
            RaceError::new(format!("{work} has no expected result: {error}"), "this is a fault of the program")
        })
    }

    /// Accelerators first, then the peers; and those who cannot run.
    fn contestants(&self, listener: &mut dyn RaceListener) -> (Vec<Contestant>, Vec<AbsentPeer>) {
        let threads = self.settings.threads;
        let of_ours = |accelerator: &Accelerator| Contestant::Accelerator(accelerator.default_view());
        let mut found: Vec<Contestant> = self.accelerators.iter().map(of_ours).collect();
        found.push(Contestant::Rust(pool::pinned(threads)));
        let mut absent = Vec::new();
        if !self.settings.small {
            let text = "building plain Rust for this machine, and looking for the others";
            listener.step(RaceStep { done: 0, of: 0, text, is_new: true });
            let mut others = vec![program::rust_native(threads)];
            others.extend(program::ispc(threads));
            others.extend(program::python(threads));
            others.extend(drivers(threads));
            for other in others {
                match other {
                    Ok(contestant) => found.push(contestant),
                    Err(missing) => absent.push(missing),
                }
            }
            if self.options.on.is_empty() {
                absent.extend(software_drivers());
            }
        }
        (found, absent)
    }
}

/// How many steps a race has.
struct RaceSteps {
    works: usize,
    contestants: usize,
    runs: usize,
}

impl RaceSteps {
    fn of_row(&self) -> usize {
        self.contestants * (1 + self.runs)
    }

    fn all(&self) -> usize {
        self.works * self.of_row()
    }
}

impl ContestantRecord {
    fn of(contestant: &Contestant) -> ContestantRecord {
        ContestantRecord { name: contestant.name().into(), about: contestant.about(), ours: contestant.is_ours() }
    }
}

/// The accelerators of these paths, each once; `jit` and the real GPUs if there are none.
fn accelerators(paths: &[String]) -> Result<Vec<Accelerator>, RaceError> {
    if paths.is_empty() {
        let is_usual = |accelerator: &Accelerator| accelerator.path() == Accelerator::JIT || !accelerator.is_emulated();
        let mut usual: Vec<Accelerator> = Accelerator::all().into_iter().filter(is_usual).collect();
        usual.sort_by_key(|accelerator| accelerator.path() != Accelerator::JIT);
        return Ok(usual);
    }
    let mut out: Vec<Accelerator> = Vec::new();
    for path in paths {
        let help = "`tilewise devices` lists them; name one that runs kernels";
        let found = Accelerator::new(path).map_err(|error| RaceError::new(format!("`--on {path}`: {error}"), help))?;
        if found.path() == Accelerator::CPU {
            return Err(RaceError::new(format!("`--on {path}`: nothing can be launched on it"), help));
        }
        if !out.contains(&found) {
            out.push(found);
        }
    }
    Ok(out)
}

/// The GPUs that are drivers in software, which take part if they are named.
fn software_drivers() -> Vec<AbsentPeer> {
    let is_one = |accelerator: &Accelerator| accelerator.path().starts_with("gpu/") && accelerator.is_emulated();
    let absent = |accelerator: Accelerator| {
        let about = format!("Tilewise: kernels in Rust, on {}", accelerator.description());
        let reason = format!("a driver in software, which is slow; `--on jit,{}` takes it", accelerator.path());
        AbsentPeer::new(accelerator.path(), &about, reason)
    };
    Accelerator::all().into_iter().filter(is_one).map(absent).collect()
}

/// Drivers for processors, or why they do not take part.
#[cfg(feature = "drivers")]
fn drivers(threads: usize) -> Vec<Result<Contestant, AbsentPeer>> {
    let find = |kind: DriverKind| match Driver::find(kind, threads) {
        Ok(driver) => Ok(Contestant::Driver(driver)),
        Err(reason) => Err(AbsentPeer::new(kind.name(), kind.about(), reason)),
    };
    DriverKind::ALL.map(find).into()
}

/// This program has none.
#[cfg(not(feature = "drivers"))]
fn drivers(_: usize) -> Vec<Result<Contestant, AbsentPeer>> {
    let peers = [
        ("pocl", "kernels in OpenCL C by hand"),
        ("lavapipe", "kernels in WGSL by hand"),
        ("jit-wgsl", "the same, on `jit`"),
    ];
    let absent =
        |(name, about)| Err(AbsentPeer::new(name, about, "this program is built without the feature `drivers`".into()));
    peers.map(absent).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::row::By;

    #[derive(Default)]
    struct HeardRace {
        lines: Vec<String>,
        steps: Vec<(usize, usize)>,
    }

    impl RaceListener for HeardRace {
        fn line(&mut self, text: &str) {
            self.lines.push(text.into());
        }

        fn note(&mut self, _: &str) {}

        fn step(&mut self, step: RaceStep<'_>) {
            self.steps.push((step.done, step.of));
        }
    }

    #[test]
    fn accelerators_are_found_once_or_refused() {
        let paths = |paths: &[&str]| accelerators(&paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>());
        let found = paths(&["native", "jit", "native"]).expect("they are everywhere");
        assert_eq!(found.iter().map(Accelerator::path).collect::<Vec<_>>(), ["native", "jit"]);
        assert_eq!(paths(&[]).expect("there is one")[0].path(), Accelerator::JIT);
        let missing = paths(&["gpu/99"]).expect_err("there are fewer");
        assert!(missing.message.contains("--on gpu/99") && missing.help.contains("tilewise devices"), "{missing:?}");
        assert!(paths(&["cpu"]).expect_err("it only has memory").message.contains("nothing can be launched"));
    }

    #[test]
    fn a_small_race_has_a_line_for_each_kernel_and_a_record() {
        let options = RaceOptions {
            only: vec![PeerWork::VectorAdd, PeerWork::Reduce],
            small: true,
            quick: true,
            on: vec![Accelerator::NATIVE.into()],
            ..RaceOptions::default()
        };
        let settings =
            RaceSettings { threads: 1, cores: None, runs: 1, compared: By::Median, small: true, release: false };
        let accelerators = accelerators(&options.on).expect("it is everywhere");
        let machine = MachineRecord::this();
        let ready = ReadyRace { options: &options, settings, machine, accelerators, old: None, not_held: None };
        let mut heard = HeardRace::default();
        let ended = ready.run(&mut heard).expect("both run");
        assert_eq!(ended.verdict(), Ok(()));
        let begins = |word: &str| heard.lines.iter().any(|line| line.starts_with(word));
        for word in ["ms", "vadd", "reduce", "geometric mean", "  native: Tilewise", "  rust: plain Rust"] {
            assert!(begins(word), "no line begins with `{word}`: {:#?}", heard.lines);
        }
        // Two contestants in two rows, each a check and a run.
        assert_eq!(heard.steps.last(), Some(&(7, 8)));
        assert_eq!(ended.record.rows.len(), 2);
        assert!(ended.record.rows.iter().flat_map(|row| &row.contestants).all(|entry| entry.median_ms.is_some()));
    }
}
