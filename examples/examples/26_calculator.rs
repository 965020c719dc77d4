//! A calculator: each thread reads a line of text byte by byte, cuts it into tokens and computes its value. Tokens are
//! an enum with fields, whatever may be missing is an `Option`, and `?` passes that on.

use tilewise::prelude::*;

/// Lines, and their values where they have one.
const LINES: [(&str, Option<i32>); 10] = [
    ("1 + 2 * 3", Some(7)),
    ("(1 + 2) * 3", Some(9)),
    ("2 * (3 + 4) * 5 - 6", Some(64)),
    ("100 / 7 % 5", Some(4)),
    ("-(2 - 5) * -4", Some(-12)),
    ("-17 / -(1 + 1) - 17 % -5", Some(6)),
    ("1 +", None),
    ("2 * (3 + 4", None),
    ("3 $ 4", None),
    ("8 / (4 - 2 * 2)", None),
];
/// Bytes of a line; it ends with spaces.
const WIDTH: usize = 32;
/// Parentheses inside of each other.
const DEPTH: usize = 8;

#[derive(Clone, Copy, AmpStruct)]
enum Token {
    Number(i32),
    Sign(char),
}

/// The token at a place of a line, which moves behind it.
#[amp]
fn next_token(line: &ReadView<'_, u8>, at: &mut usize) -> Option<Token> {
    while *at < WIDTH && line[*at] == b' ' {
        *at += 1;
    }
    let first = (*at < WIDTH).then(|| line[*at] as char)?;
    *at += 1;
    Some(match first {
        '0'..='9' => {
            let mut value = first as i32 - '0' as i32;
            while let Some(digit) = (line[*at] as char).to_digit(10) {
                value = value.wrapping_mul(10).wrapping_add(digit as i32);
                *at += 1;
            }
            Token::Number(value)
        }
        sign => Token::Sign(sign),
    })
}

/// A line up to a place, or a part of it in parentheses: its last term, the sum of those before, and what is next.
#[derive(Clone, Copy, AmpStruct)]
struct Level {
    sum: i32,
    term: i32,
    operator: char,
    is_negative: bool,
}

const BEGIN: Level = Level { sum: 0, term: 0, operator: '+', is_negative: false };

#[amp]
fn with_operand(level: Level, operand: i32) -> Option<Level> {
    let value = if level.is_negative { operand.wrapping_neg() } else { operand };
    let before = level.sum.wrapping_add(level.term);
    let (sum, term) = match level.operator {
        '+' => (before, value),
        '-' => (before, value.wrapping_neg()),
        '*' => (level.sum, level.term.wrapping_mul(value)),
        '/' => (level.sum, level.term.checked_div(value)?),
        '%' => (level.sum, level.term.checked_rem(value)?),
        _ => return None,
    };
    Some(Level { sum, term, ..BEGIN })
}

#[amp]
fn evaluate(line: &ReadView<'_, u8>) -> Option<i32> {
    let (mut at, mut level, mut after_value) = (0, BEGIN, false);
    let (mut outer, mut depth) = ([BEGIN; DEPTH], 0);
    while let Some(token) = next_token(line, &mut at) {
        match token {
            Token::Number(value) if !after_value => level = with_operand(level, value)?,
            Token::Sign('-') if !after_value => level.is_negative = !level.is_negative,
            Token::Sign('(') if !after_value && depth < DEPTH => {
                (outer[depth], level) = (level, BEGIN);
                depth += 1;
            }
            Token::Sign(')') if after_value && depth > 0 => {
                depth -= 1;
                level = with_operand(outer[depth], level.sum.wrapping_add(level.term))?;
            }
            Token::Sign(sign) if after_value && sign != ')' => level.operator = sign,
            _ => return None,
        }
        after_value = matches!(token, Token::Number(_) | Token::Sign(')'));
    }
    (after_value && depth == 0).then(|| level.sum.wrapping_add(level.term))
}

fn main() -> tilewise::Result<()> {
    let text: Vec<u8> = LINES.iter().flat_map(|(line, _)| format!("{line:WIDTH$}").into_bytes()).collect();
    let text = ArrayView::read_only((LINES.len(), WIDTH), &text)?;
    // No view has an `Option` as an element: the value, and 1 if there is one.
    let answers = ArrayView::<Int2>::without_source(LINES.len())?;
    parallel_for_each!(answers.extent(), |i| {
        let line = text[i[0]];
        answers[i] = evaluate(&line).map_or(Int2::default(), |value| Int2::new(value, 1));
    })?;

    let answers = answers.into_vec()?;
    for ((line, expected), answer) in LINES.iter().zip(&answers) {
        let value = (answer.y == 1).then_some(answer.x);
        assert_eq!(value, *expected, "{line}");
        println!("{line} = {}", value.map_or("?".to_owned(), |value| value.to_string()));
    }
    tilewise_examples::record("answers", &answers);
    Ok(())
}
