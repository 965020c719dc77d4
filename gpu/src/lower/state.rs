//! The state of lowering a kernel: its parts in the module, the expression of each value, and the
//! pending leaves.

use std::collections::{HashMap, HashSet};

use naga::{
    AddressSpace, ArraySize, Block, Expression, GlobalVariable, Handle, Literal, MemoryDecorations, ResourceBinding,
    Span, Statement, StorageAccess, TypeInner,
};
use tilewise_ir::analysis::barrier_regions::BarrierRegions;
use tilewise_ir::analysis::captured::CapturedLoads;
use tilewise_ir::analysis::facts::{InstFact, KernelFacts};
use tilewise_ir::analysis::view_origins::ViewOrigins;
use tilewise_ir::kernel::{Const, InstId, Kernel, LabelId, LocalId, ValueDef, ValueId};
use tilewise_ir::launch::NOT_WELL_FORMED;
use tilewise_ir::types::{Data, Scalar};

use super::builder::{ExprHandle, ModuleBuilder};
use super::lowered::{
    ArgumentLayout, MAX_EXPRESSIONS, MessageKind, MessageSite, ModuleKey, Unsupported, binding, block,
};
use super::own_stores::TextureStore;
use super::prelude::Prelude;
use super::scan::KernelScan;
use super::texture_units::{SamplerKey, TextureSlot};
use super::view::ModuleView;
use crate::exact::{Exact, NativeOp};

/// The result of lowering.
pub(super) type LoweringResult<T = ()> = Result<T, Unsupported>;

/// The module's form of a kernel value.
#[derive(Clone, Debug)]
pub(super) enum ModuleValue {
    Data(ExprHandle),
    View(ModuleView),
}

/// Memory made of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordMemory {
    /// Pointer to the array.
    pub(super) array: ExprHandle,
    /// The atomic type of the words, if they are atomic.
    pub(super) atomic: Option<Scalar>,
    /// Whether it begins with the words for out-of-range accesses.
    pub(super) head: bool,
    /// Whether other threads access it.
    pub(super) shared: bool,
    /// Whether the words are grouped by four, as vectors that are read and written at once.
    pub(super) quads: bool,
}

impl WordMemory {
    /// Whether the words are grouped by two, as 64-bit numbers.
    pub(super) fn wide(self) -> bool {
        self.atomic.is_some_and(|scalar| scalar.bits() == 64)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum LocalVar {
    /// Pointer to a variable of its type.
    Native(ExprHandle),
    /// Words.
    Words(WordMemory, Handle<naga::Type>),
}

/// The target of a leave.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum LeaveTarget {
    Break(LabelId),
    Continue(LabelId),
    Return,
    /// By `abort`, `error`, or an exhausted iteration budget.
    Dead,
    /// Waiting at a barrier that not all threads have reached.
    Wait,
    /// Its iteration budget is exhausted.
    Tired,
    /// Resuming at the barrier at which it waited.
    Resume,
}

/// An enclosing construct: a possible target of a leave, or one between a leave and its target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub(super) label: Option<LabelId>,
    pub(super) kind: AroundKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AroundKind {
    /// A loop of the module, and whether `continue` may be used in it.
    Loop { continues: bool },
    /// A labelled scope.
    Scope,
    /// A `break` inside would end it.
    Switch,
    /// Code executed by some threads of a tile: control leaves it only at its end.
    Region,
    /// A construct that all threads of the tile execute together.
    Lifted,
}

/// Variables of threads in lifted code, which all threads of a tile execute together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Masks {
    /// The mask: whether the thread is active, a `bool`.
    pub(super) here: ExprHandle,
    /// Number of the next vote.
    pub(super) phase: ExprHandle,
    /// Three words of votes.
    pub(super) votes: Handle<GlobalVariable>,
    /// The site where the thread returned or waits.
    pub(super) site: ExprHandle,
    /// The iterations of its enclosing loops at that site.
    pub(super) rounds: ExprHandle,
    /// Whether a thread may end by `abort` or `error`. If not, waiting threads never meet after
    /// all.
    pub(super) ends: bool,
}

/// What lowering only reads: the kernel, its key, the results of the analyses, and the prelude.
#[derive(Clone, Copy)]
pub(super) struct LoweringInput<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) key: &'a ModuleKey,
    pub(super) facts: &'a KernelFacts,
    pub(super) regions: &'a BarrierRegions,
    pub(super) origins: &'a ViewOrigins,
    pub(super) loads: &'a CapturedLoads,
    pub(super) scan: &'a KernelScan,
    pub(super) prelude: &'a Prelude,
}

/// The variables of the module in which the kernel's objects and arguments lie.
pub(super) struct ModuleMemory {
    pub(super) layout: ArgumentLayout,
    /// Pointer to the argument block, an array of vectors.
    pub(super) block: ExprHandle,
    pub(super) constants: Option<WordMemory>,
    pub(super) messages: Option<ExprHandle>,
    pub(super) allocations: Vec<Option<WordMemory>>,
    pub(super) tile_vars: Vec<Option<WordMemory>>,
    pub(super) textures: Vec<(TextureSlot, ExprHandle)>,
    pub(super) samplers: Vec<(SamplerKey, ExprHandle)>,
    pub(super) stores: Vec<(TextureStore, ExprHandle)>,
    pub(super) locals: HashMap<LocalId, LocalVar>,
    /// The length in words of memory with a fixed length, by its pointer.
    pub(super) lengths: HashMap<ExprHandle, u32>,
    /// Memory, with its length, that the copy at hand passes through, and what earlier copies have left.
    pub(super) copied: Vec<(u32, WordMemory)>,
    pub(super) spare: Vec<(u32, WordMemory)>,
}

/// The forms of the kernel's values in the module, and what lowering found out about values.
pub(super) struct ValueForms {
    pub(super) values: Vec<Option<ModuleValue>>,
    /// Values that are the thread's own index in a dimension.
    pub(super) globals: HashMap<ValueId, u32>,
    /// Values folded to constants.
    pub(super) folded: HashMap<ValueId, Const>,
    /// Vectors folded to constants, by component.
    pub(super) folded_vectors: HashMap<ValueId, Vec<Const>>,
    /// Values that are never denormal.
    pub(super) never_tiny: HashSet<ValueId>,
    /// Values that are never below zero; they may be -0 or NaN.
    pub(super) not_negative: HashSet<ValueId>,
    /// Values of which the root needs no test of its range; they may be infinite or NaN.
    pub(super) not_small: HashSet<ValueId>,
    /// Values that are square roots, and of what.
    pub(super) roots: HashMap<ValueId, ValueId>,
}

/// The constructs around the code being written, and the leaves that are pending there.
#[derive(Default)]
pub(super) struct PendingLeaves {
    pub(super) around: Vec<Around>,
    /// The target that control reaches by falling through the end of the code being written, if it
    /// is the target of a leave.
    pub(super) falls_to: Option<LeaveTarget>,
    /// The variable with the target of a pending leave, made on first use.
    pub(super) goal: Option<ExprHandle>,
    pub(super) goals: Vec<LeaveTarget>,
    /// The variable for the value of a scope or construct.
    pub(super) results: HashMap<LabelId, ExprHandle>,
}

/// The variables of lifted code.
#[derive(Default)]
pub(super) struct LiftedState {
    /// Set for lifted code.
    pub(super) masks: Option<Masks>,
    /// Iteration counters of the enclosing lifted loops.
    pub(super) rounds: Vec<ExprHandle>,
}

/// The place in the kernel that is being written.
#[derive(Default)]
pub(super) struct InstCursor {
    /// The instruction being written.
    pub(super) at: Option<InstId>,
    /// How many values in the places of this instruction have been visited.
    pub(super) places: usize,
}

/// What lowering reports to its caller beside the module.
#[derive(Default)]
pub(super) struct ModuleFindings {
    pub(super) sites: Vec<MessageSite>,
    /// Whether a fence without a barrier is where not all threads of the tile come together.
    pub(super) fences: bool,
    /// A function that is missing in the prelude.
    pub(super) missing: Option<String>,
}

/// The state while a kernel is lowered.
pub(super) struct Lowerer<'a> {
    pub(super) input: LoweringInput<'a>,
    pub(super) b: ModuleBuilder,
    pub(super) memory: ModuleMemory,
    pub(super) forms: ValueForms,
    pub(super) here: ThreadPosition,
    pub(super) leaves: PendingLeaves,
    pub(super) lifted: LiftedState,
    pub(super) cursor: InstCursor,
    pub(super) findings: ModuleFindings,
    /// A zero that the driver does not know, for a kernel from whose driver zeros must be hidden.
    /// Read through [`Lowerer::nothing`].
    pub(super) nothing: Option<ExprHandle>,
    /// The variable with the iterations that the thread may still execute, if loops are counted.
    pub(super) budget: Option<ExprHandle>,
}

/// The thread's position.
#[derive(Clone, Default, Debug)]
pub(super) struct ThreadPosition {
    pub(super) global: Vec<ExprHandle>,
    pub(super) local: Vec<ExprHandle>,
    pub(super) tile: Vec<ExprHandle>,
    /// Linear number in the domain.
    pub(super) thread: Option<ExprHandle>,
    /// Linear number in the tile, and number of the tile.
    pub(super) in_tile: Option<ExprHandle>,
    pub(super) tile_number: Option<ExprHandle>,
}

impl<'a> Lowerer<'a> {
    /// The facts at the instruction being written.
    pub(super) fn fact(&self) -> Option<&'a InstFact> {
        self.input.facts.inst(self.cursor.at?)
    }

    /// Whether the native operation may be used for floats of this format. The only place that
    /// decides this.
    pub(super) fn exact(&self, own: NativeOp, scalar: Scalar) -> bool {
        self.input.key.strict.unwrap_or(Exact::RELAXED).has(own, scalar)
    }

    pub(super) fn data(&self, value: ValueId) -> Data {
        self.input.kernel.entry().value(value).ty.data().unwrap_or(Data::U32)
    }

    /// Loads a word of the argument block.
    pub(super) fn word(&mut self, at: u32) -> ExprHandle {
        let vector = self.b.at(self.memory.block, at / 4);
        let component = self.b.at(vector, at % 4);
        self.b.load(component)
    }

    /// A zero that the driver does not know, preferably from a buffer: lavapipe inlines the words
    /// of the argument block on which conditions depend.
    pub(super) fn nothing(&mut self) -> ExprHandle {
        match self.nothing {
            Some(nothing) => nothing,
            None => self.word(block::ZERO),
        }
    }

    /// The scalar or vector expression of a value.
    pub(super) fn value(&mut self, value: ValueId) -> LoweringResult<ExprHandle> {
        if let Some(ModuleValue::Data(expr)) = &self.forms.values[value.index()] {
            return Ok(*expr);
        }
        match self.input.kernel.entry().value(value).def {
            ValueDef::Const(constant) => Ok(self.constant(constant.scalar, constant.bits)),
            ValueDef::Param(_) | ValueDef::Inst => Err(malformed("a value is used where it is not known")),
        }
    }

    pub(super) fn view(&self, value: ValueId) -> LoweringResult<ModuleView> {
        match &self.forms.values[value.index()] {
            Some(ModuleValue::View(view)) => Ok(view.clone()),
            _ => Err(malformed("a view is used where it is not known")),
        }
    }

    /// An index for bounds checks: a negative `i32` becomes a huge `u32`.
    pub(super) fn index(&mut self, value: ValueId) -> LoweringResult<ExprHandle> {
        if let ValueDef::Const(constant) = self.input.kernel.entry().value(value).def {
            return Ok(self.b.u32(constant.bits as u32));
        }
        let scalar = self.data(value).scalar;
        let expr = self.value(value)?;
        Ok(self.b.bits(expr, scalar, Scalar::U32))
    }

    pub(super) fn set(&mut self, result: Option<ValueId>, expr: ExprHandle) {
        if let Some(result) = result {
            self.forms.values[result.index()] = Some(ModuleValue::Data(expr));
        }
    }

    /// A constant. Values without a literal, and floats that must be hidden, are made of integers.
    pub(super) fn constant(&mut self, scalar: Scalar, bits: u64) -> ExprHandle {
        match scalar {
            Scalar::Bool => self.b.bool(bits & 1 != 0),
            // lavapipe turns a choice between the bits of -1.0 and zero into a float's sign, for
            // integers too.
            Scalar::I32 | Scalar::U32 if bits as u32 == (-1f32).to_bits() => {
                let zero = self.word(block::ZERO);
                let bits = self.b.u32(bits as u32);
                let hidden = self.b.binary(naga::BinaryOperator::InclusiveOr, zero, bits);
                self.b.bits(hidden, Scalar::U32, scalar)
            }
            Scalar::I32 => self.b.literal(Literal::I32(bits as u32 as i32)),
            Scalar::U32 => self.b.u32(bits as u32),
            Scalar::I64 => self.b.literal(Literal::I64(bits as i64)),
            Scalar::U64 => self.b.literal(Literal::U64(bits)),
            Scalar::F32 | Scalar::F64 if !self.exact(NativeOp::Zeros, scalar) => self.hidden_float(scalar, bits),
            Scalar::F32 => {
                let number = f32::from_bits(bits as u32);
                // Readers of WGSL reject its shortest decimal as too large.
                if number.is_subnormal() || number.abs() == f32::MAX {
                    let bits = self.b.u32(bits as u32);
                    self.b.bits(bits, Scalar::U32, Scalar::F32)
                } else if !number.is_finite() {
                    // In WGSL no constant expression may be infinite or NaN.
                    self.hidden_float(scalar, bits)
                } else {
                    self.b.literal(Literal::F32(number))
                }
            }
            Scalar::F64 => {
                let number = f64::from_bits(bits);
                if !number.is_finite() {
                    // As for `f32`. NVIDIA's driver takes minutes for some kernels that compute with a NaN it knows.
                    self.hidden_float(scalar, bits)
                } else if number.is_subnormal() || (number == 0.0 && number.is_sign_negative()) {
                    let bits = self.b.literal(Literal::U64(bits));
                    self.b.bits(bits, Scalar::U64, Scalar::F64)
                } else {
                    self.b.literal(Literal::F64(number))
                }
            }
        }
    }

    /// A float that the driver does not know. With a known float it may infer that a result is
    /// zero, such as one that is too small, or turn it into a choice against zero, and lose the
    /// sign of that zero.
    fn hidden_float(&mut self, scalar: Scalar, bits: u64) -> ExprHandle {
        let zero = self.nothing();
        let [low, high] = [bits as u32, (bits >> 32) as u32].map(|bits| {
            let bits = self.b.u32(bits);
            self.b.binary(naga::BinaryOperator::InclusiveOr, zero, bits)
        });
        match scalar {
            Scalar::F64 => self.double(low, high, Scalar::F64),
            _ => self.b.bits(low, Scalar::U32, Scalar::F32),
        }
    }

    /// The zero alternative of a select: hidden as constants are, since drivers fold such selects
    /// and lose the sign of zero.
    pub(super) fn zero(&mut self, data: Data) -> ExprHandle {
        if !data.scalar.is_float() || self.exact(NativeOp::Zeros, data.scalar) {
            return self.b.zero(data);
        }
        let zero = self.constant(data.scalar, 0);
        match data.width {
            1 => zero,
            n => self.b.expr(Expression::Splat { size: super::builder::vector_size(n), value: zero }),
        }
    }

    /// Adds a global variable. Returns it and the pointer to it.
    pub(super) fn global(
        &mut self,
        name: String,
        space: AddressSpace,
        binding: Option<u32>,
        ty: Handle<naga::Type>,
    ) -> (Handle<GlobalVariable>, ExprHandle) {
        let variable = GlobalVariable {
            name: Some(name),
            space,
            binding: binding.map(|binding| ResourceBinding { group: 0, binding }),
            ty,
            init: None,
            memory_decorations: MemoryDecorations::empty(),
        };
        let handle = self.b.module.global_variables.append(variable, Span::UNDEFINED);
        (handle, self.b.bare(Expression::GlobalVariable(handle)))
    }

    /// The type of an array of words that are grouped by four.
    pub(super) fn quads_ty(&mut self, count: Option<u32>) -> Handle<naga::Type> {
        let base = self.b.data_ty(Data { scalar: Scalar::U32, width: 4 });
        let size = match count.map(|count| count.div_ceil(4)).and_then(std::num::NonZeroU32::new) {
            Some(count) => ArraySize::Constant(count),
            None => ArraySize::Dynamic,
        };
        self.b.ty(TypeInner::Array { base, size, stride: 16 })
    }

    /// The type of an array of words.
    pub(super) fn words_ty(&mut self, atomic: Option<Scalar>, count: Option<u32>) -> Handle<naga::Type> {
        let base = match atomic {
            Some(scalar) => self.b.ty(TypeInner::Atomic(super::builder::scalar(scalar))),
            None => self.b.data_ty(Data::U32),
        };
        let wide = atomic.is_some_and(|scalar| scalar.bits() == 64);
        let (each, stride) = if wide { (2, 8) } else { (1, 4) };
        let size = match count.map(|count| count.div_ceil(each)).and_then(std::num::NonZeroU32::new) {
            Some(count) => ArraySize::Constant(count),
            None => ArraySize::Dynamic,
        };
        self.b.ty(TypeInner::Array { base, size, stride })
    }

    /// A storage buffer of words.
    pub(super) fn storage(
        &mut self,
        name: String,
        number: u32,
        atomic: Option<Scalar>,
        written: bool,
        quads: bool,
    ) -> WordMemory {
        let ty = if quads { self.quads_ty(None) } else { self.words_ty(atomic, None) };
        let access = if written { StorageAccess::LOAD | StorageAccess::STORE } else { StorageAccess::LOAD };
        let (_, array) = self.global(name, AddressSpace::Storage { access }, Some(number), ty);
        WordMemory { array, atomic, head: true, shared: true, quads }
    }

    /// The message buffer, which is bound only if the kernel sends messages.
    pub(super) fn messages(&mut self) -> ExprHandle {
        if let Some(messages) = self.memory.messages {
            return messages;
        }
        let words = self.storage("messages".into(), binding::MESSAGES, Some(Scalar::U32), true, false);
        self.memory.messages = Some(words.array);
        words.array
    }

    pub(super) fn site(&mut self, pos: tilewise_ir::pos::Pos, kind: MessageKind) -> u32 {
        self.findings.sites.push(MessageSite { pos, kind });
        self.findings.sites.len() as u32 - 1
    }

    /// Emits a block and returns it.
    pub(super) fn nested(&mut self, write: impl FnOnce(&mut Self) -> LoweringResult) -> LoweringResult<Block> {
        self.b.open();
        let made = write(self);
        let block = self.b.close();
        made.map(|()| block)
    }

    /// `if condition { .. }`.
    pub(super) fn if_then(
        &mut self,
        condition: ExprHandle,
        write: impl FnOnce(&mut Self) -> LoweringResult,
    ) -> LoweringResult {
        let accept = self.nested(write)?;
        self.b.statement(Statement::If { condition, accept, reject: Block::new() });
        Ok(())
    }

    /// Refuses a kernel whose code has become too large for drivers.
    pub(super) fn is_small_enough(&self) -> LoweringResult {
        if self.b.function.expressions.len() <= MAX_EXPRESSIONS {
            return Ok(());
        }
        Err(Unsupported(format!(
            "the kernel is too large for GPUs: its code has more than {MAX_EXPRESSIONS} expressions; divide it into several \
             kernels, or write what repeats as a loop"
        )))
    }

    /// Thread-private memory made of words.
    pub(super) fn private(&mut self, name: &str, count: u32) -> WordMemory {
        let ty = self.words_ty(None, Some(count.max(1)));
        let array = self.b.variable(name, ty);
        self.memory.lengths.insert(array, count.max(1));
        WordMemory { array, atomic: None, head: false, shared: false, quads: false }
    }

    /// A variable of a scalar or vector type.
    pub(super) fn variable(&mut self, name: &str, data: Data) -> ExprHandle {
        let ty = self.b.data_ty(data);
        self.b.variable(name, ty)
    }
}

/// The kernel violates what the checker guarantees.
pub(super) fn malformed(what: &str) -> Unsupported {
    Unsupported(format!("{NOT_WELL_FORMED}: {what}"))
}
