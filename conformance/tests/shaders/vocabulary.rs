//! One shader for each built-in function and operator of WGSL and each kind of number, on all widths
//! of vectors. The functions are matched exhaustively, so that none is forgotten.

use naga::MathFunction as Function;
use naga::back::spv;
use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::TestShader;

/// Kinds of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    F32,
    I32,
    U32,
}

use Kind::{F32, I32, U32};

impl Kind {
    fn name(self) -> &'static str {
        match self {
            F32 => "f32",
            I32 => "i32",
            U32 => "u32",
        }
    }

    /// Numbers that show mistakes: edges, signs, halves.
    fn numbers(self) -> &'static str {
        match self {
            F32 => "0.5 -0.5 1 -1 0.25 -2.25 3.5 2.5 -3.5 0.875 7 -9.5 0.99 2 -0.75 12.25 100 -0.125 0.0625 33",
            I32 => "0 1 -1 7 -128 65536 2147483647 -2147483648 12 -77 255 31 5 -6 1000 -1000 3 2 305419896 -2",
            U32 => "0 1 4294967295 7 128 65536 2147483647 2147483648 12 77 255 31 5 6 1000 4042322160 3 2 305419896 8",
        }
    }
}

/// What a function gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gives {
    /// As wide as its arguments.
    Wide,
    /// One number, of this kind.
    One(Kind),
    /// So many numbers of this kind, whatever the arguments' width.
    Many(Kind, u8),
}

use Gives::{Many, One, Wide};

/// A call of a function: `x`, `y` and `z` are its arguments, `s` the first component of `y`.
struct Call {
    kinds: &'static [Kind],
    widths: &'static [u8],
    text: &'static str,
    gives: Gives,
}

const ALL: &[u8] = &[1, 2, 3, 4];
const VECTORS: &[u8] = &[2, 3, 4];
const NUMBERS: &[Kind] = &[F32, I32, U32];
const INTEGERS: &[Kind] = &[I32, U32];

const fn wide(text: &'static str) -> Option<Call> {
    Some(Call { kinds: &[F32], widths: ALL, text, gives: Wide })
}

const fn of(kinds: &'static [Kind], text: &'static str) -> Option<Call> {
    Some(Call { kinds, widths: ALL, text, gives: Wide })
}

const fn exactly(width: &'static [u8], kinds: &'static [Kind], text: &'static str, gives: Gives) -> Option<Call> {
    Some(Call { kinds, widths: width, text, gives })
}

/// Every function of naga's.
const FUNCTIONS: &[Function] = &[
    Function::Abs,
    Function::Min,
    Function::Max,
    Function::Clamp,
    Function::Saturate,
    Function::Cos,
    Function::Cosh,
    Function::Sin,
    Function::Sinh,
    Function::Tan,
    Function::Tanh,
    Function::Acos,
    Function::Asin,
    Function::Atan,
    Function::Atan2,
    Function::Asinh,
    Function::Acosh,
    Function::Atanh,
    Function::Radians,
    Function::Degrees,
    Function::Ceil,
    Function::Floor,
    Function::Round,
    Function::Fract,
    Function::Trunc,
    Function::Modf,
    Function::Frexp,
    Function::Ldexp,
    Function::Exp,
    Function::Exp2,
    Function::Log,
    Function::Log2,
    Function::Pow,
    Function::Dot,
    Function::Dot4I8Packed,
    Function::Dot4U8Packed,
    Function::Outer,
    Function::Cross,
    Function::Distance,
    Function::Length,
    Function::Normalize,
    Function::FaceForward,
    Function::Reflect,
    Function::Refract,
    Function::Sign,
    Function::Fma,
    Function::Mix,
    Function::Step,
    Function::SmoothStep,
    Function::Sqrt,
    Function::InverseSqrt,
    Function::Inverse,
    Function::Transpose,
    Function::Determinant,
    Function::QuantizeToF16,
    Function::CountTrailingZeros,
    Function::CountLeadingZeros,
    Function::CountOneBits,
    Function::ReverseBits,
    Function::ExtractBits,
    Function::InsertBits,
    Function::FirstTrailingBit,
    Function::FirstLeadingBit,
    Function::Pack4x8snorm,
    Function::Pack4x8unorm,
    Function::Pack2x16snorm,
    Function::Pack2x16unorm,
    Function::Pack2x16float,
    Function::Pack4xI8,
    Function::Pack4xU8,
    Function::Pack4xI8Clamp,
    Function::Pack4xU8Clamp,
    Function::Unpack4x8snorm,
    Function::Unpack4x8unorm,
    Function::Unpack2x16snorm,
    Function::Unpack2x16unorm,
    Function::Unpack2x16float,
    Function::Unpack4xI8,
    Function::Unpack4xU8,
];

/// A function in WGSL; `None` if WGSL has none: the file tests of matrices have those.
fn call(function: Function) -> Option<Call> {
    match function {
        Function::Abs => of(NUMBERS, "abs(x)"),
        Function::Min => of(NUMBERS, "min(x, y)"),
        Function::Max => of(NUMBERS, "max(x, y)"),
        Function::Clamp => of(NUMBERS, "clamp(x, min(y, z), max(y, z))"),
        Function::Saturate => wide("saturate(x)"),
        Function::Cos => wide("cos(x)"),
        Function::Cosh => wide("cosh(x * 0.1)"),
        Function::Sin => wide("sin(x)"),
        Function::Sinh => wide("sinh(x * 0.1)"),
        Function::Tan => wide("tan(x * 0.1)"),
        Function::Tanh => wide("tanh(x)"),
        Function::Acos => wide("acos(x * 0.01)"),
        Function::Asin => wide("asin(x * 0.01)"),
        Function::Atan => wide("atan(x)"),
        Function::Atan2 => wide("atan2(x, y)"),
        Function::Asinh => wide("asinh(x)"),
        Function::Acosh => wide("acosh(abs(x) + 1.25)"),
        Function::Atanh => wide("atanh(x * 0.009)"),
        Function::Radians => wide("radians(x)"),
        Function::Degrees => wide("degrees(x)"),
        Function::Ceil => wide("ceil(x)"),
        Function::Floor => wide("floor(x)"),
        Function::Round => wide("round(x)"),
        Function::Fract => wide("fract(x)"),
        Function::Trunc => wide("trunc(x)"),
        Function::Modf => wide("modf(x).fract + 100.0 * modf(x).whole"),
        Function::Frexp => wide("frexp(x).fract"),
        Function::Ldexp => exactly(&[1], &[F32], "ldexp(x, i32(y)) + f32(frexp(x).exp)", Wide),
        Function::Exp => wide("exp(x * 0.1)"),
        Function::Exp2 => wide("exp2(x * 0.1)"),
        Function::Log => wide("log(abs(x) + 0.5)"),
        Function::Log2 => wide("log2(abs(x) + 0.5)"),
        Function::Pow => wide("pow(abs(x) + 0.5, y * 0.1)"),
        Function::Dot => exactly(VECTORS, &[F32], "dot(x, y)", One(F32)),
        Function::Dot4I8Packed => exactly(&[1], &[U32], "dot4I8Packed(x, y)", One(I32)),
        Function::Dot4U8Packed => exactly(&[1], &[U32], "dot4U8Packed(x, y)", Wide),
        Function::Cross => exactly(&[3], &[F32], "cross(x, y)", Wide),
        Function::Distance => exactly(ALL, &[F32], "distance(x, y)", One(F32)),
        Function::Length => exactly(ALL, &[F32], "length(x)", One(F32)),
        Function::Normalize => exactly(VECTORS, &[F32], "normalize(x)", Wide),
        Function::FaceForward => exactly(VECTORS, &[F32], "faceForward(x, y, z)", Wide),
        Function::Reflect => exactly(VECTORS, &[F32], "reflect(x, normalize(y))", Wide),
        Function::Refract => exactly(VECTORS, &[F32], "refract(normalize(x), normalize(y), 0.7)", Wide),
        Function::Sign => of(&[F32, I32], "sign(x)"),
        Function::Fma => wide("fma(x, y, z)"),
        Function::Mix => wide("mix(x, y, z)"),
        Function::Step => wide("step(x, y)"),
        Function::SmoothStep => wide("smoothstep(min(x, y) - 1.0, max(x, y), z)"),
        Function::Sqrt => wide("sqrt(abs(x))"),
        Function::InverseSqrt => wide("inverseSqrt(abs(x) + 0.5)"),
        Function::QuantizeToF16 => wide("quantizeToF16(x * 1.001)"),
        Function::CountTrailingZeros => of(INTEGERS, "countTrailingZeros(x)"),
        Function::CountLeadingZeros => of(INTEGERS, "countLeadingZeros(x)"),
        Function::CountOneBits => of(INTEGERS, "countOneBits(x)"),
        Function::ReverseBits => of(INTEGERS, "reverseBits(x)"),
        Function::ExtractBits => of(INTEGERS, "extractBits(x, u32(s) % 40u, u32(s) / 3u % 40u)"),
        Function::InsertBits => of(INTEGERS, "insertBits(x, z, u32(s) % 40u, u32(s) / 3u % 40u)"),
        Function::FirstTrailingBit => of(INTEGERS, "firstTrailingBit(x)"),
        Function::FirstLeadingBit => of(INTEGERS, "firstLeadingBit(x)"),
        Function::Pack4x8snorm => exactly(&[4], &[F32], "pack4x8snorm(x)", One(U32)),
        Function::Pack4x8unorm => exactly(&[4], &[F32], "pack4x8unorm(x)", One(U32)),
        Function::Pack2x16snorm => exactly(&[2], &[F32], "pack2x16snorm(x)", One(U32)),
        Function::Pack2x16unorm => exactly(&[2], &[F32], "pack2x16unorm(x)", One(U32)),
        Function::Pack2x16float => exactly(&[2], &[F32], "pack2x16float(x)", One(U32)),
        Function::Pack4xI8 => exactly(&[4], &[I32], "pack4xI8(x)", One(U32)),
        Function::Pack4xU8 => exactly(&[4], &[U32], "pack4xU8(x)", One(U32)),
        Function::Pack4xI8Clamp => exactly(&[4], &[I32], "pack4xI8Clamp(x)", One(U32)),
        Function::Pack4xU8Clamp => exactly(&[4], &[U32], "pack4xU8Clamp(x)", One(U32)),
        Function::Unpack4x8snorm => exactly(&[1], &[U32], "unpack4x8snorm(x)", Many(F32, 4)),
        Function::Unpack4x8unorm => exactly(&[1], &[U32], "unpack4x8unorm(x)", Many(F32, 4)),
        Function::Unpack2x16snorm => exactly(&[1], &[U32], "unpack2x16snorm(x)", Many(F32, 2)),
        Function::Unpack2x16unorm => exactly(&[1], &[U32], "unpack2x16unorm(x)", Many(F32, 2)),
        Function::Unpack2x16float => exactly(&[1], &[U32], "unpack2x16float(x)", Many(F32, 2)),
        Function::Unpack4xI8 => exactly(&[1], &[U32], "unpack4xI8(x)", Many(I32, 4)),
        Function::Unpack4xU8 => exactly(&[1], &[U32], "unpack4xU8(x)", Many(U32, 4)),
        Function::Outer | Function::Inverse | Function::Transpose | Function::Determinant => None,
    }
}

/// Operators and conversions.
fn operators() -> Vec<(&'static str, Call)> {
    let call = |kinds, text, gives| Call { kinds, widths: ALL, text, gives };
    vec![
        ("add", call(NUMBERS, "x + y", Wide)),
        ("subtract", call(NUMBERS, "x - y", Wide)),
        ("multiply", call(NUMBERS, "x * y", Wide)),
        ("divide", call(NUMBERS, "x / y", Wide)),
        ("modulo", call(INTEGERS, "x % y", Wide)),
        ("and", call(INTEGERS, "x & y", Wide)),
        ("or", call(INTEGERS, "x | y", Wide)),
        ("xor", call(INTEGERS, "x ^ y", Wide)),
        ("not", call(INTEGERS, "~x", Wide)),
        ("negate", call(&[F32, I32], "-x", Wide)),
        ("equal", call(NUMBERS, "select(y, z, x == y)", Wide)),
        ("not_equal", call(NUMBERS, "select(y, z, x != y)", Wide)),
        ("less", call(NUMBERS, "select(y, z, x < y)", Wide)),
        ("less_equal", call(NUMBERS, "select(y, z, x <= y)", Wide)),
        ("greater", call(NUMBERS, "select(y, z, x > y)", Wide)),
        ("greater_equal", call(NUMBERS, "select(y, z, !(x >= y))", Wide)),
        ("scaled", call(NUMBERS, "x * s + s", Wide)),
        ("shift_left", Call { kinds: INTEGERS, widths: &[1], text: "x << (u32(y) & 31u)", gives: Wide }),
        ("shift_right", Call { kinds: INTEGERS, widths: &[1], text: "x >> (u32(y) & 31u)", gives: Wide }),
        ("to_f32", Call { kinds: NUMBERS, widths: &[1], text: "f32(x)", gives: One(F32) }),
        ("to_i32", Call { kinds: NUMBERS, widths: &[1], text: "i32(x)", gives: One(I32) }),
        ("to_u32", Call { kinds: INTEGERS, widths: &[1], text: "u32(x)", gives: One(U32) }),
        ("bits", Call { kinds: NUMBERS, widths: &[1], text: "bitcast<u32>(x)", gives: One(U32) }),
        (
            "and_then",
            Call { kinds: NUMBERS, widths: &[1], text: "select(x, y, x > z && y > z || x == y)", gives: Wide },
        ),
    ]
}

/// A shader that computes a call on all its widths.
fn shader(name: &str, kind: Kind, call: &Call) -> TestShader {
    let (input, numbers) = (kind.name(), kind.numbers());
    let given = |width: u8| match call.gives {
        Wide => (kind, width),
        One(kind) => (kind, 1),
        Many(kind, count) => (kind, count),
    };
    let (out, _) = given(1);
    let mut body = String::new();
    for &width in call.widths {
        let (_, count) = given(width);
        let argument = |offset: usize| match width {
            1 => format!("a[(i + {offset}u) % 20u]"),
            _ => {
                let parts = (0..usize::from(width)).map(|c| format!("a[(i + {}u) % 20u]", offset + c * 3));
                format!("vec{width}<{input}>({})", parts.collect::<Vec<_>>().join(", "))
            }
        };
        body +=
            &format!("    {{\n        let x = {}; let y = {}; let z = {};\n", argument(0), argument(7), argument(11));
        body += &format!("        let s = {};\n        let r = {};\n", if width == 1 { "y" } else { "y.x" }, call.text);
        for part in 0..count {
            let at = u32::from(width - 1) * 4 + u32::from(part);
            let value = if count == 1 { "r".to_owned() } else { format!("r[{part}]") };
            body += &format!("        out[i * 16u + {at}u] = {value};\n");
        }
        body += "    }\n";
    }
    let text = format!(
        "// `{text}` of {input}.\n//! dispatch 1\n//! a: [20] = {numbers}\n//! out: [320] = zero\n\
         @group(0) @binding(0) var<storage, read> a: array<{input}>;\n\
         @group(0) @binding(1) var<storage, read_write> out: array<{out}>;\n\
         @compute @workgroup_size(20)\nfn main(@builtin(local_invocation_index) i: u32) {{\n{body}}}\n",
        text = call.text,
        out = out.name(),
    );
    TestShader { name: format!("{name}/{input}"), text }
}

pub(crate) fn shaders() -> Vec<TestShader> {
    let functions = FUNCTIONS.iter().filter_map(|&function| Some((format!("{function:?}"), call(function)?)));
    let operators = operators().into_iter().map(|(name, call)| (name.to_owned(), call));
    let calls = functions.chain(operators);
    calls
        .flat_map(|(name, call)| call.kinds.iter().map(move |&kind| shader(&name, kind, &call)).collect::<Vec<_>>())
        .collect()
}

/// A shader as naga writes it in SPIR-V, if it does.
pub(crate) fn as_spirv(text: &str) -> Option<Vec<u32>> {
    let mut module = naga::front::wgsl::parse_str(text).ok()?;
    if module.overrides.iter().next().is_some() {
        return None;
    }
    module.entry_points.retain(|entry| entry.stage == naga::ShaderStage::Compute);
    let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).ok()?;
    let options = spv::Options { flags: spv::WriterFlags::DEBUG, ..spv::Options::default() };
    let write = || spv::write_vec(&module, &info, &options, None).ok();
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(write)).ok().flatten()
}

/// The test.
pub(crate) fn each_function_is_listed_once() {
    let mut seen = std::collections::BTreeSet::new();
    for function in FUNCTIONS {
        assert!(seen.insert(format!("{function:?}")), "{function:?} stands twice");
    }
    // The last of the enumeration is the one with the greatest number.
    let last = Function::Unpack4xU8 as usize;
    assert_eq!(FUNCTIONS.len(), last + 1, "a function of naga is missing in the list");
}
