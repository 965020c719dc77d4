//! Statements, barriers and atomics among them.

use naga::{AtomicFunction, Barrier, Block, Expression, Handle, Statement, TypeInner};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{AtomicOp, Fence, InstKind, Place, Root};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use crate::ShaderImporter;
use crate::call::{FunctionExit, FunctionFrame, JumpTarget};
use crate::feature::ShaderFeature;
use crate::texture::TexelAddress;
use crate::types::value_scalar;
use crate::value::ShaderValue;

/// Statements and expressions of one import, with those of all calls: far more than a kernel may have instructions.
const MAX_STATEMENTS: u32 = 1 << 20;

impl<'m> ShaderImporter<'m> {
    /// Walks a block; returns whether its end can be reached. `is_tail`: nothing of the function
    /// follows it.
    pub(crate) fn block(&mut self, frame: &mut FunctionFrame<'m>, block: &'m Block, is_tail: bool) -> bool {
        let last = block.len().saturating_sub(1);
        for (i, (statement, span)) in block.span_iter().enumerate() {
            let here = self.source.pos(*span);
            if here.is_known() {
                self.pos = here;
            }
            if !self.statement(frame, statement, is_tail && i == last) {
                // What follows cannot be reached.
                return false;
            }
        }
        true
    }

    /// Keeps the value of an expression; a value that a continuing part needs goes into its variable
    /// too.
    pub(crate) fn define(&mut self, frame: &mut FunctionFrame<'m>, of: Handle<Expression>, value: ShaderValue) {
        if let Some(&(local, ty)) = frame.carried.get(&of) {
            let place = Place { root: Root::Local(local), path: Vec::new() };
            self.store(&place, value.clone(), ty);
        }
        frame.values.insert(of, value);
    }

    /// Counts a statement, an expression, a variable or a store of one part. Without room for it the shader is refused,
    /// and the walk ends: functions that call others twice double at each level, as parts of types of parts do.
    pub(crate) fn has_room(&mut self) -> bool {
        self.statements = self.statements.saturating_add(1);
        // An expression may be many instructions, as a product of matrices is.
        let has_room = self.statements <= MAX_STATEMENTS && self.builder.size() <= MAX_STATEMENTS as usize;
        if !has_room {
            self.refuse(ShaderFeature::InlinedSize);
        }
        has_room
    }

    /// Walks a statement; returns whether what follows it can be reached.
    pub(crate) fn statement(&mut self, frame: &mut FunctionFrame<'m>, statement: &'m Statement, is_tail: bool) -> bool {
        let pos = self.pos;
        if !self.has_room() {
            return false;
        }
        match *statement {
            Statement::Emit(ref range) => {
                for expression in range.clone() {
                    // An expression is an instruction, and a statement may have very many.
                    if !self.has_room() {
                        return false;
                    }
                    // In a loop's continuing part it may be known from the body.
                    frame.values.remove(&expression);
                    let value = match frame.decided.remove(&expression) {
                        Some(decided) => decided,
                        None => self.value(frame, expression),
                    };
                    self.define(frame, expression, value);
                }
            }
            Statement::Block(ref block) => return self.block(frame, block, is_tail),
            Statement::If { condition, ref accept, ref reject } => {
                if self.short_circuit(frame, statement, condition) {
                    return true;
                }
                let condition = self.data_of(frame, condition);
                self.builder.begin_block();
                let accepted = self.block(frame, accept, false);
                let then = self.builder.end_block(None);
                self.builder.begin_block();
                let rejected = self.block(frame, reject, false);
                let otherwise = self.builder.end_block(None);
                self.builder.emit(InstKind::If { condition, then, otherwise }, pos);
                return if fault::planted(Fault::RejectDropped) { accepted && rejected } else { accepted || rejected };
            }
            Statement::Switch { selector, ref cases } => return self.switch(frame, selector, cases),
            Statement::Loop { ref body, ref continuing, break_if } => {
                return self.loop_statement(frame, body, continuing, break_if);
            }
            Statement::Break => {
                if let Some(&(JumpTarget::Loop(label) | JumpTarget::Switch(label))) = frame.targets.last() {
                    frame.left.insert(label);
                    self.builder.emit(InstKind::Break { label, value: None }, pos);
                }
                return false;
            }
            Statement::Continue => {
                let label = frame.targets.iter().rev().find_map(|target| match target {
                    JumpTarget::Loop(label) => Some(*label),
                    JumpTarget::Switch(_) => None,
                });
                if let Some(label) = label {
                    self.builder.emit(InstKind::Continue { label }, pos);
                }
                return false;
            }
            Statement::Return { value } => {
                let value = value.map(|value| self.value(frame, value));
                self.return_statement(frame, value, is_tail);
                return false;
            }
            Statement::Kill => _ = self.refuse(ShaderFeature::Discard),
            Statement::ControlBarrier(flags) => self.barrier(flags, InstKind::Barrier),
            Statement::MemoryBarrier(flags) => self.barrier(flags, InstKind::Fence),
            Statement::Store { pointer, value } => {
                let inner = self.type_of(frame, pointer);
                let place = self.place_of(frame, pointer);
                let value = self.value(frame, value);
                if let TypeInner::Atomic(_) = self.pointee(inner) {
                    let value = Some(self.data(&value));
                    self.builder.emit(InstKind::Atomic { op: AtomicOp::Exchange, place, value }, pos);
                } else {
                    let ty = self.pointee_type(inner);
                    self.store(&place, value, ty);
                }
            }
            Statement::Atomic { pointer, fun, value, result } => {
                self.atomic(frame, pointer, fun, value, result);
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                let inner = self.type_of(frame, pointer);
                let place = self.place_of(frame, pointer);
                self.builder.emit(InstKind::Barrier(Fence::TileStatic), pos);
                let value = match self.pointee(inner) {
                    TypeInner::Atomic(scalar) => self.atomic_load(place, scalar),
                    _ => {
                        let ty = self.pointee_type(inner);
                        self.load(&place, ty)
                    }
                };
                self.builder.emit(InstKind::Barrier(Fence::TileStatic), pos);
                self.define(frame, result, value);
            }
            Statement::Call { function, ref arguments, result } => {
                let args = arguments.iter().map(|&arg| self.value(frame, arg)).collect();
                let (value, comes_back) = self.call(frame, function, args);
                if !comes_back {
                    return false;
                }
                if let Some(result) = result {
                    self.define(frame, result, value);
                }
            }
            Statement::ImageStore { image, coordinate, array_index, value } => {
                let address = TexelAddress { coordinate, layer: array_index, sample: None, level: None };
                self.texture_store(frame, image, address, value);
            }
            Statement::ImageAtomic { image, coordinate, array_index, fun, value } => {
                let address = TexelAddress { coordinate, layer: array_index, sample: None, level: None };
                self.texture_atomic(frame, image, address, fun, value);
            }
            Statement::SubgroupBallot { result, predicate } => {
                let value = self.subgroup_ballot(frame, predicate);
                self.define(frame, result, value);
            }
            Statement::SubgroupGather { ref mode, argument, result } => {
                let value = self.subgroup_gather(frame, mode, argument);
                self.define(frame, result, value);
            }
            Statement::SubgroupCollectiveOperation { op, collective_op, argument, result } => {
                let value = self.subgroup_collective(frame, op, collective_op, argument);
                self.define(frame, result, value);
            }
            Statement::RayQuery { .. } | Statement::RayPipelineFunction(_) => {
                _ = self.refuse(ShaderFeature::RayQueries);
            }
            Statement::CooperativeStore { .. } => {
                _ = self.refuse(ShaderFeature::CooperativeMatrices);
            }
        }
        true
    }

    fn return_statement(&mut self, frame: &mut FunctionFrame<'m>, value: Option<ShaderValue>, is_tail: bool) {
        let pos = self.pos;
        frame.has_returned = true;
        match frame.exit {
            // At the end there is nothing to leave.
            FunctionExit::Thread if is_tail => {}
            FunctionExit::Thread => _ = self.builder.emit(InstKind::Return(None), pos),
            FunctionExit::Tail => frame.returned = value,
            FunctionExit::Value(label) => {
                let value = value.map(|value| self.data(&value));
                self.builder.emit(InstKind::Break { label, value }, pos);
            }
            FunctionExit::Variable(label, variable) => {
                if let (Some((local, ty)), Some(value)) = (variable, value) {
                    self.store(&Place { root: Root::Local(local), path: Vec::new() }, value, ty);
                }
                if !is_tail {
                    self.builder.emit(InstKind::Break { label, value: None }, pos);
                }
            }
        }
    }

    fn barrier(&mut self, flags: Barrier, make: fn(Fence) -> InstKind) {
        if flags.contains(Barrier::SUB_GROUP) {
            return self.subgroup_barrier();
        }
        let fence = if flags == Barrier::WORK_GROUP {
            Fence::TileStatic
        } else if flags == Barrier::STORAGE {
            fault::choose(Fault::StorageBarrierWeak, Fence::Global, Fence::TileStatic)
        } else {
            Fence::All
        };
        let pos = self.pos;
        self.builder.emit(make(fence), pos);
    }

    fn atomic(
        &mut self,
        frame: &mut FunctionFrame<'m>,
        pointer: Handle<Expression>,
        function: AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
    ) {
        let inner = self.type_of(frame, pointer);
        let place = self.place_of(frame, pointer);
        let value = self.data_of(frame, value);
        let pos = self.pos;
        let op = match atomic_op(function) {
            Ok(op) => op,
            Err(expected) => {
                let expected = self.data_of(frame, expected);
                let (old, _) = self.builder.compare_exchange(place, expected, value, pos);
                if let Some(result) = result {
                    // In range these are equal if it exchanged. Out of range nothing is exchanged, and a loop
                    // that tries until it is would not end.
                    let equal = self.op(Op::Eq, &[old, expected]);
                    let parts = [old, equal].map(ShaderValue::Data);
                    self.define(frame, result, ShaderValue::Parts(parts.into()));
                }
                return;
            }
        };
        let is_float = match self.pointee(inner) {
            TypeInner::Atomic(scalar) => value_scalar(scalar).is_some_and(Scalar::is_float),
            _ => false,
        };
        // A difference of floats is the sum with the negative.
        let (op, value) = match op {
            AtomicOp::Sub if is_float && fault::planted(Fault::FloatDifferenceAdds) => (AtomicOp::Add, value),
            AtomicOp::Sub if is_float => (AtomicOp::Add, self.op(Op::Neg, &[value])),
            op => (op, value),
        };
        if is_float && !matches!(op, AtomicOp::Add | AtomicOp::Exchange) {
            self.refuse(ShaderFeature::FloatAtomic);
        }
        let old = self.builder.emit(InstKind::Atomic { op, place, value: Some(value) }, pos);
        if let (Some(result), Some(old)) = (result, old) {
            self.define(frame, result, ShaderValue::Data(old));
        }
    }
}

/// The operation of an atomic function; of a compare-exchange, the value that it compares with.
pub(crate) fn atomic_op(function: AtomicFunction) -> Result<AtomicOp, Handle<Expression>> {
    Ok(match function {
        AtomicFunction::Add => AtomicOp::Add,
        AtomicFunction::Subtract => AtomicOp::Sub,
        AtomicFunction::And => fault::choose(Fault::AtomicAndIsOr, AtomicOp::And, AtomicOp::Or),
        AtomicFunction::ExclusiveOr => AtomicOp::Xor,
        AtomicFunction::InclusiveOr => AtomicOp::Or,
        AtomicFunction::Min => AtomicOp::Min,
        AtomicFunction::Max => AtomicOp::Max,
        AtomicFunction::Exchange { compare: None } => AtomicOp::Exchange,
        AtomicFunction::Exchange { compare: Some(expected) } => return Err(expected),
    })
}
