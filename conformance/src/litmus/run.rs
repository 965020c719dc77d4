//! Runs a litmus test many times on a target, and counts its outcomes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use tilewise_ir::launch::{Ending, Refusal};

use super::kernel::LitmusKernel;
use super::model::MemoryModel;
use super::program::{LitmusOutcome, LitmusTest};
use crate::fuzz::SeedRng;
use crate::target::{LaunchVariant, Limit, SuiteTarget, TargetLaunch};

/// Far more than a launch takes.
const LIMIT: Limit = Limit::of_fuel(u64::MAX);

/// What the model says about an outcome.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OutcomeClass {
    /// Some order of all accesses gives it.
    Strong,
    /// It is allowed, but no order of all accesses gives it.
    Weak,
    /// It is not allowed.
    Forbidden,
}

impl OutcomeClass {
    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            OutcomeClass::Strong => "strong",
            OutcomeClass::Weak => "weak",
            OutcomeClass::Forbidden => "forbidden",
        }
    }
}

/// The outcomes of a test: their classes, and how often each was seen.
#[derive(Clone, Debug)]
pub struct LitmusCounts {
    /// The name of the test.
    pub name: String,
    /// The target.
    pub target: SuiteTarget,
    /// Each outcome that the model allows, that reads could give without it, or that was seen.
    pub outcomes: BTreeMap<LitmusOutcome, (OutcomeClass, u64)>,
    /// The instances that ran.
    pub instances: u64,
    /// The reason why none ran, or why they ended early.
    pub trouble: Option<String>,
    /// The target lacks what the test needs: no failure.
    pub is_not_run: bool,
}

impl LitmusCounts {
    /// A test with nothing seen.
    pub fn new(test: &LitmusTest, target: SuiteTarget) -> LitmusCounts {
        let allowed = MemoryModel::whole().outcomes(test);
        let strong = MemoryModel::sequential().outcomes(test);
        let all: BTreeSet<LitmusOutcome> = MemoryModel::empty().outcomes(test);
        let class = |outcome: &LitmusOutcome| match (allowed.contains(outcome), strong.contains(outcome)) {
            (true, true) => OutcomeClass::Strong,
            (true, false) => OutcomeClass::Weak,
            (false, _) => OutcomeClass::Forbidden,
        };
        let outcomes = all.union(&allowed).map(|outcome| (outcome.clone(), (class(outcome), 0))).collect();
        let name = test.name.clone();
        LitmusCounts { name, target, outcomes, instances: 0, trouble: None, is_not_run: false }
    }

    /// Counts an outcome.
    pub fn add(&mut self, outcome: LitmusOutcome) {
        self.instances += 1;
        self.outcomes.entry(outcome).or_insert((OutcomeClass::Forbidden, 0)).1 += 1;
    }

    /// The number of outcomes of a class, and how many of them were seen.
    pub fn of(&self, class: OutcomeClass) -> (usize, usize) {
        let of_class = || self.outcomes.values().filter(|entry| entry.0 == class);
        (of_class().count(), of_class().filter(|entry| entry.1 > 0).count())
    }

    /// Was a forbidden outcome seen, or did a launch fail?
    pub fn is_wrong(&self) -> bool {
        self.of(OutcomeClass::Forbidden).1 > 0 || self.trouble.is_some() && !self.is_not_run
    }
}

/// The variants of the launches: on the CPU all threads of the engine, and one with each number of
/// lanes.
fn variants(target: SuiteTarget) -> Vec<LaunchVariant> {
    let all = target.ways();
    if !target.is_jit() {
        return all.to_vec();
    }
    let is_parallel = |way: &&LaunchVariant| matches!(way, LaunchVariant::Threads(_));
    let parallel = all.iter().copied().find(|way| is_parallel(&way));
    all.iter().flat_map(|&way| parallel.into_iter().chain([way])).collect()
}

/// Runs a test for a time, at least once in each variant.
pub fn run_test(test: &LitmusTest, target: SuiteTarget, time: Duration, seed: u64) -> LitmusCounts {
    let mut counts = LitmusCounts::new(test, target);
    if let Some(missing) = target.missing() {
        (counts.trouble, counts.is_not_run) = (Some(missing), true);
        return counts;
    }
    let kernel = match LitmusKernel::new(test) {
        Ok(kernel) => kernel,
        Err(trouble) => {
            counts.trouble = Some(trouble);
            return counts;
        }
    };
    let mut random = SeedRng::new(seed);
    let ways = variants(target);
    let start = Instant::now();
    for launch in 0.. {
        if launch >= ways.len() && start.elapsed() >= time {
            break;
        }
        let way = ways[launch % ways.len()];
        let mut bound = kernel.bind(&mut random);
        let launched =
            TargetLaunch { way, ..TargetLaunch::new(&kernel.kernel, &bound.domain, &bound.arguments, LIMIT) };
        match target.launch(&launched, &mut bound.memory) {
            Ok(outcome) if outcome.ending == Ending::Completed => {
                kernel.outcomes(&bound.memory, bound.stride).for_each(|outcome| counts.add(outcome));
            }
            Ok(_) => counts.trouble = Some(format!("a launch ({way}) does not complete\n{}", kernel.text)),
            Err(Refusal::Unsupported(reason)) => (counts.trouble, counts.is_not_run) = (Some(reason), true),
            Err(refusal) => counts.trouble = Some(format!("a launch ({way}) is refused: {refusal}")),
        }
        if counts.trouble.is_some() {
            break;
        }
    }
    counts
}
