//! Programs as in the first chapters of a book: enums, closures, machines of states.

use super::*;

mod coins {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
    pub enum State {
        Alabama,
        Alaska,
    }
    #[derive(Clone, Copy, Debug, AmpStruct)]
    pub enum Coin {
        Penny,
        Nickel,
        Dime,
        Quarter(State),
    }
    #[amp]
    fn value(coin: Coin) -> u8 {
        match coin {
            Coin::Penny => 1,
            Coin::Nickel => 5,
            Coin::Dime => 10,
            Coin::Quarter(state) => {
                if state == State::Alaska {
                    26
                } else {
                    25
                }
            }
        }
    }

    same! {
        run: u32, |i| {
            let coins = [
                Coin::Penny,
                Coin::Quarter(State::Alaska),
                Coin::Dime,
                Coin::Quarter(State::Alabama),
                Coin::Nickel,
                Coin::Penny,
            ];
            let total: u32 = coins.iter().take(i as usize + 1).map(|c| value(*c) as u32).sum();
            let quarters = coins.iter().filter(|c| matches!(c, Coin::Quarter(_))).count();
            total * 10 + quarters as u32
        }
    }
}

mod first_programs {
    use super::*;

    same! {
        fizz: u32, |i| {
            let mut out = 0;
            for n in 1..=15 + i {
                out = out * 3 % 10007
                    + match (n % 3, n % 5) {
                        (0, 0) => 15,
                        (0, _) => 3,
                        (_, 0) => 5,
                        _ => n as u32,
                    };
            }
            out
        }

        fib: u64, |i| {
            let (mut a, mut b) = (0u64, 1u64);
            for _ in 0..i * 10 {
                (a, b) = (b, a + b);
            }
            a
        }

        collatz: u32, |i| {
            let mut n = i as u32 + 1;
            let mut steps = 0;
            while n != 1 {
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                steps += 1;
            }
            steps
        }

        gcd: u32, |i| {
            fn gcd2(a: u32, b: u32) -> u32 {
                let (mut a, mut b) = (a, b);
                while b != 0 {
                    let t = b;
                    b = a % b;
                    a = t;
                }
                a
            }
            gcd2(48 * (i as u32 + 1), 36) + gcd2(7, i as u32)
        }
    }
}

mod traffic_lights {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug, AmpStruct)]
    pub enum Light {
        Red,
        Green,
        Yellow,
    }
    #[derive(Clone, Copy, AmpStruct)]
    pub enum Event {
        Timer(u32),
        Reset,
    }
    #[amp]
    impl Light {
        fn next(self, event: Event) -> Light {
            use Light::*;
            match (self, event) {
                (Red, Event::Timer(t)) if t > 2 => Green,
                (Green, Event::Timer(_)) => Yellow,
                (Yellow, Event::Timer(_)) => Red,
                (_, Event::Reset) => Red,
                (same, _) => same,
            }
        }
    }

    same! {
        run: u32, |i| {
            let mut light = Light::Red;
            let mut seen = 0;
            for t in 0..6 + i as u32 {
                let event = if t == 4 { Event::Reset } else { Event::Timer(t) };
                light = light.next(event);
                seen = seen * 3
                    + match light {
                        Light::Red => 0,
                        Light::Green => 1,
                        Light::Yellow => 2,
                    };
            }
            seen
        }
    }
}

mod small_functions {
    use super::*;

    #[amp]
    fn celsius(f: f64) -> f64 {
        (f - 32.0) * 5.0 / 9.0
    }
    #[amp]
    fn swap_pair((a, b): (i32, i32)) -> (i32, i32) {
        (b, a)
    }

    same! {
        run: f64, |i| {
            let x = i;
            let x = x * 2;
            let x = celsius(x as f64);
            let (p, q) = swap_pair((1, i));
            x + p as f64 - q as f64
        }
    }
}

mod outcomes {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    pub enum Outcome {
        Ok(i32),
        DivisionByZero,
        Overflow { by: i32 },
    }
    #[amp]
    fn divide(a: i32, b: i32) -> Outcome {
        if b == 0 {
            Outcome::DivisionByZero
        } else if a > 100 {
            Outcome::Overflow { by: a - 100 }
        } else {
            Outcome::Ok(a / b)
        }
    }
    #[amp]
    impl Outcome {
        fn or(self, other: i32) -> i32 {
            match self {
                Self::Ok(x) => x,
                Self::DivisionByZero => other,
                Self::Overflow { by } => -by,
            }
        }
        fn is_ok(&self) -> bool {
            matches!(self, Outcome::Ok(_))
        }
    }

    same! {
        run: i32, |i| {
            let r = divide(i * 30, i % 3);
            r.or(55) * 2 + r.is_ok() as i32
        }
    }
}

mod closures_as_arguments {
    use super::*;

    #[amp]
    fn apply<F: Fn(i32) -> i32>(f: F, x: i32) -> i32 {
        f(x)
    }
    #[amp]
    fn compose(f: impl Fn(i32) -> i32, g: impl Fn(i32) -> i32, x: i32) -> i32 {
        g(f(x))
    }
    #[amp]
    fn repeat(n: usize, mut f: impl FnMut(usize)) {
        for k in 0..n {
            f(k);
        }
    }

    same! {
        run: i32, |i| {
            let factor = i + 1;
            let double = |x| x * 2;
            let add = move |x| x + factor;
            let mut log = 0;
            repeat(4, |k| log = log * 3 + k as i32);
            apply(double, 5) + compose(add, double, 3) + log
        }
    }
}

mod grades {
    use super::*;

    same! {
        run: i32, |i| {
            let grades = [95, 82, 71, i * 20, 40];
            let mut gpa = 0;
            for g in grades {
                gpa += match g {
                    90..=100 => 4,
                    80..90 => 3,
                    70..80 => 2,
                    60..70 => 1,
                    _ => 0,
                };
            }
            let x = if let 20.. = grades[3] { 1 } else { 0 };
            let n = gpa;
            n * 10 + x
        }
    }
}

mod counter {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    pub struct Counter {
        n: u32,
    }
    #[amp]
    impl Counter {
        fn next(&mut self) -> Option<u32> {
            if self.n < 5 {
                self.n += 1;
                Some(self.n)
            } else {
                None
            }
        }
    }

    same! {
        run: u32, |i| {
            let mut c = Counter { n: i as u32 };
            let mut s = 0;
            while let Some(x) = c.next() {
                s += x;
            }
            s
        }
    }
}
