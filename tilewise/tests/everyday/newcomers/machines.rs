//! Machines: states, stacks, numbers in texts, a calculator.

use super::*;

mod state_machine {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug, AmpStruct)]
    enum State {
        Start,
        Number,
        Fraction,
        Done,
        Error,
    }
    #[amp]
    impl State {
        fn step(self, c: u8) -> State {
            match (self, c) {
                (State::Start | State::Number, b'0'..=b'9') => State::Number,
                (State::Number, b'.') => State::Fraction,
                (State::Fraction, b'0'..=b'9') => State::Fraction,
                (State::Number | State::Fraction, 0) => State::Done,
                _ => State::Error,
            }
        }
    }

    same! {
        parser: i32, |i| {
            let text = [b'1', b'2', b'.', b'0' + i as u8, if i == 3 { b'x' } else { b'5' }, 0];
            let mut state = State::Start;
            let mut value = 0;
            for c in text {
                state = state.step(c);
                if c.is_ascii_digit() {
                    value = value * 10 + (c - b'0') as i32;
                }
                if state == State::Error {
                    break;
                }
            }
            match state { State::Done => value, State::Error => -value, _ => 0 }
        }
    }
}

mod small_stack {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Stack<const N: usize> {
        data: [i32; N],
        len: usize,
    }
    #[amp]
    impl<const N: usize> Stack<N> {
        fn new() -> Self {
            Stack { data: [0; N], len: 0 }
        }
        fn push(&mut self, x: i32) -> bool {
            if self.len == N {
                return false;
            }
            self.data[self.len] = x;
            self.len += 1;
            true
        }
        fn pop(&mut self) -> Option<i32> {
            if self.len == 0 {
                None
            } else {
                self.len -= 1;
                Some(self.data[self.len])
            }
        }
        fn is_empty(&self) -> bool {
            self.len == 0
        }
    }

    same! {
        depth_first: i32, |i| {
            let mut stack = Stack::<8>::new();
            stack.push(i + 1);
            let mut sum = 0;
            while let Some(n) = stack.pop() {
                sum += n;
                if n < 12 {
                    stack.push(2 * n);
                    stack.push(2 * n + 1);
                }
            }
            sum + stack.is_empty() as i32
        }
    }
}

mod numbers_in_text {
    use super::*;

    #[amp]
    fn parse(text: &[u8; 6]) -> Option<i32> {
        let mut n = 0i32;
        let negative = text[0] == b'-';
        for &c in text.iter().skip(negative as usize) {
            if c == b' ' {
                break;
            }
            let digit = (c as char).to_digit(10)?;
            n = n.checked_mul(10)?.checked_add(digit as i32)?;
        }
        Some(if negative { -n } else { n })
    }

    same! {
        numbers: i32, |i| {
            let text = [b'-', b'1', b'0' + i as u8, if i == 4 { b'z' } else { b'7' }, b' ', b' '];
            parse(&text).unwrap_or(i32::MIN)
        }
    }
}

mod calculator {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    enum Token {
        Num(i32),
        Plus,
        Times,
        End,
    }
    #[amp]
    fn next(text: &[u8; 8], at: &mut usize) -> Token {
        let c = text[*at];
        *at += 1;
        match c {
            b'+' => Token::Plus,
            b'*' => Token::Times,
            d @ b'0'..=b'9' => Token::Num((d - b'0').into()),
            _ => Token::End,
        }
    }

    same! {
        calculator: i32, |i| {
            let text = [b'2', b'*', b'0' + i as u8, b'+', b'3', b'*', b'4', 0];
            let mut at = 0;
            let (mut sum, mut product) = (0, 1);
            loop {
                match next(&text, &mut at) {
                    Token::Num(n) => product *= n,
                    Token::Times => {}
                    Token::Plus => { sum += product; product = 1; }
                    Token::End => break sum + product,
                }
            }
        }
    }
}
