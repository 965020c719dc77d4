//! Calls of functions that a GPU's texture units can compute: samples and gathers of a texture.
//!
//! They are known by the names that the front end gives them, `graphics::sample` and its like, and by
//! what they are given. The texture has to be a parameter of the kernel, and the modes of the sampler
//! have to be known when the kernel is launched: constants, or captured. Any other call is a function
//! like others, and computed by its body.
//!
//! | parameter | type |
//! |---|---|
//! | texels | `view<T, 1>`: all levels, one behind the other |
//! | shape | where the levels lie |
//! | filter | `i32`: 0 the nearest texel, 1 linear |
//! | address | `i32`: 0 repeated, 1 mirrored, 2 held at the edge, 3 the border's colour |
//! | border | `f32x4` |
//! | place | `f32`, `f32x2`, `f32x3`: x first, from 0 to 1 |
//! | level | `f32`, of `sample_lod` |

use std::collections::HashMap;

use crate::kernel::{
    CallArgument, FnParamKind, Function, FunctionId, InstKind, Kernel, ParamId, ParamKind, Place, Root, Step, ValueDef,
    ValueId,
};
use crate::launch::Argument;
use crate::types::{Data, Scalar, Type, ValueType};

/// What a call computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextureOperation {
    /// The most detailed level at a place.
    Sample,
    /// A place at a level of detail.
    SampleLevel,
    /// One channel of the four texels around a place.
    Gather(u8),
}

impl TextureOperation {
    /// The operation of a function of this name: `graphics::sample`, or `graphics::sample_2` where a
    /// kernel has several.
    fn named(name: &str) -> Option<TextureOperation> {
        let name = name.strip_prefix("graphics::")?;
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
        Some(match name.strip_suffix('_').unwrap_or(name) {
            "sample" => TextureOperation::Sample,
            "sample_lod" => TextureOperation::SampleLevel,
            "gather_red" => TextureOperation::Gather(0),
            "gather_green" => TextureOperation::Gather(1),
            "gather_blue" => TextureOperation::Gather(2),
            "gather_alpha" => TextureOperation::Gather(3),
            _ => return None,
        })
    }
}

/// A number of a sampler, where it is known at a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SamplerNumber {
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

impl SamplerNumber {
    /// Its value in a launch.
    pub fn value(self, arguments: &[Argument]) -> Option<u32> {
        match self {
            SamplerNumber::Constant(value) => Some(value),
            SamplerNumber::Captured { param, offset } => {
                let Argument::Uniform(bytes) = arguments.get(param.index())? else { return None };
                let bytes = bytes.get(usize::try_from(offset).ok()?..)?.first_chunk()?;
                Some(u32::from_le_bytes(*bytes))
            }
        }
    }
}

/// A call that a texture unit can compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextureCall {
    /// The function, which nothing else calls.
    pub function: FunctionId,
    /// What it computes.
    pub operation: TextureOperation,
    /// The parameter of the kernel that is the view of the texels.
    pub param: ParamId,
    /// The dimensions of the texture.
    pub rank: u8,
    /// The number of floats that it gives: the channels of the texture, four for a gather.
    pub floats: u8,
    /// The filter mode.
    pub filter: SamplerNumber,
    /// The address mode.
    pub address: SamplerNumber,
}

/// The calls in the body of a kernel that texture units can compute.
pub fn texture_calls(kernel: &Kernel) -> Vec<TextureCall> {
    let named = |function: &Function| TextureOperation::named(function.name()).is_some();
    if !kernel.functions().iter().any(named) {
        return Vec::new();
    }
    let mut captured: HashMap<ValueId, Place> = HashMap::new();
    let mut calls: Vec<(FunctionId, Vec<CallArgument>)> = Vec::new();
    kernel.entry().body().walk(&mut |inst| {
        if let (InstKind::Load(place @ Place { root: Root::Param(_), .. }), Some(result)) = (&inst.kind, inst.result) {
            captured.insert(result, place.clone());
        }
        if let InstKind::Call { function, args } = &inst.kind {
            calls.push((*function, args.clone()));
        }
    });
    let mut counts: HashMap<FunctionId, u32> = HashMap::new();
    for function in kernel.functions().iter().chain([kernel.entry()]) {
        function.body().walk(&mut |inst| {
            if let InstKind::Call { function, .. } = inst.kind {
                *counts.entry(function).or_insert(0) += 1;
            }
        });
    }
    calls.retain(|(function, _)| counts.get(function) == Some(&1));
    calls.iter().filter_map(|(function, args)| texture_call(kernel, &captured, *function, args)).collect()
}

fn texture_call(
    kernel: &Kernel,
    captured: &HashMap<ValueId, Place>,
    id: FunctionId,
    args: &[CallArgument],
) -> Option<TextureCall> {
    let function = kernel.functions().get(id.index())?;
    let operation = TextureOperation::named(function.name())?;
    let mut types = function.params().iter().map(|param| match param.kind {
        FnParamKind::Value(ty) => Some(ty),
        FnParamKind::Ref { .. } => None,
    });
    let (texels, shape) = (types.next()??, types.next()?);
    let sampler: [ValueType; 3] = [types.next()??, types.next()??, types.next()??];
    let float = |width| ValueType::Data(Data { scalar: Scalar::F32, width });
    let rank = match types.next()?? {
        ValueType::Data(Data { scalar: Scalar::F32, width: rank @ 1..=3 }) => rank,
        ValueType::Data(_) | ValueType::View(_) | ValueType::Invalid => return None,
    };
    let level = types.next().flatten();
    let wanted_level = (operation == TextureOperation::SampleLevel).then(|| float(1));
    let is_gather = matches!(operation, TextureOperation::Gather(_));
    let [
        CallArgument::Value(view),
        CallArgument::Place(_),
        CallArgument::Value(filter),
        CallArgument::Value(address),
        ..,
    ] = args
    else {
        return None;
    };
    let (ValueType::View(texels), ValueType::Data(result)) = (texels, function.result()?) else { return None };
    let fits = shape.is_none()
        && texels.rank == 1
        && sampler == [ValueType::Data(Data::I32), ValueType::Data(Data::I32), float(4)]
        && level == wanted_level
        && types.next().is_none()
        && result.scalar == Scalar::F32
        && (!is_gather || rank == 2 && result.width == 4);
    let param = kernel.param_of(*view).filter(|_| fits)?;
    let number = |value: ValueId| sampler_number(kernel, captured, value);
    let (filter, address) = (number(*filter)?, number(*address)?);
    Some(TextureCall { function: id, operation, param, rank, floats: result.width, filter, address })
}

fn sampler_number(kernel: &Kernel, captured: &HashMap<ValueId, Place>, value: ValueId) -> Option<SamplerNumber> {
    match kernel.entry().value(value).def {
        ValueDef::Const(constant) => Some(SamplerNumber::Constant(constant.bits as u32)),
        ValueDef::Param(_) => Some(SamplerNumber::Captured { param: kernel.param_of(value)?, offset: 0 }),
        ValueDef::Inst => {
            let Place { root: Root::Param(param), path } = captured.get(&value)? else { return None };
            let ParamKind::Uniform(mut ty) = kernel.params().get(param.index())?.kind else { return None };
            let mut offset = 0;
            for step in path {
                let (Step::Field(number), Type::Struct(of)) = (step, kernel.types().get(ty)) else { return None };
                let field = of.fields.get(*number as usize)?;
                (offset, ty) = (offset + u64::from(field.offset), field.ty);
            }
            (kernel.types().size(ty) == 4).then_some(SamplerNumber::Captured { param: *param, offset })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    const SHAPE: &str = "struct Sampler { filter: i32, address: i32, border: f32x4 }
struct Shape { levels: i32 }
fn graphics::sample(texels: view<u32, 1, read>, shape: &Shape, filter: i32, address: i32, border: f32x4, at: f32x2) -> f32x4 {
    return border;
}
";

    fn calls(body: &str) -> Vec<TextureCall> {
        let text = format!(
            "{SHAPE}kernel k(t: view<u32, 1, read>, s: Shape, by: Sampler, out: view<f32x4, 1, read_write>) rank(1) {{ {body} }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        texture_calls(&kernel)
    }

    const AT: &str = "let at = f32x2(0.5, 0.5); let none = f32x4(0.0, 0.0, 0.0, 0.0);";

    #[test]
    fn a_call_of_captured_things_is_found() {
        let found = calls(&format!("{AT} out[0] = graphics::sample(t, &s, by.filter, by.address, none, at);"));
        let [call] = found[..] else { panic!("{found:?}") };
        assert_eq!((call.operation, call.rank, call.floats), (TextureOperation::Sample, 2, 4));
        assert_eq!(call.param.index(), 0);
        let param = ParamId(2);
        assert_eq!(call.filter, SamplerNumber::Captured { param, offset: 0 });
        assert_eq!(call.address, SamplerNumber::Captured { param, offset: 4 });
        let mut bytes = vec![0; 32];
        (bytes[0], bytes[4]) = (1, 3);
        let none = Argument::Uniform(Vec::new());
        let arguments = [none.clone(), none, Argument::Uniform(bytes)];
        assert_eq!((call.filter.value(&arguments), call.address.value(&arguments)), (Some(1), Some(3)));
        assert_eq!(call.address.value(&arguments[..2]), None);
    }

    #[test]
    fn constants_are_known() {
        let found = calls(&format!("{AT} out[0] = graphics::sample(t, &s, 1, 2, none, at);"));
        assert_eq!(found.iter().map(|call| call.address).collect::<Vec<_>>(), [SamplerNumber::Constant(2)]);
    }

    #[test]
    fn other_calls_are_functions_like_others() {
        for body in [
            "out[0] = graphics::sample(section(t, [1], [2]), &s, 1, 2, none, at);",
            "out[0] = graphics::sample(t, &s, global[0], 2, none, at);",
            "out[0] = graphics::sample(t, &s, 1, 2, none, at) + graphics::sample(t, &s, 0, 2, none, at);",
        ] {
            let found = calls(&format!("{AT} {body}"));
            assert!(found.is_empty(), "{body}: {found:?}");
        }
    }
}
