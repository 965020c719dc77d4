//! Calls of functions that a GPU's texture units can compute: samples, gathers and reads of a texture.
//!
//! They are known by the names that the front end gives them, `graphics::sample` and its like, and by
//! what they are given. The texture has to be a parameter of the kernel, and the modes of a sampler
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
//!
//! A read, `get` or `get_level`, has no sampler: after the shape come the indices, the most significant
//! first, and the level, `i32` or `u32` each.

use std::collections::HashMap;

use super::captured::{CapturedLoads, CapturedNumber};
use crate::kernel::{CallArgument, FnParamKind, Function, FunctionId, InstId, InstKind, Kernel, ParamId};
use crate::types::{Data, Scalar, ValueType};

/// What a call computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextureOperation {
    /// The most detailed level at a place.
    Sample,
    /// A place at a level of detail.
    SampleLevel,
    /// One channel of the four texels around a place.
    Gather(u8),
    /// A texel of the most detailed level.
    Load,
    /// A texel of a level.
    LoadLevel,
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
            "get" => TextureOperation::Load,
            "get_level" => TextureOperation::LoadLevel,
            "gather_red" => TextureOperation::Gather(0),
            "gather_green" => TextureOperation::Gather(1),
            "gather_blue" => TextureOperation::Gather(2),
            "gather_alpha" => TextureOperation::Gather(3),
            _ => return None,
        })
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
    /// The modes of the sampler, if it has one.
    pub sampler: Option<SamplerModes>,
    /// Whether it is in a loop.
    pub repeated: bool,
}

/// The modes of a sampler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SamplerModes {
    /// How texels are chosen.
    pub filter: CapturedNumber,
    /// What coordinates outside mean.
    pub address: CapturedNumber,
}

/// The calls in the body of a kernel that texture units can compute.
pub fn texture_calls(kernel: &Kernel) -> Vec<TextureCall> {
    let named = |function: &Function| TextureOperation::named(function.name()).is_some();
    if !kernel.functions().iter().any(named) {
        return Vec::new();
    }
    let captured = CapturedLoads::of(kernel);
    let mut calls: Vec<(InstId, FunctionId, Vec<CallArgument>)> = Vec::new();
    // Ids are in text order, so a loop holds those up to its last.
    let mut loops: Vec<(InstId, InstId)> = Vec::new();
    kernel.entry().body().walk(&mut |inst| {
        if let InstKind::Call { function, args } = &inst.kind {
            calls.push((inst.id, *function, args.clone()));
        }
        if let InstKind::Loop { .. } = &inst.kind {
            loops.push((inst.id, inst.last_inside()));
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
    calls.retain(|(_, function, _)| counts.get(function) == Some(&1));
    let found = calls.iter().filter_map(|(id, function, args)| {
        let repeated = loops.iter().any(|(first, last)| first < id && id <= last);
        Some(TextureCall { repeated, ..texture_call(kernel, &captured, *function, args)? })
    });
    found.collect()
}

fn texture_call(
    kernel: &Kernel,
    captured: &CapturedLoads,
    id: FunctionId,
    args: &[CallArgument],
) -> Option<TextureCall> {
    let function = kernel.functions().get(id.index())?;
    let operation = TextureOperation::named(function.name())?;
    let mut types = function.params().iter().map(|param| match param.kind {
        FnParamKind::Value(ty) => Some(ty),
        FnParamKind::Ref { .. } => None,
    });
    let (ValueType::View(texels), None) = (types.next()??, types.next()?) else { return None };
    let rest: Vec<Data> = types.map(|ty| ty?.data()).collect::<Option<_>>()?;
    let ValueType::Data(result @ Data { scalar: Scalar::F32, width: floats }) = function.result()? else { return None };
    let [CallArgument::Value(view), CallArgument::Place(_), given @ ..] = args else { return None };
    let param = kernel.param_of(*view).filter(|_| texels.rank == 1)?;
    let number = |at: usize| match given.get(at) {
        Some(CallArgument::Value(value)) => captured.number(kernel, *value),
        Some(CallArgument::Place(_)) | None => None,
    };
    let modes = || Some(SamplerModes { filter: number(0)?, address: number(1)? });
    let float = |width| Data { scalar: Scalar::F32, width };
    let is_integer = |data: &Data| [Data::I32, Data::U32].contains(data);
    let (rank, sampler) = match (operation, &rest[..]) {
        (TextureOperation::Load, indices) if indices.iter().all(is_integer) => (indices.len(), None),
        (TextureOperation::LoadLevel, [indices @ .., level]) if rest.iter().all(is_integer) && *level == Data::I32 => {
            (indices.len(), None)
        }
        (TextureOperation::Load | TextureOperation::LoadLevel, _) => return None,
        (_, [Data::I32, Data::I32, border, at, level @ ..]) => {
            let wanted: &[Data] = if operation == TextureOperation::SampleLevel { &[float(1)] } else { &[] };
            let is_gather = matches!(operation, TextureOperation::Gather(_));
            let fits = *border == float(4)
                && at.scalar == Scalar::F32
                && level == wanted
                && (!is_gather || at.width == 2 && result == float(4));
            (usize::from(at.width), Some(modes().filter(|_| fits)?))
        }
        (_, _) => return None,
    };
    let rank = u8::try_from(rank).ok().filter(|rank| (1..=3).contains(rank))?;
    Some(TextureCall { function: id, operation, param, rank, floats, sampler, repeated: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::Argument;
    use crate::text::parse;

    const SHAPE: &str = "struct Sampler { filter: i32, address: i32, border: f32x4 }
struct Shape { levels: i32 }
fn graphics::sample(texels: view<u32, 1, read>, shape: &Shape, filter: i32, address: i32, border: f32x4, at: f32x2) -> f32x4 {
    return border;
}
fn graphics::get(texels: view<u32, 1, read>, shape: &Shape, y: i32, x: u32) -> f32x4 {
    return f32x4(0.0, 0.0, 0.0, 0.0);
}
fn graphics::get_level(texels: view<u32, 1, read>, shape: &Shape, x: i32, level: i32) -> f32x4 {
    return f32x4(0.0, 0.0, 0.0, 0.0);
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
        let modes = call.sampler.expect("it has a sampler");
        assert_eq!(modes.filter, CapturedNumber::Captured { param, offset: 0 });
        assert_eq!(modes.address, CapturedNumber::Captured { param, offset: 4 });
        let mut bytes = vec![0; 32];
        (bytes[0], bytes[4]) = (1, 3);
        let none = Argument::Uniform(Vec::new());
        let arguments = [none.clone(), none, Argument::Uniform(bytes)];
        assert_eq!((modes.filter.value(&arguments), modes.address.value(&arguments)), (Some(1), Some(3)));
        assert_eq!(modes.address.value(&arguments[..2]), None);
    }

    #[test]
    fn constants_are_known() {
        let found = calls(&format!("{AT} out[0] = graphics::sample(t, &s, 1, 2, none, at);"));
        let addresses: Vec<_> = found.iter().map(|call| call.sampler.map(|modes| modes.address)).collect();
        assert_eq!(addresses, [Some(CapturedNumber::Constant(2))]);
    }

    #[test]
    fn reads_have_indices_and_may_be_in_loops() {
        let found = calls(
            "out[0] = graphics::get(t, &s, 1, 2u32); var i: i32 = 0; while i < 3 { out[i] = graphics::get_level(t, &s, i, 1); i = i + 1; }",
        );
        let what: Vec<_> = found.iter().map(|call| (call.operation, call.rank, call.repeated)).collect();
        assert_eq!(what, [(TextureOperation::Load, 2, false), (TextureOperation::LoadLevel, 1, true)]);
        assert!(found.iter().all(|call| call.sampler.is_none() && call.floats == 4));
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
