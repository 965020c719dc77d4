//! What memory a place is in, where only the inlined kernel tells: atomics through references. `K0207`.

use super::body::Body;
use crate::kernel::InstKind;

/// Checks the family, on the inlined kernel.
pub(super) fn check(body: &mut Body<'_>) {
    body.each(&mut |body, inst| match &inst.kind {
        InstKind::Atomic { op, place, .. } => body.atomic_space(place, op.name(), inst.pos),
        InstKind::CompareExchange { place, .. } => body.atomic_space(place, "atomic_compare_exchange", inst.pos),
        _ => {}
    });
}
