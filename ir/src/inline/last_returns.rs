//! Drops `return`s at the end of a kernel, where they do nothing.
//!
//! Shaders that are imported end by one, or by one in each branch, and people write them too. To a target it
//! would be a jump that threads make and others do not, of which it keeps account from barrier to barrier.

use crate::kernel::{Block, InstKind};

/// Drops those of a body, also at the ends of its last branches.
pub(super) fn drop_last_returns(body: &mut Block) {
    while body.insts.last().is_some_and(|last| matches!(last.kind, InstKind::Return(None))) {
        body.insts.pop();
    }
    let Some(last) = body.insts.last_mut().filter(|last| last.result.is_none()) else { return };
    if let InstKind::If { then, otherwise, .. } = &mut last.kind {
        drop_last_returns(then);
        drop_last_returns(otherwise);
    } else if let InstKind::Switch { cases, default, .. } = &mut last.kind {
        cases.iter_mut().for_each(|case| drop_last_returns(&mut case.body));
        drop_last_returns(default);
    } else if let InstKind::Scope { body, .. } = &mut last.kind {
        drop_last_returns(body);
    }
}
