//! Builds kernels: [`Builder`] is the only way to make one.
//!
//! A [`Builder`] takes declarations and instructions in source order and returns a [`Kernel`]. It
//! computes the type of every result, and never fails: an ill-typed instruction has a result of
//! type [`ValueType::Invalid`], which the checker explains later. `canonical` is the last step of
//! building. For any input, the builder guarantees:
//!
//! - every id in the kernel refers to an existing item, and a value is used only after its
//!   definition, in the same block or deeper (see [`Builder::visible`]; an invalid value replaces
//!   any other use);
//! - blocks nest at most one level deeper than [`MAX_NESTING`], so traversals need no depth check
//!   of their own;
//! - names follow the rule of [`names`](crate::names), and none shadows another: a number appended
//!   to the later name resolves a clash;
//! - the kernel is **canonical**: types, values, locals and labels are numbered in order of first
//!   mention in the text form, and instructions have [their ids](crate::kernel::InstId). So two
//!   kernels with the same text are equal, and parsing a printed kernel gives an equal one.
//!
//! ```
//! use tilewise_ir::build::Builder;
//! use tilewise_ir::kernel::{Builtin, Const, InstKind, ParamKind, Place, Root};
//! use tilewise_ir::ops::Op;
//! use tilewise_ir::pos::Pos;
//! use tilewise_ir::types::{Access, Stored, ViewType};
//!
//! // kernel twice(v: view<i32, 1, read_write>) rank(1) { v[global[0]] = v[global[0]] * 2; }
//! let mut b = Builder::new("twice", 1, None);
//! let element = b.types().scalar(Stored::I32);
//! let v = b.param("v", ParamKind::View(ViewType { element, rank: 1, access: Access::ReadWrite }), Pos::NONE);
//! b.begin_entry();
//! let v = b.param_value(v.index() as u32);
//! let i = b.emit(InstKind::Builtin(Builtin::Global(0)), Pos::NONE).unwrap();
//! let place = Place { root: Root::View { view: v, index: vec![i] }, path: vec![] };
//! let old = b.emit(InstKind::Load(place.clone()), Pos::NONE).unwrap();
//! let two = b.constant(Const::i32(2));
//! let new = b.op(Op::Mul, &[old, two], Pos::NONE);
//! b.emit(InstKind::Store { place, value: new }, Pos::NONE);
//! let kernel = b.finish();
//! assert_eq!(kernel.entry().body().insts.len(), 4);
//! ```

pub(crate) mod canonical;
mod fresh;

use std::collections::HashMap;

use crate::kernel::{
    Block, Const, FnParam, FnParamKind, Function, FunctionId, Inst, InstKind, Kernel, Label, LabelId, Local, LocalId,
    Param, ParamId, ParamKind, Place, Table, TableId, TileVar, TileVarId, Value, ValueDef, ValueId,
};
use crate::limits::MAX_NESTING;
use crate::ops::Op;
use crate::pos::{Pos, Source, Sources};
use crate::types::{Name, TypeId, Types, ValueType};
use crate::typing::Context;

/// Builds one kernel.
#[derive(Clone, Debug)]
pub struct Builder {
    kernel: Kernel,
    /// The functions being built, the innermost last; the entry is one too.
    filling: Vec<Current>,
    entry_done: bool,
    /// Library items already added to the kernel, by library and name.
    pub(crate) linked: HashMap<(&'static str, &'static str), LinkedItem>,
}

/// A library item that was added to the kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LinkedItem {
    Struct(TypeId),
    Table(TableId),
    Function(FunctionId),
    /// The item has an error, which was reported.
    Broken,
}

/// A function being built.
#[derive(Clone, Debug)]
struct Current {
    /// Its id; `None` for the entry.
    id: Option<FunctionId>,
    function: Function,
    /// The open blocks, the innermost last.
    open: Vec<OpenBlock>,
    constants: HashMap<Const, ValueId>,
    params: HashMap<u32, ValueId>,
    /// For each label, the type of the values of its `break`s.
    brought: HashMap<LabelId, ValueType>,
    /// For each value, whether it can be used at this point.
    visible: Vec<bool>,
    invalid: Option<ValueId>,
}

/// An open block.
#[derive(Clone, Debug, Default)]
struct OpenBlock {
    insts: Vec<Inst>,
    /// Values whose scope is the block.
    values: Vec<ValueId>,
}

impl Builder {
    /// Begins a kernel over domains of `rank` dimensions; a tiled one has a tile of the same rank.
    pub fn new(name: &str, rank: u32, tile: Option<&[u32]>) -> Builder {
        Builder {
            kernel: Kernel {
                name: name.into(),
                rank,
                tile: tile.map(<[u32]>::to_vec),
                types: Types::new(),
                params: Vec::new(),
                tile_vars: Vec::new(),
                tables: Vec::new(),
                functions: Vec::new(),
                entry: empty_function("", Vec::new(), None, Pos::NONE),
                sources: Sources::default(),
            },
            filling: Vec::new(),
            entry_done: false,
            linked: HashMap::new(),
        }
    }

    /// Replaces the arguments of [`new`](Builder::new): for a text, in which the kernel's name
    /// follows the functions that it uses.
    pub fn set_kernel(&mut self, name: &str, rank: u32, tile: Option<Vec<u32>>) {
        self.kernel.name = name.into();
        self.kernel.rank = rank;
        self.kernel.tile = tile;
    }

    /// Sets the position of the kernel's name.
    pub fn set_pos(&mut self, pos: Pos) {
        self.kernel.entry.pos = pos;
        for current in self.filling.iter_mut().filter(|current| current.id.is_none()) {
            current.function.pos = pos;
        }
    }

    /// The memory types, mutably.
    pub fn types(&mut self) -> &mut Types {
        &mut self.kernel.types
    }

    /// The kernel built so far, without the function being built.
    pub fn so_far(&self) -> &Kernel {
        &self.kernel
    }

    /// Adds a source; returns its index for [`Pos`].
    pub fn source(&mut self, source: Source) -> u32 {
        self.kernel.sources.add(source)
    }

    /// Declares a parameter of the kernel.
    pub fn param(&mut self, name: &str, kind: ParamKind, pos: Pos) -> ParamId {
        self.kernel.params.push(Param { name: name.into(), kind, pos });
        ParamId(self.kernel.params.len() as u32 - 1)
    }

    /// Declares a `tile_static` variable.
    pub fn tile_var(&mut self, name: &str, ty: TypeId, pos: Pos) -> TileVarId {
        self.kernel.tile_vars.push(TileVar { name: name.into(), ty, pos });
        TileVarId(self.kernel.tile_vars.len() as u32 - 1)
    }

    /// Declares a constant table. `leaves` are the scalars of the type, in the order of
    /// [`Types::leaves`]; missing ones are zero.
    pub fn table(&mut self, name: &str, ty: TypeId, leaves: Vec<u64>, pos: Pos) -> TableId {
        self.kernel.tables.push(Table { name: name.into(), ty, leaves, pos });
        TableId(self.kernel.tables.len() as u32 - 1)
    }

    /// Declares a function, so that it can be called; [`begin`](Builder::begin) starts its body.
    pub fn declare(&mut self, name: &str, params: Vec<FnParam>, result: Option<ValueType>, pos: Pos) -> FunctionId {
        self.kernel.functions.push(empty_function(name, params, result, pos));
        FunctionId(self.kernel.functions.len() as u32 - 1)
    }

    /// Renames a declared function.
    pub(crate) fn rename_function(&mut self, id: FunctionId, name: &str) {
        self.kernel.functions[id.index()].name = name.into();
    }

    /// Starts the body of a declared function, from scratch, until [`end`](Builder::end). The
    /// function under construction is suspended: its values and blocks are inaccessible until then.
    pub fn begin(&mut self, id: FunctionId) {
        let mut function = self.kernel.functions[id.index()].clone();
        function.values.clear();
        function.locals.clear();
        function.labels.clear();
        function.body = Block::default();
        self.filling.push(Current::new(Some(id), function));
    }

    /// Starts the kernel's own body, from scratch, like [`begin`](Builder::begin) for a function.
    pub fn begin_entry(&mut self) {
        let mut function = empty_function("", Vec::new(), None, self.kernel.entry.pos);
        function.name = self.kernel.name.clone();
        self.filling.push(Current::new(None, function));
        self.entry_done = true;
    }

    /// Ends the current function and all its open blocks; resumes the suspended one.
    pub fn end(&mut self) {
        while self.filling.last().is_some_and(|current| current.open.len() > 1) {
            self.end_block(None);
        }
        let Some(mut current) = self.filling.pop() else { return };
        current.function.body.insts = current.open.pop().map(|open| open.insts).unwrap_or_default();
        match current.id {
            Some(id) => self.kernel.functions[id.index()] = current.function,
            None => self.kernel.entry = current.function,
        }
    }

    /// Returns the finished kernel. Ends functions still under construction.
    pub fn finish(mut self) -> Kernel {
        while !self.filling.is_empty() {
            self.end();
        }
        if !self.entry_done {
            self.kernel.entry.name = self.kernel.name.clone();
        }
        canonical::make(self.kernel)
    }

    fn current(&mut self) -> &mut Current {
        if self.filling.is_empty() {
            self.begin_entry();
        }
        self.filling.last_mut().expect("just begun")
    }

    /// Context for type queries in the current function.
    pub fn context(&self) -> Context<'_> {
        let function = self.filling.last().map_or(&self.kernel.entry, |current| &current.function);
        self.kernel.context(function)
    }

    /// Type of a value of the current function.
    pub fn value_type(&self, value: ValueId) -> ValueType {
        self.context().value(value)
    }

    /// The value of a constant scalar.
    pub fn constant(&mut self, constant: Const) -> ValueId {
        let current = self.current();
        if let Some(&id) = current.constants.get(&constant) {
            return id;
        }
        let id = current.add(Value { ty: constant.scalar.into(), def: ValueDef::Const(constant), name: None });
        current.constants.insert(constant, id);
        id
    }

    /// The value of a parameter: of the kernel in its body (a view, a uniform scalar or vector), of
    /// the function in a function. Invalid if the parameter is a place.
    pub fn param_value(&mut self, index: u32) -> ValueId {
        self.current();
        let ty = match self.filling.last() {
            Some(Current { id: None, .. }) => {
                self.kernel.params.get(index as usize).and_then(|param| match param.kind {
                    ParamKind::View(view) => Some(ValueType::View(view)),
                    ParamKind::Uniform(ty) => self.kernel.types.value(ty).map(ValueType::Data),
                    ParamKind::Buffer { .. } => None,
                })
            }
            Some(Current { function, .. }) => function.params.get(index as usize).and_then(|param| match param.kind {
                FnParamKind::Value(ty) => Some(ty),
                FnParamKind::Ref { .. } => None,
            }),
            None => None,
        };
        let current = self.current();
        let Some(ty) = ty else { return current.invalid() };
        if let Some(&id) = current.params.get(&index) {
            return id;
        }
        let id = current.add(Value { ty, def: ValueDef::Param(index), name: None });
        current.params.insert(index, id);
        id
    }

    /// An invalid value, for an operand that the source names wrongly. The checker will refuse the
    /// kernel.
    pub fn invalid(&mut self) -> ValueId {
        self.current().invalid()
    }

    /// Whether the value can be used at this point.
    pub fn visible(&self, value: ValueId) -> bool {
        self.filling.last().is_some_and(|current| current.visible.get(value.index()).copied().unwrap_or(false))
    }

    /// Adds a local variable. Its lifetime begins with the [`Declare`](InstKind::Declare) that the
    /// caller emits for it.
    pub fn local(&mut self, name: &str, ty: TypeId) -> LocalId {
        let locals = &mut self.current().function.locals;
        locals.push(Local { name: name.into(), ty });
        LocalId(locals.len() as u32 - 1)
    }

    /// The number of values and variables of the functions under construction, which tells how large they have become.
    pub fn size(&self) -> usize {
        self.filling.iter().map(|current| current.function.values.len() + current.function.locals.len()).sum()
    }

    /// Adds a label for a loop or scope.
    pub fn label(&mut self, name: Option<&str>) -> LabelId {
        let labels = &mut self.current().function.labels;
        labels.push(Label { name: name.map(Name::from) });
        LabelId(labels.len() as u32 - 1)
    }

    /// Names a value, as a `let` does.
    pub fn name(&mut self, value: ValueId, name: &str) {
        if let Some(value) = self.current().function.values.get_mut(value.index()) {
            value.name = Some(name.into());
        }
    }

    /// Opens a block, which receives the instructions emitted next.
    pub fn begin_block(&mut self) {
        self.current().open.push(OpenBlock::default());
    }

    /// Closes the innermost block, which yields `value` to the enclosing construct. The block's
    /// values go out of scope.
    pub fn end_block(&mut self, value: Option<ValueId>) -> Block {
        let value = value.map(|value| self.seen(value));
        let current = self.current();
        if current.open.len() < 2 {
            return Block { insts: Vec::new(), value };
        }
        let Some(open) = current.open.pop() else { return Block { insts: Vec::new(), value } };
        for value in open.values {
            current.visible[value.index()] = false;
        }
        Block { insts: open.insts, value }
    }

    /// Adds an instruction; returns its result, if it has one.
    pub fn emit(&mut self, kind: InstKind, pos: Pos) -> Option<ValueId> {
        let mut kind = kind;
        self.current();
        self.mend(&mut kind);
        let of_scope =
            if let InstKind::Scope { label, .. } = &kind { self.current().brought.get(label).copied() } else { None };
        if let InstKind::Break { label, value: Some(value) } = kind {
            let ty = self.value_type(value);
            self.current().brought.entry(label).or_insert(ty);
        }
        let ty = self.context().result(&kind, of_scope);
        let current = self.current();
        let result = ty.map(|ty| current.define(Value { ty, def: ValueDef::Inst, name: None }));
        current.push(Inst::new(kind, result, pos));
        result
    }

    /// Adds an instruction that has a result; returns an invalid value if it has none.
    pub fn value(&mut self, kind: InstKind, pos: Pos) -> ValueId {
        match self.emit(kind, pos) {
            Some(value) => value,
            None => self.invalid(),
        }
    }

    /// Adds a pure operation.
    pub fn op(&mut self, op: Op, args: &[ValueId], pos: Pos) -> ValueId {
        self.value(InstKind::Op { op, args: args.to_vec() }, pos)
    }

    /// Adds a load.
    pub fn load(&mut self, place: Place, pos: Pos) -> ValueId {
        self.value(InstKind::Load(place), pos)
    }

    /// Adds a compare-exchange; returns the old value, and whether the new one was stored.
    pub fn compare_exchange(&mut self, place: Place, expected: ValueId, new: ValueId, pos: Pos) -> (ValueId, ValueId) {
        let mut kind = InstKind::CompareExchange { place, expected, new, equal: ValueId(0) };
        self.current();
        self.mend(&mut kind);
        let ty = self.context().result(&kind, None).unwrap_or(ValueType::Invalid);
        let current = self.current();
        let old = current.define(Value { ty, def: ValueDef::Inst, name: None });
        let ok = current.define(Value { ty: crate::types::Data::BOOL.into(), def: ValueDef::Inst, name: None });
        if let InstKind::CompareExchange { equal, .. } = &mut kind {
            *equal = ok;
        }
        current.push(Inst::new(kind, Some(old), pos));
        (old, ok)
    }

    /// The value if it can be used at this point, else an invalid one.
    fn seen(&mut self, value: ValueId) -> ValueId {
        if self.visible(value) { value } else { self.invalid() }
    }

    /// Replaces operands that cannot be used at this point, and ids that refer to nothing.
    fn mend(&mut self, kind: &mut InstKind) {
        let mut bad = Vec::new();
        kind.operands(&mut |&value| bad.push(self.visible(value)));
        if bad.contains(&false) {
            let invalid = self.invalid();
            let mut ok = bad.into_iter();
            kind.operands_mut(&mut |value| {
                if ok.next() == Some(false) {
                    *value = invalid;
                }
            });
        }
    }
}

impl Current {
    fn new(id: Option<FunctionId>, function: Function) -> Current {
        Current {
            id,
            function,
            open: vec![OpenBlock::default()],
            constants: HashMap::new(),
            params: HashMap::new(),
            brought: HashMap::new(),
            visible: Vec::new(),
            invalid: None,
        }
    }

    /// Adds a value whose scope is the whole function.
    fn add(&mut self, value: Value) -> ValueId {
        self.function.values.push(value);
        self.visible.push(true);
        ValueId(self.function.values.len() as u32 - 1)
    }

    /// Adds a value whose scope is the innermost block.
    fn define(&mut self, value: Value) -> ValueId {
        let id = self.add(value);
        if let Some(open) = self.open.last_mut() {
            open.values.push(id);
        }
        id
    }

    fn invalid(&mut self) -> ValueId {
        if let Some(id) = self.invalid {
            return id;
        }
        let id = self.add(Value { ty: ValueType::Invalid, def: ValueDef::Inst, name: None });
        self.invalid = Some(id);
        id
    }

    fn push(&mut self, inst: Inst) {
        // Deeper blocks are dropped: the remaining depth suffices for the checker to refuse the
        // kernel.
        if self.open.len() > MAX_NESTING as usize + 2 {
            return;
        }
        if let Some(open) = self.open.last_mut() {
            open.insts.push(inst);
        }
    }
}

fn empty_function(name: &str, params: Vec<FnParam>, result: Option<ValueType>, pos: Pos) -> Function {
    Function {
        name: name.into(),
        params,
        result,
        values: Vec::new(),
        locals: Vec::new(),
        labels: Vec::new(),
        body: Block::default(),
        inst_count: 0,
        pos,
    }
}
