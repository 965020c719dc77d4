//! The declarations of a kernel: which there are, and which are in use.

use std::collections::HashSet;

use tilewise_ir::kernel::{FnParamKind, Function, InstKind, Kernel, ParamKind, Root, ValueDef};
use tilewise_ir::types::{Type, TypeId};

use super::replay::DeclarationKind;

/// A declaration: its kind, and its number among those of the kind.
pub(super) type DeclarationNumber = (DeclarationKind, usize);

/// The declarations that nothing uses.
pub(super) fn unused(kernel: &Kernel) -> Vec<DeclarationNumber> {
    let mut used = used_objects(kernel);
    used.extend(used_types(kernel).into_iter().map(|id| (DeclarationKind::Type, id.index())));
    let mut declared = all(kernel);
    declared.retain(|one| !used.contains(one));
    declared
}

/// All declarations.
fn all(kernel: &Kernel) -> Vec<DeclarationNumber> {
    let mut declared: Vec<_> = kernel.types().iter().map(|(id, _)| (DeclarationKind::Type, id.index())).collect();
    declared.extend((0..kernel.params().len()).map(|i| (DeclarationKind::Param, i)));
    declared.extend((0..kernel.tile_vars().len()).map(|i| (DeclarationKind::TileVar, i)));
    declared.extend((0..kernel.tables().len()).map(|i| (DeclarationKind::Table, i)));
    for (f, function) in kernel.functions().iter().enumerate() {
        declared.push((DeclarationKind::Function, f));
        declared.extend((0..function.params().len()).map(|i| (DeclarationKind::FnParam(f), i)));
    }
    declared
}

/// The functions of the kernel, the entry last, each with its number if it is not the entry.
fn bodies(kernel: &Kernel) -> impl Iterator<Item = (Option<usize>, &Function)> {
    kernel.functions().iter().enumerate().map(|(i, function)| (Some(i), function)).chain([(None, kernel.entry())])
}

/// The declarations other than types that instructions or values use.
fn used_objects(kernel: &Kernel) -> HashSet<DeclarationNumber> {
    let mut used = HashSet::new();
    for (number, function) in bodies(kernel) {
        let param = |i: usize| match number {
            Some(function) => (DeclarationKind::FnParam(function), i),
            None => (DeclarationKind::Param, i),
        };
        for value in function.values() {
            if let ValueDef::Param(i) = value.def {
                used.insert(param(i as usize));
            }
        }
        function.body().walk(&mut |inst| {
            if let InstKind::Call { function, .. } = &inst.kind {
                used.insert((DeclarationKind::Function, function.index()));
            }
            inst.kind.places(&mut |place| {
                used.extend(match place.root {
                    Root::Param(id) if number.is_none() => Some((DeclarationKind::Param, id.index())),
                    Root::Tile(id) => Some((DeclarationKind::TileVar, id.index())),
                    Root::Table(id) => Some((DeclarationKind::Table, id.index())),
                    Root::Ref(i) => Some(param(i as usize)),
                    _ => None,
                });
            });
        });
    }
    used
}

/// The types that declarations use, and their parts.
fn used_types(kernel: &Kernel) -> HashSet<TypeId> {
    let mut used: HashSet<TypeId> = kernel
        .params()
        .iter()
        .map(|param| match param.kind {
            ParamKind::View(view) => view.element,
            ParamKind::Buffer { ty, .. } | ParamKind::Uniform(ty) => ty,
        })
        .collect();
    used.extend(kernel.tile_vars().iter().map(|var| var.ty));
    used.extend(kernel.tables().iter().map(|table| table.ty));
    for (_, function) in bodies(kernel) {
        used.extend(function.locals().iter().map(|local| local.ty));
        used.extend(function.values().iter().filter_map(|value| value.ty.view()).map(|view| view.element));
        used.extend(function.params().iter().filter_map(|param| match param.kind {
            FnParamKind::Ref { ty, .. } => Some(ty),
            FnParamKind::Value(ty) => ty.view().map(|view| view.element),
        }));
    }
    // A part stands before its whole.
    let types: Vec<(TypeId, &Type)> = kernel.types().iter().collect();
    for (id, ty) in types.iter().rev() {
        if used.contains(id) {
            match ty {
                Type::Array { element, .. } => used.extend([*element]),
                Type::Struct(s) => used.extend(s.fields.iter().map(|field| field.ty)),
                Type::Scalar(_) | Type::Vector(..) => {}
            }
        }
    }
    used
}
