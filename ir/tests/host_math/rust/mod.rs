//! Translates library functions to Rust: generates the text of modules that compute on the host
//! the same bits as a library in kernels.
//!
//! `tilewise/src/kernel/math/host` has the checked-in results of [`modules`], one module for each
//! text of a library. The translator supports only what
//! the libraries use: scalars and vectors, `let`, `if`, scopes, variables with an initial value,
//! calls within the library. Anything else is an [`Untranslated`].

mod control;
mod operation;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use tilewise_ir::build::Builder;
use tilewise_ir::kernel::{
    Block, CallArgument, Const, FnParamKind, Function, FunctionId, Init, Inst, InstKind, Kernel, LocalId, Place, Root,
    Step, ValueDef, ValueId,
};
use tilewise_ir::math::{LibraryText, MathLibrary};
use tilewise_ir::ops::Op;
use tilewise_ir::text::library;
use tilewise_ir::types::{Scalar, ValueType};

/// A construct without a translation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Untranslated {
    /// The function that contains it.
    pub(crate) function: String,
    /// The construct.
    pub(crate) what: String,
}

impl fmt::Display for Untranslated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` has {}, which is not translated to Rust", self.function, self.what)
    }
}

impl std::error::Error for Untranslated {}

/// A text of a library as a module of Rust.
#[derive(Clone, Debug)]
pub(crate) struct RustModule {
    /// Its name, that of the text.
    pub(crate) name: String,
    /// Its items: functions that kernels may call are `pub(crate)`. It imports `select` from its
    /// parent, functions of the other modules from these, and what rows without an equivalent in
    /// std need from `tilewise`.
    pub(crate) source: String,
}

/// The functions of a library as Rust, a module for each text, in the order of the texts.
pub(crate) fn modules(library: &MathLibrary) -> Result<Vec<RustModule>, Untranslated> {
    let kernel = linked(library.name)?;
    let mut written: BTreeMap<&str, Vec<Written>> = BTreeMap::new();
    for function in kernel.functions() {
        let writer = FunctionWriter::new(&kernel, function, library.name);
        written.entry(module_of(&kernel, function)).or_default().push(writer.function()?);
    }
    // Helpers that other modules call.
    let shared: BTreeSet<(String, String)> =
        written.values().flatten().flat_map(|function| function.imports.iter().cloned()).collect();
    let module = |text: &LibraryText| {
        let mut functions = written.remove(text.name).unwrap_or_default();
        functions.sort_by_key(|function| function.line);
        RustModule { name: text.name.to_owned(), source: source(text.name, &functions, &shared) }
    };
    Ok(library.texts.iter().map(module).collect())
}

/// All functions of a library in one kernel.
fn linked(library: &str) -> Result<Kernel, Untranslated> {
    let mut b = Builder::new("all", 1, None);
    for path in library::functions().filter(|path| path.split_once("::").is_some_and(|(name, _)| name == library)) {
        if library::link(&mut b, path).is_none() {
            return Err(Untranslated { function: path.to_owned(), what: "an error".to_owned() });
        }
    }
    Ok(b.finish())
}

/// The text that a function is from.
fn module_of<'a>(kernel: &'a Kernel, function: &Function) -> &'a str {
    let source = kernel.sources().list.get(function.pos().source as usize);
    source.map_or("", |source| source.name.strip_suffix(".kir").unwrap_or(&source.name))
}

/// A module's text.
fn source(module: &str, functions: &[Written], shared: &BTreeSet<(String, String)>) -> String {
    let mut out = String::new();
    let used = |word: &str| functions.iter().any(|function| function.text.contains(word));
    if used("Numbers::") {
        out += "use crate::kernel::numbers::Numbers;\n";
    }
    if used("row::<") {
        out += "use crate::kernel::macro_support::Op;\nuse crate::kernel::math::row::row;\n";
    }
    if used("select(") {
        out += "use super::select;\n";
    }
    let imports: BTreeSet<_> = functions.iter().flat_map(|function| &function.imports).collect();
    for (from, name) in imports {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "use super::{from}::{name};");
    }
    for function in functions {
        let visible = match function.offered {
            true => "pub(crate) ",
            false if shared.contains(&(module.to_owned(), function.name.clone())) => "pub(super) ",
            false => "",
        };
        out += if out.is_empty() { "" } else { "\n" };
        let _ = write!(out, "#[inline]\n{visible}{}", function.text);
    }
    out
}

/// A function as Rust.
struct Written {
    name: String,
    /// Its line in the library's text.
    line: u32,
    /// May kernels call it?
    offered: bool,
    /// The module and name of each function of another module that it calls.
    imports: BTreeSet<(String, String)>,
    /// The text, without its visibility.
    text: String,
}

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
    imports: RefCell<BTreeSet<(String, String)>>,
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
            imports: RefCell::default(),
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

    fn function(mut self) -> Result<Written, Untranslated> {
        let name = self.name(self.function).to_owned();
        let offered = library::functions().any(|path| path == self.function.name());
        let mut params = Vec::new();
        for param in self.function.params() {
            let FnParamKind::Value(ty) = param.kind else { return self.cannot("a parameter by reference") };
            params.push(format!("{}: {}", param.name, self.ty(ty)?));
        }
        let Some(result) = self.function.result() else { return self.cannot("no result") };
        let result = self.ty(result)?;
        self.block(self.function.body())?;
        let text = format!("fn {name}({}) -> {result} {{\n{}}}\n", params.join(", "), self.out);
        let line = self.function.pos().line;
        Ok(Written { name, line, offered, imports: self.imports.into_inner(), text })
    }

    fn ty(&self, ty: ValueType) -> Result<String, Untranslated> {
        let ValueType::Data(data) = ty else { return self.cannot("a view") };
        let scalar = data.scalar.name();
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
            InstKind::If { condition, then, otherwise } => return self.if_(inst, *condition, [then, otherwise]),
            InstKind::Scope { label, body } => return self.scope(inst, *label, body),
            InstKind::Break { label, value: Some(value) } => return self.leave(*label, *value),
            InstKind::Return(Some(value)) => {
                let value = self.value(*value)?.text;
                self.line(&if self.depth == 1 { value } else { format!("return {value};") });
                return Ok(());
            }
            InstKind::Op { op, args } => self.scalar_operation(*op, args, inst.result)?,
            InstKind::Compose(parts) => RustText::whole(format!("[{}]", joined(self.list(parts)?))),
            InstKind::Swizzle { value, components } if components.len() == 1 => {
                let vector = self.value(*value)?.at_least(Tightness::Whole);
                RustText::whole(format!("{vector}[{}]", components[0]))
            }
            InstKind::Swizzle { value, components } => {
                let vector = self.value(*value)?.at_least(Tightness::Whole);
                let parts: Vec<_> = components.iter().map(|component| format!("{vector}[{component}]")).collect();
                RustText::whole(format!("[{}]", parts.join(", ")))
            }
            InstKind::Splat { value, width } => RustText::whole(format!("[{}; {width}]", self.value(*value)?.text)),
            InstKind::Load(place) => RustText::whole(self.local(place)?),
            InstKind::Call { function, args } if inst.result.is_some() => self.call(*function, args)?,
            InstKind::ComponentAt { .. }
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
            | InstKind::Loop { .. }
            | InstKind::Switch { .. }
            | InstKind::Break { .. }
            | InstKind::Continue { .. }
            | InstKind::Return(_) => return self.cannot("an instruction of another kind"),
        };
        let Some(result) = inst.result else { return self.cannot("an instruction of another kind") };
        // The variable may change before the use of the value.
        let changes =
            |inst: &Inst| matches!(inst.kind, InstKind::Store { .. } | InstKind::If { .. } | InstKind::Scope { .. });
        self.define(result, text, matches!(inst.kind, InstKind::Load(_)) && rest.iter().any(changes))
    }

    fn declare(&mut self, local: LocalId, value: ValueId) -> Result<(), Untranslated> {
        let name = self.function.locals()[local.index()].name.clone();
        let ty = self.ty(self.function.value(value).ty)?;
        let value = self.value(value)?.text;
        self.line(&format!("let mut {name}: {ty} = {value};"));
        Ok(())
    }

    /// Sets the text of a value: a `let` binding, unless the library gives it no name and it has
    /// only one use.
    fn define(&mut self, value: ValueId, text: RustText, at_once: bool) -> Result<(), Untranslated> {
        if self.function.value(value).name.is_none() && self.uses[value.index()] == 1 && !at_once {
            self.texts[value.index()] = Some(text);
            return Ok(());
        }
        let begin = self.binding(value)?;
        self.line(&format!("{begin}{};", text.text));
        Ok(())
    }

    /// `let name: type = `, for a value that is used by that name from here on.
    fn binding(&mut self, value: ValueId) -> Result<String, Untranslated> {
        let named = self.function.value(value);
        let keep = match &named.name {
            Some(name) => name.to_string(),
            None => format!("v{}", value.index()),
        };
        let ty = self.ty(named.ty)?;
        let begin = format!("let {keep}: {ty} = ");
        self.texts[value.index()] = Some(RustText::whole(keep));
        Ok(begin)
    }

    /// The variable that the place is, or a component of one.
    fn local(&self, place: &Place) -> Result<String, Untranslated> {
        let Root::Local(local) = place.root else { return self.cannot("a place that is no variable") };
        let name = &self.function.locals()[local.index()].name;
        match place.path.as_slice() {
            [] => Ok(name.to_string()),
            [Step::Component(component)] => Ok(format!("{name}[{component}]")),
            _ => self.cannot("a part of a variable that is no component"),
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
            (Scalar::F32, _) => float_literal(f32::from_bits(constant.bits as u32), "f32"),
            (Scalar::F64, _) => float_literal(f64::from_bits(constant.bits), "f64"),
            (scalar, Some(value)) if value < 1024 => format!("{value}_{scalar}"),
            (scalar, Some(value)) => format!("{value:#x}_{scalar}"),
            (scalar, None) => return self.cannot(format!("a constant of type {scalar}")),
        };
        let tightness = if text.starts_with('-') { Tightness::Sign } else { Tightness::Whole };
        Ok(RustText { text, tightness })
    }

    fn list(&self, values: &[ValueId]) -> Result<Vec<RustText>, Untranslated> {
        values.iter().map(|&value| self.value(value)).collect()
    }

    fn scalar_operation(&self, op: Op, args: &[ValueId], result: Option<ValueId>) -> Result<RustText, Untranslated> {
        let scalar = |value: ValueId| self.function.value(value).ty.data().filter(|data| data.width == 1);
        let first = args.first().and_then(|&arg| scalar(arg));
        let (Some(first), Some(result)) = (first, result.and_then(scalar)) else {
            return self.cannot("an operation on vectors");
        };
        self.operation(op, first.scalar, &self.list(args)?, result.scalar)
    }

    fn call(&self, function: FunctionId, args: &[CallArgument]) -> Result<RustText, Untranslated> {
        let called = &self.kernel.functions()[function.index()];
        let name = self.name(called);
        let module = module_of(self.kernel, called);
        if module != module_of(self.kernel, self.function) {
            self.imports.borrow_mut().insert((module.to_owned(), name.to_owned()));
        }
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

/// The shortest text that parses to the same number.
fn float_literal(x: impl Into<f64> + fmt::Debug + Copy, of: &str) -> String {
    match x.into() {
        wide if wide.is_nan() => format!("{of}::NAN"),
        f64::INFINITY => format!("{of}::INFINITY"),
        f64::NEG_INFINITY => format!("{of}::NEG_INFINITY"),
        _ => format!("{x:?}"),
    }
}

/// Counts the uses of each value.
fn count(block: &Block, uses: &mut [u32]) {
    for inst in &block.insts {
        inst.kind.operands(&mut |value| uses[value.index()] += 1);
        inst.kind.blocks(&mut |block| count(block, uses));
    }
    block.value.iter().for_each(|value| uses[value.index()] += 1);
}

#[cfg(test)]
mod tests {
    use super::{FunctionWriter, modules};
    use tilewise_ir::math::LIBRARIES;

    #[test]
    fn every_library_can_be_translated() {
        for library in LIBRARIES {
            let modules = modules(library).unwrap_or_else(|reason| panic!("{reason}"));
            for (module, text) in modules.iter().zip(library.texts) {
                assert!(module.source.contains("fn "), "{} has functions", text.name);
            }
        }
    }

    #[test]
    fn the_short_ones_read_as_they_do_in_the_library() {
        let text = modules(&LIBRARIES[0]).unwrap_or_else(|reason| panic!("{reason}")).remove(0).source;
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
                let counter: f32 = x * 1.442695 + 12582912.0;
                let mut value: f32 = two_to_near(counter, exp_rest(x, counted(counter)));
                if is_beyond(x, 0x42ae0000_i32) {
                    value = exp_of_any(x);
                }
                value
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
    fn what_has_no_translation_is_said() {
        let text = "fn half(a: f32) -> f32 {
    var x: f32 = a;
    while x > 1.0 {
        x = x / 2.0;
    }
    x
}
kernel halves(out: view<f32, 1, read_write>) rank(1) {
    out[global[0]] = half(8.0);
}
";
        let kernel = tilewise_ir::text::parse("halves.kir", text).unwrap_or_else(|failed| panic!("{failed}"));
        let half = kernel.functions().iter().find(|function| function.name() == "half").expect("it is there");
        let refused = FunctionWriter::new(&kernel, half, "fast_math").function().err().expect("it has a loop");
        assert_eq!(refused.to_string(), "`half` has an instruction of another kind, which is not translated to Rust");
    }
}
