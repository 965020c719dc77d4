//! Emits a program's nodes: control flow becomes basic blocks and branches, everything else is
//! delegated.

use std::sync::Arc;

use cranelift_codegen::ir::{
    self, BlockArg, InstBuilder, MemFlagsData, SigRef, SourceLoc, StackSlot, StackSlotData, StackSlotKind, Type, Value,
    types,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::FunctionBuilder;
use tilewise_ir::pos::Pos;

use super::cold_block::ColdBlock;
use super::copy::Runs;
use super::facts::MachineFacts;
use super::pieces::{Pieces, lanes_in, scalar_type, vector_type};
use super::plan::{self, OutlinePlan};
use super::rematerialise::Late;
use super::{LaneCost, Slow, thunk};
use crate::hash::{HashMap, HashSet};
use crate::lanes::{
    self, Elem, ExitStatus, LaneBlock, LaneProgram, LaneType, Likely, MemorySpace, Node, effect_operands, operands,
};

/// Parameters of the function.
pub(super) struct Given {
    /// The argument block.
    pub(super) words: Value,
    /// The worker's memory.
    pub(super) arena: Value,
    /// The [`HostCalls`](super::HostCalls).
    pub(super) host: Value,
}

/// An outlined arm: its body and its parameters.
pub(super) type ColdArm<'a> = (&'a LaneBlock, &'a [lanes::LaneValue]);

/// Data that the code of a function refers to.
pub(super) struct FunctionNeeds {
    /// Tables that the code reads.
    pub(super) runs: Vec<Runs>,
    /// Cold blocks.
    pub(super) asides: Vec<Arc<ColdBlock>>,
    /// The positions that source locations of the code index.
    pub(super) places: Vec<Pos>,
    /// Operations that are not lowered to vector instructions.
    pub(super) slow: Vec<Slow>,
}

/// The Cranelift values of the program's values.
enum ValueTable {
    /// For a whole program: by number.
    All(Vec<Option<Pieces>>),
    /// For a cold block: few of the program's values, since a program may have many such blocks.
    Some(HashMap<lanes::LaneValue, Pieces>),
}

impl ValueTable {
    fn get(&self, value: lanes::LaneValue) -> Option<Pieces> {
        match self {
            ValueTable::All(all) => all.get(value.index()).copied().flatten(),
            ValueTable::Some(some) => some.get(&value).copied(),
        }
    }

    fn set(&mut self, value: lanes::LaneValue, pieces: Pieces) {
        match self {
            ValueTable::All(all) => all[value.index()] = Some(pieces),
            ValueTable::Some(some) => _ = some.insert(value, pieces),
        }
    }
}

/// Emits the function of one program.
pub(super) struct Emitter<'p, 'f> {
    pub(super) builder: FunctionBuilder<'f>,
    pub(super) facts: MachineFacts,
    pub(super) program: &'p LaneProgram,
    pub(super) given: Given,
    /// Tables that the code reads.
    pub(super) runs: Vec<Runs>,
    /// Access flags of each space encountered.
    pub(super) spaces: HashMap<MemorySpace, MemFlagsData>,
    /// Is the code being emitted cold?
    pub(super) cold: bool,
    /// The thunk and its signature.
    thunk: (usize, Option<SigRef>),
    /// A stack slot shared by all temporary uses.
    scratch: Option<StackSlot>,
    /// A stack slot for the arguments of cold blocks.
    pub(super) frame: Option<StackSlot>,
    /// Cold blocks, and their enclosing program.
    pub(super) asides: Vec<Arc<ColdBlock>>,
    pub(super) around: Option<Arc<LaneProgram>>,
    plan: &'p OutlinePlan,
    values: ValueTable,
    /// Constants that are rematerialised where they are used.
    late: Option<Late>,
    /// The common exit block; its parameter is the status.
    exit: Option<ir::Block>,
    /// Parameters of the function between the words and the worker's memory.
    middle: Vec<Value>,
    /// The positions that source locations of the code index.
    places: Vec<Pos>,
    /// Atomics whose results are unused.
    unread: HashSet<lanes::LaneValue>,
    /// Is the result of the current instruction used?
    pub(super) wanted: bool,
    /// How the lanes of the last operation were lowered.
    pub(super) pace: LaneCost,
    slow: Vec<Slow>,
}

impl<'p, 'f> Emitter<'p, 'f> {
    /// Begins the function.
    pub(super) fn new(
        mut builder: FunctionBuilder<'f>,
        isa: &dyn TargetIsa,
        program: &'p LaneProgram,
        plan: &'p OutlinePlan,
        thunk: usize,
    ) -> Self {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        builder.seal_block(entry);
        let params = builder.block_params(entry).to_vec();
        // A program has seven parameters, with its given scalars in the middle. A cold block has
        // four.
        let last = params.len() - 1;
        let given = Given { words: params[0], arena: params[last - 1], host: params[last] };
        let middle = params[1..last - 1].to_vec();
        Emitter {
            builder,
            facts: MachineFacts::of(isa),
            program,
            given,
            runs: Vec::new(),
            spaces: HashMap::default(),
            cold: false,
            thunk: (thunk, None),
            scratch: None,
            frame: None,
            asides: Vec::new(),
            around: None,
            plan,
            values: ValueTable::Some(HashMap::default()),
            late: None,
            middle,
            exit: None,
            places: vec![Pos::NONE],
            unread: HashSet::default(),
            wanted: true,
            pace: LaneCost::default(),
            slow: Vec::new(),
        }
    }

    /// Emits the whole function; `arm` is the body of a cold block with its parameters.
    pub(super) fn run(mut self, isa: &dyn TargetIsa, arm: Option<ColdArm<'_>>) -> FunctionNeeds {
        match (arm, self.middle.as_slice()) {
            (Some((body, params)), &[frame]) => {
                self.cold = true;
                self.late = Late::of(self.program, body, self.facts.vector_registers());
                self.unread = plan::unread(body);
                self.arm(frame, body, params);
            }
            (_, given) => {
                self.values = ValueTable::All(vec![None; self.program.types.len()]);
                for (i, &param) in given.iter().enumerate() {
                    self.values.set(self.program.given[i], Pieces::scalar(Elem::I64, param));
                }
                self.late = Late::of(self.program, &self.program.body, self.facts.vector_registers());
                self.unread = plan::unread(&self.program.body);
                self.block(&self.program.body);
            }
        }
        let done = self.builder.ins().iconst(types::I64, ExitStatus::Done as i64);
        self.builder.ins().return_(&[done]);
        if let Some(exit) = self.exit {
            self.builder.switch_to_block(exit);
            self.builder.seal_block(exit);
            let status = self.builder.block_params(exit)[0];
            self.builder.ins().return_(&[status]);
        }
        self.builder.finalize(isa.frontend_config());
        FunctionNeeds { runs: self.runs, asides: self.asides, places: self.places, slow: self.slow }
    }

    /// The number of lanes of the program.
    pub(super) fn width(&self) -> usize {
        self.program.width as usize
    }

    /// The number of Cranelift values that represent lanes.
    pub(super) fn count(&self, elem: Elem) -> usize {
        if self.width() == 1 { 1 } else { self.width() / lanes_in(elem) }
    }

    /// The type of each Cranelift value that represents lanes.
    pub(super) fn piece_type(&self, elem: Elem) -> Type {
        if self.width() == 1 { scalar_type(elem) } else { vector_type(elem) }
    }

    /// Lanes of these Cranelift values.
    pub(super) fn lanes_of(&self, elem: Elem, values: &[Value]) -> Pieces {
        if self.width() == 1 { Pieces::scalar(elem, values[0]) } else { Pieces::from_parts(elem, values) }
    }

    /// A value of the program.
    pub(super) fn get(&self, value: lanes::LaneValue) -> Pieces {
        if let Some(late) = &self.late {
            late.assert_is_brought(value);
        }
        self.values.get(value).unwrap_or_else(|| panic!("%{} is used before it is there", value.0))
    }

    /// A scalar of the program.
    pub(super) fn scalar(&self, value: lanes::LaneValue) -> Value {
        self.get(value).first()
    }

    /// Is this a constant that is rematerialised where it is used? If so, records it.
    fn is_late(&mut self, value: lanes::LaneValue, inst: &lanes::LaneInst) -> bool {
        self.late.as_mut().is_some_and(|late| late.note(value, inst))
    }

    /// Makes a value available before its use: emits it if it is a constant that was not emitted
    /// nearby.
    pub(super) fn bring(&mut self, value: lanes::LaneValue) {
        let block = self.builder.current_block();
        let Some(inst) = self.late.as_mut().and_then(|late| late.wanted(value, block)) else { return };
        if let lanes::LaneInst::Splat(scalar) = inst {
            self.bring(scalar);
        }
        let pieces = self.inst(&inst, self.program.ty(value));
        self.set(value, pieces);
    }

    pub(super) fn set(&mut self, value: lanes::LaneValue, pieces: Pieces) {
        self.values.set(value, pieces);
    }

    /// A stack slot of at least `bytes` bytes, aligned to 16.
    pub(super) fn scratch(&mut self, bytes: u32) -> StackSlot {
        let func = &mut self.builder.func;
        let slot = *self.scratch.get_or_insert_with(|| {
            func.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 4))
        });
        let size = &mut func.sized_stack_slots[slot].size;
        *size = bytes.max(*size);
        slot
    }

    /// Calls a Rust function by its address. Its parameters are words; its result is ignored.
    pub(super) fn call(&mut self, function: usize, args: &[Value]) {
        let function = self.builder.ins().iconst(types::I64, function as i64);
        self.call_value(function, args);
    }

    /// Calls a Rust function.
    pub(super) fn call_value(&mut self, function: Value, args: &[Value]) {
        let signature = match self.thunk.1 {
            Some(signature) => signature,
            None => *self.thunk.1.insert(self.builder.import_signature(thunk::signature())),
        };
        let thunk = self.builder.ins().iconst(types::I64, self.thunk.0 as i64);
        let mut words = vec![function];
        words.extend(args);
        let none = self.builder.ins().iconst(types::I64, 0);
        words.resize(thunk::ARGS + 1, none);
        self.builder.ins().call_indirect(signature, thunk, &words);
    }

    pub(super) fn block(&mut self, block: &LaneBlock) {
        block.nodes.iter().for_each(|node| self.node(node));
    }

    fn node(&mut self, node: &Node) {
        if let Some(late) = &mut self.late {
            late.begin();
        }
        match node {
            Node::Let { value, .. } if !self.plan.is_needed(*value) => {}
            Node::Let { value, inst, .. } if self.is_late(*value, inst) => {}
            Node::Let { value, inst, pos } => {
                self.at(*pos);
                operands(inst, &mut |&value| self.bring(value));
                let ty = self.program.ty(*value);
                self.pace = LaneCost::Vectors;
                self.wanted = !self.unread.contains(value);
                let pieces = self.inst(inst, ty);
                if let &lanes::LaneInst::Op { op, scalar, .. } = inst
                    && ty.is_lanes()
                    && self.pace != LaneCost::Vectors
                {
                    self.slow.push(Slow { pos: *pos, op: (op, scalar), pace: self.pace });
                }
                self.set(*value, pieces);
            }
            Node::Do { effect, pos } => {
                self.at(*pos);
                effect_operands(effect, &mut |&value| self.bring(value));
                self.effect(effect);
            }
            Node::If { condition, then, otherwise, results, likely } => {
                self.branch(*condition, then, otherwise, results, *likely);
            }
            Node::Loop { params, init, body, again, results } => self.repeat(params, init, body, *again, results),
            Node::Exit { condition, status } => {
                self.bring(*condition);
                let condition = self.scalar(*condition);
                self.exit_if(condition, *status);
            }
            Node::Poll => self.poll(),
        }
    }

    fn at(&mut self, pos: Pos) {
        let last = self.places.last().copied().unwrap_or(Pos::NONE);
        if last.key() != pos.key() {
            self.places.push(pos);
        }
        self.builder.set_srcloc(SourceLoc::new(self.places.len() as u32 - 1));
    }

    /// Block parameters for the Cranelift values of a value of this type.
    fn params(&mut self, block: ir::Block, ty: LaneType) -> Pieces {
        match ty {
            LaneType::Scalar(elem) => Pieces::scalar(elem, self.builder.append_block_param(block, scalar_type(elem))),
            LaneType::Lanes(elem) => {
                let ty = self.piece_type(elem);
                let count = self.count(elem);
                let values: Vec<Value> = (0..count).map(|_| self.builder.append_block_param(block, ty)).collect();
                self.lanes_of(elem, &values)
            }
        }
    }

    fn args(&mut self, values: &[lanes::LaneValue]) -> Vec<BlockArg> {
        values.iter().for_each(|&value| self.bring(value));
        let pieces = values.iter().map(|&value| self.get(value));
        pieces.flat_map(|pieces| pieces.parts().iter().map(|&part| BlockArg::Value(part)).collect::<Vec<_>>()).collect()
    }

    /// Continues in a block whose predecessors are all known.
    pub(super) fn enter(&mut self, block: ir::Block) {
        self.builder.switch_to_block(block);
        self.builder.seal_block(block);
    }

    fn branch(
        &mut self,
        condition: lanes::LaneValue,
        then: &LaneBlock,
        otherwise: &LaneBlock,
        results: &[lanes::LaneValue],
        likely: Likely,
    ) {
        let plan = self.plan;
        self.bring(condition);
        let condition = self.scalar(condition);
        let join = self.builder.create_block();
        let joined: Vec<Pieces> = results.iter().map(|&result| self.params(join, self.program.ty(result))).collect();
        let arms = [then, otherwise].map(|arm| (arm, (!arm.nodes.is_empty()).then(|| self.builder.create_block())));
        let [yes, no] = arms.each_ref().map(|(arm, block)| match block {
            Some(block) => (*block, Vec::new()),
            None => (join, self.args(&arm.results)),
        });
        self.builder.ins().brif(condition, yes.0, &yes.1, no.0, &no.1);
        if let (true, Some(cold)) = (likely.is_then(), arms[1].1) {
            self.builder.set_cold_block(cold);
        }
        for (i, (arm, block)) in arms.into_iter().enumerate() {
            if let Some(block) = block {
                self.enter(block);
                let was = self.cold;
                self.cold |= i == 1 && likely.is_then();
                let args = match plan.arm(arm) {
                    Some(apart) => self.aside(apart, arm),
                    None => {
                        self.block(arm);
                        self.args(&arm.results)
                    }
                };
                self.cold = was;
                self.builder.ins().jump(join, &args);
            }
        }
        self.enter(join);
        for (&result, pieces) in results.iter().zip(joined) {
            self.set(result, pieces);
        }
    }

    fn repeat(
        &mut self,
        params: &[lanes::LaneValue],
        init: &[lanes::LaneValue],
        body: &LaneBlock,
        again: lanes::LaneValue,
        results: &[lanes::LaneValue],
    ) {
        let head = self.builder.create_block();
        let after = self.builder.create_block();
        let first = self.args(init);
        self.builder.ins().jump(head, &first);
        for &param in params {
            let pieces = self.params(head, self.program.ty(param));
            self.set(param, pieces);
        }
        self.builder.switch_to_block(head);
        self.block(body);
        let next = self.args(&body.results);
        self.bring(again);
        let again = self.scalar(again);
        self.builder.ins().brif(again, head, &next, after, &[]);
        self.builder.seal_block(head);
        self.enter(after);
        // The end of the body dominates everything after the loop, so its values are available.
        for (&result, &value) in results.iter().zip(&body.results) {
            self.bring(value);
            let pieces = self.get(value);
            self.set(result, pieces);
        }
    }

    /// The common exit block.
    pub(super) fn exit(&mut self) -> ir::Block {
        if let Some(exit) = self.exit {
            return exit;
        }
        let exit = self.builder.create_block();
        self.builder.append_block_param(exit, types::I64);
        self.builder.set_cold_block(exit);
        *self.exit.insert(exit)
    }

    /// Ends the program with a status if a condition holds.
    pub(super) fn exit_if(&mut self, condition: Value, status: ExitStatus) {
        let exit = self.exit();
        let status = self.builder.ins().iconst(types::I64, status as i64);
        let on = self.builder.create_block();
        self.builder.ins().brif(condition, exit, &[BlockArg::Value(status)], on, &[]);
        self.enter(on);
    }
}
