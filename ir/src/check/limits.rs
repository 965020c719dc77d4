//! Limits: tile, rank, bytes, instructions, nesting, parameters. `K0209` for `tile_static`, `K0601`
//! to `K0606`, `K0610`.

use super::body::Body;
use super::layout::TypeFacts;
use super::report;
use crate::analysis::calls::{CallGraph, weight};
use crate::diag::{Code, DiagnosticList};
use crate::kernel::{Block, Inst, InstKind, Kernel};
use crate::limits::{
    MAX_INSTRUCTIONS, MAX_NESTING, MAX_PARAMS, MAX_PRIVATE, MAX_RANK, MAX_TILE_DEPTH, MAX_TILE_STATIC,
    MAX_TILE_THREADS, MAX_TILED_RANK,
};
use crate::pos::Pos;
use crate::types::round_up;

/// Checks the declarations of the kernel.
pub(super) fn shape(kernel: &Kernel, facts: &TypeFacts, reports: &mut DiagnosticList) {
    let pos = kernel.entry.pos;
    if !(1..=MAX_RANK).contains(&kernel.rank) {
        reports
            .push(report(Code::K0602, format!("a domain of rank {}", kernel.rank)).at(pos, format!("1 to {MAX_RANK}")));
    }
    let kernel_params: Vec<Pos> = kernel.params.iter().map(|param| param.pos).collect();
    params("kernel", &kernel.name, &kernel_params, reports);
    for function in &kernel.functions {
        let function_params: Vec<Pos> = function.params.iter().map(|param| param.pos).collect();
        params("function", &function.name, &function_params, reports);
    }
    match &kernel.tile {
        Some(tile) => tile_shape(kernel, tile, reports),
        None => {
            for var in &kernel.tile_vars {
                reports.push(
                    report(Code::K0209, format!("`tile_static {}` in an untiled kernel", var.name))
                        .at(var.pos, "there is no tile whose threads could share it"),
                );
            }
        }
    }
    let mut used = 0u64;
    for var in kernel.tile_vars.iter().filter(|var| !facts.of_type(var.ty).runtime_sized) {
        used = round_up(used, kernel.types.align(var.ty)).saturating_add(kernel.types.size(var.ty));
        if used > MAX_TILE_STATIC {
            reports.push(
                report(Code::K0603, format!("{used} bytes of `tile_static`"))
                    .at(var.pos, format!("with `{}`, which takes {}", var.name, kernel.types.size(var.ty)))
                    .note(format!("a tile has {MAX_TILE_STATIC} bytes")),
            );
            break;
        }
    }
}

fn params(what: &str, name: &str, params: &[Pos], reports: &mut DiagnosticList) {
    if let Some(&pos) = params.get(MAX_PARAMS) {
        let text = format!("the {what} `{name}` has {} parameters", params.len());
        let out = report(Code::K0610, text).at(pos, "one too many");
        reports.push(out.note(format!("a {what} has at most {MAX_PARAMS}")).help("hand data over in a view"));
    }
}

fn tile_shape(kernel: &Kernel, tile: &[u32], reports: &mut DiagnosticList) {
    let pos = kernel.entry.pos;
    let shown: Vec<String> = tile.iter().map(ToString::to_string).collect();
    let shown = format!("tile({})", shown.join(", "));
    let out = |text: String, label: String| report(Code::K0601, text).at(pos, label);
    if tile.len() > MAX_TILED_RANK {
        reports
            .push(out(format!("`{shown}` has {} dimensions", tile.len()), format!("a tile has 1 to {MAX_TILED_RANK}")));
    } else if tile.len() != kernel.rank as usize {
        reports.push(out(
            format!("`{shown}` in a kernel of rank {}", kernel.rank),
            "a tile has as many dimensions as the domain".to_owned(),
        ));
    }
    if tile.contains(&0) {
        reports.push(out(format!("`{shown}` has no threads"), "each dimension is 1 or more".to_owned()));
    }
    let threads = tile.iter().fold(1u64, |product, &n| product.saturating_mul(u64::from(n)));
    if threads > u64::from(MAX_TILE_THREADS) {
        reports.push(out(format!("`{shown}` has {threads} threads"), format!("a tile has at most {MAX_TILE_THREADS}")));
    }
    if let [depth, _, _] = tile
        && *depth > MAX_TILE_DEPTH
    {
        let text = format!("the first of three dimensions is at most {MAX_TILE_DEPTH}");
        reports.push(out(format!("`{shown}` is {depth} deep"), text));
    }
}

/// Checks the size of the kernel after inlining.
pub(super) fn growth(kernel: &Kernel, calls: &CallGraph, reports: &mut DiagnosticList) {
    let pos = kernel.entry.pos;
    if calls.size() > MAX_INSTRUCTIONS {
        let shown = match calls.size() {
            u64::MAX => "more instructions than can be counted".to_owned(),
            n => format!("{n} instructions"),
        };
        let all = || kernel.functions.iter().chain([&kernel.entry]);
        let own = all().map(|f| count(&f.body, &|_| 1)).sum::<u64>();
        let weighed = all().map(|f| count(&f.body, &|inst| weight(&inst.kind))).sum::<u64>();
        let out = report(Code::K0605, format!("the kernel has {shown}")).at(pos, format!("at most {MAX_INSTRUCTIONS}"));
        let out = match weighed > own {
            true => out.note("one with very many operands, or a long message, counts as several"),
            false => out,
        };
        reports.push(match weighed > MAX_INSTRUCTIONS {
            true => out,
            false => out
                .note(format!("{own} were written; calls are inlined, each a copy of what it calls"))
                .help("call in a loop, or compute once and keep the result"),
        });
    }
    if calls.depth() > u64::from(MAX_NESTING) {
        let out = report(Code::K0606, format!("blocks and calls are nested {} deep", calls.depth()));
        let out = match deepest(&kernel.entry.body) {
            Some(inst) => out.at(inst.pos, format!("at most {MAX_NESTING}, here or in called functions")),
            None => out.at(pos, format!("at most {MAX_NESTING}")),
        };
        reports.push(out);
    }
}

/// Checks the bytes of local variables, on the inlined kernel.
pub(super) fn private(body: &mut Body<'_>) {
    let types = &body.kernel.types;
    let mut used = 0u64;
    let mut largest: Option<(u64, usize)> = None;
    for (i, local) in body.function.locals.iter().enumerate() {
        let size = types.size(local.ty);
        used = round_up(used, types.align(local.ty)).saturating_add(size);
        if largest.is_none_or(|(most, _)| size > most) {
            largest = Some((size, i));
        }
    }
    if used <= MAX_PRIVATE {
        return;
    }
    let out = report(Code::K0604, format!("the local variables of a thread take {used} bytes"));
    let out = match largest {
        Some((size, i)) => {
            let local = crate::kernel::LocalId(i as u32);
            let pos = body.declaration(local).map_or(body.function.pos, |inst| inst.pos);
            let text = format!("`{}` is the largest: {size} bytes", body.function.locals[i].name);
            out.at(pos, text)
        }
        None => out,
    };
    body.report(
        out.note(format!("a thread has {MAX_PRIVATE} bytes, shared by all functions it calls"))
            .help("keep large arrays in a view or in `tile_static`"),
    );
}

fn count(block: &Block, weight: &dyn Fn(&Inst) -> u64) -> u64 {
    let mut n = 0;
    block.walk(&mut |inst| n += weight(inst));
    n
}

/// The first instruction of the deepest block.
fn deepest(block: &Block) -> Option<&Inst> {
    fn search<'a>(block: &'a Block, depth: u32, best: &mut Option<(u32, &'a Inst)>) {
        for inst in &block.insts {
            let weight = depth + u32::from(matches!(inst.kind, InstKind::Call { .. }));
            if best.is_none_or(|(most, _)| weight > most) {
                *best = Some((weight, inst));
            }
            for inner in super::body::inner_blocks(inst) {
                search(inner, depth + 1, best);
            }
        }
    }
    let mut best = None;
    search(block, 0, &mut best);
    best.map(|(_, inst)| inst)
}
