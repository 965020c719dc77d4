//! A k-d tree that is searched in kernels: `while let` over a stack, `Option` and tuples for what is
//! found so far, a table of hashed keys beside it. The tree is built on the host. One kernel finds the
//! nearest point of each query, one estimates a height from the three nearest, and one counts how often
//! each point is one of them. All results are compared with plain Rust that looks at all points.

use std::mem;

use tilewise::prelude::*;

const POINTS: usize = 500;
const QUERIES: usize = 200;
/// Places of the hash table: a power of two.
const PLACES: usize = 1024;
/// Points that a height is estimated from.
const FEW: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Point {
    x: f32,
    y: f32,
}

#[amp]
impl Point {
    fn along(&self, axis: Axis) -> f32 {
        match axis {
            Axis::X => self.x,
            Axis::Y => self.y,
        }
    }

    fn squared_distance(&self, other: &Point) -> f32 {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        dx * dx + dy * dy
    }
}

#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Axis {
    X,
    Y,
}

#[amp]
impl Axis {
    /// The axis at a depth of the tree.
    fn at(depth: u32) -> Axis {
        if depth % 2 == 0 { Axis::X } else { Axis::Y }
    }
}

/// A point of the tree; the numbers of its two subtrees, or -1.
#[derive(Clone, Copy, Debug, AmpStruct)]
struct Node {
    point: Point,
    number: u32,
    below: i32,
    above: i32,
}

/// Subtrees that are still to be searched: a node, its depth, and the least squared distance there.
#[derive(Clone, Copy, AmpStruct)]
struct Pending {
    subtrees: [(i32, u32, f32); 32],
    count: usize,
}

#[amp]
impl Pending {
    fn new() -> Self {
        Self { subtrees: [(-1, 0, 0.0); 32], count: 0 }
    }

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

/// Visits the points of a tree, mostly the near ones first. `visit` takes the number and the squared distance of a
/// point, and gives the squared distance within which others are still of interest.
#[amp]
fn search(tree: &ReadView<'_, Node>, from: Point, mut visit: impl FnMut(u32, f32) -> f32) {
    let (mut pending, mut reach) = (Pending::new(), f32::INFINITY);
    pending.push(0, 0, 0.0);
    while let Some((at, depth, least)) = pending.pop() {
        if reach < least {
            continue;
        }
        let Node { point, number, below, above } = tree[at];
        reach = visit(number, point.squared_distance(&from));
        let offset = from.along(Axis::at(depth)) - point.along(Axis::at(depth));
        let (near, far) = if offset < 0.0 { (below, above) } else { (above, below) };
        pending.push(far, depth + 1, offset * offset);
        pending.push(near, depth + 1, 0.0);
    }
}

/// The number of the nearest point that `takes` accepts, and its squared distance.
#[amp]
fn nearest(tree: &ReadView<'_, Node>, from: Point, takes: impl Fn(u32) -> bool) -> Option<(u32, f32)> {
    let mut best: Option<(u32, f32)> = None;
    search(tree, from, |number, distance| {
        // Of points at one distance, the one with the least number.
        let is_nearer = match best {
            Some(before) if before.1 == distance => number < before.0,
            Some((_, before)) => distance < before,
            None => true,
        };
        if is_nearer && takes(number) {
            best = Some((number, distance));
        }
        best.map_or(f32::INFINITY, |(_, distance)| distance)
    });
    best
}

/// The nearest points, in the order of their distances.
#[derive(Clone, Copy, AmpStruct)]
struct Nearest<const K: usize> {
    found: [Option<(u32, f32)>; K],
}

#[amp]
impl<const K: usize> Nearest<K> {
    fn new() -> Self {
        Self { found: [None; K] }
    }

    /// The squared distance of the last of them, which others have to go below.
    fn reach(&self) -> f32 {
        self.found[K - 1].map_or(f32::INFINITY, |(_, distance)| distance)
    }

    /// Puts a point to its place among them; the last one is pushed out.
    fn insert(&mut self, number: u32, distance: f32) {
        let mut moved = Some((number, distance));
        for place in &mut self.found {
            let goes_before = match (*place, moved) {
                (Some((other, its)), Some((number, distance))) => (distance, number) < (its, other),
                (place, moved) => place.is_none() && moved.is_some(),
            };
            if goes_before {
                mem::swap(place, &mut moved);
            }
        }
    }

    /// The mean of the heights of these points; near ones have more weight.
    fn height(&self, heights: &ReadView<'_, f32>) -> f32 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for found in self.found {
            let Some((number, squared_distance)) = found else { break };
            let weight = 1.0 / (squared_distance + 1e-6);
            sum += weight * heights[number];
            weights += weight;
        }
        sum / weights
    }
}

/// The `K` points that are nearest.
#[amp]
fn few<const K: usize>(tree: &ReadView<'_, Node>, from: Point) -> Nearest<K> {
    let mut all = Nearest::<K>::new();
    search(tree, from, |number, distance| {
        all.insert(number, distance);
        all.reach()
    });
    all
}

/// Builds the tree of some points, and returns the number of its root.
fn build(points: &mut [(u32, Point)], depth: u32, nodes: &mut Vec<Node>) -> i32 {
    if points.is_empty() {
        return -1;
    }
    let axis = Axis::at(depth);
    points.sort_by(|(_, a), (_, b)| a.along(axis).total_cmp(&b.along(axis)));
    let middle = points.len() / 2;
    let (number, point) = points[middle];
    let at = nodes.len();
    nodes.push(Node { point, number, below: -1, above: -1 });
    let below = build(&mut points[..middle], depth + 1, nodes);
    let above = build(&mut points[middle + 1..], depth + 1, nodes);
    (nodes[at].below, nodes[at].above) = (below, above);
    at as i32
}

/// A key and a value; an empty place has the key 0.
#[derive(Clone, Copy, Default, AmpStruct)]
struct Entry {
    key: u32,
    value: u32,
}

/// The first place of a key.
#[amp]
fn hash(key: u32) -> usize {
    let mut bits = key.wrapping_mul(0x9e37_79b9);
    bits ^= bits >> 15;
    (bits as usize) % PLACES
}

/// Looks a key up, from its first place on to the first empty one.
#[amp]
fn look_up(table: &ReadView<'_, Entry>, key: u32) -> Option<u32> {
    let mut place = hash(key);
    for _ in 0..PLACES {
        match table[place] {
            Entry { key: 0, .. } => return None,
            Entry { key: found, value } if found == key => return Some(value),
            _ => place = (place + 1) % PLACES,
        }
    }
    None
}

fn table_of(entries: &[Entry]) -> Vec<Entry> {
    let mut table = vec![Entry::default(); PLACES];
    for &entry in entries {
        let mut place = hash(entry.key);
        while table[place].key != 0 {
            place = (place + 1) % PLACES;
        }
        table[place] = entry;
    }
    table
}

/// What a query found: the number of the point plus one, or 0, and its weight.
#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Found {
    point: u32,
    weight: u32,
    squared_distance: f32,
}

/// Numbers that look random.
fn random(seed: &mut u32) -> f32 {
    *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*seed >> 8) as f32 / 16_777_216.0
}

/// The same by plain Rust: all points, and a search in the list of entries.
fn expected(points: &[Point], entries: &[Entry], from: Point) -> Found {
    let numbered = (0_u32..).zip(points).filter(|(number, _)| number % 3 != 0);
    let distances = numbered.map(|(number, point)| (number, point.squared_distance(&from)));
    let (point, squared_distance) =
        distances.min_by(|(a, x), (b, y)| x.total_cmp(y).then(a.cmp(b))).expect("there are points");
    let entry = entries.iter().find(|entry| entry.key == point + 1);
    Found { point: point + 1, weight: entry.map_or(0, |entry| entry.value), squared_distance }
}

/// The numbers of the nearest points, and the height that is estimated from them, by plain Rust.
fn expected_height(points: &[Point], heights: &[f32], from: Point) -> (Vec<usize>, f32) {
    let mut all: Vec<_> = points.iter().map(|point| point.squared_distance(&from)).enumerate().collect();
    all.sort_by(|(a, x), (b, y)| x.total_cmp(y).then(a.cmp(b)));
    all.truncate(FEW);
    let weights: Vec<f32> = all.iter().map(|(_, squared_distance)| 1.0 / (squared_distance + 1e-6)).collect();
    let weighted = weights.iter().zip(&all).map(|(weight, (number, _))| weight * heights[*number]);
    let height = weighted.sum::<f32>() / weights.iter().sum::<f32>();
    (all.into_iter().map(|(number, _)| number).collect(), height)
}

/// Estimates heights at all queries, counts how often each point is used, and compares both.
fn estimate(tree: &ReadView<'_, Node>, points: &[Point], queries: &[Point]) -> tilewise::Result<()> {
    let known: Vec<f32> = points.iter().map(|point| (point.x * 6.0).floor() + point.y).collect();
    let heights = ArrayView::read_only(POINTS, &known)?;
    let from = ArrayView::read_only(QUERIES, queries)?;
    let estimated = ArrayView::<f32>::without_source(QUERIES)?;
    let uses = ArrayView::<u32>::without_source(POINTS)?;
    parallel_for_each!(estimated.extent(), |i| {
        let all = few::<FEW>(&tree, from[i]);
        estimated[i] = all.height(&heights);
        for (number, _) in all.found.into_iter().flatten() {
            uses.atomic(number).fetch_add(1);
        }
    })?;

    let (estimated, uses) = (estimated.into_vec()?, uses.into_vec()?);
    let mut expected_uses = vec![0; POINTS];
    for (height, &from) in estimated.iter().zip(queries) {
        let (numbers, expected) = expected_height(points, &known, from);
        assert_eq!(*height, expected);
        numbers.into_iter().for_each(|number| expected_uses[number] += 1);
    }
    assert_eq!(uses, expected_uses);
    let most = uses.iter().max().expect("there are points");
    println!("the first height is {:.4}; no point is used more than {most} times", estimated[0]);
    tilewise_examples::record("estimated", &estimated);
    tilewise_examples::record("uses", &uses);
    Ok(())
}

fn main() -> tilewise::Result<()> {
    let mut seed = 7;
    let mut place = || Point { x: random(&mut seed), y: random(&mut seed) };
    let points: Vec<Point> = (0..POINTS).map(|_| place()).collect();
    let queries: Vec<Point> = (0..QUERIES).map(|_| place()).collect();
    // Every second point has a weight.
    let entries: Vec<Entry> = (1..=POINTS as u32).step_by(2).map(|key| Entry { key, value: key * 10 }).collect();
    let (mut numbered, mut nodes): (Vec<_>, Vec<_>) = ((0..).zip(points.iter().copied()).collect(), Vec::new());
    build(&mut numbered, 0, &mut nodes);
    let table = table_of(&entries);

    let tree = ArrayView::read_only(nodes.len(), &nodes)?;
    let weights = ArrayView::read_only(PLACES, &table)?;
    let from = ArrayView::read_only(QUERIES, &queries)?;
    let found = ArrayView::from_vec(QUERIES, vec![Found { point: 0, weight: 0, squared_distance: 0.0 }; QUERIES])?;
    parallel_for_each!(found.extent(), |i| {
        let result = nearest(&tree, from[i], |number| number % 3 != 0);
        if let Some((number, squared_distance)) = result {
            let weight = look_up(&weights, number + 1).unwrap_or(0);
            found[i] = Found { point: number + 1, weight, squared_distance };
        }
    })?;

    let found = found.into_vec()?;
    for (result, &from) in found.iter().zip(&queries) {
        assert_eq!(*result, expected(&points, &entries, from));
    }
    let weighted = found.iter().filter(|result| result.weight > 0).count();
    println!("{QUERIES} points have their nearest neighbours among {POINTS}; {weighted} of those have a weight");
    let Found { point, weight, squared_distance } = found[0];
    println!("the first is number {point}, with the weight {weight}, {:.4} away", squared_distance.sqrt());
    tilewise_examples::record("found", &found);
    estimate(&tree, &points, &queries)
}
