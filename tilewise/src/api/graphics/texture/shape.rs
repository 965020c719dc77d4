//! The levels of a texture and where they lie in its allocation.
//!
//! Texels of a level are tight, row after row. The levels lie one behind the other, and each begins
//! at a multiple of 256 bytes (of 768, where a texel has 12 bytes). Each dimension of a level is half of
//! that of the level before, rounded down, and at least 1.

use tilewise_ir::fault::{self, Fault};
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
        let before = (first - i32::from(fault::planted(Fault::LevelStart))).max(0);
        let (start, end) = (self.starts[before as usize], self.starts[last as usize]);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, Strategy, any, prop_oneof};
    use proptest::{proptest, sample};

    use super::*;

    /// What holds of the levels of every texture, with texels of `size` bytes.
    fn holds<const N: usize>(extent: [i32; N], levels: i32, size: usize) {
        let extent = Extent(extent);
        let Ok(shape) = TextureShape::new(extent, levels, size) else {
            let largest = extent.0.into_iter().max().unwrap_or(1);
            let texels: f64 = extent.0.iter().map(|&size| f64::from(size)).product();
            assert!(
                levels > largest.ilog2() as i32 + 1 || texels * 1.5 > f64::from(i32::MAX) / 2.0,
                "{extent} is a texture"
            );
            return;
        };
        assert!((1..=MAX_LEVELS as i32).contains(&shape.levels) && (levels == 0 || levels == shape.levels));
        assert_eq!(shape.starts[0], 0);
        let step = if size == 12 { 768 } else { 256 };
        for level in 0..shape.levels {
            let (start, end) = shape.span(level, 1);
            let end = i64::from(start) + i64::from(end);
            assert_eq!(end - i64::from(start), shape.level_len(level));
            assert_eq!(i64::from(start) * size as i64 % step, 0, "level {level} of {extent}");
            assert!(end <= i64::from(i32::MAX), "level {level} of {extent} ends at {end}");
            if level > 0 {
                let (before, len) = shape.span(level - 1, 1);
                let gap = i64::from(start) - i64::from(before) - i64::from(len);
                assert!(
                    (0..step).contains(&(gap * size as i64)),
                    "a gap of {gap} texels before level {level} of {extent}"
                );
                let (this, larger) = (shape.level_extent(level), shape.level_extent(level - 1));
                assert_eq!(this.0, larger.0.map(|size| (size / 2).max(1)));
            }
            // Copies of whole textures rely on this: the levels of a part lie as those of a texture
            // of its own.
            let part = shape.part(level, shape.levels - level);
            let own = TextureShape::new(shape.level_extent(level), part.levels, size).expect("it is smaller");
            assert_eq!(part, own);
        }
        if levels == 0 {
            assert_eq!(shape.level_len(shape.levels - 1), 1, "the last level is a texel");
        }
        for (first, count) in [(-1, 1), (0, 0), (0, shape.levels + 1), (shape.levels, 1), (1, i32::MAX), (i32::MAX, 1)]
        {
            assert!(shape.check(first, count).is_err(), "{count} levels from level {first} on");
        }
        assert!(shape.check(0, shape.levels).is_ok() && shape.check(shape.levels - 1, 1).is_ok());
    }

    #[test]
    fn levels_of_small_textures_do_not_overlap() {
        for size in [1, 2, 4, 8, 12, 16] {
            for levels in 0..7 {
                (1..70).for_each(|x| holds([x], levels, size));
                (1..20).for_each(|y| (1..20).for_each(|x| holds([y, x], levels, size)));
                (1..9).for_each(|z| (1..9).for_each(|y| (1..9).for_each(|x| holds([z, y, x], levels, size))));
            }
        }
    }

    fn side() -> impl Strategy<Value = i32> {
        prop_oneof![
            1..=MAX_SIZE,
            1..=64,
            Just(MAX_SIZE),
            Just(MAX_SIZE - 1),
            any::<u8>().prop_map(|shift| 1 << (shift % 16))
        ]
    }

    proptest! {
        #[test]
        fn levels_of_large_textures_do_not_overlap(
            (z, y, x) in (side(), side(), side()),
            levels in 0..=16,
            size in sample::select(vec![1, 2, 4, 8, 12, 16]),
        ) {
            holds([x], levels, size);
            holds([y, x], levels, size);
            holds([z, y, x], levels, size);
        }
    }
}
