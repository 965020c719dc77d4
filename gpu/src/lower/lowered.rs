//! The inputs of lowering besides the kernel, and its output: plain data about a module, for the
//! code that makes its buffers and reads its messages.

use std::fmt;

use tilewise_ir::kernel::{Kernel, Message, ParamKind};
use tilewise_ir::launch::{AllocationNumbers, Argument, Domain};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, round_up};

use super::launch_predicates::{Fit, IntegerSize, KnownShape, LaunchPredicates};
use super::own_stores::TextureStore;
use super::texture_units::{SamplerKey, TextureSlot, TextureUse};
use crate::exact::Exact;

/// Bytes at the start of every buffer that are not the user's: [`ZERO`] and [`SINK`].
///
/// Large enough that the data behind it keeps the alignment of a buffer without a head: a multiple
/// of a GPU's memory transaction.
pub const HEAD: u32 = 256;
/// First of 32 bytes that are always zero: out-of-range reads load from here.
pub const ZERO: u32 = 0;
/// First of 32 bytes that nothing reads: out-of-range writes store here.
pub const SINK: u32 = 32;
/// Bytes at the end of every buffer: an unaligned access also touches the word after its last.
pub const TAIL: u32 = 8;

/// Size limit, in bytes, of a buffer bound to a kernel, including [`HEAD`] and [`TAIL`]: the last
/// whole word below 2 GiB.
///
/// Lowered code relies on it. Offsets and strides are 32 bits wide, and a stride in bytes is
/// shifted right as a signed number; extents are below 2^31, so a negative index, as a `u32`,
/// exceeds each of them; a view that is [reinterpreted](tilewise_ir::kernel::InstKind::Reinterpret)
/// as bytes has at most this many elements. The [runtime](crate::run) creates and binds no larger
/// buffer.
pub const BINDING_LIMIT: u64 = (1 << 31) - 4;
/// Size limit, in bytes, of the user's part of a buffer.
pub const DATA_LIMIT: u64 = BINDING_LIMIT - HEAD as u64 - TAIL as u64;

/// The specialisation of a module: a launch with another key needs another module.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ModuleKey {
    /// One entry per parameter of the kernel.
    pub params: Vec<ModuleParam>,
    /// Strict float semantics, with the operations that the driver computes exactly; the others are
    /// computed by bits. Floats that the driver would fold as zeros are hidden by a zero loaded
    /// from a buffer, which it cannot see. `None` for Relaxed kernels.
    pub strict: Option<Exact>,
    /// The number of loop iterations after which the driver stops a thread, if it does. Then finite
    /// loops are counted too, unless their iterations are few.
    pub rounds: Option<u32>,
    /// Whether the driver makes threads meet at a fence as at a barrier, and loses threads that
    /// reach one alone. Each fence is then replaced by an atomic operation.
    pub fences_need_barriers: bool,
    /// Whether the driver keeps evaluating a loop's values for threads that have left it while
    /// others iterate, and stays in loops for lanes without a thread. Each loop then gets a second
    /// exit.
    pub inactive_lanes_run: bool,
    /// Whether the driver reads the index of an access to a thread's own array only when it makes
    /// the access, from a register that may by then hold the counter's next value. Each such index
    /// is then a value that no counter becomes.
    pub indices_read_late: bool,
    /// How numbered tiles are dispatched.
    pub numbered: Numbered,
    /// Whether the tiles of a domain of rank 2 are dispatched as rows and columns, so that no tile
    /// number has to be decomposed.
    pub grid: bool,
    /// The requested [predicates](LaunchPredicates) that hold for the launch.
    pub fits: Vec<Fit>,
    /// The size classes of captured integers, by parameter number, where the kernel requests them.
    pub sizes: Vec<Option<IntegerSize>>,
    /// The calls that texture units compute; none in Strict.
    pub textures: Vec<TextureUse>,
    /// The textures to which the kernel stores what it writes; none in Strict.
    pub stores: Vec<TextureStore>,
    /// Whether the device gives zeros for texels that a texture does not have.
    pub robust_images: bool,
    /// The reshaped views that fit the memory that they are made of.
    pub shapes: Vec<KnownShape>,
    /// Whether the tiles of an untiled kernel in a [grid](ModuleKey::grid) are squares: texture units
    /// are faster for those.
    pub square: bool,
}

/// The facts about the argument of one parameter for which a module is specialised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ModuleParam {
    /// The number of its allocation, among those of the launch in the order of first use:
    /// parameters with the same number may overlap. `None` for arguments that travel with the
    /// launch.
    pub allocation: Option<u32>,
    /// The alignment of its first byte: 1, 2, 4, 8 or 16.
    pub align: u32,
    /// Whether its elements have unit stride in the last dimension.
    pub unit: bool,
    /// Whether it is at least as large as the domain in each dimension: then a thread's own index
    /// is in range.
    pub covers: bool,
}

impl ModuleKey {
    /// The key of a launch. `wants` are the kernel's predicates.
    pub fn of(kernel: &Kernel, wants: &LaunchPredicates, domain: &Domain, arguments: &[Argument]) -> ModuleKey {
        ModuleKey::of_buffers(kernel, wants, domain, arguments, |allocation| allocation)
    }

    /// The same for a launch whose list of allocations may hold a buffer twice: `buffer` identifies
    /// the buffer of an allocation.
    pub fn of_buffers<B: PartialEq>(
        kernel: &Kernel,
        wants: &LaunchPredicates,
        domain: &Domain,
        arguments: &[Argument],
        buffer: impl Fn(usize) -> B,
    ) -> ModuleKey {
        let mut numbers = AllocationNumbers::default();
        let align = |offset: u64| 1 << offset.trailing_zeros().min(4);
        let params = kernel.params().iter().zip(arguments).map(|(_, argument)| {
            let allocation = argument.allocation().map(|allocation| numbers.number(buffer(allocation)) as u32);
            match argument {
                Argument::View(view) => {
                    let enough = |(&has, &wants): (&i32, &i32)| has >= wants;
                    let covers =
                        view.extent.len() == domain.extent.len() && view.extent.iter().zip(&domain.extent).all(enough);
                    ModuleParam { allocation, align: align(view.offset), unit: view.unit_stride(), covers }
                }
                Argument::Buffer { offset, .. } => {
                    ModuleParam { allocation, align: align(*offset), ..ModuleParam::default() }
                }
                Argument::Uniform(_) => ModuleParam::default(),
            }
        });
        ModuleKey {
            params: params.collect(),
            grid: is_grid(kernel, domain),
            numbered: numbered(kernel, domain),
            fits: wants.fits(kernel, arguments),
            sizes: wants.sizes(kernel, arguments),
            shapes: wants.shapes(domain, arguments),
            ..ModuleKey::default()
        }
    }
}

impl ModuleKey {
    /// The key of a launch that leaves these calls to texture units.
    pub(crate) fn with_textures(
        mut self,
        textures: Vec<TextureUse>,
        robust_images: bool,
        domain: &Domain,
    ) -> ModuleKey {
        if let ([_, columns], false) = (&domain.extent[..], textures.is_empty()) {
            self.square = self.grid && (*columns as u32).div_ceil(UNTILED_SQUARE[1]) <= ALONG;
        }
        self.robust_images = robust_images && !textures.is_empty();
        self.textures = textures;
        self
    }

    /// The size of the tiles of an untiled kernel in a grid.
    pub(crate) fn untiled_grid(&self) -> [u32; 2] {
        if self.square { UNTILED_SQUARE } else { UNTILED_GRID }
    }
}

/// How numbered tiles fill their dispatches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Numbered {
    /// There are too many for one dispatch.
    #[default]
    Several,
    /// One dispatch holds all, possibly with a few surplus tiles.
    One,
    /// One dispatch holds exactly all tiles of a tiled kernel.
    Exact,
}

/// The number of tiles of a launch; an untiled kernel has tiles of [`UNTILED`] threads.
pub fn tiles(kernel: &Kernel, domain: &Domain) -> u64 {
    let size = kernel.tile().map_or(u64::from(UNTILED), |tile| tile.iter().map(|&size| u64::from(size)).product());
    domain.threads().div_ceil(size)
}

/// Tiles along x and y of a single dispatch that holds `tiles` tiles, or `None`. It holds exactly
/// as many if a number of rows slightly above the minimum divides them; else a few more, unless
/// thread numbers would wrap.
pub fn rows(tiles: u64) -> Option<[u32; 2]> {
    const MORE: u64 = 64;
    const FAR: u64 = 1 << 23;
    let along = u64::from(ALONG);
    let least = tiles.div_ceil(along).max(1);
    let whole = (least..least + MORE).find(|&y| tiles.is_multiple_of(y));
    let y = whole.or((tiles < FAR).then_some(least)).filter(|&y| y <= along)?;
    Some([tiles.div_ceil(y) as u32, y as u32])
}

fn numbered(kernel: &Kernel, domain: &Domain) -> Numbered {
    let tiles = tiles(kernel, domain);
    match rows(tiles) {
        None => Numbered::Several,
        Some([x, y]) if kernel.tile().is_some() && u64::from(x) * u64::from(y) == tiles => Numbered::Exact,
        Some(_) => Numbered::One,
    }
}

/// Whether rows and columns of tiles fit one dispatch and fill it.
fn is_grid(kernel: &Kernel, domain: &Domain) -> bool {
    let [rows, columns] = domain.extent[..] else { return false };
    let fits = grid_tiles(kernel, domain, UNTILED_GRID).is_some_and(|tiles| tiles.iter().all(|&tiles| tiles <= ALONG));
    fits && (kernel.tile().is_some() || rows >= UNTILED_GRID[0] as i32 && columns >= UNTILED_GRID[1] as i32)
}

/// The tiles of a domain of rank 2: rows, columns. Those of an untiled kernel have that size.
pub fn grid_tiles(kernel: &Kernel, domain: &Domain, untiled: [u32; 2]) -> Option<[u32; 2]> {
    let (&[rows, columns], tile) = (&domain.extent[..].try_into().ok()?, kernel.tile());
    let (height, width) = match tile {
        Some(&[height, width]) => (height, width),
        Some(_) => return None,
        None => (untiled[0], untiled[1]),
    };
    let count = |extent: i32, size: u32| (extent.max(0) as u32).div_ceil(size.max(1));
    Some([count(rows, height), count(columns, width)])
}

/// Expressions of a lowered kernel: drivers compile its code as one function, some in a time that grows with the square
/// of its size, and a compiler that has no memory left ends the process.
pub const MAX_EXPRESSIONS: usize = 200_000;

/// The reason why a kernel cannot be lowered or run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}

/// The requirements on the adapter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AdapterNeeds {
    /// 64-bit floats.
    pub f64: bool,
    /// 64-bit integers.
    pub i64: bool,
    /// Atomic operations on 64-bit integers.
    pub atomic_i64: bool,
    /// Fences that not all threads of a tile reach together, which WGSL cannot express.
    pub fences: bool,
    /// The shape of a tile in threads.
    pub workgroup: [u32; 3],
    /// Bytes of `tile_static` memory.
    pub tile_bytes: u64,
    /// Storage buffers bound.
    pub storage_buffers: u32,
}

/// The kind of a message from a thread to the host.
#[derive(Clone, PartialEq, Debug)]
pub enum MessageKind {
    /// A line of output.
    Print(Message, Vec<Data>),
    /// The end of a thread by `error`.
    Error(Message, Vec<Data>),
    /// The end of a thread by `abort`.
    Abort,
    /// A barrier, with its number of enclosing loops.
    Barrier(u32),
    /// A `return`.
    Return,
}

/// A location in the kernel that messages refer to.
#[derive(Clone, PartialEq, Debug)]
pub struct MessageSite {
    /// The position in the source.
    pub pos: Pos,
    /// The kind of message.
    pub kind: MessageKind,
}

/// First words of the message buffer. The log follows: each entry is [its words, its site, its
/// thread, ..]. The [reserve](message::RESERVE) follows the log and has entries of the same form.
pub mod message {
    /// Status bits: [`TIRED`], [`DIVERGED`].
    pub const STATUS: u32 = 0;
    /// Words of the log that were requested, possibly more than it has.
    pub const USED: u32 = 1;
    /// The number of threads that ended by `error` or `abort`.
    pub const ENDED: u32 = 2;
    /// The lowest such thread; all ones if there is none.
    pub const LOWEST: u32 = 3;
    /// Words of the [reserve](RESERVE) that were requested, possibly more than it has.
    pub const RESERVE_USED: u32 = 4;
    /// The number of the lowest tile with a barrier divergence; all ones if there is none.
    pub const LOWEST_TILE: u32 = 5;
    /// The log begins here.
    pub const LOG: u32 = 6;
    /// The last words of the buffer. Prints leave them to other entries that find the log full: the
    /// divergence reports of several tiles fit.
    pub const RESERVE: u32 = (1 << 17) - LOG;
    /// A thread has spent its budget of iterations.
    pub const TIRED: u32 = 1;
    /// Threads of a tile diverged at a barrier.
    pub const DIVERGED: u32 = 2;
    /// In place of a site: a thread reached the end of the kernel while others waited.
    pub const AT_END: u32 = u32::MAX;
}

/// First words of the argument block.
pub mod block {
    /// 0, for constants that no driver may see.
    pub const ZERO: u32 = 0;
    /// The number of the first tile of this dispatch. Tiles of an untiled kernel have
    /// [`UNTILED`](super::UNTILED) threads.
    pub const FIRST: u32 = 1;
    /// Tiles along x.
    pub const ROW: u32 = 2;
    /// Tiles of the launch; threads, if the kernel is untiled.
    pub const TOTAL: u32 = 3;
    /// Loop iterations that a thread may execute.
    pub const BUDGET: u32 = 4;
    /// Words in the message buffer.
    pub const MESSAGES: u32 = 5;
    /// First word of the domain's extents.
    pub const DOMAIN: u32 = 8;
}

/// The words of the argument block that describe a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamWords {
    /// First byte in its buffer, then extents, then strides in bytes.
    View {
        /// The word.
        at: u32,
        /// Bytes from one element to the next at unit stride.
        size: u32,
    },
    /// First byte in its buffer, number of bytes.
    Buffer {
        /// The word.
        at: u32,
    },
    /// The words of its components.
    Value {
        /// The word.
        at: u32,
    },
    /// A range of the constants buffer.
    Aggregate {
        /// First byte, [`HEAD`] not counted.
        at: u32,
    },
}

/// The layout of the argument block in words, and of the constants buffer in bytes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArgumentLayout {
    /// One entry per parameter.
    pub params: Vec<ParamWords>,
    /// Words of the block, a multiple of 4.
    pub words: u32,
    /// Bytes of the constants, tables first; 0 if there are none.
    pub constants: u32,
    /// First byte of each table.
    pub tables: Vec<u32>,
}

impl ArgumentLayout {
    /// The layout for a kernel, or an error if its constants or elements are too large to bind.
    pub fn of(kernel: &Kernel) -> Result<ArgumentLayout, Unsupported> {
        let types = kernel.types();
        let mut layout = ArgumentLayout { words: block::DOMAIN + 2 * kernel.rank(), ..ArgumentLayout::default() };
        for table in kernel.tables() {
            let at = layout.constant(types.size(table.ty))?;
            layout.tables.push(at);
        }
        for param in kernel.params() {
            let at = layout.words;
            let words = match param.kind {
                ParamKind::View(view) => {
                    let size = types.element_size(view.element);
                    let size = bindable(size, || format!("an element of `{}`", param.name))?;
                    layout.params.push(ParamWords::View { at, size });
                    1 + 2 * view.rank
                }
                ParamKind::Buffer { .. } => {
                    layout.params.push(ParamWords::Buffer { at });
                    2
                }
                ParamKind::Uniform(ty) => match types.value(ty) {
                    Some(data) => {
                        layout.params.push(ParamWords::Value { at });
                        u32::from(data.width) * data.scalar.bits().div_ceil(32)
                    }
                    None => {
                        let at = layout.constant(types.size(ty))?;
                        layout.params.push(ParamWords::Aggregate { at });
                        0
                    }
                },
            };
            // At most 1024 parameters of rank 128, so this cannot wrap.
            layout.words += words;
        }
        layout.words = layout.words.next_multiple_of(4);
        Ok(layout)
    }

    /// Reserves `size` bytes for a constant. Returns its first byte.
    fn constant(&mut self, size: u64) -> Result<u32, Unsupported> {
        let at = self.constants;
        let all = u64::from(at).saturating_add(round_up(size, 4));
        self.constants = bindable(all, || "all tables and captured structs and arrays together".to_owned())?;
        Ok(at)
    }
}

/// The size in bytes of data that must fit a bound buffer, which is below 2^31; otherwise the
/// kernel cannot be lowered. `what` names the data.
pub(super) fn bindable(size: u64, what: impl FnOnce() -> String) -> Result<u32, Unsupported> {
    match u32::try_from(size) {
        Ok(bytes) if size <= DATA_LIMIT => Ok(bytes),
        _ => Err(Unsupported(format!("{} takes {size} bytes; a buffer is bound with at most {DATA_LIMIT}", what()))),
    }
}

/// Threads of a tile of an untiled kernel; the tiles are not visible to the kernel.
pub const UNTILED: u32 = 256;
/// The same as rows and columns, for tiles that are dispatched as such.
pub const UNTILED_GRID: [u32; 2] = [8, 32];
/// The same for kernels that sample textures.
const UNTILED_SQUARE: [u32; 2] = [16, 16];
/// Most tiles along a dimension of a dispatch.
pub const ALONG: u32 = 65_535;

/// How often the loops of a kernel iterate in a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LoopBounds {
    /// A few thousand times at most, all together, whatever the kernel is launched with.
    #[default]
    Few,
    /// They come to an end.
    Finite,
    /// One may never end by itself.
    Open,
}

/// A lowered kernel.
///
/// Bindings, all of group 0: 0 the argument block (uniform), 1 the message buffer, 2 the constants,
/// from 3 on the allocations, then the textures, then the samplers, then the textures that are written.
/// Resources that a kernel does not
/// use are not bound.
#[derive(Clone, Debug)]
pub struct LoweredModule {
    /// The module, valid, with one entry point called `main`.
    pub module: naga::Module,
    /// The layout of the argument block.
    pub layout: ArgumentLayout,
    /// Whether the kernel writes each allocation.
    pub allocations: Vec<bool>,
    /// Whether there is a message buffer.
    pub messages: bool,
    /// The sites that messages refer to.
    pub sites: Vec<MessageSite>,
    /// How often its loops iterate.
    pub loops: LoopBounds,
    /// The textures that it samples.
    pub textures: Vec<TextureSlot>,
    /// The samplers that it uses.
    pub samplers: Vec<SamplerKey>,
    /// The textures that it writes.
    pub stores: Vec<TextureStore>,
    /// The requirements on the adapter.
    pub needs: AdapterNeeds,
}

impl LoweredModule {
    /// The binding of the first texture; the samplers follow the textures, and those the textures that are
    /// written.
    pub fn first_texture(&self) -> u32 {
        binding::ALLOCATIONS + self.allocations.len() as u32
    }

    /// The bindings of buffers, in order.
    pub fn bindings(&self) -> Vec<u32> {
        let mut out = vec![binding::BLOCK];
        out.extend(self.messages.then_some(binding::MESSAGES));
        out.extend((self.layout.constants > 0).then_some(binding::CONSTANTS));
        out.extend((0..self.allocations.len() as u32).map(|allocation| binding::ALLOCATIONS + allocation));
        out
    }
}

/// Bindings of a module.
pub mod binding {
    /// The argument block.
    pub const BLOCK: u32 = 0;
    /// The message buffer.
    pub const MESSAGES: u32 = 1;
    /// Tables and aggregates.
    pub const CONSTANTS: u32 = 2;
    /// The first allocation.
    pub const ALLOCATIONS: u32 = 3;
}
