//! What the quick loop of some kernels has in it.

use tilewise_ir::check::check;
use tilewise_ir::text::parse;

use crate::lanes::program::{Effect, LaneBlock, LaneInst, Likely, Node};
use crate::vectorize::{CodeKey, vectorize};

/// What is in the innermost loops that usually run.
#[derive(Debug, Default, PartialEq, Eq)]
struct Inside {
    loops: usize,
    branches: usize,
    masked: usize,
    loads: usize,
}

impl Inside {
    fn look(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            match node {
                Node::If { then, otherwise, likely, .. } => {
                    self.look(then);
                    if *likely == Likely::Either {
                        self.look(otherwise);
                    }
                }
                Node::Loop { body, .. } if has_loop(body) => self.look(body),
                Node::Loop { body, .. } => {
                    self.loops += 1;
                    self.count(body);
                }
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    fn count(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            match node {
                Node::If { then, otherwise, .. } => {
                    self.branches += 1;
                    self.count(then);
                    self.count(otherwise);
                }
                Node::Let { inst: LaneInst::Load { mask, .. }, .. } => {
                    self.loads += 1;
                    self.masked += usize::from(mask.is_some());
                }
                Node::Do { effect: Effect::Store { mask, .. }, .. } => self.masked += usize::from(mask.is_some()),
                Node::Let { .. } | Node::Do { .. } | Node::Loop { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }
}

fn has_loop(block: &LaneBlock) -> bool {
    block.nodes.iter().any(|node| match node {
        Node::Loop { .. } => true,
        Node::If { then, otherwise, .. } => has_loop(then) || has_loop(otherwise),
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => false,
    })
}

/// Of a kernel over views with one space each and no gaps.
fn inside(text: &str) -> Inside {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
    let params = kernel.inlined().params().len();
    let writable = (0..params).map(|param| param + 1 == params).collect();
    let key = CodeKey { writable, ..CodeKey::apart(8, params) };
    let program = vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0));
    let mut inside = Inside::default();
    inside.look(&program.body);
    inside
}

#[test]
fn a_stencil_has_neither_branches_nor_masks_away_from_its_edges() {
    for condition in [
        "x == 0 || y == 0 || x == last || y == last",
        "x == 0 || x == extent(a, 1) - 1 || y == 0 || y == extent(a, 0) - 1",
        "!(x > 0 && x < extent(a, 1) - 1 && y > 0 && y < extent(a, 0) - 1)",
    ] {
        let text = format!(
            "kernel stencil(a: view<f32, 2, read>, last: i32, out: view<f32, 2, read_write>) rank(2) {{
                let y = global[0];
                let x = global[1];
                if {condition} {{
                    out[y, x] = a[y, x];
                }} else {{
                    out[y, x] = a[y, x] + a[y, x - 1] + a[y, x + 1] + a[y - 1, x] + a[y + 1, x];
                }}
            }}"
        );
        assert_eq!(inside(&text), Inside { loops: 1, branches: 0, masked: 0, loads: 5 }, "{condition}");
    }
}

#[test]
fn what_a_launch_may_put_anywhere_keeps_its_mask() {
    let text = "kernel part(a: view<f32, 1, read>, n: i32, out: view<f32, 1, read_write>) rank(1) {
        let x = global[0];
        if x < n { out[x] = a[x] + a[x + 1]; } else { out[x] = a[x]; }
    }";
    let found = inside(text);
    assert!(found.branches > 0, "{found:?}");
}

#[test]
fn accesses_in_larger_steps_are_judged_at_both_ends() {
    let text = "kernel third(a: view<f32, 1, read>, out: view<f32, 1, read_write>) rank(1) {
        var sum: f32 = 0.0;
        var k: i32 = 0;
        while k < 100 {
            sum = sum + a[k * 3 + global[0]] + a[1000 - k];
            k = k + 1;
        }
        out[global[0]] = sum;
    }";
    assert_eq!(inside(text), Inside { loops: 1, branches: 0, masked: 0, loads: 2 });
}
