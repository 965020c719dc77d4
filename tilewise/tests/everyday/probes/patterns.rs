//! Patterns, `Option`, `Result`, enums with fields, and `?`.

use super::*;
use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Place {
    x: i32,
    y: i32,
    depth: i32,
}

#[derive(Clone, Copy, AmpStruct)]
enum Shape {
    Empty,
    Square(i32),
    Oblong { width: i32, height: i32 },
}

#[amp]
impl Shape {
    fn area(self) -> i32 {
        match self {
            Shape::Empty => 0,
            Shape::Square(side) => side * side,
            Shape::Oblong { width, height } => width * height,
        }
    }
}

#[amp]
fn half(n: i32) -> Option<i32> {
    if n % 2 == 0 { Some(n / 2) } else { None }
}

#[amp]
fn quarter(n: i32) -> Option<i32> {
    let once = half(n)?;
    Some(half(once)? + 100)
}

#[amp]
fn digit(n: i32) -> Result<i32, u32> {
    if n < 4 { Ok(n) } else { Err(n as u32) }
}

#[amp]
fn two_digits(n: i32) -> Result<i32, u32> {
    Ok(digit(n)? * 10 + digit(n + 1)?)
}

same! {
    if_let: i32, |i| { if let Some(x) = half(i) { x } else { -1 } }

    if_let_in_a_chain: i32, |i| { if i > 1 && let Some(x) = half(i) && x != 2 { x } else { -1 } }

    let_else: i32, |i| {
        let mut sum = 0;
        for k in 0..=i {
            let Some(x) = half(k) else { continue };
            sum += x + 1;
        }
        sum
    }

    while_let: i32, |i| {
        let (mut left, mut steps) = (Some(i), 0);
        while let Some(x) = left {
            steps += x;
            left = if x > 0 { Some(x / 2) } else { None };
        }
        steps
    }

    a_name_before_a_pattern: i32, |i| {
        match i {
            low @ 0..=2 => low * 10,
            other @ (3 | 5) => -other,
            other => other,
        }
    }

    the_rest_of_an_array: i32, |i| {
        let [first, rest @ ..] = [i, i + 1, i * i];
        first * 100 + rest[0] * 10 + rest[1]
    }

    struct_patterns: i32, |i| {
        let Place { x, y: height, .. } = Place { x: i, y: i * 2, depth: 7 };
        match (Place { x, y: height, depth: 1 }) {
            Place { x: 0, .. } => -1,
            Place { x, y: 4, depth } => x + depth,
            Place { x, y, depth: _ } => x * y,
        }
    }

    tuple_patterns: i32, |i| {
        let (a, (b, _), ..) = (i, (i + 1, 0), 5, 6);
        match (a % 2, b) {
            (0, b) => b * 10,
            (_, 2) => -2,
            (odd, b) => odd + b,
        }
    }

    array_patterns: i32, |i| {
        match [i % 2, i % 3] {
            [0, 0] => 6,
            [0, b] => b,
            [a, 0 | 1] => a * 10,
            [_, last] => last * 100,
        }
    }

    patterns_of_ranges_and_choices: i32, |i| {
        match i {
            i32::MIN..=-1 => 0,
            0 | 4 => 10,
            1..3 => 20,
            3.. => 30,
        }
    }

    guards_of_arms: i32, |i| {
        match i {
            n if n % 2 == 1 => n * 3,
            n if n > 2 => n,
            _ => -1,
        }
    }

    a_question_by_a_pattern: i32, |i| {
        matches!(half(i), Some(1 | 2)) as i32 * 10 + matches!(i, 2..=4 if i != 3) as i32
    }

    options_are_values: i32, |i| {
        let mut best: Option<i32> = None;
        for k in [3, i, 4] {
            best = match best {
                Some(before) if before >= k => best,
                _ => Some(k),
            };
        }
        best.filter(|x| *x != 4).map(|x| x * 2).unwrap_or(-1)
    }

    enums_with_fields_are_values: i32, |i| {
        let mut shapes = [Shape::Empty, Shape::Square(i), Shape::Oblong { width: i, height: 3 }];
        if i == 2 {
            shapes[0] = Shape::Square(9);
        }
        let mut sum = 0;
        for shape in shapes {
            sum += shape.area();
        }
        sum
    }

    results_are_values: i32, |i| {
        match digit(i) {
            Ok(n) => n,
            Err(wrong) => -(wrong as i32),
        }
    }

    a_question_mark_of_an_option: i32, |i| { quarter(i).unwrap_or(-1) }

    a_question_mark_of_a_result: i32, |i| { two_digits(i).unwrap_or_else(|wrong| wrong as i32 * 1000) }

    several_places_are_assigned: i32, |i| {
        let (mut a, mut b) = (i, 10);
        (a, b) = (b, a + b);
        [a, _] = [a * 2, 0];
        a * 100 + b
    }
}
