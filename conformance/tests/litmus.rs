//! The memory model that judges litmus tests, and a short run of the tests.

use std::collections::BTreeSet;
use std::time::Duration;

use tilewise_conformance::litmus::model::{Axiom, MemoryModel};
use tilewise_conformance::litmus::program::{LitmusOutcome, LitmusStep, LitmusTest};
use tilewise_conformance::litmus::run::{LitmusCounts, OutcomeClass, run_test};
use tilewise_conformance::litmus::shapes::tests;
use tilewise_conformance::target::SuiteTarget;

fn named(name: &str) -> LitmusTest {
    tests().into_iter().find(|test| test.name == name).unwrap_or_else(|| panic!("no test is called {name}"))
}

fn outcome(registers: &[u32], memory: &[u32]) -> LitmusOutcome {
    LitmusOutcome { registers: registers.to_vec(), memory: memory.to_vec() }
}

fn is_allowed(name: &str, registers: &[u32], memory: &[u32]) -> bool {
    MemoryModel::whole().outcomes(&named(name)).contains(&outcome(registers, memory))
}

#[test]
fn names_are_unique_and_there_are_tests_of_all_shapes() {
    let names: BTreeSet<String> = tests().into_iter().map(|test| test.name).collect();
    assert_eq!(names.len(), tests().len());
    for shape in ["mp", "sb", "lb", "s", "r", "2+2w", "iriw", "wrc", "rwc", "isa2", "corr", "cowr", "corw", "coww"] {
        assert!(names.iter().any(|name| name.split('/').next() == Some(shape)), "{shape}");
    }
}

#[test]
fn the_model_gives_what_the_page_on_semantics_says() {
    // A message that is seen brings its data, by a fence in a tile.
    assert!(is_allowed("mp/tile/global/none", &[1, 0], &[1, 1]));
    assert!(!is_allowed("mp/tile/global/fence-global", &[1, 0], &[1, 1]));
    assert!(!is_allowed("mp-data/tile/global/fence-global", &[1, 0], &[1, 1]));
    assert!(is_allowed("mp/tile/global/fence-global", &[1, 1], &[1, 1]));
    assert!(!is_allowed("mp/tile/both/fence-all", &[1, 0], &[1, 1]));
    assert!(!is_allowed("mp-chain/tile/global/fence-global", &[1, 2, 0], &[1, 2]));
    // A fence of another flavour does not, nor does one between tiles.
    assert!(is_allowed("mp/tile/global/fence-tile_static", &[1, 0], &[1, 1]));
    assert!(is_allowed("mp/tiles/global/fence-all", &[1, 0], &[1, 1]));
    // A fence does not order a write before a later read; a barrier does.
    assert!(is_allowed("sb/tile/global/fence-global", &[0, 0], &[1, 1]));
    assert!(!is_allowed("sb-plain/tile/global/barrier-global", &[0, 0], &[1, 1]));
    assert!(!is_allowed("sb-plain/tile/both/barrier-all", &[1, 0], &[1, 1]));
    // Reads of one location do not go back, and additions are not lost, anywhere.
    assert!(!is_allowed("corr/tiles/global/none", &[1, 0], &[1]));
    assert!(!is_allowed("add/tiles/global/none", &[0, 0], &[1]));
    assert!(is_allowed("lb/tiles/global/none", &[1, 1], &[1, 1]));
    assert_eq!(MemoryModel::whole().outcomes(&named("thin-air/tiles/global/none")).len(), 1);
}

#[test]
fn each_axiom_is_told_apart_by_some_test() {
    let tests = tests();
    for axiom in Axiom::ALL {
        let mutant = MemoryModel::without(axiom);
        let tells = |test: &&LitmusTest| {
            let (whole, without) = (MemoryModel::whole().outcomes(test), mutant.outcomes(test));
            assert!(whole.is_subset(&without), "{}: an axiom only forbids", test.name);
            whole != without
        };
        assert!(tests.iter().any(|test| tells(&test)), "no test needs the axiom of {}", axiom.name());
    }
}

#[test]
fn an_order_that_is_left_out_allows_more() {
    // Each of these forbids something only by its fence or barrier.
    for name in
        ["mp/tile/global/fence-global", "isa2/tile/both/fence-all", "sb-plain/tile/tile_static/barrier-tile_static"]
    {
        let test = named(name);
        let mut mutant = test.clone();
        for thread in &mut mutant.threads {
            thread.retain(|step| !matches!(step, LitmusStep::Fence(_) | LitmusStep::Barrier(_)));
        }
        let (whole, more) = (MemoryModel::whole().outcomes(&test), MemoryModel::whole().outcomes(&mutant));
        assert!(whole.is_subset(&more) && whole != more, "{name}");
    }
}

#[test]
fn what_one_order_of_all_accesses_gives_is_allowed() {
    for test in tests() {
        let (whole, strong) = (MemoryModel::whole().outcomes(&test), MemoryModel::sequential().outcomes(&test));
        assert!(strong.is_subset(&whole) && !strong.is_empty(), "{}", test.name);
    }
}

#[test]
fn a_forbidden_outcome_is_a_failure_and_a_weak_one_is_none() {
    let mut counts = LitmusCounts::new(&named("mp/tile/global/none"), SuiteTarget::Jit);
    counts.add(outcome(&[1, 0], &[1, 1]));
    assert!(!counts.is_wrong() && counts.of(OutcomeClass::Weak) == (1, 1));
    let mut counts = LitmusCounts::new(&named("mp/tile/global/fence-global"), SuiteTarget::Jit);
    counts.add(outcome(&[1, 1], &[1, 1]));
    assert!(!counts.is_wrong());
    counts.add(outcome(&[1, 0], &[1, 1]));
    assert!(counts.is_wrong());
    // A value that no write has.
    let mut counts = LitmusCounts::new(&named("mp/tile/global/none"), SuiteTarget::Jit);
    counts.add(outcome(&[7, 0], &[1, 1]));
    assert!(counts.is_wrong());
}

#[test]
fn no_target_of_this_processor_gives_a_forbidden_outcome() {
    for target in [SuiteTarget::Reference, SuiteTarget::Jit, SuiteTarget::JitClif] {
        for (number, test) in tests().iter().enumerate() {
            // A launch of each variant; the command runs them for as long as it is told.
            let counts = run_test(test, target, Duration::ZERO, number as u64);
            assert!(!counts.is_wrong() && !counts.is_not_run, "{} on {target}: {:#?}", test.name, counts);
            assert!(counts.instances > 0, "{} on {target}", test.name);
        }
    }
}
