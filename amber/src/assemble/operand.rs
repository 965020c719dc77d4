//! Enumerants and masks of SPIR-V by their names.

use std::str::FromStr as _;

use rspirv::dr::Operand;
use rspirv::grammar::OperandKind;
use tilewise_header::Complaint;

use super::text::{AsmToken, TokenForm};

/// What an operand of a kind is, in messages.
pub(super) fn described(kind: OperandKind) -> &'static str {
    match kind {
        OperandKind::IdResult
        | OperandKind::IdResultType
        | OperandKind::IdRef
        | OperandKind::IdScope
        | OperandKind::IdMemorySemantics
        | OperandKind::PairIdRefLiteralInteger
        | OperandKind::PairIdRefIdRef => "an id",
        OperandKind::LiteralInteger
        | OperandKind::LiteralFloat
        | OperandKind::LiteralContextDependentNumber
        | OperandKind::PairLiteralIntegerIdRef => "a number",
        OperandKind::LiteralString => "a text in quotes",
        OperandKind::LiteralExtInstInteger => "an instruction of the set",
        OperandKind::LiteralSpecConstantOpInteger => "an opcode",
        _ => "an enumerant",
    }
}

/// Does a constant of `bitflags`, as in `DONT_UNROLL`, have this name of SPIR-V, as in `DontUnroll`?
fn is_named(constant: &str, name: &str) -> bool {
    let letters = constant.chars().filter(|&c| c != '_').map(|c| c.to_ascii_lowercase());
    name.starts_with(|c: char| c.is_ascii_uppercase()) && letters.eq(name.chars().map(|c| c.to_ascii_lowercase()))
}

/// The enumerants and masks of each kind.
macro_rules! enumerants {
    ($kind:expr, $word:expr; values $($value:ident)*; masks $($mask:ident)*) => {
        match $kind {
            $(OperandKind::$value => spirv::$value::from_str($word).ok().map(Operand::$value),)*
            $(OperandKind::$mask => {
                let mut all = Some(spirv::$mask::empty());
                // Nothing is `None`, and among memory semantics `Relaxed`.
                for part in $word.split('|').filter(|part| !matches!(*part, "None" | "Relaxed")) {
                    let found = spirv::$mask::all().iter_names().find(|(name, _)| is_named(name, part));
                    all = all.and_then(|all| Some(all | found?.1));
                }
                all.map(Operand::$mask)
            })*
            // The others are ids, literals, and enumerants of the sets of instructions for debuggers.
            _ => None,
        }
    };
}

/// The enumerant or mask that a token is.
pub(super) fn enumerant(kind: OperandKind, token: &AsmToken) -> Result<Operand, Complaint> {
    let word = if token.form == TokenForm::Word { token.text.as_str() } else { "" };
    // Names in Rust do not begin with digits, so those of dimensions have a prefix.
    let dimension = format!("Dim{word}");
    let word = if kind == OperandKind::Dim { dimension.as_str() } else { word };
    let found = enumerants!(kind, word;
        values SourceLanguage ExecutionModel AddressingModel MemoryModel ExecutionMode StorageClass Dim
            SamplerAddressingMode SamplerFilterMode ImageFormat ImageChannelOrder ImageChannelDataType FPRoundingMode
            FPDenormMode QuantizationModes FPOperationMode OverflowModes LinkageType AccessQualifier
            HostAccessQualifier FunctionParameterAttribute Decoration BuiltIn Scope GroupOperation KernelEnqueueFlags
            Capability RayQueryIntersection RayQueryCommittedIntersectionType RayQueryCandidateIntersectionType
            PackedVectorFormat CooperativeMatrixLayout CooperativeMatrixUse TensorClampMode
            InitializationModeQualifier LoadCacheControl StoreCacheControl NamedMaximumNumberOfRegisters FPEncoding
            CooperativeVectorMatrixLayout ComponentType;
        masks ImageOperands FPFastMathMode SelectionControl LoopControl FunctionControl MemorySemantics MemoryAccess
            KernelProfilingInfo RayFlags FragmentShadingRate RawAccessChainOperands CooperativeMatrixOperands
            CooperativeMatrixReduce TensorAddressingOperands MatrixMultiplyAccumulateOperands TensorOperands
    );
    found.ok_or_else(|| {
        let message = format!("`{}` is not known here: {} is expected", token.text, kind_name(kind));
        Complaint::new(token.at, message, "look at the spelling in the specification of SPIR-V; names have capitals")
    })
}

/// `StorageClass` as `a storage class`.
fn kind_name(kind: OperandKind) -> String {
    let name = format!("{kind:?}");
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && out.ends_with(|before: char| before.is_ascii_lowercase()) {
            out.push(' ');
        }
        out.push(c.to_ascii_lowercase());
    }
    let article = if out.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {out}")
}
