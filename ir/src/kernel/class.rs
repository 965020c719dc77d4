//! Classes of instructions, and queries that many passes need on every instruction.
//!
//! A pass that treats many kinds alike matches on [`InstKind::class`], [`InstKind::construct`] or
//! [`InstKind::jump`], or calls one of the queries below; a pass that needs each kind matches on
//! [`InstKind`] and names every case. So a new kind of instruction is classified here once, and the
//! code does not compile until it is.

use super::{Block, Fence, Inst, InstKind, LabelId, LocalId, Place, SwitchCase, ValueId};

/// A coarse classification of an instruction's effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InstClass {
    /// A value computed from values alone.
    Compute,
    /// A value that depends on the thread or on the launch's arguments, not on memory.
    Query,
    /// A view made from another view.
    MakeView,
    /// Reads memory or a variable.
    Read,
    /// Writes memory or a variable, without an atomic operation.
    Write,
    /// An atomic operation on memory.
    Atomic,
    /// Begins the lifetime of a variable.
    Declare,
    /// Orders memory between threads, or makes them wait for each other.
    Synchronize,
    /// Adds to the launch's output.
    Output,
    /// Ends the thread with an error.
    Stop,
    /// Calls a function.
    Call,
    /// Runs nested blocks.
    Structured,
    /// Exits a block, a loop, a scope or the function.
    Jump,
}

/// An instruction with nested blocks, of class [`InstClass::Structured`].
#[derive(Clone, Copy, Debug)]
pub enum Construct<'a> {
    /// [`InstKind::If`]
    If {
        /// A `bool`.
        condition: ValueId,
        /// If it is true.
        then: &'a Block,
        /// If it is false; may be empty.
        otherwise: &'a Block,
    },
    /// [`InstKind::Switch`]
    Switch {
        /// An `i32` or `u32`.
        selector: ValueId,
        /// The cases.
        cases: &'a [SwitchCase],
        /// The block for all other values.
        default: &'a Block,
    },
    /// [`InstKind::Loop`]
    Loop {
        /// The label for `break` and `continue`.
        label: LabelId,
        /// Runs before each iteration: `while` has a condition, `loop` has none.
        condition: Option<&'a Block>,
        /// The body.
        body: &'a Block,
        /// Runs after each iteration.
        continuing: &'a Block,
    },
    /// [`InstKind::Scope`]
    Scope {
        /// The label for `break`.
        label: LabelId,
        /// The block.
        body: &'a Block,
    },
}

impl Construct<'_> {
    /// Its name in dumps: a loop with a condition is a `while`.
    pub const fn name(self) -> &'static str {
        match self {
            Construct::If { .. } => "if",
            Construct::Switch { .. } => "switch",
            Construct::Loop { condition: Some(_), .. } => "while",
            Construct::Loop { condition: None, .. } => "loop",
            Construct::Scope { .. } => "scope",
        }
    }

    /// The label that it declares for its nested blocks.
    pub const fn label(self) -> Option<LabelId> {
        match self {
            Construct::If { .. } | Construct::Switch { .. } => None,
            Construct::Loop { label, .. } | Construct::Scope { label, .. } => Some(label),
        }
    }
}

/// An instruction that ends its block, of class [`InstClass::Jump`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    /// [`InstKind::Break`]
    Break {
        /// The label of the loop or scope.
        label: LabelId,
        /// The scope's value, if it has one.
        value: Option<ValueId>,
    },
    /// [`InstKind::Continue`]
    Continue {
        /// The label of the loop.
        label: LabelId,
    },
    /// [`InstKind::Return`]
    Return(Option<ValueId>),
}

impl Jump {
    /// The target label.
    pub const fn label(self) -> Option<LabelId> {
        match self {
            Jump::Break { label, .. } | Jump::Continue { label } => Some(label),
            Jump::Return(_) => None,
        }
    }
}

/// The results of all queries for one instruction, from the only match that names every kind.
#[derive(Clone, Copy)]
struct Answers<'a> {
    class: InstClass,
    read: Option<&'a Place>,
    written: Option<&'a Place>,
    atomic_name: Option<&'static str>,
    view_source: Option<(ValueId, &'a [ValueId])>,
    second_result: Option<ValueId>,
    declared: Option<LocalId>,
    barrier: Option<Fence>,
    construct: Option<Construct<'a>>,
    jump: Option<Jump>,
}

impl<'a> Answers<'a> {
    const fn of(class: InstClass) -> Answers<'a> {
        Answers {
            class,
            read: None,
            written: None,
            atomic_name: None,
            view_source: None,
            second_result: None,
            declared: None,
            barrier: None,
            construct: None,
            jump: None,
        }
    }

    const fn view(source: ValueId, first: &'a [ValueId]) -> Answers<'a> {
        Answers { view_source: Some((source, first)), ..Answers::of(InstClass::MakeView) }
    }

    const fn construct(construct: Construct<'a>) -> Answers<'a> {
        Answers { construct: Some(construct), ..Answers::of(InstClass::Structured) }
    }

    const fn jump(jump: Jump) -> Answers<'a> {
        Answers { jump: Some(jump), ..Answers::of(InstClass::Jump) }
    }

    const fn writing(class: InstClass, place: &'a Place) -> Answers<'a> {
        Answers { written: Some(place), ..Answers::of(class) }
    }
}

impl InstKind {
    const fn answers(&self) -> Answers<'_> {
        match self {
            InstKind::Op { .. }
            | InstKind::Compose(_)
            | InstKind::Splat { .. }
            | InstKind::Swizzle { .. }
            | InstKind::ComponentAt { .. } => Answers::of(InstClass::Compute),
            InstKind::Builtin(_) | InstKind::ViewExtent { .. } | InstKind::Length(_) => Answers::of(InstClass::Query),
            InstKind::Section { view, origin, .. } => Answers::view(*view, origin.as_slice()),
            InstKind::Project { view, index } => Answers::view(*view, std::slice::from_ref(index)),
            InstKind::Reinterpret { view, .. } | InstKind::ViewAs { view, .. } => Answers::view(*view, &[]),
            InstKind::Load(place) => Answers { read: Some(place), ..Answers::of(InstClass::Read) },
            InstKind::Store { place, .. } => Answers::writing(InstClass::Write, place),
            InstKind::Copy { to, from } => Answers { read: Some(from), ..Answers::writing(InstClass::Write, to) },
            InstKind::Atomic { op, place, .. } => {
                Answers { atomic_name: Some(op.name()), ..Answers::writing(InstClass::Atomic, place) }
            }
            InstKind::CompareExchange { place, equal, .. } => Answers {
                atomic_name: Some("atomic_compare_exchange"),
                second_result: Some(*equal),
                ..Answers::writing(InstClass::Atomic, place)
            },
            InstKind::Declare { local, .. } => Answers { declared: Some(*local), ..Answers::of(InstClass::Declare) },
            InstKind::Barrier(fence) => Answers { barrier: Some(*fence), ..Answers::of(InstClass::Synchronize) },
            InstKind::Fence(_) => Answers::of(InstClass::Synchronize),
            InstKind::Print(_) => Answers::of(InstClass::Output),
            InstKind::Error(_) | InstKind::Abort => Answers::of(InstClass::Stop),
            InstKind::Call { .. } => Answers::of(InstClass::Call),
            InstKind::If { condition, then, otherwise } => {
                Answers::construct(Construct::If { condition: *condition, then, otherwise })
            }
            InstKind::Switch { selector, cases, default } => {
                Answers::construct(Construct::Switch { selector: *selector, cases: cases.as_slice(), default })
            }
            InstKind::Loop { label, condition, body, continuing } => {
                let condition = match condition {
                    Some(block) => Some(&**block),
                    None => None,
                };
                Answers::construct(Construct::Loop { label: *label, condition, body, continuing })
            }
            InstKind::Scope { label, body } => Answers::construct(Construct::Scope { label: *label, body }),
            InstKind::Break { label, value } => Answers::jump(Jump::Break { label: *label, value: *value }),
            InstKind::Continue { label } => Answers::jump(Jump::Continue { label: *label }),
            InstKind::Return(value) => Answers::jump(Jump::Return(*value)),
        }
    }

    /// The class of the instruction.
    pub const fn class(&self) -> InstClass {
        self.answers().class
    }

    /// Whether it has nested blocks.
    pub const fn is_structured(&self) -> bool {
        matches!(self.class(), InstClass::Structured)
    }

    /// The instruction as a [`Construct`]; `None` if it has no nested blocks.
    pub const fn construct(&self) -> Option<Construct<'_>> {
        self.answers().construct
    }

    /// The instruction as a [`Jump`]; `None` for any other instruction.
    pub const fn jump(&self) -> Option<Jump> {
        self.answers().jump
    }

    /// Whether it ends its block: code after it in the block is unreachable.
    pub const fn leaves(&self) -> bool {
        matches!(self.class(), InstClass::Jump)
    }

    /// The place that the instruction itself reads, by a load or a copy.
    pub const fn read_place(&self) -> Option<&Place> {
        self.answers().read
    }

    /// The place that the instruction itself may write, by a store, a copy or an atomic operation.
    pub const fn written_place(&self) -> Option<&Place> {
        self.answers().written
    }

    /// The place of an atomic operation.
    pub const fn atomic_place(&self) -> Option<&Place> {
        if matches!(self.class(), InstClass::Atomic) { self.written_place() } else { None }
    }

    /// The name of an atomic operation in the text form.
    pub const fn atomic_name(&self) -> Option<&'static str> {
        self.answers().atomic_name
    }

    /// The source view of an instruction that makes a view.
    pub const fn view_source(&self) -> Option<ValueId> {
        match self.answers().view_source {
            Some((source, _)) => Some(source),
            None => None,
        }
    }

    /// The source view of an instruction that makes a view, and the index in it at which the new
    /// view begins: its leading components, none if it begins with its source.
    pub const fn view_beginning(&self) -> Option<(ValueId, &[ValueId])> {
        self.answers().view_source
    }

    /// The value that the instruction defines besides its result: whether a compare-exchange
    /// stored.
    pub const fn second_result(&self) -> Option<ValueId> {
        self.answers().second_result
    }

    /// The variable whose lifetime the instruction begins.
    pub const fn declared(&self) -> Option<LocalId> {
        self.answers().declared
    }

    /// The memory that a barrier orders; `None` for any other instruction.
    pub const fn barrier(&self) -> Option<Fence> {
        self.answers().barrier
    }

    /// The label that the instruction declares or names.
    pub const fn label(&self) -> Option<LabelId> {
        match (self.opened_label(), self.jump()) {
            (Some(label), _) => Some(label),
            (None, Some(jump)) => jump.label(),
            (None, None) => None,
        }
    }

    /// The label that the instruction declares for its nested blocks.
    pub const fn opened_label(&self) -> Option<LabelId> {
        match self.construct() {
            Some(construct) => construct.label(),
            None => None,
        }
    }
}

impl Inst {
    /// The values that the instruction defines: its result, and its second result if it has one.
    pub fn results(&self) -> impl Iterator<Item = ValueId> + use<> {
        self.result.into_iter().chain(self.kind.second_result())
    }
}
