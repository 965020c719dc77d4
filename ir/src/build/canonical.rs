//! The last step of building: canonical numbers and names.
//!
//! Types are numbered as follows: structs first, in order of declaration, each after its parts;
//! then in order of mention by tables, parameters, `tile_static` variables, functions and the body.
//! Values, locals and labels of a function are numbered in walk order: operands of an instruction,
//! its nested blocks, then its results. Unused ones are dropped. Instructions get [their
//! ids](InstId).

use std::collections::{HashMap, HashSet};

use super::fresh::TakenNames;
use crate::kernel::{
    Block, FnParam, FnParamKind, Function, Init, InstId, InstKind, Kernel, Label, LabelId, Local, LocalId, ParamKind,
    Root, Value, ValueDef, ValueId,
};
use crate::names;
use crate::types::{Name, Type, TypeId, Types, ValueType, ViewType};

/// Makes the kernel canonical.
pub(crate) fn make(mut kernel: Kernel) -> Kernel {
    retype(&mut kernel);
    let mut names = ScopedNames::default();
    names.enter();
    for (_, ty) in kernel.types.iter() {
        if let Type::Struct(s) = ty {
            names.take(&s.name);
        }
    }
    for table in &mut kernel.tables {
        table.name = names.fresh(&table.name);
    }
    for function in &mut kernel.functions {
        function.name = if function.name.contains("::") {
            names.fresh_path(&names::clean_path(&function.name))
        } else {
            names.fresh(&function.name)
        };
    }
    kernel.name = names::clean(&kernel.name).into();
    for function in &mut kernel.functions {
        names.enter();
        for param in &mut function.params {
            param.name = names.fresh(&param.name);
        }
        renumber(function, &mut names);
        names.leave();
    }
    names.enter();
    for param in &mut kernel.params {
        param.name = names.fresh(&param.name);
    }
    for var in &mut kernel.tile_vars {
        var.name = names.fresh(&var.name);
    }
    kernel.entry.name = kernel.name.clone();
    renumber(&mut kernel.entry, &mut names);
    for table in &mut kernel.tables {
        // An oversized table keeps its leaves unpadded; the checker refuses it.
        let count = kernel.types.measure(table.ty).leaves;
        if count <= crate::limits::MAX_TABLE {
            table.leaves.resize(count as usize, 0);
        }
    }
    kernel
}

/// Names in use, innermost scope last.
#[derive(Default)]
struct ScopedNames {
    scopes: Vec<Vec<Name>>,
    taken: TakenNames,
}

impl ScopedNames {
    fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn leave(&mut self) {
        for name in self.scopes.pop().unwrap_or_default() {
            self.taken.free(&name);
        }
    }

    fn take(&mut self, name: &Name) {
        self.taken.take(name);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name.clone());
        }
    }

    fn fresh(&mut self, wanted: &str) -> Name {
        self.fresh_path(&names::clean(wanted))
    }

    fn fresh_path(&mut self, wanted: &str) -> Name {
        let name = self.taken.unused(wanted);
        self.take(&name);
        name
    }
}

/// Rebuilds the types in canonical order and renames structs that clash.
fn retype(kernel: &mut Kernel) {
    let mut new = Retype {
        old: std::mem::take(&mut kernel.types),
        new: Types::new(),
        map: HashMap::new(),
        names: TakenNames::default(),
    };
    let structs: Vec<TypeId> =
        new.old.iter().filter(|(_, ty)| matches!(ty, Type::Struct(_))).map(|(id, _)| id).collect();
    for id in structs {
        new.ty(id);
    }
    for table in &mut kernel.tables {
        table.ty = new.ty(table.ty);
    }
    for function in &mut kernel.functions {
        for FnParam { kind, .. } in &mut function.params {
            match kind {
                FnParamKind::Value(ty) => *ty = new.value(*ty),
                FnParamKind::Ref { ty, .. } => *ty = new.ty(*ty),
            }
        }
        function.result = function.result.map(|ty| new.value(ty));
    }
    for param in &mut kernel.params {
        match &mut param.kind {
            ParamKind::View(view) => *view = new.view(*view),
            ParamKind::Buffer { ty, .. } | ParamKind::Uniform(ty) => *ty = new.ty(*ty),
        }
    }
    for var in &mut kernel.tile_vars {
        var.ty = new.ty(var.ty);
    }
    let (functions, entry) = (&mut kernel.functions, &mut kernel.entry);
    for function in functions.iter_mut().chain([entry]) {
        let Function { body, locals, values, .. } = function;
        body.walk_mut(&mut |inst| {
            if let InstKind::Declare { local, .. } = &inst.kind {
                // Each local is declared once, as the builder returns a new local for each
                // declaration; a second declaration finds it already mapped.
                new.ty(locals[local.index()].ty);
            }
            if let Some(ty) = inst.kind.named_type_mut() {
                *ty = new.ty(*ty);
            }
        });
        let mut used = HashSet::new();
        body.walk(&mut |inst| {
            if let InstKind::Declare { local, .. } = &inst.kind {
                used.insert(*local);
            }
            inst.kind.places(&mut |place| {
                if let Root::Local(local) = &place.root {
                    used.insert(*local);
                }
            });
        });
        // Unused locals are dropped, with their types.
        for (i, local) in locals.iter_mut().enumerate() {
            if used.contains(&LocalId(i as u32)) {
                local.ty = new.ty(local.ty);
            }
        }
        for value in values {
            value.ty = new.value(value.ty);
        }
    }
    kernel.types = new.new;
}

struct Retype {
    old: Types,
    new: Types,
    map: HashMap<TypeId, TypeId>,
    names: TakenNames,
}

impl Retype {
    fn ty(&mut self, id: TypeId) -> TypeId {
        if let Some(&done) = self.map.get(&id) {
            return done;
        }
        let mut ty = self.old.get(id).clone();
        match &mut ty {
            Type::Scalar(_) | Type::Vector(..) => {}
            Type::Array { element, .. } => *element = self.ty(*element),
            Type::Struct(s) => {
                let mut taken = TakenNames::default();
                for field in &mut s.fields {
                    field.ty = self.ty(field.ty);
                    field.name = unlike(&names::clean(&field.name), &mut taken);
                }
                s.name = unlike(&names::clean(&s.name), &mut self.names);
            }
        }
        let done = self.new.add(ty);
        if let Some(pos) = self.old.place(id) {
            self.new.declared_at(done, pos);
        }
        self.map.insert(id, done);
        done
    }

    fn view(&mut self, view: ViewType) -> ViewType {
        ViewType { element: self.ty(view.element), ..view }
    }

    fn value(&mut self, ty: ValueType) -> ValueType {
        match ty {
            ValueType::View(view) => ValueType::View(self.view(view)),
            ValueType::Data(_) | ValueType::Invalid => ty,
        }
    }
}

fn unlike(wanted: &str, taken: &mut TakenNames) -> Name {
    let name = taken.unused(wanted);
    taken.take(&name);
    name
}

/// Numbers values, locals and labels of a function in walk order, drops unused ones, and resolves
/// clashes of names.
fn renumber(function: &mut Function, names: &mut ScopedNames) {
    let mut walk = Renumber {
        old_values: std::mem::take(&mut function.values),
        old_locals: std::mem::take(&mut function.locals),
        old_labels: std::mem::take(&mut function.labels),
        values: Vec::new(),
        locals: Vec::new(),
        labels: Vec::new(),
        value_map: HashMap::new(),
        local_map: HashMap::new(),
        label_map: HashMap::new(),
        open_labels: Vec::new(),
        label_names: TakenNames::default(),
        insts: 0,
        names,
    };
    walk.block(&mut function.body);
    function.values = walk.values;
    function.locals = walk.locals;
    function.labels = walk.labels;
    function.inst_count = walk.insts;
}

struct Renumber<'a> {
    old_values: Vec<Value>,
    old_locals: Vec<Local>,
    old_labels: Vec<Label>,
    values: Vec<Value>,
    locals: Vec<Local>,
    labels: Vec<Label>,
    value_map: HashMap<ValueId, ValueId>,
    local_map: HashMap<LocalId, LocalId>,
    label_map: HashMap<LabelId, LabelId>,
    /// The names of the enclosing labels, the innermost last; and the same as a set.
    open_labels: Vec<Option<Name>>,
    label_names: TakenNames,
    /// Number of instructions that have their id.
    insts: u32,
    names: &'a mut ScopedNames,
}

impl Renumber<'_> {
    fn block(&mut self, block: &mut Block) {
        self.names.enter();
        self.insts(block);
        self.names.leave();
    }

    fn insts(&mut self, block: &mut Block) {
        for inst in &mut block.insts {
            inst.id = InstId(self.insts);
            self.insts += 1;
            if let InstKind::Declare { local, init } = &mut inst.kind {
                // The text form mentions the name first, but the value is defined before it.
                if let Init::Value(value) = init {
                    *value = self.used(*value);
                }
                *local = self.local(*local, true);
                continue;
            }
            inst.kind.places_mut(&mut |place| {
                if let Root::Local(local) = &mut place.root {
                    *local = self.local(*local, false);
                }
            });
            inst.kind.operands_mut(&mut |value| *value = self.used(*value));
            let opens = inst.kind.opened_label().is_some();
            if let Some(label) = inst.kind.label_mut() {
                *label = self.label(*label, opens);
            }
            // Blocks are siblings: the names of a loop's condition are not visible in its body, nor
            // the body's in the continuing block.
            inst.kind.blocks_mut(&mut |block| self.block(block));
            if opens && let Some(Some(name)) = self.open_labels.pop() {
                self.label_names.free(&name);
            }
            if let Some(result) = &mut inst.result {
                *result = self.defined(*result);
            }
            if let Some(second) = inst.kind.second_result_mut() {
                *second = self.defined(*second);
            }
        }
        if let Some(value) = &mut block.value {
            *value = self.used(*value);
        }
    }

    fn used(&mut self, id: ValueId) -> ValueId {
        if let Some(&done) = self.value_map.get(&id) {
            return done;
        }
        let mut value = self.old_values[id.index()].clone();
        if value.def != ValueDef::Inst {
            value.name = None;
        }
        self.values.push(value);
        let done = ValueId(self.values.len() as u32 - 1);
        self.value_map.insert(id, done);
        done
    }

    fn defined(&mut self, id: ValueId) -> ValueId {
        let done = self.used(id);
        if let Some(name) = self.values[done.index()].name.take() {
            self.values[done.index()].name = Some(self.names.fresh(&name));
        }
        done
    }

    fn local(&mut self, id: LocalId, declares: bool) -> LocalId {
        if let Some(&done) = self.local_map.get(&id) {
            return done;
        }
        let mut local = self.old_locals[id.index()].clone();
        if declares {
            local.name = self.names.fresh(&local.name);
        }
        self.locals.push(local);
        let done = LocalId(self.locals.len() as u32 - 1);
        self.local_map.insert(id, done);
        done
    }

    fn label(&mut self, id: LabelId, opens: bool) -> LabelId {
        if let Some(&done) = self.label_map.get(&id) {
            return done;
        }
        let mut label = self.old_labels[id.index()].clone();
        if let Some(name) = &label.name {
            label.name = Some(self.label_names.unused(&names::clean_label(name)));
        }
        if opens {
            label.name.iter().for_each(|name| self.label_names.take(name));
            self.open_labels.push(label.name.clone());
        }
        self.labels.push(label);
        let done = LabelId(self.labels.len() as u32 - 1);
        self.label_map.insert(id, done);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_too_long_for_a_text_are_cut() {
        let long = "n".repeat(300);
        let mut b = crate::build::Builder::new(&long, 1, None);
        let scalar = b.types().scalar(crate::types::Stored::I32);
        for name in [format!("{long}_a"), format!("{long}_b")] {
            b.param(&name, ParamKind::Uniform(scalar), crate::pos::Pos::NONE);
        }
        b.begin_entry();
        b.end();
        let kernel = b.finish();
        let again = crate::text::parse("long.kir", &crate::text::print(&kernel));
        assert_eq!(again.unwrap_or_else(|failure| panic!("{failure}")), kernel);
    }

    #[test]
    fn a_name_that_occurs_very_often_is_numbered_quickly() {
        let start = std::time::Instant::now();
        let mut names = ScopedNames::default();
        names.enter();
        assert_eq!(&*names.fresh("a"), "a");
        names.enter();
        (2..5000).for_each(|n| assert_eq!(*names.fresh("a"), format!("a_{n}")));
        names.leave();
        assert_eq!(&*names.fresh("a"), "a_2", "the block's names are free again");
        assert!(start.elapsed().as_millis() < 1000, "{:?}", start.elapsed());
    }
}
