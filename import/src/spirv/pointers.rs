//! Pointers and images that are made in one block and used in another. naga keeps what leaves a construct in local
//! variables, which hold neither. What makes one has no effect, and its operands are values that naga carries: so it
//! is written again in each block that uses it.

use std::collections::HashMap;

use spirv::Op;

use crate::spirv::op;
use crate::spirv::types::{CompositeType, SpirvTypes};
use crate::spirv::words::{PlacedWords, first_function, opcode};

/// Instructions that make a pointer, an image or a sampler, by the numbers of these: the block of each, and its words.
type MadeElsewhere = HashMap<u32, (u32, Vec<u32>)>;

/// Chains of chains nest no deeper in shaders.
const MOST_CHAINS: usize = 64;

/// More words are not made again: a broken file could ask for any number.
const MOST_WORDS: usize = 1 << 22;

/// Makes pointers and images again in the blocks that use them.
pub(crate) fn make_again(module: &mut Vec<PlacedWords>, types: &mut SpirvTypes) {
    let handles: Vec<u32> = module.iter().filter(|one| is_handle_type(opcode(one))).map(|one| one.1[1]).collect();
    let functions = module.split_off(first_function(module));
    let mut room = MOST_WORDS;
    for function in functions.chunk_by(|_, next| opcode(next) != op::FUNCTION) {
        let mut made: MadeElsewhere = HashMap::new();
        let mut block = 0;
        // Made again in this block, by what stands for it.
        let mut again: HashMap<u32, u32> = HashMap::new();
        for (byte, words) in function {
            let mut words = words.clone();
            match (words[0] & 0xffff, words.as_slice()) {
                (op::LABEL, &[_, label]) => {
                    block = label;
                    again.clear();
                }
                (opcode, _) => {
                    let mut maker =
                        PointerMaker { made: &made, again: &mut again, types, out: module, room: &mut room };
                    for at in pointers_of(opcode, &words) {
                        words[at] = maker.here(words[at], block, *byte, 0);
                    }
                }
            }
            let is_made = match (words[0] & 0xffff, words.as_slice()) {
                (op::ACCESS_CHAIN | op::IN_BOUNDS_ACCESS_CHAIN, _) => true,
                (op::COPY_OBJECT, &[_, ty, ..]) => {
                    matches!(types.composites.get(&ty), Some(CompositeType::Pointer { .. })) || handles.contains(&ty)
                }
                (op::LOAD, &[_, ty, ..]) => handles.contains(&ty),
                _ => false,
            };
            if let (true, &[_, _, id, ..]) = (is_made, words.as_slice()) {
                made.insert(id, (block, words.clone()));
            }
            module.push((*byte, words));
        }
    }
}

struct PointerMaker<'a> {
    made: &'a MadeElsewhere,
    again: &'a mut HashMap<u32, u32>,
    types: &'a mut SpirvTypes,
    out: &'a mut Vec<PlacedWords>,
    /// The words that may still be made.
    room: &'a mut usize,
}

impl PointerMaker<'_> {
    /// What stands for a pointer in a block: itself, if it is made there.
    fn here(&mut self, id: u32, block: u32, byte: u32, depth: usize) -> u32 {
        let made = self.made;
        let Some((_, words)) = made.get(&id).filter(|(of, _)| *of != block) else { return id };
        if let Some(&again) = self.again.get(&id) {
            return again;
        }
        // In a file that is broken one could be made of itself.
        if depth > MOST_CHAINS || *self.room < words.len() {
            return id;
        }
        *self.room -= words.len();
        let mut words = words.clone();
        for at in pointers_of(words[0] & 0xffff, &words) {
            words[at] = self.here(words[at], block, byte, depth + 1);
        }
        words[2] = self.types.fresh();
        self.types.values.insert(words[2], words[1]);
        self.again.insert(id, words[2]);
        let again = words[2];
        self.out.push((byte, words));
        again
    }
}

/// The places of pointers, images and samplers among the words of an instruction.
fn pointers_of(opcode: u32, words: &[u32]) -> Vec<usize> {
    let is = |other: Op| opcode == other as u32;
    let last = words.len();
    let places = match opcode {
        op::STORE => 1..2,
        op::COPY_MEMORY => 1..3,
        op::LOAD | op::ACCESS_CHAIN | op::IN_BOUNDS_ACCESS_CHAIN | op::COPY_OBJECT => 3..4,
        // What they are of, and the arguments of modf and frexp; arguments are numbers behind that.
        op::FUNCTION_CALL => 4..last,
        op::EXT_INST => 5..last,
        _ if is(Op::AtomicStore) || is(Op::ImageWrite) => 1..2,
        _ if is(Op::SampledImage) => 3..5,
        _ if is(Op::ImageTexelPointer) || is(Op::ArrayLength) => 3..4,
        _ if (Op::AtomicLoad as u32..=Op::AtomicXor as u32).contains(&opcode) => 3..4,
        _ if is(Op::AtomicFAddEXT) || is(Op::AtomicFMinEXT) || is(Op::AtomicFMaxEXT) => 3..4,
        _ if (Op::ImageSampleImplicitLod as u32..=Op::ImageQuerySamples as u32).contains(&opcode) => 3..4,
        _ => 0..0,
    };
    (places.start..places.end.min(last)).collect()
}

/// Is it the declaration of a type of images or samplers?
fn is_handle_type(opcode: u32) -> bool {
    [Op::TypeImage, Op::TypeSampler, Op::TypeSampledImage].iter().any(|one| *one as u32 == opcode)
}
