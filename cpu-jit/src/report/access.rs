//! Accesses to memory, by their place in the source.
//!
//! One access of a kernel is often several of the lane program: with and without a mask, in the version of a loop that is known to stay in range and in the other,
//! where the range is as expected and where it is not. What usually runs is reported.

use std::collections::{BTreeMap, BTreeSet};

use tilewise_ir::pos::Pos;

use super::{Access, Finding, Kind, Range, Way, What};
use crate::lanes::{Address, Along, ArenaPart, Block, Effect, InstClass, Likely, Node, Program, Space, Value, access};

/// One access of the lane program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    way: Way,
    masked: bool,
    asked: bool,
}

/// All that is seen of an access of the kernel.
#[derive(Default)]
struct Site {
    pos: Pos,
    usual: BTreeSet<Seen>,
    seldom: BTreeSet<Seen>,
}

/// Which part of a program it is.
#[derive(Clone, Copy, Default)]
struct Within {
    /// What seldom runs.
    seldom: bool,
    /// Behind a question that is asked in each round.
    asked: bool,
}

/// A place in the source, by [`Pos::key`].
type Spot = (u32, u32, u32, u32);

#[derive(Default)]
struct Walk {
    sites: BTreeMap<(Spot, Kind), Site>,
}

/// The accesses of a program.
pub(super) fn accesses(program: &Program) -> Vec<Finding> {
    let mut walk = Walk::default();
    walk.block(&program.body, Within::default());
    walk.sites.into_iter().map(|((_, kind), site)| site.finding(kind)).collect()
}

impl Site {
    fn finding(self, kind: Kind) -> Finding {
        // It is asked in the other version of the loop.
        let asked_elsewhere = self.seldom.iter().any(|seen| seen.asked);
        let seen = if self.usual.is_empty() { self.seldom } else { self.usual };
        let range = match seen.iter().any(|seen| seen.asked) {
            true => Range::Asked,
            false if asked_elsewhere => Range::Before,
            false => Range::Known,
        };
        let ways: BTreeSet<Way> = seen.iter().map(|seen| seen.way).collect();
        let masked = seen.iter().any(|seen| seen.masked);
        Finding { pos: self.pos, what: What::Access(Access { kind, ways: ways.into_iter().collect(), masked, range }) }
    }
}

impl Walk {
    fn block(&mut self, block: &Block, within: Within) {
        for node in &block.nodes {
            match node {
                Node::Let { inst, pos, .. } => {
                    let kind = match inst.class() {
                        InstClass::Read => Kind::Load,
                        InstClass::Atomic => Kind::Atomic,
                        InstClass::Pure => continue,
                    };
                    if let Some((at, mask)) = access(inst) {
                        self.see(kind, at, *mask, *pos, within);
                    }
                }
                Node::Do { effect, pos } => match effect {
                    Effect::Store { at, mask, .. } => self.see(Kind::Store, at, *mask, *pos, within),
                    Effect::Copy { to, mask, .. } => self.see(Kind::Copy, to, *mask, *pos, within),
                    Effect::Clear { .. } | Effect::Message { .. } | Effect::Fence => {}
                },
                Node::Exit { .. } | Node::Poll => {}
                Node::If { then, otherwise, likely: Likely::Then, .. } => {
                    self.block(then, Within { asked: true, ..within });
                    self.block(otherwise, Within { seldom: true, ..within });
                }
                Node::If { then, otherwise, likely: Likely::Either, .. } => {
                    self.block(then, within);
                    self.block(otherwise, within);
                }
                Node::Loop { body, .. } => self.block(body, Within { asked: false, ..within }),
            }
        }
    }

    fn see(&mut self, kind: Kind, at: &Address, mask: Option<Value>, pos: Pos, within: Within) {
        // What threads keep from region to region is no access of the kernel.
        if matches!(at.space, Space::Arena(ArenaPart::Context | ArenaPart::Votes | ArenaPart::Report)) {
            return;
        }
        let way = match at.along {
            Along::Uniform => Way::One,
            Along::Step(step) if step == i64::from(at.stored.size()) => Way::Side,
            Along::Step(step) => Way::Step(step),
            Along::Each(_) => Way::Each,
        };
        let site = self.sites.entry((pos.key(), kind)).or_default();
        site.pos = pos;
        let seen = Seen { way, masked: mask.is_some(), asked: within.asked };
        if within.seldom {
            site.seldom.insert(seen)
        } else {
            site.usual.insert(seen)
        };
    }
}
