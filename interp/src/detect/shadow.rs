//! Shadow memory: for each byte of shared memory its writer, its reader, and whether it was written
//! at all.
//!
//! Four bytes of data, a **granule**, have 16 bytes of shadow: a slot for the last plain writer,
//! and a slot for the first reader. Two slots suffice because tiles run one after the other, and so
//! do the threads of a tile between barriers. A kernel with barriers that do *not* order this
//! memory needs a slot for a second reader; [`pack`] fits it into the same 16 bytes.
//!
//! A slot has these fields, from the lowest bit:
//! | bits | |
//! |---|---|
//! | 32 | the thread, numbered tile by tile, so that the threads of a tile are consecutive |
//! | 17 | the site: the instruction |
//! | 7 | the phase of its tile, 0 for any past phase |
//! | 4 | mask of bytes of the granule; none: the slot is empty |
//! | 4 | writer: mask of bytes written at all; reader: whether it was an atomic |
//!
//! **Races.** Reads and atomics do not race with each other. So they form one class (the reader's
//! slot), and plain writes the other: a read or atomic is compared with the writer, a write with
//! both. Two threads are ordered if they belong to one tile and a barrier for this memory lies
//! between them, so that the phases differ. Threads of different tiles are never ordered.
//!
//! **Replacement.** The writer is always the last one. Another reader replaces a reader only if the
//! old one's phase is past and its tile is the same: a reader of an earlier tile races with every
//! later write. Within a phase each thread runs once, so the first reader represents all: if the
//! first reader is the writer, no other thread has read yet. Only after a barrier that orders other
//! memory can a thread *return* to the same phase, and write data that others have read; then the
//! first two readers represent all, as the writer cannot be both. The bytes of one thread
//! accumulate.
//!
//! **Missed races** (false reports never occur): if several threads access *different bytes* of one
//! granule (elements of 8 and 16 bits), the slot has only one of them, and a race with another may
//! go unreported.
//!
//! **Phases wrap**: after 127 phases of one tile (7 where there is a second reader), the slots that
//! it has touched are set to phase 0, which means only that the phase is past.

mod pack;

/// The state of one granule.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Granule {
    writer: u64,
    reader: u64,
    /// Another reader, of the same tile and phase as the first; always empty if no thread can
    /// return to a phase.
    other: u64,
}

/// Number of bytes of a granule.
const GRANULE: u64 = 4;

/// Number of granules of a page. Pages are allocated on first access.
const PAGE: u64 = 1024;

const SITE_SHIFT: u32 = 32;
const SITE_MASK: u64 = (1 << 17) - 1;
const PHASE_SHIFT: u32 = 49;
const PHASE_MASK: u64 = 0x7f << PHASE_SHIFT;
const BYTES_SHIFT: u32 = 56;
const EXTRA_SHIFT: u32 = 60;
const ATOMIC: u64 = 1 << EXTRA_SHIFT;
/// Mask of thread and phase.
const TURN: u64 = 0xffff_ffff | PHASE_MASK;

/// The last phase before the sweep.
const LAST_PHASE: u64 = 127;

/// The representation of granules.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum GranuleForm {
    /// Writer and reader.
    #[default]
    Plain,
    /// All three slots, packed, for tiles of this many threads.
    Packed(u32),
    /// All three slots, in 24 bytes: for kernels with more sites than [`pack`] can represent.
    Wide,
}

/// The accesses that do not race with each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReadKind {
    /// A plain read.
    Plain,
    /// An atomic.
    Atomic,
    /// An atomic that only stores: it reads nothing that could be unwritten.
    AtomicStore,
}

/// The running thread, and its tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Who {
    /// Its number, tile by tile.
    pub(super) thread: u32,
    /// The first thread of its tile, and the number of threads in the tile.
    pub(super) first: u32,
    pub(super) threads: u32,
    /// The tile's number, from 1.
    pub(super) tile: u64,
}

/// The fields of a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotParts {
    pub(super) thread: u32,
    pub(super) site: u32,
    pub(super) wrote: bool,
    pub(super) atomic: bool,
}

/// A finding, at the lowest byte involved.
#[derive(Clone, Copy, Debug)]
pub(super) enum ShadowFinding {
    /// These bytes (a mask from `granule`) race with an earlier access.
    Race { granule: u64, mask: u8, with: SlotParts },
    /// The byte was never written.
    Unwritten { at: u64 },
}

/// The shadow of one space.
#[derive(Default)]
pub(super) struct Shadow {
    /// Bytes of the space.
    size: u64,
    pages: Vec<ShadowPage>,
    races: bool,
    /// Whether reads before a write are checked.
    fresh: bool,
    form: GranuleForm,
    /// The phase of the current tile, from 1.
    phase: u64,
    /// Bytes that there was no memory for; then nothing is watched any more.
    missing: Option<u64>,
}

#[derive(Clone, Default)]
struct ShadowPage {
    /// The last tile that accessed it.
    tile: u64,
    /// The words of all granules; the form determines the number of words for each.
    words: Box<[u64]>,
}

impl GranuleForm {
    const fn words(self) -> usize {
        match self {
            GranuleForm::Plain | GranuleForm::Packed(_) => 2,
            GranuleForm::Wide => 3,
        }
    }

    #[inline]
    fn load(self, words: &[u64]) -> Granule {
        match (self, words) {
            (GranuleForm::Plain, &[writer, reader]) => Granule { writer, reader, other: 0 },
            (GranuleForm::Packed(threads), &[low, high]) => pack::unpack([low, high], threads),
            (GranuleForm::Wide, &[writer, reader, other]) => Granule { writer, reader, other },
            _ => Granule::default(),
        }
    }

    #[inline]
    fn store(self, words: &mut [u64], granule: Granule) {
        match (self, words) {
            (GranuleForm::Plain, [writer, reader]) => (*writer, *reader) = (granule.writer, granule.reader),
            (GranuleForm::Packed(threads), [low, high]) => [*low, *high] = pack::pack(granule, threads),
            (GranuleForm::Wide, [writer, reader, other]) => {
                (*writer, *reader, *other) = (granule.writer, granule.reader, granule.other);
            }
            _ => {}
        }
    }

    const fn has_other(self) -> bool {
        !matches!(self, GranuleForm::Plain)
    }
}

impl Shadow {
    /// A shadow for a space of `size` bytes. If there are barriers that do not order it, `returns`
    /// has the number of sites in the kernel and of threads in a tile.
    pub(super) fn new(size: usize, races: bool, fresh: bool, returns: Option<(usize, u32)>) -> Shadow {
        let size = size as u64;
        let watched = races || fresh;
        let pages = if watched { size.div_ceil(GRANULE * PAGE) } else { 0 };
        let form = match returns {
            None => GranuleForm::Plain,
            Some((sites, threads)) if pack::fits(sites, threads) => GranuleForm::Packed(threads),
            Some(_) => GranuleForm::Wide,
        };
        let mut shadow = Shadow { size, pages: Vec::new(), races, fresh, form, phase: 1, missing: None };
        if shadow.pages.try_reserve_exact(pages as usize).is_ok() {
            shadow.pages.resize(pages as usize, ShadowPage::default());
        } else {
            shadow.missing = Some(pages * size_of::<ShadowPage>() as u64);
        }
        shadow
    }

    /// Bytes that there was no memory for, if so.
    pub(super) fn missing(&self) -> Option<u64> {
        self.missing
    }

    /// Allocated bytes of slots.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        self.pages.iter().map(|page| size_of_val::<[u64]>(&page.words) as u64).sum()
    }

    /// A tile begins.
    pub(super) fn begin_tile(&mut self) {
        self.phase = 1;
    }

    /// Resets the state, for new contents of the space.
    pub(super) fn clear(&mut self) {
        for page in &mut self.pages {
            page.words.fill(0);
        }
    }

    /// Advances the phase, at a barrier that orders this memory.
    pub(super) fn next_phase(&mut self, tile: u64) {
        self.phase += 1;
        let (form, last) = (self.form, if self.form == GranuleForm::Plain { LAST_PHASE } else { pack::LAST_PHASE });
        if self.phase > last {
            self.phase = 1;
            for page in self.pages.iter_mut().filter(|page| page.tile == tile) {
                for words in page.words.chunks_exact_mut(form.words()) {
                    let mut granule = form.load(words);
                    granule.writer &= !PHASE_MASK;
                    granule.reader &= !PHASE_MASK;
                    granule.other &= !PHASE_MASK;
                    form.store(words, granule);
                }
            }
        }
    }

    /// The words of a granule, by its index.
    #[inline]
    fn words(&mut self, number: u64, tile: u64) -> Option<&mut [u64]> {
        let width = self.form.words();
        let page = self.pages.get_mut((number / PAGE) as usize)?;
        page.tile = tile;
        if page.words.is_empty() {
            let first = number / PAGE * PAGE;
            let count = self.size.div_ceil(GRANULE).saturating_sub(first).min(PAGE);
            if page.allocate(count as usize * width).is_none() {
                // What is left of memory is for the rest of the process. The launch ends.
                self.missing = Some(self.size.saturating_mul(width as u64 * 8 / GRANULE));
                self.pages = Vec::new();
                return None;
            }
        }
        let page = self.pages.get_mut((number / PAGE) as usize)?;
        let at = (number % PAGE) as usize * width;
        page.words.get_mut(at..at + width)
    }

    /// A read or an atomic of `size` bytes.
    #[inline]
    pub(super) fn read(
        &mut self,
        who: Who,
        site: u32,
        (at, size): (u64, u64),
        kind: ReadKind,
        found: &mut impl FnMut(ShadowFinding),
    ) {
        if self.pages.is_empty() {
            return;
        }
        let (races, fresh, phase, form) = (self.races, self.fresh, self.phase, self.form);
        let turn = u64::from(who.thread) | phase << PHASE_SHIFT;
        let extra = if kind == ReadKind::Plain { 0 } else { ATOMIC };
        split(at, size, |number, mask| {
            let Some(words) = self.words(number, who.tile) else { return };
            let mut granule = form.load(words);
            let bytes = u64::from(mask) << BYTES_SHIFT;
            if fresh && granule.writer >> EXTRA_SHIFT & u64::from(mask) != u64::from(mask) {
                let unwritten = u64::from(mask) & !(granule.writer >> EXTRA_SHIFT);
                if kind != ReadKind::AtomicStore {
                    found(ShadowFinding::Unwritten { at: number * GRANULE + u64::from(unwritten.trailing_zeros()) });
                }
                if kind != ReadKind::Plain {
                    granule.writer |= u64::from(mask) << EXTRA_SHIFT;
                    form.store(words, granule);
                }
            }
            if !races {
                return;
            }
            let reader = granule.reader;
            if (reader ^ turn) & TURN == 0 && reader & bytes == bytes {
                return;
            }
            let writer = granule.writer;
            if writer & bytes != 0 && unordered(writer, who, phase) {
                let both = (writer >> BYTES_SHIFT) as u8 & mask;
                found(ShadowFinding::Race { granule: number * GRANULE, mask: both, with: seen(writer, true) });
            }
            let mine = turn | u64::from(site) << SITE_SHIFT | bytes | extra;
            let is_empty = reader >> BYTES_SHIFT & 0xf == 0;
            if is_empty {
                granule.reader = mine;
            } else if (reader ^ turn) & TURN == 0 {
                granule.reader |= bytes;
            } else if in_tile(reader, who) {
                if (reader ^ turn) & PHASE_MASK != 0 {
                    (granule.reader, granule.other) = (mine, 0);
                } else if form.has_other() {
                    if granule.other >> BYTES_SHIFT & 0xf == 0 {
                        granule.other = mine;
                    } else if (granule.other ^ turn) & TURN == 0 {
                        granule.other |= bytes;
                    }
                }
            }
            form.store(words, granule);
        });
    }

    /// A plain write of `size` bytes.
    #[inline]
    pub(super) fn write(&mut self, who: Who, site: u32, at: u64, size: u64, found: &mut impl FnMut(ShadowFinding)) {
        if self.pages.is_empty() {
            return;
        }
        let (races, phase, form) = (self.races, self.phase, self.form);
        let turn = u64::from(who.thread) | phase << PHASE_SHIFT;
        split(at, size, |number, mask| {
            let Some(words) = self.words(number, who.tile) else { return };
            let mut granule = form.load(words);
            let bytes = u64::from(mask) << BYTES_SHIFT;
            let writer = granule.writer;
            let written = writer & (0xf << EXTRA_SHIFT) | u64::from(mask) << EXTRA_SHIFT;
            let again = (writer ^ turn) & TURN == 0 && writer >> BYTES_SHIFT & 0xf != 0;
            if again && writer & bytes == bytes {
                // Earlier readers were reported at the first write; since then only this thread has
                // run.
                return;
            }
            if races {
                if writer & bytes != 0 && unordered(writer, who, phase) {
                    let both = (writer >> BYTES_SHIFT) as u8 & mask;
                    found(ShadowFinding::Race { granule: number * GRANULE, mask: both, with: seen(writer, true) });
                }
                let races_with = |reader: &u64| reader & bytes != 0 && unordered(*reader, who, phase);
                if let Some(reader) = [granule.reader, granule.other].into_iter().find(races_with) {
                    let both = (reader >> BYTES_SHIFT) as u8 & mask;
                    found(ShadowFinding::Race { granule: number * GRANULE, mask: both, with: seen(reader, false) });
                }
            }
            let kept = if again { writer & (0xf << BYTES_SHIFT) } else { 0 };
            granule.writer = turn | u64::from(site) << SITE_SHIFT | bytes | kept | written;
            form.store(words, granule);
        });
    }
}

impl ShadowPage {
    /// Gives it its words. `None` without memory.
    #[cold]
    fn allocate(&mut self, words: usize) -> Option<()> {
        let mut zeros = Vec::new();
        zeros.try_reserve_exact(words).ok()?;
        zeros.resize(words, 0);
        self.words = zeros.into_boxed_slice();
        Some(())
    }
}

/// Splits a byte range into granules, each with a mask.
#[inline]
pub(super) fn split(at: u64, size: u64, mut each: impl FnMut(u64, u8)) {
    if size == GRANULE && at.is_multiple_of(GRANULE) {
        return each(at / GRANULE, 0xf);
    }
    let end = at.saturating_add(size);
    let mut at = at;
    while at < end {
        let number = at / GRANULE;
        let next = (number + 1) * GRANULE;
        let first = at - number * GRANULE;
        let last = end.min(next) - number * GRANULE;
        each(number, ((1u8 << last) - 1) & !((1u8 << first) - 1));
        at = next;
    }
}

#[inline]
fn in_tile(slot: u64, who: Who) -> bool {
    (slot as u32).wrapping_sub(who.first) < who.threads
}

/// Whether an access by another thread and one by the current thread are unordered.
#[inline]
fn unordered(slot: u64, who: Who, phase: u64) -> bool {
    slot as u32 != who.thread && (!in_tile(slot, who) || slot & PHASE_MASK == phase << PHASE_SHIFT)
}

fn seen(slot: u64, wrote: bool) -> SlotParts {
    SlotParts {
        thread: slot as u32,
        site: (slot >> SITE_SHIFT & SITE_MASK) as u32,
        wrote,
        atomic: !wrote && slot & ATOMIC != 0,
    }
}
