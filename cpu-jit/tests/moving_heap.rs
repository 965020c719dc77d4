//! Compiled code holds addresses of lists that the compiler has made. They stay where they are, in whatever
//! memory an allocator gives: this program's moves each block that changes its size, and overwrites the old one.
#![allow(unsafe_code, reason = "is the allocator of its program")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;

use tilewise_cpu_jit::emit::CodeForm;
use tilewise_cpu_jit::run::{Engine, EngineOptions, JitKernel, JitLaunchOptions};
use tilewise_ir::check::check;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, ViewArgument};
use tilewise_ir::text::parse;

/// The system's allocator, but that no block grows or shrinks in its place.
struct MovingHeap;

// SAFETY: each block is one of the system's. A block that changes its size is replaced by another one, with the
// same bytes as far as both have them.
unsafe impl GlobalAlloc for MovingHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller guarantees the block and its layout, and that a layout of the new size is one.
        unsafe {
            let new = System.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, layout.size().min(size));
                block.write_bytes(0, layout.size());
                System.dealloc(block, layout);
            }
            new
        }
    }
}

#[global_allocator]
static HEAP: MovingHeap = MovingHeap;

/// Numbers of a struct: the copy to a variable, whose parts of all lanes lie side by side, has as many runs.
const NUMBERS: usize = 20;
const ELEMENTS: usize = 128;

const COPIES: &str = "struct Many { a: [u32; 20] }
kernel k(to: view<Many, 1, read_write>, from: view<Many, 1, read>) rank(1) {
    let i = global[0];
    var x: Many;
    copy(x, from[i]);
    x.a[i % 20] = x.a[i % 20] + 1u32;
    copy(to[i], x);
}";

#[test]
fn lists_in_machine_code_stay_where_they_are() {
    let kernel = check(parse("k.kir", COPIES).expect("it is a kernel")).expect("it obeys the rules");
    let kernel = JitKernel::new(Arc::new(kernel));
    let engine = Engine::new(EngineOptions { threads: Some(1), ..EngineOptions::default() });
    let extent = [ELEMENTS as i32];
    let numbers = |plus: u32| -> Vec<u8> {
        let number = |n: usize| n as u32 + if n % NUMBERS == n / NUMBERS % NUMBERS { plus } else { 0 };
        (0..ELEMENTS * NUMBERS).flat_map(|n| number(n).to_ne_bytes()).collect()
    };
    let arguments = [0, 1].map(|number| Argument::View(ViewArgument::dense(number, &extent)));
    // A form that the machine lacks is replaced by one that it has.
    for form in CodeForm::ALL {
        let options = JitLaunchOptions { form: Some(form), no_fallback: true, ..JitLaunchOptions::default() };
        let mut memory = LaunchMemory::new(vec![vec![0; ELEMENTS * NUMBERS * 4], numbers(0)]);
        let ran = engine.run(&kernel, &Domain::new(extent), &mut memory, &arguments, &options);
        assert_eq!(ran.map(|ran| ran.outcome.ending), Ok(Ending::Completed), "{form:?}");
        assert!(memory.allocations[0] == numbers(1), "{form:?}");
    }
}
