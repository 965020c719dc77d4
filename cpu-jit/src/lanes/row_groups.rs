//! Accesses that together cover whole rows: the fields of structs, the components of short vectors,
//! the elements of a thread's run.
//!
//! `out[i] = Float4::new(a, b, c, d)` is four stores whose lanes lie 16 bytes apart. Each of them
//! alone touches a quarter of each vector of memory; together they are four whole vectors, whose
//! elements are the lanes of the values in turn. So an emitter may do the stores at once where the
//! last of them is, and loads where the first is: nothing between them can touch that memory.
//!
//! So do the loads of a part of a long row, as many elements as a vector has lanes: for each lane one
//! whole vector of memory ([`read_own_runs`](super::read_own_runs)). Here none may be left out.
//!
//! Loads may leave out members between the first and the last: what lies between two lanes that are
//! read is memory of one allocation. All bytes that are stored belong to a member, and to one only: a
//! store that covers a part of an earlier one, as packed structs make it, ends the group.

use smallvec::SmallVec;

use super::classes::LaneInstClass;
use super::program::{AddressStep, Effect, Elem, LaneAddress, LaneBlock, LaneInst, Node};
use super::walk::access;
use crate::hash::HashMap;

/// What becomes of a node that belongs to a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GroupRole {
    /// It is done with the group.
    Member,
    /// The first load: the members by their places in a row, and the places.
    Loads(Vec<Option<usize>>),
    /// The last store: the members by their places in a row.
    Stores(Vec<usize>),
}

/// The places of a row and which nodes access them, while nothing that could touch the memory has
/// come between.
struct OpenGroup<'p> {
    at: &'p LaneAddress,
    is_store: bool,
    /// Displacements, and the nodes with them.
    members: Vec<(i64, usize)>,
}

/// The address of a load or store that may be of a group, which accesses it, and whether it stores.
fn strided(node: &Node) -> Option<(&LaneAddress, bool)> {
    let (at, is_store) = match node {
        Node::Let { inst: LaneInst::Load { at, mask: None }, .. } => (at, false),
        Node::Do { effect: Effect::Store { at, mask: None, .. }, .. } => (at, true),
        Node::Let { .. } | Node::Do { .. } | Node::If { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => {
            return None;
        }
    };
    let size = i64::from(at.stored.size());
    let AddressStep::Step(step) = at.along else { return None };
    (size >= 4 && step > size && step % size == 0).then_some((at, is_store))
}

/// Do two addresses differ by a constant only?
fn alike(a: &LaneAddress, b: &LaneAddress) -> bool {
    (a.space, a.base, a.offset, a.along, a.stored) == (b.space, b.base, b.offset, b.along, b.stored)
}

/// Which rows an emitter moves as whole vectors.
pub(crate) struct MovedRows<'f> {
    /// Are so many values of an element not too many?
    pub(crate) fits: &'f dyn Fn(Elem, usize) -> bool,
    /// The number of elements of a part of a longer row, by whether they have 64 bits: none is 0.
    pub(crate) parts: [usize; 2],
}

impl MovedRows<'_> {
    fn part(&self, elem: Elem) -> usize {
        self.parts[usize::from(matches!(elem, Elem::I64 | Elem::F64))]
    }
}

/// The groups of a block, by the nodes that belong to them.
pub(crate) fn row_groups(block: &LaneBlock, moved: &MovedRows<'_>) -> HashMap<usize, GroupRole> {
    let mut roles = HashMap::default();
    let mut open: Vec<OpenGroup<'_>> = Vec::new();
    for (at_node, node) in block.nodes.iter().enumerate() {
        let own = strided(node);
        close_touched(node, own, &mut open, &mut roles, moved);
        if let Some((at, is_store)) = own {
            let group = open.iter_mut().find(|group| group.is_store == is_store && alike(group.at, at));
            match group {
                Some(group) => group.members.push((at.displacement, at_node)),
                None => open.push(OpenGroup { at, is_store, members: vec![(at.displacement, at_node)] }),
            }
        }
    }
    open.iter().for_each(|group| group.settle(&mut roles, moved));
    roles
}

/// Ends the groups whose memory a node may touch otherwise than as a member.
fn close_touched<'p>(
    node: &'p Node,
    own: Option<(&'p LaneAddress, bool)>,
    open: &mut Vec<OpenGroup<'p>>,
    roles: &mut HashMap<usize, GroupRole>,
    moved: &MovedRows<'_>,
) {
    let mut close = |ends: &dyn Fn(&OpenGroup<'p>) -> bool| {
        open.retain(|group| {
            let ends = ends(group);
            if ends {
                group.settle(roles, moved);
            }
            !ends
        });
    };
    match node {
        Node::Let { inst, .. } => match (inst.class(), access(inst)) {
            (LaneInstClass::Pure, _) => {}
            // Loads end the stores before them; those of a group touch no other group's loads.
            (LaneInstClass::Read, Some((at, _))) => close(&|group| group.is_store && group.at.space == at.space),
            (LaneInstClass::Read | LaneInstClass::Atomic, _) => close(&|_| true),
        },
        Node::Do { effect: Effect::Store { at, .. }, .. } => close(&|group| {
            let is_member = own.is_some() && group.is_store && alike(group.at, at);
            let size = u64::from(at.stored.size());
            let is_apart = |&(displacement, _): &(i64, usize)| displacement.abs_diff(at.displacement) >= size;
            group.at.space == at.space && !(is_member && group.members.iter().all(is_apart))
        }),
        Node::Do { effect: Effect::Prefetch { .. }, .. } => {}
        Node::Do { .. } | Node::If { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => close(&|_| true),
    }
}

impl OpenGroup<'_> {
    /// Notes the roles of the members that are whole rows.
    fn settle(&self, roles: &mut HashMap<usize, GroupRole>, moved: &MovedRows<'_>) {
        let (AddressStep::Step(step), size) = (self.at.along, i64::from(self.at.stored.size())) else { return };
        let elem = Elem::of(self.at.stored.value());
        let whole_row = (step / size) as usize;
        let part = moved.part(elem);
        let is_part = !(moved.fits)(elem, whole_row);
        if is_part && (self.is_store || part < 2 || part >= whole_row) {
            return;
        }
        let count = if is_part { part } else { whole_row };
        let mut firsts: Vec<i64> = self.members.iter().map(|&(displacement, _)| displacement).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let mut taken = None;
        for first in firsts {
            if taken.is_some_and(|end| first < end) {
                continue;
            }
            let at_place = |place: usize| {
                let of_place = |&&(displacement, _): &&(i64, usize)| displacement == first + place as i64 * size;
                self.members.iter().filter(of_place).map(|&(_, node)| node).collect::<SmallVec<[usize; 2]>>()
            };
            let rows: Vec<SmallVec<[usize; 2]>> = (0..count).map(at_place).collect();
            let whole = rows.iter().all(|nodes| !nodes.is_empty());
            let ends_meet = !rows[0].is_empty() && !rows[count - 1].is_empty();
            if self.is_store && whole {
                let nodes: Vec<usize> = rows.iter().map(|nodes| nodes[0]).collect();
                let last = nodes.iter().copied().max().unwrap_or(0);
                roles.extend(nodes.iter().map(|&node| (node, GroupRole::Member)));
                roles.insert(last, GroupRole::Stores(nodes));
                taken = Some(first + step);
            } else if !self.is_store && if is_part { whole } else { ends_meet } {
                // Equal loads would be one, but for values of different names.
                let nodes: Vec<Option<usize>> = rows.iter().map(|nodes| nodes.first().copied()).collect();
                let at_first = nodes.iter().flatten().copied().min().unwrap_or(0);
                roles.extend(nodes.iter().flatten().map(|&node| (node, GroupRole::Member)));
                roles.insert(at_first, GroupRole::Loads(nodes));
                taken = Some(first + count as i64 * size);
            }
        }
    }
}
