//! The lane program: what stands between the regions of a kernel and machine code.
//!
//! A [`LaneProgram`] is a whole kernel for one *width*: neighbouring threads of a row ride in the lanes of vectors, the loops over tiles, rows and strips are in
//! it, and nothing of it is particular to a machine. [`vectorize`](crate::vectorize) makes it, `emit` turns it into Cranelift's language, `interp`
//! runs it as it stands and is what emitters are held against.
//!
//! # Values
//! Static single assignment. A value is a **scalar** or it is **lanes** ([`LaneType`]): `width` elements, one for each thread of the strip. An element is an
//! `i32`, `i64`, `f32`, `f64` or `bool` ([`Elem`]); signs belong to operations. Lanes of `bool` are a **mask**: opaque, never an integer. Pointers are `i64`
//! scalars. Lanes never meet scalars but through [`Splat`](LaneInst::Splat); constants and [`ArgumentWord`](LaneInst::Input)s are scalars. Splats, constants
//! and the lanes' numbers have no place: an emitter makes them where they are used.
//!
//! Width 1 is legal and is the scalar path: one thread at a time, by the same program.
//!
//! # Masks
//! Arithmetic takes no mask and cannot fault: what masked-off lanes compute is nobody's business. Divergence is a [`Select`](LaneInst::Select) on the values
//! that are needed afterwards. Only what touches memory takes a mask; a masked-off load gives zero, a masked-off store or atomic does nothing.
//!
//! # Memory
//! An access is described, not computed ([`LaneAddress`]): a base (a scalar pointer), a scalar offset in bytes, a constant, and how it goes on from lane to
//! lane ([`AddressStep`]): the same for all, a constant step, or an offset for each lane. Bounds are not judged here: [`vectorize`](crate::vectorize) gives each access a
//! condition or a mask, so that **an unmasked access, and every lane that is not masked off, lies in its memory**. What a masked-off lane's offset is does
//! not matter. Each access has a [`MemorySpace`]; accesses of different spaces never overlap.
//!
//! Of one program order holds: a later access of a lane sees what an earlier one of the same lane did. Between lanes of one access there is no order, but atomics
//! happen lane by lane, lowest first.
//!
//! # Control
//! A [`LaneBlock`] is nodes in order. [`If`](Node::If) asks a scalar `bool`; a mask is asked by [`Any`](LaneInst::Any) and [`All`](LaneInst::All). A
//! [`Loop`](Node::Loop) is tested at its end. [`Exit`](Node::Exit) ends the program with a status. There is no other control.
//!
//! # What a program is given
//! `given`: four `i64` scalars. For a tiled kernel the first and the end of the tiles' linear numbers. For an untiled one a rectangle: first row and
//! end, first x and end (rows count the product of all dimensions but the last); the number of columns is a multiple of the width.
//! [`ArgumentWord`](LaneInst::Input)s come out of the launch's argument block, one 64-bit word each ([`LaneProgram::inputs`] says what each is).
//! [`ArenaSizes`](LaneInst::Arena) is the worker's own memory, laid out as [`LaneProgram::arena`] says; it holds anything when the program begins.

mod address;
mod build;
mod classes;
mod dead;
mod divergence;
mod divergent_loops;
mod fuse;
pub mod interp;
pub mod launch;
mod pressure;
mod print;
mod program;
#[cfg(test)]
mod random;
mod repeatable;
mod split;
mod sum;
#[cfg(test)]
mod tests;
mod verify;
mod version;
mod walk;

pub use address::share_addresses;
pub use build::LaneBuilder;
pub(crate) use classes::LaneInstClass;
pub use dead::remove_dead;
pub use divergence::divergence;
pub use divergent_loops::leave;
pub use fuse::fuse;
pub use pressure::pressure;
pub use program::{
    AddressStep, ArenaPart, ArenaSizes, Args, ArgumentWord, Effect, Elem, ExitStatus, LaneAddress, LaneBlock,
    LaneControl, LaneInst, LaneProgram, LaneType, LaneValue, Likely, MemorySpace, MessageKind, Node, Note, ThreadStop,
};
pub use repeatable::repeatable;
pub use split::split;
pub use verify::verify;
pub use version::version;
pub(crate) use walk::{access, effect_operands, operands};
