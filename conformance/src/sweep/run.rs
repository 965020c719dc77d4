//! The launches of a cell on a target, and the verdict.

use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use tilewise_cpu_jit::emit::CodeForm;
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Refusal};
use tilewise_ir::types::Scalar;

use super::cells::{CellKind, SweepCell};
use super::forms::{SweepShape, kernels};
use super::level::{SweepLevel, SweepRun};
use super::oracle::judge::scalars;
use super::program::{SweepProgram, SweptRow};
use super::values::{Tuple, edge_tuples, random_tuples};
use super::{atomic, exhaustive};
use crate::kir::FilePlace;
use crate::kir::case::{BEYOND, FELL_BACK, RELAXED};
use crate::own_target::JudgedTarget;
use crate::target::{LaunchVariant, Limit, SuiteTarget, TargetLaunch};
use crate::tolerance::Tolerance;
use crate::verdict::{CaseOutcome, Problem, Verdict, unwound};

/// Far more than any launch of the sweep takes.
const LIMIT: Limit = Limit::of_fuel(u64::MAX);

/// Random tuples of a cell at the level `quick`.
const QUICK: usize = 1 << 10;

/// Random tuples of a row at the level `std`.
const STD: usize = 1 << 20;

/// Tuples of a launch at the level `std`.
const CHUNK: usize = 1 << 14;

/// Tuples of the kernels whose forms mix sources, at the level `quick`.
const MIXED: usize = 320;

/// Choices of captured values and literals at the level `std`.
const TURNS: usize = 4;

/// Why a cell does not pass.
pub(super) enum CellStop {
    /// A difference.
    Wrong(String),
    /// The target does not run the kernel.
    Refused(String),
    /// The target is Relaxed and gives other floats.
    Relaxed,
}

/// Judges a cell on a target; returns also the emitters of the code that ran. A panic in Tilewise is
/// a failure.
pub fn judge_cell(cell: &SweepCell, target: SuiteTarget, level: SweepLevel, run: &SweepRun<'_>) -> CaseOutcome {
    judge_cell_by(cell, JudgedTarget::of(target).within(run.tolerance), level, run)
}

/// Like [`judge_cell`], on a target that may be a user's.
pub(crate) fn judge_cell_by(
    cell: &SweepCell,
    judged: JudgedTarget<'_>,
    level: SweepLevel,
    run: &SweepRun<'_>,
) -> CaseOutcome {
    let target = judged.rules;
    let (mut forms, mut within_tolerance) = (BTreeSet::new(), false);
    if let Some(missing) = judged.missing() {
        return CaseOutcome::of(Verdict::NotRun(missing));
    }
    let key = progress_key(level, &cell.name, target, device(target).as_deref());
    if run.resume.is_some_and(|resume| resume.is_finished(&key)) {
        return CaseOutcome::of(Verdict::Pass);
    }
    let work = || {
        let launcher = &mut Launcher { target, judged, forms: &mut forms, within_tolerance: &mut within_tolerance };
        match cell.kind {
            CellKind::Atomic(op) => atomic::run(op, cell.scalar, level, launcher)?,
            CellKind::Row(op) => {
                let swept = SweptRow::new(op, cell.scalar).map_err(CellStop::Wrong)?;
                rows(cell, &swept, level, launcher)?;
                if level == SweepLevel::Full {
                    exhaustive::run(cell, &swept, &key, launcher, run)?;
                }
            }
        }
        run.resume.map_or(Ok(()), |resume| resume.finish(&key)).map_err(CellStop::Wrong)
    };
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(CellStop::Wrong(unwound(&*payload))));
    let verdict = match done {
        Ok(()) => Verdict::Pass,
        Err(CellStop::Wrong(message)) => {
            Verdict::Fail(vec![Problem { path: cell.name.clone(), at: FilePlace::default(), message }])
        }
        Err(CellStop::Relaxed) if judged.tolerance.is_none() => Verdict::NotRun(RELAXED.to_owned()),
        Err(CellStop::Relaxed) => Verdict::NotRun(BEYOND.to_owned()),
        Err(CellStop::Refused(reason)) if target == SuiteTarget::Reference => Verdict::Unsupported(reason),
        Err(CellStop::Refused(reason)) if target.is_gpu() => Verdict::NotRun(reason),
        Err(CellStop::Refused(reason)) => Verdict::NotRun(format!("{FELL_BACK}: {reason}")),
    };
    CaseOutcome { verdict, forms, within_tolerance }
}

/// What the code of a target is made for, where that is not the same on every machine: the GPU with its driver, or the
/// emitter that `jit` has, by its processor and by `TILEWISE_CODE`.
fn device(target: SuiteTarget) -> Option<String> {
    let emitter = || (target == SuiteTarget::Jit).then(|| CodeForm::widest().name().to_owned());
    target.gpu().or_else(emitter)
}

/// What a file of progress calls a cell. A cell that passed on one GPU or driver, or by the code of one emitter, says
/// nothing of another.
fn progress_key(level: SweepLevel, cell: &str, target: SuiteTarget, device: Option<&str>) -> String {
    // An entry is a line.
    let device = device.map_or(String::new(), |device| format!(" {}", device.replace(char::is_control, " ")));
    format!("{} {cell} {}{device}", level.name(), target.name())
}

/// Launches kernels on a target.
pub(super) struct Launcher<'a> {
    /// Its rules.
    pub(super) target: SuiteTarget,
    /// What launches.
    pub(super) judged: JudgedTarget<'a>,
    pub(super) forms: &'a mut BTreeSet<CodeForm>,
    /// Were some floats near enough to the expected ones, and not equal?
    pub(super) within_tolerance: &'a mut bool,
}

impl Launcher<'_> {
    /// The variants in which a kernel runs: all of them, or one that is another for each `turn`.
    pub(super) fn variants(&self, every: bool, turn: usize) -> &'static [LaunchVariant] {
        let all = self.target.ways();
        let one = turn % all.len();
        if every { all } else { all.get(one..=one).unwrap_or(all) }
    }

    /// The memory that a launch leaves.
    pub(super) fn launch(
        &mut self,
        kernel: &Checked<Kernel>,
        domain: &Domain,
        arguments: &[Argument],
        before: &LaunchMemory,
        way: LaunchVariant,
    ) -> Result<LaunchMemory, CellStop> {
        let mut memory = before.clone();
        let launch = TargetLaunch { way, ..TargetLaunch::new(kernel, domain, arguments, LIMIT) };
        match self.judged.launch_in_form(&launch, &mut memory) {
            Ok((outcome, form)) if outcome.ending == Ending::Completed => {
                self.forms.extend(form);
                Ok(memory)
            }
            Ok(_) => Err(CellStop::Wrong(format!("the launch ({way}) does not complete"))),
            Err(Refusal::Unsupported(reason)) => Err(CellStop::Refused(reason)),
            Err(refusal) => Err(CellStop::Wrong(format!("the launch ({way}) is refused: {refusal}"))),
        }
    }
}

/// Kernels with operands and results.
struct PreparedCell {
    batches: Vec<SweepBatch>,
}

/// A kernel with operands and the results that it must give.
pub(super) struct SweepBatch {
    pub(super) program: Arc<SweepProgram>,
    pub(super) tuples: Arc<Vec<Tuple>>,
    pub(super) threads: usize,
    pub(super) expected: Vec<Vec<u64>>,
}

/// Launches a kernel in these variants, and compares.
pub(super) fn run_batch(
    swept: &SweptRow,
    batch: &SweepBatch,
    ways: &[LaunchVariant],
    launcher: &mut Launcher<'_>,
) -> Result<(), CellStop> {
    let SweepBatch { program, tuples, threads, expected } = batch;
    let (domain, arguments, before) = program.bind(swept, tuples, *threads);
    for &way in ways {
        let after = launcher.launch(&program.kernel, &domain, &arguments, &before, way)?;
        let differs = |tolerance| program.difference(swept, tuples, (&before, &after), expected, tolerance);
        let tolerance = launcher.judged.tolerance;
        let Some(unequal) = differs(Tolerance::NONE) else { continue };
        let difference = if tolerance.is_none() { Some(unequal) } else { differs(tolerance) };
        let Some(difference) = difference else {
            *launcher.within_tolerance = true;
            continue;
        };
        // A float anywhere in a row excuses all of its results: where operands are floats and results are not,
        // the row is a comparison, a conversion or a test, and a driver may flush the operands' subnormals.
        let has_floats = swept.types.iter().any(|scalar| scalar.is_float()) || swept.result(1).scalar.is_float();
        if launcher.target.is_relaxed() && has_floats {
            return Err(CellStop::Relaxed);
        }
        return Err(CellStop::Wrong(format!("{difference}\n  variant {way}, kernel:\n{}", program.text)));
    }
    Ok(())
}

/// The results of single tuples, of a row that works by component.
pub(super) fn known(swept: &SweptRow, tuples: &[Tuple]) -> Option<Vec<u64>> {
    let one = |tuple: &Tuple| swept.expected(tuple.map(|bits| [bits, 0, 0, 0]), 1)[0];
    swept.row.each.then(|| tuples.iter().map(one).collect())
}

pub(super) fn batch(swept: &SweptRow, program: Arc<SweepProgram>, tuples: Arc<Vec<Tuple>>) -> SweepBatch {
    let threads = program.shape.threads(tuples.len());
    let known = known(swept, &tuples);
    let expected = program.expected(swept, &tuples, threads, known.as_deref());
    SweepBatch { program, tuples, threads, expected }
}

/// A number of tuples, taken at equal distances.
fn spread(tuples: &[Tuple], count: usize) -> Vec<Tuple> {
    let count = count.min(tuples.len());
    (0..count).map(|i| tuples[i * tuples.len() / count]).collect()
}

/// The kernels of a cell; `turn` shifts the choice of literals.
fn programs(swept: &SweptRow, turn: usize) -> Result<Vec<Arc<SweepProgram>>, CellStop> {
    let made = kernels(swept.row, &swept.types, turn).into_iter();
    let made = made.map(|(shape, forms, captured)| SweepProgram::new(swept, shape, forms, captured).map(Arc::new));
    made.collect::<Result<_, String>>().map_err(CellStop::Wrong)
}

/// The seed of a cell's random tuples.
fn seed(swept: &SweptRow) -> u64 {
    swept.row.op as u64 * 64 + swept.scalar as u64
}

fn prepare(swept: &SweptRow) -> Result<PreparedCell, CellStop> {
    let mut tuples = edge_tuples(swept.row, &swept.types);
    tuples.extend(random_tuples(swept.row, &swept.types, seed(swept), QUICK));
    let mixed = Arc::new(spread(&tuples, MIXED));
    let tuples = Arc::new(tuples);
    let of = |program: Arc<SweepProgram>| {
        let list = if program.shape == SweepShape::Line { &tuples } else { &mixed };
        batch(swept, program, Arc::clone(list))
    };
    Ok(PreparedCell { batches: programs(swept, swept.row.op as usize)?.into_iter().map(of).collect() })
}

/// The cells that were prepared last: each runs on all targets, one after the other.
fn prepared(cell: &SweepCell, swept: &SweptRow) -> Result<Arc<PreparedCell>, CellStop> {
    type Kept = VecDeque<((CellKind, Scalar), Arc<PreparedCell>)>;
    static LAST: Mutex<Kept> = Mutex::new(VecDeque::new());
    const KEPT: usize = 8;
    let key = (cell.kind, cell.scalar);
    let lock = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, found)) = lock().iter().find(|(other, _)| *other == key) {
        return Ok(Arc::clone(found));
    }
    let made = Arc::new(prepare(swept)?);
    let mut last = lock();
    last.push_front((key, Arc::clone(&made)));
    last.truncate(KEPT);
    Ok(made)
}

/// Runs a row at a level.
fn rows(cell: &SweepCell, swept: &SweptRow, level: SweepLevel, launcher: &mut Launcher<'_>) -> Result<(), CellStop> {
    let every = level > SweepLevel::Quick;
    for (turn, batch) in prepared(cell, swept)?.batches.iter().enumerate() {
        // These differ from `gpu-strict` in the form in which a driver gets a kernel. Drivers in software
        // take long over each.
        if launcher.target.is_relaxed() && !every && turn % 3 != 0 {
            continue;
        }
        // The reference has no lanes, on which operands in other orders would lie elsewhere.
        let whole = every || turn == 0 && launcher.target != SuiteTarget::Reference;
        run_batch(swept, batch, launcher.variants(whole, turn), launcher)?;
    }
    if !every {
        return Ok(());
    }
    let all = STD / scalars(swept.row).len();
    let programs_of_turn = |turn| programs(swept, turn);
    for program in (1..TURNS).map(programs_of_turn).collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
        if program.shape != SweepShape::Line {
            let tuples = random_tuples(swept.row, &swept.types, seed(swept) + 1, 4 * MIXED);
            let ways = launcher.variants(true, 0);
            run_batch(swept, &batch(swept, program, Arc::new(tuples)), ways, launcher)?;
        }
    }
    let line = Arc::clone(&prepared(cell, swept)?.batches[0].program);
    for part in 0..all.div_ceil(CHUNK) {
        let count = CHUNK.min(all - part * CHUNK);
        let tuples = random_tuples(swept.row, &swept.types, seed(swept) + ((part as u64 + 2) << 32), count);
        let batch = batch(swept, Arc::clone(&line), Arc::new(tuples));
        run_batch(swept, &batch, launcher.variants(false, part), launcher)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_on_a_gpu_is_that_of_its_driver() {
        let key = |gpu| progress_key(SweepLevel::Std, "sweep/add/u32", SuiteTarget::GpuStrict, gpu);
        assert_eq!(key(Some("Card, driver\n1.0")), "std sweep/add/u32 gpu-strict Card, driver 1.0");
        assert_ne!(key(Some("Card, driver 1.0")), key(Some("Card, driver 1.1")));
        assert_eq!(key(None), "std sweep/add/u32 gpu-strict");
        assert_eq!(SuiteTarget::Jit.gpu(), None);
        assert_eq!(device(SuiteTarget::Jit).as_deref(), Some(CodeForm::widest().name()));
        assert_eq!(device(SuiteTarget::JitAvx2), None);
    }
}
