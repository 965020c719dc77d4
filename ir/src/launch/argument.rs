//! [`Argument`]: the binding of one parameter, as numbers; and the bytes that a strided view names.

use super::Ranges;

/// The binding of one parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// For a view.
    View(ViewArgument),
    /// For a buffer: `size` bytes of an allocation from `offset`.
    Buffer {
        /// The number of the allocation.
        allocation: usize,
        /// First byte.
        offset: u64,
        /// Number of bytes.
        size: u64,
    },
    /// For a uniform: the bytes of its type.
    Uniform(Vec<u8>),
}

impl Argument {
    /// The number of its allocation; `None` for a uniform.
    pub fn allocation(&self) -> Option<usize> {
        match self {
            Argument::View(view) => Some(view.allocation),
            Argument::Buffer { allocation, .. } => Some(*allocation),
            Argument::Uniform(_) => None,
        }
    }

    /// Bytes from the first to the last that it names, inclusive; `None` on overflow. The elements
    /// of a view have `element_size` bytes.
    pub fn bytes_spanned(&self, element_size: u64) -> Option<u64> {
        match self {
            Argument::View(view) => view.bytes_spanned(element_size),
            Argument::Buffer { size, .. } => Some(*size),
            Argument::Uniform(_) => Some(0),
        }
    }

    /// The bytes that it names, as offsets in its allocation. The elements of a view have
    /// `element_size` bytes. Only for an argument that [`validate`](super::validate()) accepted.
    pub fn bytes(&self, element_size: u64) -> Ranges {
        match self {
            Argument::View(view) => view.bytes(element_size),
            Argument::Buffer { offset, size, .. } => Ranges::solid(*offset, offset + size),
            Argument::Uniform(_) => Ranges::NONE,
        }
    }

    /// At most so many runs are the bytes that it names.
    pub fn run_count(&self, element_size: u64) -> u64 {
        match self {
            Argument::View(view) => view.run_count(element_size),
            Argument::Buffer { .. } => 1,
            Argument::Uniform(_) => 0,
        }
    }
}

/// A view that a launch binds: element `(i0, i1, ..)` is at byte
/// `offset + (i0 * strides[0] + i1 * strides[1] + ..) * element size` of its allocation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ViewArgument {
    /// The number of the allocation.
    pub allocation: usize,
    /// Byte of the first element.
    pub offset: u64,
    /// Size of each dimension, none negative.
    pub extent: Vec<i32>,
    /// Distance in elements between consecutive indices of each dimension.
    pub strides: Vec<u64>,
    /// Facts about the view from its maker, if the maker has types of its own.
    pub claim: Option<ViewClaim>,
    /// For the elements of a texture: the levels, by which reports name a texel.
    pub levels: Vec<LevelExtent>,
    /// For the elements of a texture: what an element stands for.
    pub texels: Option<TexelFormat>,
}

/// What the elements of a texture stand for: channels of some bits each, the first in the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TexelFormat {
    /// What a channel is.
    pub kind: ChannelKind,
    /// Bits of a channel.
    pub bits: u32,
    /// The number of channels.
    pub channels: u32,
}

/// What a channel of a texel is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChannelKind {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A float.
    Float,
    /// A signed integer that stands for a number from -1 to 1.
    SignedNorm,
    /// An unsigned integer that stands for a number from 0 to 1.
    UnsignedNorm,
}

/// Where a level of a texture lies in the view of its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelExtent {
    /// Its first element.
    pub start: u64,
    /// The size of each dimension.
    pub extent: Vec<i32>,
}

impl LevelExtent {
    /// The texel of a level that is an element of the view: the level's number, and the coordinates.
    pub fn find(levels: &[LevelExtent], element: u64) -> Option<(usize, Vec<u64>)> {
        let number = levels.iter().rposition(|level| level.start <= element)?;
        let level = &levels[number];
        let mut rest = element - level.start;
        let mut texel = vec![0; level.extent.len()];
        for (at, &size) in texel.iter_mut().zip(&level.extent).rev() {
            let size = size.max(1) as u64;
            (*at, rest) = (rest % size, rest / size);
        }
        (rest == 0).then_some((number, texel))
    }
}

/// The maker's type of a view. The kernel has its own type for the view;
/// [`validate`](super::validate()) compares the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewClaim {
    /// Bytes of an element.
    pub element_size: u64,
    /// Whether a kernel may write through the view.
    pub writable: bool,
}

/// The number of elements of an extent with these sizes: 0 if one of them is 0, however large the others are;
/// `None` on overflow.
pub fn element_count(sizes: impl IntoIterator<Item = u64>) -> Option<u64> {
    let (mut count, mut is_empty) = (Some(1u64), false);
    for size in sizes {
        is_empty |= size == 0;
        count = count.and_then(|count| count.checked_mul(size));
    }
    if is_empty { Some(0) } else { count }
}

impl ViewArgument {
    /// A view without a claim.
    pub fn new(
        allocation: usize,
        offset: u64,
        extent: impl Into<Vec<i32>>,
        strides: impl Into<Vec<u64>>,
    ) -> ViewArgument {
        ViewArgument {
            allocation,
            offset,
            extent: extent.into(),
            strides: strides.into(),
            claim: None,
            levels: Vec::new(),
            texels: None,
        }
    }

    /// A row-major view without gaps, from the first byte of an allocation.
    pub fn dense(allocation: usize, extent: &[i32]) -> ViewArgument {
        let mut strides: Vec<u64> = vec![1; extent.len()];
        for d in (1..extent.len()).rev() {
            // A view without elements may be as large as that in its other dimensions.
            strides[d - 1] = strides[d].saturating_mul(extent[d].max(0) as u64);
        }
        ViewArgument::new(allocation, 0, extent, strides)
    }

    /// Whether it has no elements. An empty view may have any offset.
    pub fn is_empty(&self) -> bool {
        self.extent.iter().any(|&extent| extent <= 0)
    }

    /// Whether the last dimension has unit stride. The stride decides even if there is at most one
    /// element: kernels reinterpret a view only if its stride is 1.
    pub fn unit_stride(&self) -> bool {
        self.strides.last().is_none_or(|&stride| stride == 1)
    }

    /// Bytes from the first to the last byte of its elements, inclusive; `None` on overflow.
    pub fn bytes_spanned(&self, element_size: u64) -> Option<u64> {
        if self.is_empty() {
            return Some(0);
        }
        let mut dimensions = self.extent.iter().zip(&self.strides);
        let last = dimensions
            .try_fold(0u64, |sum, (&extent, &stride)| sum.checked_add((extent as u64 - 1).checked_mul(stride)?));
        last?.checked_add(1)?.checked_mul(element_size)
    }

    /// The bytes of its elements, as offsets in its allocation. Only for a view whose span fits in
    /// 64 bits and ends within them, as [`validate`](super::validate()) ensures.
    pub fn bytes(&self, element_size: u64) -> Ranges {
        if self.is_empty() {
            return Ranges::NONE;
        }
        let (run, rest) = self.repeated_run(element_size);
        let repeats: u64 = rest.iter().map(|(count, _)| count).product();
        let start = |mut repeat: u64| {
            let mut start = self.offset;
            for &(count, step) in &rest {
                start += repeat % count * step;
                repeat /= count;
            }
            (start, run)
        };
        (0..repeats).map(start).collect()
    }

    fn run_count(&self, element_size: u64) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let (_, repeats) = self.repeated_run(element_size);
        repeats.iter().fold(1, |runs, (count, _)| runs.saturating_mul(*count))
    }

    /// The first run of bytes, and how often it is repeated at which distances.
    fn repeated_run(&self, element_size: u64) -> (u64, Vec<(u64, u64)>) {
        // The stride of a dimension with one index has no meaning, and may overflow when
        // multiplied.
        let dimensions = self.extent.iter().zip(&self.strides).filter(|&(&count, &stride)| count > 1 && stride > 0);
        let mut steps: Vec<(u64, u64)> =
            dimensions.map(|(&count, &stride)| (count as u64, stride * element_size)).collect();
        steps.sort_unstable_by_key(|&(_, step)| step);
        // Contiguous or overlapping dimensions merge into one run of bytes; the other dimensions
        // repeat that run.
        let (mut run, mut merged) = (element_size, 0);
        while let Some((count, step)) = steps.get(merged)
            && *step <= run
        {
            run += (count - 1) * step;
            merged += 1;
        }
        (run, steps.split_off(merged))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The bytes of a view, element by element.
    fn each_byte(view: &ViewArgument, element_size: u64) -> Vec<u64> {
        let mut starts = vec![view.offset];
        for (&extent, &stride) in view.extent.iter().zip(&view.strides) {
            let indices = 0..extent.max(0) as u64;
            starts =
                starts.iter().flat_map(|at| indices.clone().map(move |i| at + i * stride * element_size)).collect();
        }
        let mut bytes: Vec<u64> = starts.iter().flat_map(|&at| at..at + element_size).collect();
        bytes.sort_unstable();
        bytes.dedup();
        bytes
    }

    /// A small view, with strides of every kind: 0, interleaved, overlapping.
    fn small_view() -> impl Strategy<Value = ViewArgument> {
        (0..20u64, prop::collection::vec((0..5i32, 0..12u64), 1..4)).prop_map(|(offset, dimensions)| {
            let (extent, strides): (Vec<i32>, Vec<u64>) = dimensions.into_iter().unzip();
            ViewArgument::new(0, offset, extent, strides)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if cfg!(miri) { 20 } else { 512 }) })]

        #[test]
        fn the_bytes_of_a_view_are_those_of_its_elements(view in small_view(), element_size in 1..9u64) {
            let expected = each_byte(&view, element_size);
            let runs = view.bytes(element_size);
            let found: Vec<u64> = runs.runs().flat_map(|(start, len)| start..start + len).collect();
            prop_assert_eq!(&found, &expected);
            let span = expected.last().map_or(0, |last| last + 1 - view.offset);
            prop_assert_eq!(view.bytes_spanned(element_size), Some(span));
            prop_assert_eq!(view.is_empty(), expected.is_empty());
        }
    }

    #[test]
    fn a_span_that_cannot_be_counted_is_none() {
        let view = |extent: [i32; 2], strides: [u64; 2]| ViewArgument::new(0, 0, extent, strides);
        assert_eq!(view([2, 1], [u64::MAX / 2, 1]).bytes_spanned(4), None);
        assert_eq!(view([3, 1], [u64::MAX, 1]).bytes_spanned(1), None);
        assert_eq!(view([1, 3], [u64::MAX, 1]).bytes_spanned(4), Some(12), "one index has no distance");
        assert_eq!(view([0, 9], [u64::MAX, 1]).bytes_spanned(4), Some(0), "nothing spans nothing");
        assert_eq!(view([1, 3], [u64::MAX, 1]).bytes(4), Ranges::solid(0, 12));
    }

    #[test]
    fn an_extent_without_elements_has_none_however_large_it_is() {
        let most = i32::MAX as u64;
        assert_eq!(element_count([most, most, most, 0]), Some(0));
        assert_eq!(element_count([0, most, most, most]), Some(0));
        assert_eq!(element_count([most, most, most]), None);
        assert_eq!((element_count([2, 3]), element_count([])), (Some(6), Some(1)));
        for extent in [[0, i32::MAX, i32::MAX, i32::MAX], [i32::MAX, i32::MAX, i32::MAX, 0]] {
            let view = ViewArgument::dense(0, &extent);
            assert_eq!((view.bytes_spanned(4), view.bytes(4)), (Some(0), Ranges::NONE));
        }
        assert_eq!(ViewArgument::dense(0, &[i32::MAX; 4]).bytes_spanned(4), None);
    }

    #[test]
    fn the_last_stride_says_whether_neighbours_lie_side_by_side() {
        let unit = |strides: &[u64]| ViewArgument::new(0, 0, vec![1; strides.len()], strides).unit_stride();
        assert!(unit(&[7, 1]) && unit(&[1]) && unit(&[]));
        assert!(!unit(&[1, 7]) && !unit(&[0]));
        assert!(ViewArgument::dense(0, &[4, 3, 2]).unit_stride());
        assert_eq!(ViewArgument::dense(0, &[4, 3, 2]).strides, [6, 2, 1]);
    }
}
