//! The memory of a place, where only the inlined kernel determines it: atomics through references.
//! `K0207`.

use super::body::Body;

/// Checks the family, on the inlined kernel.
pub(super) fn check(body: &mut Body<'_>) {
    body.each(&mut |body, inst| {
        if let (Some(place), Some(name)) = (inst.kind.atomic_place(), inst.kind.atomic_name()) {
            body.atomic_space(place, name, inst.pos);
        }
    });
}
