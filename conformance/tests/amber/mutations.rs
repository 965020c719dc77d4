//! Scripts with a few places changed at random: whatever comes of them, nothing of ours panics.
//! `AMBER_MUTATIONS` says how many are made of each script.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use tilewise_conformance::amber::{AmberRejection, PlayOptions, load, play};
use tilewise_conformance::corpus;
use tilewise_conformance::target::{LaunchVariant, Limit, SuiteTarget, UserFallback};
use tilewise_interp::Checks;
use tilewise_ir::diag::Colour;

use crate::random::Random;

/// Texts that are put in: what scripts are made of, and what they had better not be.
const PIECES: &[&str] = &[
    "\n",
    " ",
    "END\n",
    "\nEND\n",
    "\\\n",
    "#",
    "0",
    "-1",
    "4294967296",
    "99999999999999999999999999999999999999999",
    "0x",
    "1e999",
    "nan",
    "%",
    "|",
    "\"",
    ";",
    "!",
    "STD140",
    "float16",
    "vec3<double>",
    "mat4x3<float>",
    "DATA",
    "SIZE 4000000000",
    "SIZE 0",
    "FILL",
    "SERIES_FROM -5 INC_BY 0.1",
    "IDX 3",
    "IDX 4294967295",
    "TOLERANCE 1%",
    "EQ_RGBA",
    "RMSE_BUFFER",
    "REPEAT 1000000\n",
    "RUN p 4294967295 4294967295 1\n",
    "DESCRIPTOR_OFFSET 4294967295",
    "DESCRIPTOR_RANGE 0",
    "WIDTH 65536 HEIGHT 65536",
    "SPIRV-ASM",
    "SPIRV-HEX",
    "GLSL",
    "WGSL",
    "uniform",
    "storage_image",
    "SPECIALIZE 3 AS uint32 4294967295",
    "OpSwitch",
    "OpSpecConstantOp",
    "OpExtInst",
    "OpConstant",
    "%main",
    "%1",
    "%4194304",
    "LocalSize",
    "float a[4000000000]\n",
    "ä",
    "\u{0}",
    "\u{feff}",
];

/// Changed texts of each script.
const MUTATIONS: usize = 120;

impl Random {
    /// Changes a place as in any text, or puts a word in the place of another.
    fn change_script(&mut self, text: &mut String, other: &str) {
        if self.below(6) > 0 {
            return self.change_text(text, other, PIECES);
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() {
            return;
        }
        let (from, to) = (words[self.below(words.len())].to_owned(), words[self.below(words.len())].to_owned());
        *text = text.replacen(&from, &to, 1 + self.below(2));
    }
}

fn scripts() -> Vec<(&'static str, &'static str)> {
    corpus::FILES.iter().filter(|(name, _)| name.ends_with(".amber")).copied().collect()
}

/// Reads a script and plays it, with little fuel: how long it runs is not the question here. Tells how far it came.
fn tried(name: &str, text: &str) -> &'static str {
    let program = match load(name, text) {
        Ok(program) => program,
        Err(AmberRejection::Wrong(_)) => return "wrong",
        Err(AmberRejection::Refused(_)) => return "refused",
        Err(AmberRejection::Shader { rejection, .. }) => {
            let report = rejection.render(Colour::Never);
            assert!(!report.contains("the importer panicked"), "{report}\n{text}");
            return "rejected";
        }
    };
    let options = PlayOptions {
        target: SuiteTarget::Reference,
        way: LaunchVariant::Linear,
        limit: Limit { fuel: 2000, time: Duration::from_secs(1) },
        checks: Checks::default(),
        fallback: UserFallback::Error,
    };
    drop(play(&program, &options));
    "played"
}

#[test]
fn nothing_panics_on_changed_scripts() {
    std::panic::set_hook(Box::new(|_| {}));
    let count = std::env::var("AMBER_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(MUTATIONS);
    let (mut random, scripts) = (Random(1), scripts());
    let mut counts = std::collections::BTreeMap::new();
    for &(name, text) in &scripts {
        for _ in 0..count {
            let mut changed = text.to_owned();
            for _ in 0..=random.below(3) {
                let other = scripts[random.below(scripts.len())].1;
                random.change_script(&mut changed, other);
            }
            let came = catch_unwind(AssertUnwindSafe(|| tried(name, &changed)));
            let came = came.unwrap_or_else(|payload| {
                drop(std::panic::take_hook());
                let message = payload.downcast_ref::<String>().map(String::as_str);
                let message = message.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
                panic!("{message}\n{changed}");
            });
            *counts.entry(came).or_insert(0) += 1;
        }
    }
    drop(std::panic::take_hook());
    let of = |came: &str| counts.get(came).copied().unwrap_or(0);
    // Each end is met often, so that changes are neither harmless nor all alike.
    for came in ["wrong", "rejected", "played"] {
        assert!(of(came) * 40 > scripts.len() * count, "{counts:?}");
    }
    assert!(of("refused") > 0, "{counts:?}");
}
