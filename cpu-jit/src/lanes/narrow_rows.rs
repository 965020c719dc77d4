//! Rows of bytes and shorts: the fields of a pixel, the halves of a word.
//!
//! `let p = v[i];` of four bytes is four loads whose lanes lie four bytes apart. Alone each goes lane by lane. Together
//! they are the bytes of words that lie side by side: so this pass loads the words, and takes each part by a shift and
//! a mask. Stores of all bytes of a word become one store of the word, which is put together in the same way. Words of
//! rows that are longer go on to be [`row_groups`](super::row_groups).
//!
//! A word of four bytes is taken where lanes are a multiple of four bytes apart, one of two where they are two bytes
//! apart. The first and the last byte of a loaded word are read anyway, and what lies between is memory of one
//! allocation; a stored word consists of bytes that are all stored. Loads are done where the first of them is, stores
//! where the last is: nothing between them can touch that memory.

use smallvec::SmallVec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Scalar, Stored};

use super::classes::LaneInstClass;
use super::program::{
    AddressStep, Args, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node,
};
use super::walk::access;
use crate::hash::HashMap;

/// Rows of more bytes have no words side by side in a line.
const LONGEST_ROW: i64 = 64;

/// Accesses bytes and shorts by the words that they are parts of; returns whether there are such.
pub fn join_narrow_rows(program: &mut LaneProgram) -> bool {
    if program.width == 1 {
        return false;
    }
    let mut body = std::mem::take(&mut program.body);
    let mut pass = NarrowRows { types: &mut program.types, found: false };
    pass.block(&mut body);
    let found = pass.found;
    program.body = body;
    found
}

struct NarrowRows<'p> {
    types: &'p mut Vec<LaneType>,
    found: bool,
}

/// A part of a word.
#[derive(Clone, Copy, Debug)]
struct WordPart {
    /// The displacement of its access.
    at: i64,
    stored: Stored,
    /// The number of its node.
    node: usize,
}

impl WordPart {
    fn end(&self) -> i64 {
        self.at + i64::from(self.stored.size())
    }
}

/// Accesses at one address but for the displacement, while nothing that could touch the memory has come between.
struct NarrowGroup {
    at: LaneAddress,
    is_store: bool,
    parts: Vec<WordPart>,
}

/// Parts that become one word.
struct JoinedWord {
    /// The address of the word.
    at: LaneAddress,
    /// In the order of their nodes.
    parts: SmallVec<[WordPart; 4]>,
}

/// The address of an access that may be a part of a word, and whether it stores.
fn narrow(node: &Node) -> Option<(&LaneAddress, bool)> {
    let (at, is_store) = match node {
        Node::Let { inst: LaneInst::Load { at, mask: None }, .. } => (at, false),
        Node::Do { effect: Effect::Store { at, mask: None, .. }, .. } => (at, true),
        Node::Let { .. } | Node::Do { .. } | Node::If { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => {
            return None;
        }
    };
    let AddressStep::Step(step) = at.along else { return None };
    let is_narrow = matches!(at.stored, Stored::U8 | Stored::I8 | Stored::U16 | Stored::I16);
    let is_row = step == 2 && at.stored.size() == 1 || step % 4 == 0 && (4..=LONGEST_ROW).contains(&step);
    (is_narrow && is_row).then_some((at, is_store))
}

/// Do two addresses differ by a constant, and the size of what is accessed, only?
fn alike(a: &LaneAddress, b: &LaneAddress) -> bool {
    (a.space, a.base, a.offset, a.along) == (b.space, b.base, b.offset, b.along)
}

impl NarrowRows<'_> {
    fn block(&mut self, block: &mut LaneBlock) {
        for node in &mut block.nodes {
            match node {
                Node::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|arm| self.block(arm)),
                Node::Loop { body, .. } => self.block(body),
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
        let words = words_of(block);
        if !words.is_empty() {
            self.found = true;
            self.join(block, &words);
        }
    }

    /// Writes the words in place of their parts.
    fn join(&mut self, block: &mut LaneBlock, words: &[JoinedWord]) {
        // The word of each node, and its number among the parts.
        let mut of_node: HashMap<usize, (usize, usize)> = HashMap::default();
        for (number, word) in words.iter().enumerate() {
            of_node.extend(word.parts.iter().enumerate().map(|(place, part)| (part.node, (number, place))));
        }
        let mut loaded: Vec<Option<LaneValue>> = vec![None; words.len()];
        // What the stored words are put together from.
        let mut stored: Vec<Option<LaneValue>> = vec![None; words.len()];
        let mut out =
            WordWriter { types: self.types, nodes: Vec::new(), constants: HashMap::default(), pos: Pos::NONE };
        for (at_node, node) in std::mem::take(&mut block.nodes).into_iter().enumerate() {
            let Some(&(number, place)) = of_node.get(&at_node) else {
                out.nodes.push(node);
                continue;
            };
            let (word, part) = (&words[number], &words[number].parts[place]);
            let shift = 8 * (part.at - word.at.displacement) as u64;
            match node {
                Node::Let { value, pos, .. } => {
                    out.pos = pos;
                    let whole = *loaded[number]
                        .get_or_insert_with(|| out.put(LaneInst::Load { at: word.at.clone(), mask: None }));
                    out.take_part(value, whole, shift, part.stored, &word.at);
                }
                Node::Do { effect: Effect::Store { value, .. }, pos } => {
                    out.pos = pos;
                    let placed = out.place_part(value, shift, part.stored, &word.at);
                    let joined = match stored[number] {
                        Some(before) => out.operation(Op::Or, before, placed),
                        None => placed,
                    };
                    stored[number] = Some(joined);
                    if place + 1 == word.parts.len() {
                        let effect = Effect::Store { at: word.at.clone(), value: joined, mask: None };
                        out.nodes.push(Node::Do { effect, pos });
                    }
                }
                Node::Do { .. } | Node::If { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => {
                    out.nodes.push(node);
                }
            }
        }
        block.nodes = out.nodes;
    }
}

/// The words that accesses of a block are parts of.
fn words_of(block: &LaneBlock) -> Vec<JoinedWord> {
    let mut words = Vec::new();
    let mut open: Vec<NarrowGroup> = Vec::new();
    for (at_node, node) in block.nodes.iter().enumerate() {
        let own = narrow(node);
        close_touched(node, own, &mut open, &mut words);
        let Some((at, is_store)) = own else { continue };
        let part = WordPart { at: at.displacement, stored: at.stored, node: at_node };
        match open.iter_mut().find(|group| group.is_store == is_store && alike(&group.at, at)) {
            Some(group) => group.parts.push(part),
            None => open.push(NarrowGroup { at: at.clone(), is_store, parts: vec![part] }),
        }
    }
    open.iter().for_each(|group| group.settle(&mut words));
    words
}

/// Ends the groups whose memory a node may touch otherwise than as a part.
fn close_touched(
    node: &Node,
    own: Option<(&LaneAddress, bool)>,
    open: &mut Vec<NarrowGroup>,
    words: &mut Vec<JoinedWord>,
) {
    let mut close = |ends: &dyn Fn(&NarrowGroup) -> bool| {
        open.retain(|group| {
            let ends = ends(group);
            if ends {
                group.settle(words);
            }
            !ends
        });
    };
    match node {
        Node::Let { inst, .. } => match (inst.class(), access(inst)) {
            (LaneInstClass::Pure, _) => {}
            (LaneInstClass::Read, Some((at, _))) => close(&|group| group.is_store && group.at.space == at.space),
            (LaneInstClass::Read | LaneInstClass::Atomic, _) => close(&|_| true),
        },
        Node::Do { effect: Effect::Store { at, .. }, .. } => close(&|group| {
            let is_part = own.is_some() && group.is_store && alike(&group.at, at);
            let end = at.displacement + i64::from(at.stored.size());
            let is_apart = |part: &WordPart| part.end() <= at.displacement || end <= part.at;
            group.at.space == at.space && !(is_part && group.parts.iter().all(is_apart))
        }),
        Node::Do { effect: Effect::Prefetch { .. }, .. } => {}
        Node::Do { .. } | Node::If { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => close(&|_| true),
    }
}

impl NarrowGroup {
    /// Adds the words that its parts make.
    fn settle(&self, words: &mut Vec<JoinedWord>) {
        let AddressStep::Step(step) = self.at.along else { return };
        let length = step.min(4);
        let mut parts = self.parts.clone();
        parts.sort_by_key(|part| (part.at, part.node));
        let mut next = 0;
        while let Some(first) = parts.get(next) {
            let (begin, end) = (first.at, first.at + length);
            let inside = parts[next..].iter().take_while(|part| part.at < end).count();
            let word = &parts[next..next + inside];
            let is_within = word.iter().all(|part| part.end() <= end);
            let ends_there = word.iter().any(|part| part.end() == end);
            // Of stored bytes each is one part's.
            let is_whole = word.iter().map(|part| i64::from(part.stored.size())).sum::<i64>() == length;
            if inside > 1 && is_within && ends_there && (is_whole || !self.is_store) {
                let stored = if length == 4 { Stored::U32 } else { Stored::U16 };
                let at = LaneAddress { displacement: begin, stored, ..self.at.clone() };
                let mut parts: SmallVec<[WordPart; 4]> = SmallVec::from_slice(word);
                parts.sort_by_key(|part| part.node);
                words.push(JoinedWord { at, parts });
                next += inside;
            } else {
                next += 1;
            }
        }
    }
}

/// Writes the code of words.
struct WordWriter<'p> {
    types: &'p mut Vec<LaneType>,
    nodes: Vec<Node>,
    /// Constants in all lanes.
    constants: HashMap<u32, LaneValue>,
    pos: Pos,
}

impl WordWriter<'_> {
    fn fresh(&mut self, ty: LaneType) -> LaneValue {
        self.types.push(ty);
        LaneValue(self.types.len() as u32 - 1)
    }

    /// Appends an instruction on lanes of 32 bits.
    fn put(&mut self, inst: LaneInst) -> LaneValue {
        let value = self.fresh(LaneType::Lanes(Elem::I32));
        self.nodes.push(Node::Let { value, inst, pos: self.pos });
        value
    }

    fn constant(&mut self, bits: u32) -> LaneValue {
        if let Some(&known) = self.constants.get(&bits) {
            return known;
        }
        let scalar = self.fresh(LaneType::Scalar(Elem::I32));
        self.nodes.push(Node::Let { value: scalar, inst: LaneInst::Const(bits.into()), pos: self.pos });
        let lanes = self.put(LaneInst::Splat(scalar));
        self.constants.insert(bits, lanes);
        lanes
    }

    fn operation(&mut self, op: Op, a: LaneValue, b: LaneValue) -> LaneValue {
        self.put(LaneInst::Op { op, scalar: Scalar::U32, args: Args::from_slice(&[a, b]) })
    }

    /// Defines `value` as a part of a loaded word, as a load of it alone gives it.
    fn take_part(&mut self, value: LaneValue, whole: LaneValue, shift: u64, stored: Stored, word: &LaneAddress) {
        let (size, bits) = (u64::from(stored.size()) * 8, u64::from(word.stored.size()) * 8);
        let (op, scalar, from, by) = if matches!(stored, Stored::I8 | Stored::I16) {
            // To the upper end, and back with the sign.
            let up = self.constant((32 - size - shift) as u32);
            let raised = self.operation(Op::Shl, whole, up);
            (Op::Shr, Scalar::I32, raised, self.constant((32 - size) as u32))
        } else {
            let by = fault::choose(Fault::NarrowPartBelow, shift, shift.saturating_sub(8));
            let lowered = match by {
                0 => whole,
                by => {
                    let by = self.constant(by as u32);
                    self.operation(Op::Shr, whole, by)
                }
            };
            // The upper bits of the last part are zeros already.
            let mask = if shift + size == bits { u32::MAX } else { (1 << size) - 1 };
            (Op::And, Scalar::U32, lowered, self.constant(mask))
        };
        let inst = LaneInst::Op { op, scalar, args: Args::from_slice(&[from, by]) };
        self.nodes.push(Node::Let { value, inst, pos: self.pos });
    }

    /// The bits of a part at its place in a word that is stored.
    fn place_part(&mut self, value: LaneValue, shift: u64, stored: Stored, word: &LaneAddress) -> LaneValue {
        let (size, bits) = (u64::from(stored.size()) * 8, u64::from(word.stored.size()) * 8);
        let is_last = shift + size == bits;
        let own = if is_last {
            value
        } else {
            let mask = self.constant((1 << size) - 1);
            self.operation(Op::And, value, mask)
        };
        if shift == 0 {
            return own;
        }
        let by = self.constant(shift as u32);
        self.operation(Op::Shl, own, by)
    }
}
