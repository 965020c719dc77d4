//! The data of a launch: the words of the argument block, the bytes of the constants.

use tilewise_ir::bytes::encode;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, Domain};

use crate::lower::{ALONG, ArgumentLayout, HEAD, ModuleKey, ParamWords, TAIL, block, grid_tiles, rows, tiles};

/// The tiles of one dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileDispatch {
    /// The number of the first tile.
    pub first: u32,
    /// The number of tiles along x and along y.
    pub tiles: [u32; 2],
}

/// The dispatches of a launch with that key.
pub fn dispatches(kernel: &Kernel, domain: &Domain, key: &ModuleKey) -> Vec<TileDispatch> {
    if let (true, Some([rows, columns])) = (key.grid, grid_tiles(kernel, domain, key.untiled_grid())) {
        return vec![TileDispatch { first: 0, tiles: [columns, rows] }];
    }
    let (total, along) = (tiles(kernel, domain), u64::from(ALONG));
    if let Some(tiles) = rows(total).filter(|_| total > 0) {
        return vec![TileDispatch { first: 0, tiles }];
    }
    let mut out = Vec::new();
    let mut first = 0;
    while first < total {
        let x = (total - first).min(along);
        let y = ((total - first) / x).clamp(1, along);
        out.push(TileDispatch { first: first as u32, tiles: [x as u32, y as u32] });
        first += x * y;
    }
    out
}

/// The argument block, except for the words that differ between dispatches.
pub fn words(kernel: &Kernel, layout: &ArgumentLayout, domain: &Domain, arguments: &[Argument]) -> Vec<u32> {
    let mut words = vec![0; layout.words as usize];
    let rank = kernel.rank() as usize;
    let first = block::DOMAIN as usize;
    for (d, &extent) in domain.extent.iter().enumerate() {
        words[first + d] = extent as u32;
        let size = kernel.tile().and_then(|tile| tile.get(d).copied()).unwrap_or(1);
        words[first + rank + d] = extent as u32 / size.max(1);
    }
    words[block::TOTAL as usize] = match kernel.tile() {
        Some(_) => tiles(kernel, domain) as u32,
        None => domain.threads() as u32,
    };
    for ((param, place), argument) in kernel.params().iter().zip(&layout.params).zip(arguments) {
        match (place, argument) {
            (&ParamWords::View { at, size }, Argument::View(view)) => {
                let at = at as usize;
                words[at] = (view.offset as u32).wrapping_add(HEAD);
                for (d, (&extent, &stride)) in view.extent.iter().zip(&view.strides).enumerate() {
                    words[at + 1 + d] = extent as u32;
                    // A stride that overflows belongs to a dimension with one index, or none, and is no element's size.
                    let bytes = u32::try_from(stride.saturating_mul(u64::from(size))).unwrap_or(u32::MAX);
                    words[at + 1 + view.extent.len() + d] = bytes;
                }
            }
            (&ParamWords::Buffer { at }, &Argument::Buffer { offset, size, .. }) => {
                words[at as usize] = (offset as u32).wrapping_add(HEAD);
                words[at as usize + 1] = fault::choose(Fault::BufferSizeMore, size as u32, size as u32 + 4);
            }
            (&ParamWords::Value { at }, Argument::Uniform(bytes)) => {
                let ParamKind::Uniform(ty) = param.kind else { continue };
                let mut at = at as usize;
                kernel.types().leaves(ty, &mut |offset, stored| {
                    let bits = tilewise_ir::bytes::decode(bytes.get(offset as usize..).unwrap_or(&[]), stored);
                    words[at] = bits as u32;
                    at += 1;
                    if stored.value().bits() == 64 {
                        words[at] = (bits >> fault::choose(Fault::HighHalfOfUniform, 32, 0)) as u32;
                        at += 1;
                    }
                });
            }
            _ => {}
        }
    }
    words
}

/// The constants: tables, then uniform aggregates, after the head that every buffer has.
pub fn constants(kernel: &Kernel, layout: &ArgumentLayout, arguments: &[Argument]) -> Vec<u8> {
    let head = HEAD as usize;
    let mut bytes = vec![0; head + layout.constants as usize + TAIL as usize];
    for (table, &at) in kernel.tables().iter().zip(&layout.tables) {
        let mut leaves = table.leaves.iter();
        kernel.types().leaves(table.ty, &mut |offset, stored| {
            if let (Some(&bits), Some(to)) = (leaves.next(), bytes.get_mut(head + at as usize + offset as usize..)) {
                encode(to, stored, bits);
            }
        });
    }
    for (place, argument) in layout.params.iter().zip(arguments) {
        if let (&ParamWords::Aggregate { at }, Argument::Uniform(from)) = (place, argument)
            && let Some(to) = bytes.get_mut(head + at as usize..head + at as usize + from.len())
        {
            to.copy_from_slice(from);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_dispatch_holds_all_tiles_where_it_can() {
        assert_eq!(rows(1), Some([1, 1]));
        assert_eq!(rows(65_535), Some([65_535, 1]));
        // Searches a few row counts above the minimum for one that divides the number.
        assert_eq!(rows(1 << 20), Some([32_768, 32]));
        // A prime has no divisor: some tiles are surplus.
        assert_eq!(rows(65_537), Some([32_769, 2]));
        // With this many tiles, thread numbers of surplus tiles could wrap.
        assert_eq!(rows((1 << 24) - 3), None);
        assert_eq!(rows(65_535 * 65_535), Some([65_535, 65_535]));
        assert_eq!(rows(u64::from(u32::MAX)), None);
    }

    #[test]
    fn dispatches_cover_every_tile_once() {
        let kernel = tilewise_ir::text::parse("k.kir", "kernel k() tile(1) { }");
        let kernel = kernel.unwrap_or_else(|failure| panic!("{failure}"));
        for extent in [1, 65_535, 65_536, 65_537, 1 << 23, (1 << 24) - 3, i32::MAX] {
            let domain = Domain::new([extent]);
            let all = dispatches(&kernel, &domain, &ModuleKey::default());
            let mut next = 0_u64;
            for (i, dispatch) in all.iter().enumerate() {
                let count = u64::from(dispatch.tiles[0]) * u64::from(dispatch.tiles[1]);
                assert_eq!(u64::from(dispatch.first), next, "{extent}");
                assert!(i + 1 == all.len() || next + count <= tiles(&kernel, &domain), "{extent}");
                next += count;
            }
            let more = next - tiles(&kernel, &domain);
            assert!(if all.len() == 1 { more < u64::from(ALONG) } else { more == 0 }, "{extent}: {more} too many");
        }
    }
}
