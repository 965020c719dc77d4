//! The shrinker: reduces a failing case to a smaller one that still fails.
//!
//! It tries one change after another and keeps each that the checker accepts and that still fails.
//! It first removes long runs of instructions, then single ones; replaces constructs by one of
//! their blocks and results by operands; inlines calls; removes unused declarations; shrinks domain
//! and tile; and zeroes constants and memory. It ends when a whole pass changes nothing.
//!
//! A change may break the guarantees of the generator. Reads of the bits of a NaN are visible in
//! the kernel ([`shows_bits`](super::nan::shows_bits)), and such a change is not made. It is not
//! visible that two threads now own one element; so the caller must choose `fails` with care: a
//! difference between two targets should only count if the reference gives the same result in
//! several orders.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use tilewise_ir::check::check;
use tilewise_ir::inline::inline;
use tilewise_ir::kernel::{Const, Inst, InstClass, Kernel};
use tilewise_ir::launch::{Argument, Domain};
use tilewise_ir::types::Scalar;

use super::case::FuzzCase;
use super::declared::unused;
use super::measure::{all_constants, count, nth, uses};
use super::nan;
use super::replay::{Act, DeclarationKind, KernelEdit, blocks, replay};

/// A case that still fails, and that passes after any change of this module. `case` must fail;
/// `fails` is never called with a case that the checker rejects. It is called at most `tries`
/// times.
pub fn shrink(case: FuzzCase, tries: usize, fails: &mut dyn FnMut(&FuzzCase) -> bool) -> FuzzCase {
    shrink_until(case, tries, None, fails)
}

/// Like `shrink`; `fails` is not called after this time.
pub(crate) fn shrink_until(
    case: FuzzCase,
    tries: usize,
    until: Option<Instant>,
    fails: &mut dyn FnMut(&FuzzCase) -> bool,
) -> FuzzCase {
    let mut shrinker = Shrinker { best: case, left: tries, until, fails };
    shrinker.zero();
    loop {
        let before = shrinker.left;
        let whole = size(&shrinker.best);
        shrinker.stretches();
        shrinker.constructs();
        shrinker.inlined();
        while shrinker.unused() {}
        // One launch per operand is expensive while there are many.
        if count(&shrinker.best.kernel) <= 80 {
            shrinker.operands();
        }
        shrinker.declarations();
        shrinker.shapes();
        shrinker.simpler_shapes();
        shrinker.constants();
        shrinker.memory();
        if size(&shrinker.best) == whole || shrinker.left == 0 || before == shrinker.left {
            return shrinker.best;
        }
    }
}

struct Shrinker<'a> {
    best: FuzzCase,
    left: usize,
    until: Option<Instant>,
    fails: &'a mut dyn FnMut(&FuzzCase) -> bool,
}

/// One change.
#[derive(Default)]
struct ShrinkChange {
    acts: HashMap<usize, Act>,
    constants: HashMap<Const, Const>,
    shape: Option<(u32, Option<Vec<u32>>)>,
    gone: HashSet<(DeclarationKind, usize)>,
}

impl KernelEdit for ShrinkChange {
    fn act(&mut self, number: usize, _: &Inst) -> Act {
        self.acts.get(&number).cloned().unwrap_or(Act::Keep)
    }

    fn constant(&mut self, constant: Const) -> Const {
        self.constants.get(&constant).copied().unwrap_or(constant)
    }

    fn shape(&mut self, rank: u32, tile: Option<&[u32]>) -> (u32, Option<Vec<u32>>) {
        self.shape.clone().unwrap_or_else(|| (rank, tile.map(<[u32]>::to_vec)))
    }

    fn keeps(&mut self, what: DeclarationKind, index: usize) -> bool {
        !self.gone.contains(&(what, index))
    }
}

impl Shrinker<'_> {
    /// Keeps the case if the checker accepts it and it fails.
    fn keep_if_fails(&mut self, case: FuzzCase) -> bool {
        if self.until.is_some_and(|until| Instant::now() >= until) {
            self.left = 0;
        }
        let sound = |kernel: &Kernel| !nan::shows_bits(kernel) && check(kernel.clone()).is_ok();
        if self.left == 0 || case.domain.check(&case.kernel).is_err() || !sound(&case.kernel) {
            return false;
        }
        if size(&case) >= size(&self.best) {
            return false;
        }
        self.left -= 1;
        let fails = (self.fails)(&case);
        if fails {
            self.best = case;
        }
        fails
    }

    fn attempt(&mut self, mut change: ShrinkChange) -> bool {
        if self.left == 0 {
            return false;
        }
        let kernel = replay(&self.best.kernel, &mut change);
        if kernel == self.best.kernel {
            return false;
        }
        let mut case = FuzzCase { kernel, ..self.best.clone() };
        let mut i = 0;
        case.arguments.retain(|_| {
            i += 1;
            !change.gone.contains(&(DeclarationKind::Param, i - 1))
        });
        self.keep_if_fails(case)
    }

    fn act(&mut self, acts: impl IntoIterator<Item = (usize, Act)>) -> bool {
        self.attempt(ShrinkChange { acts: acts.into_iter().collect(), ..ShrinkChange::default() })
    }

    /// Removes runs of instructions, long ones first.
    fn stretches(&mut self) {
        while self.unused() {}
        let mut length = count(&self.best.kernel).next_power_of_two() / 2;
        while length > 0 {
            let mut at = 0;
            while at < count(&self.best.kernel) && self.left > 0 {
                if !self.act((at..at + length).map(|n| (n, Act::Drop))) {
                    at += length;
                }
            }
            length /= 2;
            while self.unused() {}
        }
    }

    /// Removes instructions without effect whose result is unused.
    fn unused(&mut self) -> bool {
        let mut acts = Vec::new();
        let mut number = 0;
        let kernel = self.best.kernel.clone();
        for function in kernel.functions().iter().chain([kernel.entry()]) {
            let mut used = HashSet::new();
            uses(function.body(), &mut used);
            function.body().walk(&mut |inst| {
                let pure = matches!(
                    inst.kind.class(),
                    InstClass::Compute | InstClass::Query | InstClass::MakeView | InstClass::Read
                );
                if pure && inst.result.is_none_or(|result| !used.contains(&result)) {
                    acts.push((number, Act::Drop));
                }
                number += 1;
            });
        }
        !acts.is_empty() && self.act(acts)
    }

    /// Replaces a construct by one of its blocks.
    fn constructs(&mut self) {
        let mut at = 0;
        while let Some(inside) = nth(&self.best.kernel, at, &mut |inst| blocks(&inst.kind).len()) {
            let done = (0..inside).any(|n| self.act([(at, Act::Unwrap(n))]));
            if !done {
                at += 1;
            }
        }
    }

    /// Replaces a result by an operand.
    fn operands(&mut self) {
        let mut at = 0;
        let operands = |inst: &Inst| {
            let mut n = 0;
            inst.kind.operands(&mut |_| n += 1);
            if inst.result.is_some() { n } else { 0 }
        };
        while let Some(n) = nth(&self.best.kernel, at, &mut |inst| operands(inst)) {
            let done = (0..n).any(|n| self.act([(at, Act::Operand(n))]));
            if !done {
                at += 1;
            }
        }
    }

    /// Inlines all calls.
    fn inlined(&mut self) {
        if !self.best.kernel.functions().is_empty() {
            let case = FuzzCase { kernel: inline(&self.best.kernel), ..self.best.clone() };
            self.keep_if_fails(case);
        }
    }

    /// Removes unused declarations.
    fn declarations(&mut self) {
        let (types, gone): (HashSet<_>, HashSet<_>) =
            unused(&self.best.kernel).into_iter().partition(|(what, _)| *what == DeclarationKind::Type);
        // Remove all unused types at once: they may be parts of each other.
        self.attempt(ShrinkChange { gone: types, ..ShrinkChange::default() });
        let mut each: Vec<_> = gone.iter().copied().collect();
        each.sort_unstable_by_key(|&(what, index)| (format!("{what:?}"), index));
        if !gone.is_empty() && !self.attempt(ShrinkChange { gone, ..ShrinkChange::default() }) && each.len() > 1 {
            for one in each {
                if self.attempt(ShrinkChange { gone: [one].into(), ..ShrinkChange::default() }) {
                    // The others have new numbers now; the next pass finds them.
                    return;
                }
            }
        }
    }

    /// Makes domain and tile smaller.
    fn shapes(&mut self) {
        for d in 0..self.best.domain.extent.len() {
            while self.best.domain.extent[d] > 1 && self.left > 0 {
                let extent = self.best.domain.extent[d];
                let tile = self.best.kernel.tile().map_or(1, |tile| tile[d] as i32);
                let smaller = [tile, extent / 2 / tile * tile, extent - tile];
                let fit = smaller.into_iter().filter(|&e| e > 0 && e < extent);
                let fit: Vec<i32> = fit.collect();
                let done = fit.into_iter().any(|e| {
                    let mut domain = self.best.domain.extent.clone();
                    domain[d] = e;
                    self.keep_if_fails(FuzzCase { domain: Domain::new(domain), ..self.best.clone() })
                });
                if !done {
                    break;
                }
            }
            while let Some(tile) = self.best.kernel.tile().map(<[u32]>::to_vec)
                && tile[d] > 1
                && self.left > 0
            {
                let tiles = self.best.domain.extent[d] as u32 / tile[d];
                let done = [1, 2, tile[d] / 2, tile[d] - 1].into_iter().filter(|&t| t > 0 && t < tile[d]).any(|t| {
                    let mut new = tile.clone();
                    new[d] = t;
                    let rank = new.len() as u32;
                    let mut change = ShrinkChange { shape: Some((rank, Some(new))), ..ShrinkChange::default() };
                    let mut domain = self.best.domain.extent.clone();
                    domain[d] = (t * tiles) as i32;
                    let kernel = replay(&self.best.kernel, &mut change);
                    self.keep_if_fails(FuzzCase { kernel, domain: Domain::new(domain), ..self.best.clone() })
                });
                if !done {
                    break;
                }
            }
        }
    }

    /// Removes the tile, or reduces the rank to 1.
    fn simpler_shapes(&mut self) {
        let (rank, tile) = (self.best.kernel.rank(), self.best.kernel.tile().map(<[u32]>::to_vec));
        if tile.is_some() {
            self.with_shape(rank, None, self.best.domain.extent.clone());
        }
        for keep in 0..rank as usize {
            let extent = &self.best.domain.extent;
            if self.best.kernel.rank() > 1 && extent.iter().enumerate().all(|(d, &e)| d == keep || e == 1) {
                let tile = self.best.kernel.tile().map(|tile| vec![tile[keep]]);
                self.with_shape(1, tile, vec![extent[keep]]);
            }
        }
    }

    fn with_shape(&mut self, rank: u32, tile: Option<Vec<u32>>, extent: Vec<i32>) {
        let kernel =
            replay(&self.best.kernel, &mut ShrinkChange { shape: Some((rank, tile)), ..ShrinkChange::default() });
        self.keep_if_fails(FuzzCase { kernel, domain: Domain::new(extent), ..self.best.clone() });
    }

    /// Simplifies constants.
    fn constants(&mut self) {
        for constant in all_constants(&self.best.kernel) {
            let one = match constant.scalar {
                Scalar::F32 => u64::from(1f32.to_bits()),
                Scalar::F64 => 1f64.to_bits(),
                _ => 1,
            };
            for bits in [0, one, 2, constant.bits >> 16, constant.bits / 2] {
                let simpler = bits < constant.bits && (!constant.scalar.is_float() || bits == 0 || bits == one);
                let new = Const { scalar: constant.scalar, bits };
                let constants = [(constant, new)].into();
                if simpler && self.attempt(ShrinkChange { constants, ..ShrinkChange::default() }) {
                    break;
                }
            }
        }
    }

    /// Zeroes whole allocations of memory.
    fn zero(&mut self) {
        for i in 0..self.best.memory.allocations.len() {
            let mut case = self.best.clone();
            case.memory.allocations[i].fill(0);
            self.keep_if_fails(case);
        }
    }

    /// Zeroes memory, and removes allocations that no argument is bound to.
    fn memory(&mut self) {
        let mut bound: Vec<usize> = self.best.arguments.iter().filter_map(Argument::allocation).collect();
        bound.sort_unstable();
        bound.dedup();
        if bound.len() < self.best.memory.allocations.len() {
            let mut case = self.best.clone();
            case.memory.allocations =
                bound.iter().map(|&allocation| self.best.memory.allocations[allocation].clone()).collect();
            for argument in &mut case.arguments {
                if let Argument::View(tilewise_ir::launch::ViewArgument { allocation, .. })
                | Argument::Buffer { allocation, .. } = argument
                {
                    *allocation = bound.binary_search(allocation).unwrap_or(0);
                }
            }
            self.keep_if_fails(case);
        }
        for i in 0..self.best.memory.allocations.len() {
            let size = self.best.memory.allocations[i].len();
            let mut length = size;
            while length > 0 && self.left > 0 {
                for at in (0..size).step_by(length) {
                    let mut case = self.best.clone();
                    let stretch = &mut case.memory.allocations[i][at..(at + length).min(size)];
                    if stretch.iter().all(|&byte| byte == 0) {
                        continue;
                    }
                    stretch.fill(0);
                    self.keep_if_fails(case);
                }
                // Single bytes are not worth a launch each.
                length = if length > 64 { length / 4 } else { 0 };
            }
        }
        for i in 0..self.best.arguments.len() {
            let mut case = self.best.clone();
            if let Argument::Uniform(bytes) = &mut case.arguments[i]
                && bytes.iter().any(|&byte| byte != 0)
            {
                bytes.fill(0);
                self.keep_if_fails(case);
            }
        }
    }
}

/// The measure that shrinking reduces, the most important component first. Every change that is
/// kept reduces it, so shrinking ends.
fn size(case: &FuzzCase) -> [u64; 8] {
    let kernel = &case.kernel;
    let functions = || kernel.functions().iter().chain([kernel.entry()]);
    let values: usize = functions().map(|function| function.values().len() + function.params().len()).sum();
    let declared =
        kernel.params().len() + kernel.tile_vars().len() + kernel.tables().len() + kernel.types().iter().count();
    let tiled = kernel.tile().map_or(0, |tile| 1 + u64::from(tile.iter().product::<u32>()));
    let nonzero = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte != 0).count() as u64;
    let allocations = case.memory.allocations.iter().map(|allocation| 1 + nonzero(allocation)).sum::<u64>();
    let uniforms = case.arguments.iter().map(|argument| match argument {
        Argument::Uniform(bytes) => nonzero(bytes),
        Argument::View(_) | Argument::Buffer { .. } => 0,
    });
    let bits = all_constants(kernel).iter().map(|constant| u64::from(64 - constant.bits.leading_zeros())).sum();
    [
        kernel.functions().len() as u64,
        count(kernel) as u64,
        (values + declared) as u64,
        case.domain.threads(),
        tiled,
        u64::from(kernel.rank()),
        allocations + uniforms.sum::<u64>(),
        bits,
    ]
}
