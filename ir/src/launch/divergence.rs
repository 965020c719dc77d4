//! [`Divergence`]: threads of a tile that did not meet at one barrier; and [`SideCollector`], which
//! every target that runs threads feeds with them.

use super::Domain;
use crate::pos::Pos;

/// Threads of one tile that went different ways where all must meet.
#[derive(Clone, PartialEq, Debug)]
pub struct Divergence {
    /// Position of the tile.
    pub tile: Vec<i32>,
    /// The sides, the one with the lowest thread first; at least two.
    pub sides: Vec<DivergentSide>,
}

/// Threads that went one way.
#[derive(Clone, PartialEq, Debug)]
pub struct DivergentSide {
    /// What they did.
    pub did: Arrival,
    /// Where: the barrier, or the `return`; the end of the kernel has no position.
    pub pos: Pos,
    /// Their linear indices in the tile.
    pub threads: Vec<u32>,
}

/// What threads did while others arrived at a barrier.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arrival {
    /// Arrived at a barrier, in these rounds of the loops around it, the outermost first, counted
    /// from 0.
    Barrier {
        /// Rounds.
        rounds: Vec<u64>,
    },
    /// Came to the end of the kernel.
    Returned,
}

/// Gathers the threads of a tile by where they stopped. `S` is how a target tells that: a position
/// alone would not do, as one place of the source may be several places of an inlined kernel.
#[derive(Clone, Debug)]
pub struct SideCollector<S> {
    sides: Vec<(S, Vec<u32>)>,
}

impl<S> Default for SideCollector<S> {
    fn default() -> Self {
        SideCollector { sides: Vec::new() }
    }
}

impl<S: PartialEq> SideCollector<S> {
    /// Adds a thread. Threads come in the order of their linear indices, and so do the sides. A
    /// thread that ended with `error` or `abort` is on no side.
    pub fn add(&mut self, thread: u32, stop: S) {
        match self.sides.iter_mut().find(|(other, _)| *other == stop) {
            Some((_, threads)) => threads.push(thread),
            None => self.sides.push((stop, vec![thread])),
        }
    }

    /// The sides so far: where they stopped, and their threads.
    pub fn sides(&self) -> &[(S, Vec<u32>)] {
        &self.sides
    }

    /// All sides, in the tile at that position; `side` tells what threads did that stopped there,
    /// and its position.
    pub fn divergence(self, tile: Vec<i32>, mut side: impl FnMut(S) -> (Arrival, Pos)) -> Divergence {
        let sides = self.sides.into_iter().map(|(stop, threads)| {
            let (did, pos) = side(stop);
            DivergentSide { did, pos, threads }
        });
        Divergence { tile, sides: sides.collect() }
    }
}

impl Domain {
    /// The position of the tile with that linear number, for tiles of this size.
    pub fn tile_position(&self, tile: &[u32], number: u64) -> Vec<i32> {
        let mut rest = number;
        let mut position = vec![0; self.extent.len().min(tile.len())];
        for ((at, &extent), &size) in position.iter_mut().zip(&self.extent).zip(tile).rev() {
            let count = (extent.max(1) as u64 / u64::from(size.max(1))).max(1);
            *at = (rest % count) as i32;
            rest /= count;
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_stopped_alike_are_one_side() {
        let barrier = |round| Arrival::Barrier { rounds: vec![round] };
        let pos = |line| Pos { source: 0, line, column: 1, length: 1 };
        let mut sides = SideCollector::default();
        sides.add(0, (1, barrier(7), 3));
        sides.add(1, (1, barrier(8), 3));
        sides.add(2, (2, Arrival::Returned, 9));
        // The same place of the source, in another copy of its function.
        sides.add(4, (5, barrier(7), 3));
        sides.add(6, (1, barrier(7), 3));
        assert_eq!(sides.sides().len(), 4);
        let found = sides.divergence(vec![2], |(_, did, line)| (did, pos(line)));
        // Positions are equal to each other, so lines are compared.
        let sides = found.sides.into_iter().map(|DivergentSide { did, pos, threads }| (did, pos.line, threads));
        let expected = [
            (barrier(7), 3, vec![0, 6]),
            (barrier(8), 3, vec![1]),
            (Arrival::Returned, 9, vec![2]),
            (barrier(7), 3, vec![4]),
        ];
        assert_eq!((found.tile, sides.collect::<Vec<_>>()), (vec![2], expected.into()));
    }

    #[test]
    fn tiles_are_numbered_row_by_row() {
        let domain = Domain::new([6, 12]);
        let positions: Vec<Vec<i32>> = (0..9).map(|number| domain.tile_position(&[2, 4], number)).collect();
        let expected: Vec<Vec<i32>> = (0..3).flat_map(|y| (0..3).map(move |x| vec![y, x])).collect();
        assert_eq!(positions, expected);
        assert_eq!(Domain::new([5]).tile_position(&[], 0), Vec::<i32>::new());
    }
}
