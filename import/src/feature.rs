//! Features of shaders that kernels lack, and their reports.

use std::collections::BTreeSet;

use tilewise_ir::diag::{Code, Diagnostic};
use tilewise_ir::pos::Pos;

/// A feature of shaders that has no form in kernels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ShaderFeature {
    Textures,
    Samplers,
    RayQueries,
    CooperativeMatrices,
    BindingArrays,
    SharedBinding,
    Discard,
    Derivatives,
    ScalarType,
    BuiltinValue,
    EntryArgument,
    VariableSpace,
    PointerValue,
    LargeAggregate,
    CallDepth,
    InlinedSize,
    ConstantExpression,
    FloatAtomic,
}

impl ShaderFeature {
    /// Its name in a report.
    fn name(self) -> &'static str {
        match self {
            ShaderFeature::Textures => "this use of a texture is not supported",
            ShaderFeature::Samplers => "this use of a sampler is not supported",
            ShaderFeature::RayQueries => "ray queries are not supported",
            ShaderFeature::CooperativeMatrices => "cooperative matrices are not supported",
            ShaderFeature::BindingArrays => "arrays of bindings are not supported",
            ShaderFeature::SharedBinding => "two variables of different kinds have one binding",
            ShaderFeature::Discard => "`discard` is not supported in compute shaders",
            ShaderFeature::Derivatives => "derivatives are not supported in compute shaders",
            ShaderFeature::ScalarType => "this type of numbers is not supported",
            ShaderFeature::BuiltinValue => "this built-in value is not supported",
            ShaderFeature::EntryArgument => "an argument of an entry point is a built-in value",
            ShaderFeature::VariableSpace => "variables of this address space are not supported",
            ShaderFeature::PointerValue => "pointers cannot be stored or returned",
            ShaderFeature::LargeAggregate => "this operation is not supported on large aggregates",
            ShaderFeature::CallDepth => "calls nest at most 64 deep",
            ShaderFeature::InlinedSize => "the shader is too large when its calls are inlined",
            ShaderFeature::ConstantExpression => "this constant expression is not supported",
            ShaderFeature::FloatAtomic => "this atomic operation is not supported on floats",
        }
    }

    fn help(self) -> Option<&'static str> {
        match self {
            ShaderFeature::FloatAtomic => Some("`atomicAdd`, `atomicSub` and `atomicExchange` work"),
            ShaderFeature::BindingArrays => Some("a `texture_2d_array` has layers; declare other variables one by one"),
            ShaderFeature::SharedBinding => {
                Some("storage buffers of any types may share a binding, and variables of one type of texture")
            }
            ShaderFeature::Textures
            | ShaderFeature::Samplers
            | ShaderFeature::RayQueries
            | ShaderFeature::CooperativeMatrices
            | ShaderFeature::Discard
            | ShaderFeature::Derivatives
            | ShaderFeature::ScalarType
            | ShaderFeature::BuiltinValue
            | ShaderFeature::EntryArgument
            | ShaderFeature::VariableSpace
            | ShaderFeature::PointerValue
            | ShaderFeature::LargeAggregate
            | ShaderFeature::CallDepth
            | ShaderFeature::InlinedSize
            | ShaderFeature::ConstantExpression => None,
        }
    }
}

impl ShaderFeature {
    /// The report on a use of it.
    pub(crate) fn report(self, pos: Pos) -> Diagnostic {
        let report = Diagnostic::new(Code::K0902, self.name()).at(pos, "used here");
        match self.help() {
            Some(help) => report.help(help),
            None => report,
        }
    }
}

/// The refusals of one import: one for each feature and line.
#[derive(Default)]
pub(crate) struct Refusals {
    seen: BTreeSet<(ShaderFeature, u32)>,
    reports: Vec<Diagnostic>,
}

/// The greatest number of refusals that are reported.
const MAX_REPORTS: usize = 50;

impl Refusals {
    pub(crate) fn add(&mut self, feature: ShaderFeature, pos: Pos) {
        if self.reports.len() == MAX_REPORTS || !self.seen.insert((feature, pos.line)) {
            return;
        }
        self.reports.push(feature.report(pos));
    }

    /// The reports, in the order of their lines.
    pub(crate) fn into_reports(mut self) -> Vec<Diagnostic> {
        self.reports.sort_by_key(|report| report.pos().map_or(0, |pos| pos.line));
        self.reports
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.reports.is_empty()
    }
}
