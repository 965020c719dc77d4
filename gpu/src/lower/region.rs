//! Code without a barrier inside [lifted](super::tile) code: a **region**, executed by the active
//! threads. Values that [cross](tilewise_ir::analysis::barrier_regions) its border are spilled to
//! variables, since an expression of one block of the module is not visible outside of it.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Inst, ValueId};
use tilewise_ir::types::Data;

use super::builder::ExprHandle;
use super::control::Leaves;
use super::state::{Around, AroundKind, Lowerer, LoweringResult, ModuleValue};
use super::view::ModuleView;

/// The variables of a spilled value, and the view if it is one.
type Kept = Vec<(ExprHandle, Option<ModuleView>)>;

impl<'a> Lowerer<'a> {
    /// Emits code without a barrier, executed by the active threads.
    pub(super) fn region(&mut self, insts: &'a [Inst]) -> LoweringResult {
        let crossing = insts.first().and_then(|first| self.input.regions.values(first.id));
        let makes = |value: &ValueId| crossing.is_some_and(|values| values.makes.contains(value));
        let kept: Vec<ValueId> = insts.iter().flat_map(Inst::results).filter(makes).collect();
        let mut spilled: Vec<(ValueId, Kept)> = Vec::new();
        self.those_here(|this| {
            this.seq(
                insts,
                Some(&mut |this: &mut Lowerer<'a>| {
                    for &value in &kept {
                        let vars = this.spill(value)?;
                        spilled.push((value, vars));
                    }
                    Ok(())
                }),
            )
        })?;
        for (value, vars) in spilled {
            self.fill(value, vars);
        }
        Ok(())
    }

    /// Emits code that the active threads execute, then updates the mask for those that left.
    pub(super) fn those_here(
        &mut self,
        write: impl FnOnce(&mut Self) -> LoweringResult<Leaves>,
    ) -> LoweringResult<Leaves> {
        let masks = self.masks()?;
        let here = self.b.load(masks.here);
        self.leaves.around.push(Around { label: None, kind: AroundKind::Region });
        let falls_to = self.leaves.falls_to.take();
        let mut leaves = Leaves::new();
        let made = self.if_then(here, |this| {
            leaves = write(this)?;
            Ok(())
        });
        self.leaves.falls_to = falls_to;
        self.leaves.around.pop();
        made?;
        if !leaves.is_empty() {
            self.look_around(here)?;
        }
        Ok(leaves)
    }

    /// Sets the mask: the threads of `before` that are not leaving.
    pub(super) fn look_around(&mut self, before: ExprHandle) -> LoweringResult {
        let masks = self.masks()?;
        let goal = self.goal();
        let goal = self.b.load(goal);
        let none = self.b.u32(0);
        let stays = self.b.equal(goal, none);
        let here = if fault::planted(Fault::LeaversStay) { before } else { self.b.both(before, stays) };
        self.b.store(masks.here, here);
        Ok(())
    }

    /// Spills a value to variables.
    fn spill(&mut self, value: ValueId) -> LoweringResult<Kept> {
        match self.forms.values[value.index()].clone() {
            Some(ModuleValue::Data(expr)) => {
                let data = self.data(value);
                let var = self.variable("kept", data);
                self.b.store(var, expr);
                Ok(vec![(var, None)])
            }
            Some(ModuleValue::View(view)) => {
                let numbers: Vec<ExprHandle> = [view.base]
                    .into_iter()
                    .chain(view.extents.iter().copied())
                    .chain(view.strides.iter().copied())
                    .collect();
                let mut vars = Vec::new();
                for number in numbers {
                    let var = self.variable("kept", Data::U32);
                    self.b.store(var, number);
                    vars.push((var, Some(view.clone())));
                }
                Ok(vars)
            }
            None => Ok(Vec::new()),
        }
    }

    /// Reloads a spilled value.
    fn fill(&mut self, value: ValueId, vars: Kept) {
        let numbers: Vec<ExprHandle> = vars.iter().map(|(var, _)| self.b.load(*var)).collect();
        match (vars.into_iter().next(), numbers.first()) {
            (Some((_, Some(view))), Some(&base)) => {
                let rank = view.extents.len();
                let extents = numbers[1..=rank].to_vec();
                let strides = numbers[rank + 1..].to_vec();
                self.forms.values[value.index()] =
                    Some(ModuleValue::View(ModuleView { base, extents, strides, ..view }));
            }
            (Some((_, None)), Some(&expr)) => self.forms.values[value.index()] = Some(ModuleValue::Data(expr)),
            _ => {}
        }
    }
}
