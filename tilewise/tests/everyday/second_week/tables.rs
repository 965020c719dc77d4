//! A hash table, a queue and rows of dynamic programming in arrays.

use super::*;

// A hash table in an array.
#[derive(Clone, Copy, AmpStruct)]
struct Entry {
    key: u32,
    value: i32,
    used: bool,
}

#[derive(Clone, Copy, AmpStruct)]
struct Table<const N: usize> {
    entries: [Entry; N],
}

#[amp]
impl<const N: usize> Table<N> {
    fn new() -> Self {
        Self { entries: [Entry { key: 0, value: 0, used: false }; N] }
    }
    fn slot(&self, key: u32) -> Option<usize> {
        let start = key.wrapping_mul(2_654_435_761) as usize % N;
        for step in 0..N {
            let at = (start + step) % N;
            let entry = &self.entries[at];
            if !entry.used || entry.key == key {
                return Some(at);
            }
        }
        None
    }
    fn add(&mut self, key: u32, value: i32) -> bool {
        let Some(at) = self.slot(key) else { return false };
        let entry = &mut self.entries[at];
        entry.key = key;
        entry.used = true;
        entry.value += value;
        true
    }
    fn get(&self, key: u32) -> Option<i32> {
        let at = self.slot(key)?;
        self.entries[at].used.then_some(self.entries[at].value)
    }
}

same! {
    a_hash_table: i32, |i| {
        let mut table = Table::<7>::new();
        let mut lost = 0;
        for k in 0..10 {
            if !table.add((k * (i as u32 + 1)) % 9, k as i32) {
                lost += 1;
            }
        }
        let mut s = 0;
        for key in 0..9 {
            s = (s * 5 + table.get(key).unwrap_or(-1)) % 10_007;
        }
        s + lost * 100_000
    }
}

// Dynamic programming: longest common subsequence.
#[amp]
fn common<const N: usize, const M: usize>(a: &[u8; N], b: &[u8; M]) -> usize {
    let mut best = [[0_usize; 9]; 9];
    for (r, &x) in a.iter().enumerate() {
        for (c, &y) in b.iter().enumerate() {
            best[r + 1][c + 1] = if x == y { best[r][c] + 1 } else { best[r][c + 1].max(best[r + 1][c]) };
        }
    }
    best[N][M]
}

same! {
    longest_common_part: u32, |i| {
        let mut a = *b"AGGTAB";
        a[i as usize] = b'X';
        common(&a, b"GXTXAYB") as u32
    }
}

// A knapsack in one row, with rev ranges.
same! {
    a_knapsack: i32, |i| {
        const WEIGHTS: [usize; 4] = [1, 3, 4, 5];
        const VALUES: [i32; 4] = [1, 4, 5, 7];
        let mut best = [0; 11];
        for (&w, &v) in WEIGHTS.iter().zip(VALUES.iter()) {
            for c in (w..=5 + i as usize).rev() {
                best[c] = best[c].max(best[c - w] + v);
            }
        }
        best[5 + i as usize]
    }
}

// A queue as a ring.
#[derive(Clone, Copy, AmpStruct)]
struct Ring<const N: usize> {
    cells: [u8; N],
    head: u32,
    length: u32,
}

#[amp]
impl<const N: usize> Ring<N> {
    fn new() -> Self {
        Ring { cells: [0; N], head: 0, length: 0 }
    }
    fn push(&mut self, cell: u8) {
        let at = (self.head + self.length) as usize % N;
        self.cells[at] = cell;
        if self.length as usize == N {
            self.head = (self.head + 1) % N as u32;
        } else {
            self.length += 1;
        }
    }
    fn pop(&mut self) -> Option<u8> {
        if self.length == 0 {
            None
        } else {
            let cell = self.cells[self.head as usize];
            self.head = (self.head + 1) % N as u32;
            self.length -= 1;
            Some(cell)
        }
    }
}

same! {
    breadth_first: i32, |i| {
        // Steps over a grid of 4 by 4 with walls.
        let walls = [false, false, true, false, true, false, true, false, false, false, false, false, true, true, true, false];
        let mut distance = [-1_i32; 16];
        let mut queue = Ring::<16>::new();
        distance[0] = 0;
        queue.push(0);
        while let Some(at) = queue.pop() {
            let (r, c) = (at as i32 / 4, at as i32 % 4);
            for (dr, dc) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                let (nr, nc) = (r + dr, c + dc);
                if !(0..4).contains(&nr) || !(0..4).contains(&nc) {
                    continue;
                }
                let next = (nr * 4 + nc) as usize;
                if walls[next] || distance[next] >= 0 {
                    continue;
                }
                distance[next] = distance[at as usize] + 1;
                queue.push(next as u8);
            }
        }
        distance[(i as usize * 3 + 1) % 16]
    }
}

// Sorting pairs by a key, and a merge.
same! {
    merged: i32, |i| {
        let mut left = [(3, 'c'), (1, 'a'), (i, 'x')];
        left.sort_by_key(|pair| pair.0);
        let mut right = [5, i + 1, 2];
        right.sort_unstable();
        let mut out = [0; 6];
        let (mut l, mut r) = (0, 0);
        for slot in out.iter_mut() {
            let take_left = r >= right.len() || l < left.len() && left[l].0 <= right[r];
            *slot = if take_left { l += 1; left[l - 1].0 } else { r += 1; right[r - 1] };
        }
        out.iter().fold(0, |s, x| s * 11 + x) + left[0].1 as i32
    }
}
