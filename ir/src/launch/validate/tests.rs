//! The validator against brute force, and each of its reasons.

use proptest::prelude::*;

use super::*;
use crate::check::check;
use crate::launch::{LaunchMemory, ViewClaim};
use crate::text::parse;

fn kernel(text: &str) -> Checked<Kernel> {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"))
}

fn view(allocation: usize, offset: u64, extent: &[i32], strides: &[u64]) -> Argument {
    Argument::View(ViewArgument::new(allocation, offset, extent, strides))
}

const PLAIN: &str = "kernel k(v: view<u32, 2, read_write>) rank(1) { v[0, 0] = 1u32; }";
const ATOMIC: &str = "kernel k(v: view<u32, 2, read_write>) rank(1) { atomic_inc(v[0, 0]); }";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if cfg!(miri) { 10 } else { 512 }) })]

    /// An allocation at an address is a window into memory: whatever is accepted lies in it,
    /// element by element, and aligned if it has to be; and the other way round, but for elements
    /// that would be aligned only because offset and address are both odd.
    #[test]
    fn what_is_accepted_lies_in_its_allocation(
        (address, size) in (0u64..16, 0u64..80),
        offset in 0u64..24,
        dimensions in prop::array::uniform2((-1i32..5, 0u64..9)),
        atomic in any::<bool>(),
    ) {
        let (extent, strides) = (dimensions.map(|(extent, _)| extent), dimensions.map(|(_, stride)| stride));
        let kernel = kernel(if atomic { ATOMIC } else { PLAIN });
        let facts = AllocationFacts::at_address(address, size);
        let found = validate(&kernel, &[view(0, offset, &extent, &strides)], |allocation| (allocation == 0).then_some(facts));
        let mut inside = extent.iter().all(|&extent| extent >= 0);
        let mut elements = 0;
        for i in 0..extent[0].max(0) as u64 {
            for j in 0..extent[1].max(0) as u64 {
                inside &= offset + (i * strides[0] + j * strides[1]) * 4 + 4 <= size;
                elements += 1;
            }
        }
        let aligned = !atomic || elements == 0 || offset % 4 == 0 && address % 4 == 0;
        prop_assert_eq!(found.is_ok(), inside && aligned, "{:?}", found);
        if found.is_ok() && atomic && elements > 0 {
            prop_assert_eq!((address + offset) % 4, 0);
        }
    }
}

#[test]
fn each_reason_has_its_text() {
    let kernel = kernel(
        "struct pair { a: i32, b: i32 }
        kernel k(v: view<u32, 2, read_write>, b: buffer<pair, read>, n: i64, w: view<u64, 1, read_write>) rank(1) {
            v[0, 0] = 1u32; atomic_inc(w[b.a]);
        }",
    );
    let memory = LaunchMemory::new(vec![vec![0; 64]]);
    let buffer = |offset, size| Argument::Buffer { allocation: 0, offset, size };
    let bytes = |count| Argument::Uniform(vec![0; count]);
    let good = [view(0, 0, &[2, 2], &[2, 1]), buffer(56, 8), bytes(8), view(0, 16, &[2], &[1])];
    let refused = |parameter: usize, argument: Argument| {
        let mut arguments = good.clone();
        arguments[parameter] = argument;
        validate(&kernel, &arguments, |allocation| memory.facts(allocation)).map_err(|misfit| misfit.to_string())
    };
    let claimed = |element_size, writable| {
        let claim = Some(ViewClaim { element_size, writable });
        Argument::View(ViewArgument { claim, ..ViewArgument::dense(0, &[2, 2]) })
    };
    assert_eq!(refused(2, bytes(8)), Ok(()));
    assert_eq!(refused(0, claimed(4, true)), Ok(()));
    assert_eq!(refused(0, view(7, 9, &[0, 2], &[2, 1])).map_err(|text| text.contains("does not have")), Err(true));
    assert_eq!(refused(0, view(0, 999, &[0, 2], &[2, 1])), Ok(()), "a view without elements lies anywhere");
    let cases = [
        (0, claimed(8, true), "an element of `v` has 8 bytes, and the kernel takes it to have 4"),
        (0, claimed(4, false), "`v` is read-only, and the kernel writes to it"),
        (0, view(0, 0, &[2], &[1]), "`v` is a view of rank 2, the one bound has rank 1"),
        (0, view(0, 0, &[2, -1], &[1, 1]), "`v`: an extent of -1 is negative"),
        (0, view(1, 0, &[2, 2], &[2, 1]), "`v` lies in a piece of memory that the launch does not have"),
        (0, view(0, 52, &[2, 2], &[2, 1]), "`v` reaches beyond the 64 bytes of its memory"),
        (0, view(0, 4, &[2, 2], &[u64::MAX, 1]), "`v` reaches beyond the 64 bytes of its memory"),
        (0, view(0, u64::MAX, &[1, 1], &[1, 1]), "`v` reaches beyond the 64 bytes of its memory"),
        (0, buffer(0, 8), "`v` is a view, and something else was bound to it"),
        (1, bytes(8), "`b` is a buffer, and something else was bound to it"),
        (1, buffer(60, 8), "`b` reaches beyond the 64 bytes of its memory"),
        (1, buffer(0, 4), "`b` needs at least 8 bytes, 4 were bound"),
        (2, buffer(0, 8), "`n` is a value, and something else was bound to it"),
        (2, bytes(4), "`n` takes 8 bytes, 4 were given"),
        (
            3,
            view(0, 12, &[2], &[1]),
            "`w` begins at byte 12 of its memory: what is changed by atomic operations on 8 bytes begins at a multiple of 8",
        ),
    ];
    for (parameter, argument, text) in cases {
        assert_eq!(refused(parameter, argument), Err(text.to_owned()));
    }
    let few = validate(&kernel, &good[1..], |allocation| memory.facts(allocation)).map_err(Refusal::from);
    let text = "the kernel `k` has 4 parameters, 3 were bound";
    assert_eq!(few, Err(Refusal::BadArgument(text.into())));
    let at = |address| validate(&kernel, &good, |_| Some(AllocationFacts::at_address(address, 64)));
    assert_eq!(at(8), Ok(()));
    let text = "`w` begins at an address that is no multiple of 8: what is changed by atomic operations on 8 bytes begins at one";
    assert_eq!(at(4).map_err(|misfit| misfit.to_string()), Err(text.to_owned()));
}
