//! [`Contestant`]: an accelerator, plain Rust in this process, a CPU driver, or another program.

use rayon::ThreadPool;
use serde::{Deserialize, Serialize};
use tilewise::{Accelerator, AcceleratorView};
use tilewise_peers::{PeerOutput, PeerWork, PreparedWork, plain, time};

use super::program::PeerProgram;
#[cfg(feature = "drivers")]
use crate::drivers::{self, Driver};
use crate::kernels;

/// A contestant.
pub enum Contestant {
    /// The kernels, launched on this view.
    Accelerator(AcceleratorView),
    /// Plain Rust, as this program is built.
    Rust(ThreadPool),
    /// A separate program.
    Program(PeerProgram),
    /// A CPU driver.
    #[cfg(feature = "drivers")]
    Driver(Driver),
}

/// A contestant that cannot run on this machine, or not with these options.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct AbsentPeer {
    /// Its name.
    pub name: String,
    /// What it is, in words.
    pub about: String,
    /// Why it cannot run.
    pub reason: String,
}

impl AbsentPeer {
    /// Made of texts.
    pub fn new(name: &str, about: &str, reason: String) -> AbsentPeer {
        AbsentPeer { name: name.into(), about: about.into(), reason }
    }
}

/// A contestant that has its memory and gave the right result.
pub enum ReadyContestant<'c> {
    /// In this process, perhaps on a pool.
    Here(Box<dyn PreparedWork>, Option<&'c ThreadPool>),
    /// A separate program, whose results are not visible.
    There(&'c PeerProgram),
}

/// The reason why a contestant has no times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Out {
    /// It did not run.
    NotRun(String),
    /// Its result is not right.
    Wrong(String),
}

impl Contestant {
    /// Its name in the table.
    pub fn name(&self) -> &str {
        match self {
            Contestant::Accelerator(view) => view.accelerator().path(),
            Contestant::Rust(_) => "rust",
            Contestant::Program(program) => program.name,
            #[cfg(feature = "drivers")]
            Contestant::Driver(driver) => driver.kind().name(),
        }
    }

    /// What it is, in words.
    pub fn about(&self) -> String {
        match self {
            Contestant::Accelerator(view) => match view.accelerator().path() {
                Accelerator::JIT => "Tilewise: kernels in Rust, compiled for this processor when they run".into(),
                _ => format!("Tilewise: kernels in Rust, on {}", view.accelerator().description()),
            },
            Contestant::Rust(_) => "plain Rust with rayon, built as this program is".into(),
            Contestant::Program(program) => program.about.into(),
            #[cfg(feature = "drivers")]
            Contestant::Driver(driver) => driver.kind().about().into(),
        }
    }

    /// Is it a way to run kernels by Tilewise?
    pub fn is_ours(&self) -> bool {
        match self {
            Contestant::Accelerator(_) => true,
            Contestant::Rust(_) | Contestant::Program(_) => false,
            #[cfg(feature = "drivers")]
            Contestant::Driver(driver) => driver.kind() == drivers::DriverKind::Imported,
        }
    }

    /// Prepares it, and compares its result with the expected one.
    ///
    /// # Errors
    /// The reason why it does not take part in this work.
    pub fn ready(&self, work: PeerWork, size: usize, expected: &PeerOutput) -> Result<ReadyContestant<'_>, Out> {
        match self {
            Contestant::Accelerator(view) => {
                let mut kernel = kernels::prepare(work, size, view).map_err(|error| Out::NotRun(error.to_string()))?;
                check(kernel.as_mut(), expected, work.freedom())?;
                Ok(ReadyContestant::Here(kernel, None))
            }
            Contestant::Rust(_) if work.is_fused() => {
                Err(Out::NotRun("`mul_add` is a slow function in a build for every machine".into()))
            }
            Contestant::Rust(pool) => {
                let plain = pool.install(|| {
                    let mut plain = plain::prepare(work, size);
                    check(plain.as_mut(), expected, work.tolerance()).map(|()| plain)
                })?;
                Ok(ReadyContestant::Here(plain, Some(pool)))
            }
            Contestant::Program(program) => program.takes_part(work).map(|()| ReadyContestant::There(program)),
            #[cfg(feature = "drivers")]
            Contestant::Driver(driver) => {
                let mut kernel = driver.prepare(work, size).map_err(Out::NotRun)?;
                let output = first(kernel.as_mut())?;
                drivers::compare(work, &output, expected).map_err(Out::Wrong)?;
                Ok(ReadyContestant::Here(kernel, None))
            }
        }
    }
}

impl ReadyContestant<'_> {
    /// Milliseconds of one run.
    ///
    /// # Errors
    /// The reason why there is no time.
    pub fn one_run(&mut self, work: PeerWork) -> Result<f64, Out> {
        match self {
            ReadyContestant::Here(prepared, None) => time::one_run(prepared.as_mut()).map_err(Out::NotRun),
            ReadyContestant::Here(prepared, Some(pool)) => {
                pool.install(|| time::one_run(prepared.as_mut())).map_err(Out::NotRun)
            }
            ReadyContestant::There(program) => program.one_run(work).map_err(Out::NotRun),
        }
    }
}

/// Runs the work once and checks the result.
fn check(
    prepared: &mut dyn PreparedWork,
    expected: &PeerOutput,
    tolerance: Option<tilewise_peers::Tolerance>,
) -> Result<(), Out> {
    first(prepared)?.compare(expected, tolerance).map_err(|mismatch| Out::Wrong(mismatch.to_string()))
}

/// The result of one run.
fn first(prepared: &mut dyn PreparedWork) -> Result<PeerOutput, Out> {
    prepared.restore().and_then(|()| prepared.run()).map_err(Out::NotRun)?;
    prepared.output().map_err(Out::NotRun)
}
