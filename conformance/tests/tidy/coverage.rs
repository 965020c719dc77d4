//! `conformance/coverage.txt` has a line for every item of the catalogue of C++ AMP, every test that it names exists, and `docs/amp-coverage.md` is made of it.
//!
//! A test of `tilewise` whose name begins with the number of an item (`atm_2_..`, `arr_7_pfe_6_..`, `fen_1_to_3_..`) shows that item without being written down; other tests, file
//! tests and mistakes are named in the line. An item is there because of a test, or has a reason
//! where the catalogue lets a reason do; or the line says what is missing, and so does the README.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::{env, fs};

use crate::{files, no_breach, read, root};

const LIST: &str = "conformance/coverage.txt";
const PAGE: &str = "docs/amp-coverage.md";

/// The families of items, and the first and the last number of each.
const FAMILIES: [(&str, u32, u32); 34] = [
    ("IDX", 1, 10),
    ("EXT", 1, 6),
    ("TEX", 1, 5),
    ("TIX", 1, 5),
    ("BAR", 1, 9),
    ("FEN", 1, 3),
    ("MEM", 1, 10),
    ("ARR", 0, 17),
    ("AV", 0, 23),
    ("CPY", 1, 8),
    ("FUT", 1, 6),
    ("PFE", 1, 9),
    ("RST", 1, 8),
    ("RTY", 1, 7),
    ("RDC", 1, 1),
    ("RBD", 1, 6),
    ("TST", 1, 5),
    ("ATM", 1, 12),
    ("ACC", 1, 10),
    ("ACV", 1, 5),
    ("ACT", 1, 1),
    ("EXC", 1, 8),
    ("MTH", 1, 5),
    ("D3I", 1, 2),
    ("DBG", 1, 3),
    ("TEX10", 1, 5),
    ("WTV", 1, 1),
    ("TVW", 1, 1),
    ("TVC", 1, 1),
    ("SMP", 1, 3),
    ("TCP", 1, 1),
    ("NRM", 1, 5),
    ("SVC", 1, 4),
    ("T", 1, 40),
];

/// Items that are a matter of C++'s grammar or of other libraries, for which a reason does.
const REASONS: [&str; 12] =
    ["RST-1", "RST-2", "RST-4", "RST-6", "RST-8", "RDC-1", "RTY-2", "RTY-6", "RBD-4", "RBD-5", "FUT-6", "D3I-2"];

/// Families of which items may be missing, in part or altogether: of all others everything is there.
const INCOMPLETE: [&str; 6] = ["TEX10", "WTV", "TVW", "TVC", "SMP", "TCP"];

/// Items of the catalogue, so that none is lost from the lists above.
const ITEMS: usize = 239;

/// Numbers that the list of behaviours leaves out.
const NO_BEHAVIOUR: [u32; 8] = [6, 16, 20, 24, 27, 28, 32, 39];

/// Every item that needs a line.
fn items() -> Vec<String> {
    let numbers = |&(family, first, last): &(&'static str, u32, u32)| (first..=last).map(move |n| (family, n));
    let there = |&(family, n): &(&str, u32)| family != "T" || !NO_BEHAVIOUR.contains(&n);
    FAMILIES.iter().flat_map(numbers).filter(there).map(|(family, n)| format!("{family}-{n}")).collect()
}

/// A function of the tests of `tilewise`, or an entry of a list that a macro makes tests of.
struct Test {
    file: String,
    name: String,
    /// Whether it is run as a test, or only called by one.
    is_test: bool,
}

impl Test {
    /// Whether it is a test that is named by an item.
    fn shows(&self, item: &str) -> bool {
        self.is_test && numbered(&self.name).iter().any(|shown| shown == item)
    }
}

/// The name that a line begins a test or function with, if it does.
fn begun(line: &str) -> Option<(&str, bool)> {
    let text = line.trim_start().strip_prefix("pub ").unwrap_or(line.trim_start());
    if let Some(rest) = text.strip_prefix("fn ") {
        return Some((&rest[..rest.find(['(', '<'])?], false));
    }
    let name = &text[..text.find([' ', ':'])?];
    let entry = line.starts_with("    ") && !line.starts_with("     ") && text.contains(": ");
    (entry && !numbered(name).is_empty()).then_some((name, true))
}

/// Every function of the tests of `tilewise`, and every entry of a list of tests.
fn functions() -> Vec<Test> {
    let mut out: Vec<Test> = Vec::new();
    for file in files("tilewise/tests", "rs") {
        let mut marked = false;
        for line in read(&file).lines() {
            if let Some((name, listed)) = begun(line) {
                out.push(Test { file: file.clone(), name: name.to_owned(), is_test: listed || marked });
            }
            marked = line.trim() == "#[test]" || marked && line.trim_start().starts_with("#[");
        }
    }
    out
}

/// The items that a name begins with: `atm_3_..` one, `arr_7_pfe_6_..` two, `fen_1_to_3_..` three, `idx_4_and_5_..` two.
fn numbered(name: &str) -> Vec<String> {
    let words: Vec<&str> = name.split('_').collect();
    let mut out = Vec::new();
    let mut at = 0;
    while let [family, number, ..] = words[at..] {
        let family = family.to_uppercase();
        let known = FAMILIES.iter().any(|(known, ..)| *known == family);
        let Some(mut last) = number.parse::<u32>().ok().filter(|_| known) else { break };
        out.push(format!("{family}-{last}"));
        at += 2;
        while let [joint @ ("and" | "to"), number, ..] = words[at..] {
            let Ok(next) = number.parse::<u32>() else { break };
            let first = if joint == "to" { last + 1 } else { next };
            out.extend((first..=next).map(|n| format!("{family}-{n}")));
            last = next;
            at += 2;
        }
    }
    out
}

/// A line of the list.
struct Line<'a> {
    item: &'a str,
    what: &'a str,
    shown: Vec<&'a str>,
    reason: Option<&'a str>,
    /// What of the item is not there.
    missing: Option<&'a str>,
}

impl Line<'_> {
    /// Is nothing of the item there?
    fn is_absent(&self, all: &[Test]) -> bool {
        self.missing.is_some() && self.shown.is_empty() && !all.iter().any(|test| test.shows(self.item))
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| {
        let parts: Vec<&str> = row.splitn(3, '|').map(str::trim).collect();
        let [item, what, rest] = parts[..] else { panic!("{LIST}: `{row}` is not `ITEM | what | tests`") };
        let (rest, missing) = match rest.split_once("missing: ") {
            Some((tests, missing)) => (tests, Some(missing)),
            None => (rest, None),
        };
        let reason = rest.strip_prefix("reason: ");
        let shown = if reason.is_some() { Vec::new() } else { rest.split_whitespace().collect() };
        Line { item, what, shown, reason, missing }
    })
    .collect()
}

/// The path of a file that a line names, from the root: file tests lie below `conformance/kernels`, Rust tests below `tilewise/tests` or where they are said to.
fn path(named: &str) -> String {
    let file = named.split("::").next().unwrap_or(named);
    if file.ends_with(".kir") {
        format!("conformance/kernels/{file}")
    } else if root().join(file).is_file() {
        file.to_owned()
    } else {
        format!("tilewise/tests/{file}")
    }
}

/// What is wrong with a test that a line names.
fn wrong(named: &str, all: &[Test]) -> Option<String> {
    let path = path(named);
    let Ok(text) = fs::read_to_string(root().join(&path)) else {
        return Some(format!("`{named}`: there is no {path}"));
    };
    let Some((_, name)) = named.split_once("::") else {
        let whole = named.ends_with(".kir") || named.starts_with("tilewise/mistakes/");
        return (!whole).then(|| format!("`{named}` names no test of that file"));
    };
    let there = all.iter().any(|test| test.is_test && test.file == path && test.name == name)
        || (!path.starts_with("tilewise/tests/") && text.contains(&format!("fn {name}(")));
    (!there).then(|| format!("`{named}`: {path} has no such test"))
}

/// The tests of an item, by the names that the page has for them.
fn shown(line: &Line<'_>, all: &[Test]) -> BTreeSet<String> {
    let by_number = all.iter().filter(|test| test.shows(line.item)).map(|test| {
        let file = test.file.strip_prefix("tilewise/tests/").unwrap_or(&test.file);
        format!("{file}::{}", test.name)
    });
    by_number.chain(line.shown.iter().map(|named| (*named).to_owned())).collect()
}

/// A row of the page.
fn row(line: &Line<'_>, all: &[Test]) -> String {
    if let Some(reason) = line.reason {
        return format!("| {} | {} | none: {reason} |\n", line.item, line.what);
    }
    // A path from the root stands alone, so that it is seen to exist.
    let written = |test: &String| match test.split_once("::") {
        Some((file, name)) if root().join(file).is_file() => format!("`{file}` (`{name}`)"),
        _ => format!("`{test}`"),
    };
    let mut written: Vec<String> = shown(line, all).iter().map(written).collect();
    if let Some(missing) = line.missing {
        written.push(format!("**missing**: {missing}"));
    }
    format!("| {} | {} | {} |\n", line.item, line.what, written.join(" "))
}

/// The whole page.
fn page(text: &str, all: &[Test]) -> String {
    let mut out = String::from(
        "# What of C++ AMP is tested\n\n\
         Each item of the catalogue of C++ AMP's behaviours, and the tests that show it: those that `conformance/coverage.txt` names, and those\n\
         that have the item in their name. File tests (`.kir`) lie in `conformance/kernels` and run on every target of the suite; the others\n\
         lie in `tilewise/tests` and report each accelerator that they leave out. Those of `mistakes` are programs that must not compile.\n\
         What is missing is listed at its item. Written from the list: `BLESS=1 cargo test --workspace --test tidy`.\n\n\
         | family | items | with tests | of which a part is missing | missing | with a reason |\n|---|---|---|---|---|---|\n",
    );
    let mut body = String::new();
    let mut sums = [0; 5];
    for title in text.lines().filter_map(|line| line.strip_prefix("## ")) {
        let section = text.split(&format!("## {title}\n")).nth(1).and_then(|rest| rest.split("\n## ").next());
        let here = lines(section.unwrap_or_default());
        let explained = here.iter().filter(|line| line.reason.is_some()).count();
        let absent = here.iter().filter(|line| line.is_absent(all)).count();
        let partly = here.iter().filter(|line| line.missing.is_some()).count() - absent;
        let counts = [here.len(), here.len() - explained - absent, partly, absent, explained];
        let _ = writeln!(out, "| {title} | {} |", counts.map(|count| count.to_string()).join(" | "));
        let _ = write!(body, "\n## {title}\n| item | what | tests |\n|---|---|---|\n");
        body.extend(here.iter().map(|line| row(line, all)));
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let _ = writeln!(out, "| all | {} |", sums.map(|sum| sum.to_string()).join(" | "));
    out + &body
}

#[test]
fn every_item_of_the_catalogue_has_a_test() {
    let (text, all) = (read(LIST), functions());
    let lines = lines(&text);
    let mut breaches = Vec::new();
    let items = items();
    for item in &items {
        match lines.iter().filter(|line| line.item == item).count() {
            1 => {}
            0 => breaches.push(format!("{item} has no line")),
            n => breaches.push(format!("{item} has {n} lines")),
        }
    }
    for line in &lines {
        let named = all.iter().any(|test| test.shows(line.item));
        if !items.iter().any(|item| item == line.item) {
            breaches.push(format!("{} is no item of the catalogue", line.item));
        } else if line.reason.is_some() && !REASONS.contains(&line.item) {
            breaches.push(format!("{} needs a test: a reason does not do", line.item));
        } else if line.reason.is_none() && line.missing.is_none() && line.shown.is_empty() && !named {
            breaches.push(format!("{} has no test", line.item));
        }
        let family = line.item.split('-').next().unwrap_or_default();
        if line.missing.is_some() && !INCOMPLETE.contains(&family) {
            breaches.push(format!("{} may not be missing", line.item));
        }
        let wrong = line.shown.iter().filter_map(|named| wrong(named, &all));
        breaches.extend(wrong.map(|wrong| format!("{}: {wrong}", line.item)));
    }
    no_breach(
        "Every item of the catalogue has one line in conformance/coverage.txt, and a test that is there:",
        &breaches,
    );
}

#[test]
fn all_of_the_catalogue_is_listed_and_what_is_missing_stands_in_the_readme() {
    assert_eq!(items().len(), ITEMS);
    let (text, readme) = (read(LIST), read("README.md"));
    let not_yet = readme.lines().find(|line| line.starts_with("Not yet: ")).unwrap_or_default();
    let mut breaches = Vec::new();
    for line in lines(&text) {
        let Some(missing) = line.missing else { continue };
        let what = missing.split(',').next().unwrap_or_default();
        if !not_yet.contains(what) {
            breaches
                .push(format!("{}: add \"{what}\" to the line of README.md that begins with \"Not yet: \"", line.item));
        }
    }
    if !not_yet.contains(PAGE) {
        breaches.push(format!("the line of README.md that begins with \"Not yet: \" leads to {PAGE}"));
    }
    no_breach("What is missing of C++ AMP is said to be, on the first page too:", &breaches);
}

#[test]
fn numbers_are_read_from_names() {
    let cases = [
        ("atm_2_some_words", "ATM-2"),
        ("arr_7_pfe_6_an_array", "ARR-7 PFE-6"),
        ("fen_1_to_3_are_legal", "FEN-1 FEN-2 FEN-3"),
        ("idx_4_and_5_conversions", "IDX-4 IDX-5"),
        ("pfe_3_there_are_at_most_2_to_the_32_threads", "PFE-3"),
        ("rank_4_and_5", ""),
    ];
    for (name, expected) in cases {
        assert_eq!(numbered(name).join(" "), expected, "{name}");
    }
}

#[test]
fn the_page_on_coverage_is_the_list() {
    let made = page(&read(LIST), &functions());
    let path = root().join(PAGE);
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &made).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let differs = found.lines().zip(made.lines()).position(|(found, made)| found != made);
    let at = differs.unwrap_or(found.lines().count().min(made.lines().count())) + 1;
    assert!(
        found == made,
        "{PAGE}:{at} is not what {LIST} and the tests say: `BLESS=1 cargo test --workspace --test tidy` writes it anew"
    );
}
