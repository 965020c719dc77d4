//! A k-d tree that is searched in a kernel: `while let` over a stack, `Option` and tuples for what is
//! found so far, a table of hashed keys beside it. The tree is built on the host, and the results are
//! compared with plain Rust that looks at all points.

use tilewise::prelude::*;

const POINTS: usize = 500;
const QUERIES: usize = 200;
/// Places of the hash table: a power of two.
const PLACES: usize = 1024;

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

/// The number of the nearest point that `takes` accepts, and its squared distance.
#[amp]
fn nearest(tree: &ReadView<'_, Node>, from: Point, takes: impl Fn(u32) -> bool) -> Option<(u32, f32)> {
    let mut best: Option<(u32, f32)> = None;
    let mut pending = Pending::new();
    pending.push(0, 0, 0.0);
    while let Some((at, depth, least)) = pending.pop() {
        if best.is_some_and(|(_, distance)| distance < least) {
            continue;
        }
        let Node { point, number, below, above } = tree[at];
        let distance = point.squared_distance(&from);
        // Of points at one distance, the one with the least number.
        let is_nearer = match best {
            Some(before) if before.1 == distance => number < before.0,
            Some((_, before)) => distance < before,
            None => true,
        };
        if is_nearer && takes(number) {
            best = Some((number, distance));
        }
        let offset = from.along(Axis::at(depth)) - point.along(Axis::at(depth));
        let (near, far) = if offset < 0.0 { (below, above) } else { (above, below) };
        pending.push(far, depth + 1, offset * offset);
        pending.push(near, depth + 1, 0.0);
    }
    best
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
    Ok(())
}
