//! Operations of subgroups that SPIR-V has and naga refuses when it validates, as WGSL has not: scans of minima, maxima
//! and bits, bits of integers of 16 bits, gathers of conditions, and broadcasts whose number is not constant. In the
//! stand-in each becomes one of the same type that naga takes.

use naga::{
    Arena, Block, CollectiveOperation, Expression, GatherMode, Handle, Module, Scalar, ScalarKind, Statement,
    SubgroupOperation, Type, TypeInner, UniqueArena,
};

/// Changes the operations of a module that naga would refuse; returns whether there are any.
pub(crate) fn loosen(module: &mut Module) -> bool {
    let Module { types, functions, entry_points, .. } = module;
    let functions = functions.iter_mut().map(|(_, function)| function);
    let functions = functions.chain(entry_points.iter_mut().map(|entry| &mut entry.function));
    let mut is_changed = false;
    for function in functions {
        let mut loosener = SubgroupLoosener { types, expressions: &function.expressions, is_changed: false };
        loosener.block(&mut function.body);
        is_changed |= loosener.is_changed;
    }
    is_changed
}

struct SubgroupLoosener<'a> {
    types: &'a UniqueArena<Type>,
    expressions: &'a Arena<Expression>,
    is_changed: bool,
}

impl SubgroupLoosener<'_> {
    fn block(&mut self, block: &mut Block) {
        block.iter_mut().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Block(block) => self.block(block),
            Statement::If { accept, reject, .. } => {
                self.block(accept);
                self.block(reject);
            }
            Statement::Switch { cases, .. } => cases.iter_mut().for_each(|case| self.block(&mut case.body)),
            Statement::Loop { body, continuing, .. } => {
                self.block(body);
                self.block(continuing);
            }
            Statement::SubgroupCollectiveOperation { op, collective_op, result, .. } => {
                let is_bits = matches!(op, SubgroupOperation::And | SubgroupOperation::Or | SubgroupOperation::Xor);
                if is_bits && self.scalar(*result).is_some_and(|(scalar, _)| scalar.width < 4) {
                    *op = SubgroupOperation::Add;
                    self.is_changed = true;
                }
                let is_sum = matches!(op, SubgroupOperation::Add | SubgroupOperation::Mul);
                if !is_sum && *collective_op != CollectiveOperation::Reduce {
                    *collective_op = CollectiveOperation::Reduce;
                    self.is_changed = true;
                }
            }
            &mut Statement::SubgroupGather { ref mut mode, argument, result } => {
                if let Some((Scalar { kind: ScalarKind::Bool, .. }, true)) = self.scalar(result) {
                    *statement = Statement::SubgroupCollectiveOperation {
                        op: SubgroupOperation::Any,
                        collective_op: CollectiveOperation::Reduce,
                        argument,
                        result,
                    };
                    self.is_changed = true;
                    return;
                }
                if let GatherMode::Broadcast(index) | GatherMode::QuadBroadcast(index) = *mode {
                    *mode = GatherMode::Shuffle(index);
                    self.is_changed = true;
                }
            }
            _ => {}
        }
    }

    /// The scalar of a result, and whether it is no vector.
    fn scalar(&self, result: Handle<Expression>) -> Option<(Scalar, bool)> {
        let Expression::SubgroupOperationResult { ty } = self.expressions[result] else { return None };
        match self.types[ty].inner {
            TypeInner::Scalar(scalar) => Some((scalar, true)),
            TypeInner::Vector { scalar, .. } => Some((scalar, false)),
            _ => None,
        }
    }
}
