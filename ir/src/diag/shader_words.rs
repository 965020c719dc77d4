//! The words of shaders: a report about an imported shader speaks of invocations and workgroups, in
//! the order x, y, z, as its author does.
//!
//! Reports are written in the words of the kernel language. Code stands between backquotes and is
//! left as it is, but for the barriers that a help suggests.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Diagnostic, SourceLabel};
use crate::pos::Sources;

/// Is a source the text of a shader, or of a script of Amber that holds some?
pub fn is_shader(name: &str) -> bool {
    name.ends_with(".wgsl") || name.ends_with(".spv") || name.ends_with(".amber")
}

/// The report in the words of its source.
pub(super) fn in_words_of<'a>(report: &'a Diagnostic, sources: &Sources) -> Cow<'a, Diagnostic> {
    let source = |label: &SourceLabel| sources.list.get(label.pos.source as usize);
    let of_shader = |label: &SourceLabel| source(label).is_some_and(|source| is_shader(&source.name));
    if !report.labels.iter().any(of_shader) {
        return Cow::Borrowed(report);
    }
    let mut out = report.clone();
    let shader = report.labels.iter().find(|label| of_shader(label)).and_then(source);
    let own = shader.and_then(|shader| shader.text.as_deref()).map(words_of);
    let texts = out.labels.iter_mut().map(|label| &mut label.text);
    for text in texts.chain([&mut out.message]).chain(&mut out.notes).chain(&mut out.helps) {
        *text = shader_words(text);
        if let Some(own) = &own {
            *text = with_own_names(text, own);
        }
    }
    Cow::Owned(out)
}

/// The words of a text.
fn words_of(text: &str) -> HashSet<&str> {
    text.split(|c: char| !is_inside(c)).filter(|word| !word.is_empty()).collect()
}

/// A text in which variables have the names of the shader: where a kernel cannot have a name, or has it already, it
/// has another, `copy_` and `x_2`.
fn with_own_names(text: &str, own: &HashSet<&str>) -> String {
    let of_shader = |word: &str| {
        if own.contains(word) {
            return None;
        }
        let (name, number) = word.rsplit_once('_')?;
        let is_renamed = number.bytes().all(|b| b.is_ascii_digit());
        let name = if own.contains(name) { name } else { name.strip_suffix('_')? };
        (is_renamed && own.contains(name)).then(|| name.to_owned())
    };
    let parts = text.split('`').enumerate().map(|(i, part)| {
        if i % 2 == 0 {
            part.to_owned()
        } else {
            with_words(part, |out, word| *out += of_shader(word).as_deref().unwrap_or(word))
        }
    });
    parts.collect::<Vec<_>>().join("`")
}

/// A text with other words: `turn` appends the one for each word to what is there so far.
fn with_words(text: &str, turn: impl Fn(&mut String, &str)) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match is_inside(first) {
            true => rest.find(|c| !is_inside(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        turn(&mut out, word);
        rest = after;
    }
    out
}

fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whole pieces of text, and what stands in their place.
const PIECES: [(&str, &str); 4] = [
    ("`barrier;` or `barrier(tile_static);`", "`workgroupBarrier();`"),
    ("`barrier;` or `barrier(global);`", "`storageBarrier();`"),
    ("`tile_static` variables", "variables in workgroup memory"),
    (", or of an untiled kernel,", ""),
];

/// Words outside of code.
const WORDS: [(&str, &str); 7] = [
    ("thread", "invocation"),
    ("threads", "invocations"),
    ("tile", "workgroup"),
    ("tiles", "workgroups"),
    ("tile_static", "workgroup"),
    ("kernel", "shader"),
    ("kernels", "shaders"),
];

/// A text of a report in the words of shaders.
pub fn shader_words(text: &str) -> String {
    let text = PIECES.iter().fold(with_local_ids(text), |text, (from, to)| text.replace(from, to));
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(i, part)| if i % 2 == 0 { turned(&words(part)) } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("`")
}

fn words(text: &str) -> String {
    with_words(text, |out, word| {
        let word = WORDS.iter().find(|(from, _)| *from == word).map_or(word, |(_, to)| to);
        if word == "invocation" && (out == "a " || out.ends_with(" a ")) {
            out.insert(out.len() - 1, 'n');
        }
        *out += word;
    })
}

/// Positions of threads in their tiles as ids of invocations: `local` [0, 0, 1] is (1, 0, 0).
fn with_local_ids(text: &str) -> String {
    let mut pieces = text.split("with `local` [");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let list = piece.split_once(']');
        let numbers = list.map(|(list, _)| list.split(", ").collect::<Vec<_>>()).unwrap_or_default();
        match (list, numbers.as_slice()) {
            (Some((_, after)), [z, y, x]) => out += &format!("with `local_invocation_id` ({x}, {y}, {z}){after}"),
            _ => out += &format!("with `local` [{piece}"),
        }
    }
    out
}

/// Three numbers in parentheses behind what has such an index, in the opposite order: indices of domains have x last.
/// Other numbers are left as they are: a vector that is written.
fn turned(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('(') {
        out += before;
        let list = inside.split_once(')');
        let numbers = list.map(|(list, _)| list.split(", ").collect::<Vec<_>>()).unwrap_or_default();
        let has_index = before.ends_with("invocation ") || before.ends_with("workgroup ");
        let is_index = has_index && numbers.len() == 3 && numbers.iter().all(|number| number.parse::<i64>().is_ok());
        match list {
            Some((_, after)) if is_index => {
                out += &format!("({}, {}, {})", numbers[2], numbers[1], numbers[0]);
                rest = after;
            }
            _ => {
                out.push('(');
                rest = inside;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Code, Colour, render};
    use crate::pos::Pos;

    #[test]
    fn articles_fit_their_words() {
        let turned = shader_words("a thread of a tile; Data thread, a `thread`");
        assert_eq!(turned, "an invocation of a workgroup; Data invocation, a `thread`");
    }

    #[test]
    fn only_indices_have_another_order() {
        let turned = shader_words("thread (1, 2, 3) writes it ((4, 5, 6)) here; the threads of tile (7, 8, 9)");
        assert_eq!(turned, "invocation (3, 2, 1) writes it ((4, 5, 6)) here; the invocations of workgroup (9, 8, 7)");
        let turned =
            shader_words("the thread with `local` [1, 2, 3] waits, and the thread with `local` [4, 5, 6] ends");
        let ids = "the invocation with `local_invocation_id` (3, 2, 1) waits, and the invocation with \
            `local_invocation_id` (6, 5, 4) ends";
        assert_eq!(turned, ids);
    }

    #[test]
    fn a_report_about_a_shader_speaks_of_workgroups() {
        let report = Diagnostic::new(Code::K0802, "a data race on `tile[4]` between threads of a tile")
            .at(Pos { source: 0, line: 1, column: 1, length: 4 }, "thread (0, 2, 4) writes it (4) here")
            .help("put `barrier;` or `barrier(tile_static);` between the two accesses");
        let shown =
            |name| render(std::slice::from_ref(&report), &Sources::one(name, Some("tile[i] = 4;")), Colour::Never);
        expect_test::expect![[r#"
            error[K0802]: a data race on `tile[4]` between invocations of a workgroup
             --> blur.wgsl:1:1
              |
            1 | tile[i] = 4;
              | ^^^^ invocation (4, 2, 0) writes it (4) here
              |
              = help: put `workgroupBarrier();` between the two accesses
        "#]]
        .assert_eq(&shown("blur.wgsl"));
        assert!(shown("blur.amber").contains("invocation (4, 2, 0)"));
        assert!(shown("blur.kir").contains("thread (0, 2, 4)"));
    }

    #[test]
    fn variables_have_the_names_of_the_shader() {
        let own = words_of("var<workgroup> copy: u32; let own_ = copy; let x = own_; let y_3 = x;");
        let named = |text| with_own_names(text, &own);
        assert_eq!(named("a race on `copy_[1]` and `copy_.x`, `copy__2`"), "a race on `copy[1]` and `copy.x`, `copy`");
        assert_eq!(named("`own_`, `x_2`, `y_3`, `z_2`, `_`, x_2"), "`own_`, `x`, `y_3`, `z_2`, `_`, x_2");
    }
}
