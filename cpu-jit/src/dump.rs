//! The stages of a kernel on its way to machine code, as text.
//!
//! [`dump`] shows a kernel that need not be launched. The environment variable `TILEWISE_DUMP`
//! (`regions,lanes,clif,asm,report,share`) shows on stderr the kernels that launches compile.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tilewise_ir::analysis::exit_levels::pass_levels;
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{Kernel, Param, ParamKind};
use tilewise_ir::launch::{Argument, ViewArgument};
use tilewise_ir::pos::{Pos, Sources};
use tilewise_ir::stack::with_levels;

use crate::bind::KernelBindings;
use crate::emit::{self, CodeForm, MachineCode};
use crate::environment;
use crate::hash::HashSet;
use crate::lanes::{ArenaSizes, LaneProgram};
use crate::perf;
use crate::report::{KernelReport, Share, report};
use crate::vectorize::{self, CodeKey};

/// A representation of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DumpStage {
    /// The regions between barriers, and the values that threads keep from one to the next.
    Regions,
    /// The lane program.
    Lanes,
    /// Cranelift IR, before it is optimised.
    Clif,
    /// Instructions of this machine.
    Asm,
    /// The vectorisation report by line, and statistics.
    Report,
    /// The share of it that can run in lanes, at this machine's maximum width, whatever the current
    /// launch uses.
    Share,
}

impl DumpStage {
    /// All stages, in order.
    pub const ALL: [DumpStage; 6] =
        [DumpStage::Regions, DumpStage::Lanes, DumpStage::Clif, DumpStage::Asm, DumpStage::Report, DumpStage::Share];

    /// The name on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            DumpStage::Regions => "regions",
            DumpStage::Lanes => "lanes",
            DumpStage::Clif => "clif",
            DumpStage::Asm => "asm",
            DumpStage::Report => "report",
            DumpStage::Share => "share",
        }
    }

    /// The stage called `name`.
    pub fn by_name(name: &str) -> Option<DumpStage> {
        DumpStage::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// The code to show: its lanes and its emitter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CodeChoice {
    /// Lanes: 1, 4, 8 or 16, by default this machine's maximum in Cranelift's code. Wide code may
    /// have 32 or 64.
    pub width: Option<u32>,
    /// The emitter, by default [`CodeForm::widest`]. Code that this processor does not run can be
    /// shown too.
    pub form: Option<CodeForm>,
}

/// Shows a kernel at a stage, as compiled for these arguments; without them, as if each parameter
/// had an allocation of its own and views had no gaps. The error is the reason why the kernel has no
/// such form.
pub fn dump(
    kernel: &Checked<Kernel>,
    arguments: Option<&[Argument]>,
    choice: CodeChoice,
    stage: DumpStage,
) -> Result<String, String> {
    if stage == DumpStage::Regions {
        return Ok(vectorize::regions(kernel));
    }
    with_levels(pass_levels(kernel), || dump_compiled(kernel, arguments, choice, stage))
}

fn dump_compiled(
    kernel: &Checked<Kernel>,
    arguments: Option<&[Argument]>,
    choice: CodeChoice,
    stage: DumpStage,
) -> Result<String, String> {
    let width = choice.width.unwrap_or_else(emit::widest);
    let rows = in_lanes(kernel, width);
    let kernel = rows.as_ref().unwrap_or(kernel);
    let form = choice.form.unwrap_or_else(CodeForm::widest);
    let key = CodeKey { goals: form.goals(false, true), ..key(kernel, arguments, width) };
    let begin = Instant::now();
    let program = vectorize::vectorize(kernel, &key).map_err(|why| why.0)?;
    let formed = begin.elapsed();
    if stage == DumpStage::Lanes {
        return Ok(program.to_string());
    }
    let text = stage == DumpStage::Clif;
    let options = emit::EmitOptions { text, form, whole: true, ..emit::EmitOptions::default() };
    let code = emit::compile(&program, &options).map_err(|why| why.0)?;
    Ok(shown(stage, kernel, &program, &code, Some((formed, begin.elapsed() - formed))))
}

/// The kernel that launches of this width run in its place.
fn in_lanes(kernel: &Checked<Kernel>, width: u32) -> Option<Checked<Kernel>> {
    if width > 1 { kernel.without_tiles() } else { None }
}

/// The share of a kernel that runs in lanes: of this program, or of a wider one if this one is
/// scalar.
fn share(kernel: &Checked<Kernel>, program: &LaneProgram) -> String {
    let widest = emit::widest();
    let report = match program.width {
        1 => compiled_report(kernel, None, widest, CodeForm::widest()),
        _ => Ok(report(kernel, program)),
    };
    match report.map(|report| report.share()) {
        Ok(Share { lanes, parts }) => format!("{lanes} of {parts} in lanes\n"),
        Err(why) => format!("0 of 1 in lanes: {why}\n"),
    }
}

/// The vectorisation report of a kernel, as [`dump`] shows it, after compiling it to machine code
/// with this emitter.
pub fn compiled_report(
    kernel: &Checked<Kernel>,
    arguments: Option<&[Argument]>,
    width: u32,
    form: CodeForm,
) -> Result<KernelReport, String> {
    let rows = in_lanes(kernel, width);
    let kernel = rows.as_ref().unwrap_or(kernel);
    let key = CodeKey { goals: form.goals(false, true), ..key(kernel, arguments, width) };
    let program = vectorize::vectorize(kernel, &key).map_err(|why| why.0)?;
    let options = emit::EmitOptions { form, whole: true, ..emit::EmitOptions::default() };
    let code = emit::compile(&program, &options).map_err(|why| why.0)?;
    Ok(KernelReport { form: Some(code.form()), ..report(kernel, &program) })
}

/// The key of a launch; without arguments, of an assumed one.
pub(crate) fn key(kernel: &Checked<Kernel>, arguments: Option<&[Argument]>, width: u32) -> CodeKey {
    let binder = KernelBindings::new(kernel.inlined());
    match arguments {
        Some(arguments) => binder.key(arguments, width),
        None => assumed(kernel, &binder, width),
    }
}

/// The key for an assumed launch.
fn assumed(kernel: &Kernel, binder: &KernelBindings, width: u32) -> CodeKey {
    let argument = |(allocation, param): (usize, &Param)| match param.kind {
        ParamKind::View(view) => Argument::View(ViewArgument::dense(allocation, &vec![1; view.rank as usize])),
        ParamKind::Buffer { ty, .. } => Argument::Buffer { allocation, offset: 0, size: kernel.types().size(ty) },
        ParamKind::Uniform(_) => Argument::Uniform(Vec::new()),
    };
    let arguments: Vec<Argument> = kernel.params().iter().enumerate().map(argument).collect();
    binder.key(&arguments, width)
}

fn shown(
    stage: DumpStage,
    kernel: &Checked<Kernel>,
    program: &LaneProgram,
    code: &MachineCode,
    times: Option<(Duration, Duration)>,
) -> String {
    match stage {
        DumpStage::Regions => vectorize::regions(kernel),
        DumpStage::Lanes => program.to_string(),
        DumpStage::Clif => text(code),
        DumpStage::Asm => listing(kernel, code),
        DumpStage::Report => whole_report(kernel, program, code, times),
        DumpStage::Share => share(kernel, program),
    }
}

/// The Cranelift IR, part by part.
fn text(code: &MachineCode) -> String {
    let parts: Vec<&str> = code.parts().filter_map(MachineCode::text).collect();
    parts.join(APART)
}

/// The instructions, part by part.
fn listing(kernel: &Checked<Kernel>, code: &MachineCode) -> String {
    let parts = code.parts().map(|part| emit::listing::listing(part, &|pos| place(kernel.sources(), pos)));
    parts.collect::<Vec<String>>().join(APART)
}

/// The separator between parts of code.
const APART: &str = "; compiled when it first runs\n";

/// The stages that launches show on stderr.
fn asked() -> &'static [DumpStage] {
    static ASKED: OnceLock<Vec<DumpStage>> = OnceLock::new();
    ASKED.get_or_init(|| {
        let words = environment::words("TILEWISE_DUMP", &DumpStage::ALL.map(DumpStage::name));
        DumpStage::ALL.into_iter().filter(|stage| words.contains(&stage.name())).collect()
    })
}

/// The options for emitting code that [`tell`] can show.
pub(crate) fn options() -> emit::EmitOptions {
    let text = asked().contains(&DumpStage::Clif);
    // Dumps need the complete code.
    let usual = emit::EmitOptions::default();
    emit::EmitOptions { text, whole: is_asked() || usual.whole, ..usual }
}

/// Is compiled code shown or mapped?
pub(crate) fn is_asked() -> bool {
    !asked().is_empty() || perf::is_asked()
}

/// Shows compiled code on stderr, if `TILEWISE_DUMP` requests it.
pub(crate) fn tell(kernel: &Checked<Kernel>, program: &LaneProgram, code: &MachineCode) {
    for &stage in asked() {
        let (name, text) = (stage.name(), shown(stage, kernel, program, code, None));
        // A closed stderr is no error of the program.
        _ = write!(std::io::stderr().lock(), "; {name} of `{}`, width {}\n{text}", program.name, program.width);
    }
}

/// Operations that are not lowered to vector instructions, each place once: where, which, and how.
fn slow(code: &MachineCode) -> Vec<(Option<Pos>, String, &'static str)> {
    let mut found = Vec::new();
    let mut seen = HashSet::default();
    for slow in code.slow() {
        let (op, scalar) = slow.op;
        let text = format!("`{}` of `{}`", op.name(), scalar.name());
        if seen.insert((slow.pos.key(), text.clone())) {
            let pace = if slow.pace == emit::LaneCost::Calls { "calls" } else { "scalarised" };
            found.push((Some(slow.pos).filter(|pos| pos.is_known()), text, pace));
        }
    }
    found
}

/// A line of a source, with its position.
fn place(sources: &Sources, pos: Pos) -> String {
    let Some(source) = sources.list.get(pos.source as usize) else { return String::new() };
    let text = source.read();
    let line = text.as_deref().and_then(|text| text.lines().nth((pos.line as usize).wrapping_sub(1)));
    format!("{}:{}  {}", source.name, pos.line, line.unwrap_or_default().trim()).trim_end().to_owned()
}

/// The vectorisation report by line, and statistics.
fn whole_report(
    kernel: &Checked<Kernel>,
    program: &LaneProgram,
    code: &MachineCode,
    times: Option<(Duration, Duration)>,
) -> String {
    let report = KernelReport { form: Some(code.form()), ..report(kernel, program) };
    let mut out = report.text(kernel.sources());
    let mut line = |what: &str, text: String| {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{what:<14}{text}");
    };
    for (pos, op, pace) in slow(code) {
        let place = pos.map_or_else(String::new, |pos| format!("  {}", place(kernel.sources(), pos)));
        line(pace, format!("{op}{place}"));
    }
    let lanes = program.types.iter().filter(|ty| ty.is_lanes()).count();
    let Share { lanes: in_lanes, parts } = report.share();
    line("width", program.width.to_string());
    let refusal = code.refusal().map_or_else(String::new, |why| format!(", as the program has no wide code: {why}"));
    line("code", format!("{}{refusal}", code.form().name()));
    line("in lanes", format!("{in_lanes} of {parts} (the kernel and its loops)"));
    line("scalarised", format!("{} of {} accesses", report.one_by_one(), report.accesses().count()));
    line("values", format!("{lanes} lanes, {} scalars", program.types.len() - lanes));
    if program.streams {
        let text = "whole lines bypass the caches; up to a vector of columns before the first such line runs twice";
        line("stores", text.to_owned());
    }
    let ArenaSizes { tile_static, private, context, .. } = program.arena;
    line("memory", format!("{tile_static} bytes tile_static, {private} private, {context} between barriers"));
    line("machine code", format!("{} bytes", code.parts().map(MachineCode::size).sum::<usize>()));
    if let Some((form, emit)) = times {
        line("time", format!("{form:.0?} to the lane program, {emit:.0?} to machine code"));
    }
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use super::*;

    /// Compiles a kernel for this machine.
    pub(crate) fn compiled(kernel: &Checked<Kernel>) -> (LaneProgram, MachineCode) {
        let program = vectorize::vectorize(kernel, &key(kernel, None, 4)).unwrap_or_else(|why| panic!("{}", why.0));
        let code = emit::compile(&program, &emit::EmitOptions::default()).unwrap_or_else(|why| panic!("{why}"));
        (program, code)
    }

    #[test]
    fn the_report_tells_which_operations_go_lane_by_lane() {
        let text = "kernel k(v: view<i64, 1, read_write>, w: view<f32, 1, read_write>) rank(1) {
            let i = global[0];
            v[i] = v[i] / (v[i] + 3i64);
            w[i] = w[i] % (w[i] + 1.5) + w[i] / 2.0;
        }";
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let choice = CodeChoice { width: Some(4), ..CodeChoice::default() };
        let report = dump(&kernel, None, choice, DumpStage::Report).unwrap_or_else(|why| panic!("{why}"));
        let lines: Vec<&str> = report.lines().filter(|line| line.contains("` of `")).collect();
        let [division, remainder] = lines[..] else { panic!("{report}") };
        assert!(division.starts_with("scalarised    `div` of `i64`  k.kir:3"), "{division}");
        assert!(remainder.starts_with("calls         `rem` of `f32`  k.kir:4"), "{remainder}");
    }

    #[test]
    fn a_kernel_is_shown_at_every_stage_with_and_without_a_launch() {
        let text = "kernel scale(v: view<f32, 1, read_write>, by: f32) rank(1) { v[global[0]] = v[global[0]] * by; }";
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let arguments = [Argument::View(ViewArgument::new(0, 0, [8], [3])), Argument::Uniform(vec![0; 4])];
        let show_form = |arguments, form, stage| {
            let choice = CodeChoice { width: Some(4), form };
            dump(&kernel, arguments, choice, stage).unwrap_or_else(|why| panic!("{why}"))
        };
        let show = |arguments, stage| show_form(arguments, None, stage);
        assert!(show(None, DumpStage::Lanes).contains("program scale, width 4"));
        assert!(show(None, DumpStage::Clif).contains("f32x4"));
        let asm = show(None, DumpStage::Asm);
        assert!(asm.lines().count() > 10 && asm.contains("; k.kir:1  kernel scale("), "{asm}");
        let report = show(None, DumpStage::Report);
        assert!(report.contains("unit stride") && report.contains("bytes tile_static"), "{report}");
        assert!(!show(Some(&arguments), DumpStage::Report).contains("unit stride"));
        assert_eq!(show(None, DumpStage::Share), "1 of 1 in lanes\n");
        for form in CodeForm::ALL.into_iter().filter(|form| form.is_native()) {
            let report = show_form(None, Some(form), DumpStage::Report);
            assert!(report.contains(&format!("code          {}\n", form.name())), "{report}");
        }
        for stage in DumpStage::ALL {
            assert_eq!(DumpStage::by_name(stage.name()), Some(stage));
        }
    }
}
