//! How kernels are cut, and what crosses; and that it suffices, on all kernels of the conformance suite.

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{Kernel, ValueId};

use super::{End, Item, Region, Regions};
use crate::form::live::Live;
use crate::form::locals::Locals;
use crate::form::numbers::Numbers;
use crate::form::samples::checked;

fn regions(checked: &Checked<Kernel>) -> (Regions, Locals) {
    let (kernel, facts) = (checked.inlined(), checked.facts());
    let locals = Locals::of(kernel, facts);
    let numbers = Numbers::of(kernel);
    let mut live = Live::of(kernel, &locals, &numbers);
    (Regions::of(kernel, facts, &locals, &numbers, &mut live), locals)
}

/// The tile level in one line, and a line for each region: values and parts that go in and out, by name (locals here are all scalars).
fn shown(body: &str) -> Vec<String> {
    let checked = checked(body);
    let (regions, _) = regions(&checked);
    let kernel = checked.inlined();
    let mut out = vec![tree(&regions.body)];
    for (i, region) in regions.list.iter().enumerate() {
        let value = |value: &ValueId| match &kernel.entry().value(*value).name {
            Some(name) => name.to_string(),
            None => "?".to_owned(),
        };
        let part = |part: &usize| kernel.entry().locals()[*part].name.to_string();
        let list = |values: &[ValueId], parts: &[usize]| {
            let all: Vec<String> = values.iter().map(value).chain(parts.iter().map(part)).collect();
            all.join(" ")
        };
        let end = match region.end {
            End::Goes => "",
            End::Asks(_) => " asks",
            End::Gives { .. } => " gives",
        };
        let (ins, outs) = (list(&region.values_in, &region.parts_in), list(&region.values_out, &region.parts_out));
        out.push(format!("{i}: [{ins}] -> [{outs}]{end}"));
    }
    out
}

fn tree(items: &[Item]) -> String {
    let shown: Vec<String> = items
        .iter()
        .map(|item| match item {
            Item::Region(number) => number.to_string(),
            Item::Barrier(_) => "|".to_owned(),
            Item::Lifted { blocks, .. } => {
                let blocks: Vec<String> = blocks.iter().map(|block| tree(block)).collect();
                format!("({})", blocks.join("; "))
            }
        })
        .collect();
    shown.join(" ")
}

#[test]
fn a_kernel_without_barriers_is_one_region() {
    assert_eq!(shown("if i < n { out[i] = 1; }"), ["0", "0: [] -> []"]);
}

#[test]
fn a_value_from_memory_crosses_and_a_cheap_one_is_computed_again() {
    let found = shown("let x = data[i]; let k = i * 4 + n; barrier; cells[i] = x + k; barrier; out[i] = k;");
    assert_eq!(found, ["0 | 1 | 2", "0: [] -> [x]", "1: [x] -> []", "2: [] -> []"]);
}

#[test]
fn what_is_cheap_out_of_a_crossing_value_loads_that() {
    let found =
        shown("let x = data[i]; let y = x + 1; barrier; out[i] = y; cells[i] = x; barrier; out[i] = y + cells[3];");
    assert_eq!(found, ["0 | 1 | 2", "0: [] -> [x]", "1: [x] -> []", "2: [x] -> []"]);
    let found = shown("let x = data[i]; let y = x + 1; barrier; out[i] = y; ");
    assert_eq!(found, ["0 | 1", "0: [] -> [y]", "1: [y] -> []"]);
}

#[test]
fn views_are_made_again_out_of_what_crosses() {
    let found = shown("let at = data[i]; let part = section(data, [at], [4]); barrier; out[i] = part[1];");
    assert_eq!(found, ["0 | 1", "0: [] -> [at]", "1: [at] -> []"]);
}

#[test]
fn a_tree_reduction_keeps_its_counter() {
    let found = shown(
        "cells[i] = data[i]; barrier; var half: i32 = 32; while half > 0 { if i < half { cells[i] = cells[i] + cells[i + half]; } barrier; half = half / 2; } \
         if i == 0 { out[0] = cells[0]; }",
    );
    assert_eq!(
        found,
        [
            "0 | 1 (2; 3 | 4; ) 5",
            "0: [] -> []",
            "1: [] -> [half]",
            "2: [half] -> [] asks",
            "3: [half] -> []",
            "4: [half] -> [half]",
            "5: [] -> []",
        ]
    );
}

#[test]
fn a_part_that_only_some_threads_write_is_loaded_first() {
    let found = shown(
        "var a: i32 = 1; var b: i32 = 2; var c: i32 = 3; barrier; if data[i] == 1 { a = 4; } b = 5; c = c + 1; barrier; out[i] = a + b;",
    );
    assert_eq!(found, ["0 | 1 | 2", "0: [] -> [a c]", "1: [a c] -> [a b]", "2: [a b] -> []"]);
}

#[test]
fn a_region_that_jumps_stores_what_is_needed_where_it_jumps_to() {
    let found = shown(
        "var x: i32 = 0; var k: i32 = 0; while k < 3 { barrier; x = 1; if i == 0 { continue; } x = 2; out[i] = x; x = 3; } continuing { k = k + 1; cells[i] = x; barrier; }",
    );
    assert_eq!(found[0], "0 (1; | 2; 3 |)");
    assert_eq!(found[3], "2: [] -> [x]");
    assert_eq!(found[4], "3: [x k] -> [k]");
}

#[test]
fn a_lifted_construct_gets_its_result_and_its_condition_from_regions() {
    let found = shown("let x = data[n]; barrier; let y = if n < 3 { barrier; x } else { x * 7 }; barrier; out[i] = y;");
    assert_eq!(
        found,
        [
            "0 | 1 (| 2; 3) | 4",
            "0: [] -> [x]",
            "1: [] -> [] asks",
            "2: [x] -> [y] gives",
            "3: [x] -> [y] gives",
            "4: [y] -> []",
        ]
    );
}

#[test]
fn a_break_gives_the_scopes_result() {
    let checked = checked("let y = 'v: { if n == data[0] { break 'v 3; } barrier; 4 }; out[i] = y;");
    let (regions, _) = regions(&checked);
    assert_eq!(tree(&regions.body), "0 (1 | 2) 3");
    assert_eq!(regions.list[1].values_out, regions.list[2].values_out);
    assert_eq!(regions.list[3].values_in, regions.list[2].values_out);
    assert_eq!(regions.list[1].jumps.len(), 1);
    assert!(regions.list[2].jumps.is_empty());
}

#[test]
fn a_local_in_memory_is_shared_if_two_regions_touch_it() {
    let checked = checked(
        "var t: [i32; 4] = zero; var u: [i32; 4] = zero; u[i] = 1; out[i] = u[n]; t[i] = 2; barrier; out[i] = t[n];",
    );
    let (regions, locals) = regions(&checked);
    assert_eq!(locals.private(), 32);
    let shared: Vec<usize> = regions.shared_memory.iter().map(|local| local.index()).collect();
    assert_eq!(shared, [0]);
}

#[test]
fn regions_cover_every_instruction_of_the_tile_level_once() {
    each_kernel(&mut |name, checked| {
        let (regions, _) = regions(checked);
        let numbers = Numbers::of(checked.inlined());
        let mut covered = vec![0; numbers.count()];
        let mut number = 0;
        checked.inlined().entry().body().walk(&mut |inst| {
            let barrier = matches!(inst.kind, tilewise_ir::kernel::InstKind::Barrier(_));
            covered[number] += usize::from(barrier || regions.lifted(number));
            number += 1;
        });
        regions.list.iter().for_each(|region| covered[region.numbers.clone()].iter_mut().for_each(|n| *n += 1));
        assert!(covered.iter().all(|&n| n == 1), "{name}");
        let starts: Vec<usize> = regions.list.iter().map(|region| region.numbers.start).collect();
        assert!(starts.is_sorted(), "{name}");
    });
}

#[test]
fn every_value_that_a_region_loads_is_stored_by_one_before_it() {
    each_kernel(&mut |name, checked| {
        let (regions, _) = regions(checked);
        for (i, region) in regions.list.iter().enumerate() {
            let stored = |value: &ValueId| regions.list[..i].iter().any(|region| region.values_out.contains(value));
            assert!(region.values_in.iter().all(stored), "{name}, region {i}");
            assert!(
                region
                    .uses
                    .iter()
                    .all(|value| { region.values_in.contains(value) || regions.recompute.has(value.index()) })
            );
            assert!(!region.values_out.iter().any(|value| regions.recompute.has(value.index())), "{name}");
        }
        for (i, region) in regions.list.iter().enumerate() {
            let writers = |part: &usize| regions.list.iter().any(|region| region.parts_out.contains(part));
            assert!(region.parts_in.iter().all(writers), "{name}, region {i}: {:?}", names(checked, region));
        }
    });
}

fn names(checked: &Checked<Kernel>, region: &Region) -> Vec<String> {
    let locals = checked.inlined().entry().locals();
    region
        .parts_in
        .iter()
        .map(|&part| locals.get(part).map_or_else(String::new, |local| local.name.to_string()))
        .collect()
}

fn each_kernel(f: &mut dyn FnMut(&str, &Checked<Kernel>)) {
    let kernels = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/kernels");
    let mut count = 0;
    for folder in std::fs::read_dir(kernels).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.display().to_string();
            let Ok(list) = tilewise_ir::text::parse_all(&name, &std::fs::read_to_string(&path).unwrap()) else {
                continue;
            };
            for kernel in list {
                if let Ok(checked) = tilewise_ir::check::check(kernel) {
                    count += 1;
                    f(&name, &checked);
                }
            }
        }
    }
    assert!(count > 200, "{count} kernels");
}
