//! What a kernel's closure asks of the launch that it runs in on `native`. The launch's side is [`native`](crate::native).

use super::{Constant, Fence, Ty};
use crate::native::{self, here};

/// The calling thread waits for the threads of its tile.
///
/// # Panics
/// Outside a launch.
#[track_caller]
pub fn native_barrier(_: Fence) {
    if !here::barrier() {
        outside("a barrier");
    }
}

/// The writes of the calling thread are ordered for its tile: as one thread runs at a time, they are.
///
/// # Panics
/// Outside a launch.
#[track_caller]
pub fn native_fence(_: Fence) {
    if !here::inside() {
        outside("a fence");
    }
}

#[track_caller]
fn outside(what: &str) -> ! {
    panic!(
        "unsupported feature: {what} outside a kernel: it belongs to the threads of a tile, and there is no tile here"
    );
}

/// `print!("..", a)`: pieces and values in turn. Outside a launch the line comes at once.
pub fn print(pieces: &[&str], values: &[Constant]) {
    native::say(text(pieces, values));
}

/// `error!("..", a)`: ends the thread.
///
/// # Panics
/// Outside a launch, with the message.
#[track_caller]
pub fn error(pieces: &[&str], values: &[Constant]) -> ! {
    here::fail(Some(text(pieces, values)))
}

/// `abort!()`: ends the thread.
///
/// # Panics
/// Outside a launch.
#[track_caller]
pub fn abort() -> ! {
    here::fail(None)
}

/// Does something to the variable of the tile that is declared as number `id` of a kernel or function, in the line of `declared`; it is zero when the tile begins.
///
/// # Panics
/// Outside a launch over tiles.
#[track_caller]
pub fn with_tile_static<T: Send + 'static, R>(
    id: u32,
    declared: &'static std::panic::Location<'static>,
    zero: fn() -> T,
    access: impl FnOnce(&mut T) -> R,
) -> R {
    match here::with_tile_static(native::Variable { id, declared }, zero, access) {
        Some(result) => result,
        None => outside("a `tile_static` variable"),
    }
}

/// A message as all targets write it.
fn text(pieces: &[&str], values: &[Constant]) -> String {
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

/// A value: as `ir` prints it, what has parts as its parts in parentheses.
fn show(out: &mut String, ty: &Ty, leaves: &mut &[u64]) {
    let data = match ty {
        Ty::Data(data) => *data,
        Ty::Enum(of) => super::Data { scalar: of.scalar, width: 1 },
        Ty::Index(rank) | Ty::Extent(rank) => {
            let (mine, rest) = leaves.split_at((*rank as usize).min(leaves.len()));
            *leaves = rest;
            let components: Vec<String> = mine.iter().map(|&leaf| (leaf as u32 as i32).to_string()).collect();
            out.push_str(&format!("({})", components.join(", ")));
            return;
        }
        _ => {
            out.push('?');
            return;
        }
    };
    let (mine, rest) = leaves.split_at(usize::from(data.width).min(leaves.len()));
    *leaves = rest;
    tilewise_ir::print::value(out, data, mine);
}
