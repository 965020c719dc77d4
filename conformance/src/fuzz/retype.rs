//! The types of a kernel that is rebuilt: maps old ids to new ones.

use std::collections::HashMap;

use tilewise_ir::kernel::{FnParam, FnParamKind, ParamKind};
use tilewise_ir::types::{Type, TypeId, ValueType, ViewType};

/// The new id of each old type.
#[derive(Default)]
pub(super) struct NewTypes {
    pub(super) map: HashMap<TypeId, TypeId>,
}

impl NewTypes {
    pub(super) fn ty(&self, old: TypeId) -> TypeId {
        self.map.get(&old).copied().unwrap_or(old)
    }

    pub(super) fn parts(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        match &mut ty {
            Type::Array { element, .. } => *element = self.ty(*element),
            Type::Struct(s) => s.fields.iter_mut().for_each(|field| field.ty = self.ty(field.ty)),
            Type::Scalar(_) | Type::Vector(..) => {}
        }
        ty
    }

    pub(super) fn view(&self, view: ViewType) -> ViewType {
        ViewType { element: self.ty(view.element), ..view }
    }

    pub(super) fn value(&self, ty: ValueType) -> ValueType {
        match ty {
            ValueType::View(view) => ValueType::View(self.view(view)),
            ValueType::Data(_) | ValueType::Invalid => ty,
        }
    }

    pub(super) fn param(&self, kind: ParamKind) -> ParamKind {
        match kind {
            ParamKind::View(view) => ParamKind::View(self.view(view)),
            ParamKind::Buffer { ty, access } => ParamKind::Buffer { ty: self.ty(ty), access },
            ParamKind::Uniform(ty) => ParamKind::Uniform(self.ty(ty)),
        }
    }

    pub(super) fn fn_param(&self, param: &FnParam) -> FnParam {
        let kind = match param.kind {
            FnParamKind::Value(ty) => FnParamKind::Value(self.value(ty)),
            FnParamKind::Ref { ty, access } => FnParamKind::Ref { ty: self.ty(ty), access },
        };
        FnParam { kind, ..param.clone() }
    }
}
