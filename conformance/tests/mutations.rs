//! File tests with a few bytes changed at random: whatever comes of them, nothing panics.

mod random;

use random::Random;
use tilewise_conformance::corpus;
use tilewise_conformance::kir::case;
use tilewise_conformance::target::SuiteTarget;
use tilewise_conformance::verdict::Verdict;

/// Texts that are put in: what headers and kernels are made of, and what they had better not be.
const PIECES: [&str; 32] = [
    "//! ",
    "\n",
    "expect ",
    "run x\n",
    "domain 4x6\n",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "=",
    ":",
    ",",
    "*",
    "\"",
    "-1",
    "0",
    "99999999999999999999",
    "2147483647",
    "x",
    "in a at 9",
    "stride 0",
    "nan(",
    "bits(0)",
    "random 1 1..0",
    "iota 1 step 0",
    "3*",
    "// ^^^ #a\n",
    "// ^0:0 error[K0001]: x\n",
    "ä",
    "\u{0}",
];

/// Changed texts of each file.
const MUTATIONS: u32 = 60;

impl Random {
    fn change(&mut self, text: &mut String) {
        let (a, b) = self.stretch(text, 40);
        match self.below(4) {
            0 => text.replace_range(a..b, ""),
            1 => {
                let copy = text[a..b].to_owned();
                let at = self.place(text);
                text.insert_str(at, &copy);
            }
            _ => text.insert_str(a, PIECES[self.below(PIECES.len())]),
        }
    }
}

#[test]
fn nothing_panics_on_changed_files() {
    let mut random = Random(1);
    for (name, text) in corpus::FILES {
        for _ in 0..MUTATIONS {
            let mut changed = (*text).to_owned();
            for _ in 0..=random.below(3) {
                random.change(&mut changed);
            }
            // Little fuel: how long a changed kernel runs is not the question here.
            let changed = format!("//! fuel 20000\n{}", changed.replace("//! fuel", "// fuel"));
            let (verdict, _) = case::run_and_bless(name, &changed, SuiteTarget::Reference);
            if let Verdict::Fail(problems) = verdict {
                let panicked = problems.iter().find(|problem| problem.message.contains("Tilewise panicked"));
                assert!(panicked.is_none(), "{panicked:?}\n{changed}");
            }
        }
    }
}
