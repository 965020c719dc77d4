//! Inlining: replaces all calls, so that targets need no concept of functions.
//!
//! A call becomes the body of its callee, copied with fresh values, locals and labels:
//!
//! - A parameter by value becomes the argument's value. A parameter by reference becomes the
//!   caller's place, with the callee's path appended; the values in that place were computed before
//!   the call, so indices are evaluated once, as the language requires.
//! - A body that returns only at its end replaces the call directly. Any other body becomes a
//!   [`NameScope`](InstKind::Scope), and its `return`s become `break`s of it.
//! - Positions are kept: a report about inlined code shows the line in the function, not of the
//!   call.
//!
//! A loop whose condition does more than compute a value becomes one without a condition (`condition`).
//! `return`s at the end of the kernel are dropped (`last_returns`).
//!
//! A recursive kernel, or one that would exceed the limits, is returned unchanged; the checker
//! refuses both before it inlines, by [`CallGraph`], which counts without building.

mod condition;
mod last_returns;

use std::collections::HashMap;

use crate::analysis::calls::CallGraph;
use crate::build::canonical;
use crate::fault::{self, Fault};
use crate::kernel::{
    Block, CallArgument, Const, Construct, Function, FunctionId, Inst, InstKind, Kernel, Label, LabelId, LocalId,
    Place, Root, Value, ValueDef, ValueId,
};
use crate::limits::{MAX_INSTRUCTIONS, MAX_NESTING};
use crate::stack::with_levels;

/// Returns the kernel without calls and functions, the conditions of its loops only computing a value.
pub fn inline(kernel: &Kernel) -> Kernel {
    inline_where(kernel, &|_| false)
}

/// Like [`inline()`], but keeps calls of functions for which `keep` holds. The same rule applies to
/// the calls in those functions.
pub fn inline_where(kernel: &Kernel, keep: &dyn Fn(&Function) -> bool) -> Kernel {
    with_levels(kernel.levels(), || inlined(kernel, keep))
}

fn inlined(kernel: &Kernel, keep: &dyn Fn(&Function) -> bool) -> Kernel {
    let calls = CallGraph::of(kernel);
    if !calls.cycles().is_empty() || calls.size() > MAX_INSTRUCTIONS || calls.depth() > u64::from(MAX_NESTING) + 2 {
        return kernel.clone();
    }
    let mut kept = HashMap::new();
    let mut stay = Vec::new();
    for (i, function) in kernel.functions.iter().enumerate() {
        let id = FunctionId(i as u32);
        if calls.reaches(id) && keep(function) {
            kept.insert(id, FunctionId(stay.len() as u32));
            stay.push(function);
        }
    }
    let functions = stay.iter().map(|function| expand(kernel, function, &kept)).collect();
    let mut entry = expand(kernel, &kernel.entry, &kept);
    last_returns::drop_last_returns(&mut entry.body);
    canonical::make(Kernel { functions, entry, ..kernel.clone() })
}

/// Upper estimate of the number of instructions after inlining; saturates. Meaningless for a
/// recursive kernel.
pub fn size_after(kernel: &Kernel) -> u64 {
    with_levels(kernel.levels(), || CallGraph::of(kernel).size())
}

/// Returns one function with its calls inlined.
fn expand(kernel: &Kernel, function: &Function, kept: &HashMap<FunctionId, FunctionId>) -> Function {
    let mut constants = HashMap::new();
    for (i, value) in function.values.iter().enumerate() {
        if let ValueDef::Const(constant) = value.def {
            constants.insert(constant, ValueId(i as u32));
        }
    }
    let mut inliner = Inliner { kernel, kept, out: Function { body: Block::default(), ..function.clone() }, constants };
    let mut frame = InlineFrame {
        values: (0..function.values.len()).map(|i| Some(ValueId(i as u32))).collect(),
        locals: (0..function.locals.len()).map(|i| Some(LocalId(i as u32))).collect(),
        labels: (0..function.labels.len()).map(|i| Some(LabelId(i as u32))).collect(),
        function,
        args: None,
        returns: Returns::Stay,
    };
    let mut body = Vec::new();
    inliner.insts(&mut frame, &function.body.insts, &mut body);
    inliner.out.body = Block { insts: body, value: function.body.value };
    inliner.out
}

struct Inliner<'a> {
    kernel: &'a Kernel,
    kept: &'a HashMap<FunctionId, FunctionId>,
    out: Function,
    constants: HashMap<Const, ValueId>,
}

/// A body being copied: maps its values, locals and labels to those of the result.
struct InlineFrame<'a> {
    function: &'a Function,
    values: Vec<Option<ValueId>>,
    locals: Vec<Option<LocalId>>,
    labels: Vec<Option<LabelId>>,
    /// The arguments of the call, in the result's ids. `None` for the function being expanded,
    /// which keeps its parameters.
    args: Option<Vec<CallArgument>>,
    returns: Returns,
}

/// The replacement of a `return`.
#[derive(Clone, Copy)]
enum Returns {
    /// Stays a `return`.
    Stay,
    /// A `break` out of this scope.
    Break(LabelId),
    /// Nothing: the copied body ends there.
    End,
}

impl Returns {
    fn jump(self, value: Option<ValueId>) -> Option<InstKind> {
        match self {
            Returns::Stay => Some(InstKind::Return(value)),
            Returns::Break(label) => Some(InstKind::Break { label, value }),
            Returns::End => None,
        }
    }
}

impl<'a> Inliner<'a> {
    fn insts(&mut self, frame: &mut InlineFrame<'a>, insts: &'a [Inst], to: &mut Vec<Inst>) {
        for inst in insts {
            // All other instructions are kept.
            if let InstKind::Call { function, args } = &inst.kind
                && !self.kept.contains_key(function)
            {
                let args = args.iter().map(|arg| self.arg(frame, arg)).collect();
                self.call(frame, inst, *function, args, to);
            } else if let InstKind::Return(value) = &inst.kind {
                let value = value.map(|value| self.value(frame, value));
                to.extend(frame.returns.jump(value).map(|kind| Inst::new(kind, None, inst.pos)));
            } else {
                let copy = self.copy(frame, &inst.kind);
                let result = inst.result.map(|result| self.value(frame, result));
                to.push(Inst::new(copy, result, inst.pos));
            }
        }
    }

    fn block(&mut self, frame: &mut InlineFrame<'a>, block: &'a Block) -> Block {
        let mut insts = Vec::with_capacity(block.insts.len());
        self.insts(frame, &block.insts, &mut insts);
        Block { insts, value: block.value.map(|value| self.value(frame, value)) }
    }

    /// Replaces a call by the function's body.
    fn call(
        &mut self,
        frame: &mut InlineFrame<'a>,
        call: &Inst,
        id: FunctionId,
        args: Vec<CallArgument>,
        to: &mut Vec<Inst>,
    ) {
        let Some(function) = self.kernel.functions.get(id.index()) else { return };
        let mut callee = InlineFrame {
            function,
            values: vec![None; function.values.len()],
            locals: vec![None; function.locals.len()],
            labels: vec![None; function.labels.len()],
            args: Some(args),
            returns: Returns::End,
        };
        let (rest, last) = split_return(&function.body);
        if !has_return(rest) || fault::planted(Fault::EarlyReturnLost) {
            self.insts(&mut callee, rest, to);
            // The value of the last `return` replaces that of the call from here on. A body without
            // one has no value, or never reaches its end.
            let value = last.map(|value| self.value(&mut callee, value));
            if let Some(result) = call.result {
                let value = value.unwrap_or_else(|| self.fresh(frame, result));
                frame.values[result.index()] = Some(value);
            }
            return;
        }
        let label = LabelId(self.out.labels.len() as u32);
        self.out.labels.push(Label { name: None });
        callee.returns = Returns::Break(label);
        let mut body = Vec::new();
        self.insts(&mut callee, rest, &mut body);
        let value = last.map(|value| self.value(&mut callee, value));
        let result = call.result.map(|result| self.value(frame, result));
        let kind = InstKind::Scope { label, body: Block { insts: body, value } };
        to.push(Inst::new(kind, result, call.pos));
    }

    fn arg(&mut self, frame: &mut InlineFrame<'a>, arg: &CallArgument) -> CallArgument {
        match arg {
            CallArgument::Value(value) => CallArgument::Value(self.value(frame, *value)),
            CallArgument::Place(place) => CallArgument::Place(self.place(frame, place)),
        }
    }

    /// The value in the result that corresponds to `id`.
    fn value(&mut self, frame: &mut InlineFrame<'a>, id: ValueId) -> ValueId {
        let Some(slot) = frame.values.get(id.index()).copied() else { return id };
        if let Some(done) = slot {
            return done;
        }
        let done = match frame.function.values[id.index()].def {
            ValueDef::Const(constant) => match self.constants.get(&constant) {
                Some(&done) => done,
                None => {
                    let done = self.fresh(frame, id);
                    self.constants.insert(constant, done);
                    done
                }
            },
            ValueDef::Param(i) => match frame.args.as_ref().and_then(|args| args.get(i as usize)) {
                Some(CallArgument::Value(value)) => *value,
                Some(CallArgument::Place(_)) | None => self.fresh(frame, id),
            },
            ValueDef::Inst => self.fresh(frame, id),
        };
        frame.values[id.index()] = Some(done);
        done
    }

    fn fresh(&mut self, frame: &InlineFrame<'a>, id: ValueId) -> ValueId {
        let value: Value = frame.function.values[id.index()].clone();
        self.out.values.push(value);
        ValueId(self.out.values.len() as u32 - 1)
    }

    fn local(&mut self, frame: &mut InlineFrame<'a>, id: LocalId) -> LocalId {
        let Some(slot) = frame.locals.get_mut(id.index()) else { return id };
        *slot.get_or_insert_with(|| {
            self.out.locals.push(frame.function.locals[id.index()].clone());
            LocalId(self.out.locals.len() as u32 - 1)
        })
    }

    fn label(&mut self, frame: &mut InlineFrame<'a>, id: LabelId) -> LabelId {
        let Some(slot) = frame.labels.get_mut(id.index()) else { return id };
        *slot.get_or_insert_with(|| {
            self.out.labels.push(frame.function.labels[id.index()].clone());
            LabelId(self.out.labels.len() as u32 - 1)
        })
    }

    fn place(&mut self, frame: &mut InlineFrame<'a>, place: &Place) -> Place {
        let mut place = place.clone();
        place.place_values_mut(&mut |value| *value = self.value(frame, *value));
        match place.root {
            Root::Local(local) => place.root = Root::Local(self.local(frame, local)),
            Root::Ref(i) => {
                let of_caller = frame.args.as_ref().and_then(|args| args.get(i as usize));
                if let Some(CallArgument::Place(of_caller)) = of_caller {
                    let mut path = fault::choose(Fault::ReferencePathLost, of_caller.path.clone(), Vec::new());
                    path.append(&mut place.path);
                    place = Place { root: of_caller.root.clone(), path };
                }
            }
            Root::View { .. } | Root::Param(_) | Root::Tile(_) | Root::Table(_) => {}
        }
        place
    }

    /// Copies an instruction and its nested blocks, in the result's ids.
    fn copy(&mut self, frame: &mut InlineFrame<'a>, kind: &'a InstKind) -> InstKind {
        match kind.construct() {
            Some(Construct::If { condition, then, otherwise }) => InstKind::If {
                condition: self.value(frame, condition),
                then: self.block(frame, then),
                otherwise: self.block(frame, otherwise),
            },
            Some(Construct::Loop { label, condition, body, continuing }) => {
                let label = self.label(frame, label);
                let condition = condition.map(|block| self.block(frame, block));
                let body = self.block(frame, body);
                condition::repeat(label, condition, body, self.block(frame, continuing))
            }
            Some(Construct::Switch { selector, cases, default }) => InstKind::Switch {
                selector: self.value(frame, selector),
                cases: cases
                    .iter()
                    .map(|case| crate::kernel::SwitchCase {
                        values: case.values.clone(),
                        body: self.block(frame, &case.body),
                        pos: case.pos,
                    })
                    .collect(),
                default: self.block(frame, default),
            },
            Some(Construct::Scope { label, body }) => {
                InstKind::Scope { label: self.label(frame, label), body: self.block(frame, body) }
            }
            None => self.copy_plain(frame, kind),
        }
    }

    /// Copies an instruction without blocks.
    fn copy_plain(&mut self, frame: &mut InlineFrame<'a>, plain: &'a InstKind) -> InstKind {
        // Places have roots besides their values, so each is copied whole; the operands outside
        // places remain.
        let mut copy = plain.clone();
        let mut values: Vec<ValueId> = Vec::new();
        plain.operands(&mut |&value| values.push(value));
        let mut values = values.into_iter().map(|value| self.value(frame, value)).collect::<Vec<_>>().into_iter();
        copy.operands_mut(&mut |value| *value = values.next().unwrap_or(*value));
        let mut places: Vec<Place> = Vec::new();
        plain.places(&mut |place| places.push(place.clone()));
        let mut places = places.iter().map(|place| self.place(frame, place)).collect::<Vec<_>>().into_iter();
        copy.places_mut(&mut |place| {
            if let Some(new) = places.next() {
                *place = new;
            }
        });
        if let Some(label) = copy.label_mut() {
            *label = self.label(frame, *label);
        }
        if let Some(second) = copy.second_result_mut() {
            *second = self.value(frame, *second);
        }
        if let Some(local) = copy.declared_local_mut() {
            *local = self.local(frame, *local);
        }
        if let Some(function) = copy.callee_mut()
            && let Some(new) = self.kept.get(function)
        {
            *function = *new;
        }
        copy
    }
}

/// Splits a trailing `return` off a body: the other instructions, and the returned value.
fn split_return(body: &Block) -> (&[Inst], Option<ValueId>) {
    if let Some((Inst { kind: InstKind::Return(value), .. }, rest)) = body.insts.split_last() {
        (rest, *value)
    } else {
        (&body.insts, None)
    }
}

fn has_return(insts: &[Inst]) -> bool {
    let mut found = false;
    for inst in insts {
        found |= matches!(inst.kind, InstKind::Return(_));
        inst.kind.blocks(&mut |block| found |= has_return(&block.insts));
    }
    found
}
