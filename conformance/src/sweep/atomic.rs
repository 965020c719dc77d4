//! The cells of atomic operations: on elements that a thread owns, in views and in `tile_static`, where
//! the value before and after is known; and on five elements that all threads change, where the order
//! does not matter.

use std::fmt::Write as _;

use tilewise_ir::check::Checked;
use tilewise_ir::diag::Colour;
use tilewise_ir::kernel::{AtomicOp, Kernel};
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};
use tilewise_ir::types::Scalar;

use super::cells::SweptAtomic;
use super::forms::SweepShape;
use super::level::SweepLevel;
use super::oracle::arguments::{Random, random};
use super::oracle::integers;
use super::oracle::judge::same;
use super::oracle::soft;
use super::run::{CellStop, Launcher};
use super::values::{edges, is_nan, literal, shown};
use crate::kir::case;

/// The elements that all threads change.
const SHARED: usize = 5;

/// Random pairs at the level `quick`; at the others this many times more.
const QUICK: usize = 1 << 10;
const MORE: usize = 64;

/// The pattern of elements before a launch that must be written.
const POISON: u64 = 0xa5a5_a5a5_a5a5_a5a5;

/// The value that the operation leaves.
fn changed(op: SweptAtomic, scalar: Scalar, old: u64, expected: u64, value: u64) -> u64 {
    let change = match op {
        SweptAtomic::CompareExchange if old == expected => return value,
        SweptAtomic::CompareExchange => return old,
        SweptAtomic::Change(AtomicOp::Exchange) => return value,
        SweptAtomic::Change(AtomicOp::Add) if scalar == Scalar::F32 => return soft::add(soft::F32, old, value),
        SweptAtomic::Change(change) => change,
    };
    // Only integers are left.
    let number = |bits| integers::value(scalar, bits).unwrap_or(0);
    let (a, b) = (number(old), number(value));
    let by_bit = |holds: fn(u64, u64) -> bool| {
        (0..scalar.bits()).filter(|&i| holds(old >> i & 1, value >> i & 1)).map(|i| 1u64 << i).sum()
    };
    match change {
        AtomicOp::Add => integers::wrap(scalar, a + b),
        AtomicOp::Sub => integers::wrap(scalar, a - b),
        AtomicOp::Inc => integers::wrap(scalar, a + 1),
        AtomicOp::Dec => integers::wrap(scalar, a - 1),
        AtomicOp::Min => {
            if b < a {
                value
            } else {
                old
            }
        }
        AtomicOp::Max => {
            if b > a {
                value
            } else {
                old
            }
        }
        AtomicOp::And => by_bit(|a, b| a + b == 2),
        AtomicOp::Or => by_bit(|a, b| a + b > 0),
        AtomicOp::Xor => by_bit(|a, b| a != b),
        AtomicOp::Exchange => value,
    }
}

/// Is the final value the same in any order?
fn is_commutative(op: SweptAtomic, scalar: Scalar) -> bool {
    match op {
        SweptAtomic::CompareExchange => false,
        SweptAtomic::Change(change) => scalar != Scalar::F32 && change != AtomicOp::Exchange,
    }
}

/// The instruction on a place.
fn text(op: SweptAtomic, place: &str, expected: &str, value: &str) -> String {
    match op {
        SweptAtomic::CompareExchange => format!("atomic_compare_exchange({place}, {expected}, {value})"),
        SweptAtomic::Change(change @ (AtomicOp::Inc | AtomicOp::Dec)) => format!("{}({place})", change.name()),
        SweptAtomic::Change(change) => format!("{}({place}, {value})", change.name()),
    }
}

/// The operands of a thread.
struct Operands {
    old: Vec<u64>,
    expected: Vec<u64>,
    value: Vec<u64>,
}

fn operands(scalar: Scalar, random_pairs: usize) -> Operands {
    let list = edges(scalar);
    let mut source = Random(scalar as u64 + 77);
    let mut pairs: Vec<(u64, u64)> = list.iter().flat_map(|&a| list.iter().map(move |&b| (a, b))).collect();
    pairs.extend((0..random_pairs).map(|_| (random(scalar, &mut source), random(scalar, &mut source))));
    // Of floats the bits of a NaN are not specified, and sums make them.
    let is_number = |bits: u64| !is_nan(scalar, bits);
    pairs.retain(|&(a, b)| is_number(a) && is_number(b));
    let old: Vec<u64> = pairs.iter().map(|pair| pair.0).collect();
    let other = |(at, &bits): (usize, &u64)| if at % 2 == 0 { bits } else { old[(at * 7 + 1) % old.len()] };
    let expected = old.iter().enumerate().map(other).collect();
    Operands { expected, value: pairs.iter().map(|pair| pair.1).collect(), old }
}

/// The parts of a kernel: view, and its elements before and after.
struct View {
    name: &'static str,
    is_written: bool,
    before: Vec<u64>,
    after: Vec<u64>,
}

fn compile(text: &str) -> Result<Checked<Kernel>, CellStop> {
    let rejected = |why: case::Rejection| format!("the kernel is rejected\n{}\n{text}", why.render(Colour::Never));
    case::compile("sweep.kir", text).map_err(rejected).map_err(CellStop::Wrong)
}

/// Runs a cell.
pub(super) fn run(
    op: SweptAtomic,
    scalar: Scalar,
    level: SweepLevel,
    launcher: &mut Launcher<'_>,
) -> Result<(), CellStop> {
    let every = level > SweepLevel::Quick;
    let given = operands(scalar, if every { MORE * QUICK } else { QUICK });
    for (turn, shape) in [SweepShape::Line, SweepShape::Tiles, SweepShape::OddTiles].into_iter().enumerate() {
        let threads = shape.threads(given.old.len());
        let (text, views) = program(op, scalar, shape, &given, threads);
        let kernel = compile(&text)?;
        let size = scalar.bits() as usize / 8;
        let bytes = |values: &[u64]| values.iter().flat_map(|bits| bits.to_le_bytes()[..size].to_vec()).collect();
        let dense =
            |(number, view): (usize, &View)| Argument::View(ViewArgument::dense(number, &[view.before.len() as i32]));
        let arguments: Vec<Argument> = views.iter().enumerate().map(dense).collect();
        let before = LaunchMemory::new(views.iter().map(|view| bytes(&view.before)).collect());
        for &way in launcher.variants(every || turn == 0, turn) {
            let domain = Domain::new(shape.domain(threads));
            let after = launcher.launch(&kernel, &domain, &arguments, &before, way)?;
            for (view, bytes) in views.iter().zip(&after.allocations) {
                let got = bytes.chunks(size).map(|bytes| bytes.iter().rev().fold(0, |all, &b| all << 8 | u64::from(b)));
                let unequal = got.zip(&view.after).enumerate().filter(|(_, (a, b))| !same(scalar, *a, **b));
                let tolerance = launcher.judged.tolerance;
                // What is only read stays as it is.
                let is_near = |got: u64, want: u64| view.is_written && tolerance.allows_scalar(want, got, scalar);
                let (near, wrong): (Vec<_>, Vec<_>) = unequal.partition(|&(_, (got, &want))| is_near(got, want));
                *launcher.within_tolerance |= !near.is_empty();
                if let Some(&(at, (got, &want))) = wrong.first() {
                    // Such as subnormal sums, which a device may take for zero there.
                    if launcher.target.is_relaxed() && scalar.is_float() {
                        return Err(CellStop::Relaxed);
                    }
                    return Err(CellStop::Wrong(format!(
                        "{} wrong in `{}`, the first is element {at}, before {}\n  got      {}\n  expected {}\n  \
                         variant {way}, kernel:\n{text}",
                        wrong.len(),
                        view.name,
                        shown(scalar, view.before[at]),
                        shown(scalar, got),
                        shown(scalar, want),
                    )));
                }
            }
        }
    }
    Ok(())
}

/// The text of a kernel, and its views.
fn program(
    op: SweptAtomic,
    scalar: Scalar,
    shape: SweepShape,
    given: &Operands,
    threads: usize,
) -> (String, Vec<View>) {
    let cyclic = |list: &[u64]| (0..threads).map(|i| list[i % list.len()]).collect::<Vec<u64>>();
    let [old, expected, value] = [&given.old, &given.expected, &given.value].map(|list| cyclic(list));
    let mask = u64::MAX >> (64 - scalar.bits());
    let poison = vec![POISON & mask; threads];
    let constant = edges(scalar)[2];
    let result = |i: usize, value: u64| changed(op, scalar, old[i], expected[i], value);
    let all = |value: &dyn Fn(usize) -> u64| (0..threads).map(|i| result(i, value(i))).collect::<Vec<u64>>();
    let kept = |name, list: &[u64]| View { name, is_written: false, before: list.to_vec(), after: list.to_vec() };
    let written =
        |name, before: &[u64], after: Vec<u64>| View { name, is_written: true, before: before.to_vec(), after };
    let mut views = vec![
        kept("old", &old),
        kept("other", &expected),
        kept("value", &value),
        written("owned", &old, all(&|i| value[i])),
        written("known", &old, all(&|_| constant)),
        written("seen", &poison, old.clone()),
    ];
    let exchange = op == SweptAtomic::CompareExchange;
    let mut body = format!("    let i = {};\n", shape.index());
    let line = |body: &mut String, line: &str| {
        // Writing to a `String` cannot fail.
        let _ = writeln!(body, "    {line}");
    };
    let owned = text(op, "owned[i]", "other[i]", "value[i]");
    let known = text(op, "known[i]", "other[i]", &literal(scalar, constant));
    match exchange {
        true => {
            line(&mut body, &format!("let (a, _) = {owned};"));
            line(&mut body, &format!("let (_, _) = {known};"));
        }
        false => {
            line(&mut body, &format!("let a = {owned};"));
            line(&mut body, &format!("{known};"));
        }
    }
    line(&mut body, "seen[i] = a;");
    let mut memory = String::new();
    if let Some(tile) = match shape {
        SweepShape::Line | SweepShape::Rows => None,
        SweepShape::Tiles => Some(32),
        SweepShape::OddTiles => Some(27),
    } {
        memory = format!("    tile_static t: [{}; {tile}];\n", scalar.name());
        let on_tile = text(op, "t[local[0]]", "other[i]", "value[i]");
        line(&mut body, "t[local[0]] = old[i];");
        match exchange {
            true => line(&mut body, &format!("let (b, _) = {on_tile};")),
            false => line(&mut body, &format!("let b = {on_tile};")),
        }
        line(&mut body, "seen_t[i] = b;");
        line(&mut body, "left_t[i] = t[local[0]];");
        views.push(written("seen_t", &poison, old.clone()));
        views.push(written("left_t", &poison, all(&|i| value[i])));
    }
    if is_commutative(op, scalar) {
        let mut shared = old[..SHARED].to_vec();
        let before = shared.clone();
        for (i, &value) in value.iter().enumerate() {
            shared[i % SHARED] = changed(op, scalar, shared[i % SHARED], 0, value);
        }
        line(&mut body, &format!("{};", text(op, &format!("shared[i % {SHARED}]"), "", "value[i]")));
        views.push(written("shared", &before, shared));
    }
    let param = |view: &View| {
        let access = if view.is_written { "read_write" } else { "read" };
        format!("{}: view<{}, 1, {access}>", view.name, scalar.name())
    };
    let params: Vec<String> = views.iter().map(param).collect();
    (format!("kernel sweep({}) {} {{\n{memory}{body}}}\n", params.join(", "), shape.attribute()), views)
}
