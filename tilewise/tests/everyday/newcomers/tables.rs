//! Programs as in the first chapters of a book: grids, graphs, divisors, tables.

use super::*;

mod divisors {
    use super::*;

    same! {
        sieve: u32, |i| {
            let mut prime = [true; 50];
            prime[0] = false;
            prime[1] = false;
            let mut k = 2;
            while k * k < 50 {
                if prime[k] {
                    for j in (k * k..50).step_by(k) {
                        prime[j] = false;
                    }
                }
                k += 1;
            }
            let primes = prime.iter().enumerate().filter(|(_, p)| **p).map(|(k, _)| k as u32);
            primes.filter(|k| k % (i as u32 + 2) == 1).sum()
        }

        divisors: u32, |i| {
            let n = 28 + i as u32;
            (1..n).filter(|d| n % d == 0).sum::<u32>()
        }

        digits: u32, |i| {
            let mut n = 9875 + i as u32 * 13;
            let mut sum = 0;
            loop {
                sum += n % 10;
                n /= 10;
                if n == 0 {
                    break sum;
                }
            }
        }

        palindrome: u32, |i| {
            fn reversed(mut n: u32) -> u32 {
                let mut r = 0;
                while n > 0 {
                    r = r * 10 + n % 10;
                    n /= 10;
                }
                r
            }
            let n = 12321 + i as u32;
            if reversed(n) == n { 1 } else { reversed(n) }
        }
    }
}

mod grids {
    use super::*;

    const W: usize = 5;
    const H: usize = 4;
    type Grid = [[bool; W]; H];
    #[amp]
    fn neighbours(g: &Grid, r: usize, c: usize) -> usize {
        let mut n = 0;
        for dr in [-1i32, 0, 1] {
            for dc in [-1i32, 0, 1] {
                if dr == 0 && dc == 0 {
                    continue;
                }
                let (rr, cc) = (r as i32 + dr, c as i32 + dc);
                if (0..H as i32).contains(&rr) && (0..W as i32).contains(&cc) && g[rr as usize][cc as usize] {
                    n += 1;
                }
            }
        }
        n
    }
    #[amp]
    fn step(g: &Grid) -> Grid {
        let mut next = [[false; W]; H];
        for r in 0..H {
            for c in 0..W {
                next[r][c] = matches!((g[r][c], neighbours(g, r, c)), (true, 2 | 3) | (false, 3));
            }
        }
        next
    }

    same! {
        life: u32, |i| {
            let mut g = [[false; W]; H];
            g[1][1] = true;
            g[1][2] = true;
            g[1][3] = true;
            g[2][2] = i % 2 == 0;
            for _ in 0..i {
                g = step(&g);
            }
            let mut bits = 0;
            for row in &g {
                for &cell in row {
                    bits = bits << 1 | cell as u32;
                }
            }
            bits
        }

        fill: u32, |i| {
            let mut map = [[0u8; 5]; 5];
            for k in 0..4 {
                map[k][2] = 1;
            }
            let mut stack = [(0usize, 0usize); 32];
            let mut top = 1;
            stack[0] = (0, (i % 2) as usize * 4);
            let mut filled = 0;
            while top > 0 {
                top -= 1;
                let (r, c) = stack[top];
                if map[r][c] != 0 {
                    continue;
                }
                map[r][c] = 2;
                filled += 1;
                if r > 0 {
                    stack[top] = (r - 1, c);
                    top += 1;
                }
                if r < 4 {
                    stack[top] = (r + 1, c);
                    top += 1;
                }
                if c > 0 {
                    stack[top] = (r, c - 1);
                    top += 1;
                }
                if c < 4 {
                    stack[top] = (r, c + 1);
                    top += 1;
                }
            }
            filled
        }
    }
}

mod tables_of_best {
    use super::*;

    same! {
        knapsack: u32, |i| {
            let weights = [1, 3, 4, 5];
            let values = [1, 4, 5, 7];
            let mut best = [0u32; 10];
            for k in 0..weights.len() {
                for c in (weights[k]..10).rev() {
                    best[c] = best[c].max(best[c - weights[k]] + values[k]);
                }
            }
            best[(i as usize + 4).min(9)]
        }

        lcs: u32, |i| {
            let a = *b"AGGTAB";
            let mut b = *b"GXTXAYB";
            b[0] = b'A' + i as u8;
            let mut t = [[0u32; 8]; 7];
            for (p, x) in a.iter().enumerate() {
                for (q, y) in b.iter().enumerate() {
                    t[p + 1][q + 1] = if x == y { t[p][q] + 1 } else { t[p][q + 1].max(t[p + 1][q]) };
                }
            }
            t[6][7]
        }

        coins: u64, |i| {
            let mut ways = [0u64; 31];
            ways[0] = 1;
            for coin in [1, 5, 10, 25] {
                for n in coin..=30 {
                    ways[n] += ways[n - coin];
                }
            }
            ways[25 + i as usize]
        }
    }
}

mod graphs {
    use super::*;

    same! {
        dijkstra: u32, |i| {
            const INF: u32 = u32::MAX;
            let g = [[0, 4, 0, 0, 8], [4, 0, 8, 0, 11], [0, 8, 0, 7, 0], [0, 0, 7, 0, 9], [8, 11, 0, 9, 0u32]];
            let mut dist = [INF; 5];
            let mut done = [false; 5];
            dist[(i % 5) as usize] = 0;
            for _ in 0..5 {
                let mut u = 5;
                let mut best = INF;
                for v in 0..5 {
                    if !done[v] && dist[v] < best {
                        best = dist[v];
                        u = v;
                    }
                }
                if u == 5 {
                    break;
                }
                done[u] = true;
                for v in 0..5 {
                    if g[u][v] > 0 && !done[v] {
                        let d = dist[u] + g[u][v];
                        if d < dist[v] {
                            dist[v] = d;
                        }
                    }
                }
            }
            dist.iter().sum()
        }

        union_find: u32, |i| {
            #[amp]
            fn find(parent: &mut [usize; 6], mut x: usize) -> usize {
                while parent[x] != x {
                    parent[x] = parent[parent[x]];
                    x = parent[x];
                }
                x
            }
            let mut parent = [0, 1, 2, 3, 4, 5];
            for (a, b) in [(0, 1), (2, 3), (1, i as usize), (4, 4)] {
                let (ra, rb) = (find(&mut parent, a), find(&mut parent, b));
                if ra != rb {
                    parent[ra] = rb;
                }
            }
            (0..6).filter(|&k| parent[k] == k).count() as u32
        }
    }
}
