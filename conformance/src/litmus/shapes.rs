//! The tests: the classic shapes, in each memory and placement, with each kind of order between the
//! two accesses of a thread.

use tilewise_ir::kernel::Fence;

use super::program::{LitmusMemory, LitmusPlacement, LitmusStep, LitmusTest};

/// An access of a shape.
#[derive(Clone, Copy, Debug)]
enum Access {
    /// Reads a location.
    R(usize),
    /// Writes a value to a location.
    W(usize, u32),
    /// Adds 1 to a location.
    Add(usize),
    /// Writes to a location what the thread has read last.
    Pass(usize),
    /// The place of a fence or barrier.
    Between,
}

use Access::{Add, Between, Pass, R, W};

const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

/// The shapes: name, a sentence, and the threads.
const SHAPES: &[(&str, &str, &[&[Access]])] = &[
    ("mp", "message passing: data, then a flag", &[&[W(X, 1), Between, W(Y, 1)], &[R(Y), Between, R(X)]]),
    ("sb", "store buffering", &[&[W(X, 1), Between, R(Y)], &[W(Y, 1), Between, R(X)]]),
    ("lb", "load buffering", &[&[R(X), Between, W(Y, 1)], &[R(Y), Between, W(X, 1)]]),
    ("s", "S: a write is overtaken by one behind a read", &[&[W(X, 2), Between, W(Y, 1)], &[R(Y), Between, W(X, 1)]]),
    ("r", "R: two writes, and a write before a read", &[&[W(X, 1), Between, W(Y, 1)], &[W(Y, 2), Between, R(X)]]),
    ("2+2w", "two writes in each of two threads", &[&[W(X, 1), Between, W(Y, 2)], &[W(Y, 1), Between, W(X, 2)]]),
    (
        "iriw",
        "independent reads of independent writes",
        &[&[W(X, 1)], &[W(Y, 1)], &[R(X), Between, R(Y)], &[R(Y), Between, R(X)]],
    ),
    ("wrc", "write to read causality", &[&[W(X, 1)], &[R(X), Between, W(Y, 1)], &[R(Y), Between, R(X)]]),
    ("rwc", "read to write causality", &[&[W(X, 1)], &[R(X), Between, R(Y)], &[W(Y, 1), Between, R(X)]]),
    (
        "isa2",
        "a message that is passed on",
        &[&[W(X, 1), Between, W(Y, 1)], &[R(Y), Between, W(Z, 1)], &[R(Z), Between, R(X)]],
    ),
    (
        "mp-chain",
        "a flag that another thread adds to on the way",
        &[&[W(X, 1), Between, W(Y, 1)], &[Add(Y)], &[R(Y), Between, R(X)]],
    ),
    ("corr", "coherence of two reads", &[&[W(X, 1)], &[R(X), Between, R(X)]]),
    ("cowr", "coherence of a write and a read", &[&[W(X, 1), Between, R(X)], &[W(X, 2)]]),
    ("corw", "coherence of a read and a write", &[&[R(X), Between, W(X, 1)], &[W(X, 2)]]),
    ("coww", "coherence of two writes", &[&[W(X, 1), Between, W(X, 2)], &[R(X)]]),
    ("add", "two additions to one location", &[&[Add(X)], &[Add(X)]]),
    ("thin-air", "two copies in a circle", &[&[R(X), Pass(Y)], &[R(Y), Pass(X)]]),
];

/// The sentence of a shape.
pub fn sentence(shape: &str) -> &'static str {
    SHAPES.iter().find(|entry| entry.0 == shape).map_or("", |entry| entry.1)
}

/// How the accesses of a thread are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AccessKind {
    /// All atomic.
    Atomic,
    /// Plain, except those of `y` and `z`.
    PlainData,
    /// All plain.
    Plain,
}

/// All tests.
pub fn tests() -> Vec<LitmusTest> {
    use LitmusMemory::{Global, TileStatic};
    use LitmusPlacement::{OneTile, TileEach};
    let mut out = Vec::new();
    for &(shape, _, threads) in SHAPES {
        let has_order = threads.iter().any(|thread| thread.iter().any(|access| matches!(access, Between)));
        let has_two = threads.iter().flat_map(|thread| thread.iter()).any(|access| location(access) == Some(Y));
        let mut of = |placement, memories: [LitmusMemory; 3], memory: &str, kind, order: Option<LitmusStep>| {
            let place = match placement {
                OneTile => "tile",
                TileEach => "tiles",
            };
            let order_name = match order {
                None => "none".to_owned(),
                Some(LitmusStep::Barrier(fence)) => format!("barrier-{}", fence.name()),
                Some(LitmusStep::Fence(fence)) => format!("fence-{}", fence.name()),
                Some(_) => return,
            };
            let suffix = match kind {
                AccessKind::Atomic => "",
                AccessKind::PlainData => "-data",
                AccessKind::Plain => "-plain",
            };
            let name = format!("{shape}{suffix}/{place}/{memory}/{order_name}");
            out.push(test(name, placement, &memories, threads, kind, order));
        };
        let mut layouts =
            vec![([Global; 3], "global", Fence::Global), ([TileStatic; 3], "tile_static", Fence::TileStatic)];
        if has_two {
            layouts.push(([Global, TileStatic, TileStatic], "both", Fence::All));
        }
        for (memories, memory, fence) in layouts {
            of(OneTile, memories, memory, AccessKind::Atomic, None);
            if !has_order {
                continue;
            }
            of(OneTile, memories, memory, AccessKind::Atomic, Some(LitmusStep::Fence(fence)));
            of(OneTile, memories, memory, AccessKind::Plain, Some(LitmusStep::Barrier(fence)));
            let other = match fence {
                Fence::All | Fence::TileStatic => Fence::Global,
                Fence::Global => Fence::TileStatic,
            };
            of(OneTile, memories, memory, AccessKind::Atomic, Some(LitmusStep::Fence(other)));
            if matches!(shape, "mp" | "isa2" | "mp-chain") {
                of(OneTile, memories, memory, AccessKind::PlainData, Some(LitmusStep::Fence(fence)));
            }
        }
        of(TileEach, [Global; 3], "global", AccessKind::Atomic, None);
        if has_order {
            of(TileEach, [Global; 3], "global", AccessKind::Atomic, Some(LitmusStep::Fence(Fence::All)));
        }
    }
    out
}

fn location(access: &Access) -> Option<usize> {
    match *access {
        R(at) | W(at, _) | Add(at) | Pass(at) => Some(at),
        Between => None,
    }
}

fn test(
    name: String,
    placement: LitmusPlacement,
    memories: &[LitmusMemory; 3],
    shape: &[&[Access]],
    kind: AccessKind,
    order: Option<LitmusStep>,
) -> LitmusTest {
    let count = shape.iter().flat_map(|thread| thread.iter().filter_map(location)).max().map_or(0, |last| last + 1);
    let mut registers = 0;
    let mut threads = Vec::new();
    for accesses in shape {
        let mut steps = Vec::new();
        for access in *accesses {
            let is_plain = match kind {
                AccessKind::Atomic => false,
                AccessKind::PlainData => location(access) == Some(X),
                AccessKind::Plain => true,
            };
            let mut register = || {
                registers += 1;
                registers - 1
            };
            steps.push(match *access {
                R(location) if is_plain => LitmusStep::Load { location, register: register() },
                R(location) => LitmusStep::AtomicRead { location, register: register() },
                W(location, value) if is_plain => LitmusStep::Store { location, value },
                W(location, value) => LitmusStep::AtomicWrite { location, value },
                Add(location) => LitmusStep::AtomicAdd { location, value: 1, register: register() },
                Pass(location) => LitmusStep::AtomicCopy { location, from: registers - 1 },
                Between => match order {
                    Some(order) => order,
                    None => continue,
                },
            });
        }
        // All threads of a tile meet at its barriers.
        let is_barrier = |step: &LitmusStep| matches!(step, LitmusStep::Barrier(_));
        if let Some(barrier) = order.filter(is_barrier).filter(|_| !steps.iter().any(is_barrier)) {
            steps.push(barrier);
        }
        threads.push(steps);
    }
    LitmusTest { name, placement, locations: memories[..count].to_vec(), threads, registers }
}
