//! Launches where the system has little memory left: an error, not a panic.
//!
//! The test starts itself again with a limit on its address space.

use std::process::Command;

#[cfg(feature = "import")]
use tilewise::Shader;
use tilewise::prelude::*;
use tilewise::{Completion, copy_async_into};

/// Set in the process with little memory.
const INSIDE: &str = "TILEWISE_TEST_LITTLE_MEMORY";

#[derive(Clone, Copy, AmpStruct)]
struct Large {
    numbers: [u32; 4 << 20],
}

/// The compiler's accelerator without threads of its own, which take room too.
#[cfg(target_os = "linux")]
fn jit_of_one_thread() -> AcceleratorView {
    let jit = Accelerator::new("jit").expect("it is always there").view_builder().threads(1).create();
    jit.expect("it has a thread")
}

/// All memory that is left, but for less than a piece of a MiB.
#[cfg(target_os = "linux")]
fn all_that_is_left() -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    loop {
        let mut piece = Vec::new();
        if piece.try_reserve_exact(1 << 20).is_err() {
            return pieces;
        }
        pieces.push(piece);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_closure_that_needs_a_large_stack_ends_with_an_error_if_there_is_none() {
    if std::env::var_os(INSIDE).is_some() {
        let elements = ArrayView::<Large>::without_source(1).expect("there is room for it");
        let native = Accelerator::new("native").expect("it is always there").default_view();
        let ended = parallel_for_each!((&native, elements.extent()), |i| {
            elements[i].numbers[5] = 3;
        });
        assert!(matches!(ended, Err(tilewise::Error::OutOfMemory(bytes)) if bytes > 12 * (16 << 20)), "{ended:?}");
        return;
    }
    again_with("a_closure_that_needs_a_large_stack_ends_with_an_error_if_there_is_none", 200_000);
}

#[test]
#[cfg(target_os = "linux")]
fn the_checks_of_the_reference_end_with_an_error_if_there_is_no_room_for_them() {
    if std::env::var_os(INSIDE).is_some() {
        // The checks need four bytes for each byte.
        let numbers = ArrayView::<u32>::without_source(100 << 20).expect("there is room for it");
        let reference = Accelerator::new("reference").expect("it is always there").default_view();
        let ended = parallel_for_each!((&reference, Extent::<1>::new([100 << 10])), |i| {
            // One write in each page of the checks.
            numbers[i[0] * 1024] = 1;
        });
        assert!(matches!(ended, Err(tilewise::Error::OutOfMemory(bytes)) if bytes >= 4 * (400 << 20)), "{ended:?}");
        // There is memory again, and the view works.
        let few = ArrayView::<u32>::without_source(1000).expect("there is room for it");
        parallel_for_each!((&reference, few.extent()), |i| {
            few[i] = 7;
        })
        .expect("there is room for these checks");
        assert_eq!(few.get(999).expect("it was written"), 7);
        return;
    }
    again_with("the_checks_of_the_reference_end_with_an_error_if_there_is_no_room_for_them", 1_200_000);
}

#[test]
#[cfg(target_os = "linux")]
fn a_launch_on_a_small_stack_ends_with_an_error_if_there_is_no_room_for_another() {
    if std::env::var_os(INSIDE).is_some() {
        let launches = || {
            let numbers = ArrayView::<u32>::without_source(100).expect("there is room for it");
            let targets = ["native", "reference", "jit"]
                .map(|path| Accelerator::new(path).expect("it is always there").default_view());
            let kernel = kernel!(|i: Index<1>| numbers[i] += 1);
            let fill = all_that_is_left();
            for target in &targets {
                let ended = target.parallel_for_each(numbers.extent(), &kernel);
                assert!(matches!(ended, Err(tilewise::Error::OutOfMemory(_))), "{ended:?}");
                let ended = kernel.prepare(target);
                assert!(matches!(ended, Ok(()) | Err(tilewise::Error::OutOfMemory(_))), "{ended:?}");
            }
            // There is memory again, and nothing has been kept of the failure.
            drop(fill);
            for (target, count) in targets.iter().zip(1..) {
                target.parallel_for_each(numbers.extent(), &kernel).expect("there is room");
                assert_eq!(numbers.get(99).expect("it is there"), count);
            }
        };
        let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(launches).expect("there is room");
        thread.join().expect("no thread panics");
        return;
    }
    again_with("a_launch_on_a_small_stack_ends_with_an_error_if_there_is_no_room_for_another", 600_000);
}

#[test]
#[cfg(all(target_os = "linux", feature = "import"))]
fn a_shader_ends_with_an_error_if_there_is_no_room_for_a_stack() {
    const TEXT: &str = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
        @compute @workgroup_size(1) fn main() { a[0] += 1u; }";
    if std::env::var_os(INSIDE).is_some() {
        let uses = || {
            let numbers = ArrayView::<u32>::without_source(1).expect("there is room for it");
            let reference = Accelerator::new("reference").expect("it is always there").default_view();
            let shader = Shader::from_wgsl("a.wgsl", TEXT).expect("there is room");
            let entry = shader.entry("main").expect("there is room").bind_named("a", &numbers).expect("it fits");
            let fill = all_that_is_left();
            let ended = [
                Shader::from_wgsl("a.wgsl", TEXT).map(drop),
                Shader::from_spirv("a.spv", &[0; 64]).map(drop),
                shader.entry("main").map(drop),
                entry.dispatch(&reference, [1, 1, 1]),
            ];
            drop(fill);
            for ended in ended {
                assert!(matches!(ended, Err(tilewise::Error::OutOfMemory(_))), "{ended:?}");
            }
            entry.dispatch(&reference, [1, 1, 1]).expect("there is room again");
            assert_eq!(numbers.get(0).expect("it is there"), 1);
        };
        let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(uses).expect("there is room");
        thread.join().expect("no thread panics");
        return;
    }
    again_with("a_shader_ends_with_an_error_if_there_is_no_room_for_a_stack", 600_000);
}

#[test]
#[cfg(target_os = "linux")]
fn a_copy_with_gaps_needs_no_room_for_each_row() {
    if std::env::var_os(INSIDE).is_some() {
        const ROWS: usize = 5_000_000;
        let table = ArrayView::<u8, 2>::without_source((ROWS, 2)).expect("there is room for it");
        let (first, second) = (table.section((0, 0), (ROWS, 1)), table.section((0, 1), (ROWS, 1)));
        let mut numbers = vec![0u8; ROWS];
        numbers[ROWS - 1] = 7;
        copy(&numbers, &first).expect("a slice to a column");
        copy(&first, &second).expect("a column to a column");
        numbers.fill(0);
        copy(&second, &mut numbers).expect("a column to a slice");
        assert_eq!((numbers[ROWS - 1], numbers[ROWS - 2]), (7, 0));
        let back = copy_async_into(&second, numbers).and_then(Completion::get);
        assert_eq!(back.expect("a column in the background")[ROWS - 1], 7);
        return;
    }
    again_with("a_copy_with_gaps_needs_no_room_for_each_row", 200_000);
}

#[test]
#[cfg(target_os = "linux")]
fn a_section_with_more_rows_than_can_be_listed_is_an_error_where_kernels_are_interpreted() {
    const NAME: &str = "a_section_with_more_rows_than_can_be_listed_is_an_error_where_kernels_are_interpreted";
    if std::env::var_os(INSIDE).is_some() {
        const ROWS: usize = 12_000_000;
        let reference = Accelerator::new("reference").expect("it is always there").default_view();
        let table = ArrayView::<u8, 2>::without_source((ROWS, 2)).expect("there is room for it");
        let first = table.section((0, 0), (ROWS, 1));
        let few = table.section((0, 0), (1000, 1));
        let kernel = kernel!(|i: Index<1>| first[(i[0], 0)] = 1);
        let kernel_of_few = kernel!(|i: Index<1>| few[(i[0], 0)] = 1);
        // The compiler's accelerator interprets too, as the variable below says.
        for target in [reference, jit_of_one_thread()] {
            let ended = target.parallel_for_each(Extent([4]), &kernel);
            assert!(matches!(ended, Err(tilewise::Error::OutOfMemory(_))), "{ended:?}");
            target.parallel_for_each(Extent([4]), &kernel_of_few).expect("there is room for these");
            assert_eq!(few.get((3, 0)).expect("it was written"), 1);
            few.set((3, 0), 0).expect("it can be written");
        }
        return;
    }
    again_with_variable(NAME, 600_000, ("TILEWISE_FALLBACK", "always"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_launch_ends_with_an_error_if_there_is_no_room_for_the_memory_of_a_tile() {
    if std::env::var_os(INSIDE).is_some() {
        let jit = jit_of_one_thread();
        let view = ArrayView::from_vec(1024, vec![0_u32; 1024]).expect("there is room for it");
        // What lives across the barrier is 32 MB, of all threads.
        let kernel = kernel!(|t: TiledIndex<1, 1024>| {
            let mut own = [0_u32; 8000];
            for k in 0..8000 {
                own[k] = view[t.global] + k as u32;
            }
            t.barrier.wait();
            let mut sum = 0_u32;
            for k in 0..8000 {
                sum += own[(k * 7) % 8000];
            }
            view[t.global] = sum;
        });
        let tiles = view.extent().tile::<1024>();
        jit.parallel_for_each(tiles, &kernel).expect("there is room for it");
        // The optimised code is compiled in the background.
        std::thread::sleep(std::time::Duration::from_secs(2));
        let mut fill = all_that_is_left();
        fill.truncate(fill.len() - 12);
        let ended = jit.parallel_for_each(tiles, &kernel);
        assert!(matches!(ended, Err(tilewise::Error::OutOfMemory(bytes)) if bytes > 32_000_000), "{ended:?}");
        drop(fill);
        jit.parallel_for_each(tiles, &kernel).expect("there is room again");
        return;
    }
    again_with("a_launch_ends_with_an_error_if_there_is_no_room_for_the_memory_of_a_tile", 1_000_000);
}

#[test]
#[cfg(target_os = "linux")]
fn the_bytes_of_a_large_texture_are_an_error_only_if_there_is_no_room_for_them() {
    if std::env::var_os(INSIDE).is_some() {
        // 2,304,000,000 bytes, more than a dimension of a view can have; none are touched.
        let jit = Accelerator::new("jit").expect("it is always there").default_view();
        let texture = tilewise::graphics::Texture::<Float4, 2>::builder((12_000, 12_000)).on(&jit);
        let texture = texture.build().expect("there is room for it");
        for ended in [texture.to_bytes(), texture.to_bytes_of_all_levels(), texture.read_view().to_bytes()] {
            let ended = ended.map(|bytes| bytes.len());
            assert!(matches!(ended, Err(tilewise::Error::OutOfMemory(2_304_000_000))), "{ended:?}");
        }
        return;
    }
    again_with("the_bytes_of_a_large_texture_are_an_error_only_if_there_is_no_room_for_them", 3_500_000);
}

#[test]
#[cfg(target_os = "linux")]
fn the_texels_of_a_large_texture_are_an_error_if_there_is_no_room_for_them() {
    use tilewise::graphics::{Bits8, Texture, Unorm, copy_async_from};
    if std::env::var_os(INSIDE).is_some() {
        let jit = jit_of_one_thread();
        // 144 MB, and as numbers four times as much.
        let texture = Texture::<Unorm, 2, Bits8>::builder((12_000, 12_000)).on(&jit).build().expect("there is room");
        let all = texture.section((0, 0), (12_000, 12_000)).expect("it has these");
        for ended in [texture.to_vec(), texture.read_view().to_vec(), all.to_vec()] {
            let ended = ended.map(|texels| texels.len());
            assert!(matches!(ended, Err(tilewise::Error::OutOfMemory(576_000_000))), "{ended:?}");
        }
        drop((texture, all));
        // The copy in the background has its own texels.
        let large = Texture::<f32, 2>::builder((10_000, 7_000)).on(&jit).build().expect("there is room");
        let ended = copy_async_from(vec![0.0_f32; 70_000_000], &large).map(drop);
        assert!(matches!(ended, Err(tilewise::Error::OutOfMemory(280_000_000))), "{ended:?}");
        #[cfg(feature = "import")]
        {
            let shader = "@group(0) @binding(0) var t: texture_2d<f32>;
                @group(0) @binding(1) var<storage, read_write> o: array<vec4f>;
                @compute @workgroup_size(1) fn main() { o[0] = textureLoad(t, vec2i(0), 0); }";
            let entry = Shader::from_wgsl("a.wgsl", shader).and_then(|shader| shader.entry("main"));
            let out = ArrayView::from_vec(1, vec![Float4::ZERO]).expect("there is room");
            let entry = entry.and_then(|entry| entry.texture(0, 0, &large)?.bind(0, 1, &out)).expect("it fits");
            let ended = entry.dispatch(&jit, [1, 1, 1]);
            assert!(matches!(ended, Err(tilewise::Error::OutOfMemory(1_120_000_000))), "{ended:?}");
        }
        return;
    }
    again_with("the_texels_of_a_large_texture_are_an_error_if_there_is_no_room_for_them", 800_000);
}

/// Runs one test of this file in a process with a limit on its address space, in KiB. Where a thread of the
/// test's own needs a few bytes at the moment when none are left, the process ends: that says nothing of the
/// library, and the test runs again.
#[cfg(target_os = "linux")]
fn again_with(test: &str, limit: u32) {
    again_with_variable(test, limit, (INSIDE, "1"));
}

/// As [`again_with`], with a variable in the environment of the process.
#[cfg(target_os = "linux")]
fn again_with_variable(test: &str, limit: u32, (variable, value): (&str, &str)) {
    let this = std::env::current_exe().expect("it runs");
    for attempt in 1.. {
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -v {limit}; exec \"$0\" --test-threads 1 --exact {test}")])
            .arg(&this)
            .env(INSIDE, "1")
            .env(variable, value)
            .output()
            .expect("there is a shell");
        let said = String::from_utf8_lossy(&output.stdout);
        if output.status.success() && said.contains("1 passed") {
            return;
        }
        let text = format!("{said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("memory allocation of") && attempt < 8, "attempt {attempt}: {text}");
    }
}
