//! What the analysis claims is held against what threads do: kernels made at random, and all file tests that run, are watched by the interpreter, and
//! every value of every thread must be within its range, and alike or evenly spaced as its shape says.
//!
//! Threads are compared where they do a thing *together*: the same instruction in the same rounds of all loops around it, which is how the claims are
//! worded. A claim that is broken on purpose shows that this notices.

use std::collections::HashMap;

use tilewise_conformance::corpus;
use tilewise_conformance::fuzz::{KernelBudget, generate};
use tilewise_conformance::kir::case;
use tilewise_interp::{Event, ObservedAct, Options, observe};
use tilewise_ir::analysis::facts::{IndexBound, KernelFacts, ValueFact};
use tilewise_ir::analysis::range::IntegerRange;
use tilewise_ir::analysis::shape::{LaneShape, Stride};
use tilewise_ir::analysis::uniformity::TileAgreement;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::{Block, Const, InstId, InstKind, Kernel, LabelId, ValueId};
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, ViewArgument};
use tilewise_ir::text::parse;
use tilewise_ir::types::{Scalar, ValueType};

/// Enough that each kind of claim is met many thousand times.
const KERNELS: u64 = 3000;
/// Instructions of one launch; what was seen until then is compared.
const FUEL: u64 = 40_000;

/// Claims that were compared with what happened, and how many values that took.
#[derive(Default, Debug)]
struct Seen {
    values: u64,
    narrow: u64,
    constant: u64,
    tile: u64,
    group: u64,
    affine: u64,
    exact: u64,
    together: u64,
    uses: u64,
    below: u64,
}

/// What threads of a tile did together: at a point of the kernel, in these rounds.
type Together = (u64, InstId, Vec<u32>);

/// A value that a row of a tile computed together: where, which component, and the position of the row.
type Row = (Together, u32, Vec<u64>);

struct Watch<'a> {
    kernel: &'a Kernel,
    facts: &'a KernelFacts,
    extent: Vec<u64>,
    tile: Vec<u64>,
    /// The loops around each instruction, and the instruction that computes each value.
    loops: Vec<Vec<LabelId>>,
    /// The values in the places of each instruction.
    places: Vec<Vec<ValueId>>,
    defined: Vec<InstId>,
    arguments: &'a [Argument],
    /// For each thread the round of each loop.
    rounds: HashMap<(u64, LabelId), u32>,
    /// The latest value of each thread, for uses.
    latest: HashMap<(u64, ValueId), [u64; 4]>,
    /// What was computed together: along x, and in the first thread of the tile.
    rows: HashMap<Row, (u64, [u64; 4])>,
    tiles: HashMap<(Together, u32), [u64; 4]>,
    /// How many threads came to an instruction together.
    counts: HashMap<Together, u64>,
    row_counts: HashMap<(Together, Vec<u64>), u64>,
    seen: Seen,
    wrong: Vec<String>,
}

fn number_of(scalar: Scalar, bits: u64) -> Option<i128> {
    match scalar {
        Scalar::Bool => Some(i128::from(bits & 1)),
        _ => Const { scalar, bits }.integer(),
    }
}

fn same(scalar: Scalar, a: u64, b: u64) -> bool {
    // The bits of a NaN are not specified; two are held for equal.
    let nan = |bits: u64| match scalar {
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    };
    a == b || nan(a) && nan(b)
}

impl<'a> Watch<'a> {
    fn new(kernel: &'a Kernel, facts: &'a KernelFacts, domain: &Domain, arguments: &'a [Argument]) -> Watch<'a> {
        let extent: Vec<u64> = domain.extent.iter().map(|&e| e as u64).collect();
        // A kernel without tiles counts as one tile.
        let tile = kernel.tile().map_or(extent.clone(), |tile| tile.iter().map(|&t| u64::from(t)).collect());
        let mut watch = Watch {
            kernel,
            facts,
            extent,
            tile,
            loops: Vec::new(),
            places: Vec::new(),
            defined: vec![InstId::FIRST; kernel.entry().values().len()],
            arguments,
            rounds: HashMap::new(),
            latest: HashMap::new(),
            rows: HashMap::new(),
            tiles: HashMap::new(),
            counts: HashMap::new(),
            row_counts: HashMap::new(),
            seen: Seen::default(),
            wrong: Vec::new(),
        };
        watch.number(kernel.entry().body(), &mut Vec::new());
        watch
    }

    fn number(&mut self, block: &Block, around: &mut Vec<LabelId>) {
        for inst in &block.insts {
            for value in inst.results() {
                self.defined[value.index()] = inst.id;
            }
            self.loops.push(around.clone());
            let mut places = Vec::new();
            inst.kind.places(&mut |place| place.place_values(&mut |&value| places.push(value)));
            self.places.push(places);
            let label = if let InstKind::Loop { label, .. } = &inst.kind { Some(*label) } else { None };
            around.extend(label);
            inst.kind.each_block(&mut |block| self.number(block, around));
            if label.is_some() {
                around.pop();
            }
        }
    }

    /// The tile of a thread, where its row is, and its place along x.
    fn place(&self, thread: u64) -> (u64, Vec<u64>, u64) {
        let mut rest = thread;
        let mut global = vec![0; self.extent.len()];
        for (d, &e) in self.extent.iter().enumerate().rev() {
            global[d] = rest % e;
            rest /= e;
        }
        let tile = (0..global.len()).fold(0, |at, d| at * (self.extent[d] / self.tile[d]) + global[d] / self.tile[d]);
        let x = global.pop().unwrap_or(0);
        (tile, global, x)
    }

    fn complain(&mut self, what: String) {
        if self.wrong.len() < 2000 {
            self.wrong.push(what);
        }
    }

    fn event(&mut self, Event { thread, what }: Event) {
        match what {
            ObservedAct::Loop(label) => _ = self.rounds.insert((thread, label), 0),
            ObservedAct::Round(label) => *self.rounds.entry((thread, label)).or_default() += 1,
            ObservedAct::Begin(inst) => self.begins(thread, inst),
            ObservedAct::Value(value, lanes) => {
                self.latest.insert((thread, value), lanes);
                self.value(thread, value, lanes);
            }
        }
    }

    fn together(&self, thread: u64, tile: u64, inst: InstId) -> Together {
        let around = self.loops.get(inst.index()).map_or(&[][..], Vec::as_slice);
        (tile, inst, around.iter().map(|label| self.rounds.get(&(thread, *label)).copied().unwrap_or(0)).collect())
    }

    fn begins(&mut self, thread: u64, inst: InstId) {
        let number = inst.index();
        let (tile, row, _) = self.place(thread);
        let key = self.together(thread, tile, inst);
        *self.counts.entry(key.clone()).or_default() += 1;
        *self.row_counts.entry((key, row)).or_default() += 1;
        let Some(fact) = self.facts.inst(inst) else {
            return self.complain(format!("nothing is known of instruction {number}"));
        };
        if !fact.reached {
            return self.complain(format!("instruction {number} is reached"));
        }
        let uses: Vec<(ValueId, ValueFact)> =
            self.places[number].iter().copied().zip(fact.places.iter().copied()).collect();
        for (value, fact) in uses {
            let (Some(&lanes), ValueType::Data(data)) =
                (self.latest.get(&(thread, value)), self.kernel.entry().value(value).ty)
            else {
                continue;
            };
            if let (Some(n), Some(range)) = (number_of(data.scalar, lanes[0]), fact.range) {
                self.seen.uses += 1;
                if !range.contains(IntegerRange::just(n)) {
                    self.complain(format!(
                        "{n} is used at instruction {number}, not within {} to {}",
                        range.lo, range.hi
                    ));
                }
            }
        }
        let below = self.places[number].iter().copied().zip(&fact.below);
        let below: Vec<(ValueId, IndexBound)> =
            below.flat_map(|(value, bounds)| bounds.iter().map(move |&bound| (value, bound))).collect();
        for (value, bound) in below {
            let (Some(&lanes), ValueType::Data(data), Some(limit)) = (
                self.latest.get(&(thread, value)),
                self.kernel.entry().value(value).ty,
                bound.number(self.kernel, self.arguments),
            ) else {
                continue;
            };
            self.seen.below += 1;
            if number_of(data.scalar, lanes[0]).is_some_and(|n| n >= limit) {
                self.complain(format!("an index at instruction {number} is not below {bound:?}, which is {limit}"));
            }
        }
    }

    fn value(&mut self, thread: u64, value: ValueId, lanes: [u64; 4]) {
        let declared = self.kernel.entry().value(value);
        let ValueType::Data(data) = declared.ty else { return };
        let name = declared.name.clone().map_or(format!("value {}", value.index()), |name| name.to_string());
        let (tile, row, x) = self.place(thread);
        let together = self.together(thread, tile, self.defined[value.index()]);
        let facts = self.facts.parts(value).to_vec();
        self.seen.values += 1;
        // Second results of one instruction are told apart by the value.
        let id = value.index() as u32;
        let first_in_row = *self.rows.entry((together.clone(), id, row)).or_insert((x, lanes));
        let first_in_tile = *self.tiles.entry((together, id)).or_insert(lanes);
        for (i, fact) in facts.iter().enumerate().take(usize::from(data.width)) {
            let now = number_of(data.scalar, lanes[i]);
            if let (Some(n), Some(range)) = (now, fact.range) {
                self.seen.narrow += u64::from(IntegerRange::of_type(data.scalar) != Some(range));
                if !range.contains(IntegerRange::just(n)) {
                    self.complain(format!("{name}.{i} is {n}, not within {} to {}", range.lo, range.hi));
                }
            }
            let (before, first) = (first_in_row.1[i], first_in_tile[i]);
            let right = match fact.shape {
                LaneShape::Const => {
                    self.seen.constant += 1;
                    same(data.scalar, first, lanes[i])
                }
                LaneShape::TileUniform => {
                    self.seen.tile += 1;
                    same(data.scalar, first, lanes[i])
                }
                LaneShape::GroupUniform => {
                    self.seen.group += 1;
                    same(data.scalar, before, lanes[i])
                }
                LaneShape::Affine(Stride { by, exact }) => {
                    self.seen.affine += 1;
                    self.seen.exact += u64::from(exact);
                    let steps = i128::from(x) - i128::from(first_in_row.0);
                    let expected = number_of(data.scalar, before).map(|n| n + steps * i128::from(by));
                    let modulus = 1 << data.scalar.bits();
                    match (expected, now) {
                        (Some(a), Some(b)) if exact => a == b,
                        (Some(a), Some(b)) => (a - b) % modulus == 0,
                        _ => false,
                    }
                }
                LaneShape::Varying => true,
            };
            if !right {
                self.complain(format!(
                    "{name}.{i} is not {}: {:#x} in thread {thread}, {before:#x} in the first of its row, {first:#x} in the first of its tile",
                    fact.shape, lanes[i]
                ));
            }
        }
    }

    /// At the end of a launch in which every thread came to its end: did all come where all should?
    fn finish(&mut self) {
        let threads: u64 = self.tile.iter().product();
        let row = self.tile.last().copied().unwrap_or(1);
        let counts = std::mem::take(&mut self.counts);
        for ((tile, inst, rounds), count) in counts {
            let control = self.facts.inst(inst).map_or(TileAgreement::Unproven, |fact| fact.control);
            if control == TileAgreement::Uniform {
                self.seen.together += 1;
                if count != threads {
                    self.complain(format!(
                        "{count} of {threads} threads of tile {tile} are at instruction {} in rounds {rounds:?}",
                        inst.index()
                    ));
                }
            }
        }
        let counts = std::mem::take(&mut self.row_counts);
        for (((tile, inst, rounds), _), count) in counts {
            if self.facts.inst(inst).is_some_and(|fact| fact.row_together) && count != row {
                self.complain(format!(
                    "{count} of {row} threads of a row of tile {tile} are at instruction {} in rounds {rounds:?}",
                    inst.index()
                ));
            }
        }
    }
}

impl Seen {
    fn add(&mut self, other: &Seen) {
        self.values += other.values;
        self.narrow += other.narrow;
        self.constant += other.constant;
        self.tile += other.tile;
        self.group += other.group;
        self.affine += other.affine;
        self.exact += other.exact;
        self.together += other.together;
        self.uses += other.uses;
        self.below += other.below;
    }
}

/// Launches a kernel and compares. `facts` are those of its inlined form, or wrong ones.
fn compare(
    kernel: &Checked<Kernel>,
    facts: &KernelFacts,
    domain: &Domain,
    mut memory: LaunchMemory,
    arguments: &[Argument],
) -> (Seen, Vec<String>) {
    let mut watch = Watch::new(kernel.inlined(), facts, domain, arguments);
    let options = Options { fuel: Some(FUEL), ..Options::default() };
    let outcome = observe(kernel, domain, &mut memory, arguments, &options, &mut |event| watch.event(event));
    // Threads that `error` or `abort` ended, or that had no turn any more, are missing in the counts.
    if outcome.is_ok_and(|outcome| outcome.ending == Ending::Completed) {
        watch.finish();
    }
    (watch.seen, watch.wrong)
}

/// Checks the claims of the kernels with these seeds; stops at the third with a claim that does not hold.
fn claims_of_random_kernels(seeds: impl Iterator<Item = u64>) -> (Seen, Vec<String>) {
    let (mut seen, mut failures) = (Seen::default(), Vec::new());
    for seed in seeds {
        let case = generate(seed, KernelBudget::of_seed(seed));
        let Ok(kernel) = check(case.kernel.clone()) else { panic!("seed {seed} is not accepted") };
        let (these, wrong) = compare(&kernel, kernel.facts(), &case.domain, case.memory, &case.arguments);
        seen.add(&these);
        if !wrong.is_empty() {
            let text = tilewise_ir::text::print(kernel.inlined());
            failures.push(format!(
                "seed {seed}: {}\n{}\n{text}",
                wrong[..wrong.len().min(8)].join("\n"),
                kernel.facts().show(kernel.inlined())
            ));
        }
        if failures.len() == 3 {
            break;
        }
    }
    (seen, failures)
}

#[test]
fn what_is_claimed_of_random_kernels_holds_in_every_thread() {
    let kernels: u64 = std::env::var("FUZZ_KERNELS").ok().and_then(|n| n.parse().ok()).unwrap_or(KERNELS);
    let mut seen = Seen::default();
    let mut failures = Vec::new();
    // It is the longest test of its program, so it has each core for itself in the end.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let of_thread = |first: usize| claims_of_random_kernels((first as u64..kernels).step_by(threads));
        let running: Vec<_> = (0..threads).map(|first| scope.spawn(move || of_thread(first))).collect();
        for thread in running {
            let (these, wrong) = thread.join().expect("a kernel is accepted and interpreted");
            seen.add(&these);
            failures.extend(wrong);
        }
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{seen:?}");
    for claims in [seen.narrow, seen.constant, seen.tile, seen.group, seen.affine, seen.exact, seen.together, seen.uses]
    {
        assert!(claims > kernels, "each kind of claim is met often: {seen:?}");
    }
}

#[test]
fn what_is_claimed_of_the_file_tests_holds_in_every_thread() {
    let (mut launches, mut below) = (0, 0);
    for (name, text) in corpus::FILES {
        let file = case::read(name, text);
        let Ok(kernel) = &file.kernel else { continue };
        for run in &file.header.runs {
            let Ok((domain, bound)) = case::prepare(kernel, run) else { continue };
            let (seen, wrong) = compare(kernel, kernel.facts(), &domain, bound.memory, &bound.arguments);
            below += seen.below;
            assert!(
                wrong.is_empty(),
                "{name}: {}\n{}",
                wrong[..wrong.len().min(8)].join("\n"),
                kernel.facts().show(kernel.inlined())
            );
            launches += 1;
        }
    }
    assert!(launches > 50, "{launches} launches");
    assert!(below > 100, "{below} indices were compared with what they are below");
}

/// A kernel with each kind of claim, and strides that wrap between two ends that are in range.
const CLAIMS: &str = r"
kernel k(out: view<i32, 1, read_write>) tile(4, 16) {
    let row = local[0];
    let x = local[1];
    let number = 7 + 1;
    let shared = tile[1] + 3;
    let in_row = row * 5;
    let even = x * 6;
    let seam = x * 286331153;
    let seam_and_more = x * 143165577 + 2147483647;
    let around = x * 1073741824;
    let wide = even as i64 * 4294967296i64;
    var i: i32 = 0;
    while i < 10 { let in_body = i; i = i + 1; }
    if x < 16 { out[x] = even; }
    if row < 9 { out[row] = even; }
    let far = x * 20;
    let end = extent(out, 0);
    let beyond = 10000;
    if far < beyond { out[far] = 1; }
}
";

fn compare_text(text: &str, claims: &str) -> Vec<String> {
    let read = |text: &str| {
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"))
    };
    let (kernel, claims) = (read(text), read(claims));
    let memory = LaunchMemory { allocations: vec![vec![0; 1024]], ..LaunchMemory::default() };
    let arguments = [Argument::View(ViewArgument::dense(0, &[256]))];
    compare(&kernel, claims.facts(), &Domain::new([8, 32]), memory, &arguments).1
}

#[test]
fn a_wrong_claim_is_noticed() {
    assert_eq!(compare_text(CLAIMS, CLAIMS), [] as [&str; 0]);
    for (right, wrong, complaint) in [
        ("7 + 1", "7 + 2", "number.0 is 8, not within 9 to 9"),
        ("far < beyond", "far < end", "is not below Extent"),
        ("local[0];", "tile[0];", "row.0 is not tile"),
        ("tile[1] + 3", "tile[1] + 4", "shared.0 is 3, not within 4"),
        ("row * 5", "shared * 5", "in_row.0 is not tile"),
        ("local[1];", "local[0];", "x.0 is not group"),
        ("x * 6", "x * 11", "even.0 is not affine 11"),
        ("x * 286331153", "x * 286331154", "seam.0 is not affine 286331154 modulo"),
        ("x * 1073741824", "x * 1073741825", "around.0 is not affine 1073741825 modulo"),
        ("i < 10", "i < 8", "in_body.0 is 9, not within 0 to 7"),
    ] {
        // The facts are those of a kernel that differs in one place.
        let claims = CLAIMS.replacen(right, wrong, 1);
        let found = compare_text(CLAIMS, &claims);
        assert!(found.iter().any(|it| it.contains(complaint)), "`{wrong}`: {found:#?}");
    }
}

#[test]
fn a_wrong_claim_about_a_use_is_noticed() {
    let text = "kernel k(out: view<i32, 1, read_write>) tile(4, 16) { let a = local[1]; if a < 9 { out[a] = 1; } }";
    let found = compare_text(text, &text.replace("a < 9", "a < 8"));
    assert!(found.iter().any(|it| it.contains("8 is used at instruction")), "{found:#?}");
}

#[test]
fn a_wrong_claim_about_control_is_noticed() {
    let some = "kernel k(out: view<i32, 1, read_write>) tile(4, 16) { let a = local[1]; if a < 3 { out[a] = 1; } }";
    let rows = some.replace("local[1]", "local[0]");
    let all = some.replace("local[1]", "tile[0]");
    for (text, claims, holds) in [
        (some, some, true),
        (&rows, some, true),
        (&rows, &rows, true),
        (some, &rows, false),
        (some, &all, false),
        (&rows, &all, false),
    ] {
        let found = compare_text(text, claims);
        let noticed = found.iter().any(|it| it.contains("threads of"));
        assert_eq!(noticed, !holds, "{text}\n{claims}\n{found:#?}");
    }
}
