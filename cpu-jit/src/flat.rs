//! Flattens domains: if a kernel uses its position only to index views with the same layout as the
//! domain, one long row is equivalent to many short ones. Then no row has leftover lanes at its
//! end, and no bounds checks are needed.

use tilewise_ir::kernel::{Block, Builtin, InstKind, Kernel, Root, ValueId};
use tilewise_ir::launch::{Argument, Domain};

use crate::hash::HashMap;

/// For each parameter, whether it is a view indexed by the thread's whole position; `None` if the
/// position has any other use.
pub(crate) fn whole_views(kernel: &Kernel) -> Option<Vec<bool>> {
    if kernel.tile().is_some() || kernel.rank() < 2 {
        return None;
    }
    let mut found = FlatSearch {
        kernel,
        position: HashMap::default(),
        views: vec![false; kernel.params().len()],
        uses: 0,
        whole: 0,
    };
    found.positions(kernel.entry().body());
    found.uses(kernel.entry().body());
    (found.uses == found.whole).then_some(found.views)
}

/// The single row equivalent to the domain for these views.
pub(crate) fn flattened(views: &[bool], domain: &Domain, arguments: &[Argument]) -> Option<Domain> {
    let threads = i32::try_from(domain.threads()).ok().filter(|&threads| threads < i32::MAX - 64)?;
    for (_, argument) in views.iter().zip(arguments).filter(|(whole, _)| **whole) {
        let Argument::View(view) = argument else { return None };
        // So its strides are at most the number of threads.
        if view.extent != domain.extent {
            return None;
        }
        let mut dense = 1;
        for (&extent, &stride) in view.extent.iter().zip(&view.strides).rev() {
            // The stride of a dimension with one element is irrelevant.
            if stride != dense && extent > 1 {
                return None;
            }
            dense *= extent.max(0) as u64;
        }
    }
    Some(Domain::new([threads]))
}

struct FlatSearch<'k> {
    kernel: &'k Kernel,
    /// Values that are a component of the thread's position.
    position: HashMap<ValueId, u32>,
    views: Vec<bool>,
    /// The number of uses of such values, and of uses within a whole position.
    uses: usize,
    whole: usize,
}

impl FlatSearch<'_> {
    fn positions(&mut self, block: &Block) {
        block.walk(&mut |inst| {
            if let (InstKind::Builtin(Builtin::Global(d)), Some(value)) = (&inst.kind, inst.result) {
                self.position.insert(value, *d);
            }
        });
    }

    fn uses(&mut self, block: &Block) {
        let rank = self.kernel.rank();
        self.uses += block.value.iter().filter(|value| self.position.contains_key(value)).count();
        for inst in &block.insts {
            inst.kind.operands(&mut |value| self.uses += usize::from(self.position.contains_key(value)));
            inst.kind.places(&mut |place| {
                let Root::View { view, index } = &place.root else { return };
                let Some(param) = self.kernel.param_of(*view) else { return };
                let own = index.iter().zip(0..rank).all(|(value, d)| self.position.get(value) == Some(&d));
                if own && index.len() == rank as usize {
                    self.views[param.index()] = true;
                    self.whole += index.len();
                }
            });
            inst.kind.each_block(&mut |block| self.uses(block));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewise_ir::check::check;
    use tilewise_ir::launch::ViewArgument;
    use tilewise_ir::text::parse;

    fn views(body: &str) -> Option<Vec<bool>> {
        let text = format!("kernel k(a: view<f32, 2, read>, b: view<f32, 2, read_write>, n: i32) rank(2) {{ {body} }}");
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        whole_views(check(kernel).unwrap_or_else(|rejected| panic!("{rejected}")).inlined())
    }

    #[test]
    fn a_position_that_is_only_an_index_may_be_flat() {
        assert_eq!(views("b[global[0], global[1]] = a[global[0], global[1]] + 1.0;"), Some(vec![true, true, false]));
        assert_eq!(views("b[global[0], global[1]] = a[0, n];"), Some(vec![false, true, false]));
        assert_eq!(views("b[global[1], global[0]] = 1.0;"), None);
        assert_eq!(views("b[global[0], global[1]] = global[1] as f32;"), None);
        assert_eq!(views("if global[0] > n { b[global[0], global[1]] = 1.0; }"), None);
    }

    #[test]
    fn views_must_be_as_the_domain_is() {
        let flat = |extent: &[i32], strides: &[u64]| {
            let view = Argument::View(ViewArgument::new(0, 0, extent, strides));
            flattened(&[true], &Domain::new([4, 3]), &[view]).map(|domain| domain.extent)
        };
        assert_eq!(flat(&[4, 3], &[3, 1]), Some(vec![12]));
        assert_eq!(flat(&[4, 3], &[4, 1]), None);
        assert_eq!(flat(&[5, 3], &[3, 1]), None);
    }
}
