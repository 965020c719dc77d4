//! A calculator: each thread reads one line of text, byte by byte, cuts it into tokens and computes
//! its value. Tokens are an enum with fields, what may be missing is an `Option`, errors are an enum
//! without fields. The results are compared with an evaluator in plain Rust.

use tilewise::prelude::*;

const LINES: [&str; 13] = [
    "1 + 2 * 3",
    "(1 + 2) * 3",
    "2 * (3 + 4) * 5 - 6",
    "0x1f + 0b101",
    "100 / 7 % 5",
    "-(2 - 5) * -4",
    "((((7))))",
    "-17 / -(1 + 1) - 17 % -5",
    "1 +",
    "2 * (3 + 4",
    "3 $ 4",
    "8 / (4 - 2 * 2)",
    "",
];

/// Values and operators of one line at most.
const DEPTH: usize = 16;

#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
enum Token {
    Number(i32),
    Operator(char),
    Open,
    Close,
    Unknown(u8),
}

#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
enum Mistake {
    None,
    Unfinished,
    UnknownSign,
    DivisionByZero,
    TooDeep,
}

/// Element of the view of results.
#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
struct Answer {
    value: i32,
    mistake: u32,
}

/// A part of the text.
#[derive(Clone, Copy, AmpStruct)]
struct Line {
    start: u32,
    end: u32,
}

#[amp]
impl Line {
    /// The next byte, which is then behind the line.
    fn next(&mut self, text: &ReadView<'_, u8>) -> Option<u8> {
        let byte = self.peek(text)?;
        self.start += 1;
        Some(byte)
    }

    fn peek(&self, text: &ReadView<'_, u8>) -> Option<u8> {
        (self.start < self.end).then(|| text[self.start])
    }

    fn token(&mut self, text: &ReadView<'_, u8>) -> Option<Token> {
        while let Some(byte) = self.peek(text)
            && byte.is_ascii_whitespace()
        {
            self.start += 1;
        }
        let token = match self.next(text)? {
            digit @ b'0'..=b'9' => Token::Number(self.number(text, digit)),
            b'(' => Token::Open,
            b')' => Token::Close,
            sign @ (b'+' | b'-' | b'*' | b'/' | b'%') => Token::Operator(sign as char),
            other => Token::Unknown(other),
        };
        Some(token)
    }

    /// A number that begins with this digit: decimal, or `0x..`, `0b..`.
    fn number(&mut self, text: &ReadView<'_, u8>, first: u8) -> i32 {
        let mut radix = 10;
        if first == b'0' {
            radix = match self.peek(text).map(|byte| byte.to_ascii_lowercase()) {
                Some(b'x') => 16,
                Some(b'b') => 2,
                _ => 10,
            };
            if radix != 10 {
                self.start += 1;
            }
        }
        let mut value = (first - b'0') as i32;
        while let Some(digit) = self.peek(text).and_then(|byte| (byte as char).to_digit(radix)) {
            value = value.wrapping_mul(radix as i32).wrapping_add(digit as i32);
            self.start += 1;
        }
        value
    }
}

/// What is waited for: an operator with its rank, or an open parenthesis.
#[derive(Clone, Copy, AmpStruct)]
enum Waiting {
    Binary { sign: char, rank: u8 },
    Minus,
    Parenthesis,
}

#[amp]
fn rank(sign: char) -> u8 {
    match sign {
        '+' | '-' => 1,
        '*' | '/' | '%' => 2,
        _ => 0,
    }
}

/// Numbers and operators, each a stack.
#[derive(Clone, Copy, AmpStruct)]
struct Machine {
    values: [i32; DEPTH],
    value_count: usize,
    waiting: [Waiting; DEPTH],
    waiting_count: usize,
    mistake: Mistake,
}

#[amp]
impl Machine {
    fn new() -> Self {
        Machine {
            values: [0; DEPTH],
            value_count: 0,
            waiting: [Waiting::Parenthesis; DEPTH],
            waiting_count: 0,
            mistake: Mistake::None,
        }
    }

    /// The first mistake is the one that counts.
    fn fail(&mut self, mistake: Mistake) {
        if self.mistake == Mistake::None {
            self.mistake = mistake;
        }
    }

    fn push(&mut self, value: i32) {
        if self.value_count == DEPTH {
            return self.fail(Mistake::TooDeep);
        }
        self.values[self.value_count] = value;
        self.value_count += 1;
    }

    fn pop(&mut self) -> i32 {
        let Some(rest) = self.value_count.checked_sub(1) else {
            self.fail(Mistake::Unfinished);
            return 0;
        };
        self.value_count = rest;
        self.values[rest]
    }

    fn wait(&mut self, what: Waiting) {
        if self.waiting_count == DEPTH {
            return self.fail(Mistake::TooDeep);
        }
        let place = &mut self.waiting[self.waiting_count];
        *place = what;
        self.waiting_count += 1;
    }

    fn compute(&mut self, sign: char) {
        let (right, left) = (self.pop(), self.pop());
        if right == 0 && matches!(sign, '/' | '%') {
            self.fail(Mistake::DivisionByZero);
            return self.push(0);
        }
        let value = match sign {
            '+' => left.wrapping_add(right),
            '-' => left.wrapping_sub(right),
            '*' => left.wrapping_mul(right),
            '/' => left.wrapping_div(right),
            _ => left.wrapping_rem(right),
        };
        self.push(value);
    }

    /// Computes what waits with at least this rank; returns whether a parenthesis is next.
    fn settle(&mut self, least: u8) -> bool {
        while let Some(last) = self.waiting_count.checked_sub(1) {
            match self.waiting[last] {
                Waiting::Parenthesis => return true,
                Waiting::Binary { rank, .. } if rank < least => return false,
                Waiting::Binary { sign, .. } => {
                    self.waiting_count = last;
                    self.compute(sign);
                }
                Waiting::Minus => {
                    self.waiting_count = last;
                    let value = self.pop();
                    self.push(value.wrapping_neg());
                }
            }
        }
        false
    }

    /// Takes a token; `after_value`: does it stand behind a value? Returns whether the next one does.
    fn take(&mut self, token: Token, after_value: bool) -> bool {
        match token {
            Token::Number(value) => {
                self.push(value);
                true
            }
            Token::Open => {
                self.wait(Waiting::Parenthesis);
                false
            }
            Token::Close => {
                if self.settle(0) {
                    self.waiting_count -= 1;
                } else {
                    self.fail(Mistake::Unfinished);
                }
                true
            }
            Token::Operator('-') if !after_value => {
                self.wait(Waiting::Minus);
                false
            }
            Token::Operator(sign) => {
                self.settle(rank(sign));
                self.wait(Waiting::Binary { sign, rank: rank(sign) });
                false
            }
            Token::Unknown(_) => {
                self.fail(Mistake::UnknownSign);
                after_value
            }
        }
    }
}

#[amp]
fn evaluate(text: &ReadView<'_, u8>, line: Line) -> Answer {
    let (mut line, mut machine, mut after_value) = (line, Machine::new(), false);
    while let Some(token) = line.token(text) {
        after_value = machine.take(token, after_value);
    }
    if machine.settle(0) {
        machine.fail(Mistake::Unfinished);
    }
    let value = machine.pop();
    match machine.mistake {
        Mistake::None => Answer { value, mistake: 0 },
        mistake => Answer { value: 0, mistake: mistake as u32 },
    }
}

/// The same in plain Rust, by recursion.
mod plain {
    pub(super) fn evaluate(text: &str) -> Option<i32> {
        let mut rest: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).rev().collect();
        let value = sum(&mut rest)?;
        rest.is_empty().then_some(value)
    }

    fn sum(rest: &mut Vec<char>) -> Option<i32> {
        let mut value = product(rest)?;
        while let Some(sign) = rest.pop_if(|c| matches!(c, '+' | '-')) {
            let right = product(rest)?;
            value = if sign == '+' { value.wrapping_add(right) } else { value.wrapping_sub(right) };
        }
        Some(value)
    }

    fn product(rest: &mut Vec<char>) -> Option<i32> {
        let mut value = factor(rest)?;
        while let Some(sign) = rest.pop_if(|c| matches!(c, '*' | '/' | '%')) {
            let right = factor(rest)?;
            value = match sign {
                '*' => value.wrapping_mul(right),
                '/' => (right != 0).then(|| value.wrapping_div(right))?,
                _ => (right != 0).then(|| value.wrapping_rem(right))?,
            };
        }
        Some(value)
    }

    fn factor(rest: &mut Vec<char>) -> Option<i32> {
        match rest.pop()? {
            '-' => Some(factor(rest)?.wrapping_neg()),
            '(' => {
                let value = sum(rest)?;
                rest.pop_if(|c| *c == ')').map(|_| value)
            }
            first => {
                let prefix = (first == '0').then(|| rest.pop_if(|c| matches!(c, 'x' | 'b'))).flatten();
                let radix = prefix.map_or(10, |prefix| if prefix == 'x' { 16 } else { 2 });
                let mut value = first.to_digit(10)? as i32;
                while let Some(digit) = rest.pop_if(|c| c.is_digit(radix)) {
                    value = value * radix as i32 + digit.to_digit(radix)? as i32;
                }
                Some(value)
            }
        }
    }
}

fn main() -> tilewise::Result<()> {
    let text = LINES.concat().into_bytes();
    let mut lines = Vec::new();
    for line in LINES {
        let start = lines.last().map_or(0, |line: &Line| line.end);
        lines.push(Line { start, end: start + line.len() as u32 });
    }
    let (text, lines) = (ArrayView::read_only(text.len(), &text)?, ArrayView::read_only(lines.len(), &lines)?);
    let answers = ArrayView::<Answer>::without_source(lines.extent())?;
    parallel_for_each!(answers.extent(), |i| {
        answers[i] = evaluate(&text, lines[i]);
    })?;

    let answers = answers.into_vec()?;
    let mistakes = ["", "unfinished", "an unknown sign", "a division by zero", "too deep"];
    for (line, answer) in LINES.iter().zip(&answers) {
        let value = (answer.mistake == 0).then_some(answer.value);
        assert_eq!(value, plain::evaluate(line), "{line}");
        match value {
            Some(value) => println!("{line} = {value}"),
            None => println!("{line}: {}", mistakes[answer.mistake as usize]),
        }
    }
    tilewise_examples::record("answers", &answers);
    Ok(())
}
