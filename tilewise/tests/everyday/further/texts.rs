//! Programs around bytes and patterns: parsers, lexers, distances.

// A parser of numbers with errors of an enum.
mod numbers_in_bytes {
    use super::super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    enum ParseError {
        Empty,
        Bad(u8),
        Overflow,
    }
    #[amp]
    fn parse<const N: usize>(text: &[u8; N]) -> Result<u32, ParseError> {
        let mut n = 0_u32;
        let mut any = false;
        for &b in text {
            let d = match b {
                b'0'..=b'9' => b - b'0',
                b' ' => continue,
                other => return Err(ParseError::Bad(other)),
            };
            n = n.checked_mul(10).and_then(|n| n.checked_add(d.into())).ok_or(ParseError::Overflow)?;
            any = true;
        }
        if any { Ok(n) } else { Err(ParseError::Empty) }
    }
    same! {
        runs: u32, |i| {
            let t = match i {
                0 => *b"12 34     ",
                1 => *b"          ",
                2 => *b"99x       ",
                3 => *b"4294967296",
                _ => *b"0000000042",
            };
            match parse(&t) {
                Ok(n) => n,
                Err(ParseError::Empty) => 7_000_001,
                Err(ParseError::Bad(b)) => 7_000_100 + b as u32,
                Err(ParseError::Overflow) => 7_000_003,
            }
        }
    }
}

// The edit distance of two texts.
mod edit_distance {
    use super::super::*;

    #[amp]
    fn edit<const A: usize, const B: usize>(a: &[u8; A], b: &[u8; B]) -> usize {
        let mut row = [0_usize; 16];
        for j in 0..=B {
            row[j] = j;
        }
        for i in 1..=A {
            let mut diag = row[0];
            row[0] = i;
            for j in 1..=B {
                let cost = if a[i - 1] == b[j - 1] { 0 } else { 1 };
                let next = (diag + cost).min(row[j] + 1).min(row[j - 1] + 1);
                diag = std::mem::replace(&mut row[j], next);
            }
        }
        row[B]
    }
    same! {
        runs: u32, |i| {
            let mut w = *b"kitten";
            w[i as usize] = b'g';
            edit(&w, b"sitting") as u32 * 10 + edit(b"abc", &w) as u32
        }
    }
}

// A lexer of bytes.
mod lexer {
    use super::super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    enum Tok {
        Num(i32),
        Plus,
        Star,
        Open,
        Close,
        End,
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Lexer {
        text: [u8; 12],
        at: usize,
    }
    #[amp]
    impl Lexer {
        fn next(&mut self) -> Tok {
            while self.at < 12 && self.text[self.at] == b' ' {
                self.at += 1;
            }
            if self.at >= 12 {
                return Tok::End;
            }
            let c = self.text[self.at];
            self.at += 1;
            match c {
                b'+' => Tok::Plus,
                b'*' => Tok::Star,
                b'(' => Tok::Open,
                b')' => Tok::Close,
                d if d.is_ascii_digit() => {
                    let mut n = (d - b'0') as i32;
                    while self.at < 12 && self.text[self.at].is_ascii_digit() {
                        n = n * 10 + (self.text[self.at] - b'0') as i32;
                        self.at += 1;
                    }
                    Tok::Num(n)
                }
                _ => Tok::End,
            }
        }
    }
    same! {
        runs: i32, |i| {
            let mut t = *b"12+3*(4 +5) ";
            t[3] = b'0' + i as u8;
            let mut lex = Lexer { text: t, at: 0 };
            let mut s = 0;
            loop {
                let t = lex.next();
                s = s * 5 % 10007
                    + match t {
                        Tok::Num(n) => n,
                        Tok::Plus => 1,
                        Tok::Star => 2,
                        Tok::Open => 3,
                        Tok::Close => 4,
                        Tok::End => break,
                    };
            }
            s
        }
    }
}

// Values and operators on two stacks.
mod two_stacks {
    use super::super::*;

    #[amp]
    fn prec(op: u8) -> u8 {
        match op {
            b'+' | b'-' => 1,
            b'*' | b'/' => 2,
            _ => 0,
        }
    }
    #[amp]
    fn apply(op: u8, a: i32, b: i32) -> Option<i32> {
        Some(match op {
            b'+' => a + b,
            b'-' => a - b,
            b'*' => a.checked_mul(b)?,
            b'/' => a.checked_div(b)?,
            _ => return None,
        })
    }
    #[amp]
    fn eval(text: &[u8; 9]) -> Option<i32> {
        let mut nums = [0; 8];
        let mut ops = [0_u8; 8];
        let (mut n, mut o) = (0, 0);
        for &c in text.iter() {
            if c.is_ascii_digit() {
                nums[n] = (c - b'0') as i32;
                n += 1;
            } else {
                while o > 0 && prec(ops[o - 1]) >= prec(c) {
                    n -= 1;
                    nums[n - 1] = apply(ops[o - 1], nums[n - 1], nums[n])?;
                    o -= 1;
                }
                ops[o] = c;
                o += 1;
            }
        }
        while o > 0 {
            n -= 1;
            nums[n - 1] = apply(ops[o - 1], nums[n - 1], nums[n])?;
            o -= 1;
        }
        Some(nums[0])
    }
    same! {
        runs: i32, |i| {
            let mut t = *b"2+3*4-8/2";
            t[8] = b'0' + i as u8;
            eval(&t).unwrap_or(-99)
        }
    }
}

// Runs of equal bytes.
mod runs_of_bytes {
    use super::super::*;

    #[amp]
    fn rle<const N: usize>(a: &[u8; N]) -> ([(u8, u8); N], usize) {
        let mut out = [(0, 0); N];
        let mut n = 0;
        for &x in a {
            match n {
                0 => {
                    out[0] = (x, 1);
                    n = 1;
                }
                _ if out[n - 1].0 == x => out[n - 1].1 += 1,
                _ => {
                    out[n] = (x, 1);
                    n += 1;
                }
            }
        }
        (out, n)
    }
    same! {
        runs: i32, |i| {
            let (runs, n) = rle(&[1, 1, i as u8, i as u8, 3, 3, 3]);
            let mut s = 0;
            for (x, c) in &runs[..n] {
                s = s * 10 + *x as i32 * *c as i32;
            }
            s + n as i32
        }
    }
}

// Patterns of arrays.
mod array_patterns {
    use super::super::*;

    same! {
        runs: i32, |i| {
            let a = [i, 2, 3, 4];
            let [x, y, rest @ ..] = a;
            let s: i32 = rest.iter().sum();
            let k = match a {
                [0, ..] => 1,
                [.., 4] if i > 3 => 2,
                [_, b, c, _] => b * c,
            };
            let [first, .., last] = a;
            let [p, q] = rest;
            x + y * 10 + s * 100 + k * 1000 + first + last + p * q
        }
    }
}

// `matches!` with ranges and guards.
mod matched_values {
    use super::super::*;

    same! {
        runs: i32, |i| {
            let c = (b'a' + i as u8) as char;
            let v = matches!(c, 'a' | 'c'..='d');
            let o = Some(i);
            let w = matches!(o, Some(n) if n % 2 == 0);
            v as i32 * 2 + w as i32
        }
    }
}

// Shadowed names, labels, and values of blocks.
mod shadows_and_labels {
    use super::super::*;

    same! {
        runs: i32, |i| {
            let x = i;
            let x = x as f32 * 1.5;
            let x = {
                let x = x as i32;
                x + 1
            };
            let found = 'outer: loop {
                for a in 1.. {
                    for b in a..20 {
                        if a * a + b * b == 25 + x % 2 * 75 {
                            break 'outer a * 100 + b;
                        }
                        if a > 15 {
                            break 'outer -1;
                        }
                    }
                }
            };
            let v = 'blk: {
                if x > 4 {
                    break 'blk 1;
                }
                if x > 2 {
                    break 'blk 2;
                }
                3
            };
            found * 10 + v
        }
    }
}

// Tables that `const fn` computes.
mod const_functions {
    use super::super::*;

    const fn square(x: i32) -> i32 {
        x * x
    }
    const TABLE: [i32; 4] = {
        let mut t = [0; 4];
        let mut k = 0;
        while k < 4 {
            t[k] = square(k as i32);
            k += 1;
        }
        t
    };
    const SIZE: usize = TABLE.len();
    same! {
        runs: i32, |i| {
            const LOCAL: i32 = square(7);
            let mut b = [0; SIZE];
            for k in 0..SIZE {
                b[k] = TABLE[k] + LOCAL;
            }
            b[i as usize % SIZE]
        }
    }
}
