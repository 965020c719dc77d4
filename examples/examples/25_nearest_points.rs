//! A k-d tree that is searched in a kernel: `while let` over a stack, `Option` and tuples for the best point so far, a
//! function as a parameter. The host builds the tree, and the results are those of plain Rust that looks at all points.

use tilewise::prelude::*;

const POINTS: usize = 500;
const QUERIES: usize = 200;

/// A point of the tree; the numbers of its two subtrees, or -1. Subtrees are apart in x and in y in turn.
#[derive(Clone, Copy, AmpStruct)]
struct Node {
    point: Float2,
    number: u32,
    below: i32,
    above: i32,
}

/// How far a point lies beyond another, in x or in y.
#[amp]
fn beyond(point: Float2, other: Float2, depth: u32) -> f32 {
    if depth % 2 == 0 { point.x - other.x } else { point.y - other.y }
}

#[amp]
fn squared_distance(point: Float2, other: Float2) -> f32 {
    (point - other).dot(point - other)
}

/// Subtrees that are still to be searched: a node, its depth, and the least squared distance there.
#[derive(Clone, Copy, AmpStruct)]
struct Pending {
    subtrees: [(i32, u32, f32); 32],
    count: usize,
}

#[amp]
impl Pending {
    fn push(&mut self, node: i32, depth: u32, least: f32) {
        if node >= 0 {
            self.subtrees[self.count] = (node, depth, least);
            self.count += 1;
        }
    }

    fn pop(&mut self) -> Option<(i32, u32, f32)> {
        self.count = self.count.checked_sub(1)?;
        Some(self.subtrees[self.count])
    }
}

/// The number of the nearest point that `takes` accepts, and its squared distance.
#[amp]
fn nearest(tree: &ReadView<'_, Node>, from: Float2, takes: impl Fn(u32) -> bool) -> Option<(u32, f32)> {
    let mut best: Option<(u32, f32)> = None;
    let mut pending = Pending { subtrees: [(-1, 0, 0.0); 32], count: 0 };
    pending.push(0, 0, 0.0);
    while let Some((at, depth, least)) = pending.pop() {
        if best.is_some_and(|(_, distance)| distance < least) {
            continue;
        }
        let Node { point, number, below, above } = tree[at];
        let distance = squared_distance(point, from);
        // Of points at one distance, the one with the least number.
        let is_nearer = !best.is_some_and(|(other, least)| distance > least || distance == least && number > other);
        if is_nearer && takes(number) {
            best = Some((number, distance));
        }
        let offset = beyond(from, point, depth);
        let (near, far) = if offset < 0.0 { (below, above) } else { (above, below) };
        pending.push(far, depth + 1, offset * offset);
        pending.push(near, depth + 1, 0.0);
    }
    best
}

/// Builds the tree of some points, and returns the number of its root.
fn build(points: &mut [(u32, Float2)], depth: u32, nodes: &mut Vec<Node>) -> i32 {
    if points.is_empty() {
        return -1;
    }
    points.sort_by(|&(_, a), &(_, b)| beyond(a, b, depth).total_cmp(&0.0));
    let (middle, at) = (points.len() / 2, nodes.len());
    let (number, point) = points[middle];
    nodes.push(Node { point, number, below: -1, above: -1 });
    nodes[at].below = build(&mut points[..middle], depth + 1, nodes);
    nodes[at].above = build(&mut points[middle + 1..], depth + 1, nodes);
    at as i32
}

fn main() -> tilewise::Result<()> {
    let mut seed = 7_u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / 16_777_216.0
    };
    let points: Vec<Float2> = (0..POINTS).map(|_| Float2::new(random(), random())).collect();
    let queries: Vec<Float2> = (0..QUERIES).map(|_| Float2::new(random(), random())).collect();
    let (mut numbered, mut nodes): (Vec<_>, Vec<_>) = ((0..).zip(points.iter().copied()).collect(), Vec::new());
    build(&mut numbered, 0, &mut nodes);

    let (tree, from) = (ArrayView::read_only(POINTS, &nodes)?, ArrayView::read_only(QUERIES, &queries)?);
    let found = ArrayView::<u32>::without_source(QUERIES)?;
    // Every third point is no answer.
    parallel_for_each!(found.extent(), |i| {
        found[i] = nearest(&tree, from[i], |number| number % 3 != 0).map_or(u32::MAX, |(number, _)| number);
    })?;

    let found = found.into_vec()?;
    let distance = |number: u32, query: Float2| squared_distance(points[number as usize], query);
    let plain = |query: Float2| {
        let numbers = (0..POINTS as u32).filter(|number| number % 3 != 0);
        numbers.min_by(|&a, &b| distance(a, query).total_cmp(&distance(b, query)))
    };
    let equal = found.iter().zip(&queries).filter(|&(&number, &query)| plain(query) == Some(number)).count();
    println!("{QUERIES} points and their nearest neighbours among {POINTS}: {equal} are those of plain Rust");
    println!("the first is number {}, {:.4} away", found[0], distance(found[0], queries[0]).sqrt());
    tilewise_examples::record("found", &found);
    Ok(())
}
