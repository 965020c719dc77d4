//! Packs three slots into 16 bytes, for kernels whose threads can return to a phase.
//!
//! They fit because both readers are of one tile and phase, so the second needs only its index in
//! the tile; packed kernels have at most 1024 sites; and phases wrap after 7.
//!
//! | bits | of the writer | the first reader | the second |
//! |---|---|---|---|
//! | thread | 32 | 32 | 10, from the first thread of its tile |
//! | site | 10 | 10 | 10 |
//! | phase | 3 | 3 | that of the first |
//! | bytes | 4 | 4 | 4 |
//! | written, atomic | 4 | 1 | 1 |

use super::{ATOMIC, BYTES_SHIFT, EXTRA_SHIFT, Granule, PHASE_SHIFT, SITE_SHIFT};

/// The last phase before phases wrap.
pub(super) const LAST_PHASE: u64 = 7;

/// Limit on the number of sites.
const SITES: usize = 1 << 10;

/// Limit on the threads of a tile.
const THREADS: u32 = 1 << 10;

/// Whether a kernel with this many sites and threads in a tile fits.
pub(super) const fn fits(sites: usize, threads: u32) -> bool {
    sites <= SITES && threads <= THREADS && threads > 0
}

const fn bits(from: u64, shift: u32, count: u32) -> u64 {
    from >> shift & ((1 << count) - 1)
}

/// Site, phase and bytes of a slot: 17 bits.
const fn common(slot: u64) -> u64 {
    bits(slot, SITE_SHIFT, 10) | bits(slot, PHASE_SHIFT, 3) << 10 | bits(slot, BYTES_SHIFT, 4) << 13
}

const fn spread(common: u64) -> u64 {
    bits(common, 0, 10) << SITE_SHIFT | bits(common, 10, 3) << PHASE_SHIFT | bits(common, 13, 4) << BYTES_SHIFT
}

/// The slots of a granule in two words.
pub(super) const fn pack(granule: Granule, threads: u32) -> [u64; 2] {
    let Granule { writer, reader, other } = granule;
    // 32 + 17 + 4 + 11 bits; the last are the second reader's site and whether it was an atomic.
    let low = writer & 0xffff_ffff
        | common(writer) << 32
        | bits(writer, EXTRA_SHIFT, 4) << 49
        | bits(other, SITE_SHIFT, 10) << 53
        | bits(other, EXTRA_SHIFT, 1) << 63;
    let place = other as u32 % threads;
    // 32 + 17 + 1 + 14 bits; the last are the second reader's bytes and its index in the tile.
    let high = reader & 0xffff_ffff
        | common(reader) << 32
        | bits(reader, EXTRA_SHIFT, 1) << 49
        | bits(other, BYTES_SHIFT, 4) << 50
        | (place as u64) << 54;
    [low, high]
}

/// Unpacks the slots of a granule from two words.
pub(super) const fn unpack([low, high]: [u64; 2], threads: u32) -> Granule {
    let writer = low & 0xffff_ffff | spread(bits(low, 32, 17)) | bits(low, 49, 4) << EXTRA_SHIFT;
    let reader = high & 0xffff_ffff | spread(bits(high, 32, 17)) | bits(high, 49, 1) << EXTRA_SHIFT;
    let bytes = bits(high, 50, 4);
    let other = if bytes == 0 {
        0
    } else {
        let thread = reader as u32 / threads * threads + bits(high, 54, 10) as u32;
        thread as u64
            | bits(low, 53, 10) << SITE_SHIFT
            | bits(reader, PHASE_SHIFT, 3) << PHASE_SHIFT
            | bytes << BYTES_SHIFT
            | if bits(low, 63, 1) == 1 { ATOMIC } else { 0 }
    };
    Granule { writer, reader, other }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slot(thread: u32, site: u64, phase: u64, bytes: u64, extra: u64) -> u64 {
        u64::from(thread) | site << SITE_SHIFT | phase << PHASE_SHIFT | bytes << BYTES_SHIFT | extra << EXTRA_SHIFT
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(
            threads in 1_u32..=1024,
            writer in (any::<u32>(), 0_u64..1024, 0_u64..8, 0_u64..16, 0_u64..16),
            tile in 0_u32..1_000_000,
            phase in 0_u64..8,
            first in (0_u32..1024, 0_u64..1024, 1_u64..16, 0_u64..2),
            second in (0_u32..1024, 0_u64..1024, 1_u64..16, 0_u64..2),
            two in any::<bool>(),
        ) {
            let reader = |(place, site, bytes, atomic): (u32, u64, u64, u64)| {
                slot(tile.wrapping_mul(threads) + place % threads, site, phase, bytes, atomic)
            };
            let granule = Granule {
                writer: slot(writer.0, writer.1, writer.2, writer.3, writer.4),
                reader: reader(first),
                other: if two { reader(second) } else { 0 },
            };
            prop_assert_eq!(unpack(pack(granule, threads), threads), granule);
        }
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(unpack([0, 0], 64), Granule::default());
        assert_eq!(pack(Granule::default(), 64), [0, 0]);
    }
}
