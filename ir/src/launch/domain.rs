//! [`Domain`]: the index space of a launch.

use super::Refusal;
use crate::fault::{self, Fault};
use crate::kernel::Kernel;
use crate::limits;

/// The index space of a launch: a size for each dimension, the most significant first. The tile
/// size belongs to the kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Domain {
    /// One component for each dimension.
    pub extent: Vec<i32>,
}

impl Domain {
    /// A domain of this extent.
    pub fn new(extent: impl Into<Vec<i32>>) -> Domain {
        Domain { extent: extent.into() }
    }

    /// The same with the dimension before the last `by` as its last one.
    #[must_use]
    pub fn turned(&self, by: usize) -> Domain {
        let mut extent = self.extent.clone();
        let long = extent.len() - 1 - by;
        extent[long..].rotate_left(1);
        Domain { extent }
    }

    /// Number of threads; valid only for a domain that [`Domain::check`] accepts.
    pub fn threads(&self) -> u64 {
        self.extent.iter().map(|&e| e.max(0) as u64).product()
    }

    /// The number of the tile, row by row, of the thread with that linear index.
    pub fn tile_number(&self, tile: &[u32], thread: u64) -> u64 {
        let (mut rest, mut number, mut tiles) = (thread, 0, 1);
        for (&extent, &tile) in self.extent.iter().zip(tile).rev() {
            let (extent, tile) = (extent.max(1) as u64, u64::from(tile.max(1)));
            number += rest % extent / tile * fault::choose(Fault::TileNumberByColumns, tiles, 1);
            rest /= extent;
            tiles *= extent / tile;
        }
        number
    }

    /// Checks whether `kernel` may be launched over this domain. The error is the text of an
    /// `InvalidComputeDomain`.
    pub fn check(&self, kernel: &Kernel) -> Result<(), Refusal> {
        let refuse = |text: String| Err(Refusal::InvalidComputeDomain(text));
        if self.extent.len() != kernel.rank() as usize {
            let (have, want) = (self.extent.len(), kernel.rank());
            return refuse(format!(
                "the kernel `{}` runs over domains of rank {want}, this one has rank {have}",
                kernel.name()
            ));
        }
        let mut threads: u64 = 1;
        for (d, &e) in self.extent.iter().enumerate() {
            if e <= 0 {
                return refuse(format!("dimension {d} of the domain is {e}; every dimension must be at least 1"));
            }
            threads = threads.saturating_mul(e as u64);
        }
        if threads > limits::MAX_THREADS {
            return refuse(format!(
                "the domain has {threads} threads or more; at most {} are possible",
                limits::MAX_THREADS
            ));
        }
        for (d, (&e, &t)) in self.extent.iter().zip(kernel.tile().unwrap_or(&[])).enumerate() {
            if !(e as u32).is_multiple_of(t.max(1)) {
                return refuse(format!("dimension {d} of the domain is {e}, which the tile's {t} does not divide"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_numbered_row_by_row() {
        let domain = Domain::new([6, 12]);
        let tile = |y: u64, x: u64| domain.tile_number(&[2, 4], y * 12 + x);
        assert_eq!([tile(0, 0), tile(1, 3), tile(0, 4), tile(1, 11), tile(2, 0), tile(5, 11)], [0, 0, 1, 2, 3, 8]);
    }
}
