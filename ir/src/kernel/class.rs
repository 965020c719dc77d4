//! Classes of instructions, and the questions that many passes ask of every instruction.
//!
//! A pass that treats many kinds alike matches on [`InstKind::class`] or asks one of the questions
//! below; a pass that needs each kind matches on [`InstKind`] and names every case. So a new kind of
//! instruction is answered for here once, and does not compile until it is.

use super::{Inst, InstKind, LabelId, Place, ValueId};

/// What an instruction does to a thread, roughly.
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
    /// Begins the life of a variable.
    Declare,
    /// Orders memory between threads, or makes them wait for each other.
    Synchronize,
    /// Adds to the launch's output.
    Output,
    /// Ends the thread with an error.
    Stop,
    /// Calls a function.
    Call,
    /// Runs blocks inside it.
    Structured,
    /// Leaves a block, a loop, a scope or the function.
    Jump,
}

/// The answers for one instruction, from the only match that names every kind.
#[derive(Clone, Copy)]
struct Answers<'a> {
    class: InstClass,
    written: Option<&'a Place>,
    atomic_name: Option<&'static str>,
    view_source: Option<(ValueId, &'a [ValueId])>,
    second_result: Option<ValueId>,
    opened_label: Option<LabelId>,
    construct_name: Option<&'static str>,
}

impl<'a> Answers<'a> {
    const fn of(class: InstClass) -> Answers<'a> {
        Answers {
            class,
            written: None,
            atomic_name: None,
            view_source: None,
            second_result: None,
            opened_label: None,
            construct_name: None,
        }
    }

    const fn view(source: ValueId, first: &'a [ValueId]) -> Answers<'a> {
        Answers { view_source: Some((source, first)), ..Answers::of(InstClass::MakeView) }
    }

    const fn construct(name: &'static str, opened_label: Option<LabelId>) -> Answers<'a> {
        Answers { opened_label, construct_name: Some(name), ..Answers::of(InstClass::Structured) }
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
            InstKind::Load(_) => Answers::of(InstClass::Read),
            InstKind::Store { place, .. } | InstKind::Copy { to: place, .. } => {
                Answers::writing(InstClass::Write, place)
            }
            InstKind::Atomic { op, place, .. } => {
                Answers { atomic_name: Some(op.name()), ..Answers::writing(InstClass::Atomic, place) }
            }
            InstKind::CompareExchange { place, equal, .. } => Answers {
                atomic_name: Some("atomic_compare_exchange"),
                second_result: Some(*equal),
                ..Answers::writing(InstClass::Atomic, place)
            },
            InstKind::Declare { .. } => Answers::of(InstClass::Declare),
            InstKind::Barrier(_) | InstKind::Fence(_) => Answers::of(InstClass::Synchronize),
            InstKind::Print(_) => Answers::of(InstClass::Output),
            InstKind::Error(_) | InstKind::Abort => Answers::of(InstClass::Stop),
            InstKind::Call { .. } => Answers::of(InstClass::Call),
            InstKind::If { .. } => Answers::construct("if", None),
            InstKind::Switch { .. } => Answers::construct("switch", None),
            InstKind::Loop { label, condition: Some(_), .. } => Answers::construct("while", Some(*label)),
            InstKind::Loop { label, condition: None, .. } => Answers::construct("loop", Some(*label)),
            InstKind::Scope { label, .. } => Answers::construct("scope", Some(*label)),
            InstKind::Break { .. } | InstKind::Continue { .. } | InstKind::Return(_) => Answers::of(InstClass::Jump),
        }
    }

    /// The class of the instruction.
    pub const fn class(&self) -> InstClass {
        self.answers().class
    }

    /// Does it run blocks inside it?
    pub const fn is_structured(&self) -> bool {
        matches!(self.class(), InstClass::Structured)
    }

    /// What an instruction with blocks inside it is called in dumps: a loop with a condition is a
    /// `while`.
    pub const fn construct_name(&self) -> Option<&'static str> {
        self.answers().construct_name
    }

    /// The block ends here: what follows in it cannot be reached.
    pub const fn leaves(&self) -> bool {
        matches!(self.class(), InstClass::Jump)
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

    /// The view that a view is made from.
    pub const fn view_source(&self) -> Option<ValueId> {
        match self.answers().view_source {
            Some((source, _)) => Some(source),
            None => None,
        }
    }

    /// The view that a view is made from, and the index there at which it begins: the first numbers
    /// of an index, none where it begins with its source.
    pub const fn view_beginning(&self) -> Option<(ValueId, &[ValueId])> {
        self.answers().view_source
    }

    /// A value that the instruction defines besides its result: whether a compare-exchange stored.
    pub const fn second_result(&self) -> Option<ValueId> {
        self.answers().second_result
    }

    /// The label that the instruction declares for the blocks inside it.
    pub const fn opened_label(&self) -> Option<LabelId> {
        self.answers().opened_label
    }
}

impl Inst {
    /// The values that the instruction defines: its result, and a second one if it has one.
    pub fn results(&self) -> impl Iterator<Item = ValueId> + use<> {
        self.result.into_iter().chain(self.kind.second_result())
    }
}
