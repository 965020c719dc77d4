//! Written parameters: through which parameters a kernel may write, and through which it performs
//! atomic operations. With these facts a launch can share read-only memory with concurrent readers,
//! and ensure the alignment of atomic words.

use super::view_origins::ViewOrigins;
use crate::kernel::{Kernel, Place, Root};

/// For each parameter of a kernel without calls, whether the kernel may write through it.
pub fn written(kernel: &Kernel) -> Vec<bool> {
    let mut written = vec![false; kernel.params().len()];
    let origins = ViewOrigins::of(kernel);
    kernel.entry().body().walk(&mut |inst| {
        if let Some(place) = inst.kind.written_place() {
            each(&origins, place, &mut written, &mut |written| *written = true);
        }
    });
    written.iter().zip(kernel.params()).map(|(&written, param)| written && param.kind.is_writable()).collect()
}

/// For each parameter of a kernel without calls, the bytes of the largest scalar that the kernel
/// changes through it atomically; 0 for none.
pub fn atomic(kernel: &Kernel) -> Vec<u32> {
    let mut atomic = vec![0; kernel.params().len()];
    let (origins, values) = (ViewOrigins::of(kernel), kernel.entry().values());
    kernel.entry().body().walk(&mut |inst| {
        if let Some(place) = inst.kind.atomic_place() {
            let result = inst.result.and_then(|result| values[result.index()].ty.data());
            let size = result.map_or(0, |data| data.scalar.stored().size());
            each(&origins, place, &mut atomic, &mut |most| *most = size.max(*most));
        }
    });
    atomic
}

/// Applies `change` to the entry of the place's parameter; to all entries if the place is in a view
/// of unknown origin.
fn each<T>(origins: &ViewOrigins, place: &Place, entries: &mut [T], change: &mut dyn FnMut(&mut T)) {
    match origins.of_place(place) {
        Some(param) => change(&mut entries[param.index()]),
        None if matches!(place.root, Root::View { .. }) => entries.iter_mut().for_each(change),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::text::parse;

    #[test]
    fn writes_are_followed_through_the_views_made_on_the_way() {
        let text = "kernel k(a: view<i32, 2, read_write>, b: view<i32, 1, read_write>, c: view<i32, 1, read_write>, d: view<i32, 1, read>, n: i32) rank(1) {
            let row = project(a, n);
            let part = section(row, [0], [2]);
            if n > 0 { part[0] = b[0] + d[0]; }
            atomic_inc(c[n]);
        }";
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        assert_eq!(written(kernel.inlined()), [true, false, true, false, false]);
        assert_eq!(atomic(kernel.inlined()), [0, 0, 4, 0, 0]);
    }
}
