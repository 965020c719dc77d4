//! Runs a whole launch in the lane interpreter: tests compare it with the kernels' interpreter,
//! without any machine code.

use std::fmt;

use tilewise_interp as reference;
use tilewise_ir::analysis::exit_levels::pass_levels;
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Outcome, OutputCollector, Refusal, validate};
use tilewise_ir::stack::with_levels;

use super::interp::{self, LaneFault, LaneHost, MemoryPiece, pointer};
use super::{ArenaPart, ArgumentWord, ExitStatus, LaneProgram, MemorySpace, OptimiseGoals, divergence, verify};
use crate::bind::{Bases, HostAllocation, KernelBindings, LaunchArguments};
use crate::vectorize::{CodeKey, Unformed, vectorize};

/// Options of a launch.
pub struct LaneOptions<'a> {
    /// Lanes: 1, 4, 8, 16, 32 or 64.
    pub width: u32,
    /// Maximum number of steps.
    pub fuel: Option<u64>,
    /// Is the launch to end? Called where programs poll, and periodically.
    pub interrupt: &'a dyn Fn() -> bool,
}

/// The reason a launch failed.
#[derive(Clone, PartialEq, Debug)]
pub enum LaneLaunchFailure {
    /// The launch is refused.
    Refused(Refusal),
    /// The kernel has no lane program.
    Unformed(Unformed),
    /// The program is not well formed.
    Broken(String),
    /// The program performed an illegal operation.
    Fault(LaneFault),
}

impl fmt::Display for LaneLaunchFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaneLaunchFailure::Refused(refusal) => write!(f, "{refusal}"),
            LaneLaunchFailure::Unformed(Unformed(why)) => write!(f, "there is no program: {why}"),
            LaneLaunchFailure::Broken(what) => write!(f, "the program is not well formed: {what}"),
            LaneLaunchFailure::Fault(fault) => write!(f, "{fault}"),
        }
    }
}

impl std::error::Error for LaneLaunchFailure {}

/// Runs a kernel over a domain, modifying `memory`.
pub fn launch(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    memory: &mut LaunchMemory,
    arguments: &[Argument],
    options: &LaneOptions<'_>,
) -> Result<Outcome, LaneLaunchFailure> {
    with_levels(pass_levels(kernel), || launch_here(kernel, domain, memory, arguments, options))
}

fn launch_here(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    memory: &mut LaunchMemory,
    arguments: &[Argument],
    options: &LaneOptions<'_>,
) -> Result<Outcome, LaneLaunchFailure> {
    domain.check(kernel).map_err(LaneLaunchFailure::Refused)?;
    let facts = |allocation| memory.facts(allocation);
    validate(kernel, arguments, facts).map_err(|misfit| LaneLaunchFailure::Refused(misfit.into()))?;
    let binder = KernelBindings::new(kernel.inlined());
    // Pointers of the lane interpreter.
    let allocations = memory.allocations.iter().zip(0..);
    let allocations: Vec<HostAllocation> = allocations
        .map(|(bytes, number)| HostAllocation { address: pointer(number, 0), size: bytes.len() as u64 })
        .collect();
    let launched = LaunchArguments { allocations: &allocations, arguments };
    let flat = binder.flat(domain, arguments);
    let key = CodeKey { flat: flat.is_some(), goals: OptimiseGoals::MOST, ..binder.key(arguments, options.width) };
    let aggregates = binder.aggregates(arguments);
    let own = allocations.len();
    let bases = Bases { constants: pointer(own, 0), aggregates: &aggregates, aggregates_at: pointer(own + 1, 0) };
    let words = |inputs: &[ArgumentWord]| binder.words(domain, launched, inputs, bases);
    let formed = |width| {
        let program = vectorize(kernel, &CodeKey { width, ..key.clone() }).map_err(LaneLaunchFailure::Unformed)?;
        verify(&program).map_err(LaneLaunchFailure::Broken)?;
        Ok(program)
    };
    let mut runs: Vec<(LaneProgram, [i64; 4])> = Vec::new();
    for (width, given) in parts(kernel, flat.as_ref().unwrap_or(domain), options.width) {
        runs.push((formed(width)?, given));
    }
    let before = runs.iter().any(|(program, _)| program.doubtful).then(|| memory.clone());
    let spaces = spaces(own, arguments, &key);
    let pieces = std::mem::take(&mut memory.allocations).into_iter().zip(spaces);
    let mut pieces: Vec<MemoryPiece> = pieces.map(|(bytes, space)| MemoryPiece { bytes, space }).collect();
    for constants in [binder.constants().bytes(), aggregates.bytes()] {
        let bytes = constants.iter().flat_map(|word| word.to_ne_bytes()).collect();
        pieces.push(MemoryPiece { bytes, space: MemorySpace::Constant });
    }
    let mut inside = interp::PieceMemory::new(pieces);
    let fuel = options.fuel.unwrap_or(u64::MAX);
    let mut host = LaneHost { output: OutputCollector::default(), fuel, interrupt: options.interrupt };
    let mut ending = Ok(Ending::Completed);
    for (program, given) in &runs {
        inside.arm(program.arena);
        ending = match interp::run(program, &words(&program.inputs), &mut inside, *given, &mut host) {
            Ok(ExitStatus::Done) => continue,
            Ok(ExitStatus::Interrupted) => Ok(Ending::Interrupted),
            Ok(ExitStatus::Diverged) => {
                let (report, votes) = (inside.part(ArenaPart::Report), inside.part(ArenaPart::Votes));
                Ok(Ending::BarrierDivergence(divergence(program, kernel, domain, report, votes)))
            }
            Err(LaneFault::Interrupted) => Ok(Ending::Interrupted),
            Err(LaneFault::OutOfFuel) => Ok(Ending::OutOfFuel { fuel }),
            Err(fault) => Err(LaneLaunchFailure::Fault(fault)),
        };
        break;
    }
    memory.allocations = inside.pieces.into_iter().take(own).map(|piece| piece.bytes).collect();
    if let (Some(before), Ok(Ending::BarrierDivergence(divergence))) = (before, &ending)
        && divergence.sides.len() < 2
    {
        *memory = before;
        let outcome =
            reference::run_until(kernel, domain, memory, arguments, &reference::Options::default(), options.interrupt);
        return outcome.map_err(LaneLaunchFailure::Refused).map(|outcome| Outcome { instructions: 0, ..outcome });
    }
    Ok(host.output.outcome(ending?, 0))
}

/// The space of each allocation. No pointer refers to an unbound one.
fn spaces(allocations: usize, arguments: &[Argument], key: &CodeKey) -> Vec<MemorySpace> {
    let mut spaces = vec![MemorySpace::Buffer(u16::MAX); allocations];
    for (argument, param) in arguments.iter().zip(&key.params) {
        if let Some(allocation) = argument.allocation() {
            spaces[allocation] = MemorySpace::Buffer(param.allocation);
        }
    }
    spaces
}

/// The programs that make up a launch: the width of each, and its given scalars. Leftover columns
/// run at width 1.
pub fn parts(kernel: &Kernel, domain: &Domain, width: u32) -> Vec<(u32, [i64; 4])> {
    if let Some(tile) = kernel.tile() {
        let tiles = domain.extent.iter().zip(tile).map(|(&extent, &tile)| i64::from(extent) / i64::from(tile.max(1)));
        return vec![(width, [0, tiles.product(), 0, 0])];
    }
    let columns = domain.extent.last().map_or(1, |&extent| i64::from(extent));
    let rows = domain.extent.iter().rev().skip(1).map(|&extent| i64::from(extent)).product();
    let even = columns - columns % i64::from(width);
    let parts = [(width, [0, rows, 0, even]), (1, [0, rows, even, columns])];
    parts.into_iter().filter(|(_, [_, _, first, end])| first < end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewise_interp as interp;
    use tilewise_ir::check::check;
    use tilewise_ir::launch::ViewArgument;
    use tilewise_ir::text::parse;

    #[test]
    fn columns_that_the_width_does_not_divide_are_done_one_by_one() {
        let text = "struct pair { a: i32, b: u8 }
        const table: [i32; 5] = [3, 1, 4, 1, 5];
        kernel k(from: view<i32, 2, read>, to: view<i32, 2, read_write>, none: view<i32, 1, read>, p: pair, n: i32) rank(2) {
            let x = from[global[0], global[1] + n];
            if x % 5 == 0 { print(\"{} at {}\", x, global[1]); }
            to[global[0], global[1]] = x * p.a + table[x & 3] + none[x];
        }";
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let domain = Domain::new([3, 21]);
        let from: Vec<u8> = (0..63i32).flat_map(|i| (i * 7).to_le_bytes()).collect();
        let before = LaunchMemory::new(vec![from, vec![0; 63 * 4], Vec::new()]);
        let view = |allocation| Argument::View(ViewArgument::dense(allocation, &[3, 21]));
        let none = Argument::View(ViewArgument::dense(2, &[0]));
        let uniform = |bytes: &[u8]| Argument::Uniform(bytes.to_vec());
        let pair = [10, 0, 0, 0, 1, 0, 0, 0];
        let arguments = [view(0), view(1), none, uniform(&pair), uniform(&(-2i32).to_le_bytes())];
        let mut expected = before.clone();
        let outcome = interp::run(&kernel, &domain, &mut expected, &arguments, &interp::Options::default());
        let printed = outcome.expect("the launch is good").printed;
        assert!(!printed.is_empty());
        for width in [1, 4, 8, 16] {
            let mut memory = before.clone();
            let options = LaneOptions { width, fuel: Some(100_000), interrupt: &|| false };
            let outcome = launch(&kernel, &domain, &mut memory, &arguments, &options);
            let outcome = outcome.unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!((outcome.ending, &outcome.printed), (Ending::Completed, &printed), "width {width}");
            assert_eq!(memory, expected, "width {width}");
        }
    }

    #[test]
    fn a_launch_over_many_threads_can_be_interrupted_though_none_of_them_takes_long() {
        let kernel = parse("k.kir", "kernel k(v: view<i32, 1, read_write>) rank(1) { v[0] = 1; }");
        let kernel = check(kernel.unwrap_or_else(|failure| panic!("{failure}")));
        let kernel = kernel.unwrap_or_else(|rejected| panic!("{rejected}"));
        for width in [1, 8] {
            let mut memory = LaunchMemory::new(vec![vec![0; 4]]);
            let arguments = [Argument::View(ViewArgument::dense(0, &[1]))];
            let options = LaneOptions { width, fuel: None, interrupt: &|| true };
            let outcome = launch(&kernel, &Domain::new([i32::MAX]), &mut memory, &arguments, &options);
            let outcome = outcome.unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!(outcome.ending, Ending::Interrupted, "width {width}");
        }
    }

    #[test]
    fn a_launch_is_cut_into_what_the_width_divides_and_the_rest() {
        let parse = |text| parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        let untiled = parse("kernel k() rank(3) { }");
        let tiled = parse("kernel k() tile(2, 4) { }");
        assert_eq!(parts(&untiled, &Domain::new([2, 3, 21]), 8), [(8, [0, 6, 0, 16]), (1, [0, 6, 16, 21])]);
        assert_eq!(parts(&untiled, &Domain::new([2, 3, 16]), 8), [(8, [0, 6, 0, 16])]);
        assert_eq!(parts(&untiled, &Domain::new([1, 1, 7]), 8), [(1, [0, 1, 0, 7])]);
        assert_eq!(parts(&tiled, &Domain::new([4, 12]), 8), [(8, [0, 6, 0, 0])]);
    }
}
