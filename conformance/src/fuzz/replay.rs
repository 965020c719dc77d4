//! Rebuilds a kernel with changes: every instruction passes through a [`Builder`] a second time,
//! and a [`KernelEdit`] decides what replaces it.
//!
//! Only the builder makes kernels, so the shrinker takes them apart, and the coverage probe inserts
//! counters, in this way. Instructions are numbered in the order in which they stand in the tree
//! (outer before inner), functions first, then the kernel's own body.

use std::collections::HashMap;

use tilewise_ir::build::Builder;
use tilewise_ir::kernel::{
    Block, CallArgument, Const, FnParam, FnParamKind, Function, FunctionId, Inst, InstKind, Kernel, LabelId, LocalId,
    ParamId, Place, Root, TableId, TileVarId, ValueDef, ValueId,
};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, ValueType};

use super::retype::NewTypes;

/// The replacement of an instruction.
#[derive(Clone, Debug)]
pub enum Act {
    /// Keep it.
    Keep,
    /// Remove it; zero replaces its result.
    Drop,
    /// Remove it; its operand with that number replaces its result, if the types agree (else zero).
    Operand(usize),
    /// Replace it by its inner block with that number, whose value becomes the result.
    Unwrap(usize),
    /// Replace it by this instruction, which has the operands and blocks of the old kernel.
    Replace(InstKind),
}

/// Changes to a kernel.
pub trait KernelEdit {
    /// The replacement of the instruction with that number.
    fn act(&mut self, number: usize, inst: &Inst) -> Act {
        let _ = (number, inst);
        Act::Keep
    }

    /// The replacement of a constant.
    fn constant(&mut self, constant: Const) -> Const {
        constant
    }

    /// Rank and tile of the new kernel.
    fn shape(&mut self, rank: u32, tile: Option<&[u32]>) -> (u32, Option<Vec<u32>>) {
        (rank, tile.map(<[u32]>::to_vec))
    }

    /// Is the parameter, function, table, `tile_static` variable or type with that number kept? A
    /// declaration in use must be kept.
    fn keeps(&mut self, what: DeclarationKind, index: usize) -> bool {
        let _ = (what, index);
        true
    }

    /// Called after all parameters of the kernel are declared, to add one more.
    fn declare(&mut self, builder: &mut Builder) -> Option<ValueType> {
        let _ = builder;
        None
    }

    /// Called before the first instruction of each block, and after an instruction that may not
    /// fall through, if another follows: with the number of the next instruction, and the value of
    /// the parameter that [`declare`](KernelEdit::declare) added.
    fn point(&mut self, builder: &mut Builder, next: usize, extra: ValueId) {
        let _ = (builder, next, extra);
    }
}

/// Kinds of declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeclarationKind {
    /// A memory type.
    Type,
    /// A parameter of the kernel.
    Param,
    /// A function.
    Function,
    /// A parameter of the function with that number.
    FnParam(usize),
    /// A constant table.
    Table,
    /// A `tile_static` variable.
    TileVar,
}

/// The rebuilt kernel.
pub fn replay(kernel: &Kernel, edit: &mut dyn KernelEdit) -> Kernel {
    let (rank, tile) = edit.shape(kernel.rank(), kernel.tile());
    let mut b = Builder::new(kernel.name(), rank, tile.as_deref());
    let mut types = NewTypes::default();
    for (id, ty) in kernel.types().iter() {
        if edit.keeps(DeclarationKind::Type, id.index()) {
            let ty = types.parts(ty);
            types.map.insert(id, b.types().add(ty));
        }
    }
    let mut tables = Vec::new();
    for (i, table) in kernel.tables().iter().enumerate() {
        let keep = edit.keeps(DeclarationKind::Table, i);
        tables.push(keep.then(|| b.table(&table.name, types.ty(table.ty), table.leaves.clone(), table.pos)));
    }
    let mut params = Vec::new();
    let mut place = 0;
    for (i, param) in kernel.params().iter().enumerate() {
        let keep = edit.keeps(DeclarationKind::Param, i);
        params.push(keep.then(|| {
            place += 1;
            (b.param(&param.name, types.param(param.kind), param.pos), place - 1)
        }));
    }
    let extra = edit.declare(&mut b);
    let tile_vars = kernel.tile_vars().iter().enumerate();
    let tile_vars = tile_vars.map(|(i, var)| {
        let keep = edit.keeps(DeclarationKind::TileVar, i);
        keep.then(|| b.tile_var(&var.name, types.ty(var.ty), var.pos))
    });
    let tile_vars: Vec<_> = tile_vars.collect();
    let mut replay = Replay {
        old: kernel,
        types,
        b,
        edit,
        number: 0,
        params,
        tables,
        tile_vars,
        functions: Vec::new(),
        fn_params: Vec::new(),
        extra: extra.map(|ty| (ty, place)),
        here: ReplayFrame::default(),
    };
    replay.functions();
    replay.b.begin_entry();
    replay.b.set_pos(kernel.entry().pos());
    let map = replay.params.iter().map(|kept| kept.map(|(_, place)| place)).collect();
    replay.body(kernel.entry(), map, replay.extra.map(|(_, place)| place));
    replay.b.end();
    replay.b.finish()
}

struct Replay<'a> {
    old: &'a Kernel,
    types: NewTypes,
    b: Builder,
    edit: &'a mut dyn KernelEdit,
    number: usize,
    /// For each old parameter the new one and its position.
    params: Vec<Option<(ParamId, u32)>>,
    tables: Vec<Option<TableId>>,
    tile_vars: Vec<Option<TileVarId>>,
    functions: Vec<Option<FunctionId>>,
    /// For each function, the parameters that are kept.
    fn_params: Vec<Vec<bool>>,
    /// The type of the added parameter, and its position in the kernel.
    extra: Option<(ValueType, u32)>,
    here: ReplayFrame<'a>,
}

/// The function being replayed.
#[derive(Default)]
struct ReplayFrame<'a> {
    function: Option<&'a Function>,
    values: HashMap<ValueId, ValueId>,
    locals: HashMap<LocalId, LocalId>,
    labels: HashMap<LabelId, LabelId>,
    /// The new position of each old parameter.
    params: Vec<Option<u32>>,
    extra: Option<ValueId>,
}

impl<'a> Replay<'a> {
    fn functions(&mut self) {
        let old = self.old;
        for (i, function) in old.functions().iter().enumerate() {
            let kept: Vec<bool> =
                (0..function.params().len()).map(|p| self.edit.keeps(DeclarationKind::FnParam(i), p)).collect();
            let mut params: Vec<FnParam> = function
                .params()
                .iter()
                .zip(&kept)
                .filter(|(_, keep)| **keep)
                .map(|(param, _)| self.types.fn_param(param))
                .collect();
            if let Some((ty, _)) = self.extra {
                params.push(FnParam { name: "probe".into(), kind: FnParamKind::Value(ty), pos: Pos::NONE });
            }
            self.fn_params.push(kept);
            let keep = self.edit.keeps(DeclarationKind::Function, i);
            let id = keep.then(|| {
                self.b.declare(
                    function.name(),
                    params,
                    function.result().map(|ty| self.types.value(ty)),
                    function.pos(),
                )
            });
            self.functions.push(id);
        }
        for (i, function) in old.functions().iter().enumerate() {
            let Some(id) = self.functions[i] else {
                function.body().walk(&mut |_| self.number += 1);
                continue;
            };
            let mut place = 0;
            let map = self.fn_params[i]
                .iter()
                .map(|keep| {
                    keep.then(|| {
                        place += 1;
                        place - 1
                    })
                })
                .collect();
            self.b.begin(id);
            let extra = self.extra.map(|_| place);
            self.body(function, map, extra);
            self.b.end();
        }
    }

    fn body(&mut self, function: &'a Function, params: Vec<Option<u32>>, extra: Option<u32>) {
        self.here = ReplayFrame { function: Some(function), params, ..ReplayFrame::default() };
        self.here.extra = extra.map(|place| self.b.param_value(place));
        self.insts(function.body());
    }

    fn point(&mut self) {
        if let Some(extra) = self.here.extra {
            self.edit.point(&mut self.b, self.number, extra);
        }
    }

    fn insts(&mut self, block: &'a Block) {
        if !block.insts.is_empty() {
            self.point();
        }
        for (i, inst) in block.insts.iter().enumerate() {
            self.inst(inst);
            let mut may_leave = matches!(inst.kind, InstKind::Abort | InstKind::Error(_) | InstKind::Call { .. });
            inst.kind.blocks(&mut |block| {
                block.walk(&mut |inst| {
                    may_leave |= inst.kind.leaves()
                        || matches!(inst.kind, InstKind::Abort | InstKind::Error(_) | InstKind::Call { .. });
                });
            });
            if may_leave && i + 1 < block.insts.len() {
                self.point();
            }
        }
    }

    fn block(&mut self, block: &'a Block) -> Block {
        self.b.begin_block();
        self.insts(block);
        let value = block.value.map(|value| self.value(value));
        self.b.end_block(value)
    }

    fn value(&mut self, old: ValueId) -> ValueId {
        if let Some(&new) = self.here.values.get(&old)
            && self.b.visible(new)
        {
            return new;
        }
        let Some(value) = self.here.function.and_then(|function| function.values().get(old.index())) else {
            return self.b.invalid();
        };
        match value.def {
            ValueDef::Const(constant) => {
                let constant = self.edit.constant(constant);
                self.b.constant(constant)
            }
            ValueDef::Param(i) => match self.here.params.get(i as usize).copied().flatten() {
                Some(place) => self.b.param_value(place),
                None => self.zero(value.ty),
            },
            ValueDef::Inst => self.zero(value.ty),
        }
    }

    /// The zero that replaces a removed value.
    fn zero(&mut self, ty: ValueType) -> ValueId {
        match ty {
            ValueType::Data(Data { scalar, width }) => {
                let zero = self.b.constant(Const { scalar, bits: 0 });
                if width == 1 { zero } else { self.b.value(InstKind::Splat { value: zero, width }, Pos::NONE) }
            }
            ValueType::View(_) | ValueType::Invalid => self.b.invalid(),
        }
    }

    fn skip(&mut self, inst: &Inst) {
        inst.kind.blocks(&mut |block| block.walk(&mut |_| self.number += 1));
    }

    fn inst(&mut self, inst: &'a Inst) {
        let number = self.number;
        self.number += 1;
        let kind = match self.edit.act(number, inst) {
            Act::Keep => inst.kind.clone(),
            Act::Replace(kind) => {
                self.skip(inst);
                self.emit(inst, kind, false);
                return;
            }
            Act::Drop => return self.skip(inst),
            Act::Operand(n) => {
                self.skip(inst);
                let mut operands = Vec::new();
                inst.kind.operands(&mut |&value| operands.push(value));
                let (Some(result), Some(&operand)) = (inst.result, operands.get(n)) else { return };
                let Some(function) = self.here.function else { return };
                if function.value(result).ty == function.value(operand).ty {
                    let operand = self.value(operand);
                    self.here.values.insert(result, operand);
                }
                return;
            }
            Act::Unwrap(n) => return self.unwrap(inst, n),
        };
        self.emit(inst, kind, true);
    }

    fn unwrap(&mut self, inst: &'a Inst, keep: usize) {
        let blocks = blocks(&inst.kind);
        for (i, block) in blocks.into_iter().enumerate() {
            if i != keep {
                block.walk(&mut |_| self.number += 1);
                continue;
            }
            self.insts(block);
            if let (Some(result), Some(value)) = (inst.result, block.value) {
                let value = self.value(value);
                self.here.values.insert(result, value);
            }
        }
    }

    /// Emits `kind`, whose ids are old ones. `inside`: the blocks are those of `inst`, to be
    /// replayed too. Emits nothing if `kind` needs a declaration or a construct that was removed.
    fn emit(&mut self, inst: &'a Inst, mut kind: InstKind, inside: bool) {
        if let Some(label) = inst.kind.opened_label() {
            let name = self.here.function.and_then(|function| function.labels()[label.index()].name.clone());
            let new = self.b.label(name.as_deref());
            self.here.labels.insert(label, new);
        }
        if let Some(local) = kind.declared_local_mut() {
            let new = self.local(*local);
            *local = new;
            kind.operands_mut(&mut |value| *value = self.value(*value));
            self.b.emit(kind, inst.pos);
            return;
        }
        if let Some(element) = kind.named_type_mut() {
            *element = self.types.ty(*element);
        }
        if !self.renew_call(&mut kind) {
            return;
        }
        let has_places = self.renew_places(&mut kind);
        self.renew_operands(&mut kind);
        let has_label = self.renew_label(&mut kind);
        if !has_places || !has_label {
            return;
        }
        if inside {
            self.blocks(&inst.kind, &mut kind);
        }
        if let (InstKind::Call { args, .. }, Some(extra)) = (&mut kind, self.here.extra) {
            args.push(CallArgument::Value(extra));
        }
        if kind.opened_label().is_some()
            && let Some(old) = inst.kind.label()
        {
            self.here.labels.remove(&old);
        }
        self.emit_results(inst, kind);
    }

    /// Makes a call one of the new function, without arguments for removed parameters. False if the
    /// function was removed.
    fn renew_call(&self, kind: &mut InstKind) -> bool {
        let InstKind::Call { function, args } = kind else { return true };
        let Some(id) = self.functions.get(function.index()).copied().flatten() else { return false };
        let kept = &self.fn_params[function.index()];
        let mut keep = kept.iter().chain(std::iter::repeat(&true));
        args.retain(|_| keep.next() == Some(&true));
        *function = id;
        true
    }

    /// Gives the places their new roots. False if the declaration of one was removed.
    fn renew_places(&self, kind: &mut InstKind) -> bool {
        let mut places = Vec::new();
        kind.places(&mut |place| places.push(place.clone()));
        let mut moved: Vec<Option<Root>> = places.iter().map(|place| self.root(place)).collect();
        let all = moved.iter().all(Option::is_some);
        moved.reverse();
        kind.places_mut(&mut |place| {
            if let Some(Some(root)) = moved.pop() {
                place.root = root;
            }
        });
        all
    }

    /// Replaces the operands by new values.
    fn renew_operands(&mut self, kind: &mut InstKind) {
        let mut values = Vec::new();
        kind.operands(&mut |&value| values.push(value));
        let mut values: Vec<ValueId> = values.into_iter().map(|value| self.value(value)).collect();
        values.reverse();
        kind.operands_mut(&mut |value| {
            if let Some(new) = values.pop() {
                *value = new;
            }
        });
    }

    /// Replaces the label by the new one. False if the construct that a jump leaves was removed.
    fn renew_label(&self, kind: &mut InstKind) -> bool {
        let opens = kind.opened_label().is_some();
        let Some(label) = kind.label_mut() else { return true };
        let Some(&new) = self.here.labels.get(label) else { return opens };
        *label = new;
        true
    }

    /// Emits an instruction whose ids are new ones, and names its results as those of `inst`.
    fn emit_results(&mut self, inst: &Inst, kind: InstKind) {
        let function = self.here.function;
        let names = |old: ValueId| function.and_then(|function| function.value(old).name.clone());
        let name = inst.result.and_then(names);
        if let InstKind::CompareExchange { place, expected, new, .. } = kind {
            let (old, ok) = self.b.compare_exchange(place, expected, new, inst.pos);
            if let InstKind::CompareExchange { equal, .. } = &inst.kind {
                if let Some(name) = names(*equal) {
                    self.b.name(ok, &name);
                }
                self.here.values.insert(*equal, ok);
            }
            if let Some(result) = inst.result {
                if let Some(name) = name {
                    self.b.name(old, &name);
                }
                self.here.values.insert(result, old);
            }
            return;
        }
        let new = self.b.emit(kind, inst.pos);
        if let (Some(old), Some(new)) = (inst.result, new) {
            if let Some(name) = name {
                self.b.name(new, &name);
            }
            self.here.values.insert(old, new);
        }
    }

    fn local(&mut self, old: LocalId) -> LocalId {
        let Some(local) = self.here.function.map(|function| &function.locals()[old.index()]) else { return old };
        let new = self.b.local(&local.name, self.types.ty(local.ty));
        self.here.locals.insert(old, new);
        new
    }

    /// The root with new ids; `None` if its declaration was removed.
    fn root(&self, place: &Place) -> Option<Root> {
        Some(match &place.root {
            root @ Root::View { .. } => root.clone(),
            Root::Param(id) => Root::Param(self.params.get(id.index()).copied().flatten()?.0),
            Root::Tile(id) => Root::Tile(self.tile_vars.get(id.index()).copied().flatten()?),
            Root::Table(id) => Root::Table(self.tables.get(id.index()).copied().flatten()?),
            Root::Local(id) => Root::Local(*self.here.locals.get(id)?),
            Root::Ref(i) => Root::Ref(self.here.params.get(*i as usize).copied().flatten()?),
        })
    }

    /// Replays the blocks of `old` into `new`, the same instruction with new operands.
    fn blocks(&mut self, old: &'a InstKind, new: &mut InstKind) {
        let mut old = blocks(old).into_iter();
        new.blocks_mut(&mut |new| {
            if let Some(old) = old.next() {
                *new = self.block(old);
            }
        });
    }
}

/// The blocks inside an instruction, in text order.
pub(super) fn blocks(kind: &InstKind) -> Vec<&Block> {
    let mut blocks = Vec::new();
    kind.each_block(&mut |block| blocks.push(block));
    blocks
}
