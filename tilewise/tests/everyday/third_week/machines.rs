//! Machines of states: traffic lights, a generator of random numbers, cellular automata.

use super::*;

mod traffic_lights {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, AmpStruct)]
    enum Light {
        Red,
        RedYellow,
        Green,
        Yellow,
    }

    #[derive(Clone, Copy, AmpStruct)]
    struct Crossing {
        light: Light,
        left: u32,
        waiting: [u8; 2],
        passed: u32,
    }

    #[amp]
    impl Light {
        const ALL: [Light; 4] = [Light::Red, Light::RedYellow, Light::Green, Light::Yellow];
        fn next(self) -> Light {
            let at = Light::ALL.iter().position(|l| *l == self).unwrap_or(0);
            Light::ALL[(at + 1) % Light::ALL.len()]
        }
        fn time(self) -> u32 {
            match self {
                Light::Red => 4,
                Light::Green => 3,
                Light::RedYellow | Light::Yellow => 1,
            }
        }
    }

    #[amp]
    impl Crossing {
        fn tick(&mut self, arrivals: &[u8; 2]) -> &mut Self {
            for (queue, new) in self.waiting.iter_mut().zip(arrivals) {
                *queue = queue.saturating_add(*new);
            }
            if self.light == Light::Green {
                for queue in &mut self.waiting {
                    if *queue > 0 {
                        *queue -= 1;
                        self.passed += 1;
                    }
                }
            }
            self.left -= 1;
            if self.left == 0 {
                self.light = self.light.next();
                self.left = self.light.time();
            }
            self
        }
    }

    same! {
        runs: u32, |n| {
            let mut crossings = [Crossing { light: Light::Red, left: 2, waiting: [0; 2], passed: 0 }; 2];
            for step in 0..10u32 {
                let arrivals = [(step as u8 + n as u8) % 3, u8::from(step % 2 == 0)];
                crossings[0].tick(&arrivals);
                crossings[1].tick(&arrivals).tick(&[0, 1]);
            }
            crossings.iter().map(|c| c.passed * 10 + c.waiting.iter().map(|w| u32::from(*w)).sum::<u32>()).sum()
        }
    }
}

mod random_numbers {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Pcg {
        state: u32,
        inc: u32,
    }

    #[amp]
    impl Pcg {
        fn seeded(seed: u32) -> Self {
            let mut g = Pcg { state: seed, inc: seed << 1 | 1 };
            g.next();
            g
        }
        fn next(&mut self) -> u32 {
            let old = self.state;
            self.state = old.wrapping_mul(747_796_405).wrapping_add(self.inc);
            let word = ((old >> ((old >> 28) + 4)) ^ old).wrapping_mul(277_803_737);
            (word >> 22) ^ word
        }
        fn below(&mut self, n: u32) -> u32 {
            let limit = n.wrapping_neg() % n;
            loop {
                let x = self.next();
                if x >= limit {
                    return x % n;
                }
            }
        }
        fn unit(&mut self) -> f32 {
            (self.next() >> 8) as f32 / (1 << 24) as f32
        }
        fn shuffle<const N: usize>(&mut self, a: &mut [u32; N]) {
            for k in (1..N).rev() {
                a.swap(k, self.below(k as u32 + 1) as usize);
            }
        }
        fn pick<'a, const N: usize>(&mut self, a: &'a [u32; N]) -> &'a u32 {
            let k = self.below(N as u32) as usize;
            &a[k]
        }
    }

    same! {
        runs: u32, |n| {
            let mut g = Pcg::seeded(n as u32 + 1);
            let mut cards = [1, 2, 3, 4, 5, 6];
            g.shuffle(&mut cards);
            let card = *g.pick(&cards);
            let hits = (0..20)
                .filter(|_| {
                    let (x, y) = (g.unit(), g.unit());
                    x * x + y * y < 1.0
                })
                .count() as u32;
            let mut generators = [Pcg::seeded(7); 2];
            generators[1].next();
            let mixed = generators[0].next() ^ generators[1].next();
            let dice: [u32; 3] = std::array::from_fn(|_| g.below(6) + 1);
            cards.iter().fold(0, |all, c| all * 10 + c)
                + hits * 1_000_000
                + card
                + mixed % 100
                + dice.iter().max().copied().unwrap_or(0)
        }
    }
}

mod automata {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    enum Cell {
        Dead,
        Alive,
    }

    #[derive(Clone, Copy, AmpStruct)]
    struct Board {
        cells: [[Cell; 5]; 5],
    }

    #[amp]
    impl Cell {
        fn is_alive(&self) -> bool {
            *self == Cell::Alive
        }
    }

    #[amp]
    impl Board {
        fn neighbours(&self, row: usize, column: usize) -> usize {
            let near = |k: usize| [(k + 4) % 5, k, (k + 1) % 5];
            near(row)
                .iter()
                .flat_map(|&r| near(column).into_iter().map(move |c| (r, c)))
                .filter(|&(r, c)| (r, c) != (row, column) && self.cells[r][c].is_alive())
                .count()
        }
        fn step(&self) -> Board {
            let mut next = *self;
            for (r, row) in next.cells.iter_mut().enumerate() {
                for (c, cell) in row.iter_mut().enumerate() {
                    *cell = match (&self.cells[r][c], self.neighbours(r, c)) {
                        (Cell::Alive, 2 | 3) | (Cell::Dead, 3) => Cell::Alive,
                        _ => Cell::Dead,
                    };
                }
            }
            next
        }
    }

    #[amp]
    fn rule(number: u8, cells: u32) -> u32 {
        (0..32).fold(0, |next, k| {
            let window = cells.rotate_right(k).rotate_left(1) & 7;
            next | (u32::from(number >> window & 1) << k)
        })
    }

    same! {
        runs: u32, |n| {
            let mut board = Board { cells: [[Cell::Dead; 5]; 5] };
            for (r, c) in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
                board.cells[r][(c + n as usize) % 5] = Cell::Alive;
            }
            for _ in 0..n {
                board = board.step();
            }
            let alive = board.cells.iter().flatten().filter(|c| c.is_alive()).count() as u32;
            let code = board.cells.iter().flatten().fold(0u32, |bits, c| bits << 1 | u32::from(c.is_alive()));
            let mut line = 1 << 16;
            for _ in 0..4 {
                line = rule(30, line);
            }
            alive * 7 + code + line.count_ones()
        }
    }
}
