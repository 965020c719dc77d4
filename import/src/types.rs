//! naga's types as memory types, and the types of expressions.

use std::collections::BTreeSet;

use naga::proc::{IndexableLength, TypeResolution};
use naga::{ArraySize, Expression, Handle, ScalarKind, Type as ShaderType, TypeInner, VectorSize};
use tilewise_ir::names::is_reserved;
use tilewise_ir::types::{Field, Name, Scalar, Stored, Struct, Type, TypeId};

use crate::ShaderImporter;
use crate::call::FunctionFrame;
use crate::feature::ShaderFeature;

/// The number of components.
pub(crate) fn width(size: VectorSize) -> u8 {
    size as u8
}

/// The memory format of a scalar.
pub(crate) fn stored(scalar: naga::Scalar) -> Option<Stored> {
    Some(match (scalar.kind, scalar.width) {
        (ScalarKind::Bool, _) => Stored::Bool,
        // Of SPIR-V; naga has no values of them.
        (ScalarKind::Sint, 1) => Stored::I8,
        (ScalarKind::Uint, 1) => Stored::U8,
        (ScalarKind::Sint, 2) => Stored::I16,
        (ScalarKind::Uint, 2) => Stored::U16,
        (ScalarKind::Float, 2) => Stored::F16,
        (ScalarKind::Sint, 4) => Stored::I32,
        (ScalarKind::Uint, 4) => Stored::U32,
        (ScalarKind::Float, 4) => Stored::F32,
        (ScalarKind::Sint, 8) => Stored::I64,
        (ScalarKind::Uint, 8) => Stored::U64,
        (ScalarKind::Float, 8) => Stored::F64,
        _ => return None,
    })
}

/// The type of a scalar's values.
pub(crate) fn value_scalar(scalar: naga::Scalar) -> Option<Scalar> {
    stored(scalar).map(Stored::value)
}

impl<'m> ShaderImporter<'m> {
    /// The memory type of a type of the module.
    pub(crate) fn memory_type(&mut self, handle: Handle<ShaderType>) -> TypeId {
        if let Some(&id) = self.types.get(&handle) {
            return id;
        }
        let module = self.module;
        let ty = &module.types[handle];
        let id = match &ty.inner {
            TypeInner::Struct { members, span } => {
                let name = ty.name.as_deref().filter(|name| !name.is_empty()).unwrap_or("Struct");
                let described = self.struct_type(handle, name, members, *span);
                self.builder.types().add(Type::Struct(described))
            }
            inner => self.inner_type(inner),
        };
        self.types.insert(handle, id);
        id
    }

    fn struct_type(
        &mut self,
        handle: Handle<ShaderType>,
        name: &str,
        members: &[naga::StructMember],
        span: u32,
    ) -> Struct {
        let mut fields = Vec::new();
        let mut names: BTreeSet<String> = BTreeSet::new();
        for (i, member) in members.iter().enumerate() {
            let ty = self.memory_type(member.ty);
            let own = member.name.clone().filter(|name| !name.is_empty());
            let mut field = own.unwrap_or_else(|| format!("member_{i}"));
            if is_reserved(&field) || names.contains(&field) {
                field = format!("{field}_{i}");
            }
            names.insert(field.clone());
            fields.push(Field { name: field.as_str().into(), ty, offset: member.offset });
        }
        // The size of a struct that ends in a runtime-sized array is what stands before it.
        let types = self.builder.types();
        let is_open = fields.last().is_some_and(|field| types.is_runtime_sized(field.ty));
        let size = if is_open { members.last().map_or(0, |member| member.offset) } else { span };
        let align = self.layouter[handle].alignment * 1;
        // Two types of a shader may have one name.
        let name: Name = format!("{name}_{}", handle.index()).as_str().into();
        Struct { name, fields, size, align }
    }

    /// The memory type of what a type consists of.
    pub(crate) fn inner_type(&mut self, inner: &TypeInner) -> TypeId {
        match *inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => {
                let stored = self.stored_scalar(scalar);
                self.builder.types().scalar(stored)
            }
            TypeInner::Vector { size, scalar } => {
                let stored = self.stored_scalar(scalar);
                self.builder.types().vector(stored, width(size))
            }
            TypeInner::Matrix { columns, rows, scalar } => {
                let stored = self.stored_scalar(scalar);
                let rows = width(rows);
                let element = self.builder.types().vector(stored, rows);
                // A column of three has the place of four.
                let stride = u32::from(if rows == 3 { 4 } else { rows }) * stored.size();
                let length = Some(u32::from(width(columns)));
                self.builder.types().add(Type::Array { element, length, stride })
            }
            TypeInner::Array { base, size, stride } => {
                let element = self.memory_type(base);
                let length = self.array_length(size);
                self.builder.types().add(Type::Array { element, length, stride })
            }
            TypeInner::Image { .. } => self.refused_type(ShaderFeature::Textures),
            TypeInner::Sampler { .. } => self.refused_type(ShaderFeature::Samplers),
            TypeInner::BindingArray { .. } => self.refused_type(ShaderFeature::BindingArrays),
            TypeInner::AccelerationStructure { .. } | TypeInner::RayQuery { .. } => {
                self.refused_type(ShaderFeature::RayQueries)
            }
            TypeInner::CooperativeMatrix { .. } => self.refused_type(ShaderFeature::CooperativeMatrices),
            TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. } => {
                self.refused_type(ShaderFeature::PointerValue)
            }
            // Only named types are structs.
            TypeInner::Struct { .. } => self.refused_type(ShaderFeature::LargeAggregate),
        }
    }

    fn refused_type(&mut self, feature: ShaderFeature) -> TypeId {
        self.refuse(feature);
        self.builder.types().scalar(Stored::U32)
    }

    fn stored_scalar(&mut self, scalar: naga::Scalar) -> Stored {
        stored(scalar).unwrap_or_else(|| {
            self.refuse(ShaderFeature::ScalarType);
            Stored::U32
        })
    }

    /// The number of elements; `None` for a runtime-sized array.
    fn array_length(&mut self, size: ArraySize) -> Option<u32> {
        match size.resolve(self.module.to_ctx()) {
            Ok(IndexableLength::Known(length)) => Some(length),
            Ok(IndexableLength::Dynamic) => None,
            Err(_) => {
                self.refuse(ShaderFeature::ConstantExpression);
                Some(1)
            }
        }
    }

    /// The type of an expression.
    pub(crate) fn type_of(&self, frame: &FunctionFrame<'m>, of: Handle<Expression>) -> &'m TypeInner {
        frame.info[of].ty.inner_with(&self.module.types)
    }

    /// The memory type of an expression that is no pointer.
    pub(crate) fn expression_type(&mut self, frame: &FunctionFrame<'m>, of: Handle<Expression>) -> TypeId {
        let info = frame.info;
        match &info[of].ty {
            TypeResolution::Handle(handle) => self.memory_type(*handle),
            TypeResolution::Value(inner) => self.inner_type(inner),
        }
    }

    /// What a pointer points to.
    pub(crate) fn pointee(&self, inner: &TypeInner) -> TypeInner {
        match *inner {
            TypeInner::Pointer { base, .. } => self.module.types[base].inner.clone(),
            TypeInner::ValuePointer { size: Some(size), scalar, .. } => TypeInner::Vector { size, scalar },
            TypeInner::ValuePointer { size: None, scalar, .. } => TypeInner::Scalar(scalar),
            ref other => other.clone(),
        }
    }

    /// The memory type of what a pointer points to.
    pub(crate) fn pointee_type(&mut self, inner: &TypeInner) -> TypeId {
        match *inner {
            TypeInner::Pointer { base, .. } => self.memory_type(base),
            ref other => {
                let pointee = self.pointee(other);
                self.inner_type(&pointee)
            }
        }
    }
}

/// Is it a pointer?
pub(crate) fn is_pointer(inner: &TypeInner) -> bool {
    matches!(inner, TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. })
}
