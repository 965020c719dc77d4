//! Library functions: kernel text that comes with the crate. A call of `library::name` that the
//! file does not declare links the function into the kernel on first use, with the library items
//! that it needs.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use super::lex::{TextToken, lex_lines};
use super::parse::{LibraryEntry, Parser};
use crate::build::{Builder, LinkedItem};
use crate::diag::{Code, Diagnostic};
use crate::fault::{self, Fault};
use crate::kernel::FunctionId;
use crate::math::{LibraryText, MathLibrary};
use crate::pos::Source;

/// The libraries of [`math`](crate::math), and in tests one of this module. A text has structs,
/// tables and functions and no kernel. A declaration `fn math::name` is public to kernels; `fn
/// name` is private to the library.
fn declared() -> impl Iterator<Item = &'static MathLibrary> {
    let own: &[MathLibrary] = &[
        #[cfg(test)]
        tests::LIBRARY,
    ];
    crate::math::LIBRARIES.iter().chain(own)
}

/// A library, split into items and indexed.
pub(super) struct Library {
    name: &'static str,
    /// One for each text.
    sources: Vec<Source>,
    items: Vec<LibraryItem>,
    /// Items by kind and name, without the library's prefix.
    index: HashMap<(&'static str, String), usize>,
}

/// An item's lines, lexed on first use: a kernel rarely needs more than a few.
struct LibraryItem {
    item: LibraryEntry,
    text: &'static str,
    /// The number of its source.
    source: usize,
    /// The number of its first line.
    line: u32,
    words: OnceLock<(Vec<TextToken<'static>>, Vec<Diagnostic>)>,
}

impl LibraryItem {
    fn words(&'static self) -> (&'static [TextToken<'static>], &'static [Diagnostic]) {
        let (tokens, reports) = self.words.get_or_init(|| {
            let (tokens, reports) = lex_lines(self.text, self.line);
            (tokens, reports.into_parts().0)
        });
        (tokens, reports)
    }
}

/// The items of a text, without parsing them. An item begins with its keyword at the start of a
/// line.
fn parts(text: &'static str, source: usize) -> Vec<LibraryItem> {
    let mut starts = Vec::new();
    let (mut at, mut line) = (0, 1);
    for whole in text.split_inclusive('\n') {
        let kind = ["struct", "const", "fn"]
            .into_iter()
            .find(|&kind| whole.strip_prefix(kind).is_some_and(|rest| rest.starts_with(' ')));
        if let Some(kind) = kind {
            let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
            let path = whole[kind.len()..].trim_start();
            let path = &path[..path.find(|c| !is_path(c)).unwrap_or(path.len())];
            // For `const name: type` without the colon.
            starts.push((at, line, kind, path.trim_end_matches(':')));
        }
        at += whole.len();
        line += 1;
    }
    let ends = starts.iter().skip(1).map(|start| start.0).chain([text.len()]);
    let part = |(&(at, line, kind, name), end): (&(usize, u32, &'static str, &str), usize)| LibraryItem {
        item: LibraryEntry { kind, name: name.to_owned() },
        text: &text[at..end],
        source,
        line,
        words: OnceLock::new(),
    };
    starts.iter().zip(ends).map(part).collect()
}

/// The text of a library, with the mistake of a planted fault.
fn planted_text(text: &'static str) -> &'static str {
    for (fault, right, wrong) in [
        (Fault::RestOfExponent, "- exact_product(k, 0x1.7f7cp-20)", "+ k * 0x0p+0"),
        (Fault::SplitOfSubnormals, "x < 0x1p-126", "x < 0x0p+0"),
        (Fault::LogarithmTail, " - exact_product(e, 0x1.7f7cp-20)", ""),
    ] {
        if fault::planted(fault) {
            return text.replace(right, wrong).leak();
        }
    }
    text
}

fn libraries() -> &'static [Library] {
    static ALL: OnceLock<Vec<Library>> = OnceLock::new();
    ALL.get_or_init(|| declared().map(Library::new).collect())
}

impl Library {
    fn new(declared: &MathLibrary) -> Library {
        let name = declared.name;
        let items: Vec<_> =
            declared.texts.iter().enumerate().flat_map(|(i, of)| parts(planted_text(of.text), i)).collect();
        let short = |item: &LibraryEntry| {
            item.name.strip_prefix(name).and_then(|rest| rest.strip_prefix("::")).unwrap_or(&item.name).to_owned()
        };
        let index = items.iter().enumerate().map(|(i, part)| ((part.item.kind, short(&part.item)), i)).collect();
        let source = |of: &LibraryText| Source { name: format!("{}.kir", of.name).into(), text: Some(of.text.into()) };
        let sources = declared.texts.iter().map(source).collect();
        Library { name, sources, items, index }
    }

    /// The item of a kind called `name` or `library::name`.
    pub(super) fn find(&'static self, kind: &'static str, name: &str) -> Option<usize> {
        let short = name.strip_prefix(self.name).and_then(|rest| rest.strip_prefix("::")).unwrap_or(name);
        self.index.get(&(kind, short.to_owned())).copied()
    }

    /// Links an item into a kernel, unless it is already there. Returns its id in the kernel, and
    /// reports if the library itself has an error.
    pub(super) fn link(&'static self, b: &mut Builder, item: usize) -> (LinkedItem, Vec<Diagnostic>) {
        let part = &self.items[item];
        let item = &part.item;
        let key = (self.name, item_key(item));
        if let Some(&linked) = b.linked.get(&key) {
            return (linked, Vec::new());
        }
        let full_name =
            if item.name.contains("::") { item.name.clone() } else { format!("{}::{}", self.name, item.name) };
        let source = b.source(self.sources[part.source].clone());
        let (tokens, stray) = part.words();
        let mut parser = Parser::new(tokens, source, b, Some(self));
        let read = parser.library_item(item, &full_name, |parser, linked| {
            parser.b.linked.insert(key, linked);
        });
        let mut reports = std::mem::take(&mut parser.reports);
        if read.is_err() {
            b.linked.insert(key, LinkedItem::Broken);
            reports.extend(stray.iter().cloned().map(|mut report| {
                report.labels.iter_mut().for_each(|label| label.pos.source = source);
                report
            }));
        }
        (b.linked.get(&key).copied().unwrap_or(LinkedItem::Broken), reports)
    }
}

/// Structs, tables and functions of a library have distinct names, so the name suffices as a key.
fn item_key(item: &'static LibraryEntry) -> &'static str {
    &item.name
}

/// The library that has a function of this path, and the index of the function's item.
pub(super) fn find(path: &str) -> Option<(&'static Library, usize)> {
    let (library, _) = path.split_once("::")?;
    let library = libraries().iter().find(|l| l.name == library)?;
    library.find("fn", path).filter(|&item| library.items[item].item.name == path).map(|item| (library, item))
}

/// A library of a front end: kernels get its functions only from the front end, by
/// [`link`](FunctionLibrary::link), and texts cannot call them.
pub struct FunctionLibrary(Library);

impl fmt::Debug for FunctionLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FunctionLibrary({})", self.0.name)
    }
}

impl FunctionLibrary {
    /// Splits the texts into items; an item is parsed when it is linked first.
    pub fn new(declared: &MathLibrary) -> FunctionLibrary {
        FunctionLibrary(Library::new(declared))
    }

    /// Links the function called `path` into the kernel, with its dependencies, unless it is already
    /// there. The reports if there is no such function, or an error in it.
    pub fn link(&'static self, b: &mut Builder, path: &str) -> Result<FunctionId, Vec<Diagnostic>> {
        let Some(item) = self.0.find("fn", path) else {
            return Err(vec![Diagnostic::new(Code::K0002, format!("no function has the name `{path}`"))]);
        };
        match self.0.link(b, item) {
            (LinkedItem::Function(id), reports) if reports.is_empty() => Ok(id),
            (_, reports) => Err(reports),
        }
    }
}

/// The paths of all public functions of the libraries.
pub fn functions() -> impl Iterator<Item = &'static str> {
    libraries()
        .iter()
        .flat_map(|library| {
            library.items.iter().filter(|part| part.item.kind == "fn").map(|part| part.item.name.as_str())
        })
        .filter(|name| name.contains("::"))
}

/// Links the library function called `path` into the kernel, with its dependencies, unless it is
/// already there. `None` if there is no such function.
pub fn link(b: &mut Builder, path: &str) -> Option<FunctionId> {
    let (library, item) = find(path)?;
    match library.link(b, item) {
        (LinkedItem::Function(id), reports) if reports.is_empty() => Some(id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::text::{parse, print};

    use crate::math::{LibraryText, MathLibrary};

    pub(super) const LIBRARY: MathLibrary = MathLibrary {
        name: "test_math",
        texts: &[LibraryText { name: "test_math", text: FIRST }, LibraryText { name: "test_more", text: SECOND }],
    };

    const FIRST: &str = "struct Pair { first: f32, second: f32 }
const halves: [Pair; 2] = [{0.5, 0.25}, {0.125, 0.0625}];
fn test_math::half(x: f32, i: i32) -> f32 { return helper(x) * halves[i].first; }
fn test_math::quarter(x: f32) -> f32 { return test_math::half(x, 0) * halves[0].first; }
fn test_math::broken(x: f32) -> f32 { return y; }
";

    const SECOND: &str = "
fn helper(x: f32) -> f32 { return x; }
";

    const USER: &str = "kernel k(v: view<f32, 1, read_write>) rank(1) {
    v[0] = test_math::quarter(v[1]) + test_math::half(v[2], 1);
}
";

    #[test]
    fn a_library_function_comes_with_what_it_needs_once() {
        let kernel = parse("user.kir", USER).unwrap_or_else(|failure| panic!("{failure}"));
        expect_test::expect![[r#"
            struct Pair size(8) align(4) { first: f32 @ 0, second: f32 @ 4 }

            const halves: [Pair; 2] = [{0.5, 0.25}, {0.125, 0.0625}];

            fn test_math::quarter(x: f32) -> f32 {
                return test_math::half(x, 0) * halves[0].first;
            }

            fn test_math::half(x: f32, i: i32) -> f32 {
                return test_math::helper(x) * halves[i].first;
            }

            fn test_math::helper(x: f32) -> f32 {
                return x;
            }

            kernel k(v: view<f32, 1, read_write>) rank(1) {
                v[0] = test_math::quarter(v[1]) + test_math::half(v[2], 1);
            }
        "#]]
        .assert_eq(&print(&kernel));
        let again = parse("again.kir", &print(&kernel)).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(kernel, again, "a printed kernel uses its own copies");
    }

    #[test]
    fn positions_point_into_the_library() {
        let kernel = parse("user.kir", USER).unwrap_or_else(|failure| panic!("{failure}"));
        let shown: Vec<_> = kernel.functions().iter().filter_map(|f| kernel.sources().show(f.pos())).collect();
        expect_test::expect!["test_math.kir:4:4 test_math.kir:3:4 test_more.kir:2:4"].assert_eq(&shown.join(" "));
    }

    #[test]
    fn every_library_function_can_be_taken_in() {
        for path in super::functions().filter(|path| *path != "test_math::broken") {
            let mut b = crate::build::Builder::new("k", 1, None);
            assert!(super::link(&mut b, path).is_some(), "{path}");
            let kernel = b.finish();
            let again = parse("printed", &print(&kernel)).unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!(kernel, again, "{path}");
        }
    }

    #[test]
    fn names_are_unique_over_the_texts_of_a_library() {
        for library in super::libraries() {
            assert_eq!(library.index.len(), library.items.len(), "{} has two items of one name", library.name);
        }
        let mut names: Vec<_> = super::declared().flat_map(|library| library.texts).map(|text| text.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "two texts have one name");
    }

    #[test]
    fn helpers_of_a_library_are_its_own() {
        let text = "kernel k() rank(1) { let x = test_math::helper(1.0); }";
        assert!(parse("user.kir", text).is_err());
    }

    #[test]
    fn linking_by_hand_gives_the_same_function_twice() {
        let mut b = crate::build::Builder::new("k", 1, None);
        let first = super::link(&mut b, "test_math::half");
        assert!(first.is_some());
        assert_eq!(first, super::link(&mut b, "test_math::half"));
        assert_eq!(super::link(&mut b, "test_math::broken"), None);
        assert_eq!(super::link(&mut b, "test_math::none"), None);
    }
}
