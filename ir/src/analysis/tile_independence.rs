//! Tiled kernels that no tile can be seen in: they have no barrier and no tile memory, and ask for no position
//! in a tile or of one. Shaders are most often so: each has a size of its workgroups, and few use them.
//!
//! A target may run such a kernel as an untiled one, by rows that are as long as the domain. It should where the
//! threads of a row access elements that follow one another, or the same ones. Where they access a column, a
//! tile keeps the accesses of its rows within few cache lines. And it should not where a loop has an atomic: a thread
//! that waits for one of an earlier tile is not in a vector with it as long as tiles stay.

use super::facts::{InstFact, KernelFacts};
use crate::kernel::{Builtin, InstClass, InstKind, Kernel, Place, Root};

/// May an inlined kernel run as an untiled one, and is it faster so?
pub(crate) fn runs_by_rows(kernel: &Kernel, facts: &KernelFacts) -> bool {
    if kernel.tile().is_none() || !kernel.tile_vars().is_empty() {
        return false;
    }
    let mut by_rows = true;
    kernel.entry().body().walk(&mut |inst| {
        by_rows &= match inst.kind.class() {
            InstClass::Query => is_of_domain(&inst.kind),
            // Of several threads that fail or print, those of the first tiles come first.
            InstClass::Synchronize | InstClass::Output | InstClass::Stop => false,
            InstClass::Compute
            | InstClass::MakeView
            | InstClass::Read
            | InstClass::Write
            | InstClass::Atomic
            | InstClass::Declare
            | InstClass::Call
            | InstClass::Structured
            | InstClass::Jump => true,
        };
        by_rows &= !may_wait(&inst.kind);
        if let Some(fact) = facts.inst(inst.id) {
            let mut first = 0;
            inst.kind.places(&mut |place| {
                by_rows &= is_in_rows(place, fact, first);
                place.place_values(&mut |_| first += 1);
            });
        }
    });
    by_rows
}

/// Is it a loop with an atomic? Its threads may wait for those of an earlier tile, which a row would have in the
/// same vector.
fn may_wait(kind: &InstKind) -> bool {
    let mut waits = false;
    if let InstKind::Loop { .. } = kind {
        kind.each_block(&mut |block| block.walk(&mut |inst| waits |= inst.kind.class() == InstClass::Atomic));
    }
    waits
}

/// Is it about the domain or the arguments, not about tiles?
fn is_of_domain(query: &InstKind) -> bool {
    if let InstKind::Builtin(builtin) = query {
        return match builtin {
            Builtin::Global(_) | Builtin::DomainExtent(_) => true,
            Builtin::Local(_)
            | Builtin::Tile(_)
            | Builtin::TileOrigin(_)
            | Builtin::TileExtent(_)
            | Builtin::TileCount(_) => false,
        };
    }
    true
}

/// Do neighbours in a row access neighbouring elements, or the same one? The facts about the values of the
/// place begin with number `first`.
fn is_in_rows(place: &Place, fact: &InstFact, first: usize) -> bool {
    if matches!(place.root, Root::Local(_) | Root::Ref(_)) {
        return true;
    }
    let mut values = 0;
    place.place_values(&mut |_| values += 1);
    // Of the dimensions of a view, whose value comes before its indices, only the last has neighbours.
    let (begin, last) = match &place.root {
        Root::View { index, .. } => (first + 1, first + index.len()),
        Root::Param(_) | Root::Tile(_) | Root::Table(_) | Root::Local(_) | Root::Ref(_) => (first, first),
    };
    let indices = fact.places.get(begin..first + values).unwrap_or_default();
    indices.iter().zip(begin..).all(|(value, number)| {
        let most = i64::from(number >= last);
        value.shape.stride().is_some_and(|stride| stride.by.abs() <= most)
    })
}

#[cfg(test)]
mod tests {
    use crate::check::check;
    use crate::text::parse;

    fn by_rows(head: &str, body: &str) -> bool {
        let text = format!(
            "kernel k(a: view<i32, 2, read_write>, n: i32) {head} {{ let y = global[0]; let x = global[1]; {body} }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let rows = kernel.without_tiles();
        if let Some(rows) = &rows {
            assert_eq!((rows.tile(), rows.inlined().tile(), rows.rank()), (None, None, 2));
        }
        rows.is_some()
    }

    #[test]
    fn a_kernel_in_which_no_tile_is_seen_runs_by_rows() {
        for body in [
            "a[y, x] = n;",
            "a[y + 1, x] = a[y, x + 1] + a[0, 0] + a[n, -x];",
            "if x < n { a[y, x] = domain_extent[1]; }",
            "atomic_inc(a[0, 0]);",
            "var i: i32 = 0; while i < n { i = i + 1; a[i, x] = a[y, i]; }",
        ] {
            assert!(by_rows("tile(8, 8)", body), "{body}");
            assert!(!by_rows("rank(2)", body), "{body}");
        }
    }

    #[test]
    fn tiles_that_are_seen_or_useful_stay() {
        for body in [
            "a[y, x] = local[1];",
            "a[y, x] = tile[0];",
            "a[y, x] = tile_origin[0];",
            "a[y, x] = tile_extent[0];",
            "a[y, x] = tile_count[1];",
            "a[y, x] = n; barrier;",
            "if x > n { error(\"{}\", x); }",
            "print(\"{}\", x);",
            "a[x, y] = n;",
            "while atomic_or(a[y, x], 0) == 0 { }",
            "a[y, x * 7] = n;",
            "a[0, a[y, x]] = n;",
        ] {
            assert!(!by_rows("tile(8, 8)", body), "{body}");
        }
        let kernel = parse("k.kir", "kernel k() tile(8) { tile_static t: i32; t = 1; }").expect("it is a kernel");
        assert!(check(kernel).expect("it is right").without_tiles().is_none());
    }
}
