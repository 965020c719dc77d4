//! The levels of a texture and where they lie in its allocation.
//!
//! Texels of a level are tight, row after row. The levels lie one behind the other, and each begins
//! at a multiple of 256 bytes (of 768, where a texel has 12 bytes). Each dimension of a level is half of
//! that of the level before, rounded down, and at least 1.

use tilewise_ir::launch::LevelExtent;

use crate::AmpStruct;
use crate::Extent;
use crate::api::error::{Error, Result};

/// Largest size of a dimension.
pub(super) const MAX_SIZE: i32 = 32_768;
/// Largest number of levels: those of the largest size.
const MAX_LEVELS: usize = 16;

/// Where the levels of a texture, or of a part of one, lie.
#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
pub(super) struct TextureShape<const N: usize> {
    /// The extent of the first level.
    pub(super) extent: Extent<N>,
    /// The number of levels.
    pub(super) levels: i32,
    /// The first texel of each level, from the first one's.
    pub(super) starts: [i32; MAX_LEVELS],
}

impl<const N: usize> TextureShape<N> {
    /// The shape of a texture with texels of `size` bytes; 0 levels are as many as there can be.
    pub(super) fn new(extent: Extent<N>, levels: i32, size: usize) -> Result<Self> {
        if let Some(bad) = (0..N).find(|&d| !(1..=MAX_SIZE).contains(&extent[d])) {
            let text = format!(
                "a texture of extent {extent}: dimension {bad} has the size {}; each dimension has 1 to {MAX_SIZE} texels",
                extent[bad]
            );
            return Err(Error::shape(bad, text));
        }
        let largest = (0..N).map(|d| extent[d]).max().unwrap_or(1);
        let full = largest.ilog2() as i32 + 1;
        if !(0..=full).contains(&levels) {
            let text =
                format!("{levels} levels of a texture of extent {extent}: it has 1 to {full}, or 0 for all of them");
            return Err(Error::shape(None, text));
        }
        let mut shape =
            TextureShape { extent, levels: if levels == 0 { full } else { levels }, starts: [0; MAX_LEVELS] };
        let mut next: i64 = 0;
        for level in 0..shape.levels {
            let Ok(start) = i32::try_from(next) else { return Err(too_large(extent)) };
            shape.starts[level as usize] = start;
            next += align(shape.level_len(level), size);
        }
        if next > i64::from(i32::MAX) { Err(too_large(extent)) } else { Ok(shape) }
    }

    /// The extent of a level.
    pub(super) fn level_extent(&self, level: i32) -> Extent<N> {
        let mut extent = self.extent;
        for d in 0..N {
            extent[d] = (extent[d] >> level).max(1);
        }
        extent
    }

    /// The number of texels of a level.
    pub(super) fn level_len(&self, level: i32) -> i64 {
        let extent = self.level_extent(level);
        (0..N).map(|d| i64::from(extent[d])).product()
    }

    /// The first texel of a level, and the number of texels from there to the end of a later one.
    pub(super) fn span(&self, first: i32, count: i32) -> (i32, i32) {
        let last = first + count - 1;
        let (start, end) = (self.starts[first as usize], self.starts[last as usize]);
        (start, (i64::from(end - start) + self.level_len(last)) as i32)
    }

    /// The shape of some of the levels.
    pub(super) fn part(&self, first: i32, count: i32) -> Self {
        let mut part = TextureShape { extent: self.level_extent(first), levels: count, starts: [0; MAX_LEVELS] };
        for level in 0..count {
            part.starts[level as usize] = self.starts[(first + level) as usize] - self.starts[first as usize];
        }
        part
    }

    /// The levels, for reports.
    pub(super) fn argument_levels(&self) -> Vec<LevelExtent> {
        let start = |level: i32| self.starts[level as usize] as u64;
        let level = |level| LevelExtent { start: start(level), extent: self.level_extent(level).0.to_vec() };
        (0..self.levels).map(level).collect()
    }

    /// Checks that there is such a range of levels.
    pub(super) fn check(&self, first: i32, count: i32) -> Result<()> {
        if first >= 0 && count >= 1 && i64::from(first) + i64::from(count) <= i64::from(self.levels) {
            return Ok(());
        }
        let asked =
            if count == 1 { format!("level {first}") } else { format!("{} from level {first} on", counted(count)) };
        let text = format!("{asked} of a texture of {}: it has 0 to {}", counted(self.levels), self.levels - 1);
        Err(Error::shape(None, text))
    }
}

/// "1 level", "2 levels".
pub(in crate::api::graphics) fn counted(levels: i32) -> String {
    format!("{levels} level{}", if levels == 1 { "" } else { "s" })
}

/// The number of texels up to where the next level begins.
fn align(texels: i64, size: usize) -> i64 {
    let step = if size == 12 { 768 } else { 256 };
    let bytes = texels * size as i64;
    (bytes + step - 1) / step * step / size as i64
}

fn too_large<const N: usize>(extent: Extent<N>) -> Error {
    let text =
        format!("a texture of extent {extent} has more texels than a view: at most {} with all levels", i32::MAX);
    Error::shape(None, text)
}
