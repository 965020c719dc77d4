//! The limits of the language on kernels and launches. The checker enforces them; a target with
//! lower limits returns `Unsupported`.

/// Threads in a tile.
pub const MAX_TILE_THREADS: u32 = 1024;
/// First dimension of a tile of rank 3.
pub const MAX_TILE_DEPTH: u32 = 64;
/// Rank of a tiled domain.
pub const MAX_TILED_RANK: usize = 3;
/// Rank of an untiled domain and of a view.
pub const MAX_RANK: u32 = 128;
/// Bytes of `tile_static` in a kernel.
pub const MAX_TILE_STATIC: u64 = 32 * 1024;
/// Bytes of local variables of one thread.
pub const MAX_PRIVATE: u64 = 64 * 1024;
/// Instructions of a kernel after its functions are inlined.
pub const MAX_INSTRUCTIONS: u64 = 100_000;
/// Nesting depth of blocks, after inlining; also of expressions in the text form.
pub const MAX_NESTING: u32 = 256;
/// Parts of a type when structs are written out, the elements of an array counted once: passes over types visit each.
pub const MAX_TYPE_PARTS: u64 = 1 << 16;
/// Threads in a launch: 2^32 - 1.
pub const MAX_THREADS: u64 = u32::MAX as u64;
/// Bytes of a constant table, and its scalars.
pub const MAX_TABLE: u64 = u16::MAX as u64 * 8;
/// Scalars of all tables of a kernel, and of a text.
pub const MAX_TABLE_SCALARS: u64 = 1 << 20;
/// Bytes of a source text: 4 MiB.
pub const MAX_TEXT: usize = 4 << 20;
/// Characters of a name in a text.
pub const MAX_NAME: usize = 255;
/// Characters of a number in a text.
pub const MAX_NUMBER: usize = 2000;
/// Parameters of a kernel or function.
pub const MAX_PARAMS: usize = 1024;
