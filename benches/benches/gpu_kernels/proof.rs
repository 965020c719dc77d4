//! A proof by trial of the roots, inverses of roots and quotients of Strict kernels: every float has
//! its root and the inverse of it computed by the device and by the host, and so have the quotients
//! of every divisor's fraction and of numbers of any size, a billion each.
//!
//! Nothing here is measured but the time it takes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::Serialize;
use tilewise_gpu::exact::Exact;
use tilewise_gpu::run::{GpuDevice, GpuKernel, GpuLaunchOptions};
use tilewise_gpu::shader_form::ShaderForm;
use tilewise_ir::check::check;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, ViewArgument};
use tilewise_ir::text::parse;

/// Results of one launch.
const PIECE: u32 = 1 << 24;

/// Which quotients, or roots, are tried.
#[derive(Clone, Copy)]
enum Operands {
    /// Every float.
    Every,
    /// Every fraction as a divisor, each with the same number of fractions as numerators.
    Fractions,
    /// Any bits.
    Any,
}

/// An expression of `x` and `y`, in the kernel language and in Rust.
struct Claim {
    text: &'static str,
    of: fn(f32, f32) -> f32,
    operands: Operands,
}

const CLAIMS: [Claim; 5] = [
    Claim { text: "sqrt(x)", of: |x, _| x.sqrt(), operands: Operands::Every },
    Claim { text: "1.0 / sqrt(x)", of: |x, _| 1.0 / x.sqrt(), operands: Operands::Every },
    Claim { text: "1.0 / sqrt(x * x + 0.01)", of: |x, _| 1.0 / (x * x + 0.01).sqrt(), operands: Operands::Every },
    Claim { text: "y / x", of: |x, y| y / x, operands: Operands::Fractions },
    Claim { text: "y / x", of: |x, y| y / x, operands: Operands::Any },
];

/// Spreads numbers over all words of 32 bits: each step can be undone, so no two give the same.
fn spread(n: u32) -> u32 {
    let n = (n ^ (n >> 16)).wrapping_mul(0x7feb_352d);
    let n = (n ^ (n >> 15)).wrapping_mul(0x846c_a68b);
    n ^ (n >> 16)
}

const SPREAD: &str = "fn spread(n: u32) -> u32 { let a = (n ^ (n >> 16u32)) * 0x7feb352du32; let b = (a ^ (a >> 15u32)) * 0x846ca68bu32; return b ^ (b >> 16u32); }";

impl Operands {
    /// The bits of x and y for a number, as expressions of `n`.
    const fn texts(self) -> [&'static str; 2] {
        match self {
            Operands::Every => ["n", "n"],
            Operands::Fractions => ["0x3f800000u32 | (n & 0x7fffffu32)", "0x3f800000u32 | (spread(n) >> 9u32)"],
            Operands::Any => ["spread(n)", "spread(n ^ 0x5bd1e995u32)"],
        }
    }

    fn of(self, n: u32) -> [f32; 2] {
        let bits = match self {
            Operands::Every => [n, n],
            Operands::Fractions => [0x3f80_0000 | (n & 0x7f_ffff), 0x3f80_0000 | (spread(n) >> 9)],
            Operands::Any => [spread(n), spread(n ^ 0x5bd1_e995)],
        };
        bits.map(f32::from_bits)
    }

    const fn name(self) -> &'static str {
        match self {
            Operands::Every => "every float",
            Operands::Fractions => "every fraction",
            Operands::Any => "any bits",
        }
    }
}

/// What was found of a claim.
#[derive(Serialize)]
pub(crate) struct Proved {
    expression: &'static str,
    operands: &'static str,
    tried: u64,
    pub(crate) wrong: u64,
    first_wrong: Option<String>,
    seconds: f64,
}

impl Proved {
    pub(crate) fn line(&self) -> String {
        let Proved { expression, operands, tried, wrong, first_wrong, seconds } = self;
        let first = first_wrong.as_ref().map(|first| format!(": {first}")).unwrap_or_default();
        format!("{expression:<28}{operands:<16}{tried:>12} tried, {wrong} wrong, {seconds:.1} s{first}")
    }
}

/// Tries each claim with as many pieces of numbers: 256 are all of 32 bits.
pub(crate) fn prove(device: &GpuDevice, exact: Exact, pieces: u32) -> Result<Vec<Proved>, String> {
    CLAIMS.iter().map(|claim| claim.prove(device, exact, pieces)).collect()
}

impl Claim {
    fn prove(&self, device: &GpuDevice, exact: Exact, pieces: u32) -> Result<Proved, String> {
        let begin = Instant::now();
        let [x, y] = self.operands.texts();
        let spread = if x.contains("spread") || y.contains("spread") { SPREAD } else { "" };
        let text = format!(
            "{spread} kernel proof(out: view<u32, 1, read_write>, base: u32) rank(1) {{ let n = base + (global[0] as u32); let x = bitcast_f32({x}); let y = bitcast_f32({y}); out[global[0]] = bitcast_u32({}); }}",
            self.text
        );
        let kernel = parse("proof.kir", &text).map_err(|failure| failure.to_string())?;
        let kernel = GpuKernel::new(Arc::new(check(kernel).map_err(|rejected| rejected.to_string())?));
        let options = GpuLaunchOptions {
            way: ShaderForm::Strict,
            exact: Some(exact),
            time_limit: Some(Duration::from_secs(60)),
            ..GpuLaunchOptions::default()
        };
        let mut memory = LaunchMemory { allocations: vec![vec![0; 4 * PIECE as usize]], ..LaunchMemory::default() };
        let view = Argument::View(ViewArgument::dense(0, &[PIECE.cast_signed()]));
        let (mut wrong, mut first) = (0, None);
        // Evenly over all numbers, where there are fewer pieces than that takes.
        for piece in 0..pieces {
            let base = (u64::from(piece) * (256 / u64::from(pieces.clamp(1, 256))) * u64::from(PIECE)) as u32;
            let arguments = [view.clone(), Argument::Uniform(base.to_le_bytes().to_vec())];
            let ran = device.run(&kernel, &Domain::new([PIECE.cast_signed()]), &mut memory, &arguments, &options);
            if ran.map_err(|refusal| refusal.to_string())?.ending != Ending::Completed {
                return Err("a launch did not come to its end".into());
            }
            let bytes = &memory.allocations[0];
            let differs = |&(i, four): &(usize, &[u8])| {
                let [x, y] = self.operands.of(base.wrapping_add(i as u32));
                let got = f32::from_le_bytes(std::array::from_fn(|k| four[k]));
                let wanted = (self.of)(x, y);
                got.to_bits() != wanted.to_bits() && !(got.is_nan() && wanted.is_nan())
            };
            let all = || bytes.par_chunks_exact(4).enumerate().filter(differs);
            let count = all().count() as u64;
            if count > 0 && first.is_none() {
                first = all().find_first(|_| true).map(|(i, four)| {
                    let [x, y] = self.operands.of(base.wrapping_add(i as u32));
                    let got = u32::from_le_bytes(std::array::from_fn(|k| four[k]));
                    let wanted = (self.of)(x, y).to_bits();
                    format!("x = {:#x}, y = {:#x} gives {got:#x}, not {wanted:#x}", x.to_bits(), y.to_bits())
                });
            }
            wrong += count;
        }
        Ok(Proved {
            expression: self.text,
            operands: self.operands.name(),
            tried: u64::from(pieces) * u64::from(PIECE),
            wrong,
            first_wrong: first,
            seconds: begin.elapsed().as_secs_f64(),
        })
    }
}
