//! Alignment of atomic words: which places are known to lie at multiples of 4 or 8 bytes, counted
//! from the beginning of their memory.
//!
//! An atomic operation on a misaligned word changes nothing
//! ([semantics](../../../docs/semantics.md)), so a target checks alignment at run time where this
//! analysis cannot prove it. A launch ensures that views and buffers begin at a multiple of the
//! largest atomic word accessed through them ([`written::atomic`](super::written::atomic)), and a
//! `tile_static` variable begins at a multiple of 8 on every target; so the alignment of a place
//! follows from sizes, strides and offsets.

use super::view_origins::{ViewOrigins, index_grain, power_of_two_in};
use crate::kernel::{Kernel, Place, Root, Step};
use crate::types::{Stored, Type};
use crate::typing::PlaceType;

/// The largest atomic word; launches align views and buffers to no more.
const LARGEST_WORD: u64 = 8;

/// Whether a place of a kernel without calls, if in range, always lies at a multiple of the size of
/// its scalar.
pub fn is_word(kernel: &Kernel, origins: &ViewOrigins, place: &Place, stored: Stored) -> bool {
    place_grain(kernel, origins, place) >= u64::from(stored.size())
}

/// The alignment of a place in a view, a buffer or `tile_static` memory.
fn place_grain(kernel: &Kernel, origins: &ViewOrigins, place: &Place) -> u64 {
    let mut grain = match &place.root {
        Root::View { view, index } => origins.element_grain(kernel, *view, index),
        Root::Param(_) | Root::Tile(_) => LARGEST_WORD,
        // These have no atomic operations.
        Root::Table(_) | Root::Local(_) | Root::Ref(_) => 1,
    };
    let context = kernel.context(kernel.entry());
    let mut at = context.root(&place.root).map(PlaceType::Whole);
    for step in &place.path {
        let Some(PlaceType::Whole(ty)) = at else { return 1 };
        grain = grain.min(match (kernel.types().get(ty), step) {
            (Type::Struct(s), Step::Field(i)) => {
                s.fields.get(*i as usize).map_or(1, |field| power_of_two_in(u64::from(field.offset)))
            }
            (Type::Vector(stored, _), Step::Component(i)) => power_of_two_in(u64::from(stored.size()) * u64::from(*i)),
            (Type::Vector(stored, _), Step::Index(index)) => index_grain(kernel, *index, u64::from(stored.size())),
            (Type::Array { stride, .. }, Step::Index(index)) => index_grain(kernel, *index, u64::from(*stride)),
            _ => 1,
        });
        at = context.step(PlaceType::Whole(ty), step);
    }
    grain.min(LARGEST_WORD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::text::parse;

    /// For each atomic operation of a kernel, in order, whether its word is known to be aligned.
    fn known(text: &str) -> Vec<bool> {
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let kernel = kernel.inlined();
        let origins = ViewOrigins::of(kernel);
        let context = kernel.context(kernel.entry());
        let mut all = Vec::new();
        kernel.entry().body().walk(&mut |inst| {
            if let Some(place) = inst.kind.atomic_place() {
                let stored = context.place(place).and_then(|at| context.stored(at)).expect("an atomic is on a scalar");
                all.push(is_word(kernel, &origins, place, stored));
            }
        });
        all
    }

    #[test]
    fn words_of_views_and_buffers_of_words_are_aligned() {
        let known = known(
            "struct State { count: i32, v: i32x3, bins: [u32] }
            kernel k(a: view<i32, 2, read_write>, b: view<u64, 1, read_write>, c: buffer<State, read_write>, n: i32) rank(1) {
                atomic_inc(a[n, global[0]]);
                let row = project(a, n);
                let part = section(row, [n], [4]);
                let square = view_as(part, [2, 2]);
                atomic_inc(square[1, n]);
                let floats = reinterpret<f32>(row);
                atomic_add(floats[n], 1.0);
                atomic_inc(b[n]);
                atomic_inc(c.count);
                atomic_inc(c.v.z);
                atomic_inc(c.bins[n]);
            }",
        );
        assert_eq!(known, [true; 7]);
    }

    #[test]
    fn words_made_of_smaller_elements_are_aligned_where_the_origin_is_known_to_be() {
        let known = known(
            "kernel k(bytes: view<u8, 1, read_write>, words: view<u32, 1, read_write>, n: i32) rank(1) {
                let whole = reinterpret<u32>(bytes);
                atomic_inc(whole[n]);
                let fourth = reinterpret<u32>(section(bytes, [4], [8]));
                atomic_inc(fourth[n]);
                let first = reinterpret<u32>(section(bytes, [1], [8]));
                atomic_inc(first[n]);
                let some = reinterpret<u32>(section(bytes, [n], [8]));
                atomic_inc(some[0]);
                let pair = reinterpret<u64>(section(words, [2], [4]));
                atomic_inc(pair[n]);
                let odd = reinterpret<u64>(section(words, [n], [4]));
                atomic_inc(odd[0]);
            }",
        );
        assert_eq!(known, [true, true, false, false, true, false]);
    }

    #[test]
    fn fields_and_elements_are_aligned_as_their_offsets_and_strides_say() {
        let known = known(
            "struct Odd size(12) align(1) { byte: u8 @ 0, word: u32 @ 1, fine: u32 @ 8 }
            struct Wide size(12) align(4) { wide: u64 @ 0, word: u32 @ 8 }
            kernel k(a: view<Odd, 1, read_write>, b: view<Wide, 1, read_write>, n: i32) tile(4) {
                tile_static list: [i32; 8 stride 5];
                tile_static words: [i32; 8];
                tile_static odd: Odd;
                atomic_inc(a[n].word);
                atomic_inc(a[n].fine);
                atomic_inc(b[n].wide);
                atomic_inc(b[n].word);
                atomic_inc(list[n]);
                atomic_inc(list[4]);
                atomic_inc(words[n]);
                atomic_inc(odd.word);
                atomic_inc(odd.fine);
            }",
        );
        assert_eq!(known, [false, true, false, true, false, true, true, false, true]);
    }
}
