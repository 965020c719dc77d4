//! Random programs about iterators with a name, each by its number.
//!
//! A program makes an iterator of one to four stages in any order, gives it a name, and asks it: by `next`, `nth`,
//! `find`, `by_ref`, by loops, by a second name, by a function. Closures may change a counter. All numbers stay small, so
//! that no operation overflows.

use std::fmt::Write as _;

/// Programs that kernels refuse, though the rules below allow them: an order of stages whose meaning is an accident of
/// Rust's library.
pub(crate) const REFUSED: &[u32] = &[1, 56, 80, 84, 107, 116];

/// The numbers of random choices: Steele's `splitmix64`.
struct RandomChoices(u64);

impl RandomChoices {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % count as u64) as usize
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A number of items.
    fn count(&mut self) -> &'static str {
        self.of(&["0", "1", "2", "3", "4", "5", "i as usize", "i as usize % 4", "(i as usize).wrapping_sub(3)"])
    }

    /// A condition on a number.
    fn condition(&mut self, x: &str) -> String {
        let condition = self.of(&[
            "X % 3 != i % 3",
            "X % 2 == 0",
            "X > i % 9",
            "X < 4",
            "(X ^ i) & 2 == 0",
            "X != 3",
            "X < i",
            "X % 4 < 3",
        ]);
        condition.replace('X', x)
    }

    /// An effect on a counter.
    fn effect(&mut self, counter: &str, x: &str) -> String {
        let effect =
            self.of(&["C = (C * 3 + X) % 100_003; ", "C += 1; ", "C ^= X & 63; ", "if X % 2 == 0 { C += X; } "]);
        effect.replace('C', counter).replace('X', x)
    }
}

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemKind {
    /// A number.
    Number,
    /// A reference to one.
    Reference,
    /// A number and its place.
    Numbered,
    /// Two numbers.
    Two,
}

impl ItemKind {
    /// The number that an item stands for.
    fn number(self) -> &'static str {
        match self {
            ItemKind::Number => "x",
            ItemKind::Reference => "*x",
            ItemKind::Numbered => "x.0 as i32 * 7 + x.1",
            ItemKind::Two => "x.0 * 2 + x.1",
        }
    }

    /// The same behind a reference to the item.
    fn lent(self) -> &'static str {
        match self {
            ItemKind::Number => "*x",
            ItemKind::Reference => "**x",
            ItemKind::Numbered | ItemKind::Two => self.number(),
        }
    }
}

/// An iterator, and what is known of it.
struct IteratorText {
    text: String,
    item: ItemKind,
    /// Does it know how many items it has, by `len`?
    exact: bool,
    /// Has it numbers in a kernel, so that it can stand in `chain` and before `rev` and `cycle`?
    counted: bool,
    /// Has it an end?
    ends: bool,
    /// Does a closure change the counter?
    acts: bool,
    /// Can it be copied?
    copies: bool,
    /// Is it a range itself?
    is_range: bool,
}

impl IteratorText {
    fn source(random: &mut RandomChoices) -> IteratorText {
        let (text, item, exact, ends) = random.of(&[
            ("a.iter().copied()", ItemKind::Number, true, true),
            ("a.iter()", ItemKind::Reference, true, true),
            ("b.into_iter()", ItemKind::Number, true, true),
            ("(0..i % 7)", ItemKind::Number, true, true),
            ("(low..high)", ItemKind::Number, true, true),
            ("(low..=high)", ItemKind::Number, false, true),
            ("(2..=i % 7)", ItemKind::Number, false, true),
            ("r.clone()", ItemKind::Number, true, true),
            ("(0..20)", ItemKind::Number, true, true),
            ("a[1..4].iter().copied()", ItemKind::Number, true, true),
            ("a.windows(2).map(|w| w[0] * 2 - w[1])", ItemKind::Number, true, true),
            ("b.chunks_exact(2).map(|c| c[0] + c[1] * 3)", ItemKind::Number, true, true),
            ("a.iter().copied().enumerate()", ItemKind::Numbered, true, true),
            ("a.iter().copied().zip(b)", ItemKind::Two, true, true),
            ("a.iter().copied().rev()", ItemKind::Number, true, true),
            ("a.iter().copied().cycle()", ItemKind::Number, false, false),
            ("(i..)", ItemKind::Number, false, false),
        ]);
        IteratorText {
            text: text.to_owned(),
            item,
            exact,
            counted: true,
            ends,
            acts: false,
            copies: true,
            is_range: ends && text.starts_with(['(', 'r']),
        }
    }

    /// Adds stages to it, behind a text that stands for it.
    fn stages(&mut self, random: &mut RandomChoices, count: usize) {
        for _ in 0..count {
            self.stage(random);
        }
        if !self.ends {
            let _ = write!(self.text, ".take({})", 3 + random.below(9));
            self.ends = true;
        }
    }

    fn stage(&mut self, random: &mut RandomChoices) {
        let (x, lent) = (self.item.number(), self.item.lent());
        let kind = random.below(if self.ends { 17 } else { 6 });
        // The counter is borrowed by one closure.
        let acts = !self.acts && random.percent(30) && (6..14).contains(&kind);
        let effect = |random: &mut RandomChoices, x: &str| if acts { random.effect("n", x) } else { String::new() };
        let text = match kind {
            0 => {
                self.exact &= self.ends;
                format!(".skip({})", if self.ends { random.count() } else { random.of(&["1", "i as usize % 4"]) })
            }
            1 => {
                let count = if self.ends { random.count() } else { random.of(&["0", "5", "i as usize"]) };
                self.ends = true;
                format!(".take({count})")
            }
            2 => format!(".step_by({})", 1 + random.below(4)),
            3 if self.item == ItemKind::Number => {
                self.item = ItemKind::Numbered;
                ".enumerate()".to_owned()
            }
            4 if self.item == ItemKind::Number && !self.acts => {
                self.item = ItemKind::Two;
                let other = random.of(&["a", "2..9", "b.into_iter().rev()", "(0..i)", "a.iter().copied().skip(1)"]);
                self.ends = true;
                format!(".zip({other})")
            }
            5 if self.item == ItemKind::Number && self.counted && self.ends => {
                self.exact = false;
                let other = random.of(&["2..5", "a", "b.into_iter().rev()", "[7, i]"]);
                format!(".chain({other})")
            }
            6 | 7 => {
                let by = 1 + random.below(3);
                let text = format!(
                    ".map(|x| {{ {}({x}) * {by} + {} }})",
                    effect(random, x),
                    random.of(&["1", "i", "0", "low"])
                );
                self.item = ItemKind::Number;
                self.counted &= !acts;
                text
            }
            8 => {
                (self.exact, self.counted) = (false, false);
                format!(".filter(|x| {{ {}{} }})", effect(random, lent), random.condition(&format!("({lent})")))
            }
            9 => {
                (self.exact, self.counted) = (false, false);
                format!(".take_while(|x| {{ {}{} }})", effect(random, lent), random.condition(&format!("({lent})")))
            }
            10 => {
                (self.exact, self.counted) = (false, false);
                format!(".skip_while(|x| {{ {}{} }})", effect(random, lent), random.condition(&format!("({lent})")))
            }
            11 | 12 => {
                (self.exact, self.counted) = (false, false);
                let method = random.of(&["map_while", "filter_map", "map_while", "flat_map"]);
                let condition = random.condition(&format!("({x})"));
                let effect = effect(random, x);
                self.item = ItemKind::Number;
                format!(".{method}(|x| {{ {effect}if {condition} {{ Some({x} + 1) }} else {{ None }} }})")
            }
            13 => {
                (self.exact, self.counted) = (false, false);
                let effect = effect(random, x);
                self.item = ItemKind::Number;
                format!(
                    ".scan(i, |t, x| {{ {effect}*t = (*t * 2 + {x}) % 101; if *t % 11 == 5 {{ None }} else {{ Some(*t) }} }})"
                )
            }
            14 => {
                self.counted &= !acts;
                format!(
                    ".inspect(|x| {{ {}let _ = x; }})",
                    if self.acts { String::new() } else { random.effect("n", lent) }
                )
            }
            15 if self.counted && self.exact => ".rev()".to_owned(),
            16 if self.item == ItemKind::Number && self.counted && !self.acts => {
                self.exact = false;
                self.ends = false;
                ".cycle()".to_owned()
            }
            _ => return,
        };
        if kind == 14 {
            self.copies &= self.acts;
            self.acts = true;
            self.counted = false;
        }
        self.acts |= acts;
        // The library's own closures around these three are no copies.
        self.copies &= !acts && ![".filter", ".skip_while"].iter().any(|method| text.starts_with(method));
        self.is_range = false;
        self.text.push_str(&text);
    }
}

/// What is asked of a name.
fn action(random: &mut RandomChoices, it: &str, of: &IteratorText) -> String {
    let (x, lent) = (of.item.number(), of.item.lent());
    let condition = random.condition(&format!("({x})"));
    let on_lent = random.condition(&format!("({lent})"));
    let acts = if random.percent(20) { random.effect("m", &format!("({x})")) } else { String::new() };
    let acts_on_lent = if random.percent(20) { random.effect("m", &format!("({lent})")) } else { String::new() };
    let (count, copied) = (random.count(), if of.item == ItemKind::Reference { ".copied()" } else { "" });
    let value = if of.item == ItemKind::Reference { "x" } else { x };
    let and =
        |choice: String, other: &str| format!("s = (s * 3 + {choice}{copied}.map_or({other}, |x| {value})) % 100_003;");
    let sum = |stages: String| format!("s = (s * 3 + {it}.by_ref(){stages}.map(|x| {x}).sum::<i32>()) % 100_003;");
    let plain_sum = |stages: String| format!("s = (s * 3 + {it}.by_ref(){stages}.sum::<i32>()) % 100_003;");
    match random.below(31) {
        0..=3 => and(format!("{it}.next()"), "-1"),
        4 => format!("for _ in 0..3 {{ {} }}", and(format!("{it}.next()"), "-1")),
        5 => and(format!("{it}.nth({count})"), "-2"),
        6 => and(format!("{it}.find(|x| {{ {acts_on_lent}{on_lent} }})"), "-3"),
        7 => format!("s = s * 3 % 100_003 + i32::from({it}.any(|x| {{ {acts}{condition} }}));"),
        8 => format!("s = s * 3 % 100_003 + i32::from({it}.all(|x| {{ {acts}{condition} }}));"),
        9 => format!("s = s * 3 % 100_003 + {it}.position(|x| {{ {acts}{condition} }}).map_or(-1, |k| k as i32);"),
        10 => format!(
            "s = s * 3 % 100_003 + {it}.find_map(|x| if {condition} {{ Some({x}) }} else {{ None }}).unwrap_or(-4);"
        ),
        11 => sum(format!(".take({count})")),
        12 => sum(format!(".skip({count}).take(2)")),
        13 => sum(format!(".step_by(2).take({count})")),
        14 => sum(format!(".take_while(|x| {{ {acts_on_lent}{on_lent} }})")),
        15 => sum(format!(".filter(|x| {{ {acts_on_lent}{on_lent} }}).take(2)")),
        16 => sum(format!(".enumerate().skip({count}).map(|(k, x)| {{ m += k as i32; x }})")),
        17 => plain_sum(format!(".map_while(|x| if {condition} {{ Some({x} * 2) }} else {{ None }})")),
        18 => format!("for x in {it}.by_ref() {{ if {condition} {{ break; }} s = (s * 2 + {x}) % 100_003; }}"),
        19 => {
            let pattern = if of.item == ItemKind::Reference { "Some(&x)" } else { "Some(x)" };
            let condition = condition.replace("(*x)", "x");
            format!(
                "while let {pattern} = {it}.next() {{ if {condition} {{ continue; }} s = (s * 2 + {value}) % 100_003; if s % 4 == 1 {{ break; }} }}"
            )
        }
        20 => {
            let end = random.of(&[
                "count() as i32",
                "fold(1, |s, x| (s * 3 + x) % 1009)",
                "max().unwrap_or(-7)",
                "min().unwrap_or(-7)",
                "last().unwrap_or(-7)",
            ]);
            format!("if i % 3 == {} {{ s += {it}.by_ref().map(|x| {x}).{end}; }}", random.below(3))
        }
        21 => format!(
            "s = s * 3 % 100_003 + {it}.try_fold(0, |s, x| {{ if s > 30 {{ Err(s) }} else {{ Ok(s + {x}) }} }}).unwrap_or_else(|e| -e);"
        ),
        22 if of.exact => format!("s = s * 3 % 100_003 + {it}.len() as i32;"),
        23 if of.exact => format!("s = s * 3 % 100_003 + {it}.by_ref().len() as i32;"),
        24 if of.item == ItemKind::Number => format!("s = s * 3 % 100_003 + first_of({it}.by_ref());"),
        25 => format!(
            "if i % 2 == 0 {{ for x in {it}.by_ref().skip({count}) {{ s = (s * 5 + {x}) % 100_003; if {condition} {{ break; }} }} }}"
        ),
        26 => format!("s = s * 3 % 100_003 + {it}.by_ref().map(|x| {x}).nth({count}).unwrap_or(-6);"),
        27 if of.copies => {
            format!("for x in {it}.clone() {{ if {condition} {{ break; }} s = (s * 2 + {x}) % 100_003; }}")
        }
        28 if of.copies => {
            format!("let mut copy = {it}.clone(); for _ in 0..3 {{ {} }}", and("copy.next()".to_owned(), "-5"))
        }
        29 if of.is_range => {
            format!("s = s * 3 % 100_003 + i32::from({it}.contains(&s)) + i32::from({it}.contains(&(i % 4)));")
        }
        30 if of.is_range => format!("s = s * 3 % 100_003 + i32::from({it}.is_empty());"),
        _ => and(format!("{it}.next()"), "-9"),
    }
}

/// What uses a name up.
fn end(random: &mut RandomChoices, it: &str, of: &IteratorText) -> String {
    let x = of.item.number();
    match random.below(9) {
        0 => format!("s += {it}.count() as i32;"),
        1 => format!("s += {it}.map(|x| {x}).sum::<i32>();"),
        2 => format!("s += {it}.map(|x| {x}).last().unwrap_or(-9);"),
        3 => format!("for x in {it} {{ s = (s * 3 + {x}) % 100_003; }}"),
        4 => format!("s += {it}.map(|x| {x}).max().unwrap_or(-9);"),
        5 if of.item == ItemKind::Number => format!("s += all_of({it});"),
        6 => format!("s += {it}.skip(1).count() as i32;"),
        7 => format!("s += {it}.fold(2, |s, x| (s * 3 + {x}) % 1009);"),
        _ => String::new(),
    }
}

/// The program of this number.
pub(crate) fn program(number: u32) -> Vec<String> {
    let mut random = RandomChoices(u64::from(number) << 20);
    let mut lines: Vec<String> = [
        "let (a, b) = ([3, 1, 4, i, 5, 9], [2, 7, i % 5, 1]);",
        "let (low, high) = (i % 5, i / 2 + 1);",
        "let r = low..i + 2;",
        "let (mut n, mut m, mut s) = (0, 0, 0);",
        "{",
    ]
    .map(str::to_owned)
    .into();
    let is_repeated = random.percent(20);
    if is_repeated {
        lines.push("for _ in 0..2 {".to_owned());
    }
    let mut iterator = IteratorText::source(&mut random);
    let stages = random.below(5);
    iterator.stages(&mut random, stages);
    let names = 1 + random.below(3);
    for (k, name) in ["it", "rest", "others"].iter().copied().take(names).enumerate() {
        lines.push(format!("let mut {name} = {};", iterator.text));
        for _ in 0..1 + random.below(12 / (names * names)) {
            lines.push(action(&mut random, name, &iterator));
        }
        if k + 1 == names {
            lines.push(end(&mut random, name, &iterator));
            break;
        }
        iterator.text = name.to_owned();
        iterator.counted = false;
        if random.percent(25) {
            iterator.text.push_str(".by_ref()");
            (iterator.copies, iterator.is_range) = (false, false);
        }
        iterator.stages(&mut random, 1);
        if iterator.text == name {
            iterator.text.push_str(".skip(1)");
            iterator.is_range = false;
        }
    }
    if is_repeated {
        lines.push("}".to_owned());
    }
    lines.push("}".to_owned());
    lines.push("s * 31 + n % 1009 + m % 1013 * 7".to_owned());
    lines.retain(|line| !line.is_empty());
    lines
}

/// Adds a line, on several if it is long.
fn wrapped(text: &mut String, line: &str) {
    let mut width = 0;
    for word in line.split(' ') {
        if width == 0 || width + word.len() > 110 {
            if width > 0 {
                text.push('\n');
            }
            let indent = if width == 0 { 8 } else { 12 };
            text.extend(std::iter::repeat_n(' ', indent));
            width = indent;
        } else {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text.push('\n');
}

/// The programs of these numbers, each as one of `same!`.
pub(crate) fn programs(numbers: impl Iterator<Item = u32>) -> String {
    let mut text = String::new();
    for number in numbers.filter(|number| !REFUSED.contains(number)) {
        let _ = writeln!(text, "    program_{number}: i32, |i| {{");
        for line in program(number) {
            wrapped(&mut text, &line);
        }
        text.push_str("    }\n");
    }
    text
}

/// The first lines of a file.
const HEAD: &str = "//! Programs that `generator.rs` makes.\n\nuse tilewise::ArrayView;\nuse tilewise::prelude::*;\n\nuse super::plain_rust::on_all;\n\n";

/// The functions that the programs call.
const FUNCTIONS: &str = "#[amp]
fn first_of(mut it: impl Iterator<Item = i32>) -> i32 {
    let first = it.next().unwrap_or(3);
    first * 2 + it.next().unwrap_or(5)
}

#[amp]
fn all_of(mut it: impl Iterator<Item = i32>) -> i32 {
    let first = it.next().unwrap_or(3);
    it.fold(first, |s, x| (s * 2 + x) % 1009)
}

";

/// A module with the programs of these numbers.
pub(crate) fn file(numbers: impl Iterator<Item = u32>) -> String {
    format!("{HEAD}{FUNCTIONS}same! {{\n{}}}\n", programs(numbers))
}
