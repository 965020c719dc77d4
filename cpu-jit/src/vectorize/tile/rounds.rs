//! Loops that hold barriers.

use tilewise_ir::kernel::{Block, InstId, LabelId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::{ONE_BY_ONE, ROUNDS};
use crate::lanes::{Elem, LaneType};
use crate::vectorize::comp::Comp;
use crate::vectorize::state::{Formed, OpenTarget, PartNumber, Vectorizer, malformed};

/// Condition, body and continuing block of a loop.
type LoopBlocks<'b> = (Option<&'b Block>, &'b Block, &'b Block);

impl Vectorizer<'_> {
    /// Writes a loop that holds a barrier. It is unrolled if its iterations are known.
    pub(in crate::vectorize) fn lifted_loop(
        &mut self,
        id: InstId,
        label: LabelId,
        condition: Option<&Block>,
        body: &Block,
        continuing: &Block,
    ) -> Formed {
        if let Some(condition) = condition
            && !self.tile.divergence.parting
            && self.input.shape.at(id).work <= ONE_BY_ONE
            && !self.left_from(id)
        {
            let mark = self.b.mark();
            let said = (self.tables.copies.len(), self.tables.messages.len(), self.tile.slots.context);
            let state = (self.parts.clone(), self.values.clone(), self.tile.slots.values.clone());
            if self.one_by_one(condition, body, continuing)? {
                return Ok(());
            }
            self.back_to(&mark);
            self.tables.copies.truncate(said.0);
            self.tables.messages.truncate(said.1);
            self.tile.slots.context = said.2;
            (self.parts, self.values, self.tile.slots.values) = state;
            self.active = None;
            self.at = id;
        }
        self.looped(id, label, condition, body, continuing)
    }

    /// Does any thread leave from inside, or end?
    pub(in crate::vectorize) fn left_from(&self, construct: InstId) -> bool {
        self.input.shape.at(construct).ends || !self.input.shape.leaves_in(self.input.shape.span(construct)).is_empty()
    }

    /// Writes iterations as long as the condition is constant; returns whether that is the whole
    /// loop.
    pub(in crate::vectorize) fn one_by_one(
        &mut self,
        condition: &Block,
        body: &Block,
        continuing: &Block,
    ) -> Formed<bool> {
        let Some(asked) = condition.value else { return Ok(false) };
        for _ in 0..=ROUNDS {
            self.level(&condition.insts)?;
            let go = self.agreed(asked)?.and_then(|value| self.b.constant_of(value));
            match go {
                Some(0) => return Ok(true),
                Some(_) => {}
                None => return Ok(false),
            }
            self.own(|s| s.level(&body.insts))?;
            self.level(&continuing.insts)?;
            if let Some(value) = continuing.value {
                match self.agreed(value)?.and_then(|value| self.b.constant_of(value)) {
                    Some(0) => {}
                    Some(_) => return Ok(true),
                    None => return Ok(false),
                }
            }
        }
        Ok(false)
    }

    /// Writes a loop whose condition is tested at the beginning of an iteration.
    pub(in crate::vectorize) fn looped(
        &mut self,
        id: InstId,
        label: LabelId,
        condition: Option<&Block>,
        body: &Block,
        continuing: &Block,
    ) -> Formed {
        let broke = self.add_part(Elem::Bool);
        self.exits.targets.push(OpenTarget {
            label,
            continues: false,
            arrived: broke,
            result: Vec::new(),
            value: None,
        });
        // Members leave by the condition too, if it is voted on.
        let slot = if self.tile.divergence.parting { Some(self.new_crowd()?) } else { None };
        let no = self.b.truth(false);
        let (_, mut left) = self.inside(|s| {
            s.with_crowd(slot, no, |s| {
                // All scalars that may change are loop-carried.
                let carried: Vec<PartNumber> =
                    (0..s.parts.len()).filter(|&part| part >= s.added || s.parts[part].is_some()).collect();
                let mut types = vec![LaneType::Scalar(Elem::I64)];
                let mut init = vec![s.b.number(0)];
                for &part in &carried {
                    let value = s.added(part);
                    types.push(s.b.ty(value));
                    init.push(value);
                }
                let params = s.b.open_loop(&types);
                for (&part, &param) in carried.iter().zip(&params[1..]) {
                    s.parts[part] = Some(Comp::Plain(param));
                }
                s.tile.rounds.push(params[0]);
                s.poll();
                s.active = None;
                let again = s.add_part(Elem::Bool);
                s.round(id, label, (condition, body, continuing), again)?;
                let again_value = s.added(again);
                s.parts.truncate(again);
                s.tile.rounds.pop();
                let one = s.b.number(1);
                let mut next = vec![s.b.op(Op::Add, Scalar::I64, &[params[0], one])];
                for &part in &carried {
                    next.push(s.added(part));
                }
                let block = s.b.close(next);
                let results = s.b.repeat(params, init, block, again_value);
                for (&part, &result) in carried.iter().zip(&results[1..]) {
                    s.parts[part] = Some(Comp::Plain(result));
                }
                Ok(())
            })
        })?;
        self.exits.targets.pop();
        self.exits.touched.remove(&broke);
        left.remove(&broke);
        if self.tile.divergence.parting {
            left.insert(self.exits.ended);
        } else {
            self.come_back(broke);
        }
        self.after_construct(&left)?;
        self.parts.truncate(broke);
        Ok(())
    }

    /// Writes one iteration: stores in `again` whether there is another.
    fn round(&mut self, id: InstId, label: LabelId, blocks: LoopBlocks<'_>, again: PartNumber) -> Formed {
        let (Some(condition), ..) = blocks else { return self.rest_of_round(id, label, blocks, again) };
        let value = condition.value.ok_or_else(|| malformed("a condition has no value"))?;
        self.level_then(&condition.insts, &mut |s| {
            let go = s.narrow(value, true)?;
            s.either(go, |s| s.rest_of_round(id, label, blocks, again), |_| Ok(()))
        })
    }

    /// Writes the body and the continuing block.
    fn rest_of_round(&mut self, id: InstId, label: LabelId, blocks: LoopBlocks<'_>, again: PartNumber) -> Formed {
        let (_, body, continuing) = blocks;
        let goes_on = self.add_part(Elem::Bool);
        self.exits.targets.push(OpenTarget {
            label,
            continues: true,
            arrived: goes_on,
            result: Vec::new(),
            value: None,
        });
        // A crowd inside the iteration: threads that continue early wait outside of it.
        let slot = self.crowd_slot(id, label, true)?;
        let no = self.b.truth(false);
        let (_, mut left) = self.inside(|s| s.with_crowd(slot, no, |s| s.level(&body.insts)))?;
        self.exits.targets.pop();
        self.exits.touched.remove(&goes_on);
        if left.remove(&goes_on) {
            if self.tile.divergence.parting {
                left.insert(self.exits.ended);
            } else {
                self.come_back(goes_on);
            }
        }
        self.after_construct(&left)?;
        let stayed = self.active.take().unwrap_or_else(|| self.b.truth(true));
        self.either(
            stayed,
            |s| {
                s.level_then(&continuing.insts, &mut |s| {
                    let go = match continuing.value {
                        Some(value) => s.narrow(value, false)?,
                        None => s.b.truth(true),
                    };
                    s.parts[again] = Some(Comp::Plain(go));
                    Ok(())
                })
            },
            |_| Ok(()),
        )?;
        self.parts.truncate(goes_on);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    use crate::lanes::OptimiseGoals;
    use crate::vectorize::{CodeKey, vectorize};

    /// Does a kernel with tiles of 256 threads keep its tile memory in registers?
    fn in_registers(body: &str) -> bool {
        let text = format!(
            "kernel k(a: buffer<[f32], read>, o: buffer<[f32], read_write>) tile(256) {{
                tile_static s: [f32; 256];
                {body}
            }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let mut key = CodeKey::apart(16, 4);
        key.goals = OptimiseGoals::MOST;
        vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0)).promoted
    }

    /// A sum for each tile, as an imported shader has it.
    fn sums(before: &str, after: &str, step: &str, end: &str) -> bool {
        in_registers(&format!(
            "{before}
            let l = local[0] as u32;
            s[l] = a[tile[0] as u32 * 256u32 + l];
            barrier;
            {after}
            while d > 0u32 {{
                if l < d {{
                    s[l] = s[l] + s[l + d];
                }}
                barrier;
            }} continuing {{
                d = {step};
            }}
            {end}"
        ))
    }

    #[test]
    fn a_counter_may_be_declared_before_the_barrier() {
        let (counter, end) = ("var d: u32 = 128u32;", "if l == 0u32 { o[tile[0] as u32] = s[0]; }");
        assert!(sums("", counter, "d / 2u32", end));
        assert!(sums(counter, "", "d / 2u32", end));
        assert!(sums(counter, "", "d >> 1u32", end));
        assert!(!sums("var d: u32 = tile[0] as u32;", "", "d >> 1u32", end), "nobody knows it");
    }

    #[test]
    fn threads_may_return_behind_the_last_barrier() {
        let counter = "var d: u32 = 128u32;";
        let branches = "if l == 0u32 { o[tile[0] as u32] = s[0]; return; } else { return; }";
        assert!(sums(counter, "", "d >> 1u32", branches));
        let early = "if l != 0u32 { return; } o[tile[0] as u32] = s[0];";
        assert!(sums(counter, "", "d >> 1u32", early));
    }

    #[test]
    fn a_variable_and_an_index_may_be_declared_before_the_barrier() {
        let scan = |variable: &str| {
            in_registers(&format!(
                "var d: u32 = 1u32;
                {variable}
                let i = (tile[0] as u32 * 3u32 + 5u32) * 256u32 + local[0] as u32;
                let l = local[0] as u32;
                s[l] = a[i];
                barrier;
                while d < 256u32 {{
                    v = s[l];
                    if l >= d {{
                        v = v + s[l - d];
                    }}
                    barrier;
                    s[l] = v;
                    barrier;
                    d = d << 1u32;
                }}
                o[i] = s[l];"
            ))
        };
        assert!(scan("var v: f32 = 0.0;"));
        assert!(scan("var v: f32 = a[local[0]];"), "its value is never read");
    }
}
