//! What a launch holds, lent to the interpreter where it is: exactly the views' bytes, never the gaps between rows.
//!
//! # What must hold
//! The launch has the lock of all its regions, to write where a view writes. So bytes that it may write are nobody else's until it is over, and become `&mut [u8]`; bytes that it only reads may be read by others
//! at the same time, guards and other launches, and become `&[u8]`. No byte is lent twice: what is both read and written is written. It is lent by a `&mut Locked`, so once at a time, and by nobody who runs
//! closures inside of the launch.
#![allow(unsafe_code, reason = "makes slices of what a launch holds; the page says what makes it sound")]

use tilewise_ir::launch::{Lent, Place, Ranges, ViewArgument};

use super::launch::{BoundView, HeldHome, Locked};
use super::lock::Intent;
use super::region::Region;

impl Locked<'_> {
    /// One place for each home, from the first byte held to the last, with the bytes that are held. They are in host memory, as [`Locked::at_home`] saw to.
    pub(crate) fn places(&mut self) -> Vec<Place<'_>> {
        self.homes().iter().map(place).collect()
    }

    /// Where a view lies in the places that [`Locked::places`] gives. The view is one of those that were locked.
    pub(crate) fn argument(&self, view: &BoundView<'_>) -> ViewArgument {
        let homes = self.homes().iter().enumerate();
        let mut found = homes.filter(|(_, home)| home.handle.same_home(&view.handle));
        let (piece, home) = found.next().expect("the launch holds the homes of its views");
        let offset = if view.region.is_empty() { 0 } else { view.offset - low(home) };
        ViewArgument { piece, offset, extent: view.extent.clone(), strides: view.strides.clone() }
    }
}

/// The first byte of a home that is held, or one before it: a multiple of 8, so that what is aligned in the home is so in the
/// place made of it.
fn low(home: &HeldHome) -> u64 {
    let filled = home.regions.iter().map(|(region, _)| region).filter(|region| !region.is_empty());
    filled.map(Region::start).min().unwrap_or(0) & !7
}

/// The bytes of a home that are held for some purposes.
fn bytes(home: &HeldHome, of: impl Fn(Intent) -> bool) -> Ranges {
    Region::bytes_of_all(home.regions.iter().filter(|(_, intent)| of(*intent)).map(|(region, _)| region))
}

fn place(home: &HeldHome) -> Place<'_> {
    let written = bytes(home, |intent| intent == Intent::Write);
    let read = bytes(home, |_| true).without(&written);
    let (low, high) = (low(home), read.with(&written).bounds().map_or(0, |(_, high)| high));
    let memory = &home.handle.memory;
    // SAFETY: the launch holds these bytes to read, so nobody writes them; and they are initialised, in host memory, and lent to nobody who writes.
    let read = read.runs().map(|(start, len)| (start - low, Lent::Read(unsafe { memory.slice(start, len) })));
    // SAFETY: the launch holds these bytes alone, and they are lent once: runs of one set have no byte in common, and `read` is without them.
    let written =
        written.runs().map(|(start, len)| (start - low, Lent::Write(unsafe { memory.slice_mut(start, len) })));
    let mut runs: Vec<(u64, Lent<'_>)> = read.chain(written).collect();
    runs.sort_by_key(|(start, _)| *start);
    Place::new(high - low, runs, home.handle.is_fresh())
}
