//! File tests with a few bytes changed at random: whatever comes of them, nothing panics.

use tilewise_conformance::corpus;
use tilewise_conformance::kir::{case, data};
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

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = data::next(self.0);
        let mixed = (self.0 ^ (self.0 >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed >> 33) as usize) % limit.max(1)
    }

    /// A place between two characters.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    fn change(&mut self, text: &mut String) {
        let (a, b) = (self.place(text), self.place(text));
        let (a, b) = (a.min(b), a.max(b).min(a.min(b) + 40));
        let b = (b..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
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
