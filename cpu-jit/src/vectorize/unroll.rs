//! Unrolling of short loops: the iterations of `for dy in 0..3` are written one after another.
//!
//! A loop is unrolled if it goes on or ends in each iteration by a condition that is constant there,
//! after at most [`ITERATIONS`] of them, whose code has at most [`VALUES`] values; loops inside it are
//! unrolled first. Constants are folded as code is written, so counters disappear, and the loop
//! around it (over the strips of a row, of most kernels) becomes an innermost one, out of which
//! [`version`](crate::lanes::version) hoists bounds checks. Whether the conditions are constant shows
//! as the iterations are written; what was written for a loop that is not short is rolled back.
//!
//! Code becomes longer, so this runs only where [`longer`](crate::lanes::OptimiseGoals::longer) asks
//! for it; [`ShortLoops`] tells whether that is worth trying.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::InstId;

use super::repeat::Rounds;
use super::state::{Formed, Vectorizer};
use crate::lanes::{LaneValue, ShortLoops};

/// Maximum number of iterations of an unrolled loop.
const ITERATIONS: u32 = 9;

/// Maximum number of values in an unrolled loop.
const VALUES: usize = 800;

/// Maximum number of operations in an iteration, as the kernel writes it.
const WORK: u32 = 100;

impl Vectorizer<'_> {
    /// Writes a loop without a loop, if it is short; returns whether it did.
    pub(super) fn unrolled(&mut self, rounds: &Rounds<'_>) -> Formed<bool> {
        let id = rounds.id;
        if !self.input.key.goals.longer || !self.may_be_short(id) || self.long_loops.contains(&id) {
            return Ok(false);
        }
        let mark = self.b.mark();
        let state = (self.parts.clone(), self.active, self.exits.clone(), self.protected.clone());
        let said = (self.tables.copies.len(), self.tables.messages.len());
        self.protect_waiting(rounds);
        // Some lanes may leave in the last iteration, while others finish it.
        if self.left_from(id) && !fault::planted(Fault::ShortLoopForgetsLeavers) {
            self.protected.extend(self.input.live.leaving(id).iter());
        }
        let done = self.one_after_another(rounds)?;
        if done == Some(true) {
            self.protected = state.3;
            self.short_loops = ShortLoops::Unrolled;
            return Ok(true);
        }
        if done == Some(false) {
            self.long_loops.insert(id);
        }
        self.back_to(&mark);
        (self.parts, self.active, self.exits, self.protected) = state;
        self.tables.copies.truncate(said.0);
        self.tables.messages.truncate(said.1);
        self.at = id;
        Ok(false)
    }

    /// Writes iterations as long as a constant says that there is another; returns whether the last
    /// one was among them, or `None` if already the first condition is not constant.
    fn one_after_another(&mut self, rounds: &Rounds<'_>) -> Formed<Option<bool>> {
        let before = self.b.mark();
        let entered = self.active;
        if let Some(block) = rounds.condition {
            let go = self.asked(block)?.value(&mut self.b);
            match self.b.constant_of(go) {
                Some(0) => return Ok(Some(true)),
                Some(_) => {}
                None => return Ok(None),
            }
        }
        let (whole, left) = self.inside(|s| {
            let added = s.parts.len();
            for _ in 0..ITERATIONS {
                let (again, _) = s.iteration(rounds)?;
                s.parts.truncate(added);
                match s.b.constant_of(again) {
                    Some(0) => return Ok(true),
                    Some(_) if s.b.written_since(&before) <= VALUES => {}
                    Some(_) | None => break,
                }
            }
            Ok(false)
        })?;
        self.active = self.without(entered, &left);
        Ok(Some(whole))
    }

    /// Remembers a loop that is perhaps worth unrolling, by whether lanes enter it.
    pub(super) fn note_short(&mut self, id: InstId, go: LaneValue) {
        let constant = self.b.constant_of(go).is_some();
        if constant && self.short_loops == ShortLoops::None && self.may_be_short(id) {
            self.short_loops = ShortLoops::Kept;
        }
    }

    fn may_be_short(&self, id: InstId) -> bool {
        self.input.key.width > 1 && self.input.shape.at(id).work <= WORK
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{LaneProgram, Note, OptimiseGoals};
    use crate::vectorize::samples::checked_untiled;
    use crate::vectorize::{CodeKey, vectorize};

    fn program(body: &str, longer: bool) -> LaneProgram {
        let goals = OptimiseGoals { longer, ..OptimiseGoals::PLAIN };
        let key = CodeKey { goals, ..CodeKey::apart(16, 3) };
        vectorize(&checked_untiled(body), &key).unwrap_or_else(|why| panic!("{}", why.0))
    }

    /// What becomes of the loops of a body in short code and in longer code, and whether one stays a loop there.
    fn outcome(body: &str) -> (ShortLoops, ShortLoops, bool) {
        let (short, long) = (program(body, false), program(body, true));
        let stays = long.notes.iter().any(|(_, note)| matches!(note, Note::Loop(_)));
        (short.short_loops, long.short_loops, stays)
    }

    #[test]
    fn loops_of_few_iterations_leave_no_loop() {
        use ShortLoops::{Kept, None, Unrolled};
        let nest = "var s: i32 = 0; var y: i32 = 0;
             while y < 3 { var x: i32 = 0; while x < y { s = s + data[x] * y; x = x + 1; } y = y + 1; }
             out[i] = s;";
        assert_eq!(outcome(nest), (Kept, Unrolled, false));
        let left = "var s: i32 = 0; loop { if s == 5 { break; } s = s + 1; } out[i] = s;";
        assert_eq!(outcome(left), (Kept, Unrolled, false));
        let continued = "var s: i32 = n; var x: i32 = 0;
             while x < 8 { if data[i] > x { continue; } s = s * x; } continuing { x = x + 1; }
             out[i] = s;";
        assert_eq!(outcome(continued), (Kept, Unrolled, false));
        let many = "var s: i32 = 0; var x: i32 = 0; while x < 10 { s = s + data[x]; x = x + 1; } out[i] = s;";
        assert_eq!(outcome(many), (Kept, Kept, true));
        let unknown = "var s: i32 = 0; while s < n { s = s + data[s]; } out[i] = s;";
        assert_eq!(outcome(unknown), (None, None, true));
    }

    /// A window that only some lanes have: an array whose indices are constant once its loops are unrolled.
    #[test]
    fn an_array_that_a_branch_declares_needs_no_memory() {
        let body = "if data[i] > n {
             var w: [i32; 3] = zero;
             var k: i32 = 0;
             while k < 3 { w[k] = data[i + k]; } continuing { k = k + 1; }
             k = 0;
             while k < 2 { w[k + 1] = max(w[k], w[k + 1]); } continuing { k = k + 1; }
             out[i] = w[2];
         }";
        let [kept, gone] = [false, true].map(|longer| program(body, longer).to_string().contains("private["));
        assert!(kept && !gone);
    }

    /// Each attempt at an outer loop meets the inner ones again, which are tried once.
    #[test]
    fn deep_nests_of_long_loops_take_few_attempts() {
        let mut body = String::from("s = s * 3 + n;");
        for level in 0..24 {
            body = format!("var x{level}: i32 = 0; while x{level} < 20 {{ {body} x{level} = x{level} + 1; }}");
        }
        let began = std::time::Instant::now();
        let program = program(&format!("var s: i32 = 0; {body} out[i] = s;"), true);
        assert_eq!(program.short_loops, ShortLoops::Kept);
        assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    }
}
