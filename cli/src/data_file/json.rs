//! JSON: numbers, alone or in lists, lists of lists of equal lengths, and so on.

use serde_json::Value;
use tilewise::ir::launch::element_count;

/// The lengths of the lists, and all numbers as words.
pub(super) fn read(bytes: &[u8]) -> Result<(Vec<u64>, Vec<String>), String> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let mut shape = Vec::new();
    let mut first = &value;
    while let Value::Array(list) = first {
        shape.push(list.len() as u64);
        let Some(next) = list.first() else { break };
        first = next;
    }
    let mut words = Vec::new();
    let text = String::from_utf8_lossy(bytes);
    take(&value, &shape, &mut written_numbers(&text), &mut words)?;
    Ok((shape, words))
}

/// The numbers of a text of JSON as they are written: a float of 32 bits would be rounded twice on the way
/// through one of 64.
fn written_numbers(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit())?;
            rest = &rest[at..];
            if let Some(word) = rest.strip_prefix('"') {
                rest = behind_string(word);
                continue;
            }
            let is_of_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
            let length = rest.find(|c| !is_of_number(c)).unwrap_or(rest.len());
            let (number, after) = rest.split_at(length);
            rest = after;
            return Some(number);
        }
    })
}

/// What follows the end of a string.
fn behind_string(mut text: &str) -> &str {
    while let Some(at) = text.find(['"', '\\']) {
        let is_end = text.as_bytes()[at] == b'"';
        text = &text[at + 1..];
        if is_end {
            return text;
        }
        // The character behind a `\` is none that ends the string.
        let mut rest = text.chars();
        rest.next();
        text = rest.as_str();
    }
    ""
}

/// Takes the numbers of a value that is to have this shape.
fn take(
    value: &Value,
    shape: &[u64],
    numbers: &mut dyn Iterator<Item = &str>,
    words: &mut Vec<String>,
) -> Result<(), String> {
    match (value, shape) {
        (Value::Array(list), [length, rest @ ..]) => {
            if list.len() as u64 != *length {
                return Err(format!("a list has {} parts, and the first of its kind has {length}", list.len()));
            }
            list.iter().try_for_each(|part| take(part, rest, numbers, words))
        }
        (Value::Array(_), []) => Err("a list stands in place of a number".to_owned()),
        (_, [_, ..]) => Err("a number stands in place of a list".to_owned()),
        (Value::Number(number), []) => {
            words.push(numbers.next().map_or_else(|| number.to_string(), str::to_owned));
            Ok(())
        }
        (Value::Bool(truth), []) => {
            words.push(truth.to_string());
            Ok(())
        }
        (Value::String(word), []) => {
            words.push(word.clone());
            Ok(())
        }
        (Value::Null | Value::Object(_), []) => Err("there is something that is no number".to_owned()),
    }
}

/// Nested lists of these words; nothing if there were more than `most` of the innermost lists. They are no more than
/// the words, unless they are empty.
pub(super) fn write(shape: &[u64], words: &[String], most: u64) -> Option<String> {
    let outer = shape.split_last().map_or(shape, |(_, outer)| outer);
    let lists = outer.iter().take_while(|&&length| length > 0);
    let lists = lists.fold(1, |lists: u64, &length| lists.saturating_mul(length));
    if lists > most {
        return None;
    }
    let mut out = String::new();
    nested(shape, words, &mut out);
    out.push('\n');
    Some(out)
}

fn nested(shape: &[u64], words: &[String], out: &mut String) {
    let [length, rest @ ..] = shape else {
        out.push_str(words.first().map_or("0", String::as_str));
        return;
    };
    let each = element_count(rest.iter().copied()).unwrap_or(0) as usize;
    out.push('[');
    for i in 0..*length as usize {
        if i > 0 {
            out.push_str(", ");
        }
        nested(rest, words.get(i * each..).unwrap_or(&[]), out);
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_nest_and_come_back() {
        for (text, shape, count) in [
            ("3", vec![], 1),
            ("[1, 2.5, \"nan\"]", vec![3], 3),
            ("[[1, 2], [3, 4], [5, 6]]", vec![3, 2], 6),
            ("[]", vec![0], 0),
        ] {
            let (found, words) = read(text.as_bytes()).expect("it is read");
            assert_eq!((&found, words.len()), (&shape, count), "{text}");
            let again = write(&found, &words, 3).expect("it has 3 lists").replace("nan", "\"nan\"");
            assert_eq!(read(again.as_bytes()), Ok((found, words)));
        }
    }

    #[test]
    fn an_extent_without_numbers_has_no_more_lists_than_are_allowed() {
        let most = i32::MAX as u64;
        for (shape, text) in [
            (vec![3, 0], Some("[[], [], []]\n")),
            (vec![3, 0, 5], Some("[[], [], []]\n")),
            (vec![0, most, most, most], Some("[]\n")),
            (vec![2, 0, most, most, most], Some("[[], []]\n")),
            (vec![4, 0], None),
            (vec![2, 2, 0, 1], None),
            (vec![most, 0], None),
            (vec![most, most, most, 0], None),
        ] {
            assert_eq!(write(&shape, &[], 3).as_deref(), text, "{shape:?}");
        }
    }

    #[test]
    fn numbers_are_taken_as_they_are_written() {
        let text = "[[1.0000000596046447753906249999, -0.0], [\"\\\"-7\\\\\", 12e-3], [true, 9007199254740993]]";
        let (shape, words) = read(text.as_bytes()).expect("it is read");
        assert_eq!(shape, [3, 2]);
        assert_eq!(words, ["1.0000000596046447753906249999", "-0.0", "\"-7\\", "12e-3", "true", "9007199254740993"]);
    }

    #[test]
    fn what_is_no_list_of_numbers_is_refused() {
        for (text, word) in [
            ("[1, [2]]", "in place of a number"),
            ("[[1], 2]", "in place of a list"),
            ("[[1, 2], [3]]", "has 1 parts"),
            ("[null]", "no number"),
            ("{\"a\": 1}", "no number"),
            ("[1,", "EOF"),
        ] {
            let message = read(text.as_bytes()).expect_err(text);
            assert!(message.contains(word), "{text}: {message}");
        }
    }
}
