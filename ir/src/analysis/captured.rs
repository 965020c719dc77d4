//! Numbers that are known when a kernel is launched: constants, and parts of captured values.

use std::collections::HashMap;

use crate::kernel::{InstKind, Kernel, ParamId, ParamKind, Place, Root, Step, ValueDef, ValueId};
use crate::launch::Argument;
use crate::types::Type;

/// A number of 32 bits that is known at a launch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CapturedNumber {
    /// Part of the kernel.
    Constant(u32),
    /// Four bytes of a captured value.
    Captured {
        /// The parameter.
        param: ParamId,
        /// The first byte.
        offset: u64,
    },
}

impl CapturedNumber {
    /// Its value in a launch.
    pub fn value(self, arguments: &[Argument]) -> Option<u32> {
        match self {
            CapturedNumber::Constant(value) => Some(value),
            CapturedNumber::Captured { param, offset } => {
                let Argument::Uniform(bytes) = arguments.get(param.index())? else { return None };
                let bytes = bytes.get(usize::try_from(offset).ok()?..)?.first_chunk()?;
                Some(u32::from_le_bytes(*bytes))
            }
        }
    }
}

/// The loads of captured values in the body of a kernel.
#[derive(Debug, Default)]
pub struct CapturedLoads {
    places: HashMap<ValueId, Place>,
}

impl CapturedLoads {
    /// Those of a kernel.
    pub fn of(kernel: &Kernel) -> CapturedLoads {
        let mut places = HashMap::new();
        kernel.entry().body().walk(&mut |inst| {
            if let (InstKind::Load(place @ Place { root: Root::Param(_), .. }), Some(result)) =
                (&inst.kind, inst.result)
            {
                places.insert(result, place.clone());
            }
        });
        CapturedLoads { places }
    }

    /// What a value of 32 bits is, if a launch knows it.
    pub fn number(&self, kernel: &Kernel, value: ValueId) -> Option<CapturedNumber> {
        match kernel.entry().value(value).def {
            ValueDef::Const(constant) => Some(CapturedNumber::Constant(constant.bits as u32)),
            ValueDef::Param(_) => Some(CapturedNumber::Captured { param: kernel.param_of(value)?, offset: 0 }),
            ValueDef::Inst => {
                let Place { root: Root::Param(param), path } = self.places.get(&value)? else { return None };
                let ParamKind::Uniform(ty) = kernel.params().get(param.index())?.kind else { return None };
                let offset = offset_of(kernel, ty, path)?;
                Some(CapturedNumber::Captured { param: *param, offset })
            }
        }
    }
}

/// The first byte of a part of 4 bytes, along a path without computed indices.
fn offset_of(kernel: &Kernel, mut ty: crate::types::TypeId, path: &[Step]) -> Option<u64> {
    let mut offset = 0;
    for step in path {
        let index = match *step {
            Step::Field(number) => u64::from(number),
            Step::Component(number) => u64::from(number),
            Step::Index(value) => match kernel.entry().value(value).def {
                ValueDef::Const(constant) => u64::from(constant.bits as u32),
                ValueDef::Param(_) | ValueDef::Inst => return None,
            },
        };
        match kernel.types().get(ty) {
            Type::Struct(of) => {
                let field = of.fields.get(usize::try_from(index).ok()?)?;
                (offset, ty) = (offset + u64::from(field.offset), field.ty);
            }
            Type::Array { element, length: Some(length), stride } if index < u64::from(*length) => {
                (offset, ty) = (offset + index * u64::from(*stride), *element);
            }
            // The last step.
            Type::Vector(stored, width) if index < u64::from(*width) && stored.size() == 4 => {
                return Some(offset + index * 4);
            }
            Type::Array { .. } | Type::Vector(..) | Type::Scalar(_) => return None,
        }
    }
    matches!(kernel.types().get(ty), Type::Scalar(stored) if stored.size() == 4).then_some(offset)
}
