//! [`ByteRegion`]: the bytes of a view within its allocation, and whether two views overlap.
//! Numbers only: no pointers, no locks.
//!
//! A region is a nest of repetitions: runs of bytes at a constant stride, these groups at a
//! constant stride, and so on. Every stride is at least as large as the span it repeats, so rows
//! never interleave, which makes the queries below cheap.

use tilewise_ir::launch::Ranges;

/// The bytes of a view's own elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ByteRegion {
    /// The first byte.
    start: u64,
    /// Contiguous bytes per run; 0 for a view without elements.
    run: u64,
    /// The repetitions of the run, the outermost first. A repetition without gaps is merged into
    /// the run, so a contiguous region has none.
    repeats: Vec<Repeat>,
}

/// `count` repetitions, `stride` bytes apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Repeat {
    count: u64,
    stride: u64,
}

impl ByteRegion {
    /// A contiguous region.
    pub(crate) fn solid(start: u64, bytes: u64) -> ByteRegion {
        ByteRegion { start, run: bytes, repeats: Vec::new() }
    }

    /// The elements of a view: `size` bytes each, the first at byte `start`; `strides` count
    /// elements.
    pub(crate) fn of_view(start: u64, size: u64, extent: &[i32], strides: &[u64]) -> ByteRegion {
        if extent.iter().any(|&e| e <= 0) {
            return ByteRegion::solid(start, 0);
        }
        let mut region = ByteRegion::solid(start, size);
        for (&e, &stride) in extent.iter().zip(strides).rev() {
            region.repeat(e as u64, stride * size);
        }
        region.repeats.reverse();
        region
    }

    /// Adds a repetition of the whole region; during construction, the outermost repetition is the
    /// last.
    fn repeat(&mut self, count: u64, stride: u64) {
        if count == 1 {
            return;
        }
        match self.repeats.last_mut() {
            None if stride == self.run => self.run *= count,
            Some(inner) if stride == inner.stride * inner.count => inner.count *= count,
            _ => self.repeats.push(Repeat { count, stride }),
        }
    }

    /// Whether it has no bytes.
    pub(crate) fn is_empty(&self) -> bool {
        self.run == 0
    }

    /// The first byte.
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// The byte after the last one.
    pub(crate) fn end(&self) -> u64 {
        self.start + span(&self.repeats, self.run)
    }

    /// Whether the `size` bytes from `at` lie within one of its runs.
    pub(crate) fn contains(&self, at: u64, size: u64) -> bool {
        let Some(mut at) = at.checked_sub(self.start) else { return false };
        for repeat in &self.repeats {
            if at / repeat.stride >= repeat.count {
                return false;
            }
            at %= repeat.stride;
        }
        at < self.run && size <= self.run - at
    }

    /// Whether both have a byte in common.
    pub(crate) fn overlaps(&self, other: &ByteRegion) -> bool {
        if self.is_empty() || other.is_empty() {
            return false;
        }
        let distance = other.start as i64 - self.start as i64;
        meet((&self.repeats, self.run), (&other.repeats, other.run), distance)
    }

    /// Each run: its first byte and its length, in order.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (u64, u64)> {
        (0..self.run_count()).map(|mut number| {
            let mut start = self.start;
            for repeat in self.repeats.iter().rev() {
                start += number % repeat.count * repeat.stride;
                number /= repeat.count;
            }
            (start, self.run)
        })
    }

    /// The number of its runs.
    pub(crate) fn run_count(&self) -> u64 {
        if self.is_empty() { 0 } else { self.repeats.iter().map(|repeat| repeat.count).product() }
    }

    /// Its bytes.
    pub(crate) fn bytes(&self) -> Ranges {
        self.runs().collect()
    }

    /// The bytes of all these regions.
    pub(crate) fn bytes_of_all<'r, R: IntoIterator<Item = &'r ByteRegion>>(regions: R) -> Ranges {
        regions.into_iter().fold(Ranges::NONE, |all, region| all.with(&region.bytes()))
    }
}

/// The number of bytes from the first to the last.
fn span(repeats: &[Repeat], run: u64) -> u64 {
    repeats.iter().map(|repeat| (repeat.count - 1) * repeat.stride).sum::<u64>() + run
}

/// A region that begins at 0: its repetitions, and its run.
type Rows<'r> = (&'r [Repeat], u64);

/// Whether `a` and `b`, which begins `distance` bytes after `a`, have a byte in common.
///
/// Sections of one view have equal strides. Their slots are then compared by distance instead of
/// pairwise: at each level at most two distances are small enough to overlap, and since strides
/// divide one another, no others arise. If the strides differ (`view_as` made one of the views),
/// [`runs_meet`] decides for two repetitions, as of two columns. For repetitions of repetitions, the
/// function iterates over the slots of the one with the larger stride, within the reach of the
/// other, unless even what surrounds the slots does not overlap.
fn meet(a: Rows<'_>, b: Rows<'_>, distance: i64) -> bool {
    let (a_span, b_span) = (span(a.0, a.1) as i64, span(b.0, b.1) as i64);
    if distance >= a_span || distance <= -b_span {
        return false;
    }
    match (a.0.split_first(), b.0.split_first()) {
        (None, None) => true,
        (None, Some(_)) => touches(b, -distance, a.1 as i64 - distance),
        (Some(_), None) => touches(a, distance, distance + b.1 as i64),
        (Some((first, _)), Some((second, _))) if first.stride == second.stride => meet_in_step(a, b, distance),
        (Some((first, a_inner)), Some((second, b_inner)))
            if !runs_meet((*first, span(a_inner, a.1)), (*second, span(b_inner, b.1)), distance) =>
        {
            false
        }
        (Some((_, [])), Some((_, []))) => true,
        (Some((first, a_inner)), Some((second, _))) if first.stride > second.stride => {
            let inner = (a_inner, a.1);
            let slots = slots_between(*first, span(inner.0, inner.1), distance, distance + b_span);
            slots.into_iter().any(|slot| meet(inner, b, distance - slot))
        }
        (Some(_), Some((second, b_inner))) => {
            let inner = (b_inner, b.1);
            let slots = slots_between(*second, span(inner.0, inner.1), -distance, a_span - distance);
            slots.into_iter().any(|slot| meet(a, inner, distance + slot))
        }
    }
}

/// As [`meet`], while the outer strides are equal: descends level by level, with the distances that
/// are small enough.
fn meet_in_step(mut a: Rows<'_>, mut b: Rows<'_>, distance: i64) -> bool {
    let mut distances = vec![distance];
    while let (Some((first, a_inner)), Some((second, b_inner))) = (a.0.split_first(), b.0.split_first()) {
        if first.stride != second.stride {
            break;
        }
        (a.0, b.0) = (a_inner, b_inner);
        let (a_span, b_span) = (span(a.0, a.1) as i64, span(b.0, b.1) as i64);
        let stride = first.stride as i64;
        // Slot i of `a` and slot j of `b` are `d - (i - j) * stride` apart, and overlap only if
        // that lies in `-b_span + 1 ..= a_span - 1`.
        let (least, most) = (1 - second.count as i64, first.count as i64 - 1);
        let mut nearer = Vec::with_capacity(2);
        for d in distances {
            let low = (d - a_span).div_euclid(stride) + 1;
            let high = (d + b_span - 1).div_euclid(stride);
            for steps in low.max(least)..=high.min(most) {
                let apart = d - steps * stride;
                if !nearer.contains(&apart) {
                    nearer.push(apart);
                }
            }
        }
        distances = nearer;
    }
    distances.into_iter().any(|distance| meet(a, b, distance))
}

/// Whether two repetitions of runs of bytes have a byte in common; `b` begins `distance` bytes after `a`.
///
/// Slot `i` of `a` and slot `j` of `b` overlap if `i * a.stride - j * b.stride` is one of the numbers from
/// `distance - a.run + 1` to `distance + b.run - 1`. The number of the `i` that have such a `j` is a difference of two
/// sums of quotients, which takes few steps for any counts.
fn runs_meet((a, a_run): (Repeat, u64), (b, b_run): (Repeat, u64), distance: i64) -> bool {
    let (low, high) = (i128::from(distance) - i128::from(a_run) + 1, i128::from(distance) + i128::from(b_run) - 1);
    let (a_stride, b_stride) = (i128::from(a.stride), i128::from(b.stride));
    // With an `i` between these, a multiple of the other stride that is near enough is that of a `j` that there is, or
    // else the first or the last `j` is near enough too.
    let first = (low + a_stride - 1).div_euclid(a_stride).max(0);
    let last = (high + (i128::from(b.count) - 1) * b_stride).div_euclid(a_stride).min(i128::from(a.count) - 1);
    if first > last {
        return false;
    }
    if high - low + 1 >= b_stride {
        return true;
    }
    let sum = |offset: i128| sum_of_quotients(last - first + 1, b_stride, a_stride, first * a_stride - offset);
    sum(low) > sum(high + 1)
}

/// The sum of `(factor * i + offset) / divisor`, rounded down, for all `i` in `0..count`.
fn sum_of_quotients(mut count: i128, mut divisor: i128, factor: i128, offset: i128) -> i128 {
    let mut sum = offset.div_euclid(divisor) * count;
    let (mut factor, mut offset) = (factor, offset.rem_euclid(divisor));
    // As in Euclid's algorithm, the two numbers become smaller together.
    loop {
        sum += factor / divisor * (count * (count - 1) / 2) + offset / divisor * count;
        (factor, offset) = (factor % divisor, offset % divisor);
        let most = factor * count + offset;
        if most < divisor {
            return sum;
        }
        (count, offset) = (most / divisor, most % divisor);
        (divisor, factor) = (factor, divisor);
    }
}

/// The starts of the slots that reach into `low..high`; a slot is `span` bytes long.
fn slots_between(repeat: Repeat, span: u64, low: i64, high: i64) -> impl IntoIterator<Item = i64> {
    let stride = repeat.stride as i64;
    let first = (low - span as i64).div_euclid(stride) + 1;
    let last = (high - 1).div_euclid(stride);
    (first.max(0)..=last.min(repeat.count as i64 - 1)).map(move |slot| slot * stride)
}

/// Whether one of the rows has a byte in `low..high`.
fn touches(mut rows: Rows<'_>, mut low: i64, mut high: i64) -> bool {
    loop {
        if high <= 0 || low >= high {
            return false;
        }
        if low <= 0 {
            // It contains the first byte.
            return true;
        }
        let Some((repeat, inner)) = rows.0.split_first() else { return low < rows.1 as i64 };
        let stride = repeat.stride as i64;
        let slot = low / stride;
        if slot >= repeat.count as i64 {
            return false;
        }
        // The next slot begins with a byte.
        if (slot + 1) * stride < high && slot + 1 < repeat.count as i64 {
            return true;
        }
        rows.0 = inner;
        (low, high) = (low - slot * stride, high - slot * stride);
    }
}
