//! Loads, stores and copies at every kind of address, masked and not.

use tilewise_ir::types::Stored;

use super::{
    AddressStep, Effect, Elem, LaneAddress, LaneInst, LaneProgram, LaneType, LaneValue, MemorySpace, Test, WIDTHS,
    address, aligned, bytes, noise, pointer, run,
};
use crate::emit::listing::listing;
use crate::emit::{CodeForm, EmitOptions, compile};
use crate::lanes::ArenaPart;

const FORMATS: [Stored; 5] = [Stored::Bool, Stored::U16, Stored::F32, Stored::I64, Stored::F16];

/// How the lanes of a test go: as such, and where the tests expect each.
#[derive(Clone, Copy, Debug)]
enum Go {
    Unit,
    Step(i64),
    Each32,
    Each64,
}

const GOES: [Go; 4] = [Go::Unit, Go::Step(24), Go::Each32, Go::Each64];

impl Go {
    /// Where lane `n` is, in bytes.
    fn offset(self, lane: usize, stored: Stored) -> usize {
        match self {
            Go::Unit => lane * stored.size() as usize,
            Go::Step(step) => lane * step as usize,
            Go::Each32 | Go::Each64 => (lane * 5 % 16) * 24,
        }
    }

    /// The same, with the offsets of lanes read from the first buffer, 512 and 576 bytes from its start.
    fn along(self, test: &mut Test, stored: Stored) -> AddressStep {
        match self {
            Go::Unit => AddressStep::Step(stored.size().into()),
            Go::Step(step) => AddressStep::Step(step),
            Go::Each32 => AddressStep::Each(offsets(test, Stored::U32, 512)),
            Go::Each64 => AddressStep::Each(offsets(test, Stored::I64, 576)),
        }
    }
}

fn offsets(test: &mut Test, stored: Stored, at: i64) -> LaneValue {
    let from = LaneAddress { displacement: at, ..test.source(stored) };
    test.b.load(from, None)
}

/// The first buffer: values at 0, then offsets for lanes, then a mask at 704.
fn input(mask: &[u8], stored: Stored) -> Vec<u8> {
    let mut input = noise(11, 768);
    match stored {
        Stored::Bool => input[..512].iter_mut().for_each(|byte| *byte &= 1),
        Stored::F16 => input[..512].chunks_mut(2).for_each(|half| half[1] &= 0xbf),
        _ => {}
    }
    for lane in 0..16 {
        // Of lanes that are masked off it points anywhere.
        let off = mask.get(lane) == Some(&0);
        let offset = Go::Each64.offset(lane, stored) as u64;
        let (narrow, wide) = if off { (0xdead_beef, 0xdead_beef_dead_beef) } else { (offset as u32, offset) };
        input[512 + 4 * lane..][..4].copy_from_slice(&narrow.to_le_bytes());
        input[576 + 8 * lane..][..8].copy_from_slice(&wide.to_le_bytes());
    }
    input[704..704 + mask.len()].copy_from_slice(mask);
    input
}

fn masks(width: u32) -> Vec<Vec<u8>> {
    let width = width as usize;
    let random = noise(21, width).iter().map(|byte| byte >> 3 & 1).collect();
    vec![vec![0; width], vec![1; width], random, (0..width).map(|lane| u8::from(lane == width - 1)).collect()]
}

/// Writes the arm that seldom runs; here it does.
fn seldom(test: &mut Test, body: impl FnOnce(&mut Test)) {
    let (given, zero) = (test.b.given()[0], test.b.number(0));
    let usual = test.b.op(tilewise_ir::ops::Op::Ne, tilewise_ir::types::Scalar::I64, &[given, zero]);
    test.b.open_arm();
    let then = test.b.close(Vec::new());
    test.b.open_arm();
    body(test);
    let otherwise = test.b.close(Vec::new());
    test.b.if_else(usual, then, otherwise, crate::lanes::Likely::Then);
}

fn run_on(program: &LaneProgram, input: &[u8]) -> Vec<u8> {
    let (input, output) = (aligned(input), aligned(&[0x77; 512]));
    assert_eq!(run(program, &[pointer(&input), pointer(&output)]), 0);
    bytes(&output)
}

#[test]
fn loads_find_every_lane_and_give_zero_for_masked_off_ones() {
    for (width, stored, go) in all() {
        for mask in masks(width).into_iter().map(Some).chain([None]) {
            let mut test = Test::new(width);
            let along = go.along(&mut test, stored);
            let on = mask.as_ref().map(|_| test.mask(704));
            let from = address(MemorySpace::Buffer(0), test.from, along, stored);
            // Once as such, once where it is out of the way.
            let loaded = test.b.load(from.clone(), on);
            test.store(test.target(stored), loaded, None);
            seldom(&mut test, |test| {
                let loaded = test.b.load(from, on);
                test.store(LaneAddress { displacement: 256, ..test.target(stored) }, loaded, None);
            });
            let input = input(mask.as_deref().unwrap_or(&[]), stored);
            let output = run_on(&test.finish(), &input);
            assert_eq!(
                output[..256],
                output[256..],
                "{stored} {go:?} {mask:?} of {width}: the same where it seldom runs"
            );
            let size = stored.size() as usize;
            for lane in 0..width as usize {
                let mut expected = input[go.offset(lane, stored)..][..size].to_vec();
                if mask.as_ref().is_some_and(|mask| mask[lane] == 0) {
                    expected.fill(0);
                }
                assert_eq!(output[lane * size..][..size], expected, "{stored} {go:?} {mask:?} lane {lane} of {width}");
            }
        }
    }
}

#[test]
fn stores_reach_every_lane_and_nothing_else() {
    for (width, stored, go) in all() {
        for mask in masks(width).into_iter().map(Some).chain([None]) {
            let mut test = Test::new(width);
            let along = go.along(&mut test, stored);
            let on = mask.as_ref().map(|_| test.mask(704));
            let loaded = test.b.load(test.source(stored), None);
            let to = address(MemorySpace::Buffer(1), test.to, along, stored);
            test.store(to.clone(), loaded, on);
            seldom(&mut test, |test| test.store(LaneAddress { displacement: 512, ..to }, loaded, on));
            let input = input(mask.as_deref().unwrap_or(&[]), stored);
            let (lines, output) = (aligned(&input), aligned(&[0x77; 1024]));
            assert_eq!(run(&test.finish(), &[pointer(&lines), pointer(&output)]), 0);
            let mut output = bytes(&output);
            assert_eq!(
                output.split_off(512),
                output,
                "{stored} {go:?} {mask:?} of {width}: the same where it seldom runs"
            );
            let expected = expected(width, stored, go, mask.as_deref(), &input, 0x77);
            assert_eq!(output, expected, "{stored} {go:?} {mask:?} of {width}");
        }
    }
}

#[test]
fn the_workers_memory_is_read_and_written_under_masks() {
    for (width, stored, go) in all() {
        for mask in masks(width) {
            let mut test = Test::new(width);
            let along = go.along(&mut test, stored);
            let on = test.mask(704);
            let own = test.b.pure(LaneInst::Arena(ArenaPart::TileStatic), LaneType::Scalar(Elem::I64));
            test.b.effect(Effect::Clear { from: own, bytes: 512 });
            let loaded = test.b.load(test.source(stored), None);
            let space = MemorySpace::Arena(ArenaPart::TileStatic);
            test.store(address(space, own, along, stored), loaded, Some(on));
            let again = test.b.load(address(space, own, along, stored), Some(on));
            test.store(test.target(stored), again, None);
            // All 512 bytes, for the test to see.
            for i in 0..512 / width as i64 {
                let at = i * i64::from(width);
                let bytes = LaneAddress { displacement: at, ..address(space, own, AddressStep::Step(1), Stored::U8) };
                let seen = test.b.load(bytes, None);
                let to = LaneAddress { displacement: 512 + at, ..test.target(Stored::U8) };
                test.store(to, seen, None);
            }
            let input = input(&mask, stored);
            let (lines, output) = (aligned(&input), aligned(&[0x77; 1024]));
            assert_eq!(run(&test.finish(), &[pointer(&lines), pointer(&output)]), 0);
            let output = bytes(&output);
            let own = expected(width, stored, go, Some(&mask), &input, 0);
            assert_eq!(output[512..], own, "{stored} {go:?} {mask:?} of {width}");
            let size = stored.size() as usize;
            for lane in 0..width as usize {
                let there = own.get(go.offset(lane, stored)..).unwrap_or(&[]);
                let zero = vec![0; size];
                let want = if mask[lane] == 1 { &there[..size] } else { &zero[..] };
                assert_eq!(output[lane * size..][..size], *want, "{stored} {go:?} {mask:?} lane {lane} of {width}");
            }
        }
    }
}

fn all() -> impl Iterator<Item = (u32, Stored, Go)> {
    let formats = |width| FORMATS.into_iter().map(move |stored| (width, stored));
    let goes = |(width, stored)| GOES.into_iter().map(move |go| (width, stored, go));
    WIDTHS.into_iter().flat_map(formats).flat_map(goes)
}

/// 512 bytes of `fill` after the lanes that lie at the start of `input` were stored.
fn expected(width: u32, stored: Stored, go: Go, mask: Option<&[u8]>, input: &[u8], fill: u8) -> Vec<u8> {
    let size = stored.size() as usize;
    let mut bytes = vec![fill; 512];
    for lane in 0..width as usize {
        if mask.is_none_or(|mask| mask[lane] == 1) {
            bytes[go.offset(lane, stored)..][..size].copy_from_slice(&input[lane * size..][..size]);
        }
    }
    bytes
}

#[test]
fn lanes_that_go_to_one_place_leave_what_one_of_the_set_ones_held() {
    for (width, stored) in WIDTHS.into_iter().flat_map(|width| FORMATS.map(|stored| (width, stored))) {
        for mask in masks(width).into_iter().map(Some).chain([None]) {
            let mut test = Test::new(width);
            let on = mask.as_ref().map(|_| test.mask(704));
            let loaded = test.b.load(test.source(stored), None);
            test.store(address(MemorySpace::Buffer(1), test.to, AddressStep::Uniform, stored), loaded, on);
            let input = input(mask.as_deref().unwrap_or(&[]), stored);
            let output = run_on(&test.finish(), &input);
            let size = stored.size() as usize;
            let set: Vec<usize> =
                (0..width as usize).filter(|&lane| mask.as_ref().is_none_or(|mask| mask[lane] == 1)).collect();
            let one_of = set.iter().any(|&lane| output[..size] == input[lane * size..][..size]);
            assert!(one_of || set.is_empty(), "{stored} {mask:?}");
            let untouched = if set.is_empty() { 0 } else { size };
            assert!(output[untouched..].iter().all(|&byte| byte == 0x77), "{stored} {mask:?}");
        }
    }
}

#[test]
fn an_address_adds_base_offset_constant_and_step() {
    for width in WIDTHS {
        for displacement in [8, -16, 1 << 33] {
            let mut test = Test::new(width);
            let offset = test.b.given()[0];
            let from = LaneAddress { offset: Some(offset), displacement, ..test.source(Stored::I32) };
            let loaded = test.b.load(from, None);
            test.store(test.target(Stored::I32), loaded, None);
            let program = test.finish();
            let input = noise(3, 256);
            let (lines, output) = (aligned(&input), aligned(&[0; 64]));
            let words = [pointer(&lines), pointer(&output)];
            super::run_telling(&program, &words, [64 - displacement, 0, 0, 0], 0, 0);
            let size = 4 * width as usize;
            assert_eq!(bytes(&output)[..size], input[64..][..size]);
        }
    }
}

/// Copies, short ones and ones that are long enough for a call.
fn copies() -> Vec<Vec<(u64, u64, Stored)>> {
    let strange = vec![(0, 2, Stored::U16), (4, 8, Stored::F32), (8, 12, Stored::U8), (16, 16, Stored::F64)];
    let long = (0..15).map(|i| (12 * i, 16 * i + 1, Stored::U8)).collect();
    vec![strange, long, vec![(0, 0, Stored::I32), (4, 4, Stored::I32), (8, 8, Stored::I32)]]
}

#[test]
fn a_copy_moves_the_scalars_of_each_lane_and_leaves_gaps_alone() {
    for width in WIDTHS {
        for copy in copies() {
            for (write, read) in
                masks(width).into_iter().flat_map(|a| masks(width).into_iter().map(move |b| (a.clone(), b)))
            {
                let mut test = Test::new(width);
                let (mask, reads) = (test.mask(4096), test.mask(4112));
                let from = address(MemorySpace::Buffer(0), test.from, AddressStep::Step(256), Stored::U8);
                let to = address(MemorySpace::Buffer(1), test.to, AddressStep::Step(200), Stored::U8);
                test.b.effect(Effect::Copy { shape: 0, to, from, read: Some(reads), mask: Some(mask) });
                let mut program = test.finish();
                program.copies = vec![copy.clone()];
                let mut input = noise(31, 4128);
                input[4096..][..width as usize].copy_from_slice(&write);
                input[4112..][..width as usize].copy_from_slice(&read);
                let mut expected = vec![0x77; 4096];
                for lane in (0..width as usize).filter(|&lane| write[lane] == 1) {
                    for &(to, from, stored) in &copy {
                        let size = stored.size() as usize;
                        let bytes = &input[256 * lane + from as usize..][..size];
                        let bytes = if read[lane] == 1 { bytes.to_vec() } else { vec![0; size] };
                        expected[200 * lane + to as usize..][..size].copy_from_slice(&bytes);
                    }
                }
                let (lines, output) = (aligned(&input), aligned(&[0x77; 4096]));
                assert_eq!(run(&program, &[pointer(&lines), pointer(&output)]), 0);
                assert!(bytes(&output) == expected, "{copy:?} {write:?} {read:?} of {width}");
            }
        }
    }
}

#[test]
fn a_copy_onto_itself_reads_all_before_it_writes() {
    for width in WIDTHS {
        for count in [3, 200] {
            let mut test = Test::new(width);
            let from = address(MemorySpace::Buffer(1), test.to, AddressStep::Uniform, Stored::U8);
            let to = LaneAddress { displacement: 4, ..from.clone() };
            test.b.effect(Effect::Copy { shape: 0, to, from, read: None, mask: None });
            let mut program = test.finish();
            program.copies = vec![(0..count).map(|i| (5 * i, 5 * i, Stored::I32)).collect()];
            let input = noise(9, 2048);
            let output = aligned(&input);
            run(&program, &[0, pointer(&output)]);
            let mut expected = input.clone();
            for i in 0..count as usize {
                expected[4 + 5 * i..][..4].copy_from_slice(&input[5 * i..][..4]);
            }
            assert!(bytes(&output) == expected, "{count} at width {width}");
        }
    }
}

#[test]
fn clearing_touches_its_bytes_only() {
    for size in [4, 12, 64, 100, 256, 2048] {
        let mut test = Test::new(4);
        let to = test.to;
        test.b.effect(Effect::Clear { from: to, bytes: size });
        let output = aligned(&[1; 4096]);
        run(&test.finish(), &[0, pointer(&output)]);
        let output = bytes(&output);
        assert!(
            output[..size as usize].iter().all(|&byte| byte == 0)
                && output[size as usize..].iter().all(|&byte| byte == 1)
        );
    }
}

/// A store past the caches of less than a line would be followed by one of the rest through them: each
/// such line is then written to memory, read and written again.
#[test]
fn only_whole_lines_are_stored_past_the_caches() {
    let streams = |form: CodeForm, width: u32, stored: Stored| {
        let mut test = Test::new(width);
        let value = test.b.constant(Elem::of(stored.value()), 3);
        let value = test.b.lanes(value);
        test.store(test.target(stored), value, None);
        let program = LaneProgram { streams: true, ..test.finish() };
        let code =
            compile(&program, &EmitOptions { text: false, whole: false, apart: 0, soon: EmitOptions::WELL, form });
        let code = code.unwrap_or_else(|why| panic!("{why}"));
        listing(&code, &|_| String::new()).contains("vmovntps")
    };
    for form in [CodeForm::Avx2, CodeForm::Avx512].into_iter().filter(|form| form.is_native()) {
        for width in [4, 8, 16, 32, 64] {
            for stored in [Stored::I32, Stored::F32, Stored::I64, Stored::F64] {
                let whole = (width * stored.size()).is_multiple_of(64);
                assert_eq!(streams(form, width, stored), whole, "{form:?}, {width} lanes, {stored}");
            }
        }
    }
}

/// This processor has one way to gather and scatter; the other is tested in a process of its own.
#[test]
fn both_ways_to_gather_and_scatter_are_right() {
    let this = std::env::current_exe().expect("a test is a program");
    for way in ["instructions", "loads"] {
        let mut tests = std::process::Command::new(&this);
        tests.args(["emit::tests::memory::loads_find", "emit::tests::memory::stores_reach", "machine_code_does"]);
        tests.env("TILEWISE_GATHERS", way).env("LANES_PROGRAMS", "300");
        let output = tests.output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{way}: {text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("3 passed"), "{way}: {text}");
    }
}
