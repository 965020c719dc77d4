//! The state of lowering: the kernel under construction, the stack of inlined functions, reports,
//! and the limits.
//!
//! # Limits
//! The input decides how much is inlined, so time and memory would be unbounded. Four limits end
//! lowering early (`K0705`): instructions (the limit of every kernel), **steps** (each expression
//! visited counts as one, even in a function that emits nothing), nested calls, and nested
//! expressions.
//!
//! The stack per level depends on the compiler; each level reserves its maximum ([`with_block`]),
//! so that the limit is the same in all builds and on all threads. The test
//! `deep_trees_fit_a_small_stack` checks this.

use std::any;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tilewise_ast::{MAX_DEPTH, SourceSpan as Position, SyntaxTree};

use super::closure::{FunctionBinding, FunctionValue};
use super::effects::KnownEffects;
use super::join::Join;
use super::loan::OpenLoans;
use super::scan::{TreeScan, scan};
use super::sequence::Sequence;
use super::types::{Unsound, sound};
use super::value::{LoweredValue, RustPlace};
use super::{FormLink, RustConstant, RustFunction, RustType};
use tilewise_ir::build::Builder;
use tilewise_ir::diag::{Code, Diagnostic};
use tilewise_ir::kernel::{Const, InstKind, LabelId, TableId, TileVarId, ValueDef, ValueId};
use tilewise_ir::limits::MAX_INSTRUCTIONS;
use tilewise_ir::ops::{Op, OpFamily};
use tilewise_ir::pos::{Pos, Source};
use tilewise_ir::stack::{with_block, with_bytes};
use tilewise_ir::types::TypeId;

/// Limit on visited expressions.
const MAX_STEPS: u64 = 2_000_000;
/// Limit on nested expressions and blocks, through calls.
pub(super) const MAX_LEVELS: u32 = 400;
/// Limit on nested calls.
pub(super) const MAX_CALLS: usize = 100;
/// Limit on reports; after it, lowering stops.
const MAX_REPORTS: usize = 20;

/// The reason an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoValue {
    /// Control has left: `return`, `break`, `continue`, an endless loop.
    Left,
    /// The thread has ended: `abort!`, `error!`. In the kernel language it continues without
    /// effect.
    Gone,
    /// An error was reported.
    Failed,
}

/// A value, or the reason for its absence.
pub(super) type OrNoValue<T> = Result<T, NoValue>;

/// The binding of a name.
#[derive(Clone, Debug)]
pub(super) enum NameBinding {
    /// Nothing yet.
    Nothing,
    /// A place or a value of its own.
    To(RustPlace),
    /// The place behind a reference.
    Lent(RustPlace),
    /// A closure.
    Function(FunctionBinding),
    /// An iterator, which nothing has asked for an item yet.
    Iterator(Sequence),
    /// Its value had an error, which was reported.
    Broken,
}

/// A function, decoded and scanned once.
pub(super) struct ReadFunction {
    pub(super) tree: SyntaxTree,
    pub(super) scan: TreeScan,
}

/// A function being lowered.
#[derive(Clone)]
pub(super) struct CallFrame {
    pub(super) function: RustFunction,
    pub(super) read: Rc<ReadFunction>,
    /// Number of its source file.
    pub(super) source: u32,
    pub(super) locals: Vec<NameBinding>,
    /// The values of the captured names.
    pub(super) captures: Vec<LoweredValue>,
    /// The closures among its arguments.
    pub(super) functions: Vec<Rc<FunctionValue>>,
    /// Open labels, by their numbers in the tree, and their targets.
    pub(super) labels: Vec<(u32, usize)>,
    /// The target of `return`. Without one, `return` ends the thread in a kernel; in a function it
    /// is the last statement.
    pub(super) returns: Option<usize>,
    /// Is it the kernel itself?
    pub(super) is_kernel: bool,
    /// The value of a `return` without a target.
    pub(super) returned: Option<LoweredValue>,
    /// The position of its call.
    pub(super) called: Pos,
}

/// A loop or scope, as the target of jumps.
pub(super) struct LeaveTarget {
    pub(super) label: LabelId,
    /// The join of the jumps' values.
    pub(super) join: Join,
    /// Does a `break` jump to it?
    pub(super) broken: bool,
    /// The loop in it that goes on in its place: over the items that one of its items stands for.
    pub(super) goes_on: Option<usize>,
}

/// The state of lowering one kernel.
pub(super) struct Lower {
    pub(super) b: Builder,
    pub(super) frames: Vec<CallFrame>,
    pub(super) targets: Vec<LeaveTarget>,
    reads: HashMap<(usize, usize), Rc<ReadFunction>>,
    /// `tile_static` variables by the address of the function's bytes, the name's number and the
    /// type in Rust, of which several may have the same memory. (The bytes of two functions from one
    /// macro may be equal.)
    pub(super) tile_vars: HashMap<(*const u8, u32, any::TypeId), TileVarId>,
    /// The tables of constants made so far.
    pub(super) tables: HashMap<(TypeId, Vec<u64>), TableId>,
    pub(super) reports: Vec<Diagnostic>,
    pub(super) effects: KnownEffects,
    pub(super) open_loans: OpenLoans,
    /// Lowering has stopped; it reports nothing more.
    pub(super) over: bool,
    instructions: u64,
    steps: u64,
    pub(super) levels: u32,
    /// The arms and loop bodies around the current position, calls included.
    pub(super) arms: u32,
    /// Is the divisor of the operator a number that is written there?
    pub(super) written_divisor: bool,
    /// Vectors of integers that have been made with a component that is the constant zero.
    vectors_with_zero: HashSet<ValueId>,
}

/// Bytes of stack for a level of a tree that is decoded. The most is 1,861 bytes, of an arm of a `match` in
/// an arm in a build without optimisation.
const DECODED_LEVEL: usize = 3 << 10;

impl Lower {
    pub(super) fn new(b: Builder) -> Lower {
        Lower {
            b,
            frames: Vec::new(),
            targets: Vec::new(),
            reads: HashMap::new(),
            tile_vars: HashMap::new(),
            tables: HashMap::new(),
            reports: Vec::new(),
            effects: KnownEffects::default(),
            open_loans: OpenLoans::default(),
            over: false,
            instructions: 0,
            steps: 0,
            levels: 0,
            arms: 0,
            written_divisor: false,
            vectors_with_zero: HashSet::new(),
        }
    }

    /// The function being lowered.
    pub(super) fn frame(&mut self) -> &mut CallFrame {
        self.frames.last_mut().expect("lowering is inside of a function from its first expression on")
    }

    /// Decodes a function's bytes, once.
    pub(super) fn read(&mut self, function: &RustFunction, pos: Pos) -> OrNoValue<Rc<ReadFunction>> {
        let key = (function.tree.as_ptr() as usize, function.tree.len());
        if let Some(read) = self.reads.get(&key) {
            return Ok(read.clone());
        }
        // A level takes at least one byte.
        let levels = function.tree.len().min(MAX_DEPTH as usize);
        let decode = || SyntaxTree::decode(function.tree).map(|tree| (scan(&tree), tree));
        let (scan, tree) = match with_bytes((64 << 10) + levels * DECODED_LEVEL, decode) {
            Ok(read) => read,
            Err(broken) if broken.is_too_deep() => return self.too_deep(pos, "it is not read at all"),
            Err(broken) => return self.broken(format!("its bytes are no tree: {broken}"), pos),
        };
        let read = Rc::new(ReadFunction { tree, scan });
        self.reads.insert(key, read.clone());
        Ok(read)
    }

    /// Enters a function. The types in its tables are checked here; later code may rely on them.
    pub(super) fn enter(&mut self, function: RustFunction, read: Rc<ReadFunction>, called: Pos) -> OrNoValue<()> {
        let source = self.b.source(Source { name: function.file.into(), text: None });
        // A type is reported at its captured name, otherwise in the function itself, otherwise at
        // the call.
        let span = |at: Position| Pos { source, line: at.line, column: at.column, length: at.length.max(1) };
        let captured = |i: usize| read.tree.captures.get(i).map_or(called, |name| span(name.at));
        let captures = function.captures.iter().enumerate().map(|(i, ty)| (ty, captured(i)));
        let head = if called == Pos::NONE { span(read.tree.at) } else { called };
        let others = function.types.iter().chain(function.constants.iter().map(|c| &c.ty)).map(|ty| (ty, head));
        if let Some((why, pos)) = captures.chain(others).find_map(|(ty, pos)| Some((sound(ty).err()?, pos))) {
            return self.unsound(why, pos);
        }
        self.spend(function.types.len() as u64, called)?;
        let locals = vec![NameBinding::Nothing; read.tree.locals.len()];
        self.frames.push(CallFrame {
            function,
            read,
            source,
            locals,
            captures: Vec::new(),
            functions: Vec::new(),
            labels: Vec::new(),
            returns: None,
            is_kernel: self.frames.is_empty(),
            returned: None,
            called,
        });
        Ok(())
    }

    /// A position in the current function; in one with `#[track_caller]`, that of its call.
    pub(super) fn pos(&self, at: Position) -> Pos {
        match self.frames.last() {
            Some(frame) if at.line > 0 && !frame.read.tree.tracks_caller => {
                Pos { source: frame.source, line: at.line, column: at.column, length: at.length.max(1) }
            }
            Some(frame) => frame.called,
            None => Pos::NONE,
        }
    }

    /// Adds a report.
    pub(super) fn fail<T>(&mut self, report: Diagnostic) -> OrNoValue<T> {
        Err(self.failed(report))
    }

    // What follows for any type calls what does not: else it is compiled for each type.
    fn failed(&mut self, report: Diagnostic) -> NoValue {
        if self.reports.len() < MAX_REPORTS && !self.over {
            self.reports.push(report);
        }
        self.over |= self.reports.len() >= MAX_REPORTS;
        NoValue::Failed
    }

    /// Adds a report that ends lowering.
    pub(super) fn end<T>(&mut self, report: Diagnostic) -> OrNoValue<T> {
        let failed = self.fail(report);
        self.over = true;
        failed
    }

    /// K0701: the macro's output is inconsistent.
    pub(super) fn broken<T>(&mut self, why: impl AsRef<str>, pos: Pos) -> OrNoValue<T> {
        Err(self.macro_is_broken(why.as_ref(), pos))
    }

    fn macro_is_broken(&mut self, why: &str, pos: Pos) -> NoValue {
        let report = Diagnostic::new(Code::K0701, format!("what the macro wrote here is broken: {why}"))
            .at(pos, "")
            .help("this is a mistake of the library, or of another macro that changed what the library's wrote");
        self.failed(report)
    }

    /// Reports a type that cannot be in a kernel.
    pub(super) fn unsound<T>(&mut self, why: Unsound, pos: Pos) -> OrNoValue<T> {
        match why {
            Unsound::Broken(why) => self.broken(why, pos),
            Unsound::Limit(code, message, limit) => self.fail(Diagnostic::new(code, message).at(pos, limit)),
        }
    }

    /// K0704: no form in the kernel language.
    pub(super) fn formless<T>(&mut self, what: impl Into<String>, label: &str, help: &str, pos: Pos) -> OrNoValue<T> {
        Err(self.has_no_form(what.into(), label, help, pos))
    }

    fn has_no_form(&mut self, what: String, label: &str, help: &str, pos: Pos) -> NoValue {
        let report = Diagnostic::new(Code::K0704, what).at(pos, label);
        self.failed(if help.is_empty() { report } else { report.help(help) })
    }

    /// K0706: a number that does not fit in the width of `usize` in a kernel.
    pub(super) fn too_wide<T>(&mut self, number: i128, pos: Pos) -> OrNoValue<T> {
        let report = Diagnostic::new(Code::K0706, format!("the number {number} does not fit 32 bits"))
            .at(pos, "`usize` and `isize` have 32 bits in a kernel")
            .help("compute with `u64` or `i64`; in a kernel, `usize::MAX` is the largest number of 32 bits");
        self.fail(report)
    }

    /// K0706 for a literal. The kernel language does not distinguish `i32` and `isize`, or `u32`
    /// and `usize`, so `types` has both, and the wider type.
    pub(super) fn literal_too_wide<T>(&mut self, number: i128, types: [&str; 3], pos: Pos) -> OrNoValue<T> {
        let [narrow, host, wide] = types;
        let report = Diagnostic::new(Code::K0706, format!("the number {number} does not fit 32 bits"))
            .at(pos, format!("`{narrow}` has 32 bits, and so has `{host}` in a kernel"))
            .help(format!("compute with `{wide}`, or write a number that `{narrow}` has"));
        self.fail(report)
    }

    /// Counts steps.
    pub(super) fn spend(&mut self, steps: u64, pos: Pos) -> OrNoValue<()> {
        self.steps += steps;
        if self.over {
            return Err(NoValue::Failed);
        }
        if self.steps > MAX_STEPS {
            let report = Diagnostic::new(Code::K0705, "this kernel is too large: calls inside calls multiply")
                .at(pos, "reached after two million steps")
                .note("every function is inlined where it is called")
                .help("call in a loop, or compute once and keep the result");
            return self.end(report);
        }
        Ok(())
    }

    /// Runs `work` one level deeper in the tree.
    pub(super) fn nested<T>(&mut self, pos: Pos, work: impl FnOnce(&mut Lower) -> OrNoValue<T>) -> OrNoValue<T> {
        self.spend(1, pos)?;
        if self.levels >= MAX_LEVELS {
            let levels = self.levels;
            return self.too_deep(pos, format!("{levels} inside one another, functions that are called included"));
        }
        self.levels += 1;
        let done = with_block(|| work(self));
        self.levels -= 1;
        done
    }

    fn too_deep<T>(&mut self, pos: Pos, label: impl Into<String>) -> OrNoValue<T> {
        let report = Diagnostic::new(Code::K0705, "expressions and blocks are nested too deep")
            .at(pos, label)
            .help("give parts of it names of their own, or turn a chain of `else if` into a `match`");
        self.end(report)
    }

    /// Does every thread come here? Not behind a condition, nor where a function may have returned.
    pub(super) fn is_certain(&self) -> bool {
        self.arms == 0 && self.frames.iter().all(|frame| !frame.read.scan.returns_early)
    }

    /// The same integers, not as a constant: the checker reports constants that are wrong in their place.
    pub(super) fn unseen(&mut self, value: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        self.op(Op::Or, &[value, value], pos)
    }

    /// A divisor. A call may bring a constant zero, and a condition keep the division away from it; only
    /// a written one is an error.
    pub(super) fn divisor(&mut self, op: Op, divisor: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        let divides = matches!(op.family(), OpFamily::Division(_));
        if divides && !self.written_divisor && self.has_zero(divisor) {
            return self.unseen(divisor, pos);
        }
        Ok(divisor)
    }

    /// Is it an integer that is zero, or a vector with a component that is?
    fn has_zero(&self, value: ValueId) -> bool {
        self.known(value).and_then(Const::integer) == Some(0) || self.vectors_with_zero.contains(&value)
    }

    /// Adds an instruction.
    pub(super) fn emit(&mut self, kind: InstKind, pos: Pos) -> OrNoValue<Option<ValueId>> {
        self.instructions += 1;
        if self.instructions > MAX_INSTRUCTIONS && !self.over {
            let report =
                Diagnostic::new(Code::K0705, format!("the kernel has more than {MAX_INSTRUCTIONS} instructions"))
                    .at(pos, "reached here")
                    .note("every function is inlined where it is called")
                    .help("call in a loop, or compute once and keep the result");
            return self.end(report);
        }
        if self.over {
            return Err(NoValue::Failed);
        }
        self.open_loans.changed_by(&kind);
        let with_zero = match &kind {
            InstKind::Compose(parts) => parts.iter().any(|&part| self.has_zero(part)),
            InstKind::Splat { value, .. } => self.has_zero(*value),
            _ => false,
        };
        let made = self.b.emit(kind, pos);
        self.vectors_with_zero.extend(made.filter(|_| with_zero));
        Ok(made)
    }

    /// Adds an instruction that has a result.
    pub(super) fn inst(&mut self, kind: InstKind, pos: Pos) -> OrNoValue<ValueId> {
        let value = self.emit(kind, pos)?;
        Ok(value.unwrap_or_else(|| self.b.invalid()))
    }

    /// Adds a pure operation.
    pub(super) fn op(&mut self, op: Op, args: &[ValueId], pos: Pos) -> OrNoValue<ValueId> {
        let mut args = args.to_vec();
        if let [_, divisor] = &mut args[..] {
            *divisor = self.divisor(op, *divisor, pos)?;
        }
        self.inst(InstKind::Op { op, args }, pos)
    }

    /// A constant `i32`.
    pub(super) fn i32(&mut self, value: i32) -> ValueId {
        self.b.constant(Const::i32(value))
    }

    /// The constant behind a value, if it is one.
    pub(super) fn known(&self, id: ValueId) -> Option<Const> {
        match self.b.context().values.get(id.index())?.def {
            ValueDef::Const(constant) => Some(constant),
            ValueDef::Param(_) | ValueDef::Inst => None,
        }
    }

    /// A type by its slot in the tree.
    pub(super) fn ty(&mut self, slot: u32, pos: Pos) -> OrNoValue<RustType> {
        match self.frame().function.types.get(slot as usize).cloned() {
            Some(ty) => Ok(ty),
            None => self.broken(format!("there is no type {slot}"), pos),
        }
    }

    /// The type in Rust of a `tile_static` variable, by its slot in the tree.
    pub(super) fn rust_type(&mut self, slot: u32, pos: Pos) -> OrNoValue<any::TypeId> {
        match self.frame().function.shared.iter().find(|(shared, _)| *shared == slot) {
            Some((_, ty)) => Ok(*ty),
            None => self.broken(format!("type {slot} is not one of a `tile_static` variable"), pos),
        }
    }

    /// A function by its slot in the tree.
    pub(super) fn link(&mut self, slot: u32, pos: Pos) -> OrNoValue<FormLink> {
        match self.frame().function.links.get(slot as usize).copied() {
            Some(link) => Ok(link),
            None => self.broken(format!("there is no function {slot}"), pos),
        }
    }

    /// A constant by its slot in the tree.
    pub(super) fn constant(&mut self, slot: u32, pos: Pos) -> OrNoValue<RustConstant> {
        match self.frame().function.constants.get(slot as usize).cloned() {
            Some(RustConstant { too_wide: Some(number), .. }) => self.too_wide(number, pos),
            Some(constant) => Ok(constant),
            None => self.broken(format!("there is no constant {slot}"), pos),
        }
    }
}
