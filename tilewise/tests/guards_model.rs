//! Guards against a model: random sections of one home, guards taken and given back in random order, single accesses in between. The model knows which elements each guard
//! holds, as a set, and what every element should be.

use std::collections::BTreeSet;

use proptest::prelude::{ProptestConfig, Strategy, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::test_runner::TestCaseResult;
use tilewise::{ArrayView, Error, HostRead, HostWrite};

const ROWS: i32 = 5;
const COLUMNS: i32 = 6;

/// A rectangle of the home, or a run of it as seen through `view_as`.
#[derive(Clone, Debug)]
enum Part {
    Rectangle { origin: (i32, i32), extent: (i32, i32) },
    Row(i32),
    Reshaped { origin: (i32, i32), extent: (i32, i32) },
}

/// The home seen with rows of another length.
const OTHER: (i32, i32) = (7, 4);

#[derive(Clone, Debug)]
enum Step {
    Read(Part),
    Write(Part),
    /// Gives back one of the guards.
    Drop(usize),
    Get(i32, i32),
    Set(i32, i32),
    Leak(Part),
}

fn rectangle((rows, columns): (i32, i32)) -> impl Strategy<Value = ((i32, i32), (i32, i32))> {
    (0..rows, 0..columns).prop_flat_map(move |origin| {
        (1..=rows - origin.0, 1..=columns - origin.1).prop_map(move |extent| (origin, extent))
    })
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        rectangle((ROWS, COLUMNS)).prop_map(|(origin, extent)| Part::Rectangle { origin, extent }),
        (0..ROWS).prop_map(Part::Row),
        rectangle(OTHER).prop_map(|(origin, extent)| Part::Reshaped { origin, extent }),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => part().prop_map(Step::Read),
        3 => part().prop_map(Step::Write),
        3 => (0usize..8).prop_map(Step::Drop),
        1 => (0..ROWS, 0..COLUMNS).prop_map(|(i, j)| Step::Get(i, j)),
        1 => (0..ROWS, 0..COLUMNS).prop_map(|(i, j)| Step::Set(i, j)),
        1 => part().prop_map(Step::Leak),
    ]
}

impl Part {
    fn view(&self, home: &ArrayView<'static, u64, 1>) -> ArrayView<'static, u64, 2> {
        match self {
            Part::Rectangle { origin, extent } => home.view_as((ROWS, COLUMNS)).section(*origin, *extent),
            Part::Row(i) => home.view_as((ROWS, COLUMNS)).project::<1>(*i).view_as((1, COLUMNS)),
            Part::Reshaped { origin, extent } => home.view_as(OTHER).section(*origin, *extent),
        }
    }

    /// Which elements, in order.
    fn elements(&self) -> Vec<usize> {
        let (origin, extent, columns) = match *self {
            Part::Rectangle { origin, extent } => (origin, extent, COLUMNS),
            Part::Row(i) => ((i, 0), (1, COLUMNS), COLUMNS),
            Part::Reshaped { origin, extent } => (origin, extent, OTHER.1),
        };
        let row = |i: i32| (0..extent.1).map(move |j| ((origin.0 + i) * columns + origin.1 + j) as usize);
        (0..extent.0).flat_map(row).collect()
    }
}

/// A guard that somebody holds; views outlive guards by being leaked, which costs a few bytes a case.
enum Guard {
    Read(HostRead<'static, u64, 2>),
    Write(HostWrite<'static, u64, 2>),
    Leaked,
}

struct Held {
    elements: Vec<usize>,
    writes: bool,
    guard: Guard,
}

/// Is somebody in the way?
fn conflicts(held: &[Held], elements: &[usize], writes: bool) -> bool {
    let wanted: BTreeSet<_> = elements.iter().collect();
    held.iter().any(|other| (writes || other.writes) && other.elements.iter().any(|element| wanted.contains(element)))
}

fn outcome<T>(result: Result<T, Error>, conflict: bool) -> Result<Option<T>, proptest::test_runner::TestCaseError> {
    match (result, conflict) {
        (Ok(got), false) => Ok(Some(got)),
        (Err(Error::Borrowed(_)), true) => Ok(None),
        (got, _) => {
            prop_assert!(false, "conflict {}, but got {:?}", conflict, got.map(drop));
            Ok(None)
        }
    }
}

fn run(steps: Vec<Step>) -> TestCaseResult {
    let count = (ROWS * COLUMNS) as usize;
    let home = ArrayView::from_vec(count, (0..count as u64).collect()).unwrap();
    let mut model: Vec<u64> = (0..count as u64).collect();
    let mut held: Vec<Held> = Vec::new();
    let mut next = 1000;
    for step in steps {
        match step {
            Step::Read(part) => {
                let (elements, view) = (part.elements(), &*Box::leak(Box::new(part.view(&home))));
                if let Some(guard) = outcome(view.host(), conflicts(&held, &elements, false))? {
                    held.push(Held { elements, writes: false, guard: Guard::Read(guard) });
                }
            }
            Step::Write(part) => {
                let (elements, view) = (part.elements(), &*Box::leak(Box::new(part.view(&home))));
                if let Some(mut guard) = outcome(view.host_mut(), conflicts(&held, &elements, true))? {
                    for (&element, slot) in elements.iter().zip(guard.iter_mut()) {
                        next += 1;
                        (*slot, model[element]) = (next, next);
                    }
                    held.push(Held { elements, writes: true, guard: Guard::Write(guard) });
                }
            }
            Step::Leak(part) => {
                let (elements, view) = (part.elements(), part.view(&home));
                if let Some(guard) = outcome(view.host(), conflicts(&held, &elements, false))? {
                    std::mem::forget(guard);
                    held.push(Held { elements, writes: false, guard: Guard::Leaked });
                }
            }
            Step::Drop(i) if i < held.len() && !matches!(held[i].guard, Guard::Leaked) => drop(held.swap_remove(i)),
            Step::Drop(_) => {}
            Step::Get(i, j) => {
                let element = (i * COLUMNS + j) as usize;
                let got = home.view_as((ROWS, COLUMNS)).get((i, j));
                if let Some(value) = outcome(got, conflicts(&held, &[element], false))? {
                    prop_assert_eq!(value, model[element]);
                }
            }
            Step::Set(i, j) => {
                let element = (i * COLUMNS + j) as usize;
                next += 1;
                let set = home.view_as((ROWS, COLUMNS)).set((i, j), next);
                if outcome(set, conflicts(&held, &[element], true))?.is_some() {
                    model[element] = next;
                }
            }
        }
        // Every guard sees what the model says, whatever the others did.
        for Held { elements, guard, .. } in &held {
            let seen: Vec<u64> = match guard {
                Guard::Read(guard) => guard.iter().copied().collect(),
                Guard::Write(guard) => guard.iter().copied().collect(),
                Guard::Leaked => continue,
            };
            prop_assert_eq!(seen, elements.iter().map(|&element| model[element]).collect::<Vec<_>>());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if cfg!(miri) { 3 } else { 1000 }) })]

    #[test]
    fn guards_conflict_if_they_share_an_element_and_one_writes(steps in prop::collection::vec(step(), 1..30)) {
        run(steps)?;
    }
}
