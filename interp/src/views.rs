//! Views as values: their lanes, their elements, and views made from other views.
//!
//! A view of rank `r` has `2 + 2r` lanes: the space, the first byte, `r` extents, `r` strides in
//! elements. **An element in range lies in its space**: a bound view was validated, and no derived
//! view exceeds its parent. So addresses of elements never wrap, although the sums are unchecked.
//!
//! A request that does not fit gives the empty view: every extent 0.

use super::code::{FrameSlot, ViewCode, ViewKind};
use super::memory::SpaceAddress;
use super::place;

/// Number of lanes before the extents.
pub(super) const EXTENTS: u32 = 2;

/// Number of lanes of a view of that rank.
pub(super) const fn lanes(rank: u32) -> u32 {
    EXTENTS + 2 * rank
}

/// The address of an element; `None` if an index is out of range.
#[inline]
pub(super) fn element(frame: &[u64], view: FrameSlot, index: &[FrameSlot], size: u64) -> Option<SpaceAddress> {
    let rank = index.len();
    let lanes = &frame[view as usize..][..lanes(rank as u32) as usize];
    let (extents, strides) = lanes[EXTENTS as usize..].split_at(rank);
    let mut offset: u64 = 0;
    for ((&slot, &extent), &stride) in index.iter().zip(extents).zip(strides) {
        let index = place::index(frame, slot);
        if index >= extent {
            return None;
        }
        offset = offset.wrapping_add(index.wrapping_mul(stride));
    }
    Some(SpaceAddress { space: lanes[0] as u32, at: lanes[1].wrapping_add(offset.wrapping_mul(size)) })
}

/// Like `element`, for rank 1 and elements of 4 bytes.
#[inline]
pub(super) fn word(frame: &[u64], view: FrameSlot, index: FrameSlot) -> Option<SpaceAddress> {
    let [space, base, extent, stride] = *frame[view as usize..].first_chunk()?;
    let index = place::index(frame, index);
    (index < extent).then(|| SpaceAddress {
        space: space as u32,
        at: base.wrapping_add(index.wrapping_mul(stride).wrapping_mul(4)),
    })
}

/// Makes a view. Returns whether the request fit.
pub(super) fn make(code: &ViewCode, frame: &mut [u64]) -> bool {
    let rank = code.rank as usize;
    // The result may overlap the source's lanes, so it starts as a copy of them.
    let from = code.from as usize;
    let base = frame[from + 1];
    let extent = |frame: &[u64], d: usize| frame[from + 2 + d];
    let stride = |frame: &[u64], d: usize| frame[from + 2 + rank + d];
    let to = code.to as usize;
    frame[to] = frame[from];
    match &code.kind {
        ViewKind::Section { origin, extent: size } => {
            let mut offset: u64 = 0;
            let mut fits = true;
            for d in 0..rank {
                let (first, count) = (frame[origin[d] as usize] as i32, frame[size[d] as usize] as i32);
                let end = i64::from(first) + i64::from(count);
                fits &= first >= 0 && count >= 0 && end <= extent(frame, d) as i64;
                offset = offset.wrapping_add((first as u64).wrapping_mul(stride(frame, d)));
                frame[to + 2 + d] = u64::from(count as u32);
                frame[to + 2 + rank + d] = stride(frame, d);
            }
            frame[to + 1] = base.wrapping_add(offset.wrapping_mul(code.size));
            if !fits {
                empty(frame, to, rank);
            }
            fits
        }
        ViewKind::Project { index } => {
            let index = place::index(frame, *index);
            let fits = index < extent(frame, 0);
            frame[to + 1] = base.wrapping_add(index.wrapping_mul(stride(frame, 0)).wrapping_mul(code.size));
            for d in 1..rank {
                frame[to + 1 + d] = extent(frame, d);
                frame[to + rank + d] = stride(frame, d);
            }
            if !fits {
                empty(frame, to, rank - 1);
            }
            fits
        }
        ViewKind::Reinterpret { size } => {
            frame[to + 1] = base;
            // At most 2^31 elements of at most 2^32 bytes: no overflow.
            let bytes = extent(frame, 0) * code.size;
            let count = bytes.checked_div(*size).unwrap_or(0);
            let fits = stride(frame, 0) == 1 && count * size == bytes && i32::try_from(count).is_ok();
            frame[to + 2] = count;
            frame[to + 3] = 1;
            if !fits {
                empty(frame, to, 1);
            }
            fits
        }
        ViewKind::ViewAs { extent: size } => {
            let new = size.len();
            let mut product: u64 = 1;
            let mut negative = false;
            frame[to + 1] = base;
            for d in (0..new).rev() {
                let count = frame[size[d] as usize] as i32;
                negative |= count < 0;
                frame[to + 2 + d] = u64::from(count as u32);
                frame[to + 2 + new + d] = product;
                product = if count == 0 { 0 } else { product.saturating_mul(count as u64) };
            }
            // An extent of 0 makes the product 0 and keeps it 0, whatever was multiplied before.
            let fits = !negative && stride(frame, 0) == 1 && product <= extent(frame, 0);
            if !fits {
                empty(frame, to, new);
            }
            fits
        }
    }
}

/// Sets the extents of a view to 0.
fn empty(frame: &mut [u64], view: usize, rank: usize) {
    frame[view + 2..view + 2 + rank].fill(0);
}
