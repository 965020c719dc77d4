//! The `tilewise` program: parses the command line and runs one command. Each command has a file of
//! its own.
//!
//! Exit codes: 0 if all is well, 1 if a kernel is wrong or a case failed, 2 if the command line or
//! a file cannot be used, or output cannot be written. A reader that closes standard output early
//! does not affect the exit code.

#[cfg(feature = "accuracy")]
mod accuracy;
#[cfg(feature = "import")]
mod amber;
mod bench;
mod check;
mod check_package;
mod child_lines;
mod console;
#[cfg(feature = "import")]
mod corpus;
mod data_file;
#[cfg(feature = "accuracy")]
mod device_accuracy;
mod devices;
mod dump;
mod excerpt;
mod faults;
mod fuzz;
mod host;
mod interrupt;
mod launch_inputs;
mod litmus;
mod print;
#[cfg(debug_assertions)]
mod provoke;
mod report_diff;
mod report_file;
mod repro;
mod results;
#[cfg(all(feature = "gpu", feature = "import"))]
mod round_trip;
mod run;
mod shader;
mod shell_files;
mod source;
#[cfg(feature = "accuracy")]
mod state_file;
mod verify;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, Parser, Subcommand};
use tilewise::ir::stack::{or_no_stack, with_bytes};
use tilewise_conformance::target::{LaunchVariant, SuiteTarget};
use tilewise_trace::timeline;

use console::{CommandError, Console};

/// Check, run, time and compare data-parallel kernels and compute shaders on every target of this build.
#[derive(Parser, Debug)]
#[command(
    name = "tilewise",
    version,
    max_term_width = 100,
    after_help = "Exit codes: 0 if all is well; 1 if a kernel is wrong or a case failed; 2 if the command line or a file cannot be used, or output cannot be written. A reader that closes standard output early, as `head` does, does not affect the exit code: the work is finished, the rest of the output is dropped."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run the conformance suite that is built into this program
    ///
    /// File tests run on targets. The checks of the group `library` use views, arrays and copies from a host program; they run on every accelerator of this machine, and are left out with `--target`.
    #[command(
        after_help = "Examples:\n  tilewise verify\n  tilewise verify 'sync/*' --target reference --html report.html\n  tilewise verify 'library/*'\n  tilewise verify 'sweep/**' --level full --resume progress.txt\n  tilewise verify blur.wgsl\n  tilewise verify script.amber\n  tilewise verify blur.wgsl --dispatch 8x8 --bind 0.0=in.npy --bind 0.1='[4096] = zero' --expect 0.1=right.npy --tolerance 1e-6"
    )]
    Verify(VerifyArgs),
    /// Judges cases for `verify`
    #[command(hide = true)]
    VerifyWorker,
    /// Check kernels and shaders, and report every error in them
    ///
    /// A file is a kernel (`.kir`), a shader for compute (`.wgsl`, `.spv`) or a script of Amber (`.amber`), whose shaders are imported.
    Check(CheckArgs),
    /// Run a kernel, a shader or a script of Amber
    ///
    /// The domain and the inputs come from the file's header (docs/tests.md) or from the command line. `verify` checks the header's expectations, `run` does not. A script (`.amber`) has its own buffers, runs and expectations, which `run` compares on the one target.
    #[command(
        after_help = "Examples:\n  tilewise run sum.kir\n  tilewise run sum.kir --domain 8 --set 'a: [8] = iota' --set 'n = 3'\n  tilewise run sum.kir --target jit --order threads:8\n  tilewise run script.amber --target jit\n  tilewise run blur.wgsl --dispatch 8x8 --bind 0.0='[4096] = iota' --bind 0.1='[4096] = zero'\n  tilewise run blur.wgsl --dispatch 8x8 --bind 0.0=in.npy --bind 0.1='[4096] = zero' --save 0.1=out.npy\n  tilewise run blur.wgsl --dispatch 8x8 --bind 0.0=in.npy --bind 0.1='[4096] = zero' --expect 0.1=right.npy --tolerance 1e-6"
    )]
    Run(RunArgs),
    /// List the accelerators of this machine with all their properties
    ///
    /// `*` marks the default accelerator, which runs launches that name none: the best real GPU, or `jit` where there is none; never a software driver. The environment variable TILEWISE_DEFAULT_ACCELERATOR selects another.
    #[command(after_help = "Examples:\n  tilewise devices\n  TILEWISE_DEFAULT_ACCELERATOR=gpu/0 tilewise devices")]
    Devices(devices::DevicesArgs),
    /// Run random kernels on all targets and compare
    #[command(
        after_help = "Examples:\n  tilewise fuzz --time 10m\n  tilewise fuzz --until-failure\n  tilewise fuzz --seed 7 --kernels 1\n  tilewise fuzz --seed 7 --print\n  tilewise fuzz --round-trip --kernels 10000 --time 1h"
    )]
    Fuzz(fuzz::FuzzArgs),
    /// Launches kernels on GPUs for `fuzz`
    #[command(hide = true)]
    FuzzWorker,
    /// Measure the errors of the math functions
    ///
    /// Results are compared with CORE-MATH's, which are correctly rounded: of a function of one `f32` for all 2^32 arguments, of two for 10^9 random pairs, of `f64` for 10^8 random arguments and the hardest that are known. With `--bits`, results are compared with the reference instead. A run that is stopped continues from the file of `--state`.
    #[cfg(feature = "accuracy")]
    #[command(
        after_help = "Examples:\n  tilewise accuracy --quick\n  tilewise accuracy --bits --target gpu-strict\n  tilewise accuracy --function precise_math --state accuracy.json --page docs/accuracy.md\n  tilewise accuracy --function fast_math --target gpu-module\n  tilewise accuracy --device --level std --page device-accuracy.md"
    )]
    Accuracy(accuracy::AccuracyArgs),
    /// Judge every entry point of every shader in a folder, and every script of Amber
    ///
    /// Each is imported, checked, run on made-up inputs with all checks, and compared between targets. Scripts of Amber (`.amber`) run on their own inputs, and are judged by what they expect too. Files are judged by processes of their own; the files stay where they are.
    #[cfg(feature = "import")]
    #[command(
        after_help = "Examples:\n  tilewise corpus shaders/\n  tilewise corpus shaders/ --json report.json --time 1m --target jit,gpu-strict"
    )]
    Corpus(corpus::CorpusArgs),
    /// Judges one file for `corpus`
    #[cfg(feature = "import")]
    #[command(hide = true)]
    CorpusFile(corpus::ChildArgs),
    /// Print a kernel in its canonical form, or the kernel that a shader becomes
    Print(PrintArgs),
    /// Race all kernels of the benchmarks with their peers, or time the launches of a file
    ///
    /// Without FILE, each kernel of the benchmarks runs on the accelerators and, for comparison, as plain Rust with rayon, in ISPC, Numba, Taichi, by PoCL and lavapipe: whatever is installed. It shows medians and ratios of one race, and how quiet the machine was; docs/benchmarks.md explains it, benches/README.md says how to install the others. With FILE, a kernel or shader is launched on each target, always on the same memory; the time is that of the launch alone, without compilation and copies.
    #[command(
        after_help = "Examples:\n  tilewise bench --html bench.html --json bench.json\n  tilewise bench --only scan,matmul --runs 9 --compare bench.json\n  tilewise bench --quick --on jit,gpu/0\n  tilewise bench sum.kir\n  tilewise bench blur.wgsl --dispatch 512x512 --bind 0.0='[67108864] = random 1' --bind 0.1='[67108864] = zero' --target jit,gpu-module"
    )]
    Bench(bench::BenchArgs),
    /// Show the code that `jit` and GPUs run for a kernel, or a report on it
    ///
    /// Code depends on launch parameters: those of the file's first run, if it has one. GPU stages need no GPU. Environment variables do the same for launches of a program on `jit`: TILEWISE_DUMP lists stages, with `,` between; TILEWISE_CODE selects the emitter (`cranelift`, `avx2` or `avx512`); with TILEWISE_PERF=1 (or `lines`) the profiler `perf` shows the names of kernels.
    #[command(
        after_help = "Examples:\n  tilewise dump sum.kir --stage report\n  tilewise dump sum.kir --stage asm --width 1\n  tilewise dump sum.kir --stage wgsl"
    )]
    Dump(dump::DumpArgs),
    /// Show what changed between two reports of `verify --json` or of `bench --json`
    ///
    /// The exit code is 1 if the new one is worse: a case fails that did not fail, does not run any more, or is gone; a kernel is slower beyond the noise of both races.
    #[command(after_help = "Example:\n  tilewise diff before.json after.json")]
    Diff(report_diff::DiffArgs),
    /// List the cases of the suite, with their targets and what they test
    #[command(after_help = "Examples:\n  tilewise list\n  tilewise list 'sync/*' --json")]
    List(repro::ListArgs),
    /// Run one case of the suite and show its kernel, its inputs, and expected and actual results
    #[command(after_help = "Example:\n  tilewise repro sync/tile_sum.kir@jit")]
    Repro(repro::ReproArgs),
    /// Plant mistakes in Tilewise, one at a time, and see whether `verify` finds them
    ///
    /// Each is planted in a process of its own, in which cases run until one fails. Only builds with debug assertions have faults.
    #[command(
        after_help = "Examples:\n  tilewise faults\n  tilewise faults 'versions/*'\n  tilewise faults --draw 20 --seed 7\n  tilewise faults --page docs/faults.md"
    )]
    Faults(faults::FaultsArgs),
    /// Run small races under stress, and compare their outcomes with those that the memory model allows
    ///
    /// A forbidden outcome is a failure. The allowed outcomes of each test are computed from the model (docs/litmus.md).
    #[command(
        after_help = "Examples:\n  tilewise litmus\n  tilewise litmus 'mp/**' --time 1m --outcomes\n  tilewise litmus --target jit,gpu-strict --page docs/litmus.md"
    )]
    Litmus(litmus::LitmusArgs),
    /// Print completions for a shell: Tab completes commands, options and their values
    ///
    /// docs/test-your-driver.md says where each shell reads them from.
    #[command(
        after_help = "Examples:\n  tilewise completions bash > ~/.local/share/bash-completion/completions/tilewise\n  tilewise completions fish > ~/.config/fish/completions/tilewise.fish\n  tilewise completions zsh > ~/.zfunc/_tilewise"
    )]
    Completions(shell_files::CompletionArgs),
    /// Print the manual's page of the program or of a command, or write all pages to a folder
    #[command(
        after_help = "Examples:\n  tilewise man\n  tilewise man verify\n  tilewise man --out ~/.local/share/man/man1"
    )]
    Man(shell_files::ManArgs),
}

#[derive(Args, Debug)]
struct VerifyArgs {
    /// Cases to run: a part of a name, or a pattern such as 'sync/*' or '**/sum*'; or a file of your own, a `.kir` or `.wgsl` file with a header, or a script of Amber (`.amber`)
    pattern: Option<OsString>,
    /// Run the cases that this file lists, in its order: a line for each, `NAME@TARGET`, as reports name them; `#` begins a comment
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pattern", "target"])]
    cases: Option<PathBuf>,
    /// Targets to run them on; all if left out, and those that this machine lacks count as not run. `jit-clif`, `jit-avx2` and `jit-avx512` are `jit` with the code of one emitter; on the last two a kernel without such code fails
    #[arg(long, value_name = "TARGET", value_delimiter = ',', value_parser = target_parser())]
    target: Vec<SuiteTarget>,
    /// Write a report for programs to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a report for continuous integration to this file: JUnit's XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a report for people to this file: one self-contained page. By default, a run of the whole suite writes tilewise-report.html
    #[arg(long, value_name = "FILE", conflicts_with = "no_html")]
    html: Option<PathBuf>,
    /// Write no page
    #[arg(long)]
    no_html: bool,
    /// Stop at the first failure
    #[arg(long)]
    fail_fast: bool,
    /// The time that a case may take, in seconds: one that takes longer fails
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    limit: u64,
    /// Run all cases in this process, as debuggers need it: a crash or an endless loop ends the run
    #[arg(long, conflicts_with = "limit")]
    no_isolate: bool,
    /// List the cases instead of running them
    #[arg(long, conflicts_with_all = ["json", "junit", "html", "no_html"])]
    list: bool,
    #[command(flatten)]
    level: verify::LevelArgs,
    /// Measure also the errors of WGSL's built-in functions on the drivers of GPUs, beside the limits of WGSL and Vulkan; `--level` sets the number of arguments
    #[cfg(feature = "accuracy")]
    #[arg(long, conflicts_with = "list")]
    accuracy: bool,
    /// Add a section to the page, from a report that `tilewise litmus`, `tilewise faults` or `tilewise accuracy --device` wrote by `--json`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_html", "list"])]
    include: Vec<PathBuf>,
    #[command(flatten)]
    inputs: launch_inputs::InputArgs,
    #[command(flatten)]
    results: results::ResultArgs,
    #[command(flatten)]
    shader: shader::ShaderArgs,
}

#[derive(Args, Debug)]
struct CheckArgs {
    /// Files to check; `-` is standard input
    #[arg(required_unless_present = "package", conflicts_with = "package", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Check the kernels in Rust of this package: build its tests with cargo, and check every kernel in them, without a launch
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
    /// The Cargo.toml of the package or of its workspace, if it is not in this folder or one around it
    #[arg(long, value_name = "FILE", requires = "package", conflicts_with = "files")]
    manifest_path: Option<PathBuf>,
    /// Fail also if there are warnings: barriers that perhaps not all threads of a tile reach
    #[arg(long)]
    deny_warnings: bool,
    #[command(flatten)]
    shader: shader::ShaderArgs,
}

#[derive(Args, Debug)]
struct RunArgs {
    /// The kernel's file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which run of the file's header; all if left out
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    #[command(flatten)]
    inputs: launch_inputs::InputArgs,
    /// The target to run it on; `reference` also checks for mistakes. `jit-clif`, `jit-avx2` and `jit-avx512` are `jit` with the code of one emitter, whatever TILEWISE_CODE says
    #[arg(long, value_name = "TARGET", default_value = "reference", value_parser = target_parser())]
    target: SuiteTarget,
    /// Order of threads: `linear` or, on `reference`, `shuffled:SEED`; on `jit`, `threads:N` (of the operating system) or, also on lane programs, `lanes:N` (1, 4, 8 or 16; in wide code 32 or 64)
    #[arg(long, value_name = "ORDER", default_value = "linear", value_parser = order_parser)]
    order: LaunchVariant,
    /// Limit on the instructions of all threads together
    #[arg(long, value_name = "N")]
    fuel: Option<u64>,
    /// Run without checks
    #[arg(long, conflicts_with = "checks")]
    no_checks: bool,
    /// Checks to run: `races`, `out-of-range`, `uninitialised`, `same-value-writes`, `all` (these but the last), `division-by-zero`, `overflow`, `shifts`, `lossy-conversions`, `arithmetic` (these four), `at-most-N` (reports), with `,` between
    #[arg(long, value_name = "CHECKS")]
    checks: Option<String>,
    /// End the launch with the first report
    #[arg(long)]
    stop_at_first: bool,
    /// Show all memory in full, not only the beginning of what the kernel may write
    #[arg(long)]
    print_memory: bool,
    #[command(flatten)]
    save: results::SaveArgs,
    #[command(flatten)]
    results: results::ResultArgs,
    #[command(flatten)]
    shader: shader::ShaderArgs,
}

#[derive(Args, Debug)]
struct PrintArgs {
    /// The kernel's file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    shader: shader::ShaderArgs,
}

/// An extent on the command line.
#[derive(Clone, Debug)]
struct ExtentOption(Vec<i32>);

fn extent_parser(word: &str) -> Result<ExtentOption, String> {
    let extent = tilewise_conformance::kir::header::extent(word);
    let is_number = |size: &str| !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit());
    extent.map(ExtentOption).ok_or_else(|| match word.split('x').all(is_number) {
        true => format!("a size is at most {}", i32::MAX),
        false => "write the sizes with `x` between them, as in 4x6".to_owned(),
    })
}

/// Numbers of lanes.
const LANES: [u32; 6] = [1, 4, 8, 16, 32, 64];

fn order_parser(word: &str) -> Result<LaunchVariant, String> {
    if word == "linear" {
        return Ok(LaunchVariant::Linear);
    }
    let seed = word.strip_prefix("shuffled:").and_then(|seed| seed.parse().ok());
    let threads = word.strip_prefix("threads:").and_then(|threads| threads.parse().ok());
    let threads = threads.filter(|n| (1..=1024).contains(n));
    let lanes = word.strip_prefix("lanes:").and_then(|lanes| lanes.parse().ok()).filter(|n| LANES.contains(n));
    let way =
        seed.map(LaunchVariant::Shuffled).or(threads.map(LaunchVariant::Threads)).or(lanes.map(LaunchVariant::Lanes));
    way.ok_or_else(|| {
        "write `linear`, `shuffled:` and a number, `threads:` and a number up to 1024, or `lanes:` and 1, 4, 8, 16, 32 or 64"
            .to_owned()
    })
}

fn target_parser() -> impl clap::builder::TypedValueParser<Value = SuiteTarget> {
    let names = SuiteTarget::ALL.map(SuiteTarget::name);
    // The previous parser accepts only names of targets.
    PossibleValuesParser::new(names).map(|name| SuiteTarget::by_name(&name).unwrap_or(SuiteTarget::Reference))
}

/// The targets without repetitions, in their first order.
fn each_once(targets: &[SuiteTarget]) -> Vec<SuiteTarget> {
    let mut out: Vec<SuiteTarget> = Vec::new();
    for &target in targets {
        if !out.contains(&target) {
            out.push(target);
        }
    }
    out
}

/// The named targets on which no kernel can run here, and the reasons.
#[cfg(feature = "import")]
fn missing_of(named: &[SuiteTarget]) -> Vec<(SuiteTarget, String)> {
    each_once(named).into_iter().filter_map(|target| Some((target, target.missing()?))).collect()
}

/// Leaves panics of naga to the error that they become: their text is in it.
#[cfg(feature = "import")]
fn silence_caught_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !tilewise::import::panic_becomes_error() {
            usual(panic);
        }
    }));
}

/// The stack of a command besides that of its kernels: the parser of options alone takes a fifth of
/// it in a program that is not optimised, which is more than some processes begin with.
const COMMAND_STACK: usize = 1 << 20;

fn main() -> ExitCode {
    #[cfg(feature = "import")]
    silence_caught_panics();
    let mut console = Console::new();
    let all = || -> Result<Result<bool, CommandError>, clap::Error> {
        let command = CommandLine::try_parse()?.command;
        Ok(open_trace(&command).and_then(|()| faults::plant_from_environment()).and_then(|()| {
            let ran = run_command(command, &mut console);
            faults::tell_planted(&mut console);
            ran
        }))
    };
    let ran = or_no_stack(|| with_bytes(COMMAND_STACK, all));
    let ran = match ran {
        Ok(Err(answer)) => return answered(&answer, &mut console),
        Ok(Ok(ran)) => ran,
        Err(none) => Err(CommandError { message: none.to_string(), help: None, excerpt: None }),
    };
    let code = match ran {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(trouble) => failed(&trouble, &console),
    };
    finished(code, &mut console)
}

/// Opens the timeline that the environment asks for. The processes that a command starts leave it
/// to that command.
fn open_trace(command: &Command) -> Result<(), CommandError> {
    #[cfg(feature = "import")]
    let of_a_corpus = matches!(command, Command::CorpusFile(_));
    #[cfg(not(feature = "import"))]
    let of_a_corpus = false;
    if of_a_corpus || matches!(command, Command::VerifyWorker | Command::FuzzWorker) {
        timeline::leave_to_parent();
    }
    timeline::open_from_environment();
    match timeline::fault() {
        None => Ok(()),
        Some(fault) => Err(CommandError { message: fault.to_owned(), help: None, excerpt: None }),
    }
}

/// Runs a command; returns whether all is well.
fn run_command(command: Command, console: &mut Console) -> Result<bool, CommandError> {
    match command {
        Command::Verify(args) => verify::verify(&args, console),
        Command::VerifyWorker => verify::work_for_verify(console),
        Command::Check(CheckArgs { package: Some(package), manifest_path, deny_warnings, shader, files: _ }) => {
            check_package::has_no_shaders(&shader)?;
            check_package::check_package(&package, manifest_path.as_deref(), deny_warnings, console)
        }
        Command::Check(args) => check::check(&args.files, args.deny_warnings, &args.shader, console),
        Command::Run(args) => run::run(&args, console),
        Command::Devices(args) => devices::devices(&args, console),
        Command::Fuzz(args) => fuzz::fuzz(&args, console),
        Command::FuzzWorker => fuzz::work(console),
        #[cfg(feature = "accuracy")]
        Command::Accuracy(args) => accuracy::accuracy(&args, console),
        #[cfg(feature = "import")]
        Command::Corpus(args) => corpus::corpus(&args, console),
        #[cfg(feature = "import")]
        Command::CorpusFile(args) => corpus::child(&args, console),
        Command::Print(args) => print::print(&args.file, &args.shader, console),
        Command::Bench(args) => bench::bench(&args, console),
        Command::Diff(args) => report_diff::diff(&args, console),
        Command::List(args) => repro::list(&args, console),
        Command::Repro(args) => repro::repro(&args, console),
        Command::Dump(args) => dump::dump(&args, console),
        Command::Faults(args) => faults::faults(&args, console),
        Command::Litmus(args) => litmus::litmus(&args, console),
        Command::Completions(args) => shell_files::completions(&args, console),
        Command::Man(args) => shell_files::man(&args, console),
    }
}

/// The exit code of a command that could not run, or whose output could not be written.
const FAILED: u8 = 2;

fn failed(trouble: &CommandError, console: &Console) -> ExitCode {
    console.complain(trouble);
    ExitCode::from(FAILED)
}

/// The exit code, unless not all of the output could be written.
fn finished(code: ExitCode, console: &mut Console) -> ExitCode {
    match console.finish() {
        Ok(()) => code,
        Err(trouble) => failed(&trouble, console),
    }
}

/// Prints the answer of the command line parser: `--help` and the like, or an error.
fn answered(answer: &clap::Error, console: &mut Console) -> ExitCode {
    if answer.use_stderr() {
        // There is no other place to report that standard error cannot be written.
        drop(answer.print());
        return ExitCode::from(FAILED);
    }
    console.write(|| answer.print());
    finished(ExitCode::SUCCESS, console)
}
