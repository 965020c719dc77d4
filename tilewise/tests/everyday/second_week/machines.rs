//! State machines, a stack machine, an iterator and a generator of random numbers in a struct.

use super::*;

// A state machine by match on (state, input).
#[derive(Clone, Copy, PartialEq, Eq, AmpStruct)]
enum State {
    Start,
    Sign { negative: bool },
    Digits(i32, bool),
    Failed(u32),
}

#[amp]
impl State {
    fn step(self, at: u32, byte: u8) -> State {
        match (self, byte) {
            (State::Start, b'-') => State::Sign { negative: true },
            (State::Start, b'+') => State::Sign { negative: false },
            (State::Start, b'0'..=b'9') => State::Digits(i32::from(byte - b'0'), false),
            (State::Sign { negative }, d @ b'0'..=b'9') => State::Digits((d - b'0') as i32, negative),
            (State::Digits(n, negative), d) if d.is_ascii_digit() => {
                State::Digits(n * 10 + i32::from(d - b'0'), negative)
            }
            (State::Digits(..), b' ') => self,
            (State::Failed(_), _) => self,
            _ => State::Failed(at),
        }
    }
    fn value(self) -> Option<i32> {
        match self {
            State::Digits(n, true) => Some(-n),
            State::Digits(n, false) => Some(n),
            State::Start | State::Sign { .. } | State::Failed(_) => None,
        }
    }
}

same! {
    parsing_by_states: i32, |i| {
        let text = match i {
            0 => *b"-42 ",
            1 => *b"+7  ",
            2 => *b"12a4",
            3 => *b"    ",
            4 => *b"9999",
            _ => *b"--1 ",
        };
        let mut state = State::Start;
        for (at, &byte) in text.iter().enumerate() {
            state = state.step(at as u32, byte);
        }
        match state {
            State::Failed(at) => -1000 - at as i32,
            other => other.value().unwrap_or(-1),
        }
    }
}

// A stack machine with an enum of operations.
#[derive(Clone, Copy, AmpStruct)]
enum Op {
    Push(i32),
    Add,
    Mul,
    Dup,
    Swap,
    JumpIf(usize),
    Halt,
}

#[amp]
fn run<const N: usize>(program: &[Op; N], input: i32) -> Option<i32> {
    let mut stack = [0_i32; 8];
    let mut top = 1;
    stack[0] = input;
    let mut at = 0;
    let mut fuel = 50;
    'run: loop {
        fuel -= 1;
        if fuel == 0 {
            return None;
        }
        let op = program[at];
        at += 1;
        match op {
            Op::Push(n) => {
                stack[top] = n;
                top += 1;
            }
            Op::Add => {
                top -= 1;
                stack[top - 1] += stack[top];
            }
            Op::Mul => {
                top -= 1;
                stack[top - 1] = stack[top - 1].wrapping_mul(stack[top]);
            }
            Op::Dup => {
                stack[top] = stack[top - 1];
                top += 1;
            }
            Op::Swap => stack.swap(top - 1, top - 2),
            Op::JumpIf(to) => {
                if stack[top - 1] < 100 {
                    at = to;
                }
            }
            Op::Halt => break 'run,
        }
    }
    Some(stack[top - 1])
}

same! {
    a_stack_machine: i32, |i| {
        let program = [Op::Push(3), Op::Add, Op::Dup, Op::Mul, Op::JumpIf(0), Op::Push(1), Op::Swap, Op::Halt];
        run(&program, i).unwrap_or(-1)
    }
}

// Iterators in structs.
#[derive(Clone, Copy, AmpStruct)]
struct Countdown {
    left: i32,
    step: i32,
}

#[amp]
impl Countdown {
    fn next(&mut self) -> Option<i32> {
        if self.left <= 0 {
            return None;
        }
        let now = self.left;
        self.left -= self.step;
        Some(now)
    }
    fn nth(&mut self, n: u32) -> Option<i32> {
        for _ in 0..n {
            self.next()?;
        }
        self.next()
    }
}

same! {
    iterators_in_structs: i32, |i| {
        let mut down = Countdown { left: 20 + i, step: 3 };
        let third = down.nth(2).unwrap_or(-1);
        let mut s = third;
        while let Some(x) = down.next() {
            if x % 2 == 0 { continue; }
            s = s * 3 + x;
        }
        s
    }
}

// Random numbers.
#[derive(Clone, Copy, AmpStruct)]
struct Pcg {
    state: u64,
    inc: u64,
}

#[amp]
impl Pcg {
    const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
    fn new(seed: u64) -> Self {
        let mut rng = Self { state: 0, inc: seed << 1 | 1 };
        let _ = rng.next_u32();
        rng.state = rng.state.wrapping_add(seed);
        rng.next_u32();
        rng
    }
    fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(Self::MULTIPLIER).wrapping_add(self.inc);
        let shifted = (((old >> 18) ^ old) >> 27) as u32;
        shifted.rotate_right((old >> 59) as u32)
    }
    fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(n)) >> 32) as u32
    }
    fn shuffle<const N: usize>(&mut self, all: &mut [u32; N]) {
        for k in (1..N).rev() {
            let other = self.below(k as u32 + 1) as usize;
            all.swap(k, other);
        }
    }
}

same! {
    random_numbers: u32, |i| {
        let mut rng = Pcg::new(i as u64 + 42);
        let mut deck = [0, 1, 2, 3, 4, 5, 6, 7];
        rng.shuffle(&mut deck);
        let dice = (0..5).map(|_| rng.below(6) + 1).fold(0, |s, d| s * 10 + d);
        deck.iter().fold(0_u32, |s, x| s * 8 + x) ^ dice
    }
}
