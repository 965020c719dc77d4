//! Operations of threads among each other that SPIR-V has and naga refuses when it validates, as WGSL has not: of
//! subgroups scans of minima, maxima and bits, bits of integers of 16 bits, gathers of conditions, and broadcasts whose
//! number is not constant; and sums of floats in the memory of a workgroup. In the stand-in each becomes something of
//! the same type that naga takes.

use naga::{
    AddressSpace, Arena, Block, CollectiveOperation, Expression, GatherMode, GlobalVariable, Handle, Module, Scalar,
    ScalarKind, Statement, SubgroupOperation, Type, TypeInner, UniqueArena,
};

use crate::visit::blocks_mut;

/// Changes the operations of a module that naga would refuse; returns whether there are any.
pub(crate) fn loosen(module: &mut Module) -> bool {
    let Module { types, functions, entry_points, global_variables: variables, .. } = module;
    let functions = functions.iter_mut().map(|(_, function)| function);
    let functions = functions.chain(entry_points.iter_mut().map(|entry| &mut entry.function));
    let mut is_changed = false;
    for function in functions {
        let expressions = &function.expressions;
        let mut loosener = SubgroupLoosener { types, variables, expressions, loaded: Vec::new(), is_changed: false };
        loosener.block(&mut function.body);
        is_changed |= loosener.is_changed;
        for (result, pointer) in loosener.loaded {
            function.expressions[result] = Expression::Load { pointer };
        }
    }
    is_changed
}

struct SubgroupLoosener<'a> {
    types: &'a UniqueArena<Type>,
    variables: &'a Arena<GlobalVariable>,
    expressions: &'a Arena<Expression>,
    /// Results that become what is loaded of a pointer.
    loaded: Vec<(Handle<Expression>, Handle<Expression>)>,
    is_changed: bool,
}

impl SubgroupLoosener<'_> {
    fn block(&mut self, block: &mut Block) {
        block.iter_mut().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &mut Statement) {
        blocks_mut(statement, &mut |block| self.block(block));
        match statement {
            // naga has atomic sums of floats in buffers only.
            &mut Statement::Atomic { pointer, result: Some(result), .. }
                if pointer < result && self.is_float(result) && !self.is_in_buffer(pointer) =>
            {
                self.loaded.push((result, pointer));
                *statement = Statement::Emit(naga::Range::new_from_bounds(result, result));
                self.is_changed = true;
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

    /// Is it the result of an atomic operation on a float?
    fn is_float(&self, result: Handle<Expression>) -> bool {
        let Expression::AtomicResult { ty, comparison: false } = self.expressions[result] else { return false };
        matches!(self.types[ty].inner, TypeInner::Scalar(Scalar::F32))
    }

    /// Does a pointer point into a buffer?
    fn is_in_buffer(&self, pointer: Handle<Expression>) -> bool {
        match self.expressions[pointer] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => self.is_in_buffer(base),
            Expression::GlobalVariable(variable) => {
                matches!(self.variables[variable].space, AddressSpace::Storage { .. })
            }
            _ => false,
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
