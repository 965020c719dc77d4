//! What lowering takes beside the kernel, and what it gives: plain data about a module, for whoever makes its buffers and reads its messages.

use std::fmt;

use tilewise_ir::kernel::{Kernel, Message, ParamKind};
use tilewise_ir::launch::{AllocationNumbers, Argument, Domain};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, round_up};

use super::launch_predicates::{Fit, IntegerSize, LaunchPredicates};
use crate::exact::Exact;

/// Bytes at the start of every buffer that are not the user's: [`ZERO`] and [`SINK`].
///
/// So many that what begins behind them lies as in a buffer without a head: at a multiple of what a GPU fetches at once.
pub const HEAD: u32 = 256;
/// First byte of 32 that are always zero: what is out of range is read here.
pub const ZERO: u32 = 0;
/// First byte of 32 that nobody reads: what is out of range is written here.
pub const SINK: u32 = 32;
/// Bytes at the end of every buffer: an access that is not aligned takes in the word behind its last.
pub const TAIL: u32 = 8;

/// Bytes that a buffer may have which is bound to a kernel, [`HEAD`] and [`TAIL`] counted: the last whole word below 2 GiB.
///
/// Lowered code relies on it. Offsets and strides are 32 bits wide, and a stride in bytes is shifted down as a signed number; extents are below 2^31, so that a negative index, as a
/// `u32`, is beyond each; a view that is [reinterpreted](tilewise_ir::kernel::InstKind::Reinterpret) as bytes has at most so many elements.
/// The [runtime](crate::run) makes and binds no buffer that is larger.
pub const BINDING_LIMIT: u64 = (1 << 31) - 4;
/// Bytes of them that are the user's at most.
pub const DATA_LIMIT: u64 = BINDING_LIMIT - HEAD as u64 - TAIL as u64;

/// What a module is specialised for: a launch whose key is another needs another module.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ModuleKey {
    /// For each parameter of the kernel.
    pub params: Vec<ModuleParam>,
    /// Floats mean what they say, and this is what the driver does by itself as it should; what it does not is computed by bits, and floats that it would compute with as zeros
    /// are hidden by a zero that comes out of a buffer, where it cannot see it. Nothing for Relaxed kernels.
    pub strict: Option<Exact>,
    /// Rounds of loops that the driver lets a thread take, if it stops a thread after some: then loops are counted though they are finite, unless they are few.
    pub rounds: Option<u32>,
    /// Does the driver have threads meet at a fence as at a barrier, and lose those that come to it alone? Then an atomic operation stands for each.
    pub fences_need_barriers: bool,
    /// Does the driver compute the values of a loop for threads that have left it too, as long as others go on, and stay in loops for lanes that have no thread? Then each loop has a second way out.
    pub inactive_lanes_run: bool,
    /// How tiles that are numbered are dispatched.
    pub numbered: Numbered,
    /// Are the tiles of a domain of rank 2 dispatched as rows and columns, so that no number has to be taken apart?
    pub grid: bool,
    /// What holds of the numbers of the launch, of that which the kernel [wants](LaunchPredicates) to know.
    pub fits: Vec<Fit>,
    /// The sizes of captured integers, by number of the parameter, where they are wanted.
    pub sizes: Vec<Option<IntegerSize>>,
}

/// What a module knows of what is bound to a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ModuleParam {
    /// The number of the allocation that it lies in, among those of the launch in the order of
    /// first use: parameters of one number may overlap. Nothing for what travels with the launch.
    pub allocation: Option<u32>,
    /// Bytes that its first byte is a multiple of: 1, 2, 4, 8 or 16.
    pub align: u32,
    /// Do its elements lie side by side along the last dimension?
    pub unit: bool,
    /// Is it at least as large as the domain in each dimension? Then a thread's own index is in range.
    pub covers: bool,
}

impl ModuleKey {
    /// The key of a launch. `wants` are the kernel's.
    pub fn of(kernel: &Kernel, wants: &LaunchPredicates, domain: &Domain, arguments: &[Argument]) -> ModuleKey {
        ModuleKey::of_buffers(kernel, wants, domain, arguments, |allocation| allocation)
    }

    /// The same of a launch whose list of allocations may have a buffer twice: `buffer` tells
    /// buffers apart.
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
            ..ModuleKey::default()
        }
    }
}

/// How tiles that are numbered fill their dispatches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Numbered {
    /// There are too many for one dispatch.
    #[default]
    Several,
    /// One dispatch holds all, and a few more perhaps.
    One,
    /// One dispatch holds all and no more, of a kernel with tiles of its own.
    Exact,
}

/// How many tiles a launch has; of an untiled kernel, of [`UNTILED`] threads.
pub fn tiles(kernel: &Kernel, domain: &Domain) -> u64 {
    let size = kernel.tile().map_or(u64::from(UNTILED), |tile| tile.iter().map(|&size| u64::from(size)).product());
    domain.threads().div_ceil(size)
}

/// Tiles along x and y of the one dispatch that holds so many, if one can: as many as there are where a few more rows than needed divide them, else a few
/// more, but not where numbers of threads would wrap.
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

/// Do rows and columns of tiles fit a dispatch, and fill it?
fn is_grid(kernel: &Kernel, domain: &Domain) -> bool {
    let [rows, columns] = domain.extent[..] else { return false };
    let fits = grid_tiles(kernel, domain).is_some_and(|tiles| tiles.iter().all(|&tiles| tiles <= ALONG));
    fits && (kernel.tile().is_some() || rows >= UNTILED_GRID[0] as i32 && columns >= UNTILED_GRID[1] as i32)
}

/// Tiles of a domain of rank 2: rows, columns.
pub fn grid_tiles(kernel: &Kernel, domain: &Domain) -> Option<[u32; 2]> {
    let (&[rows, columns], tile) = (&domain.extent[..].try_into().ok()?, kernel.tile());
    let (height, width) = match tile {
        Some(&[height, width]) => (height, width),
        Some(_) => return None,
        None => (UNTILED_GRID[0], UNTILED_GRID[1]),
    };
    let count = |extent: i32, size: u32| (extent.max(0) as u32).div_ceil(size.max(1));
    Some([count(rows, height), count(columns, width)])
}

/// Why a kernel cannot be lowered, or not run: what is missing, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}

/// What an adapter must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AdapterNeeds {
    /// 64-bit floats.
    pub f64: bool,
    /// 64-bit integers.
    pub i64: bool,
    /// Atomic operations on 64-bit integers.
    pub atomic_i64: bool,
    /// Fences where not all threads of a tile come together, which WGSL cannot say.
    pub fences: bool,
    /// Threads of a tile, and in which shape.
    pub workgroup: [u32; 3],
    /// Bytes of `tile_static` memory.
    pub tile_bytes: u64,
    /// Buffers bound for storage.
    pub storage_buffers: u32,
}

/// The way in which threads speak to the host.
#[derive(Clone, PartialEq, Debug)]
pub enum MessageKind {
    /// A line of output.
    Print(Message, Vec<Data>),
    /// The end of a thread.
    Error(Message, Vec<Data>),
    /// The same without words.
    Abort,
    /// A barrier, with so many loops around it.
    Barrier(u32),
    /// A `return`.
    Return,
}

/// A place of the kernel that messages name.
#[derive(Clone, PartialEq, Debug)]
pub struct MessageSite {
    /// Where it stands.
    pub pos: Pos,
    /// What it says.
    pub kind: MessageKind,
}

/// First words of the message buffer. Behind them is the log: each entry is [its words, its site, its thread, ..].
pub mod message {
    /// Bits of what happened: [`TIRED`], [`DIVERGED`].
    pub const STATUS: u32 = 0;
    /// Words of the log that were asked for, more perhaps than there are.
    pub const USED: u32 = 1;
    /// Threads that ended by `error` or `abort`.
    pub const ENDED: u32 = 2;
    /// The lowest of them; all ones before there is one.
    pub const LOWEST: u32 = 3;
    /// The log begins here.
    pub const LOG: u32 = 4;
    /// A thread came to the end of its budget of rounds.
    pub const TIRED: u32 = 1;
    /// Threads of a tile did not meet at one barrier.
    pub const DIVERGED: u32 = 2;
    /// Instead of a site: a thread came to the end of the kernel while others waited.
    pub const AT_END: u32 = u32::MAX;
}

/// First words of the argument block.
pub mod block {
    /// 0, for constants that no driver may see.
    pub const ZERO: u32 = 0;
    /// The number of the first tile (of [`UNTILED`](super::UNTILED) threads, if the kernel is untiled) of this dispatch.
    pub const FIRST: u32 = 1;
    /// Tiles along x.
    pub const ROW: u32 = 2;
    /// Tiles (of an untiled kernel, threads) of the launch.
    pub const TOTAL: u32 = 3;
    /// Rounds of loops that a thread may take.
    pub const BUDGET: u32 = 4;
    /// Words in the message buffer.
    pub const MESSAGES: u32 = 5;
    /// The domain's extents come here.
    pub const DOMAIN: u32 = 8;
}

/// Where in the argument block a parameter is described.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamWords {
    /// First byte in its buffer, then extents, then strides in bytes.
    View {
        /// The word.
        at: u32,
        /// Bytes from one element to the next where they lie side by side.
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
    /// A place in the constants.
    Aggregate {
        /// First byte, [`HEAD`] not counted.
        at: u32,
    },
}

/// Words of the argument block and bytes of the constants.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArgumentLayout {
    /// For each parameter.
    pub params: Vec<ParamWords>,
    /// Words of the block, a multiple of 4.
    pub words: u32,
    /// Bytes of the constants, tables first; 0 if there are none.
    pub constants: u32,
    /// For each table, its first byte.
    pub tables: Vec<u32>,
}

impl ArgumentLayout {
    /// The layout for a kernel, if all that it has to be bound can be.
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
            // At most 1024 parameters of rank 128: far from a wrap.
            layout.words += words;
        }
        layout.words = layout.words.next_multiple_of(4);
        Ok(layout)
    }

    /// Makes room for a constant of so many bytes; gives its first byte.
    fn constant(&mut self, size: u64) -> Result<u32, Unsupported> {
        let at = self.constants;
        let all = u64::from(at).saturating_add(round_up(size, 4));
        self.constants = bindable(all, || "all tables and captured structs and arrays together".to_owned())?;
        Ok(at)
    }
}

/// A number of bytes that is to lie in a buffer that is bound: it is below 2^31, or the kernel cannot be lowered. `what` has so many.
pub(super) fn bindable(size: u64, what: impl FnOnce() -> String) -> Result<u32, Unsupported> {
    match u32::try_from(size) {
        Ok(bytes) if size <= DATA_LIMIT => Ok(bytes),
        _ => Err(Unsupported(format!("{} takes {size} bytes; a buffer is bound with at most {DATA_LIMIT}", what()))),
    }
}

/// Threads of a tile of an untiled kernel, whose tiles nobody sees.
pub const UNTILED: u32 = 256;
/// The same as rows and columns, where tiles are dispatched so.
pub const UNTILED_GRID: [u32; 2] = [8, 32];
/// Most tiles along a dimension of a dispatch.
pub const ALONG: u32 = 65_535;

/// A lowered kernel.
///
/// Bindings, all of group 0: 0 the argument block (uniform), 1 the message buffer, 2 the constants,
/// from 3 on the allocations. What a kernel has no use for is not bound.
#[derive(Clone, Debug)]
pub struct LoweredModule {
    /// The module, valid, with one entry point called `main`.
    pub module: naga::Module,
    /// The argument block.
    pub layout: ArgumentLayout,
    /// For each allocation, whether the kernel writes there.
    pub allocations: Vec<bool>,
    /// Is there a message buffer?
    pub messages: bool,
    /// What messages name.
    pub sites: Vec<MessageSite>,
    /// What the adapter must have.
    pub needs: AdapterNeeds,
}

impl LoweredModule {
    /// The bindings, in order.
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
