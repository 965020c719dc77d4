//! Written parameters: through which parameters a kernel may write. A launch that knows lets others read meanwhile.

use crate::kernel::{InstKind, Kernel, Place, Root, ValueDef, ValueId};
use crate::launch;

/// For each parameter of a kernel without calls, whether it may write through it.
pub fn written(kernel: &Kernel) -> Vec<bool> {
    let values = kernel.entry().values();
    // The parameter that a view is made from. Views are made before they are used, so one walk is enough.
    let mut from: Vec<Option<usize>> = values
        .iter()
        .map(|value| match value.def {
            ValueDef::Param(param) => Some(param as usize),
            ValueDef::Const(_) | ValueDef::Inst => None,
        })
        .collect();
    let mut written = vec![false; kernel.params().len()];
    kernel.entry().body().walk(&mut |inst| {
        let mut write = |place: &Place, from: &[Option<usize>]| match &place.root {
            Root::View { view, .. } => match from[view.index()] {
                Some(param) => written[param] = true,
                // Where the view comes from cannot be seen.
                None => written.fill(true),
            },
            Root::Param(param) => written[param.index()] = true,
            Root::Tile(_) | Root::Table(_) | Root::Local(_) | Root::Ref(_) => {}
        };
        let made = |view: &ValueId, from: &mut [Option<usize>]| {
            if let Some(result) = inst.result {
                from[result.index()] = from[view.index()];
            }
        };
        match &inst.kind {
            InstKind::Section { view, .. }
            | InstKind::Project { view, .. }
            | InstKind::Reinterpret { view, .. }
            | InstKind::ViewAs { view, .. } => made(view, &mut from),
            InstKind::Store { place, .. }
            | InstKind::Copy { to: place, .. }
            | InstKind::Atomic { place, .. }
            | InstKind::CompareExchange { place, .. } => write(place, &from),
            _ => {}
        }
    });
    written.iter().zip(kernel.params()).map(|(&written, param)| written && launch::writes(param.kind)).collect()
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
    }
}
