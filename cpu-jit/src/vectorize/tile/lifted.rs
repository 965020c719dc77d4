//! Constructs that hold barriers: `if`, `switch` and scopes, as control flow of the tile.

use tilewise_ir::kernel::{Block, Construct, Inst, LabelId, SwitchCase, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use crate::lanes::{Elem, LaneControl, LaneValue, Likely, Note};
use crate::vectorize::state::{Formed, OpenTarget, Vectorizer, malformed};

impl Vectorizer<'_> {
    /// Writes a construct that holds a barrier, or a barrier.
    pub(in crate::vectorize) fn lifted(&mut self, inst: &Inst) -> Formed {
        if let Some(result) = inst.result {
            self.place_of(result)?;
        }
        if inst.kind.barrier().is_some() {
            return self.barrier(inst.pos);
        }
        let Some(construct) = inst.kind.construct() else {
            return Err(malformed("an instruction holds a barrier and no block"));
        };
        let note = match construct {
            Construct::If { .. } | Construct::Switch { .. } => Some(Note::Branch(LaneControl::Tile)),
            Construct::Loop { .. } => Some(Note::Loop(LaneControl::Tile)),
            Construct::Scope { .. } => None,
        };
        self.tables.notes.extend(note.map(|note| (inst.id, (inst.pos, note))));
        match construct {
            Construct::If { condition, then, otherwise } => self.lifted_if(inst.result, condition, then, otherwise),
            Construct::Switch { selector, cases, default } => self.lifted_switch(selector, cases, default),
            Construct::Scope { label, body } => self.lifted_scope(inst, label, body),
            Construct::Loop { label, condition, body, continuing } => {
                self.lifted_loop(inst.id, label, condition, body, continuing)
            }
        }
    }

    /// Writes a block of a lifted construct, and stores its value as the construct's result.
    pub(in crate::vectorize) fn level_giving(&mut self, block: &Block, result: Option<ValueId>) -> Formed {
        let (Some(value), Some(result)) = (block.value, result) else { return self.level(&block.insts) };
        let slots = self.place_of(result)?;
        self.level_then(&block.insts, &mut |s| {
            s.each_strip(Vec::new(), |s, _| {
                s.present();
                let here = s.active;
                s.take_up_values(&[value].into())?;
                for (comp, &(slot, elem)) in s.comps(value)?.into_iter().zip(&slots) {
                    let value = comp.lanes(&mut s.b);
                    s.keep(slot, elem, value, here);
                }
                Ok(Vec::new())
            })?;
            Ok(())
        })
    }

    pub(in crate::vectorize) fn lifted_if(
        &mut self,
        result: Option<ValueId>,
        condition: ValueId,
        then: &Block,
        otherwise: &Block,
    ) -> Formed {
        let (_, left) = self.inside(|s| match s.agreed(condition)? {
            Some(condition) => {
                let then = |s: &mut Self| s.own(|s| s.level_giving(then, result));
                s.either(condition, then, |s| s.own(|s| s.level_giving(otherwise, result)))
            }
            None => {
                let [yes, no] = s.vote(condition, &|_, value| value)?;
                s.side(yes, no.1, |s| s.level_giving(then, result))?;
                s.side(no, yes.1, |s| s.level_giving(otherwise, result))
            }
        })?;
        self.after_construct(&left)
    }

    /// An `if` at tile level.
    pub(in crate::vectorize) fn either(
        &mut self,
        condition: LaneValue,
        then: impl FnOnce(&mut Self) -> Formed,
        otherwise: impl FnOnce(&mut Self) -> Formed,
    ) -> Formed {
        self.merge(
            condition,
            Likely::Either,
            |s| {
                then(s)?;
                Ok(Vec::new())
            },
            |s| {
                otherwise(s)?;
                Ok(Vec::new())
            },
        )?;
        Ok(())
    }

    pub(in crate::vectorize) fn lifted_switch(
        &mut self,
        selector: ValueId,
        cases: &[SwitchCase],
        default: &Block,
    ) -> Formed {
        let blocks: Vec<&Block> = cases.iter().map(|case| &case.body).chain([default]).collect();
        let is = |s: &mut Self, value: LaneValue, case: Option<&SwitchCase>| match case {
            Some(case) => {
                let mut any = s.b.truth(false);
                for &value_of in &case.values {
                    let constant = s.b.constant(Elem::I32, value_of.into());
                    let equal = s.b.op(Op::Eq, Scalar::I32, &[value, constant]);
                    any = s.b.or(any, equal);
                }
                any
            }
            None => {
                let mut all = s.b.truth(true);
                for &value_of in cases.iter().flat_map(|case| &case.values) {
                    let constant = s.b.constant(Elem::I32, value_of.into());
                    let differs = s.b.op(Op::Ne, Scalar::I32, &[value, constant]);
                    all = s.b.and(all, differs);
                }
                all
            }
        };
        let (_, left) = self.inside(|s| {
            let agreed = s.agreed(selector)?;
            let mut sides = Vec::new();
            for i in 0..blocks.len() {
                let case = cases.get(i);
                sides.push(match agreed {
                    Some(value) => (None, is(s, value, case)),
                    None => {
                        let [yes, no] = s.vote(selector, &|s, value| is(s, value, case))?;
                        (Some((yes, no.1)), yes.1)
                    }
                });
            }
            for (block, (vote, holds)) in blocks.into_iter().zip(sides) {
                s.active = None;
                match vote {
                    None => s.either(holds, |s| s.own(|s| s.level(&block.insts)), |_| Ok(()))?,
                    Some((yes, others)) => s.side(yes, others, |s| s.level(&block.insts))?,
                }
            }
            Ok(())
        })?;
        self.after_construct(&left)
    }

    pub(in crate::vectorize) fn lifted_scope(&mut self, inst: &Inst, label: LabelId, body: &Block) -> Formed {
        let result = inst.result;
        let arrived = self.add_part(Elem::Bool);
        let slot = self.crowd_slot(inst.id, label, false)?;
        self.exits.targets.push(OpenTarget { label, continues: false, arrived, result: Vec::new(), value: result });
        let no = self.b.truth(false);
        let write = |s: &mut Self| s.with_crowd(slot, no, |s| s.level_giving(body, result));
        let (_, mut left) = self.inside(write)?;
        self.exits.targets.pop();
        self.exits.touched.remove(&arrived);
        if left.remove(&arrived) && self.tile.divergence.parting {
            left.insert(self.exits.ended);
        } else if !self.tile.divergence.parting && self.input.shape.leaves_to(inst.id, label, false) {
            // All threads that left arrived here.
            self.come_back(arrived);
        }
        self.after_construct(&left)?;
        self.parts.truncate(arrived);
        Ok(())
    }
}
