//! Expressions in bytes, words, dates, rows of dynamic programming.

use super::*;

mod expressions {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    enum Token {
        Number(i32),
        Op(u8),
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
        fn new(text: [u8; 12]) -> Self {
            Lexer { text, at: 0 }
        }
        fn peek(&self) -> Option<&u8> {
            self.text.get(self.at)
        }
        fn next(&mut self) -> Token {
            while let Some(&b' ') = self.peek() {
                self.at += 1;
            }
            match self.peek() {
                None => Token::End,
                Some(&c) if c.is_ascii_digit() => {
                    let mut n = 0;
                    while let Some(&d) = self.peek() {
                        if !d.is_ascii_digit() {
                            break;
                        }
                        n = n * 10 + i32::from(d - b'0');
                        self.at += 1;
                    }
                    Token::Number(n)
                }
                Some(b'(') => {
                    self.at += 1;
                    Token::Open
                }
                Some(b')') => {
                    self.at += 1;
                    Token::Close
                }
                Some(&c) => {
                    self.at += 1;
                    Token::Op(c)
                }
            }
        }
    }

    #[amp]
    fn precedence(op: u8) -> u32 {
        match op {
            b'+' | b'-' => 1,
            b'*' | b'/' => 2,
            _ => 0,
        }
    }

    #[amp]
    fn apply(op: u8, a: i32, b: i32) -> Result<i32, u8> {
        Ok(match op {
            b'+' => a + b,
            b'-' => a - b,
            b'*' => a * b,
            b'/' if b != 0 => a / b,
            _ => return Err(op),
        })
    }

    #[amp]
    fn evaluate(text: [u8; 12]) -> Result<i32, u8> {
        let mut lexer = Lexer::new(text);
        let (mut values, mut count) = ([0; 8], 0);
        let (mut ops, mut depth) = ([0u8; 8], 0);
        loop {
            let token = lexer.next();
            match token {
                Token::Number(n) => {
                    values[count] = n;
                    count += 1;
                }
                Token::Open => {
                    ops[depth] = b'(';
                    depth += 1;
                }
                Token::Op(op) => {
                    while depth > 0 && precedence(ops[depth - 1]) >= precedence(op) {
                        depth -= 1;
                        count -= 1;
                        values[count - 1] = apply(ops[depth], values[count - 1], values[count])?;
                    }
                    ops[depth] = op;
                    depth += 1;
                }
                Token::Close | Token::End => {
                    while depth > 0 && ops[depth - 1] != b'(' {
                        depth -= 1;
                        count -= 1;
                        values[count - 1] = apply(ops[depth], values[count - 1], values[count])?;
                    }
                    if token == Token::End {
                        break;
                    }
                    depth -= 1;
                }
            }
        }
        Ok(values[0])
    }

    same! {
        runs: i32, |n| {
            let d = b'0' + n as u8;
            let first = evaluate([d, b'+', b'2', b'*', b'(', b'1', b'1', b'-', d, b')', b' ', b' ']);
            let second = evaluate([b'8', b'/', d, b'-', b'3', b' ', b' ', b' ', b' ', b' ', b' ', b' ']);
            first.unwrap_or(-1) * 100
                + match second {
                    Ok(v) => v,
                    Err(op) => i32::from(op),
                }
        }
    }
}

mod letters_and_words {
    use super::*;

    #[amp]
    fn trim(text: &[u8; 10]) -> (usize, usize) {
        let start = text.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(10);
        let end = text.iter().rposition(|b| !b.is_ascii_whitespace()).map_or(start, |k| k + 1);
        (start, end)
    }

    #[amp]
    fn parse(text: &[u8; 10]) -> Option<i32> {
        let (start, end) = trim(text);
        let (negative, start) = match text.get(start) {
            Some(b'-') => (true, start + 1),
            Some(b'+') => (false, start + 1),
            _ => (false, start),
        };
        if start >= end {
            return None;
        }
        let mut value = 0_i32;
        for k in start..end {
            let digit = match text[k] {
                c @ b'0'..=b'9' => i32::from(c - b'0'),
                b'_' => continue,
                _ => return None,
            };
            value = value.checked_mul(10)?.checked_add(digit)?;
        }
        Some(if negative { -value } else { value })
    }

    #[amp]
    fn caesar(text: [u8; 10], by: u8) -> [u8; 10] {
        text.map(|b| match b {
            b'a'..=b'z' => (b - b'a' + by) % 26 + b'a',
            b'A'..=b'Z' => (b - b'A' + by) % 26 + b'A',
            other => other,
        })
    }

    #[amp]
    fn words(text: &[u8; 10]) -> u32 {
        let mut inside = false;
        let mut count = 0;
        for &b in text {
            if b == b' ' {
                inside = false;
            } else if !inside {
                inside = true;
                count += 1;
            }
        }
        count
    }

    #[amp]
    fn longest_run(text: &[u8; 10]) -> (u8, usize) {
        let mut best = (text[0], 0);
        let mut it = text.iter().peekable();
        while let Some(&b) = it.next() {
            let mut length = 1;
            while it.next_if(|next| **next == b).is_some() {
                length += 1;
            }
            if length > best.1 {
                best = (b, length);
            }
        }
        best
    }

    same! {
        runs: i32, |n| {
            let d = b'0' + n as u8;
            let number = [b' ', b'-', b'1', b'_', d, d, b'7', b' ', b' ', b' '];
            let hello = *b"Hello xyzz";
            let secret = caesar(hello, n as u8);
            let (letter, run) = longest_run(&number);
            parse(&number).unwrap_or(1)
                + words(&hello) as i32 * 10_000
                + i32::from(secret[6])
                + run as i32 * 100
                + i32::from(letter)
                + secret
                    .iter()
                    .zip(&hello)
                    .filter(|(a, b)| a.to_ascii_lowercase() == b.to_ascii_lowercase())
                    .count() as i32
                + i32::from(caesar(secret, 26 - n as u8) == hello)
        }
    }
}

mod dates {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, AmpStruct)]
    struct Date {
        year: i32,
        month: u32,
        day: u32,
    }
    const DAYS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    enum Weekday {
        Mon,
        Tue,
        Wed,
        Thu,
        Fri,
        Sat,
        Sun,
    }

    #[amp]
    fn is_leap(year: i32) -> bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    #[amp]
    impl Date {
        fn new(year: i32, month: u32, day: u32) -> Option<Date> {
            let date = Date { year, month, day };
            ((1..=12).contains(&month) && (1..=date.days_in_month()).contains(&day)).then_some(date)
        }
        fn days_in_month(&self) -> u32 {
            match self.month {
                2 if is_leap(self.year) => 29,
                m => DAYS[m as usize - 1],
            }
        }
        fn number(&self) -> i32 {
            let (y, m) = if self.month <= 2 { (self.year - 1, self.month + 9) } else { (self.year, self.month - 3) };
            let era = y.div_euclid(400);
            let yoe = y.rem_euclid(400);
            let doy = (153 * m as i32 + 2) / 5 + self.day as i32 - 1;
            era * 146_097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719_468
        }
        fn next(self) -> Date {
            match self {
                Date { month: 12, day: 31, year } => Date { year: year + 1, month: 1, day: 1 },
                Date { month, day, .. } if day == self.days_in_month() => Date { month: month + 1, day: 1, ..self },
                Date { day, .. } => Date { day: day + 1, ..self },
            }
        }
        fn weekday(&self) -> Weekday {
            const ALL: [Weekday; 7] =
                [Weekday::Thu, Weekday::Fri, Weekday::Sat, Weekday::Sun, Weekday::Mon, Weekday::Tue, Weekday::Wed];
            ALL[self.number().rem_euclid(7) as usize]
        }
    }

    same! {
        runs: i32, |n| {
            let mut date = Date::new(2024, 2, 26 + n as u32).unwrap_or(Date { year: 2024, month: 3, day: 1 });
            let start = date;
            let mut weekends = 0;
            while date.number() - start.number() < 40 {
                if matches!(date.weekday(), Weekday::Sat | Weekday::Sun) {
                    weekends += 1;
                }
                date = date.next();
            }
            assert!(date > start);
            let later = start.max(Date { year: 2024, month: 2, day: 28 });
            date.number() + weekends * 100_000 + later.day as i32 + date.month as i32 * 1000
        }
    }
}

mod rows {
    use super::*;

    #[amp]
    fn knapsack(items: &[(usize, u32); 4], room: usize) -> u32 {
        let mut best = [0u32; 11];
        for &(weight, value) in items {
            for left in (weight..=room).rev() {
                best[left] = best[left].max(best[left - weight] + value);
            }
        }
        best[room]
    }

    #[amp]
    fn distance<const A: usize, const B: usize>(a: &[u8; A], b: &[u8; B]) -> usize {
        let mut row: [usize; 8] = std::array::from_fn(|k| k);
        for (i, x) in a.iter().enumerate() {
            let mut before = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let change = before + usize::from(x != y);
                before = row[j + 1];
                row[j + 1] = change.min(row[j] + 1).min(before + 1);
            }
        }
        row[B]
    }

    #[amp]
    fn longest_increasing(a: [i32; 6]) -> (usize, i32) {
        let mut best = [(1, 0); 6];
        for i in 0..6 {
            best[i].1 = a[i];
            for j in 0..i {
                if a[j] < a[i] && best[j].0 + 1 > best[i].0 {
                    best[i] = (best[j].0 + 1, best[j].1 + a[i]);
                }
            }
        }
        best.into_iter().max().unwrap_or((0, 0))
    }

    #[amp]
    fn coins(amount: usize) -> Option<u32> {
        let mut least = [None; 12];
        least[0] = Some(0);
        for a in 1..=amount {
            for coin in [1, 4, 5] {
                if coin <= a
                    && let Some(n) = least[a - coin]
                {
                    least[a] = Some(least[a].map_or(n + 1, |m: u32| m.min(n + 1)));
                }
            }
        }
        least[amount]
    }

    same! {
        runs: u32, |n| {
            let (length, sum) = longest_increasing([3, n, 4, n + 2, 1, 9]);
            knapsack(&[(2, 3), (3, 4), (4, 5), (5, 6)], 5 + n as usize) * 1000
                + distance(b"kitten", b"sitting") as u32 * 100
                + length as u32 * 10
                + sum as u32
                + coins(n as usize + 6).unwrap_or(99)
        }
    }
}
