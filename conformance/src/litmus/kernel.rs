//! The kernel of a litmus test: many instances of the test in one launch, with other threads that
//! disturb them.
//!
//! The launch parameters vary from launch to launch: how instances and roles are dealt to threads or
//! tiles, how far apart locations lie, how long each thread waits before its part, and how long for
//! those of other tiles.

use std::fmt::Write as _;

use tilewise_ir::check::Checked;
use tilewise_ir::diag::Colour;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};

use super::program::{LitmusMemory, LitmusOutcome, LitmusPlacement, LitmusStep, LitmusTest};
use crate::fuzz::SeedRng;
use crate::kir::case;

/// Threads of a tile where a test is in one tile.
const TILE: usize = 64;

/// Threads of a tile where each thread of a test has a tile of its own.
const NARROW: usize = 16;

/// Groups of tiles that play the roles of tests, or tiles with whole tests.
const GROUPS: usize = 64;

/// Tiles that only disturb.
const DISTURBING: usize = 8;

/// Words of the memory that disturbing threads hammer.
const SCRATCH: usize = 256;

/// The largest distance of neighbouring elements of a location.
const STRIDES: [u32; 4] = [1, 2, 5, 16];

/// A test that can be launched.
#[derive(Clone, Debug)]
pub(super) struct LitmusKernel {
    pub(super) test: LitmusTest,
    pub(super) text: String,
    pub(super) kernel: Checked<Kernel>,
}

/// A launch.
#[derive(Clone, Debug)]
pub(super) struct LitmusLaunch {
    pub(super) domain: Domain,
    pub(super) arguments: Vec<Argument>,
    pub(super) memory: LaunchMemory,
    pub(super) stride: u32,
}

/// The parameters of a launch.
#[derive(Clone, Copy, Debug)]
struct LitmusSetting {
    /// An odd factor and an offset that shuffle the threads of a tile.
    factor: u32,
    offset: u32,
    /// Tiles of one role in a row.
    run: u32,
    stride: u32,
    /// The longest wait, a power of two less one.
    delay: u32,
    /// How often a thread looks for the threads of its test in other tiles before it goes on without.
    patience: u32,
    seed: u32,
}

impl LitmusKernel {
    /// The kernel of a test. The error is that of the checker.
    pub(super) fn new(test: &LitmusTest) -> Result<LitmusKernel, String> {
        let text = text(test);
        let rejected = |why: case::Rejection| format!("the kernel is rejected\n{}\n{text}", why.render(Colour::Never));
        let kernel = case::compile("litmus.kir", &text).map_err(rejected)?;
        Ok(LitmusKernel { test: test.clone(), text, kernel })
    }

    /// The number of instances of a launch.
    pub(super) fn instances(&self) -> usize {
        match self.test.placement {
            LitmusPlacement::OneTile => GROUPS * (TILE / self.test.threads.len()),
            LitmusPlacement::TileEach => GROUPS * NARROW,
        }
    }

    /// A launch with drawn parameters.
    pub(super) fn bind(&self, random: &mut SeedRng) -> LitmusLaunch {
        let instances = self.instances();
        let setting = LitmusSetting {
            factor: random.below(TILE) as u32 | 1,
            offset: random.below(TILE) as u32,
            run: 1 << random.below(7),
            stride: random.one(STRIDES),
            delay: random.one([0, 0, 7, 31]),
            patience: random.one([0, 16, 64, 256]),
            seed: random.bits() as u32,
        };
        let LitmusSetting { factor, offset, run, stride, delay, patience, seed } = setting;
        let cells = instances * STRIDES[3] as usize * self.test.locations.len();
        let results = instances * (self.test.registers + self.test.locations.len());
        let sizes = [cells, results, SCRATCH, GROUPS];
        let mut arguments: Vec<Argument> = sizes
            .iter()
            .enumerate()
            .map(|(number, &size)| Argument::View(ViewArgument::dense(number, &[size as i32])))
            .collect();
        let uniforms = [factor, offset, run, stride, delay, patience, seed];
        arguments.extend(uniforms.map(|value| Argument::Uniform(value.to_le_bytes().to_vec())));
        let tiles = match self.test.placement {
            LitmusPlacement::OneTile => (GROUPS + DISTURBING) * TILE,
            LitmusPlacement::TileEach => (GROUPS * self.test.threads.len() + DISTURBING) * NARROW,
        };
        let memory = LaunchMemory::new(sizes.iter().map(|size| vec![0; size * 4]).collect());
        LitmusLaunch { domain: Domain::new([tiles as i32]), arguments, memory, stride }
    }

    /// The outcomes of all instances.
    pub(super) fn outcomes<'m>(
        &'m self,
        memory: &'m LaunchMemory,
        stride: u32,
    ) -> impl Iterator<Item = LitmusOutcome> + 'm {
        let instances = self.instances();
        let registers = self.test.registers;
        let results = &memory.allocations[1];
        let word = |bytes: &[u8], at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[at * 4 + byte]));
        (0..instances).map(move |instance| LitmusOutcome {
            registers: (0..registers).map(|register| word(results, register * instances + instance)).collect(),
            memory: (0..self.test.locations.len())
                .map(|location| match self.test.placement {
                    LitmusPlacement::OneTile => word(results, (registers + location) * instances + instance),
                    LitmusPlacement::TileEach => {
                        word(&memory.allocations[0], (location * instances + instance) * stride as usize)
                    }
                })
                .collect(),
        })
    }
}

/// The steps of each thread, parted at barriers.
fn phases(test: &LitmusTest) -> Vec<Vec<&[LitmusStep]>> {
    let split = |thread| <[LitmusStep]>::split(thread, |step| matches!(step, LitmusStep::Barrier(_)));
    let threads: Vec<Vec<&[LitmusStep]>> = test.threads.iter().map(|thread| split(thread).collect()).collect();
    let count = threads.iter().map(Vec::len).max().unwrap_or(0);
    (0..count).map(|phase| threads.iter().map(|thread| thread.get(phase).copied().unwrap_or(&[])).collect()).collect()
}

fn text(test: &LitmusTest) -> String {
    let is_one_tile = test.placement == LitmusPlacement::OneTile;
    let width = if is_one_tile { TILE } else { NARROW };
    let roles = test.threads.len();
    let instances = if is_one_tile { GROUPS * (TILE / roles) } else { GROUPS * NARROW };
    let mut out = format!(
        "kernel litmus(cells: view<u32, 1, read_write>, results: view<u32, 1, read_write>, \
         scratch: view<u32, 1, read_write>, arrived: view<u32, 1, read_write>, factor: u32, offset: u32, run: u32, \
         stride: u32, delay: u32, patience: u32, seed: u32) tile({width}) {{\n"
    );
    let mut line = |depth: usize, line: &str| {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{}{line}", "    ".repeat(depth));
    };
    for (number, memory) in test.locations.iter().enumerate() {
        if *memory == LitmusMemory::TileStatic {
            line(1, &format!("tile_static t{number}: [u32; {TILE}];"));
        }
    }
    line(1, "let thread = local[0] as u32;");
    line(1, "let tile_number = tile[0] as u32;");
    line(1, &format!("let shuffled = (thread * factor + offset) % {width}u32;"));
    match test.placement {
        LitmusPlacement::OneTile => {
            let whole = TILE / roles;
            line(1, &format!("let active = tile_number < {GROUPS}u32 && shuffled < {}u32;", whole * roles));
            line(1, &format!("let role = select(active, shuffled % {roles}u32, {roles}u32);"));
            line(1, &format!("let slot = shuffled / {roles}u32;"));
            line(1, &format!("let instance = tile_number * {whole}u32 + slot;"));
        }
        LitmusPlacement::TileEach => {
            line(1, &format!("let active = tile_number < {}u32;", GROUPS * roles));
            line(1, &format!("let role = select(active, tile_number / run % {roles}u32, {roles}u32);"));
            line(1, &format!("let group = tile_number / (run * {roles}u32) * run + tile_number % run;"));
            line(1, "let slot = shuffled;");
            line(1, &format!("let instance = group * {NARROW}u32 + slot;"));
        }
    }
    for number in 0..test.locations.len() {
        line(1, &format!("let at{number} = ({number}u32 * {instances}u32 + instance) * stride;"));
    }
    line(1, "let drawn = (global[0] as u32 * 2654435761u32 ^ seed) >> 9u32;");
    line(1, "var waited: u32 = 0u32;");
    line(1, "while waited < (drawn & delay) {");
    line(2, &format!("atomic_add(scratch[(drawn + waited * 7u32) % {SCRATCH}u32], 1u32);"));
    line(2, "waited = waited + 1u32;");
    line(1, "}");
    line(1, &format!("if role == {roles}u32 {{"));
    line(2, "var k: u32 = 0u32;");
    line(2, "while k < 24u32 {");
    line(3, &format!("atomic_add(scratch[(drawn + k * stride * 3u32) % {SCRATCH}u32], k);"));
    line(3, "k = k + 1u32;");
    line(2, "}");
    line(1, "}");
    if !is_one_tile {
        // Tiles may run one after the other, so the wait for the others has an end.
        line(1, &format!("if role < {roles}u32 {{"));
        line(2, "atomic_add(arrived[group], 1u32);");
        line(2, "var looked: u32 = 0u32;");
        let all = roles * NARROW;
        line(2, &format!("while looked < patience && atomic_or(arrived[group], 0u32) < {all}u32 {{"));
        line(3, "looked = looked + 1u32;");
        line(2, "}");
        line(1, "}");
    }
    let all = phases(test);
    let barriers: Vec<&str> = test.threads[0]
        .iter()
        .filter_map(|step| match step {
            LitmusStep::Barrier(fence) => Some(fence.name()),
            LitmusStep::Load { .. }
            | LitmusStep::Store { .. }
            | LitmusStep::AtomicRead { .. }
            | LitmusStep::AtomicWrite { .. }
            | LitmusStep::AtomicCopy { .. }
            | LitmusStep::AtomicAdd { .. }
            | LitmusStep::Fence(_) => None,
        })
        .collect();
    for (phase, roles) in all.iter().enumerate() {
        for (role, steps) in roles.iter().enumerate().filter(|(_, steps)| !steps.is_empty()) {
            line(1, &format!("if role == {role}u32 {{"));
            for step in *steps {
                line(2, &instruction(test, step));
            }
            // Registers are stored behind all accesses, so that these do not wait.
            for register in steps.iter().filter_map(register_of) {
                line(2, &format!("results[{register}u32 * {instances}u32 + instance] = v{register};"));
            }
            line(1, "}");
        }
        if let Some(flavour) = barriers.get(phase) {
            line(1, &if *flavour == "all" { "barrier;".to_owned() } else { format!("barrier({flavour});") });
        }
    }
    line(1, "barrier;");
    if is_one_tile {
        line(1, "if role == 0u32 {");
        for (number, memory) in test.locations.iter().enumerate() {
            let place = place(*memory, number);
            let to = test.registers + number;
            line(2, &format!("results[{to}u32 * {instances}u32 + instance] = {place};"));
        }
        line(1, "}");
    }
    out + "}\n"
}

fn place(memory: LitmusMemory, number: usize) -> String {
    match memory {
        LitmusMemory::Global => format!("cells[at{number}]"),
        LitmusMemory::TileStatic => format!("t{number}[slot]"),
    }
}

fn register_of(step: &LitmusStep) -> Option<usize> {
    match *step {
        LitmusStep::Load { register, .. }
        | LitmusStep::AtomicRead { register, .. }
        | LitmusStep::AtomicAdd { register, .. } => Some(register),
        LitmusStep::Store { .. }
        | LitmusStep::AtomicWrite { .. }
        | LitmusStep::AtomicCopy { .. }
        | LitmusStep::Fence(_)
        | LitmusStep::Barrier(_) => None,
    }
}

fn instruction(test: &LitmusTest, step: &LitmusStep) -> String {
    let at = |location: usize| place(test.locations[location], location);
    match *step {
        LitmusStep::Load { location, register } => format!("let v{register} = {};", at(location)),
        LitmusStep::Store { location, value } => format!("{} = {value}u32;", at(location)),
        LitmusStep::AtomicRead { location, register } => {
            format!("let v{register} = atomic_or({}, 0u32);", at(location))
        }
        LitmusStep::AtomicWrite { location, value } => format!("atomic_exchange({}, {value}u32);", at(location)),
        LitmusStep::AtomicCopy { location, from } => format!("atomic_exchange({}, v{from});", at(location)),
        LitmusStep::AtomicAdd { location, value, register } => {
            format!("let v{register} = atomic_add({}, {value}u32);", at(location))
        }
        LitmusStep::Fence(fence) if fence.name() == "all" => "fence;".to_owned(),
        LitmusStep::Fence(fence) => format!("fence({});", fence.name()),
        LitmusStep::Barrier(_) => String::new(),
    }
}
