//! What is computed: kernels in both languages, their memory, and what must come out.

use tilewise_ir::launch::{Argument, Domain, ViewArgument};
use tilewise_peers::plain::{
    self, black_scholes, elementwise, histogram, matmul, n_body, reduce, scan, stencil, transpose,
};
use tilewise_peers::{PeerOutput, PeerWork, Tolerance};

/// A binding of a kernel by hand.
#[derive(Clone, Copy)]
pub(crate) struct Hand {
    pub(crate) allocation: usize,
}

/// One launch of several that a run may have.
pub(crate) struct Launch {
    pub(crate) domain: Domain,
    pub(crate) arguments: Vec<Argument>,
    /// What the kernel by hand binds, from 0 on.
    pub(crate) hand: Vec<Hand>,
}

/// A kernel with its memory.
pub(crate) struct Setup {
    pub(crate) size: usize,
    pub(crate) kir: &'static str,
    pub(crate) wgsl: &'static str,
    pub(crate) allocations: Vec<Vec<u8>>,
    /// Allocations that are results.
    pub(crate) results: Vec<usize>,
    pub(crate) launches: Vec<Launch>,
    /// The last binding by hand.
    pub(crate) uniform: Option<Vec<u8>>,
    /// Tiles of a dispatch by hand.
    pub(crate) groups: [u32; 2],
    expected: Option<(PeerWork, usize)>,
    whole_numbers: bool,
}

/// By how much floats of different targets may differ: each may contract and reorder, and has functions of its own.
const FREEDOM: Tolerance =
    Tolerance { relative: 2e-3, absolute: 2e-3, why: "functions and contractions are the driver's own" };

macro_rules! texts {
    ($($name:literal),*) => {
        /// All kernels, in the order of the table.
        pub(crate) const NAMES: [&str; 12] = [$($name),*];

        /// The kernel and the same by hand.
        fn texts(name: &str) -> Option<(&'static str, &'static str)> {
            match name {
                $($name => Some((
                    include_str!(concat!("kernels/", $name, ".kir")),
                    include_str!(concat!("../../src/drivers/kernels/", $name, ".wgsl")),
                )),)*
                _ => None,
            }
        }
    };
}

texts!(
    "vadd",
    "saxpy",
    "mandel",
    "matmul",
    "matmul_tiled",
    "transpose",
    "reduce",
    "scan",
    "stencil",
    "nbody",
    "hist",
    "bs"
);

fn bytes(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn word_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn view(allocation: usize, extent: &[usize]) -> Argument {
    let extent: Vec<i32> = extent.iter().map(|&n| n as i32).collect();
    Argument::View(ViewArgument::dense(allocation, &extent))
}

fn number(n: usize) -> Argument {
    Argument::Uniform((n as i32).to_le_bytes().to_vec())
}

fn domain(extent: &[usize]) -> Domain {
    Domain::new(extent.iter().map(|&n| n as i32).collect::<Vec<i32>>())
}

impl Setup {
    /// The work of that name, small or as large as in the published table.
    pub(crate) fn of(name: &str, large: bool) -> Result<Setup, String> {
        let (kir, wgsl) = texts(name).ok_or_else(|| format!("there is no `{name}`"))?;
        let size = size(name, large);
        let line = |n: usize| [256, (n / 65536) as u32];
        let square = [(size / 16) as u32, (size / 16) as u32];
        let launch = |extent: &[usize], arguments: Vec<Argument>, allocations: &[usize]| Launch {
            domain: domain(extent),
            arguments,
            hand: allocations.iter().map(|&allocation| Hand { allocation }).collect(),
        };
        let zeros = |count: usize| vec![0_u8; count * 4];
        let side = [size, size];
        let side_words = Some(word_bytes(&[size as u32, size as u32, 256, 0]));
        let (allocations, results, launches, uniform, groups, work): (Vec<Vec<u8>>, _, _, _, _, _) = match name {
            "vadd" => {
                let (a, b) = elementwise::inputs(size);
                let arguments = (0..3).map(|allocation| view(allocation, &[size])).collect();
                let launch = launch(&[size], arguments, &[0, 1, 2]);
                (vec![bytes(&a), bytes(&b), zeros(size)], vec![2], vec![launch], None, line(size), PeerWork::VectorAdd)
            }
            "saxpy" => {
                let (x, y) = elementwise::inputs(size);
                let alpha = Argument::Uniform(elementwise::ALPHA.to_le_bytes().to_vec());
                let launch = launch(&[size], vec![view(0, &[size]), view(1, &[size]), alpha], &[0, 1]);
                let uniform = Some(bytes(&[elementwise::ALPHA, 0.0, 0.0, 0.0]));
                (vec![bytes(&x), bytes(&y)], vec![1], vec![launch], uniform, line(size), PeerWork::Saxpy)
            }
            "mandel" => {
                let launch = launch(&side, vec![view(0, &side), number(size)], &[0]);
                (vec![zeros(size * size)], vec![0], vec![launch], side_words, square, PeerWork::Mandelbrot)
            }
            "matmul" | "matmul_tiled" => {
                let (a, b) = matmul::inputs(size);
                let mut arguments: Vec<Argument> = (0..3).map(|allocation| view(allocation, &side)).collect();
                arguments.push(number(size));
                let launch = launch(&side, arguments, &[0, 1, 2]);
                let allocations = vec![bytes(&a), bytes(&b), zeros(size * size)];
                (allocations, vec![2], vec![launch], side_words, square, PeerWork::Matmul)
            }
            "transpose" => {
                let launch = launch(&side, vec![view(0, &side), view(1, &side)], &[0, 1]);
                let allocations = vec![bytes(&transpose::inputs(size)), zeros(size * size)];
                (allocations, vec![1], vec![launch], side_words, square, PeerWork::Transpose)
            }
            "reduce" => {
                let launch = launch(&[size], vec![view(0, &[size]), view(1, &[size / 256])], &[0, 1]);
                let allocations = vec![bytes(&reduce::inputs(size)), zeros(size / 256)];
                (allocations, vec![1], vec![launch], None, line(size), PeerWork::Reduce)
            }
            "scan" => {
                let launch = launch(&[size], vec![view(0, &[size]), view(1, &[size])], &[0, 1]);
                (vec![bytes(&scan::inputs(size)), zeros(size)], vec![1], vec![launch], None, line(size), PeerWork::Scan)
            }
            "stencil" => {
                let step = |from: usize, to: usize| {
                    launch(&side, vec![view(from, &side), view(to, &side), number(size - 1)], &[from, to])
                };
                let launches = (0..stencil::STEPS).map(|i| step(i % 2, 1 - i % 2)).collect();
                let allocations = vec![bytes(&stencil::inputs(size)), zeros(size * size)];
                (allocations, vec![0], launches, side_words, square, PeerWork::Stencil)
            }
            "nbody" => {
                let all = n_body::bodies(size);
                let launch = launch(&[size], vec![view(0, &[size]), view(1, &[size]), number(size / 256)], &[0, 1]);
                let allocations = vec![bytes(all.as_flattened()), zeros(4 * size)];
                let uniform = Some(word_bytes(&[size as u32, 0, 0, 0]));
                (allocations, vec![1], vec![launch], uniform, [(size / 256) as u32, 1], PeerWork::NBody)
            }
            "hist" => {
                // Enough that every multiprocessor has several tiles.
                let threads = if large { 1 << 20 } else { 1 << 16 };
                let arguments = vec![view(0, &[size]), view(1, &[256]), number(size), number(threads)];
                let launch = launch(&[threads], arguments, &[0, 1]);
                let uniform = Some(word_bytes(&[size as u32, 0, 0, 0]));
                let allocations = vec![word_bytes(&histogram::inputs(size)), zeros(256)];
                (allocations, vec![1], vec![launch], uniform, [(threads / 256) as u32, 1], PeerWork::Histogram)
            }
            _ => {
                let arguments = (0..5).map(|allocation| view(allocation, &[size])).collect();
                let launch = launch(&[size], arguments, &[0, 1, 2, 3, 4]);
                let mut allocations: Vec<Vec<u8>> = black_scholes::inputs(size).iter().map(|all| bytes(all)).collect();
                allocations.extend([zeros(size), zeros(size)]);
                (allocations, vec![3, 4], vec![launch], None, line(size), PeerWork::BlackScholes)
            }
        };
        let expected = (!large).then_some((work, size));
        let whole_numbers = matches!(name, "mandel" | "hist");
        Ok(Setup { size, kir, wgsl, allocations, results, launches, uniform, groups, expected, whole_numbers })
    }

    /// The allocations that are bound, in the order in which arguments name them first.
    pub(crate) fn bound_allocations(arguments: &[Argument]) -> Vec<usize> {
        let mut bound = Vec::new();
        for argument in arguments {
            if let Argument::View(view) = argument
                && !bound.contains(&view.allocation)
            {
                bound.push(view.allocation);
            }
        }
        bound
    }

    /// Is this what plain Rust computes? Of large sizes nobody knows.
    pub(crate) fn check(&self, found: &[Vec<u8>]) -> Result<(), String> {
        let Some((work, size)) = self.expected else { return Ok(()) };
        let expected = plain::expected(work, size)?;
        close(&self.output(found), &expected)
    }

    /// Is one as good as the other?
    pub(crate) fn same(&self, expected: &[Vec<u8>], found: &[Vec<u8>]) -> Result<(), String> {
        close(&self.output(found), &self.output(expected))
    }

    fn output(&self, found: &[Vec<u8>]) -> PeerOutput {
        let words = found.iter().flat_map(|allocation| allocation.chunks_exact(4)).map(|c| [c[0], c[1], c[2], c[3]]);
        match self.whole_numbers {
            true => PeerOutput::Words(words.map(u32::from_le_bytes).collect()),
            false => PeerOutput::Floats(words.map(f32::from_le_bytes).collect()),
        }
    }
}

/// Floats within [`FREEDOM`]; of whole numbers one in a hundred may differ, as a contracted sum takes a point of a fractal over an edge.
fn close(found: &PeerOutput, expected: &PeerOutput) -> Result<(), String> {
    if let (PeerOutput::Words(found), PeerOutput::Words(expected)) = (found, expected) {
        let differ = found.iter().zip(expected).filter(|(a, b)| a != b).count();
        return match found.len() == expected.len() && differ * 100 <= found.len() {
            true => Ok(()),
            false => Err(format!("{differ} of {} numbers differ", found.len())),
        };
    }
    found.compare(expected, Some(FREEDOM)).map_err(|mismatch| mismatch.to_string())
}

/// Elements, or the side of a square.
fn size(name: &str, large: bool) -> usize {
    match (name, large) {
        ("vadd" | "saxpy" | "reduce" | "scan" | "hist", true) => 1 << 28,
        ("vadd" | "saxpy" | "reduce" | "scan" | "hist", false) => 1 << 20,
        ("mandel", true) => 8192,
        ("matmul" | "matmul_tiled", true) => 4096,
        ("transpose" | "stencil", true) => 16384,
        ("nbody", true) => 131_072,
        ("bs", true) => 1 << 26,
        ("bs", false) => 1 << 18,
        ("nbody", false) => 2048,
        ("matmul" | "matmul_tiled", false) => 256,
        (_, _) => 512,
    }
}
