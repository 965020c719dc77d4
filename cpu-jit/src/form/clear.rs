//! Which `tile_static` variables need not be zero when a tile begins: those that all threads fill before anybody reads.
//!
//! The rule is narrow, and right: a store at tile level (so by all threads of the tile, which must not have ended before), of whole elements, at the indices of the
//! thread in the tile, which are exactly the variable's; no other access to it in the same region; all other accesses behind it in the same block, or
//! in blocks inside of what is behind it.

use tilewise_ir::kernel::{Block, Builtin, Inst, InstKind, Kernel, Place, Root, Step, TileVarId, ValueDef, ValueId};
use tilewise_ir::types::{Scalar, Type};

use super::tree::Tree;

/// For each `tile_static` variable, whether it must be cleared.
pub(super) fn cleared(kernel: &Kernel, tree: &Tree) -> Vec<bool> {
    let mut cleared = vec![true; kernel.tile_vars().len()];
    let ends = tree.inside.iter().any(|inside| inside.ends);
    let barrier = tree.inside.iter().any(|inside| inside.barrier);
    for (i, needs) in cleared.iter_mut().enumerate() {
        let search = Search { kernel, tree, var: i };
        let all = search.touches(kernel.entry().body());
        *needs = ends || !barrier || all > 0 && search.filled(kernel.entry().body()) != Some(all);
    }
    cleared
}

struct Search<'a> {
    kernel: &'a Kernel,
    tree: &'a Tree,
    var: usize,
}

impl Search<'_> {
    fn is_it(&self, place: &Place) -> bool {
        matches!(place.root, Root::Tile(var) if TileVarId::index(var) == self.var)
    }

    /// Accesses in a block and inside of it.
    fn touches(&self, block: &Block) -> usize {
        let mut count = 0;
        block.walk(&mut |inst| inst.kind.places(&mut |place| count += usize::from(self.is_it(place))));
        count
    }

    fn touches_of(&self, inst: &Inst) -> usize {
        let mut count = 0;
        inst.kind.places(&mut |place| count += usize::from(self.is_it(place)));
        inst.kind.blocks(&mut |block| count += self.touches(block));
        count
    }

    /// If the variable is filled in this block at tile level before all else: how many accesses come from there on.
    fn filled(&self, block: &Block) -> Option<usize> {
        let mut found: Option<usize> = None;
        let mut same_region = false;
        for inst in &block.insts {
            let inside = self.tree.at(inst.id);
            let here = self.touches_of(inst);
            match found {
                Some(_) if inside.barrier => {
                    same_region = false;
                    found = found.map(|count| count + here);
                }
                Some(_) if same_region && here > 0 => return None,
                Some(count) => found = Some(count + here),
                None if here == 0 => {}
                None if inside.barrier => {
                    // Inside of one construct, or nowhere.
                    let mut result = None;
                    inst.kind.each_block(&mut |block| result = result.or(self.filled(block)));
                    return result;
                }
                None if self.fills(inst) => (found, same_region) = (Some(here), true),
                None => return None,
            }
        }
        found
    }

    /// Is it a store of each thread to its own element?
    fn fills(&self, inst: &Inst) -> bool {
        let InstKind::Store { place, .. } = &inst.kind else { return false };
        let Some(tile) = self.kernel.tile() else { return false };
        let mut ty = self.kernel.tile_vars()[self.var].ty;
        for (d, (&extent, step)) in tile.iter().zip(&place.path).enumerate() {
            let (Type::Array { element, length: Some(length), .. }, Step::Index(index)) =
                (self.kernel.types().get(ty), step)
            else {
                return false;
            };
            if *length != extent || !self.is_local(*index, d as u32) {
                return false;
            }
            ty = *element;
        }
        place.path.len() == tile.len() && self.kernel.types().value(ty).is_some()
    }

    fn is_local(&self, value: ValueId, dimension: u32) -> bool {
        let mut found = false;
        if self.kernel.entry().value(value).def != ValueDef::Inst {
            return false;
        }
        self.kernel.entry().body().walk(&mut |inst| {
            if inst.result == Some(value) {
                found = inst.kind == InstKind::Builtin(Builtin::Local(dimension));
                if let InstKind::Op { op, args } = &inst.kind
                    && let Some(Scalar::I32 | Scalar::U32) = op.integer_change()
                {
                    found = self.is_local(args[0], dimension);
                }
            }
        });
        found
    }
}
