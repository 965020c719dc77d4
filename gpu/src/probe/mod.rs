//! The probe: runs kernels on an adapter to determine which of its native float operations are
//! exact.
//!
//! - `list`: the expressions and their expected results
//! - `inputs`: the operands
//! - `format`: host arithmetic of the two float formats
//!
//! # Steps
//! 1. For each [`NativeOp`] and format, one kernel is lowered as Strict with every operation left
//!    to the driver (`list` holds the expressions). All kernels run over the same inputs (`inputs`:
//!    all triples of edge values, values that are hard to round, and bits drawn from a seed), and
//!    the host compares the results with its own. Square roots of `f32` are tested for every
//!    fraction.
//! 2. Each operation that is not exact is tested again in the form with which the lowering replaces
//!    it. If that is wrong too, or if the operation has no replacement, the format does not
//!    qualify.
//!
//! The result is small, cached on disk ([`cache`]), and shared by all launches of a process.

mod cache;
mod format;
mod inputs;
mod list;

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use tilewise_ir::bytes::{decode, encode};
use tilewise_ir::check::check;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, ViewArgument};
use tilewise_ir::text::parse;
use tilewise_ir::types::{Scalar, Stored};

use self::format::Format;
use self::inputs::COUNT;
use self::list::{ProbeExpression, ProbeWants};
use crate::exact::{Exact, NativeOp};
use crate::lower::prelude_text;
use crate::qualified::{ProbeFault, Qualified};
use crate::run::{Adapter, GpuDevice, GpuKernel, GpuLaunchOptions};
use crate::shader_form::ShaderForm;

impl Adapter {
    /// The exact native float operations of the adapter, and the faults of the others. An error
    /// means that the probe could not run.
    pub fn qualified(&self) -> Result<&Qualified, String> {
        if !self.has_strict() {
            let name = self.name();
            return Err(format!(
                "the driver of `{name}` takes no SPIR-V as it is (PASSTHROUGH_SHADERS), so it cannot be told to keep products and sums apart"
            ));
        }
        self.probed.get(|| self.qualify())
    }

    fn qualify(&self) -> Result<Qualified, String> {
        let folder = cache::folder();
        let key = cache::key(&self.info, self.controls);
        if let Some(found) = folder.as_deref().and_then(|folder| cache::read(folder, &key)) {
            return Ok(found);
        }
        let found = probe(self).map_err(|reason| {
            format!("the device `{}` could not be asked how it computes floats: {reason}", self.name())
        })?;
        if let Some(folder) = folder {
            // A result that cannot be cached is probed again in the next process.
            let _ = cache::write(&folder, &key, &found);
        }
        Ok(found)
    }
}

/// Raised when the lowering of the probe's kernels changes in a way that shows neither in the
/// kernels nor in the texts of the prelude functions.
const VERSION: u64 = 2;

/// The probe's own sources: a change to its expressions or its comparisons invalidates cached
/// results.
const SOURCES: [&str; 4] =
    [include_str!("mod.rs"), include_str!("format.rs"), include_str!("inputs.rs"), include_str!("list.rs")];

/// Fractions of `f32` in two binades: a root depends on nothing else.
const FRACTIONS: usize = 1 << 24;

/// An odd number that spreads the numerators of the quotients by every fraction.
const FACTOR: u32 = 0x9e37_79b9;

/// A hash of the probe and of the prelude functions that its kernels use. Cached results with
/// another hash are stale.
pub(super) fn version() -> u64 {
    let mut hash = Hash::default();
    hash.add(&VERSION.to_le_bytes());
    SOURCES.iter().for_each(|source| hash.add(source.as_bytes()));
    texts().iter().for_each(|text| hash.add(text.as_bytes()));
    hash.0
}

/// The texts of all prelude functions that kernels may call, for any set of exact operations: with
/// all exact, with only the needed ones, and for each operation that has helpers, without it and
/// with its helpers removed one after the other.
fn texts() -> Vec<String> {
    let both = |exact: Exact, own| exact.without(own, Scalar::F32).without(own, Scalar::F64);
    let mut texts = vec![prelude_text(Exact::ALL), prelude_text(Exact::LEAST)];
    for own in NativeOp::ALL.into_iter().filter(|own| !helps(*own).is_empty()) {
        let mut exact = both(Exact::ALL, own);
        for &help in helps(own) {
            texts.push(prelude_text(exact));
            exact = both(exact, help);
        }
    }
    texts
}

/// FNV-1a: the same on every machine and in every version of Rust.
pub(super) struct Hash(pub(super) u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Probes an adapter. An error means that the probe could not run.
pub(super) fn probe(adapter: &Adapter) -> Result<Qualified, String> {
    let device = adapter.open()?;
    let mut found = Qualified { exact: Exact::NONE, faults: Vec::new() };
    Session::new(&device, list::single()).ask_all(&mut found)?;
    if adapter.has_double() {
        Session::new(&device, list::double()).ask_all(&mut found)?;
    }
    Ok(found)
}

/// The probe of one format.
struct Session<'a, F> {
    device: &'a GpuDevice,
    asked: Vec<ProbeExpression<F>>,
    inputs: Vec<[u64; 3]>,
    /// The inputs as the kernels read them.
    allocations: Vec<Vec<u8>>,
}

/// The helpers from which an operation can be computed, the best first.
fn helps(own: NativeOp) -> &'static [NativeOp] {
    match own {
        NativeOp::Sqrt => &[NativeOp::RootByStep, NativeOp::StepNear, NativeOp::RootNear],
        NativeOp::Compare => &[NativeOp::CompareNormal],
        NativeOp::Div => &[NativeOp::DivBySteps],
        _ => &[],
    }
}

/// Whether an operation consists of steps with fused products.
fn is_stepped(own: NativeOp) -> bool {
    matches!(own, NativeOp::RootNear | NativeOp::RootByStep | NativeOp::StepNear | NativeOp::DivBySteps)
}

/// Whether a driver fuses products of normal numbers.
fn is_fused(found: &Qualified, scalar: Scalar) -> bool {
    [NativeOp::Fma, NativeOp::FusedNormal].iter().any(|&own| found.exact.has(own, scalar))
}

/// `Ok(None)` if an operation is exact, else a witness. An error means that the probe could not
/// run.
type Verdict = Result<Option<String>, String>;

impl<'a, F: Format> Session<'a, F> {
    fn new(device: &'a GpuDevice, asked: Vec<ProbeExpression<F>>) -> Session<'a, F> {
        let inputs = inputs::inputs::<F>();
        let stored = F::SCALAR.stored();
        let size = stored.size() as usize;
        let allocation = |of: usize| {
            let mut bytes = vec![0; COUNT * size];
            bytes.chunks_exact_mut(size).zip(&inputs).for_each(|(to, triple)| encode(to, stored, triple[of]));
            bytes
        };
        let allocations = [0, 1, 2].map(allocation).to_vec();
        Session { device, asked, inputs, allocations }
    }

    fn ask_all(&self, found: &mut Qualified) -> Result<(), String> {
        let scalar = F::SCALAR;
        let all = Exact::ALL.without(NativeOp::InverseBySteps, scalar);
        let plain = |own: &NativeOp| self.can_be_asked(*own) && *own != NativeOp::InverseBySteps;
        for own in NativeOp::ALL.into_iter().filter(plain) {
            if is_stepped(own) && !is_fused(found, scalar) {
                continue;
            }
            // The steps replace the native operation, so it is disabled here.
            let setting = match own {
                NativeOp::RootByStep | NativeOp::StepNear => all.without(NativeOp::Sqrt, scalar),
                NativeOp::DivBySteps => all.without(NativeOp::Div, scalar),
                _ => all,
            };
            self.note(own, setting, found)?;
        }
        if found.lacks(scalar).is_some() {
            return Ok(());
        }
        self.ask_again(found)?;
        // Its steps begin with the root that kernels are given.
        if self.can_be_asked(NativeOp::InverseBySteps) && is_fused(found, scalar) {
            let setting = found.exact.with(NativeOp::InverseBySteps, scalar);
            self.note(NativeOp::InverseBySteps, setting, found)?;
        }
        Ok(())
    }

    /// Asks for an operation and notes whether it is exact.
    fn note(&self, own: NativeOp, setting: Exact, found: &mut Qualified) -> Result<(), String> {
        let scalar = F::SCALAR;
        match self.ask(own, setting)? {
            None => found.exact = found.exact.with(own, scalar),
            Some(witness) => {
                let fatal = NativeOp::NEEDED.contains(&own);
                found.faults.push(ProbeFault { own, scalar, fatal, witness });
            }
        }
        Ok(())
    }

    /// Tests the replacements, first with every available helper, then with one helper fewer after
    /// each failure.
    fn ask_again(&self, found: &mut Qualified) -> Result<(), String> {
        let scalar = F::SCALAR;
        let replaced: Vec<NativeOp> = found.exact.list(scalar, false).filter(|own| !own.is_help()).collect();
        for own in replaced.into_iter().filter(|&own| self.can_be_asked(own)) {
            while let Some(witness) = self.ask(own, found.exact)? {
                let help = helps(own).iter().find(|&&help| found.exact.has(help, scalar));
                let (own, fatal) = match help {
                    Some(&help) => {
                        found.exact = found.exact.without(help, scalar);
                        (help, false)
                    }
                    None => {
                        found.faults.retain(|fault| (fault.own, fault.scalar) != (own, scalar));
                        (own, true)
                    }
                };
                found.faults.push(ProbeFault { own, scalar, fatal, witness });
                if fatal {
                    break;
                }
            }
        }
        Ok(())
    }

    fn can_be_asked(&self, own: NativeOp) -> bool {
        match own {
            NativeOp::FromLong | NativeOp::ToLong | NativeOp::Convert => self.device.adapter().has_double(),
            // WGSL's reciprocal root exists for `f32` only.
            NativeOp::RootByStep | NativeOp::StepNear | NativeOp::InverseBySteps | NativeOp::DivBySteps => {
                F::SCALAR == Scalar::F32
            }
            _ => true,
        }
    }

    fn ask(&self, own: NativeOp, exact: Exact) -> Verdict {
        let (text, asked) = kernel(&self.asked, own);
        let of = |i: usize, k: usize| self.inputs[rotated(i, k)].map(F::from_raw);
        let out = self.run(&text, COUNT, COUNT * asked.len(), self.allocations.clone(), exact)?;
        for (at, &got) in out.iter().enumerate() {
            let (i, k) = (at / asked.len(), at % asked.len());
            let [x, y, z] = of(i, k);
            if let Some(wanted) = wrong(asked[k].wants, [x, y, z], got) {
                let text = asked[k].text;
                return Ok(Some(said(text, [x, y, z], got, wanted)));
            }
        }
        match own {
            NativeOp::Sqrt | NativeOp::RootByStep if F::SCALAR == Scalar::F32 => {
                self.ask_all_fractions("sqrt(x)", |x, _| x.sqrt(), 0, exact)
            }
            NativeOp::StepNear => self.ask_all_fractions("sqrt(x)", |x, _| x.sqrt(), 1, exact),
            NativeOp::InverseBySteps => {
                // With the test of the range and, where `x` is known to be large, without.
                match self.ask_all_fractions("1.0 / sqrt(x)", |x, _| 1.0 / x.sqrt(), 0, exact)? {
                    None => self.ask_all_fractions("1.0 / sqrt(max(x, 1.0))", |x, _| 1.0 / x.sqrt(), 0, exact),
                    Some(witness) => Ok(Some(witness)),
                }
            }
            NativeOp::DivBySteps => self.ask_all_fractions("y / x", |x, y| y / x, 0, exact),
            _ => Ok(None),
        }
    }

    /// Tests an expression of every fraction `x` in two binades, and a `y` of the same binade. A
    /// result may be off by at most `most` units in the last place.
    fn ask_all_fractions(&self, text: &str, of: fn(f32, f32) -> f32, most: u64, exact: Exact) -> Verdict {
        let kernel = format!(
            "kernel probe(out: view<u32, 1, read_write>) rank(1) {{ let i = global[0]; let x = bitcast_f32(0x3f800000u32 + (i as u32)); let y = bitcast_f32(0x3f800000u32 + (((i as u32) * {FACTOR}u32) >> 9u32)); out[i] = bitcast_u32({text}); }}"
        );
        let out = self.run(&kernel, FRACTIONS, FRACTIONS, Vec::new(), exact)?;
        for (i, &got) in (0u32..).zip(&out) {
            let x = f32::from_bits(0x3f80_0000 + i);
            let y = f32::from_bits(0x3f80_0000 + (i.wrapping_mul(FACTOR) >> 9));
            let wanted = of(x, y);
            if wanted.raw().abs_diff(got) > most {
                return Ok(Some(said(text, [x, y, x], got, Some(wanted.raw()))));
            }
        }
        Ok(None)
    }

    /// Runs a kernel over `threads` threads and returns the bits that it stores.
    fn run(
        &self,
        text: &str,
        threads: usize,
        results: usize,
        allocations: Vec<Vec<u8>>,
        exact: Exact,
    ) -> Result<Vec<u64>, String> {
        let kernel = parse("probe.kir", text).map_err(|failure| failure.to_string())?;
        let kernel = check(kernel).map_err(|rejected| rejected.to_string())?;
        let stored = if F::SCALAR == Scalar::F64 { Stored::U64 } else { Stored::U32 };
        let size = stored.size() as usize;
        let mut memory = LaunchMemory { allocations, ..LaunchMemory::default() };
        let lengths = memory.allocations.iter().map(|_| COUNT).chain([results]);
        let arguments: Vec<Argument> = (0..)
            .zip(lengths)
            .map(|(allocation, length)| Argument::View(ViewArgument::dense(allocation, &[length as i32])))
            .collect();
        memory.allocations.push(vec![0xa5; results * size]);
        let options = GpuLaunchOptions {
            way: ShaderForm::Strict,
            exact: Some(exact),
            time_limit: Some(Duration::from_secs(60)),
            ..GpuLaunchOptions::default()
        };
        let prepared = GpuKernel::new(Arc::new(kernel));
        let ran = self.device.run(&prepared, &Domain::new([threads as i32]), &mut memory, &arguments, &options);
        let outcome = ran.map_err(|refusal| refusal.to_string())?;
        if outcome.ending != Ending::Completed {
            return Err("it did not come to its end".into());
        }
        let bytes = memory.allocations.pop().unwrap_or_default();
        Ok(bytes.chunks_exact(size).map(|bytes| decode(bytes, stored)).collect())
    }
}

/// Each expression of a kernel reads different inputs, so that a driver cannot share
/// subexpressions.
fn rotated(i: usize, k: usize) -> usize {
    (i + k * 7919) % COUNT
}

/// The kernel for an operation, and its expressions.
fn kernel<F: Format>(asked: &[ProbeExpression<F>], own: NativeOp) -> (String, Vec<&ProbeExpression<F>>) {
    let asked: Vec<&ProbeExpression<F>> = asked.iter().filter(|asked| asked.own == own).collect();
    let (format, bits) = if F::SCALAR == Scalar::F64 { ("f64", "u64") } else { ("f32", "u32") };
    let count = asked.len();
    let mut body = String::new();
    let mut functions = String::new();
    for (k, asked) in asked.iter().enumerate() {
        let text = F::WORDS.iter().fold(asked.text.to_owned(), |text, (from, to)| text.replace(from, to));
        let float = matches!(asked.wants, ProbeWants::Float(_) | ProbeWants::Such(_));
        let result = if float { format } else { bits };
        let called = format!("f{k}(a[at], b[at], c[at])");
        let stored = if float { format!("bitcast_{bits}({called})") } else { called };
        // Writing to a `String` cannot fail.
        let _ = writeln!(functions, "fn f{k}(x: {format}, y: {format}, z: {format}) -> {result} {{ return {text}; }}");
        let _ = writeln!(body, "at = (i + {}) % {COUNT}; out[i * {count} + {k}] = {stored};", k * 7919);
    }
    let helpers = if F::SCALAR == Scalar::F64 { DOUBLE } else { SINGLE };
    let used = helpers.iter().filter(|(name, _)| functions.contains(name));
    let helpers: String = used.map(|(_, text)| *text).collect();
    let params = format!("a: view<{format}, 1, read>, b: view<{format}, 1, read>, c: view<{format}, 1, read>");
    let text = format!(
        "{helpers}{functions}kernel probe({params}, out: view<{bits}, 1, read_write>) rank(1) {{ let i = global[0]; var at: i32 = 0;\n{body}}}"
    );
    (text, asked)
}

/// Helper functions, each included only if the kernel calls it.
const SINGLE: &[(&str, &str)] = &[
    ("long(", "fn long(x: f32, y: f32) -> u64 { return pack_u64(u32x2(bitcast_u32(x), bitcast_u32(y))); }\n"),
    ("fold(", FOLD),
    (
        "converted(",
        "fn fold(n: u64) -> u32 { let words = unpack_u64(n); return words.x ^ (words.y * 0x9e3779b9u32); }\nfn converted(x: f32) -> u32 { let wide = to_f64(x); return select(is_nan(wide), 1u32, fold(bitcast_u64(wide))); }\n",
    ),
];
const FOLD: &str =
    "fn fold(n: u64) -> u32 { let words = unpack_u64(n); return words.x ^ (words.y * 0x9e3779b9u32); }\n";
const DOUBLE: &[(&str, &str)] = &[
    ("word(", "fn word(x: f64) -> u32 { return unpack_u64(bitcast_u64(x)).x; }\n"),
    (
        "converted(",
        "fn converted(x: f64) -> u64 { let narrow = to_f32(x); return to_u64(select(is_nan(narrow), 1u32, bitcast_u32(narrow))); }\n",
    ),
];

/// `None` if the result is right; otherwise the expected bits, if only one value is right.
fn wrong<F: Format>(wants: ProbeWants<F>, [x, y, z]: [F; 3], got: u64) -> Option<Option<u64>> {
    let unless = |fine: bool, wanted: Option<u64>| if fine { None } else { Some(wanted) };
    match wants {
        ProbeWants::Float(of) => {
            let wanted = of(x, y, z);
            let number = F::from_raw(got);
            let fine = wanted.raw() == got || wanted.is_no_number() && number.is_no_number();
            unless(fine, Some(wanted.raw()))
        }
        ProbeWants::Bits(of) => unless(of(x, y, z) == got, Some(of(x, y, z))),
        ProbeWants::Such(holds) => unless(holds(x, y, z, F::from_raw(got)), None),
        ProbeWants::SuchBits(holds) => unless(holds(x, y, z, got), None),
    }
}

/// The text of a witness.
fn said<F: Format>(text: &str, arguments: [F; 3], got: u64, wanted: Option<u64>) -> String {
    let text = text.replace('_', "");
    let names = ["x", "y", "z"].into_iter().zip(arguments).filter(|(name, _)| text.contains(name));
    let values: Vec<String> = names.map(|(name, value)| format!("{name} = {:#x}", value.raw())).collect();
    let instead = wanted.map(|wanted| format!(", not {wanted:#x}")).unwrap_or_default();
    format!("`{text}` of {} gives {got:#x}{instead}", values.join(", "))
}

#[cfg(test)]
mod tests;
