//! What can be seen only from inside; what each rule means is tested in `interp/tests/interp`.

use super::slots::Reuse;
use super::{Options, ThreadOrder, run_in, run_inlined, run_until};
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, BorrowedMemory, BorrowedRun, Domain, Ending, LaunchMemory, Outcome, ViewArgument};
use tilewise_ir::text::parse;

fn kernel(text: &str) -> Checked<Kernel> {
    let kernel = parse("test.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    check(kernel).unwrap_or_else(|rejected| panic!("{rejected}\n{text}"))
}

fn launch(kernel: &Checked<Kernel>, order: ThreadOrder, reuse: Reuse) -> (Outcome, LaunchMemory) {
    let mut memory = LaunchMemory::new(vec![(0..32i32).flat_map(i32::to_le_bytes).collect()]);
    let arguments = [Argument::View(ViewArgument::dense(0, &[32]))];
    let options = Options { order, fuel: Some(1_000_000), ..Options::default() };
    let domain = Domain::new([16]);
    let outcome = run_inlined(kernel, &domain, memory.lend(), &arguments, &options, None, reuse).unwrap();
    (outcome, memory)
}

#[test]
fn a_launch_can_be_ended_from_outside() {
    let kernel = kernel("kernel k(v: view<i32, 1, read_write>) rank(1) { while v[0] == 0 { v[1] = v[1] + 1; } }");
    let launch = |questions: u32, fuel: Option<u64>| {
        let mut memory = LaunchMemory::new(vec![vec![0; 8]]);
        let asked = std::cell::Cell::new(0);
        let interrupt = || {
            asked.set(asked.get() + 1);
            asked.get() == questions
        };
        let arguments = [Argument::View(ViewArgument::dense(0, &[2]))];
        let options = Options { fuel, ..Options::default() };
        run_until(&kernel, &Domain::new([4]), &mut memory, &arguments, &options, &interrupt).unwrap()
    };
    let first = launch(1, None);
    assert_eq!((first.ending, first.instructions), (Ending::Interrupted, 0), "it is asked before anything runs");
    let third = launch(3, Some(10_000_000));
    assert_eq!(third.ending, Ending::Interrupted);
    assert!((200_000..250_000).contains(&third.instructions), "{}", third.instructions);
    let fuel = launch(u32::MAX, Some(150_000));
    assert_eq!(fuel.ending, Ending::OutOfFuel { fuel: 150_000 });
    assert!(fuel.instructions > 149_900);
}

#[test]
fn a_launch_works_in_memory_of_somebody_else_where_it_is() {
    let kernel = kernel(
        "kernel k(a: view<i32, 2, read_write>, b: view<u64, 1, read>, sum: view<u64, 1, read_write>) rank(1) {
            let i = global[0];
            a[i, 1] = a[i, 0] + 1;
            sum[i] = b[i] + 1u64;
        }",
    );
    // Two rows of two numbers; behind each are four bytes of another's.
    let (mut first, mut second, mut sums) = ([1i32, 2].map(i32::to_le_bytes), [3i32, 4].map(i32::to_le_bytes), [0; 16]);
    let read = 5u32.to_le_bytes();
    let (addresses, sums_at) = ([first.as_ptr().addr(), second.as_ptr().addr()], sums.as_ptr().addr());
    let runs = vec![
        (0, BorrowedRun::Write(first.as_flattened_mut())),
        (12, BorrowedRun::Write(second.as_flattened_mut())),
        // What only `b` reads stands behind what `a` writes: its second number lies in both.
        (20, BorrowedRun::Read(&read)),
    ];
    let lent = vec![BorrowedMemory::new(28, runs, false), BorrowedMemory::whole(&mut sums)];
    assert_eq!(lent[0].runs().iter().map(|(_, run)| run.bytes().as_ptr().addr()).collect::<Vec<_>>()[..2], addresses);
    assert_eq!(lent[1].runs()[0].1.bytes().as_ptr().addr(), sums_at);
    let view = |allocation, offset, extent: &[i32], strides: &[u64]| {
        Argument::View(ViewArgument::new(allocation, offset, extent.to_vec(), strides.to_vec()))
    };
    let arguments = [view(0, 0, &[2, 2], &[3, 1]), view(0, 8, &[2], &[1]), view(1, 0, &[2], &[1])];
    let outcome = run_in(&kernel, &Domain::new([2]), lent, &arguments, &Options::default(), &|| false);
    assert_eq!(outcome.unwrap().ending, Ending::Completed);
    assert_eq!((first, second), ([1i32, 2].map(i32::to_le_bytes), [3i32, 4].map(i32::to_le_bytes)));
    let sums: Vec<u64> = sums.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).collect();
    // Between the rows is nothing, and reads as zero.
    assert_eq!(sums, [(3 << 32) + 1, (5 << 32) + 4 + 1]);
}

#[test]
#[should_panic(expected = "runs are in order")]
fn bytes_are_lent_once() {
    let (mut one, mut two) = ([0; 4], [0; 4]);
    drop(BorrowedMemory::new(8, vec![(0, BorrowedRun::Write(&mut one)), (3, BorrowedRun::Write(&mut two))], false));
}

/// Writes random kernels whose values live long: across blocks, loops and barriers.
struct Writer {
    state: u64,
    text: String,
    /// Values that can be seen, and whether they are vectors.
    values: Vec<(String, bool)>,
    names: u32,
    /// Statements that may still be written.
    left: u32,
}

impl Writer {
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % n
    }

    fn scalar(&mut self) -> String {
        if self.values.is_empty() || self.below(6) == 0 {
            return format!("{}", self.below(9) + 1);
        }
        let i = self.below(self.values.len() as u64) as usize;
        match self.values[i].clone() {
            (name, true) => format!("{name}.{}", ["x", "y", "z"][self.below(3) as usize]),
            (name, false) => name,
        }
    }

    fn expression(&mut self) -> String {
        let (a, b) = (self.scalar(), self.scalar());
        match self.below(6) {
            0 => format!("({a} - {b}) * {}", self.scalar()),
            1 => format!("v[{a}] ^ {b}"),
            2 => format!(
                "if {a} < {b} {{ {} + 1 }} else {{ let t{} = {a} * 3; t{} - {b} }}",
                self.scalar(),
                self.names,
                self.names
            ),
            3 => format!("min({a}, {b})"),
            _ => format!("{a} + {b}"),
        }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("n{}", self.names)
    }

    fn block(&mut self, depth: u32, uniform: bool) {
        let seen = self.values.len();
        for _ in 0..2 + self.below(4) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let e = self.expression();
            let name = self.name();
            match self.below(12) {
                0..=2 => {
                    self.text += &format!("let {name} = {e};\n");
                    self.values.push((name, false));
                }
                3 => {
                    let (a, b) = (self.scalar(), self.scalar());
                    self.text += &format!("let {name} = i32x3({a}, {b}, 7);\n");
                    self.values.push((name, true));
                }
                4 => {
                    self.text += &format!("var {name}: i32 = {e};\n");
                    self.values.push((name, false));
                }
                5 => self.text += &format!("v[global[0]] = {e};\n"),
                6 => {
                    let first = self.below(9);
                    self.text += &format!(
                        "let {name} = section(v, [{first}], [4]); v[global[0] + 16] = {name}[1] + {e};
"
                    );
                }
                7 if uniform => self.text += "barrier;\n",
                8 if depth > 0 => {
                    self.text += &format!("if {e} > 3 {{\n");
                    self.block(depth - 1, false);
                    self.text += "} else {\n";
                    self.block(depth - 1, false);
                    self.text += "}\n";
                }
                9 | 10 if depth > 0 => {
                    let rounds = 1 + self.below(3);
                    self.text += &format!("var {name}: i32 = 0; while {name} < {rounds} {{\n");
                    self.values.push((name.clone(), false));
                    self.block(depth - 1, uniform);
                    self.text += &format!("}} continuing {{ {name} = {name} + 1; }}\n");
                }
                _ => self.text += &format!("v[global[0] + 16] = v[global[0] + 16] + {e};\n"),
            }
        }
        self.values.truncate(seen);
    }
}

#[test]
fn slots_that_serve_again_change_nothing() {
    let mut instructions = 0;
    for seed in 0..400 {
        let mut writer = Writer { state: seed, text: String::new(), values: Vec::new(), names: 0, left: 60 };
        while writer.left > 0 {
            writer.left -= 1;
            writer.block(3, true);
        }
        // Reads between threads race, but in a fixed order both codes see the same.
        let text = format!("kernel k(v: view<i32, 1, read_write>) tile(4) {{\n{}}}", writer.text);
        let kernel = kernel(&text);
        let (outcome, memory) = launch(&kernel, ThreadOrder::Linear, Reuse::Yes);
        assert_eq!(outcome.ending, Ending::Completed, "{text}");
        assert!((outcome.clone(), memory) == launch(&kernel, ThreadOrder::Linear, Reuse::No), "{text}");
        instructions += outcome.instructions;
    }
    assert!(instructions > 1_000_000, "{instructions}");
}

#[test]
fn nesting_to_the_limit_is_no_trouble() {
    let depth = 120;
    let text = format!(
        "kernel k(v: view<i32, 1, read_write>) rank(1) {{ {} v[0] = 77; {} }}",
        "if v[1] == 1 { while true { ".repeat(depth),
        "break; } }".repeat(depth)
    );
    let (outcome, memory) = launch(&kernel(&text), ThreadOrder::Linear, Reuse::Yes);
    assert_eq!(outcome.ending, Ending::Completed);
    assert_eq!(memory.allocations[0][0], 77);
}

#[test]
fn a_launch_beyond_the_arena_is_refused() {
    // 1024 threads that each keep 34,000 vectors over a barrier.
    let lines = |line: &dyn Fn(usize) -> String| (0..34_000).map(line).collect::<String>();
    let text = format!(
        "kernel k(v: view<i32x4, 1, read_write>, n: i32) tile(1024) {{\n{}barrier;\n{}}}",
        lines(&|i| format!("let a{i} = splat(n, 4);\n")),
        lines(&|i| format!("v[n] = a{i};\n")),
    );
    let kernel = kernel(&text);
    let mut memory = LaunchMemory::new(vec![vec![0; 16]]);
    let arguments = [Argument::View(ViewArgument::dense(0, &[1])), Argument::Uniform(vec![0; 4])];
    let outcome = super::run(&kernel, &Domain::new([1024]), &mut memory, &arguments, &Options::default());
    assert!(matches!(outcome, Err(tilewise_ir::launch::Refusal::Unsupported(_))), "{outcome:?}");
}

/// Runs a kernel with all checks; gives its reports, and the bytes of shadow memory that it took.
fn watched(text: &str, domain: &[i32], memory: &mut LaunchMemory, arguments: &[Argument]) -> (Vec<String>, u64) {
    let kernel = kernel(text);
    let kernel = kernel.inlined();
    let domain = Domain::new(domain);
    let bound = super::bind::bind(kernel, &domain, memory.allocations.len(), arguments);
    let code = super::compile::compile(kernel, bound.plan, Reuse::Yes, super::compile::Watched::Nothing).unwrap();
    let checks = super::Checks::all();
    let tile_static = bound.spaces[0].len();
    let detector = super::detect::Detector::new(&checks, kernel, &code, &memory.lend(), arguments, tile_static);
    let (_, detector) = super::launch(
        &code,
        memory.lend(),
        bound.spaces,
        ThreadOrder::Linear,
        super::meter::Meter::new(None, None),
        detector,
    );
    let bytes = detector.shadow_bytes();
    let (reports, more) = detector.finish();
    assert_eq!(more, 0);
    (reports.iter().map(tilewise_ir::launch::CheckReport::message).collect(), bytes)
}

#[test]
fn shadow_memory_is_16_bytes_for_4_of_what_is_touched() {
    let text = "kernel k(v: view<u8, 1, read_write>) tile(64) {
        tile_static t: [i32; 64];
        t[local[0]] = 1;
        barrier;
        v[global[0]] = t[63 - local[0]] as u32;
    }";
    let tile_static = 64 * 4 * 4;
    for size in [1, 64, 4095, 4096, 4097, 20_000] {
        let mut memory = LaunchMemory::new(vec![vec![0; size as usize]]);
        memory.fresh = vec![true];
        let arguments = [Argument::View(ViewArgument::dense(0, &[size]))];
        let threads = (size + 63) / 64 * 64;
        let (reports, bytes) = watched(text, &[threads], &mut memory, &arguments);
        let out_of_range = usize::from(size != threads);
        assert_eq!(reports.len(), out_of_range, "{reports:?}");
        assert_eq!(bytes, (size as u64).div_ceil(4) * 16 + tile_static, "{size} bytes");
    }
    // Of a megabyte of which one element is touched, one page has shadow memory.
    let mut memory = LaunchMemory::new(vec![vec![0; 1 << 20]]);
    let arguments = [Argument::View(ViewArgument::dense(0, &[1 << 20]))];
    let (_, bytes) =
        watched("kernel k(v: view<u8, 1, read_write>) rank(1) { v[500000] = 1u32; }", &[1], &mut memory, &arguments);
    assert_eq!(bytes, 4 * 4096);
}

#[test]
fn shadow_memory_is_16_bytes_for_4_where_threads_come_back_to_a_phase_too() {
    // Neither barrier orders both memories, so both remember a second reader.
    let text = "kernel k(v: view<i32, 1, read>, w: view<i32, 1, read_write>) tile(64) {
        tile_static t: [i32; 64];
        t[local[0]] = v[global[0]];
        barrier(tile_static);
        let x = t[63 - local[0]];
        barrier(global);
        w[global[0]] = x + v[tile_origin[0]];
    }";
    let mut memory = LaunchMemory::new(vec![vec![0; 1024], vec![0; 1024]]);
    let arguments = [Argument::View(ViewArgument::dense(0, &[256])), Argument::View(ViewArgument::dense(1, &[256]))];
    let (reports, bytes) = watched(text, &[256], &mut memory, &arguments);
    assert_eq!(reports, [""; 0]);
    assert_eq!(bytes, (1024 + 1024 + 64 * 4) * 4);
}

#[test]
fn phases_wrap_where_a_second_reader_is_remembered() {
    // 40 rounds: in each, every thread reads one element; in the last, thread 3 writes what threads 0 and 1 read in the same phase of `tile_static`.
    let text = "kernel k(v: view<i32, 1, read_write>) tile(4) {
        tile_static t: [i32; 4];
        var i: i32 = 0;
        var sum: i32 = 0;
        t[local[0]] = 0;
        while i < 40 {
            barrier(tile_static);
            sum = sum + t[i % 4];
            barrier(global);
            if i == 39 && local[0] == 3 { t[i % 4] = 1; }
            i = i + 1;
        }
        v[global[0]] = sum;
    }";
    let mut memory = LaunchMemory::new(vec![vec![0; 64]]);
    let arguments = [Argument::View(ViewArgument::dense(0, &[16]))];
    let (reports, _) = watched(text, &[4], &mut memory, &arguments);
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert!(reports[0].contains("data race on `t[3]`"), "{reports:?}");
}

#[test]
fn phases_wrap_without_a_false_report_and_without_a_lost_one() {
    // 500 barriers: each round every thread writes what another one wrote in the round before.
    let text = "kernel k(v: view<i32, 1, read_write>) tile(4) {
        tile_static t: [i32; 4];
        var i: i32 = 0;
        t[local[0]] = 0;
        v[global[0]] = 1;
        while i < 500 {
            barrier;
            t[(local[0] + i) % 4] = i;
            if i == 499 && local[0] == 0 { t[(i + 1) % 4] = 7; }
            i = i + 1;
        }
    }";
    let mut memory = LaunchMemory::new(vec![vec![0; 64]]);
    let arguments = [Argument::View(ViewArgument::dense(0, &[16]))];
    let (reports, _) = watched(text, &[16], &mut memory, &arguments);
    assert_eq!(reports, ["a data race on `t[0]` between threads of a tile"]);
}
