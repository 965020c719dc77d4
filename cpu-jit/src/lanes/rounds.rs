//! Finds loops of a kernel that read the memory of the launch in vectors.

use super::program::{AddressStep, LaneBlock, LaneInst, LaneProgram, MemorySpace, Node};

/// Does an innermost loop of the kernel read memory of the launch at unit stride? Only loops of the
/// kernel poll; those over tiles, rows and strips do not.
pub fn reads_in_rounds(program: &LaneProgram) -> bool {
    search(&program.body)
}

fn search(block: &LaneBlock) -> bool {
    block.nodes.iter().any(|node| match node {
        Node::If { then, otherwise, .. } => search(then) || search(otherwise),
        Node::Loop { body, .. } => search(body) || (polls(body) && reads(body)),
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => false,
    })
}

fn polls(body: &LaneBlock) -> bool {
    body.nodes.iter().any(|node| matches!(node, Node::Poll))
}

/// Is there a load at unit stride, in a block or an `if` in it?
fn reads(block: &LaneBlock) -> bool {
    block.nodes.iter().any(|node| match node {
        Node::Let { inst: LaneInst::Load { at, .. }, .. } => {
            matches!(at.space, MemorySpace::Buffer(_)) && at.along == AddressStep::Step(at.stored.size().into())
        }
        Node::If { then, otherwise, .. } => reads(then) || reads(otherwise),
        Node::Let { .. } | Node::Do { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectorize::{CodeKey, vectorize};
    use tilewise_ir::check::check;
    use tilewise_ir::text::parse;

    fn program(body: &str) -> LaneProgram {
        let text = format!(
            "kernel k(a: view<u32, 1, read>, b: view<u32, 1, read_write>) tile(256) {{ let i = global[0]; {body} }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        vectorize(&kernel, &CodeKey::apart(16, 2)).unwrap_or_else(|why| panic!("{}", why.0))
    }

    #[test]
    fn only_loops_of_the_kernel_that_read_vectors_count() {
        let rounds =
            program("var j: i32 = i; var s: u32 = 0u32; while j < 5000 { s = s + a[j]; j = j + 256; } b[i] = s;");
        assert!(reads_in_rounds(&rounds), "{rounds}");
        let strips = program("b[i] = a[i] + 1u32;");
        assert!(!reads_in_rounds(&strips), "{strips}");
    }
}
