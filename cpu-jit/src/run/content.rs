//! Decides whether two kernels can share their code: hash and comparison of their content.

use std::hash::Hash;

use tilewise_ir::check::Checked;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Function, InstKind, Kernel};
use tilewise_ir::math::promise::Promise;

use crate::hash::Wide;

/// A hash of the content of a kernel. Kernels that are the [`same`] have equal hashes.
pub(super) fn hash(kernel: &Checked<Kernel>) -> u128 {
    let kernel = kernel.inlined();
    let mut hasher = Wide::default();
    kernel.name().hash(&mut hasher);
    (kernel.rank(), kernel.tile()).hash(&mut hasher);
    kernel.types().iter().for_each(|(_, ty)| ty.hash(&mut hasher));
    (kernel.params(), kernel.tile_vars(), kernel.tables()).hash(&mut hasher);
    let entry = kernel.entry();
    (entry.values(), entry.locals(), entry.labels(), entry.body()).hash(&mut hasher);
    hasher.finish_wide()
}

/// Are two kernels indistinguishable by any launch? With their calls inlined, equal ones may still
/// differ in what is computed as written in every float mode.
pub(super) fn same(a: &Checked<Kernel>, b: &Checked<Kernel>) -> bool {
    let (of_a, of_b) = (a.inlined(), b.inlined());
    of_a == of_b
        && (!tells_positions(of_a.entry())
            || positions(of_a.entry()) == positions(of_b.entry())
            || fault::planted(Fault::CodeOfOtherPositions))
        && precise_instructions(a) == precise_instructions(b)
        && promises(a) == promises(b)
}

/// The instructions that come from functions which are precise in every float mode, by their number.
fn precise_instructions(kernel: &Checked<Kernel>) -> Vec<usize> {
    let (sources, mut found, mut count) = (kernel.precise_sources(), Vec::new(), 0);
    if sources.is_empty() {
        return found;
    }
    kernel.inlined().entry().body().walk(&mut |inst| {
        if sources.contains(&inst.pos.source) {
            found.push(count);
        }
        count += 1;
    });
    found
}

/// The promises of math libraries, by the number of the instruction.
fn promises(kernel: &Checked<Kernel>) -> Vec<(usize, Promise)> {
    let (of, mut found, mut count) = (kernel.promises(), Vec::new(), 0);
    if of.is_empty() {
        return found;
    }
    kernel.inlined().entry().body().walk(&mut |inst| {
        let here = of.iter().filter(|(pos, _)| pos.key() == inst.pos.key());
        found.extend(here.map(|&(_, promise)| (count, promise)));
        count += 1;
    });
    found
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
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    fn kernel(text: &str) -> Checked<Kernel> {
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"))
    }

    #[test]
    fn kernels_that_differ_in_what_is_precise_are_two() {
        let text = "fn own(x: f32) -> f32 { return x * x + 1.0f32; }
            kernel k(a: view<f32, 1, read_write>) rank(1) { a[global[0]] = own(a[global[0]]); }";
        let precise = text.replace("own", "precise_math::own");
        assert!(same(&kernel(text), &kernel(text)) && same(&kernel(&precise), &kernel(&precise)));
        assert!(!same(&kernel(text), &kernel(&precise)) && !same(&kernel(&precise), &kernel(text)));
    }

    #[test]
    fn kernels_are_the_same_wherever_they_stand_unless_they_tell_where() {
        let silent = "kernel k(a: view<i32, 1, read_write>) rank(1) { a[global[0]] = 1; }";
        let (here, there) = (kernel(silent), kernel(&format!("\n\n{silent}")));
        assert!(same(&here, &there));
        assert_eq!(hash(&here), hash(&there));
        let other = kernel(&silent.replace("= 1", "= 2"));
        assert!(!same(&here, &other));
        assert_ne!(hash(&here), hash(&other));
        let telling = "kernel k() rank(1) { if global[0] == 3 { abort; } }";
        assert!(same(&kernel(telling), &kernel(telling)));
        assert!(!same(&kernel(telling), &kernel(&format!("\n{telling}"))));
    }
}
