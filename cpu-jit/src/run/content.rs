//! Decides whether two kernels can share their code: hash and comparison of their content.

use std::hash::Hash;

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Function, InstKind, Kernel};

use crate::hash::Wide;

/// A hash of the content of a kernel without calls. Kernels that are the [`same`] have equal
/// hashes.
pub(super) fn hash(kernel: &Kernel) -> u128 {
    let mut hasher = Wide::default();
    kernel.name().hash(&mut hasher);
    (kernel.rank(), kernel.tile()).hash(&mut hasher);
    kernel.types().iter().for_each(|(_, ty)| ty.hash(&mut hasher));
    (kernel.params(), kernel.tile_vars(), kernel.tables()).hash(&mut hasher);
    let entry = kernel.entry();
    (entry.values(), entry.locals(), entry.labels(), entry.body()).hash(&mut hasher);
    hasher.finish_wide()
}

/// Are two kernels without calls indistinguishable by any launch?
pub(super) fn same(a: &Kernel, b: &Kernel) -> bool {
    a == b
        && (!tells_positions(a.entry())
            || positions(a.entry()) == positions(b.entry())
            || fault::planted(Fault::CodeOfOtherPositions))
}

/// Can the outcome of a launch contain a position?
fn tells_positions(function: &Function) -> bool {
    let mut tells = false;
    function.body().walk(&mut |inst| {
        tells |= matches!(inst.kind, InstKind::Print(_) | InstKind::Error(_) | InstKind::Abort | InstKind::Barrier(_));
    });
    tells
}

/// All positions, in order.
fn positions(function: &Function) -> Vec<(u32, u32, u32, u32)> {
    let mut positions = vec![function.pos().key()];
    function.body().walk(&mut |inst| positions.push(inst.pos.key()));
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewise_ir::text::parse;

    fn kernel(text: &str) -> Kernel {
        parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"))
    }

    #[test]
    fn kernels_are_the_same_wherever_they_stand_unless_they_tell_where() {
        let silent = "kernel k(a: view<i32, 1, read_write>) rank(1) { a[global[0]] = 1; }";
        let (here, there) = (kernel(silent), kernel(&format!("\n\n{silent}")));
        assert!(same(&here, &there));
        assert_eq!(hash(&here), hash(&there));
        let other = kernel(&silent.replace('1', "2"));
        assert!(!same(&here, &other));
        assert_ne!(hash(&here), hash(&other));
        let telling = "kernel k() rank(1) { if global[0] == 3 { abort; } }";
        assert!(same(&kernel(telling), &kernel(telling)));
        assert!(!same(&kernel(telling), &kernel(&format!("\n{telling}"))));
    }
}
