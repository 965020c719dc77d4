//! Translates library functions to Rust: generates the text of a module that computes on the host
//! the same bits as a library in kernels.
//!
//! `tilewise/src/kernel/math/fast.rs` is the checked-in result of [`source`]; a test of that crate
//! keeps it up to date. The translator supports only what the libraries use: scalars and vectors of
//! 32 bits, `let`, `if`, variables with an initial value, calls within the library. Anything else
//! is an [`Untranslated`].

mod operation;

use std::fmt::{self, Write};

use crate::build::Builder;
use crate::kernel::{
    Block, CallArgument, Const, FnParamKind, Function, FunctionId, Init, Inst, InstKind, Kernel, LocalId, Place, Root,
    ValueDef, ValueId,
};
use crate::ops::Op;
use crate::text::library;
use crate::types::{Scalar, ValueType};

/// A construct without a translation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Untranslated {
    /// The function that contains it.
    pub function: String,
    /// The construct.
    pub what: String,
}

impl fmt::Display for Untranslated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` has {}, which is not translated to Rust", self.function, self.what)
    }
}

impl std::error::Error for Untranslated {}

/// The functions of a library as Rust: those that kernels may call are `pub(super)`.
pub fn source(library: &str) -> Result<String, Untranslated> {
    let mut b = Builder::new("all", 1, None);
    for path in library::functions().filter(|path| path.split_once("::").is_some_and(|(name, _)| name == library)) {
        if library::link(&mut b, path).is_none() {
            return Err(Untranslated { function: path.to_owned(), what: "an error".to_owned() });
        }
    }
    let kernel = b.finish();
    let mut out = SELECT.to_owned();
    for function in kernel.functions() {
        out += "\n";
        out += &FunctionWriter::new(&kernel, function, library).function()?;
    }
    Ok(out)
}

/// The one row without an equivalent in Rust.
const SELECT: &str = "/// `yes` where the condition is true, else `no`; both have been computed.
#[inline(always)]
fn select<T>(condition: bool, yes: T, no: T) -> T {
    if condition { yes } else { no }
}
";

/// Precedence of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Comparison,
    /// Bit operations and shifts: in parentheses next to all other operators.
    Bits,
    Sum,
    Product,
    Sign,
    /// A name, a call, an expression in parentheses.
    Whole,
}

/// Rust text of a value.
#[derive(Clone)]
struct RustText {
    text: String,
    tightness: Tightness,
}

impl RustText {
    fn whole(text: impl Into<String>) -> RustText {
        RustText { text: text.into(), tightness: Tightness::Whole }
    }

    /// In parentheses, unless its precedence is at least `tightness`.
    fn at_least(&self, tightness: Tightness) -> String {
        if self.tightness < tightness { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// Writes one function.
struct FunctionWriter<'a> {
    kernel: &'a Kernel,
    function: &'a Function,
    library: &'a str,
    /// Number of uses of each value.
    uses: Vec<u32>,
    /// The text of each computed value.
    texts: Vec<Option<RustText>>,
    out: String,
    depth: usize,
}

impl<'a> FunctionWriter<'a> {
    fn new(kernel: &'a Kernel, function: &'a Function, library: &'a str) -> FunctionWriter<'a> {
        let mut uses = vec![0; function.values().len()];
        count(function.body(), &mut uses);
        FunctionWriter {
            kernel,
            function,
            library,
            uses,
            texts: vec![None; function.values().len()],
            out: String::new(),
            depth: 1,
        }
    }

    fn cannot<T>(&self, what: impl Into<String>) -> Result<T, Untranslated> {
        Err(Untranslated { function: self.function.name().to_owned(), what: what.into() })
    }

    /// The Rust name of a function of the library.
    fn name(&self, function: &'a Function) -> &'a str {
        function.name().strip_prefix(self.library).and_then(|rest| rest.strip_prefix("::")).unwrap_or(function.name())
    }

    fn function(mut self) -> Result<String, Untranslated> {
        let name = self.name(self.function);
        let offered = library::functions().any(|path| path == self.function.name());
        let mut params = Vec::new();
        for param in self.function.params() {
            let FnParamKind::Value(ty) = param.kind else { return self.cannot("a parameter by reference") };
            params.push(format!("{}: {}", param.name, self.ty(ty)?));
        }
        let Some(result) = self.function.result() else { return self.cannot("no result") };
        let result = self.ty(result)?;
        self.block(self.function.body())?;
        let visible = if offered { "pub(super) " } else { "" };
        let params = params.join(", ");
        Ok(format!("#[inline]\n{visible}fn {name}({params}) -> {result} {{\n{}}}\n", self.out))
    }

    fn ty(&self, ty: ValueType) -> Result<String, Untranslated> {
        let ValueType::Data(data) = ty else { return self.cannot("a view") };
        let scalar = data.scalar.name();
        if data.scalar.bits() > 32 {
            return self.cannot(format!("the type {scalar}"));
        }
        Ok(if data.width == 1 { scalar.to_owned() } else { format!("[{scalar}; {}]", data.width) })
    }

    fn line(&mut self, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{:width$}{text}", "", width = 4 * self.depth);
    }

    fn block(&mut self, block: &Block) -> Result<(), Untranslated> {
        block.insts.iter().enumerate().try_for_each(|(i, inst)| self.inst(inst, &block.insts[i + 1..]))
    }

    /// One instruction; `rest` has the instructions after it in its block.
    fn inst(&mut self, inst: &Inst, rest: &[Inst]) -> Result<(), Untranslated> {
        let text = match &inst.kind {
            InstKind::Declare { local, init: Init::Value(value) } => return self.declare(*local, *value),
            InstKind::Store { place, value } => {
                let (name, value) = (self.local(place)?, self.value(*value)?.text);
                self.line(&format!("{name} = {value};"));
                return Ok(());
            }
            InstKind::If { condition, then, otherwise } if inst.result.is_none() && otherwise.insts.is_empty() => {
                return self.if_(*condition, then);
            }
            InstKind::Return(Some(value)) if self.depth == 1 => {
                let value = self.value(*value)?.text;
                self.line(&value);
                return Ok(());
            }
            InstKind::Op { op, args } => self.scalar_operation(*op, args)?,
            InstKind::Compose(parts) => RustText::whole(format!("[{}]", joined(self.list(parts)?))),
            InstKind::Swizzle { value, components } if components.len() == 1 => {
                let vector = self.value(*value)?.at_least(Tightness::Whole);
                RustText::whole(format!("{vector}[{}]", components[0]))
            }
            InstKind::Load(place) => RustText::whole(self.local(place)?),
            InstKind::Call { function, args } if inst.result.is_some() => self.call(*function, args)?,
            InstKind::Splat { .. }
            | InstKind::Swizzle { .. }
            | InstKind::ComponentAt { .. }
            | InstKind::Builtin(_)
            | InstKind::ViewExtent { .. }
            | InstKind::Section { .. }
            | InstKind::Project { .. }
            | InstKind::Reinterpret { .. }
            | InstKind::ViewAs { .. }
            | InstKind::Length(_)
            | InstKind::Copy { .. }
            | InstKind::Atomic { .. }
            | InstKind::CompareExchange { .. }
            | InstKind::Declare { init: Init::Unset | Init::Zero, .. }
            | InstKind::Barrier(_)
            | InstKind::Fence(_)
            | InstKind::Print(_)
            | InstKind::Error(_)
            | InstKind::Abort
            | InstKind::Call { .. }
            | InstKind::If { .. }
            | InstKind::Loop { .. }
            | InstKind::Switch { .. }
            | InstKind::Scope { .. }
            | InstKind::Break { .. }
            | InstKind::Continue { .. }
            | InstKind::Return(_) => return self.cannot("an instruction of another kind"),
        };
        let Some(result) = inst.result else { return self.cannot("an instruction of another kind") };
        // The variable may change before the use of the value.
        let changes = |inst: &Inst| matches!(inst.kind, InstKind::Store { .. } | InstKind::If { .. });
        self.define(result, text, matches!(inst.kind, InstKind::Load(_)) && rest.iter().any(changes))
    }

    fn declare(&mut self, local: LocalId, value: ValueId) -> Result<(), Untranslated> {
        let name = self.function.locals()[local.index()].name.clone();
        let ty = self.ty(self.function.value(value).ty)?;
        let value = self.value(value)?.text;
        self.line(&format!("let mut {name}: {ty} = {value};"));
        Ok(())
    }

    fn if_(&mut self, condition: ValueId, then: &Block) -> Result<(), Untranslated> {
        let condition = self.value(condition)?.text;
        self.line(&format!("if {condition} {{"));
        self.depth += 1;
        self.block(then)?;
        self.depth -= 1;
        self.line("}");
        Ok(())
    }

    /// Sets the text of a value: a `let` binding, unless the library gives it no name and it has
    /// only one use.
    fn define(&mut self, value: ValueId, text: RustText, at_once: bool) -> Result<(), Untranslated> {
        let named = self.function.value(value);
        let uses = self.uses[value.index()];
        let keep = match &named.name {
            Some(name) => name.to_string(),
            None if uses == 1 && !at_once => {
                self.texts[value.index()] = Some(text);
                return Ok(());
            }
            None => format!("v{}", value.index()),
        };
        let ty = self.ty(named.ty)?;
        self.line(&format!("let {keep}: {ty} = {};", text.text));
        self.texts[value.index()] = Some(RustText::whole(keep));
        Ok(())
    }

    /// The variable that the place is, as a whole.
    fn local(&self, place: &Place) -> Result<String, Untranslated> {
        match place.root {
            Root::Local(local) if place.path.is_empty() => Ok(self.function.locals()[local.index()].name.to_string()),
            _ => self.cannot("a place that is no variable"),
        }
    }

    fn value(&self, id: ValueId) -> Result<RustText, Untranslated> {
        match self.function.value(id).def {
            ValueDef::Const(constant) => self.constant(constant),
            ValueDef::Param(i) => Ok(RustText::whole(&*self.function.params()[i as usize].name)),
            ValueDef::Inst => match &self.texts[id.index()] {
                Some(text) => Ok(text.clone()),
                None => self.cannot("a value that is used before it is computed"),
            },
        }
    }

    fn constant(&self, constant: Const) -> Result<RustText, Untranslated> {
        let text = match (constant.scalar, constant.integer()) {
            (Scalar::Bool, _) => (constant.bits != 0).to_string(),
            (Scalar::F32, _) => match f32::from_bits(constant.bits as u32) {
                x if x.is_nan() => "f32::NAN".to_owned(),
                f32::INFINITY => "f32::INFINITY".to_owned(),
                f32::NEG_INFINITY => "f32::NEG_INFINITY".to_owned(),
                // The shortest text that parses to the same number.
                x => format!("{x:?}"),
            },
            (scalar, Some(value)) if scalar.bits() == 32 && value.abs() < 1024 => format!("{value}_{scalar}"),
            (scalar, Some(value)) if scalar.bits() == 32 && value >= 0 => format!("{value:#x}_{scalar}"),
            (scalar, _) => return self.cannot(format!("a constant of type {scalar}")),
        };
        let tightness = if text.starts_with('-') { Tightness::Sign } else { Tightness::Whole };
        Ok(RustText { text, tightness })
    }

    fn list(&self, values: &[ValueId]) -> Result<Vec<RustText>, Untranslated> {
        values.iter().map(|&value| self.value(value)).collect()
    }

    fn scalar_operation(&self, op: Op, args: &[ValueId]) -> Result<RustText, Untranslated> {
        let first = args.first().and_then(|&arg| self.function.value(arg).ty.data());
        let Some(data) = first.filter(|data| data.width == 1) else {
            return self.cannot("an operation on vectors");
        };
        self.operation(op, data.scalar, &self.list(args)?)
    }

    fn call(&self, function: FunctionId, args: &[CallArgument]) -> Result<RustText, Untranslated> {
        let name = self.name(&self.kernel.functions()[function.index()]);
        let mut texts = Vec::new();
        for arg in args {
            let CallArgument::Value(value) = arg else { return self.cannot("an argument by reference") };
            texts.push(self.value(*value)?);
        }
        Ok(RustText::whole(format!("{name}({})", joined(texts))))
    }
}

fn joined(texts: Vec<RustText>) -> String {
    texts.into_iter().map(|text| text.text).collect::<Vec<_>>().join(", ")
}

/// Counts the uses of each value.
fn count(block: &Block, uses: &mut [u32]) {
    for inst in &block.insts {
        inst.kind.operands(&mut |value| uses[value.index()] += 1);
        inst.kind.blocks(&mut |block| count(block, uses));
    }
}

#[cfg(test)]
mod tests {
    use super::source;

    #[test]
    fn every_library_can_be_translated() {
        for (library, _) in crate::math::LIBRARIES {
            let text = source(library).unwrap_or_else(|reason| panic!("{reason}"));
            assert!(text.contains("pub(super) fn "), "{library} offers something");
        }
    }

    #[test]
    fn the_short_ones_read_as_they_do_in_the_library() {
        let text = source("fast_math").unwrap_or_else(|reason| panic!("{reason}"));
        let function = |name: &str| {
            let start = text.find(&format!("fn {name}(")).expect("the function is there");
            let length = text[start..].find("\n}\n").expect("it ends");
            text[start..start + length + 2].to_owned()
        };
        expect_test::expect![[r#"
            fn rsqrt(x: f32) -> f32 {
                1.0 / x.sqrt()
            }"#]]
        .assert_eq(&function("rsqrt"));
        expect_test::expect![[r#"
            fn exp(x: f32) -> f32 {
                let above: f32 = select(x < -104.0, -104.0, x);
                let clamped: f32 = select(89.0 < above, 89.0, above);
                let counter: f32 = clamped * 1.442695 + 12582912.0;
                let n: i32 = (counter.to_bits() as i32).wrapping_sub(0x4b400000_i32);
                two_to(n, exp_rest(clamped, n as f32))
            }"#]]
        .assert_eq(&function("exp"));
        expect_test::expect![[r#"
            fn reduce(a: f32) -> [f32; 3] {
                let counter: f32 = a * 0.63661975 + 12582912.0;
                let k: f32 = (counter.to_bits() as i32).wrapping_sub(0x4b400000_i32) as f32;
                let r1: f32 = a - k * 1.5708008;
                let k2: f32 = k * -4.4535846e-6;
                let r2: f32 = r1 - k2;
                let k3: f32 = k * -8.706138e-10;
                let r3: f32 = r2 - k3;
                let rest: f32 = r2 - r3 - k3 + (r1 - r2 - k2 - k * 6.223372e-14);
                let mut reduced: [f32; 3] = [r3, rest, counter];
                if a > 6400.0 {
                    let turns: [u32; 2] = large_turns(a);
                    let quarters: u32 = turns[0].wrapping_add(0x20000000_u32) >> 30_u32;
                    let angle: [f32; 2] = angle_of(turns[0].wrapping_sub(quarters << 30_u32), turns[1]);
                    reduced = [select(a < f32::INFINITY, angle[0], f32::NAN), angle[1], f32::from_bits(quarters | 0x4b400000_u32)];
                }
                reduced
            }"#]].assert_eq(&function("reduce"));
    }

    #[test]
    fn what_is_not_in_the_library_is_said() {
        let broken = source("test_math").unwrap_err();
        assert_eq!(broken.to_string(), "`test_math::broken` has an error, which is not translated to Rust");
    }
}
