//! Requests of a kernel's closure to the launch that it runs in on `native`. The launch's side is
//! [`native`](crate::targets::native).

use tilewise_ir::format::ValueFormat;
use tilewise_lower::WrittenValue;

use super::{Fence, RustConstant};
use crate::targets::native::{self, running};

/// The calling thread waits for the threads of its tile.
///
/// # Panics
/// Outside a launch.
#[track_caller]
pub fn native_barrier(_: Fence) {
    if !running::barrier() {
        outside("a barrier");
    }
}

/// Orders the writes of the calling thread for its tile. One thread runs at a time, so they are
/// ordered already.
///
/// # Panics
/// Outside a launch.
#[track_caller]
pub fn native_fence(_: Fence) {
    if !running::inside() {
        outside("a fence");
    }
}

/// An iteration of a loop in a closure begins: leaves the closure if its launch is over, by its time limit
/// or because it was cancelled.
#[inline(always)]
pub fn iteration() {
    running::iteration();
}

/// What the loops of an `#[amp]` function ask in each iteration. Where the function is called by a kernel, its launch
/// has begun before; where the host calls it, nothing is asked, and its loops cost what they cost without the attribute.
#[derive(Clone, Copy, Debug)]
pub struct WatchedLoops {
    has_launches: bool,
}

impl WatchedLoops {
    /// For a function that begins.
    #[inline(always)]
    pub fn here() -> WatchedLoops {
        WatchedLoops { has_launches: running::has_launches() }
    }

    /// As [`iteration`].
    #[inline(always)]
    pub fn iteration(self) {
        if self.has_launches {
            running::iteration_of_a_launch();
        }
    }
}

#[track_caller]
fn outside(what: &str) -> ! {
    panic!(
        "unsupported feature: {what} outside a kernel: it belongs to the threads of a tile, and there is no tile here"
    );
}

/// `print!("..", a)`: pieces and values alternate, and each value has a format. Outside a launch the
/// line is printed at once.
///
/// # Panics
/// Outside a launch, if a value cannot be written.
#[track_caller]
pub fn print(pieces: &[&str], values: &[RustConstant], formats: &[&str]) {
    native::say(text(pieces, values, formats));
}

/// `error!("..", a)`: ends the thread.
///
/// # Panics
/// Outside a launch, with the message.
#[track_caller]
pub fn error(pieces: &[&str], values: &[RustConstant], formats: &[&str]) -> ! {
    running::fail(Some(text(pieces, values, formats)))
}

/// `abort!()`: ends the thread.
///
/// # Panics
/// Outside a launch.
#[track_caller]
pub fn abort() -> ! {
    running::fail(None)
}

/// Accesses the tile's variable of a declaration; it is zero when the tile begins.
///
/// # Panics
/// Outside a launch over tiles.
#[track_caller]
pub fn with_tile_static<T: Send + 'static, R>(
    declared: &'static super::Declared,
    zero: fn() -> T,
    access: impl FnOnce(&mut T) -> R,
) -> R {
    match running::with_tile_static(native::Variable::of(declared), zero, access) {
        Some(result) => result,
        None => outside("a `tile_static` variable"),
    }
}

/// The text of a message, as all targets write it.
#[track_caller]
fn text(pieces: &[&str], values: &[RustConstant], formats: &[&str]) -> String {
    let mut out = String::new();
    let mut values = values.iter().zip(formats);
    for piece in pieces {
        out.push_str(piece);
        if let Some((value, format)) = values.next() {
            show(&mut out, value, &ValueFormat::parse(format).unwrap_or_default());
        }
    }
    out
}

/// A value: as `ir` prints it, an aggregate as its parts.
#[track_caller]
fn show(out: &mut String, value: &RustConstant, format: &ValueFormat) {
    // The other targets refuse the kernel.
    let Some(written) = WrittenValue::of(&value.ty, format) else {
        let what =
            "a value in a message that kernels cannot write: only numbers can be written, and what consists of them";
        running::fail(Some(what.to_owned()));
    };
    let mut leaves = value.leaves.as_slice();
    let mut numbers = written.leaves.iter();
    for piece in &written.pieces {
        out.push_str(piece);
        let Some(leaf) = numbers.next() else { continue };
        let (mine, rest) = leaves.split_at(usize::from(leaf.data.width).min(leaves.len()));
        leaves = rest;
        let bits = |&bits: &u64| match (leaf.base, leaf.mask) {
            (0, None) => bits,
            (base, None) => (bits as u32).wrapping_add(base).into(),
            (_, Some(mask)) => bits & u64::from(mask),
        };
        let lanes: Vec<u64> = mine.iter().map(bits).collect();
        tilewise_ir::print::formatted(out, leaf.data, &lanes, &leaf.format);
    }
}
