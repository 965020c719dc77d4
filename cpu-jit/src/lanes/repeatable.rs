//! Decides whether threads may run twice, and whether code can be ended while it runs.

use super::classes::LaneInstClass;
use super::program::{Effect, LaneBlock, LaneProgram, MemorySpace, Node};
use super::walk::access;
use tilewise_ir::fault::{self, Fault};

/// May any thread of an untiled kernel run twice, concurrently or in sequence, with the effect of a
/// single run? It may if it changes nothing that threads of this launch read: then it stores the
/// same values again. If several threads write to one place, another one may come last than before;
/// but they are unordered anyway.
pub fn repeatable(program: &LaneProgram) -> bool {
    harmless(program, &program.body)
}

fn harmless(program: &LaneProgram, block: &LaneBlock) -> bool {
    let fixed = |space: MemorySpace| match space {
        MemorySpace::Buffer(n) => !program.writable.get(usize::from(n)).copied().unwrap_or(true),
        // Each strip initialises its part of the worker's memory.
        MemorySpace::Constant | MemorySpace::Arena(_) => true,
    };
    block.nodes.iter().all(|node| match node {
        Node::Let { inst, .. } => match inst.class() {
            LaneInstClass::Pure => true,
            LaneInstClass::Read => {
                access(inst).is_some_and(|(at, _)| fixed(at.space)) || fault::planted(Fault::RepeatedReads)
            }
            LaneInstClass::Atomic => fault::planted(Fault::RepeatedAtomics),
        },
        Node::Do { effect, .. } => match effect {
            Effect::Copy { from, .. } => fixed(from.space),
            Effect::Message { .. } => fault::planted(Fault::RepeatedMessages),
            Effect::Store { .. } | Effect::Clear { .. } | Effect::Prefetch { .. } | Effect::Fence => true,
        },
        Node::If { then, otherwise, .. } => harmless(program, then) && harmless(program, otherwise),
        Node::Loop { body, .. } => harmless(program, body),
        Node::Exit { .. } | Node::Poll => true,
    })
}

/// Does the program poll whether the launch is to end? If not, a call of it runs to its end.
pub fn polls(program: &LaneProgram) -> bool {
    polling(&program.body)
}

fn polling(block: &LaneBlock) -> bool {
    block.nodes.iter().any(|node| match node {
        Node::Poll => true,
        Node::If { then, otherwise, .. } => polling(then) || polling(otherwise),
        Node::Loop { body, .. } => polling(body),
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } => false,
    })
}

#[cfg(test)]
mod tests {
    use tilewise_ir::check::check;
    use tilewise_ir::launch::{Argument, ViewArgument};
    use tilewise_ir::text::parse;

    use super::*;
    use crate::bind::KernelBindings;
    use crate::vectorize::vectorize;

    fn is_repeatable(body: &str, allocations: [usize; 2]) -> bool {
        repeatable(&program(body, allocations))
    }

    fn program(body: &str, allocations: [usize; 2]) -> LaneProgram {
        let text = format!("kernel k(a: view<i32, 1, read_write>, b: view<i32, 1, read_write>) rank(1) {{ {body} }}");
        let kernel = check(parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}")));
        let kernel = kernel.unwrap_or_else(|rejected| panic!("{rejected}"));
        let arguments = allocations.map(|allocation| Argument::View(ViewArgument::dense(allocation, &[100])));
        let key = KernelBindings::new(kernel.inlined()).key(&arguments, 8);
        vectorize(&kernel, &key).expect("it has a program")
    }

    #[test]
    fn code_polls_only_in_loops_that_may_take_long() {
        let polls = |body: &str| polls(&program(body, [1, 2]));
        assert!(!polls("b[global[0]] = a[global[0]] + 1;"));
        assert!(!polls("var i: i32 = 0; while i < 8 { b[i] = i; } continuing { i = i + 1; }"));
        assert!(polls("loop { if a[global[0]] > 2 { break; } }"));
        assert!(polls("if a[0] > 2 { var i: i32 = 0; while i < a[1] { b[i] = i; } continuing { i = i + 1; } }"));
    }

    #[test]
    fn threads_that_read_nothing_that_is_written_may_run_twice() {
        assert!(is_repeatable("b[global[0]] = a[global[0]] + 1;", [1, 2]));
        assert!(is_repeatable("if a[global[0]] > 2 { b[3] = 1; }", [1, 2]));
        assert!(is_repeatable("var t: [i32; 4]; t[a[global[0]] & 3] = 5; b[global[0]] = t[1];", [1, 2]));
    }

    #[test]
    fn threads_that_change_what_is_read_or_say_something_may_not() {
        assert!(!is_repeatable("b[global[0]] = a[global[0]] + 1;", [1, 1]));
        assert!(!is_repeatable("b[global[0]] = b[global[0]] + 1;", [1, 2]));
        assert!(!is_repeatable("atomic_add(b[0], 1);", [1, 2]));
        assert!(!is_repeatable("print(\"{}\", a[global[0]]);", [1, 2]));
        assert!(!is_repeatable("if a[global[0]] > 2 { abort; }", [1, 2]));
    }
}
