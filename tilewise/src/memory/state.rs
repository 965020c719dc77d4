//! [`ContentsState`]: which memories hold the newest contents of an allocation's bytes. Numbers
//! only: this module determines the transfers, and [`coherence`](super::coherence) executes them.
//!
//! # The model
//! Bytes have **places**: host memory, and the memory of each device that has used them. Each place
//! has a set of the bytes that are valid there, that is, have their newest contents. A read at a
//! place makes bytes valid there and leaves the others as they are; a write makes them valid there
//! alone.
//!
//! Two more sets save transfers. Bytes that have not been written since the allocation was made
//! without contents are **clear**: storage is created zeroed, so they are valid at every place that
//! has storage. **Discarded** bytes may have any contents, so those of any place are valid.
//!
//! Every byte is valid somewhere, or clear, or discarded. So contents are lost only with a device.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::launch::Ranges;

/// A place: a device, by its number, or the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CopyHolder {
    /// Host memory.
    Host,
    /// The memory of a device.
    Device(u64),
}

/// The places of the newest contents.
#[derive(Clone, Debug)]
pub(crate) struct ContentsState {
    host: Ranges,
    devices: Vec<(u64, Ranges)>,
    clear: Ranges,
    discarded: Ranges,
}

/// The transfers that are needed before bytes can be used at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moves {
    /// From device memories to host memory.
    pub(crate) download: Vec<(u64, Ranges)>,
    /// From host memory to the place.
    pub(crate) upload: Ranges,
}

impl ContentsState {
    /// The state of an allocation of so many bytes: its contents are in host memory, or clear.
    pub(crate) fn new(bytes: u64, clear: bool) -> ContentsState {
        let all = Ranges::solid(0, bytes);
        let (host, clear) = if clear { (Ranges::NONE, all) } else { (all, Ranges::NONE) };
        ContentsState { host, devices: Vec::new(), clear, discarded: Ranges::NONE }
    }

    fn valid(&self, place: CopyHolder) -> &Ranges {
        static NONE: Ranges = Ranges::NONE;
        match place {
            CopyHolder::Host => &self.host,
            CopyHolder::Device(number) => self.devices.iter().find(|(n, _)| *n == number).map_or(&NONE, |(_, v)| v),
        }
    }

    fn valid_mut(&mut self, place: CopyHolder) -> &mut Ranges {
        let number = match place {
            CopyHolder::Host => return &mut self.host,
            CopyHolder::Device(number) => number,
        };
        let at = self.devices.iter().position(|(n, _)| *n == number).unwrap_or_else(|| {
            self.devices.push((number, Ranges::NONE));
            self.devices.len() - 1
        });
        &mut self.devices[at].1
    }

    /// Whether new storage must be zeroed.
    pub(crate) fn is_any_clear(&self) -> bool {
        !self.clear.is_empty()
    }

    /// Whether the bytes are valid at a place without a transfer.
    pub(crate) fn is_valid(&self, place: CopyHolder, bytes: &Ranges) -> bool {
        self.missing(place, bytes).is_empty()
    }

    fn missing(&self, place: CopyHolder, bytes: &Ranges) -> Ranges {
        bytes.without(self.valid(place)).without(&self.clear).without(&self.discarded)
    }

    /// The transfers that make the bytes valid at a place.
    pub(crate) fn moves(&self, place: CopyHolder, bytes: &Ranges) -> Moves {
        let missing = self.missing(place, bytes);
        let upload = if place == CopyHolder::Host { Ranges::NONE } else { missing.clone() };
        // Bytes valid in host memory are not fetched from devices.
        let mut wanted = missing.without(&self.host);
        let mut download = Vec::new();
        for (number, valid) in &self.devices {
            let here = wanted.and(valid);
            if !here.is_empty() && place != CopyHolder::Device(*number) {
                wanted = wanted.without(&here);
                download.push((*number, here));
            }
        }
        debug_assert!(wanted.is_empty(), "every byte has its newest contents somewhere");
        Moves { download, upload }
    }

    /// The bytes are now valid at a place: they were transferred, or did not need to be.
    pub(crate) fn moved(&mut self, place: CopyHolder, bytes: &Ranges) {
        if fault::planted(Fault::MovedAgain) && matches!(place, CopyHolder::Device(_)) {
            return;
        }
        let valid = self.valid_mut(place);
        *valid = valid.with(bytes);
    }

    /// The bytes are written at a place.
    pub(crate) fn written(&mut self, place: CopyHolder, bytes: &Ranges) {
        if !fault::planted(Fault::StaleHost) || place == CopyHolder::Host {
            self.host = self.host.without(bytes);
        }
        if !fault::planted(Fault::StaleOtherCopies) {
            self.devices.iter_mut().for_each(|(_, valid)| *valid = valid.without(bytes));
        }
        if !fault::planted(Fault::WrittenStaysClear) {
            self.clear = self.clear.without(bytes);
        }
        self.discarded = self.discarded.without(bytes);
        self.moved(place, bytes);
    }

    /// The contents of the bytes need not be kept. Those in host memory become valid.
    pub(crate) fn discard(&mut self, bytes: &Ranges) {
        self.discarded = self.discarded.with(bytes);
        self.host = self.host.with(bytes);
    }

    /// A device and the contents of its memory are lost. Returns the bytes whose newest contents
    /// are lost; the contents of host memory replace them.
    pub(crate) fn lose(&mut self, number: u64) -> Ranges {
        let Some(at) = self.devices.iter().position(|(n, _)| *n == number) else { return Ranges::NONE };
        let (_, gone) = self.devices.swap_remove(at);
        let mut lost = gone.without(&self.host).without(&self.clear).without(&self.discarded);
        for (_, valid) in &self.devices {
            lost = lost.without(valid);
        }
        self.host = self.host.with(&lost);
        lost
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GPU: CopyHolder = CopyHolder::Device(7);
    const OTHER: CopyHolder = CopyHolder::Device(9);

    fn bytes(start: u64, end: u64) -> Ranges {
        Ranges::solid(start, end)
    }

    #[test]
    fn a_read_moves_what_is_missing_and_never_again() {
        let mut state = ContentsState::new(100, false);
        assert_eq!(state.moves(GPU, &bytes(10, 20)), Moves { download: vec![], upload: bytes(10, 20) });
        state.moved(GPU, &bytes(10, 20));
        assert_eq!(state.moves(GPU, &bytes(15, 30)).upload, bytes(20, 30));
        assert!(state.is_valid(CopyHolder::Host, &bytes(0, 100)));
    }

    #[test]
    fn what_a_device_wrote_comes_home_by_way_of_the_host() {
        let mut state = ContentsState::new(100, false);
        state.written(GPU, &bytes(10, 20));
        assert_eq!(
            state.moves(CopyHolder::Host, &bytes(0, 100)),
            Moves { download: vec![(7, bytes(10, 20))], upload: Ranges::NONE }
        );
        assert_eq!(
            state.moves(OTHER, &bytes(15, 25)),
            Moves { download: vec![(7, bytes(15, 20))], upload: bytes(15, 25) }
        );
    }

    #[test]
    fn clear_and_discarded_bytes_are_not_moved() {
        let mut state = ContentsState::new(100, true);
        assert!(state.is_valid(GPU, &bytes(0, 100)) && state.is_any_clear());
        state.written(GPU, &bytes(0, 50));
        assert_eq!(state.moves(CopyHolder::Host, &bytes(0, 100)).download, [(7, bytes(0, 50))]);
        state.discard(&bytes(0, 50));
        assert!(state.is_valid(CopyHolder::Host, &bytes(0, 100)) && state.is_valid(OTHER, &bytes(0, 100)));
    }

    #[test]
    fn what_is_lost_with_a_device_is_told_once() {
        let mut state = ContentsState::new(100, false);
        state.written(GPU, &bytes(10, 20));
        state.moved(GPU, &bytes(30, 40));
        assert_eq!(state.lose(7), bytes(10, 20));
        assert_eq!(state.lose(7), Ranges::NONE);
        assert!(state.is_valid(CopyHolder::Host, &bytes(0, 100)));
    }

    /// An operation on an allocation of 16 bytes.
    #[derive(Clone, Debug)]
    enum Step {
        Write(usize, u64, u64),
        Read(usize, u64, u64),
        Discard(u64, u64),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let range = || (0u64..16, 1u64..8).prop_map(|(start, len)| (start, (start + len).min(16)));
        let step = prop_oneof![
            (0usize..3, range()).prop_map(|(p, (a, b))| Step::Write(p, a, b)),
            (0usize..3, range()).prop_map(|(p, (a, b))| Step::Read(p, a, b)),
            range().prop_map(|(a, b)| Step::Discard(a, b)),
        ];
        prop::collection::vec(step, 1..40)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if cfg!(miri) { 20 } else { 256 }) })]

        /// Three real memories, and the expected contents: each read finds them after the transfers
        /// that `moves` returns.
        #[test]
        fn every_read_finds_what_was_written_last(steps in steps(), clear in any::<bool>()) {
            let places = [CopyHolder::Host, GPU, OTHER];
            let mut memories = [[0u32; 16], [0; 16], [0; 16]];
            let mut should: [Option<u32>; 16] = [Some(0); 16];
            if !clear {
                memories[1] = [99; 16];
                memories[2] = [99; 16];
            }
            let mut state = ContentsState::new(16, clear);
            for (number, step) in (1u32..).zip(steps) {
                match step {
                    Step::Write(place, a, b) => {
                        state.written(places[place], &bytes(a, b));
                        for at in a as usize..b as usize {
                            memories[place][at] = number;
                            should[at] = Some(number);
                        }
                    }
                    Step::Discard(a, b) => {
                        state.discard(&bytes(a, b));
                        should[a as usize..b as usize].fill(None);
                    }
                    Step::Read(place, a, b) => {
                        let moves = state.moves(places[place], &bytes(a, b));
                        for (from, ranges) in &moves.download {
                            let from = places.iter().position(|p| *p == CopyHolder::Device(*from)).expect("a place");
                            for (start, len) in ranges.runs() {
                                let here = start as usize..(start + len) as usize;
                                let bytes = memories[from];
                                memories[0][here.clone()].copy_from_slice(&bytes[here]);
                            }
                            state.moved(CopyHolder::Host, ranges);
                        }
                        for (start, len) in moves.upload.runs() {
                            let here = start as usize..(start + len) as usize;
                            let bytes = memories[0];
                            memories[place][here.clone()].copy_from_slice(&bytes[here]);
                        }
                        state.moved(places[place], &bytes(a, b));
                        for at in a as usize..b as usize {
                            if let Some(should) = should[at] {
                                prop_assert_eq!(memories[place][at], should, "byte {} at {:?}", at, places[place]);
                            }
                        }
                        prop_assert!(state.is_valid(places[place], &bytes(a, b)));
                    }
                }
            }
        }
    }
}
