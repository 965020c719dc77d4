//! Memory between pages that nobody may touch: an access outside ends the process.
#![cfg(unix)]
#![allow(unsafe_code, reason = "maps pages, forbids some of them, and launches in what lies between")]

use std::ptr;

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use tilewise_cpu_jit::bind::HostAllocation;
use tilewise_cpu_jit::run::{Engine, JitKernel, JitLaunchOptions};
use tilewise_interp as interp;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, validate};

use super::launches::engines;

/// At least the size of a page, and a multiple of it, on every machine.
const PAGE: usize = 1 << 16;

/// Where the bytes lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edge {
    /// Right behind a forbidden page.
    Begin,
    /// They end where a forbidden page begins.
    End,
}

/// Bytes between two forbidden pages.
struct Guarded {
    map: *mut u8,
    length: usize,
    /// First byte.
    at: usize,
    size: usize,
}

impl Guarded {
    /// They begin at such a multiple.
    fn new(bytes: &[u8], edge: Edge, multiple: usize) -> Guarded {
        let inner = bytes.len().next_multiple_of(PAGE).max(PAGE);
        let length = inner + 2 * PAGE;
        let last = inner - bytes.len();
        let at = if edge == Edge::Begin { PAGE } else { PAGE + last - last % multiple };
        let rights = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping where the system has room; forbidden are its own first and last pages; the bytes are copied to between these.
        let map = unsafe {
            let map =
                mmap_anonymous(ptr::null_mut(), length, rights, MapFlags::PRIVATE).expect("the system has memory");
            mprotect(map, PAGE, MprotectFlags::empty()).expect("pages can be protected");
            mprotect(map.byte_add(PAGE + inner), PAGE, MprotectFlags::empty()).expect("pages can be protected");
            ptr::copy_nonoverlapping(bytes.as_ptr(), map.cast::<u8>().add(at), bytes.len());
            map.cast()
        };
        Guarded { map, length, at, size: bytes.len() }
    }

    fn address(&self) -> u64 {
        self.map.wrapping_add(self.at).expose_provenance() as u64
    }

    /// What is there, and how much of the pages around it is no longer zero.
    fn read(&self) -> (Vec<u8>, usize) {
        // SAFETY: these pages may be read, and no launch is on.
        let inner = unsafe { std::slice::from_raw_parts(self.map.add(PAGE), self.length - 2 * PAGE) };
        let (first, end) = (self.at - PAGE, self.at - PAGE + self.size);
        let touched = inner[..first].iter().chain(&inner[end..]).filter(|&&byte| byte != 0).count();
        (inner[first..end].to_vec(), touched)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's, and nobody has its address any more.
        unsafe { munmap(self.map.cast(), self.length) }.expect("a mapping can be undone");
    }
}

/// Asserts that machine code does to memory between forbidden pages what the interpreter does elsewhere, at every width and number of threads; and that the interpreter does, which takes its place.
pub(crate) fn agree(kernel: &JitKernel, extent: &[i32], memory: &LaunchMemory, arguments: &[Argument], what: &str) {
    let domain = Domain::new(extent);
    let facts = |allocation| memory.facts(allocation);
    validate(kernel.kernel(), arguments, facts).unwrap_or_else(|misfit| panic!("{misfit}: {what}"));
    let mut expected = memory.clone();
    let outcome = interp::run(kernel.kernel(), &domain, &mut expected, arguments, &interp::Options::default());
    let outcome = outcome.unwrap_or_else(|refusal| panic!("{refusal}: {what}"));
    assert_eq!(outcome.ending, Ending::Completed, "{what}");
    for edge in [Edge::Begin, Edge::End] {
        let interpreted = (engines()[0].0, JitLaunchOptions { interpret: true, ..JitLaunchOptions::default() });
        let compiled = engines().into_iter().map(|(engine, width)| {
            (engine, JitLaunchOptions { width, no_fallback: true, ..JitLaunchOptions::default() })
        });
        for (engine, options) in compiled.chain([interpreted]) {
            let have = launch(kernel, &domain, memory, arguments, (engine, &options), edge);
            let (width, interpret) = (options.width, options.interpret);
            let of = || format!("{what}, {} threads, width {width:?}, {edge:?}, {interpret}", engine.threads());
            for (allocation, ((have, touched), want)) in have.iter().zip(&expected.allocations).enumerate() {
                let first = have.iter().zip(want).position(|(have, want)| have != want);
                assert!(first.is_none(), "byte {} of allocation {allocation} differs: {}", first.unwrap_or(0), of());
                assert_eq!(*touched, 0, "bytes around allocation {allocation} were written: {}", of());
            }
        }
    }
}

/// What a launch makes of each allocation, and how many bytes around it.
fn launch(
    kernel: &JitKernel,
    domain: &Domain,
    memory: &LaunchMemory,
    arguments: &[Argument],
    (engine, options): (&Engine, &JitLaunchOptions<'_>),
    edge: Edge,
) -> Vec<(Vec<u8>, usize)> {
    // What is changed by atomic operations begins at a multiple of their size; all else ends right before the page.
    let multiple = kernel.kernel().atomic_sizes().iter().max().map_or(1, |&size| size.max(1)) as usize;
    let guarded: Vec<Guarded> = memory.allocations.iter().map(|bytes| Guarded::new(bytes, edge, multiple)).collect();
    let allocations = guarded.iter().map(|bytes| HostAllocation { address: bytes.address(), size: bytes.size as u64 });
    let allocations: Vec<HostAllocation> = allocations.collect();
    // SAFETY: the allocations are alive, initialised and nobody else's; the engine looks whether
    // the arguments lie within.
    let ran = unsafe { engine.launch(kernel, domain, &allocations, arguments, options) };
    assert_eq!(ran.map(|ran| (ran.outcome.ending, ran.ran.narrowed)), Ok((Ending::Completed, None)));
    guarded.iter().map(Guarded::read).collect()
}
