//! Whether two kernels can share their code: hash and comparison of their content.

use std::hash::{DefaultHasher, Hash, Hasher};

use tilewise_ir::kernel::{Function, InstKind, Kernel};

/// A hash of what a kernel without calls does. Kernels that are the [`same`] have the same.
pub(super) fn hash(kernel: &Kernel) -> u64 {
    let mut hasher = DefaultHasher::new();
    kernel.name().hash(&mut hasher);
    (kernel.rank(), kernel.tile()).hash(&mut hasher);
    kernel.types().iter().for_each(|(_, ty)| ty.hash(&mut hasher));
    (kernel.params(), kernel.tile_vars(), kernel.tables()).hash(&mut hasher);
    let entry = kernel.entry();
    (entry.values(), entry.locals(), entry.labels(), entry.body()).hash(&mut hasher);
    hasher.finish()
}

/// Are two kernels without calls the same, as far as any launch can tell?
pub(super) fn same(a: &Kernel, b: &Kernel) -> bool {
    a == b && (!tells_positions(a.entry()) || positions(a.entry()) == positions(b.entry()))
}

/// Can the outcome of a launch have a position in it?
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
        assert!(!same(&here, &kernel(&silent.replace('1', "2"))));
        let telling = "kernel k() rank(1) { if global[0] == 3 { abort; } }";
        assert!(same(&kernel(telling), &kernel(telling)));
        assert!(!same(&kernel(telling), &kernel(&format!("\n{telling}"))));
    }
}
