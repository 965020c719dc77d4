//! Google's front end for WGSL, which knows more of uniformity than naga: kernels whose barriers are all proved to be reached together pass it.
//!
//! Without the program `tint` all are ignored, and say so. So are kernels that have a property which is beyond it; the trial's name says which.

mod suite;

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU32, Ordering};

use libtest_mimic::{Arguments, Failed, Trial};
use tilewise_gpu::lower::LoweredModule;
use tilewise_gpu::shader_form::wgsl;
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{
    Block, Builtin, Construct, Inst, InstClass, InstKind, Kernel, LabelId, LocalId, Place, Root, ValueId,
};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let is_there = Command::new("tint").arg("--help").output().is_ok();
    let mut trials = Vec::new();
    for (path, kernel) in suite::kernels() {
        for (strict, lowered) in suite::lowered(&kernel) {
            let why = if is_there { beyond(&kernel, &lowered) } else { Some("there is no `tint` on the path") };
            let name = format!("{}{}", path.display(), if strict { ", strict" } else { "" });
            let name = why.map_or_else(|| name.clone(), |why| format!("{name} (not run: {why})"));
            let trial = Trial::test(name, move || match wgsl(&lowered) {
                Ok(text) => passes(&text),
                Err(reason) => Err(reason.0.into()),
            });
            trials.push(trial.with_ignored_flag(why.is_some()));
        }
    }
    assert!(trials.len() > 600, "only {} modules", trials.len());
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn passes(text: &str) -> Result<(), Failed> {
    static NUMBERS: AtomicU32 = AtomicU32::new(0);
    let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tint-{}-{number}.wgsl", std::process::id()));
    fs::write(&path, text)?;
    let output = Command::new("tint").args(["--format", "wgsl"]).arg(&path).output();
    fs::remove_file(&path)?;
    let output = output?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{}\n{text}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// What of a kernel is beyond tint, if anything is.
fn beyond(kernel: &Checked<Kernel>, lowered: &LoweredModule) -> Option<&'static str> {
    if lowered.needs.i64 || lowered.needs.f64 {
        return Some("it does not know numbers of 64 bits");
    }
    if lowered.needs.fences {
        return Some("WGSL has no fence without a barrier");
    }
    if lowered.messages {
        return Some("the kernel asks at run time who meets at its barriers, or says something");
    }
    let text = wgsl(lowered).unwrap_or_default();
    if text.contains("var goal") {
        return Some("it cannot follow threads on their way out to where they meet again");
    }
    if has_constants_beyond_numbers(&text) {
        return Some("it takes no constant that is infinite or NaN");
    }
    let varies = Varies::of(kernel.inlined().entry().body());
    varies.decides.then_some("it knows neither ranges nor phases, by which a condition is the same for all threads")
}

/// Are bits of a constant taken for a float that is no number, or infinite?
fn has_constants_beyond_numbers(text: &str) -> bool {
    text.split("bitcast<f32>(").skip(1).any(|rest| {
        let digits = rest.split_once("u)").and_then(|(digits, _)| digits.parse().ok());
        digits.is_some_and(|bits| !f32::from_bits(bits).is_finite())
    })
}

/// What follows from a thread's own index, or from memory that a tile writes: it differs between threads for all that tint knows.
#[derive(Default)]
struct Varies {
    values: HashSet<ValueId>,
    locals: HashSet<LocalId>,
    /// Loops and scopes that threads leave at different times.
    left: HashSet<LabelId>,
    returned: bool,
    /// Does such a thing decide about a barrier?
    decides: bool,
}

impl Varies {
    fn of(block: &Block) -> Varies {
        let mut varies = Varies::default();
        let mut before = None;
        while before.replace(varies.size()) != Some(varies.size()) {
            varies.block(block, false);
        }
        varies
    }

    fn size(&self) -> usize {
        self.values.len() + self.locals.len() + self.left.len() + usize::from(self.returned)
    }

    /// `apart`: threads came here by conditions that vary.
    fn block(&mut self, block: &Block, apart: bool) {
        block.insts.iter().for_each(|inst| self.inst(inst, apart || self.returned));
    }

    fn gives(&self, block: &Block) -> bool {
        block.value.is_some_and(|value| self.values.contains(&value))
    }

    fn inst(&mut self, inst: &Inst, apart: bool) {
        let mut varies = matches!(inst.kind, InstKind::Builtin(Builtin::Local(_) | Builtin::Global(_)));
        inst.kind.operands(&mut |value| varies |= self.values.contains(value));
        inst.kind.places(&mut |place| {
            varies |= match place.root {
                Root::Tile(_) => true,
                Root::Local(local) => self.locals.contains(&local),
                _ => false,
            };
        });
        let mut inside = apart;
        match inst.kind.class() {
            InstClass::Synchronize => self.decides |= apart && inst.kind.barrier().is_some(),
            InstClass::Write => {
                if let (Some(Place { root: Root::Local(local), .. }), true) =
                    (inst.kind.written_place(), varies || apart)
                {
                    self.locals.insert(*local);
                }
            }
            InstClass::Structured => {
                inside |= inst.kind.construct().is_some_and(|construct| match construct {
                    Construct::If { .. } | Construct::Switch { .. } => varies,
                    Construct::Loop { label, condition, continuing, .. } => {
                        condition.is_some_and(|block| self.gives(block))
                            || self.gives(continuing)
                            || self.left.contains(&label)
                    }
                    Construct::Scope { label, .. } => self.left.contains(&label),
                });
            }
            InstClass::Jump if apart => match inst.kind.label() {
                Some(label) => _ = self.left.insert(label),
                None => self.returned = true,
            },
            InstClass::Compute
            | InstClass::Query
            | InstClass::MakeView
            | InstClass::Read
            | InstClass::Atomic
            | InstClass::Declare
            | InstClass::Output
            | InstClass::Stop
            | InstClass::Call
            | InstClass::Jump => {}
        }
        inst.kind.blocks(&mut |block| {
            self.block(block, inside);
            varies |= self.gives(block);
        });
        if varies || inside {
            self.values.extend(inst.result);
        }
    }
}
