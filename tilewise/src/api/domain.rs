//! [`Domain`]: the compute domains of kernels, and their limits.

use tilewise_ir::limits::{MAX_RANK, MAX_THREADS};

use crate::api::shape::{Extent, Index, TiledExtent, TiledIndex};

mod sealed {
    /// Prevents implementations outside of this crate.
    pub trait Sealed {}
}

/// A compute domain: `Extent<N>` or `TiledExtent`. Sealed.
///
/// ```
/// use tilewise::{ArrayView, Domain, Index, Kernel, Result, kernel, parallel_for_each};
/// fn twice<D: Domain>(domain: D, kernel: &Kernel<'_, D::Index>) -> Result<()> {
///     parallel_for_each(domain, kernel)?;
///     parallel_for_each(domain, kernel)
/// }
/// let view = ArrayView::from_vec(4, vec![1; 4])?;
/// twice(view.extent(), &kernel!(|i: Index<1>| view[i] += i[0]))?;
/// assert_eq!(view.to_vec()?, [1, 3, 5, 7]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a compute domain",
    label = "not a compute domain",
    note = "launch over an `Extent<N>` or `extent.tile::<..>()`"
)]
pub trait Domain: Copy + Send + Sync + sealed::Sealed {
    /// The argument of the kernel's closure.
    type Index: Copy;

    /// The size in each dimension.
    #[doc(hidden)]
    fn components(&self) -> Vec<i32>;

    /// The size of a tile in each dimension.
    #[doc(hidden)]
    fn tile(&self) -> Option<Vec<u32>>;

    /// The closure's argument for the thread at this position.
    #[doc(hidden)]
    fn index(&self, position: &[i32]) -> Self::Index;
}

impl<const N: usize> sealed::Sealed for Extent<N> {}

impl<const N: usize> Domain for Extent<N> {
    type Index = Index<N>;

    fn components(&self) -> Vec<i32> {
        self.0.to_vec()
    }

    fn tile(&self) -> Option<Vec<u32>> {
        None
    }

    fn index(&self, position: &[i32]) -> Index<N> {
        Index(std::array::from_fn(|d| position[d]))
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> sealed::Sealed for TiledExtent<N, D0, D1, D2> {}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> Domain for TiledExtent<N, D0, D1, D2> {
    type Index = TiledIndex<N, D0, D1, D2>;

    fn components(&self) -> Vec<i32> {
        self.extent().0.to_vec()
    }

    fn tile(&self) -> Option<Vec<u32>> {
        Some(self.tile_extent().0.iter().map(|&d| d as u32).collect())
    }

    fn index(&self, position: &[i32]) -> TiledIndex<N, D0, D1, D2> {
        TiledIndex::of_thread(Index(std::array::from_fn(|d| position[d])))
    }
}

/// The reason why a domain is invalid, and the offending dimension; `None` if it is valid.
pub(crate) fn fault(components: &[i32], tile: Option<&[u32]>) -> Option<(Option<usize>, String)> {
    let rank = components.len();
    if !(1..=MAX_RANK as usize).contains(&rank) {
        return Some((None, format!("the domain has rank {rank}; ranks from 1 to {MAX_RANK} are possible")));
    }
    for (d, &e) in components.iter().enumerate() {
        if e <= 0 {
            return Some((Some(d), format!("dimension {d} of the domain is {e}; every dimension must be at least 1")));
        }
    }
    let threads = components.iter().fold(1u64, |threads, &e| threads.saturating_mul(e as u64));
    if threads > MAX_THREADS {
        return Some((None, format!("the domain has {threads} threads or more; at most {MAX_THREADS} are possible")));
    }
    for (d, (&e, &t)) in components.iter().zip(tile.unwrap_or(&[])).enumerate() {
        if !(e as u32).is_multiple_of(t) {
            let message = format!(
                "dimension {d} of the domain is {e}, which the tile's {t} does not divide; `pad` or `truncate` the tiled extent"
            );
            return Some((Some(d), message));
        }
    }
    None
}

/// The positions of a rectangle, in row-major order.
#[derive(Debug)]
pub(crate) struct Positions {
    extent: Vec<i32>,
    at: Vec<i32>,
    state: PositionsState,
}

#[derive(Debug)]
enum PositionsState {
    Before,
    Within,
    Behind,
}

impl Positions {
    /// `extent` must have at least one position.
    pub(crate) fn new(extent: Vec<i32>) -> Positions {
        let at = vec![0; extent.len()];
        Positions { extent, at, state: PositionsState::Before }
    }

    /// The next position.
    pub(crate) fn next(&mut self) -> Option<&[i32]> {
        match self.state {
            PositionsState::Before => self.state = PositionsState::Within,
            PositionsState::Within => {
                let mut d = self.at.len();
                loop {
                    if d == 0 {
                        self.state = PositionsState::Behind;
                        return None;
                    }
                    d -= 1;
                    self.at[d] += 1;
                    if self.at[d] < self.extent[d] {
                        break;
                    }
                    self.at[d] = 0;
                }
            }
            PositionsState::Behind => return None,
        }
        Some(&self.at)
    }
}

/// The position of a linear index in a rectangle.
pub(crate) fn position(mut linear: u64, extent: &[i32]) -> Vec<i32> {
    let mut position = vec![0; extent.len()];
    for (at, &e) in position.iter_mut().zip(extent).rev() {
        *at = (linear % e as u64) as i32;
        linear /= e as u64;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_comes_once_in_order() {
        let mut positions = Positions::new(vec![2, 3, 4]);
        for linear in 0..24 {
            assert_eq!(positions.next(), Some(&*position(linear, &[2, 3, 4])));
        }
        assert_eq!(positions.next(), None);
        assert_eq!(positions.next(), None);
    }

    #[test]
    fn a_fault_names_its_dimension() {
        assert_eq!(fault(&[1, i32::MAX], None), None);
        assert_eq!(fault(&[1; 128], None), None);
        assert!(fault(&[1; 129], None).is_some_and(|(at, why)| at.is_none() && why.contains("rank 129")));
        assert!(fault(&[], None).is_some_and(|(at, why)| at.is_none() && why.contains("rank 0")));
        assert_eq!(fault(&[65537, 65535], None), None);
        assert_eq!(fault(&[8, -1, 8], None).map(|fault| fault.0), Some(Some(1)));
        assert_eq!(fault(&[65536, 65536], None).map(|fault| fault.0), Some(None));
        assert_eq!(fault(&[4, 9, 49], Some(&[2, 3, 5])).map(|fault| fault.0), Some(Some(2)));
    }
}
