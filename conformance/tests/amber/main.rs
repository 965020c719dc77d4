//! Scripts of Amber: the text of each error, changed scripts, and the assembler. `kir` runs the scripts of
//! `kernels/amber` on every target.

#[path = "../random/change.rs"]
mod change;
#[path = "../random/mod.rs"]
mod random;

mod assembly;
mod block_names;
mod errors;
mod long_images;
mod mutations;
mod refused;
mod shared_binding;
mod specialization;
mod targets;
