//! Memory of the tile begins as zero: which of it has to be cleared, and the code that does it.
//!
//! A variable need not be cleared if nobody reads what nobody wrote. That is so where its first access is a **cover**: an assignment that all threads of the tile come to together, in which
//! each takes the element of its own local index, and all elements are taken; and every other access stands behind a barrier that follows the cover in the same block. A round of a loop, or an
//! arm, that comes to such an access has come by the cover and the barrier before.
//!
//! Where `abort` or `error` may end threads on the way, everything is cleared.

use naga::{Barrier, BinaryOperator, Block as Code, Statement};
use tilewise_ir::analysis::facts::{Fact, Facts};
use tilewise_ir::analysis::range::Range;
use tilewise_ir::analysis::shape::{Shape, Stride};
use tilewise_ir::analysis::uniformity::Class;
use tilewise_ir::kernel::{
    Block, Builtin, Fence, Inst, InstId, InstKind, Kernel, Place, Root, Step, TileVarId, ValueDef, ValueId,
};
use tilewise_ir::types::{Data, Type, TypeId};

use super::builder::Expr;
use super::scan::Scan;
use super::state::{Lowerer, Made, Words, malformed};

/// Stores by one thread that stand one after the other; more are in a loop.
const UNROLLED: u32 = 8;

/// For each variable of the tile, whether all that is read of it was written before.
pub(super) fn covered(kernel: &Kernel, facts: &Facts, scan: &Scan) -> Vec<bool> {
    let count = kernel.tile_vars().len();
    let unknown = scan.ends || facts.uniformity().gave_up();
    if unknown {
        return vec![false; count];
    }
    let search = Search { kernel, facts, builtins: builtins(kernel) };
    let mut out = vec![None; count];
    search.block(kernel.entry().body(), &mut out);
    // What nobody names is not read either.
    out.into_iter().map(|found| found != Some(false)).collect()
}

/// For each value, the built-in that it is.
fn builtins(kernel: &Kernel) -> Vec<Option<Builtin>> {
    let mut builtins = vec![None; kernel.entry().values().len()];
    kernel.entry().body().walk(&mut |inst| {
        if let (InstKind::Builtin(builtin), Some(result)) = (&inst.kind, inst.result) {
            builtins[result.index()] = Some(*builtin);
        }
    });
    builtins
}

struct Search<'a> {
    kernel: &'a Kernel,
    facts: &'a Facts,
    builtins: Vec<Option<Builtin>>,
}

/// Does the instruction, or one inside, name the variable?
fn touches(inst: &Inst, var: TileVarId) -> bool {
    let own = |inst: &Inst| {
        let mut found = false;
        inst.kind.places(&mut |place| found |= place.root == Root::Tile(var));
        found
    };
    let mut found = own(inst);
    inst.kind.blocks(&mut |block| block.walk(&mut |inst| found |= own(inst)));
    found
}

impl Search<'_> {
    /// Looks at the first access of each variable. Nothing in `out` means that none was met; an access that is no cover settles the matter.
    fn block(&self, block: &Block, out: &mut [Option<bool>]) {
        for (i, inst) in block.insts.iter().enumerate() {
            if let InstKind::Store { place: Place { root: Root::Tile(var), path }, .. } = &inst.kind
                && out[var.index()].is_none()
            {
                out[var.index()] = Some(self.covers(*var, path, inst.id) && self.rest(*var, &block.insts[i + 1..]));
                if out[var.index()] == Some(true) && !self.only_here(*var, &block.insts[i..]) {
                    out[var.index()] = Some(false);
                }
            } else if !inst.kind.is_structured() {
                inst.kind.places(&mut |place| {
                    if let Root::Tile(var) = place.root {
                        out[var.index()].get_or_insert(false);
                    }
                });
            }
            inst.kind.blocks(&mut |block| self.block(block, out));
        }
    }

    /// Behind the cover: is there a barrier before the next access?
    fn rest(&self, var: TileVarId, insts: &[Inst]) -> bool {
        for inst in insts {
            if matches!(inst.kind, InstKind::Barrier(Fence::All | Fence::TileStatic)) {
                return true;
            }
            if touches(inst, var) {
                return false;
            }
        }
        // Nobody reads it.
        true
    }

    /// Are all accesses of the kernel within these instructions?
    fn only_here(&self, var: TileVarId, insts: &[Inst]) -> bool {
        let count = |insts: &[Inst]| {
            let mut count = 0;
            for inst in insts {
                let own = |inst: &Inst, count: &mut usize| {
                    inst.kind.places(&mut |place| *count += usize::from(place.root == Root::Tile(var)));
                };
                own(inst, &mut count);
                inst.kind.blocks(&mut |block| block.walk(&mut |inst| own(inst, &mut count)));
            }
            count
        };
        count(insts) == count(&self.kernel.entry().body().insts)
    }

    /// Do all threads of the tile come to the store together, and assign all elements?
    fn covers(&self, var: TileVarId, path: &[Step], store: InstId) -> bool {
        let Some(fact) = self.facts.inst(store) else { return false };
        let (Some(tile), true) = (self.kernel.tile(), fact.reached && fact.control == Class::Uniform) else {
            return false;
        };
        let mut ty = self.kernel.tile_vars()[var.index()].ty;
        let mut free: Vec<bool> = vec![true; tile.len()];
        for (i, step) in path.iter().enumerate() {
            let (&Step::Index(index), Type::Array { element, length: Some(length), .. }) =
                (step, self.kernel.types().get(ty))
            else {
                return false;
            };
            let Some(d) = self.dimension(index, fact.places.get(i)) else { return false };
            if !std::mem::replace(&mut free[d], false) || tile[d] != *length {
                return false;
            }
            ty = *element;
        }
        is_value(self.kernel, ty)
    }

    /// The dimension of the tile whose local index the value is.
    fn dimension(&self, index: ValueId, known: Option<&Fact>) -> Option<usize> {
        if let Some(Builtin::Local(d)) = self.builtins[index.index()] {
            return Some(d as usize);
        }
        // Grows by one from thread to thread along a row of the tile, and is below its length: all numbers from 0 on, each once.
        let tile = self.kernel.tile()?;
        let last = tile.len().checked_sub(1)?;
        let row = Range { lo: 0, hi: i128::from(tile[last]) - 1 };
        let own = matches!(self.kernel.entry().value(index).def, ValueDef::Inst)
            && known.is_some_and(|known| known.shape == Shape::Affine(Stride { by: 1, exact: true }))
            && known.and_then(|known| known.range).is_some_and(|range| row.contains(range));
        own.then_some(last)
    }
}

/// Is it a scalar or a vector, all of which an assignment sets?
fn is_value(kernel: &Kernel, ty: TypeId) -> bool {
    matches!(kernel.types().get(ty), Type::Scalar(_) | Type::Vector(..))
}

impl Lowerer<'_> {
    /// Clears memory of the tile, each thread a part; then all meet. Nothing is done if there is none to clear.
    pub(super) fn clear(&mut self, memory: &[(Words, u32)]) -> Made {
        if memory.is_empty() {
            return Ok(());
        }
        let threads: u32 = self.kernel.tile().map_or(1, |tile| tile.iter().product());
        let first = self.here.in_tile.ok_or_else(|| malformed("there is no tile"))?;
        for &(words, count) in memory {
            if count.div_ceil(threads) <= UNROLLED {
                for begin in (0..count).step_by(threads as usize) {
                    let more = self.b.u32(begin);
                    let at = self.b.add(first, more);
                    match begin + threads <= count {
                        true => self.clear_word(words, at),
                        false => {
                            let length = self.b.u32(count);
                            let within = self.b.less(at, length);
                            self.if_then(within, |this| {
                                this.clear_word(words, at);
                                Ok(())
                            })?;
                        }
                    }
                }
            } else {
                self.clear_in_a_loop(words, count, first, threads)?;
            }
        }
        self.b.statement(Statement::ControlBarrier(Barrier::WORK_GROUP));
        Ok(())
    }

    fn clear_in_a_loop(&mut self, words: Words, count: u32, first: Expr, threads: u32) -> Made {
        let counter = self.variable("cleared", Data::U32);
        self.b.store(counter, first);
        let body = self.nested(|this| {
            let at = this.b.load(counter);
            let length = this.b.u32(count);
            let over = this.b.binary(BinaryOperator::GreaterEqual, at, length);
            this.b.when(over, |b| b.statement(Statement::Break));
            this.clear_word(words, at);
            let step = this.b.u32(threads);
            let next = this.b.add(at, step);
            this.b.store(counter, next);
            Ok(())
        })?;
        self.b.statement(Statement::Loop { body, continuing: Code::new(), break_if: None });
        Ok(())
    }

    fn clear_word(&mut self, words: Words, at: Expr) {
        let zero = self.b.u32(0);
        self.store_word(words, at, zero);
    }
}
