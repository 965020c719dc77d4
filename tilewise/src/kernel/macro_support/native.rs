//! Requests of a kernel's closure to the launch that it runs in on `native`. The launch's side is
//! [`native`](crate::targets::native).

use std::borrow::Borrow;
use std::iter::repeat_n;

use super::{Fence, RustConstant, RustType};
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

#[track_caller]
fn outside(what: &str) -> ! {
    panic!(
        "unsupported feature: {what} outside a kernel: it belongs to the threads of a tile, and there is no tile here"
    );
}

/// `print!("..", a)`: pieces and values alternate. Outside a launch the line is printed at once.
pub fn print(pieces: &[&str], values: &[RustConstant]) {
    native::say(text(pieces, values));
}

/// `error!("..", a)`: ends the thread.
///
/// # Panics
/// Outside a launch, with the message.
#[track_caller]
pub fn error(pieces: &[&str], values: &[RustConstant]) -> ! {
    running::fail(Some(text(pieces, values)))
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
fn text(pieces: &[&str], values: &[RustConstant]) -> String {
    let mut out = String::new();
    let mut values = values.iter();
    for piece in pieces {
        out.push_str(piece);
        if let Some(value) = values.next() {
            show(&mut out, &value.ty, &mut value.leaves.as_slice());
        }
    }
    out
}

/// Parts between brackets.
fn several<P: Borrow<RustType>>(
    out: &mut String,
    [open, close]: [&str; 2],
    parts: impl Iterator<Item = P>,
    leaves: &mut &[u64],
) {
    out.push_str(open);
    for (i, part) in parts.enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        show(out, part.borrow(), leaves);
    }
    out.push_str(close);
}

/// A value: as `ir` prints it, an aggregate as its parts in brackets.
fn show(out: &mut String, ty: &RustType, leaves: &mut &[u64]) {
    let component = RustType::Data(super::Data { scalar: super::Scalar::I32, width: 1 });
    let data = match ty {
        RustType::Data(data) => *data,
        RustType::Small(stored) => super::Data { scalar: stored.value(), width: 1 },
        RustType::Enum(of) => {
            let Some((leaf, rest)) = leaves.split_first() else { return out.push('?') };
            *leaves = rest;
            let discriminant = (*leaf as u32).wrapping_add(of.zero());
            let data = super::Data { scalar: of.scalar, width: 1 };
            return tilewise_ir::print::value(out, data, &[discriminant.into()]);
        }
        RustType::Unit => return out.push_str("()"),
        RustType::Tuple(parts) => return several(out, ["(", ")"], parts.iter(), leaves),
        RustType::Struct(of) => return several(out, ["{", "}"], of.fields.iter().map(|field| &field.ty), leaves),
        RustType::Array(element, count) => {
            return several(out, ["[", "]"], repeat_n(&**element, *count as usize), leaves);
        }
        RustType::Index(rank) | RustType::Extent(rank) => {
            return several(out, ["(", ")"], repeat_n(&component, *rank as usize), leaves);
        }
        RustType::TiledExtent(tile) => return several(out, ["(", ")"], repeat_n(&component, tile.len()), leaves),
        // Values that cannot be printed: these types are not plain data.
        RustType::Variants(_)
        | RustType::TiledIndex(_)
        | RustType::Barrier
        | RustType::View { .. }
        | RustType::TileStatic(_)
        | RustType::Atomic(_) => {
            return out.push('?');
        }
    };
    let (mine, rest) = leaves.split_at(usize::from(data.width).min(leaves.len()));
    *leaves = rest;
    tilewise_ir::print::value(out, data, mine);
}
