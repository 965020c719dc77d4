//! Random kernels with barriers: what the checker refuses because threads of a tile part is
//! compared with the way that each thread takes.
//!
//! Each kernel is written twice. One has barriers, for the checker. In the other each barrier is a
//! store into the thread's own log, of the barrier's number and the rounds of the loops around it,
//! and the interpreter runs it for several captured numbers. A barrier that the checker refuses
//! must part the tile **in every run in which a thread comes to it**.

use std::fmt::Write;

use tilewise_interp as interp;
use tilewise_ir::check::check;
use tilewise_ir::diag::Diagnostic;
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};
use tilewise_ir::text::parse;

const TILE: i32 = 4;
const THREADS: i32 = 2 * TILE;
/// More than the barriers of a kernel: an entry of a log is a barrier's number, from 1, and the
/// rounds times this.
const SITES: i32 = 1000;
/// Entries of a thread's log; a longer way is cut.
const LOG: i32 = 64;

/// A kernel under construction, in both forms.
struct RandomKernel {
    /// The state of the random numbers.
    state: u64,
    /// One statement a line, so that a line names a barrier.
    barriers: String,
    logs: String,
    lines: u32,
    /// The lines of barriers.
    sites: Vec<u32>,
    /// Open loops: the numbers of their counters.
    loops: Vec<u32>,
    names: u32,
}

impl RandomKernel {
    fn new(seed: u64) -> RandomKernel {
        let mut made = RandomKernel {
            state: seed,
            barriers: String::new(),
            logs: String::new(),
            lines: 0,
            sites: Vec::new(),
            loops: Vec::new(),
            names: 0,
        };
        let head = format!("kernel k(n: i32, log: view<i32, 1, read_write>) tile({TILE}) {{");
        made.line(&head);
        made.line("var c: i32 = 0;");
        made.line("var x: i32 = 1;");
        made.statements(3);
        made.line("}");
        made
    }

    fn line(&mut self, text: &str) {
        self.both(text, text);
    }

    fn both(&mut self, barrier: &str, log: &str) {
        self.lines += 1;
        let _ = writeln!(self.barriers, "{barrier}");
        let _ = writeln!(self.logs, "{log}");
    }

    /// A number below `end`.
    fn below(&mut self, end: u32) -> u32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) >> 32) as u32 % end
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }

    fn number(&mut self) -> String {
        let leaves = ["local[0]", "global[0]", "tile[0]", "n", "x", "0", "1", "2", "3"];
        let counter = self.loops.last().map(|number| format!("i{number}"));
        let at = self.below(9 + 3 * u32::from(counter.is_some())) as usize;
        let leaf = leaves.get(at).map(|&leaf| leaf.to_owned()).or(counter).unwrap_or_default();
        match self.below(6) {
            0 => format!("({leaf} + {})", self.pick(&["1", "n", "local[0]"])),
            1 => format!("({leaf} % 2)"),
            2 => format!("({leaf} * {})", self.pick(&["2", "n", "0"])),
            _ => leaf,
        }
    }

    fn condition(&mut self) -> String {
        let [a, b, c, d] = [(); 4].map(|()| self.number());
        let one = format!("{a} {} {b}", self.pick(&["<", "==", ">=", "!="]));
        match self.below(5) {
            0 => format!("{one} && {c} < {d}"),
            1 => format!("{one} || {c} == {d}"),
            _ => one,
        }
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..=self.below(3) {
            match self.below(if depth == 0 { 4 } else { 9 }) {
                0 | 1 => {
                    let site = self.sites.len() as i32 + 1;
                    self.sites.push(self.lines + 1);
                    let rounds = |text: String, number: &u32| format!("({text} * 8 + r{number})");
                    let rounds = self.loops.iter().fold("0".to_owned(), rounds);
                    let entry = format!("{rounds} * {SITES} + {site}");
                    let own = format!("global[0] * {LOG}");
                    self.both("barrier;", &format!("if c < {LOG} {{ log[{own} + c] = {entry}; c = c + 1; }}"));
                }
                2 => {
                    let value = self.number();
                    self.line(&format!("x = {value};"));
                }
                3 => {
                    let condition = self.condition();
                    let leave = if self.loops.is_empty() || self.below(10) < 3 { "return" } else { "break" };
                    self.line(&format!("if {condition} {{ {leave}; }}"));
                }
                4..=6 => {
                    let condition = self.condition();
                    self.line(&format!("if {condition} {{"));
                    self.statements(depth - 1);
                    if self.below(10) < 4 {
                        self.line("} else {");
                        self.statements(depth - 1);
                    }
                    self.line("}");
                }
                _ if self.loops.len() < 2 => {
                    let number = self.names;
                    self.names += 1;
                    let (first, more) = (self.number(), self.number());
                    let bound = self.pick(&["3", "n", "local[0]", "local[0] + 2", "n + 1"]);
                    self.line(&format!("var i{number}: i32 = ({first}) % 3;"));
                    self.line(&format!("var r{number}: i32 = 0;"));
                    let guard = if self.below(10) < 2 { format!(" && {more} < 5") } else { String::new() };
                    self.line(&format!("while i{number} < {bound} && r{number} < 6{guard} {{"));
                    self.loops.push(number);
                    self.statements(depth - 1);
                    self.loops.pop();
                    self.line(&format!("i{number} = i{number} + 1;"));
                    self.line(&format!("r{number} = r{number} + 1;"));
                    self.line("}");
                }
                _ => self.line("x = x + 1;"),
            }
        }
    }

    /// The logs of all threads for one captured number.
    fn run(&self, n: i32) -> Option<Vec<Vec<i32>>> {
        let kernel = check(parse("logs.kir", &self.logs).ok()?).ok()?;
        let count = THREADS * LOG;
        let mut memory = LaunchMemory::new(vec![vec![0; 4 * count as usize]]);
        let view = Argument::View(ViewArgument::dense(0, &[count]));
        let arguments = [Argument::Uniform(n.to_le_bytes().to_vec()), view];
        let options = interp::Options { fuel: Some(1 << 20), ..interp::Options::default() };
        interp::run(&kernel, &Domain::new([THREADS]), &mut memory, &arguments, &options).ok()?;
        let words: Vec<i32> = memory.allocations[0]
            .chunks_exact(4)
            .map(|bytes| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect();
        Some(words.chunks_exact(LOG as usize).map(<[i32]>::to_vec).collect())
    }
}

#[test]
fn a_refused_barrier_parts_the_tile_wherever_a_thread_comes_to_it() {
    let (mut refused, mut parted, mut accepted) = (0, 0, 0);
    for seed in 0..3000 {
        let made = RandomKernel::new(seed);
        let Ok(kernel) = parse("barriers.kir", &made.barriers) else { continue };
        let lines: Vec<u32> = match check(kernel) {
            Ok(_) => Vec::new(),
            Err(rejected) => {
                let barriers =
                    rejected.diagnostics.iter().filter(|report| ["K0501", "K0502"].contains(&report.code.name()));
                barriers.filter_map(Diagnostic::pos).map(|pos| pos.line).collect()
            }
        };
        if lines.is_empty() {
            accepted += 1;
            continue;
        }
        refused += 1;
        let mut comes = false;
        for n in 0..4 {
            let Some(logs) = made.run(n) else { continue };
            let is_parted = logs.chunks_exact(TILE as usize).any(|tile| tile.iter().any(|log| log != &tile[0]));
            for &line in &lines {
                let number = made.sites.iter().position(|&at| at == line).expect("a barrier is refused") as i32 + 1;
                let arrives = |log: &Vec<i32>| log.iter().any(|&entry| entry % SITES == number);
                if logs.iter().any(arrives) {
                    comes = true;
                    assert!(
                        is_parted,
                        "seed {seed}, n = {n}: the barrier of line {line} is refused, and all threads agree\n{}",
                        made.barriers
                    );
                }
            }
        }
        parted += u32::from(comes);
    }
    println!("{refused} refused, {parted} of them parted in a run, {accepted} accepted");
    assert!(refused > 300 && parted > 300 && accepted > 1000, "{refused} {parted} {accepted}");
}
