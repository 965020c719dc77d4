//! The lane program: the vector IR between a kernel's barrier regions and machine code.
//!
//! A [`LaneProgram`] is a whole kernel for one *width*: each vector holds neighbouring threads of a
//! row, one per lane, and the loops over tiles, rows and strips are explicit. It is independent of
//! the machine. [`vectorize`](crate::vectorize) builds it, `emit` lowers it to Cranelift IR, and
//! `interp` executes it directly, as the reference that emitters are tested against.
//!
//! - `program` is the data, `build` its builder, `verify` its rules, `print` its text;
//! - `walk`, `classes`, `sum`, `significant`, `divergence`, `pressure`, `near` and `repeatable` are queries;
//! - `split`, `version`, `address`, `arm_choice`, `counted`, `divergent_loops`, `estimate`, `exact`, `fuse`,
//!   `own_runs`, `late_values`, `invariant_loads`, `narrow_rows` and `dead` are passes, which `optimise` runs in order;
//!   `machine` has the sizes that their budgets depend on;
//! - `launch` runs a kernel in `interp`.
//!
//! # Values
//! Static single assignment. A value is a **scalar** or it is **lanes** ([`LaneType`]): `width`
//! elements, one for each thread of the strip. An element is an `i32`, `i64`, `f32`, `f64` or
//! `bool` ([`Elem`]); signedness belongs to operations. Lanes of `bool` are a **mask**: opaque,
//! never an integer. Pointers are `i64` scalars. Lanes and scalars mix only through
//! [`Splat`](LaneInst::Splat); constants and [`ArgumentWord`](LaneInst::Input)s are scalars.
//! Splats, constants and lane indices have no fixed position: an emitter materialises them where
//! they are used.
//!
//! Width 1 is legal and is the scalar path: the same program runs one thread at a time.
//!
//! # Masks
//! Arithmetic takes no mask and cannot fault; its results in masked-off lanes are ignored.
//! Divergence is a [`Select`](LaneInst::Select) on the values that are needed afterwards. Only
//! memory operations take a mask; a masked-off load yields zero, a masked-off store or atomic has
//! no effect.
//!
//! # Memory
//! An access describes its address symbolically ([`LaneAddress`]): a base (a scalar pointer), a
//! scalar offset in bytes, a constant, and the step from lane to lane ([`AddressStep`]): zero, a
//! constant, or an offset for each lane. Accesses contain no bounds check:
//! [`vectorize`](crate::vectorize) guards each with a condition or a mask, so that **an unmasked
//! access, and every lane that is not masked off, lies in its memory**. The offset of a masked-off
//! lane is arbitrary. Each access has a [`MemorySpace`]; accesses of different spaces never
//! overlap.
//!
//! Within one lane, accesses keep program order: a later access sees the effects of an earlier one.
//! The lanes of one access are unordered, except that atomics execute lane by lane, lowest first.
//!
//! # Control
//! A [`LaneBlock`] is nodes in order. [`If`](Node::If) branches on a scalar `bool`;
//! [`Any`](LaneInst::Any) and [`All`](LaneInst::All) reduce a mask to one. A [`Loop`](Node::Loop)
//! is tested at its end. [`Exit`](Node::Exit) ends the program with a status. There is no other
//! control.
//!
//! # Inputs of a program
//! `given`: four `i64` scalars. For a tiled kernel, the first and end linear tile numbers. For an
//! untiled one a rectangle: first row and end, first x and end (rows count the product of all
//! dimensions but the last); the number of columns is a multiple of the width.
//! [`ArgumentWord`](LaneInst::Input)s come from the launch's argument block, one 64-bit word each
//! ([`LaneProgram::inputs`] describes each word). [`ArenaSizes`](LaneInst::Arena) is the worker's
//! own memory, laid out by [`LaneProgram::arena`]; its contents are arbitrary when the program
//! begins.

mod address;
mod arm_choice;
mod build;
mod classes;
mod counted;
mod dead;
mod divergence;
mod divergent_loops;
mod dying_factor;
mod estimate;
mod exact;
mod fuse;
pub mod interp;
mod invariant_loads;
mod late_values;
pub mod launch;
mod machine;
mod narrow_rows;
mod near;
mod optimise;
mod own_runs;
mod prefetch;
mod pressure;
mod print;
mod program;
#[cfg(test)]
mod random;
mod repeatable;
mod rounds;
mod row_groups;
mod running_offsets;
mod significant;
mod split;
mod sum;
#[cfg(test)]
mod tests;
mod verify;
mod version;
mod walk;

pub use address::share_addresses;
pub use arm_choice::choose_in_arms;
pub use build::LaneBuilder;
pub(crate) use build::{BuildMark, scalar_of};
pub(crate) use classes::LaneInstClass;
pub use counted::shorten_counted;
pub use dead::remove_dead;
pub use divergence::divergence;
pub use divergent_loops::leave;
pub use dying_factor::dying_factors_first;
pub use estimate::estimate;
pub use exact::fuse_exact;
pub use fuse::fuse;
pub use invariant_loads::hoist_loads;
pub use late_values::move_values_late;
pub use machine::VectorMachine;
pub use narrow_rows::join_narrow_rows;
pub(crate) use near::near_offsets;
pub use optimise::{OptimiseGoals, optimise};
pub use own_runs::read_own_runs;
pub use prefetch::prefetch;
pub(crate) use pressure::crowded_constants;
pub use pressure::{RegisterPressure, pressure};
pub use program::{
    AddressStep, ArenaPart, ArenaSizes, Args, ArgumentWord, Effect, Elem, ExitStatus, LaneAddress, LaneBlock,
    LaneControl, LaneInst, LaneProgram, LaneType, LaneValue, Likely, MemorySpace, MessageKind, Node, Note, OwnRuns,
    ShortLoops, ThreadStop,
};
pub use repeatable::{polls, repeatable};
pub use rounds::reads_in_rounds;
pub(crate) use row_groups::{GroupRole, MovedRows, row_groups};
pub use running_offsets::run_offsets;
#[cfg(test)]
pub use split::jam_rows_of;
pub use split::{jam_rows, promote, split};
pub use verify::verify;
pub use version::version;
pub(crate) use walk::{access, effect_operands, operands};
