//! Random programs on views and arrays, against a map of what every byte should hold: launches on every accelerator, guards, sections, reshapes, other element types, copies, synchronisation,
//! refreshes and discards, in any order. A program that fails is made smaller and printed.
//!
//! `TILEWISE_MODEL_PROGRAMS` says how many programs (under Miri, where all runs a thousand times slower, there are few); a full run is `TILEWISE_MODEL_PROGRAMS=1000000 cargo test --release -p tilewise --test model`.

use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tilewise::{
    Accelerator, AcceleratorView, AccessType, Array, ArrayView, Checks, Extent, Result, copy, copy_async,
    parallel_for_each,
};

/// Elements of a home, of four bytes each.
const ELEMENTS: usize = 24;

/// Where a home is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A slice of the program's.
    Borrowed,
    /// A Vec that moved in.
    Vec,
    /// Zeros.
    Sourceless,
    /// An array on the accelerator of that number.
    Array(usize),
}

/// A run of elements.
#[derive(Clone, Copy, Debug)]
struct Run {
    home: usize,
    start: usize,
    len: usize,
}

/// What is done.
#[derive(Clone, Debug)]
enum Step {
    /// A kernel changes each element of a run.
    Change {
        on: usize,
        run: Run,
        by: u32,
    },
    /// A kernel makes the elements of one run of those of another.
    Combine {
        on: usize,
        from: Run,
        to: Run,
    },
    /// A kernel changes a rectangle of the home seen as 4 x 6.
    Rectangle {
        on: usize,
        home: usize,
        origin: (usize, usize),
        extent: (usize, usize),
        by: u32,
    },
    /// A kernel writes bytes of the home.
    Bytes {
        on: usize,
        home: usize,
        start: usize,
        len: usize,
        value: u8,
    },
    /// The host writes one element.
    Set {
        run: Run,
        value: u32,
    },
    /// The host writes bytes.
    SetBytes {
        home: usize,
        start: usize,
        len: usize,
        value: u8,
    },
    /// The host fills a run.
    Fill {
        run: Run,
        value: u32,
    },
    /// The host changes a run by a guard.
    Guard {
        run: Run,
        by: u32,
    },
    /// The host reads.
    Read {
        run: Run,
    },
    /// A copy from run to run, in the background or not.
    Copy {
        from: Run,
        to: Run,
        background: bool,
    },
    /// A copy from a slice.
    CopyIn {
        run: Run,
        value: u32,
    },
    Synchronize {
        run: Run,
        access: AccessType,
        begin: bool,
    },
    SynchronizeTo {
        run: Run,
        on: usize,
        access: AccessType,
        begin: bool,
    },
    Refresh {
        run: Run,
    },
    Discard {
        run: Run,
    },
}

fn accelerators() -> &'static [AcceleratorView] {
    static VIEWS: OnceLock<Vec<AcceleratorView>> = OnceLock::new();
    VIEWS.get_or_init(|| {
        let without = [Accelerator::CPU, Accelerator::NATIVE];
        // Miri cannot run compiled code.
        let can = |a: &Accelerator| !without.contains(&a.path()) && (a.path() != Accelerator::JIT || !cfg!(miri));
        let all = Accelerator::all().into_iter().filter(can);
        // The programs read what nobody has written.
        let view = |a: Accelerator| a.view_builder().checks(Checks::NONE).create().expect("a queue");
        all.map(view).collect()
    })
}

/// What the bytes of a home should be; nothing for those that were given up.
type Shadow = Vec<Option<u8>>;

fn word(shadow: &Shadow, at: usize) -> Option<u32> {
    let bytes: Option<Vec<u8>> = shadow[at * 4..at * 4 + 4].iter().copied().collect();
    bytes.map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

fn set_word(shadow: &mut Shadow, at: usize, value: Option<u32>) {
    match value {
        Some(value) => (0..4).for_each(|i| shadow[at * 4 + i] = Some(value.to_le_bytes()[i])),
        None => shadow[at * 4..at * 4 + 4].fill(None),
    }
}

fn changed(value: u32, by: u32) -> u32 {
    value.wrapping_mul(3).wrapping_add(by)
}

/// A program under way.
struct World<'d> {
    views: Vec<ArrayView<'d, u32>>,
    kinds: Vec<Kind>,
    shadows: Vec<Shadow>,
}

impl World<'_> {
    /// The accelerator of a launch: an array's own, where one is used.
    fn on(&self, on: usize, homes: &[usize]) -> Option<&'static AcceleratorView> {
        let mut chosen = on % accelerators().len();
        let mut bound = None;
        for &home in homes {
            if let Kind::Array(own) = self.kinds[home] {
                let own = own % accelerators().len();
                if bound.is_some_and(|other| other != own) {
                    return None;
                }
                bound = Some(own);
                chosen = own;
            }
        }
        Some(&accelerators()[chosen])
    }

    fn part(&self, run: Run) -> ArrayView<'_, u32> {
        self.views[run.home].section(run.start, run.len)
    }

    fn apart(a: Run, b: Run) -> bool {
        a.home != b.home || a.start + a.len <= b.start || b.start + b.len <= a.start
    }

    fn step(&mut self, step: &Step) -> Result<()> {
        match *step {
            Step::Change { on, run, by } => {
                let Some(av) = self.on(on, &[run.home]) else { return Ok(()) };
                let part = self.part(run);
                parallel_for_each!(av, part.extent(), |i| part[i] = part[i] * 3 + by)?;
                drop(part);
                self.change(run, by);
            }
            Step::Combine { on, from, to } => {
                let to = Run { len: from.len.min(to.len), ..to };
                let from = Run { len: to.len, ..from };
                let Some(av) = self.on(on, &[from.home, to.home]) else { return Ok(()) };
                if !Self::apart(from, to) {
                    return Ok(());
                }
                let (source, target) = (self.part(from).as_read_only(), self.part(to));
                parallel_for_each!(av, target.extent(), |i| target[i] += source[i])?;
                drop((source, target));
                for i in 0..to.len {
                    let sum = word(&self.shadows[from.home], from.start + i)
                        .zip(word(&self.shadows[to.home], to.start + i))
                        .map(|(a, b)| a.wrapping_add(b));
                    set_word(&mut self.shadows[to.home], to.start + i, sum);
                }
            }
            Step::Rectangle { on, home, origin, extent, by } => {
                let Some(av) = self.on(on, &[home]) else { return Ok(()) };
                let part = self.views[home].view_as((4, 6)).section(origin, extent);
                parallel_for_each!(av, part.extent(), |i| part[i] = part[i] * 3 + by)?;
                drop(part);
                for row in origin.0..origin.0 + extent.0 {
                    self.change(Run { home, start: row * 6 + origin.1, len: extent.1 }, by);
                }
            }
            Step::Bytes { on, home, start, len, value } => {
                let Some(av) = self.on(on, &[home]) else { return Ok(()) };
                let bytes = self.views[home].reinterpret_as::<u8>().section(start, len);
                parallel_for_each!(av, bytes.extent(), |i| bytes[i] = value)?;
                drop(bytes);
                self.shadows[home][start..start + len].fill(Some(value));
            }
            Step::Set { run, value } => {
                self.views[run.home].set(run.start, value)?;
                set_word(&mut self.shadows[run.home], run.start, Some(value));
            }
            Step::SetBytes { home, start, len, value } => {
                self.views[home].reinterpret_as::<u8>().section(start, len).fill(value)?;
                self.shadows[home][start..start + len].fill(Some(value));
            }
            Step::Fill { run, value } => {
                self.part(run).fill(value)?;
                (run.start..run.start + run.len).for_each(|at| set_word(&mut self.shadows[run.home], at, Some(value)));
            }
            Step::Guard { run, by } => {
                let part = self.part(run);
                part.host_mut()?.iter_mut().for_each(|x| *x = changed(*x, by));
                drop(part);
                self.change(run, by);
            }
            Step::Read { run } => self.read(run)?,
            Step::Copy { from, to, background } => {
                let to = Run { len: from.len.min(to.len), ..to };
                let from = Run { len: to.len, ..from };
                if !Self::apart(from, to) {
                    return Ok(());
                }
                let (source, target) = (self.part(from), self.part(to));
                // A copy that is not waited for is waited for by whoever comes next.
                if background {
                    drop(copy_async(&source, &target)?);
                } else {
                    copy(&source, &target)?;
                }
                drop((source, target));
                for i in 0..to.len {
                    let value = word(&self.shadows[from.home], from.start + i);
                    set_word(&mut self.shadows[to.home], to.start + i, value);
                }
            }
            Step::CopyIn { run, value } => {
                let data = vec![value; run.len];
                copy(&data, &self.part(run))?;
                (run.start..run.start + run.len).for_each(|at| set_word(&mut self.shadows[run.home], at, Some(value)));
            }
            Step::Synchronize { run, access, begin } => {
                match begin {
                    false => self.part(run).synchronize_for(access)?,
                    true => drop(self.part(run).synchronize_for_async(access)?),
                }
                self.accessed(run, access);
            }
            Step::SynchronizeTo { run, on, access, begin } => {
                let Some(av) = self.on(on, &[run.home]) else { return Ok(()) };
                match begin {
                    false => self.part(run).synchronize_to_for(av, access)?,
                    true => drop(self.part(run).synchronize_to_for_async(av, access)?),
                }
                self.accessed(run, access);
            }
            Step::Refresh { run } => self.part(run).refresh()?,
            Step::Discard { run } => {
                self.part(run).discard_data();
                self.give_up(run);
            }
        }
        Ok(())
    }

    /// What is to be written without being read is given up.
    fn accessed(&mut self, run: Run, access: AccessType) {
        if access == AccessType::Write {
            self.give_up(run);
        }
    }

    fn give_up(&mut self, run: Run) {
        self.shadows[run.home][run.start * 4..(run.start + run.len) * 4].fill(None);
    }

    fn change(&mut self, run: Run, by: u32) {
        for at in run.start..run.start + run.len {
            let value = word(&self.shadows[run.home], at).map(|x| changed(x, by));
            set_word(&mut self.shadows[run.home], at, value);
        }
    }

    /// Reads a run, and compares each byte that is known.
    fn read(&mut self, run: Run) -> Result<()> {
        let found = self.part(run).to_vec()?;
        compare(&found, &self.shadows[run.home][run.start * 4..(run.start + run.len) * 4], &format!("{run:?}"));
        Ok(())
    }
}

fn compare(found: &[u32], should: &[Option<u8>], what: &str) {
    let bytes = found.iter().flat_map(|word| word.to_le_bytes());
    for (at, (found, should)) in bytes.zip(should).enumerate() {
        if let Some(should) = should {
            assert_eq!(found, *should, "byte {at} of {what}");
        }
    }
}

/// Runs a program; panics where it finds what should not be.
fn run(kinds: &[Kind], steps: &[Step]) -> Result<()> {
    let start = |home: usize| (0..ELEMENTS as u32).map(|i| i * 1000 + home as u32).collect::<Vec<_>>();
    let mut data: Vec<Vec<u32>> = (0..kinds.len()).map(start).collect();
    let shadows = over(kinds, steps, &mut data)?;
    for (home, (kind, data)) in kinds.iter().zip(&data).enumerate() {
        if *kind == Kind::Borrowed {
            compare(data, &shadows[home], &format!("the slice behind home {home}"));
        }
    }
    Ok(())
}

/// Runs a program on these slices; gives what they should hold at its end.
fn over(kinds: &[Kind], steps: &[Step], data: &mut [Vec<u32>]) -> Result<Vec<Shadow>> {
    let mut world = World { views: Vec::new(), kinds: kinds.to_vec(), shadows: Vec::new() };
    for (kind, data) in kinds.iter().zip(data) {
        let mut bytes: Shadow = data.iter().flat_map(|word| word.to_le_bytes()).map(Some).collect();
        let view = match *kind {
            Kind::Borrowed => ArrayView::of(data),
            Kind::Vec => ArrayView::from_vec(ELEMENTS, data.clone())?,
            Kind::Sourceless => {
                bytes.fill(Some(0));
                ArrayView::without_source(ELEMENTS)?
            }
            Kind::Array(on) => {
                let av = &accelerators()[on % accelerators().len()];
                Array::builder(Extent([ELEMENTS as i32])).on(av).build_from(&*data)?.view()
            }
        };
        world.views.push(view);
        world.shadows.push(bytes);
    }
    for step in steps {
        world.step(step)?;
    }
    for home in 0..kinds.len() {
        world.read(Run { home, start: 0, len: ELEMENTS })?;
    }
    Ok(world.shadows)
}

fn a_run() -> impl Strategy<Value = Run> {
    (0usize..3, 0..ELEMENTS, 1..=ELEMENTS).prop_map(|(home, start, len)| Run {
        home,
        start,
        len: len.min(ELEMENTS - start),
    })
}

fn a_step() -> impl Strategy<Value = Step> {
    let bytes = || (0..ELEMENTS * 4, 1usize..20).prop_map(|(start, len)| (start, len.min(ELEMENTS * 4 - start)));
    let rectangle =
        (0usize..4, 0usize..6, 1usize..5, 1usize..7).prop_map(|(y, x, h, w)| ((y, x), (h.min(4 - y), w.min(6 - x))));
    prop_oneof![
        4 => (0usize..8, a_run(), any::<u32>()).prop_map(|(on, run, by)| Step::Change { on, run, by }),
        2 => (0usize..8, a_run(), a_run()).prop_map(|(on, from, to)| Step::Combine { on, from, to }),
        2 => (0usize..8, 0usize..3, rectangle, any::<u32>())
            .prop_map(|(on, home, (origin, extent), by)| Step::Rectangle { on, home, origin, extent, by }),
        2 => (0usize..8, 0usize..3, bytes(), any::<u8>())
            .prop_map(|(on, home, (start, len), value)| Step::Bytes { on, home, start, len, value }),
        2 => (a_run(), any::<u32>()).prop_map(|(run, value)| Step::Set { run, value }),
        1 => (0usize..3, bytes(), any::<u8>())
            .prop_map(|(home, (start, len), value)| Step::SetBytes { home, start, len, value }),
        1 => (a_run(), any::<u32>()).prop_map(|(run, value)| Step::Fill { run, value }),
        2 => (a_run(), any::<u32>()).prop_map(|(run, by)| Step::Guard { run, by }),
        3 => a_run().prop_map(|run| Step::Read { run }),
        2 => (a_run(), a_run(), any::<bool>()).prop_map(|(from, to, background)| Step::Copy { from, to, background }),
        1 => (a_run(), any::<u32>()).prop_map(|(run, value)| Step::CopyIn { run, value }),
        1 => (a_run(), an_access(), any::<bool>())
            .prop_map(|(run, access, begin)| Step::Synchronize { run, access, begin }),
        1 => (a_run(), 0usize..8, an_access(), any::<bool>())
            .prop_map(|(run, on, access, begin)| Step::SynchronizeTo { run, on, access, begin }),
        1 => a_run().prop_map(|run| Step::Refresh { run }),
        1 => a_run().prop_map(|run| Step::Discard { run }),
    ]
}

fn an_access() -> impl Strategy<Value = AccessType> {
    prop_oneof![
        2 => Just(AccessType::Read),
        1 => Just(AccessType::ReadWrite),
        1 => Just(AccessType::Write),
    ]
}

fn a_kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        2 => Just(Kind::Borrowed),
        1 => Just(Kind::Vec),
        1 => Just(Kind::Sourceless),
        2 => (0usize..8).prop_map(Kind::Array),
    ]
}

#[test]
fn every_byte_holds_what_was_written_last() {
    let programs = std::env::var("TILEWISE_MODEL_PROGRAMS").ok().map_or(if cfg!(miri) { 5 } else { 10_000 }, |count| {
        count.parse().unwrap_or_else(|_| panic!("TILEWISE_MODEL_PROGRAMS is `{count}`, not a number of programs"))
    });
    let mut runner = TestRunner::new(Config { cases: programs, failure_persistence: None, ..Config::default() });
    let program = (prop::collection::vec(a_kind(), 3), prop::collection::vec(a_step(), 1..16));
    let ran = runner
        .run(&program, |(kinds, steps)| run(&kinds, &steps).map_err(|error| TestCaseError::fail(error.to_string())));
    if let Err(failure) = ran {
        panic!("{failure}");
    }
}
