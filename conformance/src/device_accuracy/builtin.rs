//! What is known of a built-in function or operator of WGSL: how a shader computes it, its exact results, and
//! the accuracies that WGSL and Vulkan promise.

use std::borrow::Cow;

use super::range::{AllowedRange, FloatWidth};

/// The most results of a built-in.
pub(super) const MOST_RESULTS: usize = 4;

/// Arguments, as the bits of their words.
pub(super) type Words<'a> = &'a [u32];

/// The exact results. Those of floats are near enough to tell their neighbours.
pub(super) type ExactResults = [f64; MOST_RESULTS];

/// The results that are allowed.
pub(super) type AllowedResults = [AllowedRange; MOST_RESULTS];

/// What the words of arguments and results are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordKind {
    /// A float, of the format of the built-in.
    Float,
    /// `i32`.
    Int,
    /// `u32`.
    Uint,
}

/// An accuracy that a specification promises.
#[derive(Clone, Copy, Debug)]
pub struct AccuracyPromise {
    /// The rule, as its table has it.
    pub rule: &'static str,
    /// The results that are allowed; nothing if none is promised for any argument.
    pub allowed: Option<fn(Words<'_>) -> AllowedResults>,
}

/// A built-in function or an operator.
#[derive(Clone, Copy, Debug)]
pub struct DeviceBuiltin {
    /// An expression in `x`, `y`, `z`, ..: `sin(x)`. It names the built-in among those of its format.
    pub name: &'static str,
    /// The statements that compute `r0` and so on, if the expression alone is not `r0`.
    pub body: Option<&'static str>,
    /// The format of its floats.
    pub width: FloatWidth,
    /// What the arguments are: one for each of `x`, `y`, `z`, ..
    pub arguments: &'static [WordKind],
    /// What the results are.
    pub results: &'static [WordKind],
    /// Where floats are usually taken from.
    pub usual: (f64, f64),
    /// The exact results.
    pub exact: fn(Words<'_>) -> ExactResults,
    /// What WGSL promises.
    pub wgsl: AccuracyPromise,
    /// What Vulkan promises.
    pub vulkan: AccuracyPromise,
}

/// The names of arguments.
const NAMES: [&str; 9] = ["x", "y", "z", "a", "b", "c", "d", "e", "f"];

impl DeviceBuiltin {
    /// The name among all: `sin(x)`, or of `f16` `f16 sin(x)`.
    pub fn label(&self) -> Cow<'static, str> {
        match self.width {
            FloatWidth::Single => Cow::Borrowed(self.name),
            FloatWidth::Half => Cow::Owned(format!("f16 {}", self.name)),
        }
    }

    /// The name without its arguments: that of the function, or the operator.
    pub fn short(&self) -> &'static str {
        self.name.split('(').next().unwrap_or(self.name)
    }

    /// The compute shader that computes it: words of arguments in columns in `given`, words of results in
    /// columns in `got`.
    pub fn shader(&self) -> String {
        let mut text = String::from(match self.width {
            FloatWidth::Single => "",
            FloatWidth::Half => "enable f16;\n",
        });
        text += "@group(0) @binding(0) var<storage, read> given: array<u32>;
@group(0) @binding(1) var<storage, read_write> got: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
";
        text += &format!("    let n = arrayLength(&given) / {}u;\n    if i >= n {{ return; }}\n", self.arguments.len());
        for (at, (kind, name)) in self.arguments.iter().zip(NAMES).enumerate() {
            let word = format!("given[{at}u * n + i]");
            text += &match (kind, self.width) {
                (WordKind::Float, FloatWidth::Single) => format!("    let {name} = bitcast<f32>({word});\n"),
                // Both conversions are exact.
                (WordKind::Float, FloatWidth::Half) => format!("    let {name} = f16(unpack2x16float({word}).x);\n"),
                (WordKind::Int, _) => format!("    let {name} = bitcast<i32>({word});\n"),
                (WordKind::Uint, _) => format!("    let {name} = {word};\n"),
            };
        }
        match self.body {
            Some(body) => text += &format!("    {body}\n"),
            None => text += &format!("    let r0 = {};\n", self.name),
        }
        for (at, kind) in self.results.iter().enumerate() {
            text += &match (kind, self.width) {
                (WordKind::Uint, _) => format!("    got[{at}u * n + i] = r{at};\n"),
                (WordKind::Float, FloatWidth::Half) => {
                    format!("    got[{at}u * n + i] = pack2x16float(vec2f(f32(r{at}), 0.0));\n")
                }
                (WordKind::Float | WordKind::Int, _) => format!("    got[{at}u * n + i] = bitcast<u32>(r{at});\n"),
            };
        }
        text + "}\n"
    }
}
