//! Samplers: a uniform struct of settings, the same for all samplers. Filters are 0 for the nearest
//! texel or level and 1 for a linear blend; address modes 0 for the nearest texel, 1 for repetition, 2
//! for mirrored repetition; a comparison is its number in WebGPU, from 0 for `never` to 7 for `always`.

use naga::{Expression, Handle};
use tilewise_ir::kernel::{InstKind, ParamId, Place, Root, Step, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Field, Stored, Struct, Type, TypeId};

use crate::ShaderImporter;
use crate::call::FunctionFrame;
use crate::value::ShaderValue;

/// A member of a sampler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SamplerField {
    MagnifyFilter,
    MinifyFilter,
    LevelFilter,
    /// The address mode along a dimension: 0 for x.
    Address(u32),
    Comparison,
    LeastLevel,
    MostLevel,
}

/// Names and types of the members, in order.
const FIELDS: [(&str, Stored); 9] = [
    ("magnify", Stored::U32),
    ("minify", Stored::U32),
    ("levels", Stored::U32),
    ("address_x", Stored::U32),
    ("address_y", Stored::U32),
    ("address_z", Stored::U32),
    ("comparison", Stored::U32),
    ("least_level", Stored::F32),
    ("most_level", Stored::F32),
];

impl SamplerField {
    fn number(self) -> u32 {
        match self {
            SamplerField::MagnifyFilter => 0,
            SamplerField::MinifyFilter => 1,
            SamplerField::LevelFilter => 2,
            SamplerField::Address(dimension) => 3 + dimension,
            SamplerField::Comparison => 6,
            SamplerField::LeastLevel => 7,
            SamplerField::MostLevel => 8,
        }
    }
}

impl<'m> ShaderImporter<'m> {
    /// The type of samplers.
    pub(super) fn sampler_type(&mut self) -> TypeId {
        let types = self.builder.types();
        let fields = FIELDS.iter().zip(0..).map(|(&(name, stored), i)| Field {
            name: name.into(),
            ty: types.scalar(stored),
            offset: 4 * i,
        });
        let fields: Vec<Field> = fields.collect();
        let size = 4 * fields.len() as u32;
        types.add(Type::Struct(Struct { name: "Sampler".into(), fields, size, align: 4 }))
    }

    /// The sampler that an expression names.
    pub(super) fn sampler(&mut self, frame: &mut FunctionFrame<'m>, of: Handle<Expression>) -> Option<ParamId> {
        match self.value(frame, of) {
            ShaderValue::Sampler(param) => Some(param),
            other => self.no_resource(&other),
        }
    }

    /// A setting of a sampler.
    pub(super) fn setting(&mut self, sampler: ParamId, field: SamplerField) -> ValueId {
        let path = vec![Step::Field(field.number())];
        self.inst(InstKind::Load(Place { root: Root::Param(sampler), path }))
    }

    /// Is a filter linear?
    pub(super) fn is_linear(&mut self, filter: ValueId) -> ValueId {
        let linear = self.u32(1);
        self.op(Op::Eq, &[filter, linear])
    }
}
