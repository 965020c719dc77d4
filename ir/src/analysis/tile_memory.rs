//! Determines which `tile_static` variables must be cleared before a tile starts.
//!
//! Memory of the tile reads as zero until the tile writes it. A target that reuses memory for
//! successive tiles clears it between them, unless no thread can read an element that its tile has
//! not written. That holds if the first access to the variable is a **cover**:
//!
//! - a store (or an atomic exchange whose result is not used) that all threads of the tile execute together, in which each thread writes the element
//!   at its own local index, and those indices are all the elements of the variable;
//! - a barrier that orders tile memory follows the cover in the same block, before any other
//!   access; or there is no other access;
//! - all other accesses of the kernel follow the cover in its block, or are nested in instructions
//!   that follow it, so an iteration or a branch that reaches one has passed the cover.
//!
//! If `abort` or `error` may end threads, some threads may skip the store, and every variable is
//! cleared. A wrong result lets a tile read data of an earlier tile, so both targets use this one
//! function.

use std::ops::Range;

use super::facts::{KernelFacts, ValueFact};
use super::plain_atomics::AtomicResults;
use super::range::IntegerRange;
use super::shape::{LaneShape, Stride};
use super::uniformity::TileAgreement;
use crate::fault::{self, Fault};
use crate::kernel::{
    Block, Builtin, Fence, Inst, InstClass, InstKind, Kernel, Place, Root, Step, TileVarId, ValueDef, ValueId,
};
use crate::stack::with_block;
use crate::types::Type;

/// For each `tile_static` variable of a kernel without calls, whether it must be zero when a tile
/// starts.
pub fn must_clear(kernel: &Kernel, facts: &KernelFacts) -> Vec<bool> {
    let count = kernel.tile_vars().len();
    let mut stops = false;
    kernel.entry().body().walk(&mut |inst| stops |= inst.kind.class() == InstClass::Stop);
    if stops || facts.uniformity().gave_up() {
        return vec![true; count];
    }
    let accesses = TileAccesses::of(kernel);
    let mut search = ClearSearch {
        kernel,
        facts,
        local: local_indices(kernel),
        accesses,
        atomic_results: AtomicResults::of(kernel),
        first: vec![FirstAccess::None; count],
    };
    search.block(kernel.entry().body(), 0);
    search.first.into_iter().map(|first| first == FirstAccess::Other).collect()
}

/// The first access to a variable, in text order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstAccess {
    None,
    Cover,
    Other,
}

/// For each component of a value, the dimension of the tile if it is the local index in that dimension.
type LocalIndices = [Option<usize>; 4];

/// The local indices that the values of a kernel are. A scalar is its own first component.
fn local_indices(kernel: &Kernel) -> Vec<LocalIndices> {
    let mut local: Vec<LocalIndices> = vec![[None; 4]; kernel.entry().values().len()];
    kernel.entry().body().walk(&mut |inst| {
        let Some(result) = inst.result else { return };
        let mut found = [None; 4];
        if let InstKind::Builtin(Builtin::Local(dimension)) = inst.kind {
            found[0] = Some(dimension as usize);
        }
        // A local index is far below the limits of all integer types, so conversions keep it.
        if let InstKind::Op { op, args } = &inst.kind
            && op.integer_change().is_some()
        {
            found = args.first().map_or(found, |from| local[from.index()]);
        }
        if let InstKind::Compose(parts) = &inst.kind {
            found.iter_mut().zip(parts).for_each(|(to, part)| *to = local[part.index()][0]);
        }
        if let InstKind::Swizzle { value, components } = &inst.kind {
            found.iter_mut().zip(components).for_each(|(to, &from)| *to = local[value.index()][usize::from(from)]);
        }
        local[result.index()] = found;
    });
    local
}

/// The accesses to each variable, by numbers that instructions have in text order: an instruction's
/// number is followed by those of the instructions nested in it. Collected once, as there may be as many
/// variables as instructions.
#[derive(Default)]
struct TileAccesses {
    /// For each instruction, the number behind those nested in it.
    ends: Vec<usize>,
    /// For each variable, the instructions that access it, in order; once for each access.
    of: Vec<Vec<usize>>,
}

impl TileAccesses {
    fn of(kernel: &Kernel) -> TileAccesses {
        let mut all = TileAccesses { of: vec![Vec::new(); kernel.tile_vars().len()], ..TileAccesses::default() };
        all.block(kernel.entry().body());
        all
    }

    fn block(&mut self, block: &Block) {
        for inst in &block.insts {
            let number = self.ends.len();
            self.ends.push(number);
            inst.kind.places(&mut |place| {
                if let Root::Tile(var) = place.root {
                    self.of[var.index()].push(number);
                }
            });
            inst.kind.blocks(&mut |block| with_block(|| self.block(block)));
            self.ends[number] = self.ends.len();
        }
    }

    /// Whether all accesses to the variable are in instructions with these numbers.
    fn all_within(&self, var: TileVarId, numbers: &Range<usize>) -> bool {
        self.of[var.index()].iter().all(|access| numbers.contains(access))
    }

    /// The first access to the variable in instructions with these numbers.
    fn first_within(&self, var: TileVarId, numbers: &Range<usize>) -> Option<usize> {
        let accesses = &self.of[var.index()];
        let from = accesses.partition_point(|&access| access < numbers.start);
        accesses.get(from).copied().filter(|&access| access < numbers.end)
    }
}

struct ClearSearch<'a> {
    kernel: &'a Kernel,
    facts: &'a KernelFacts,
    local: Vec<LocalIndices>,
    accesses: TileAccesses,
    atomic_results: AtomicResults,
    /// The first access to each variable, of those that the search has seen.
    first: Vec<FirstAccess>,
}

impl ClearSearch<'_> {
    /// Searches a block whose first instruction has this number; returns the number behind its last one.
    fn block(&mut self, block: &Block, start: usize) -> usize {
        let mut end = start;
        // The barriers for tile memory that stand in this block itself.
        let mut barriers = Vec::new();
        for inst in &block.insts {
            if matches!(inst.kind, InstKind::Barrier(Fence::All | Fence::TileStatic)) {
                barriers.push(end);
            }
            end = self.accesses.ends[end];
        }
        let mut barriers = barriers.into_iter().peekable();
        let mut number = start;
        for inst in &block.insts {
            let behind = self.accesses.ends[number];
            while barriers.next_if(|&barrier| barrier < behind).is_some() {}
            if !inst.kind.is_structured() {
                let barrier = barriers.peek().copied();
                inst.kind.places(&mut |place| {
                    let Root::Tile(var) = place.root else { return };
                    if self.first[var.index()] == FirstAccess::None {
                        // A barrier precedes the next access, or there is no other access.
                        let next = self.accesses.first_within(var, &(behind..end));
                        let ordered = next.is_none_or(|next| barrier.is_some_and(|barrier| barrier < next));
                        let covers = self.is_cover(inst, place)
                            && (ordered || fault::planted(Fault::CoverWithoutBarrier))
                            && self.accesses.all_within(var, &(number..end));
                        self.first[var.index()] = if covers { FirstAccess::Cover } else { FirstAccess::Other };
                    }
                });
            }
            let mut inner = number + 1;
            inst.kind.blocks(&mut |block| inner = with_block(|| self.block(block, inner)));
            number = behind;
        }
        end
    }

    /// Whether it is a store to `place` that all threads of the tile execute together, and that
    /// writes all elements of the variable.
    fn is_cover(&self, inst: &Inst, place: &Place) -> bool {
        let Root::Tile(var) = place.root else { return false };
        if !self.is_store(inst) {
            return false;
        }
        let (Some(fact), Some(tile)) = (self.facts.inst(inst.id), self.kernel.tile()) else { return false };
        if !fact.reached || fact.control != TileAgreement::Uniform {
            return false;
        }
        let mut ty = self.kernel.tile_vars()[var.index()].ty;
        let mut taken = vec![false; tile.len()];
        for (i, step) in place.path.iter().enumerate() {
            let (&Step::Index(index), Type::Array { element, length: Some(length), .. }) =
                (step, self.kernel.types().get(ty))
            else {
                return false;
            };
            let Some(d) = self.dimension(index, fact.places.get(i)) else { return false };
            let short = tile[d] < *length && fault::planted(Fault::CoverByFewer);
            if std::mem::replace(&mut taken[d], true) || tile[d] != *length && !short {
                return false;
            }
            ty = *element;
        }
        // A store to a scalar or vector writes the whole variable.
        self.kernel.types().value(ty).is_some()
    }

    /// Whether the instruction stores, and does nothing else.
    fn is_store(&self, inst: &Inst) -> bool {
        if let InstKind::Atomic { op, .. } = inst.kind {
            return self.atomic_results.stores(inst.result, op);
        }
        matches!(inst.kind, InstKind::Store { .. })
    }

    /// The dimension of the tile if the value is the local index in that dimension.
    fn dimension(&self, index: ValueId, known: Option<&ValueFact>) -> Option<usize> {
        if let Some(d) = self.local[index.index()][0] {
            return Some(d);
        }
        // Grows by one from thread to thread along a row of the tile, and is below the row's
        // length: each number from 0 occurs once.
        let tile = self.kernel.tile()?;
        let last = tile.len().checked_sub(1)?;
        let row = IntegerRange { lo: 0, hi: i128::from(tile[last]) - 1 };
        let own = matches!(self.kernel.entry().value(index).def, ValueDef::Inst)
            && known.is_some_and(|known| known.shape == LaneShape::Affine(Stride { by: 1, exact: true }))
            && known.and_then(|known| known.range).is_some_and(|range| row.contains(range));
        own.then_some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::text::parse;

    /// Whether `t` has to be cleared in a kernel with this body, whose tiles are 4 by 8.
    fn clears(t: &str, body: &str) -> bool {
        let text = format!(
            "kernel k(a: view<u32, 2, read_write>, n: i32) tile(4, 8) {{ tile_static t: {t};
            let y = local[0]; let x = local[1]; let own = a[global[0], global[1]];
            {body} }}"
        );
        let kernel = parse("tile_memory.kir", &text).unwrap_or_else(|why| panic!("{body}: {why:?}"));
        let kernel = check(kernel).unwrap_or_else(|why| panic!("{body}: {why:?}"));
        must_clear(kernel.inlined(), kernel.facts())[0]
    }

    #[test]
    fn a_variable_that_all_threads_fill_first_is_not_cleared() {
        let whole = "[[u32; 8]; 4]";
        let read = "barrier; a[global[0], global[1]] = t[3 - y][7 - x];";
        assert!(!clears(whole, &format!("t[y][x] = own; {read}")));
        assert!(!clears("[[u32; 4]; 8]", "t[x][y] = own; barrier; a[global[0], global[1]] = t[7 - x][3 - y];"));
        assert!(!clears(whole, &format!("t[y as u32][bitcast_u32(x)] = own; {read}")));
        let vector = "let l = u32x3(x as u32, y as u32, 0u32); let back = l.yx; t[l.y][back.y] = own;";
        assert!(!clears(whole, &format!("{vector} {read}")), "components of vectors");
        assert!(!clears("[u32; 8]", "t[x] = own; barrier; a[global[0], global[1]] = t[7 - x];"), "by several each");
        assert!(!clears(whole, &format!("atomic_exchange(t[y][x], own); {read}")), "a store of shaders");
        assert!(!clears(whole, "t[y][x] = own;"), "nobody reads");
        assert!(!clears(whole, "a[global[0], global[1]] = 1u32;"), "nobody uses it");
        assert!(!clears(
            whole,
            &format!("var i: i32 = 0; while i < n {{ t[y][x] = own; {read} barrier; i = i + 1; }}")
        ));
        assert!(!clears(whole, &format!("if n > 0 {{ t[y][x] = own; {read} }}")), "all threads or none");
    }

    #[test]
    fn a_variable_that_may_be_read_before_it_is_full_is_cleared() {
        let whole = "[[u32; 8]; 4]";
        let read = "barrier; a[global[0], global[1]] = t[3 - y][7 - x];";
        for (t, body) in [
            (whole, format!("a[global[0], global[1]] = t[y][x]; t[y][x] = own; {read}")),
            (whole, "t[y][x] = own; a[global[0], global[1]] = t[3 - y][7 - x];".to_owned()),
            (whole, "t[y][x] = own; barrier(global); a[global[0], global[1]] = t[3 - y][7 - x];".to_owned()),
            (whole, format!("let old = atomic_exchange(t[y][x], own); a[y, x] = old; {read}")),
            (whole, format!("atomic_add(t[y][x], own); {read}")),
            (whole, format!("if x > 2 {{ t[y][x] = own; }} {read}")),
            (whole, format!("if own > 2u32 {{ return; }} t[y][x] = own; {read}")),
            (whole, format!("if own > 2u32 {{ abort; }} t[y][x] = own; {read}")),
            (whole, format!("if n > 0 {{ t[y][x] = own; }} {read}")),
            (whole, format!("t[y][7 - x] = own; {read}")),
            (
                whole,
                format!("let l = u32x2(x as u32, y as u32); let other = l.xx; t[l.y % 2u32][other.y] = own; {read}"),
            ),
            (whole, format!("t[x / 2][x] = own; {read}")),
            ("[[u32; 9]; 4]", format!("t[y][x] = own; {read}")),
            ("[[u32x2; 8]; 4]", "t[y][x].x = own; barrier; a[global[0], global[1]] = t[3 - y][7 - x].y;".to_owned()),
            (whole, "atomic_add(t[y][x], own); barrier; a[global[0], global[1]] = t[3 - y][7 - x];".to_owned()),
        ] {
            assert!(clears(t, &body), "{body}");
        }
    }

    #[test]
    fn many_variables_are_decided_in_one_walk() {
        let vars: String = (0..1500).map(|i| format!("tile_static t{i}: bool; ")).collect();
        let stores: String = (0..1500).map(|i| format!("t{i} = c; ")).collect();
        let text = format!("kernel k(n: i32, c: bool) tile(1) {{ {vars} {stores} {} }}", "-n; ".repeat(8000));
        let kernel = parse("tile_memory.kir", &text).expect("it parses");
        let kernel = check(kernel).expect("it is right");
        let start = std::time::Instant::now();
        assert_eq!(must_clear(kernel.inlined(), kernel.facts()), vec![false; 1500]);
        assert!(start.elapsed().as_millis() < 500, "{:?}", start.elapsed());
    }
}
