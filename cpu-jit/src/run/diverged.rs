//! Tiles whose threads did not meet: from what compiled code leaves behind to what a launch says of it.

use std::collections::BTreeMap;

use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Arrival, Divergence, Domain, Side};
use tilewise_ir::pos::Pos;

/// What compiled code leaves behind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Diverged {
    /// The tile's linear number.
    pub(super) tile: u64,
    /// Number of the vote.
    pub(super) vote: u64,
    /// How each thread voted.
    pub(super) votes: Vec<u32>,
}

impl Diverged {
    /// The threads of each side.
    pub(super) fn divergence(&self, kernel: &Kernel, domain: &Domain) -> Divergence {
        let mut sides: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (thread, &vote) in self.votes.iter().enumerate() {
            sides.entry(vote).or_default().push(thread as u32);
        }
        let did = Arrival::Barrier { rounds: Vec::new() };
        let sides = sides.into_values().map(|threads| Side { did: did.clone(), pos: Pos::NONE, threads });
        let mut sides: Vec<Side> = sides.collect();
        sides.sort_by_key(|side| side.threads.first().copied());
        Divergence { tile: position(self.tile, &tiles(kernel, domain)), sides }
    }
}

/// Number of tiles in each dimension.
fn tiles(kernel: &Kernel, domain: &Domain) -> Vec<u64> {
    let tile = kernel.tile().unwrap_or(&[]);
    domain.extent.iter().zip(tile).map(|(&e, &t)| (e.max(1) as u64 / u64::from(t.max(1))).max(1)).collect()
}

/// The position of a linear index in a rectangle.
fn position(linear: u64, extent: &[u64]) -> Vec<i32> {
    let mut rest = linear;
    let mut position: Vec<i32> = extent
        .iter()
        .rev()
        .map(|&e| {
            let at = (rest % e) as i32;
            rest /= e;
            at
        })
        .collect();
    position.reverse();
    position
}

/// The linear number of the tile that a thread is in, by its linear index in the domain.
pub(super) fn tile_of(kernel: &Kernel, domain: &Domain, thread: u64) -> u64 {
    let extent: Vec<u64> = domain.extent.iter().map(|&e| e.max(1) as u64).collect();
    let at = position(thread, &extent);
    let tile = kernel.tile().unwrap_or(&[]);
    let parts = at.iter().zip(tile).zip(tiles(kernel, domain));
    parts.fold(0, |number, ((&at, &t), count)| number * count + at as u64 / u64::from(t.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewise_ir::text::parse;

    #[test]
    fn tiles_are_numbered_row_by_row() {
        let kernel = parse("k.kir", "kernel k() tile(2, 4) { }").unwrap_or_else(|failure| panic!("{failure}"));
        let domain = Domain::new([6, 12]);
        let tile = |y: u64, x: u64| tile_of(&kernel, &domain, y * 12 + x);
        assert_eq!([tile(0, 0), tile(1, 3), tile(0, 4), tile(1, 11), tile(2, 0), tile(5, 11)], [0, 0, 1, 2, 3, 8]);
        let diverged = Diverged { tile: 5, vote: 0, votes: vec![1, 0, 1, 0, 1, 1, 1, 1] };
        let divergence = diverged.divergence(&kernel, &domain);
        assert_eq!(divergence.tile, [1, 2]);
        let threads: Vec<&[u32]> = divergence.sides.iter().map(|side| &*side.threads).collect();
        assert_eq!(threads, [&[0, 2, 4, 5, 6, 7][..], &[1, 3]]);
    }
}
