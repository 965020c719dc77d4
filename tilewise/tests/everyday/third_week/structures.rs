//! A queue by priority, sets that are joined, a histogram, shapes that meet, sorting.

use super::*;

mod a_queue_by_priority {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, AmpStruct)]
    enum Kind {
        Late,
        Soon,
        Now,
    }

    #[amp]
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, AmpStruct)]
    struct Task {
        priority: u32,
        id: u32,
    }

    #[derive(Clone, Copy, AmpStruct)]
    struct Queue {
        tasks: [Option<Task>; 8],
        len: usize,
    }

    #[amp]
    impl Queue {
        fn new() -> Self {
            Queue { tasks: [None; 8], len: 0 }
        }
        fn above(&self, i: usize, j: usize) -> bool {
            match (&self.tasks[i], &self.tasks[j]) {
                (Some(a), Some(b)) => a < b,
                (Some(_), None) => true,
                _ => false,
            }
        }
        fn push(&mut self, task: Task) -> bool {
            if self.len == self.tasks.len() {
                return false;
            }
            let mut at = self.len;
            self.tasks[at] = Some(task);
            self.len += 1;
            while at > 0 && self.above(at, (at - 1) / 2) {
                self.tasks.swap(at, (at - 1) / 2);
                at = (at - 1) / 2;
            }
            true
        }
        fn pop(&mut self) -> Option<Task> {
            let top = self.tasks[0]?;
            self.len -= 1;
            let last = self.tasks[self.len].take();
            if self.len > 0 {
                self.tasks[0] = last;
            }
            let mut at = 0;
            loop {
                let (left, right) = (2 * at + 1, 2 * at + 2);
                let mut least = at;
                if left < self.len && self.above(left, least) {
                    least = left;
                }
                if right < self.len && self.above(right, least) {
                    least = right;
                }
                if least == at {
                    break Some(top);
                }
                self.tasks.swap(at, least);
                at = least;
            }
        }
        fn peek(&self) -> Option<&Task> {
            self.tasks[0].as_ref()
        }
    }

    same! {
        runs: u32, |n| {
            let mut queue = Queue::new();
            for id in 0..6 {
                queue.push(Task { priority: (id * 7 + n as u32 * 3) % 5, id });
            }
            let mut order = 0;
            while let Some(Task { id, .. }) = queue.pop() {
                order = order * 10 + id;
                if id == 2
                    && let Some(&next) = queue.peek()
                {
                    order += next.priority;
                }
            }
            order
        }
    }
}

mod joined_sets {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Sets<const N: usize> {
        parent: [usize; N],
        size: [u32; N],
    }

    #[amp]
    impl<const N: usize> Sets<N> {
        fn new() -> Self {
            Sets { parent: std::array::from_fn(|k| k), size: [1; N] }
        }
        fn root(&mut self, mut k: usize) -> usize {
            while self.parent[k] != k {
                self.parent[k] = self.parent[self.parent[k]];
                k = self.parent[k];
            }
            k
        }
        fn join(&mut self, a: usize, b: usize) -> bool {
            let (mut a, mut b) = (self.root(a), self.root(b));
            if a == b {
                return false;
            }
            if self.size[a] < self.size[b] {
                std::mem::swap(&mut a, &mut b);
            }
            self.parent[b] = a;
            self.size[a] += self.size[b];
            true
        }
        fn groups(&mut self) -> usize {
            (0..N).filter(|&k| self.parent[k] == k).count()
        }
    }

    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    struct Edge {
        from: usize,
        to: usize,
        weight: u32,
    }

    same! {
        runs: u32, |n| {
            let mut edges = [
                Edge { from: 0, to: 1, weight: 4 },
                Edge { from: 1, to: 2, weight: n as u32 },
                Edge { from: 2, to: 3, weight: 3 },
                Edge { from: 3, to: 0, weight: 2 },
                Edge { from: 1, to: 3, weight: 5 },
                Edge { from: 4, to: 5, weight: 1 },
            ];
            edges.sort_by_key(|e| e.weight);
            let mut sets = Sets::<6>::new();
            let mut total = 0;
            for &Edge { from, to, weight } in &edges {
                if sets.join(from, to) {
                    total += weight;
                }
            }
            let biggest = sets.size.iter().max().copied().unwrap_or(0);
            let root = sets.root(2) as u32;
            total * 100 + biggest * 10 + sets.groups() as u32 + root * 1000
        }
    }
}

mod a_histogram {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, Default, PartialEq, Debug, AmpStruct)]
    struct Bin {
        count: u32,
        sum: i32,
    }

    #[amp]
    impl Bin {
        fn add(&mut self, x: i32) -> &mut Self {
            self.count += 1;
            self.sum += x;
            self
        }
        fn mean(&self) -> Option<i32> {
            self.sum.checked_div(self.count as i32)
        }
    }

    same! {
        runs: i32, |n| {
            let data = [3, 14, n, 25, 7, 19, n * 5, 2];
            let mut bins = [Bin::default(); 4];
            for x in data {
                bins[(x as usize / 8).min(3)].add(x);
            }
            let mut fullest = &bins[0];
            for bin in &bins[1..] {
                if bin.count > fullest.count {
                    fullest = bin;
                }
            }
            let empty = bins.iter().filter(|b| b.count == 0).count() as i32;
            let modes = bins.iter().position(|b| b == fullest).map_or(-1, |k| k as i32);
            let means: i32 = bins.iter().filter_map(|b| b.mean()).sum();
            let running = bins
                .iter()
                .scan(0, |all, b| {
                    *all += b.count;
                    Some(*all)
                })
                .fold(0, |acc, c| acc * 10 + c as i32);
            let best = bins.iter().max_by_key(|b| b.count).unwrap_or(&Bin { count: 0, sum: 0 });
            empty + modes * 10 + means * 100 + running + best.sum
        }
    }
}

mod shapes_that_meet {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    struct V2 {
        x: f32,
        y: f32,
    }

    #[amp]
    impl V2 {
        const ZERO: V2 = V2 { x: 0.0, y: 0.0 };
        fn dot(self, o: V2) -> f32 {
            self.x * o.x + self.y * o.y
        }
        fn minus(self, o: V2) -> V2 {
            V2 { x: self.x - o.x, y: self.y - o.y }
        }
    }

    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    enum Shape {
        Circle { at: V2, radius: f32 },
        Rect { min: V2, max: V2 },
        Point(V2),
    }

    #[amp]
    impl Shape {
        fn hits(&self, other: &Shape) -> bool {
            match (self, other) {
                (Shape::Circle { at: a, radius: r }, Shape::Circle { at: b, radius: s }) => {
                    let d = a.minus(*b);
                    d.dot(d) <= (r + s) * (r + s)
                }
                (Shape::Circle { at, radius }, Shape::Rect { min, max })
                | (Shape::Rect { min, max }, Shape::Circle { at, radius }) => {
                    let near = V2 { x: at.x.clamp(min.x, max.x), y: at.y.clamp(min.y, max.y) };
                    let d = at.minus(near);
                    d.dot(d) <= *radius * *radius
                }
                (Shape::Rect { min: a, max: b }, Shape::Rect { min: c, max: d }) => {
                    a.x <= d.x && c.x <= b.x && a.y <= d.y && c.y <= b.y
                }
                (Shape::Point(p), other) | (other, Shape::Point(p)) => other.has(p),
            }
        }
        fn has(&self, p: &V2) -> bool {
            match *self {
                Shape::Circle { at, radius } => {
                    let d = at.minus(*p);
                    d.dot(d) <= radius * radius
                }
                Shape::Rect { min, max } => (min.x..=max.x).contains(&p.x) && (min.y..=max.y).contains(&p.y),
                Shape::Point(q) => q == *p,
            }
        }
    }

    same! {
        runs: i32, |n| {
            let x = n as f32;
            let shapes = [
                Shape::Circle { at: V2 { x, y: 1.0 }, radius: 1.5 },
                Shape::Rect { min: V2::ZERO, max: V2 { x: 2.0, y: 2.0 } },
                Shape::Point(V2 { x: 1.0, y: x * 0.5 }),
                Shape::Circle { at: V2 { x: 3.0, y: 0.0 }, radius: 0.5 },
            ];
            let mut bits = 0;
            for (i, a) in shapes.iter().enumerate() {
                for (j, b) in shapes.iter().enumerate().skip(i + 1) {
                    if a.hits(b) {
                        bits |= 1 << (i * 4 + j);
                    }
                }
            }
            bits
        }
    }
}

mod sorting {
    use super::*;

    #[amp]
    fn insertion<const N: usize>(a: &mut [i32; N]) -> u32 {
        let mut moves = 0;
        for i in 1..N {
            let x = a[i];
            let mut j = i;
            while j > 0 && a[j - 1] > x {
                a[j] = a[j - 1];
                j -= 1;
                moves += 1;
            }
            a[j] = x;
        }
        moves
    }

    #[amp]
    fn merge(a: &[i32; 3], b: &[i32; 3]) -> [i32; 6] {
        let mut out = [0; 6];
        let mut left = a.iter().copied().peekable();
        let mut right = b.iter().copied().peekable();
        for slot in out.iter_mut() {
            *slot = match (left.peek(), right.peek()) {
                (Some(&x), Some(&y)) if x <= y => {
                    left.next();
                    x
                }
                (_, Some(&y)) => {
                    right.next();
                    y
                }
                (Some(&x), None) => {
                    left.next();
                    x
                }
                (None, None) => break,
            };
        }
        out
    }

    #[amp]
    fn network(mut v: [i32; 4]) -> [i32; 4] {
        for &(i, j) in &[(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
            if v[i] > v[j] {
                v.swap(i, j);
            }
        }
        v
    }

    #[amp]
    fn select(a: [i32; 6], k: usize) -> i32 {
        let mut a = a;
        let (mut low, mut high) = (0, 5);
        while low < high {
            let pivot = a[high];
            let mut store = low;
            for i in low..high {
                if a[i] < pivot {
                    a.swap(i, store);
                    store += 1;
                }
            }
            a.swap(store, high);
            if k == store {
                break;
            } else if k < store {
                high = store - 1;
            } else {
                low = store + 1;
            }
        }
        a[k]
    }

    same! {
        runs: i32, |n| {
            let mut a = [5, n, 3];
            let mut b = [n * 2, 1, 4];
            let moves = insertion(&mut a) + insertion(&mut b);
            let all = merge(&a, &b);
            let net = network([n, 3, 1, 2]);
            assert!(all.is_sorted() && net.is_sorted());
            let median = select([all[5], all[0], all[3], all[1], all[4], all[2]], 3);
            all.iter().enumerate().map(|(k, x)| x * (k as i32 + 1)).sum::<i32>()
                + moves as i32 * 1000
                + net[1]
                + median * 7
        }
    }
}
