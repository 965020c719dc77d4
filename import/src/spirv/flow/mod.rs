//! Branches of SPIR-V that naga would read otherwise than they are meant, rewritten before naga reads them.
//!
//! naga makes statements of the blocks of a function: a branch to a merge block is a `break`, or the end of an `if`; a
//! branch to another case falls through. It does not ask which construct a branch leaves. Rewritten are therefore
//!
//! - literals of a `switch` that go where its default goes, which naga gives an empty case: they are left out;
//! - a default that falls through, is fallen into, or leaves for a loop's next round, and selectors of 64 bits: the
//!   `switch` is made one over the numbers of its cases, and the default is one of these;
//! - selectors of 16 bits, which are widened;
//! - a `break` of a loop in a `switch`, which in naga's form leaves the `switch`: it sets a flag and leaves the
//!   `switch`, behind which the flag is asked;
//! - a case that falls through from a condition: by way of a block of its own;
//! - blocks in another order than constructs nest, of which naga reads the inner ones as parts of others: they are put
//!   in order before all else;
//! - blocks that nothing leads to, which naga would take for a part of the function's body: they are left out.
//!
//! Values of `OpPhi` stay with the blocks that they came from: naga stores them at the end of these blocks, whatever
//! way leads on from there. Other branches out of several constructs are refused.

mod block;
mod leave;
mod map;
mod order;
mod switch;

use std::collections::HashSet;

use block::divided;
use map::{FlowMap, literal_words};
use order::in_order;

use crate::spirv::op;
use crate::spirv::types::SpirvTypes;
use crate::spirv::words::{PlacedWords, SpirvRefusal, first_function, opcode};

/// The branches of a module while they are put right.
struct SpirvFlow<'t> {
    types: &'t mut SpirvTypes,
}

/// Makes the branches of a module such as naga reads rightly.
pub(crate) fn straighten(module: &mut Vec<PlacedWords>, types: &mut SpirvTypes) -> Result<(), SpirvRefusal> {
    let functions = module.split_off(first_function(module));
    let mut flow = SpirvFlow { types };
    for function in functions.chunk_by(|_, next| opcode(next) != op::FUNCTION) {
        flow.function(function, module)?;
    }
    Ok(())
}

impl SpirvFlow<'_> {
    /// A function, from its head to its end.
    fn function(&mut self, function: &[PlacedWords], out: &mut Vec<PlacedWords>) -> Result<(), SpirvRefusal> {
        let Some((head, blocks, tail)) = divided(function) else {
            out.extend_from_slice(function);
            return Ok(());
        };
        let mut blocks = in_order(blocks, |block| literal_words(block, self.types));
        let mut map = FlowMap::of(&blocks, self.types)?;
        for block in &mut blocks {
            block.is_dead = !map.inside.contains_key(&block.label);
        }
        self.leave_switches(&mut blocks, &mut map)?;
        self.fall_from_conditions(&mut blocks, &map);
        for block in &mut blocks {
            if !block.is_dead && opcode(block.terminator()) == op::SWITCH {
                self.switch(block, &map);
            }
        }
        let dead: HashSet<u32> = blocks.iter().filter(|block| block.is_dead).map(|block| block.label).collect();
        out.extend_from_slice(head);
        for block in blocks.into_iter().filter(|block| !block.is_dead) {
            let byte = block.byte();
            out.extend(block.before.iter().map(|words| (block.instructions[0].0, words.clone())));
            let last = block.instructions.len() - 1;
            let end = block.merge_at().filter(|at| at + 1 == last).unwrap_or(last);
            for (i, (byte, words)) in block.instructions.into_iter().enumerate() {
                if i == end {
                    out.extend(block.inserted.iter().map(|words| (byte, words.clone())));
                }
                out.push((byte, without_dead_values(words, &dead)));
            }
            out.extend(block.behind.into_iter().map(|words| (byte, words)));
        }
        out.extend_from_slice(tail);
        Ok(())
    }
}

/// An `OpPhi` without the values of blocks that are left out; any other instruction as it is.
fn without_dead_values(words: Vec<u32>, dead: &HashSet<u32>) -> Vec<u32> {
    if words[0] & 0xffff != op::PHI || dead.is_empty() || words.len() < 3 {
        return words;
    }
    let living = words[3..].chunks_exact(2).filter(|pair| !dead.contains(&pair[1])).flatten();
    let operands: Vec<u32> = words[1..3].iter().chain(living).copied().collect();
    crate::spirv::words::words(op::PHI, &operands)
}
