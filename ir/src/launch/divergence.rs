//! [`Divergence`]: threads of a tile that did not arrive at the same barrier; and
//! [`SideCollector`], into which every target that runs threads records them.

use super::Domain;
use crate::pos::Pos;

/// Threads of one tile that diverged at a point where all must arrive.
#[derive(Clone, PartialEq, Debug)]
pub struct Divergence {
    /// Position of the tile.
    pub tile: Vec<i32>,
    /// The groups of threads, the one with the lowest thread first; at least two.
    pub sides: Vec<DivergentSide>,
}

/// Threads of a tile that stopped at the same point.
#[derive(Clone, PartialEq, Debug)]
pub struct DivergentSide {
    /// How they stopped.
    pub did: Arrival,
    /// Position of the barrier or the `return`; the end of the kernel has none.
    pub pos: Pos,
    /// Their linear indices in the tile.
    pub threads: Vec<u32>,
}

/// How threads stopped while others arrived at a barrier.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arrival {
    /// Arrived at a barrier, in these iterations of the enclosing loops, outermost first, counted
    /// from 0.
    Barrier {
        /// The iterations.
        rounds: Vec<u64>,
    },
    /// Reached the end of the kernel.
    Returned,
}

/// Groups the threads of a tile by where they stopped. `S` identifies the point for a target: a
/// source position does not suffice, as one position may occur several times in an inlined kernel.
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
    /// Adds a thread. Threads are added in order of their linear indices, which also orders the
    /// sides. A thread that ended with `error` or `abort` is on no side.
    pub fn add(&mut self, thread: u32, stop: S) {
        match self.sides.iter_mut().find(|(other, _)| *other == stop) {
            Some((_, threads)) => threads.push(thread),
            None => self.sides.push((stop, vec![thread])),
        }
    }

    /// The sides so far: the stopping point and its threads.
    pub fn sides(&self) -> &[(S, Vec<u32>)] {
        &self.sides
    }

    /// The divergence of the tile at position `tile`; `side` maps a stopping point to its
    /// [`Arrival`] and its position.
    pub fn divergence(self, tile: Vec<i32>, mut side: impl FnMut(S) -> (Arrival, Pos)) -> Divergence {
        let sides = self.sides.into_iter().map(|(stop, threads)| {
            let (did, pos) = side(stop);
            DivergentSide { did, pos, threads }
        });
        Divergence { tile, sides: sides.collect() }
    }
}

impl Domain {
    /// The position of the tile with this linear index, for tiles of size `tile`.
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
        // The same source position, in another inlined copy of its function.
        sides.add(4, (5, barrier(7), 3));
        sides.add(6, (1, barrier(7), 3));
        assert_eq!(sides.sides().len(), 4);
        let found = sides.divergence(vec![2], |(_, did, line)| (did, pos(line)));
        // Positions always compare equal, so the test compares lines.
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
