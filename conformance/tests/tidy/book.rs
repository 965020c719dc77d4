//! The pages as a book: its table of contents names each page once, and links lead to what the book has.
//!
//! mdBook copies the folder `docs` alone, so a page links to pages and pictures of that folder, and names any other file
//! by its path.

use std::collections::BTreeMap;

use crate::{documents, files, no_breach, read, root};

/// The table of contents, which is no page itself.
const SUMMARY: &str = "docs/SUMMARY.md";

/// The lines of a page outside of its blocks of code, with their numbers.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut within = false;
    let mut out = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if line.trim_start().starts_with("```") {
            within = !within;
        } else if !within {
            out.push((number, line));
        }
    }
    out
}

/// The targets of the links in a line; code in it has none.
fn targets(line: &str) -> Vec<String> {
    let text: String = line.split('`').step_by(2).collect();
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target.to_owned()).collect()
}

/// The fragment that leads to a heading, on GitHub and in the book.
fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// The fragments of a page. Of headings with one text the second ends in `-1`, the next in `-2`.
fn fragments(text: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut out = Vec::new();
    for (_, line) in prose(text) {
        let heading = line.trim_start_matches('#');
        if heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let slug = slug(heading);
        let times = seen.entry(slug.clone()).or_default();
        out.push(if *times == 0 { slug } else { format!("{slug}-{times}") });
        *times += 1;
    }
    out
}

/// The path from the root that a link leads to, without its fragment: `docs/a.md` and `../b.md` give `b.md`. Nothing if
/// it leaves the repository.
fn resolved(page: &str, file: &str) -> Option<String> {
    if file.is_empty() {
        return Some(page.to_owned());
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// What is wrong with a link of a page.
fn misled(page: &str, target: &str) -> Option<String> {
    let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
    let Some(path) = resolved(page, file).filter(|path| root().join(path).exists()) else {
        return Some("leads nowhere".to_owned());
    };
    if page.starts_with("docs/") && !path.starts_with("docs/") {
        return Some(format!("leaves the book; name the file by its path, `{path}`"));
    }
    if fragment.is_empty() {
        return None;
    }
    let has = path.ends_with(".md") && fragments(&read(&path)).iter().any(|known| known == fragment);
    (!has).then(|| format!("names no heading of {path}"))
}

#[test]
fn the_table_of_contents_names_every_page_once() {
    let text = read(SUMMARY);
    let named: Vec<String> = prose(&text).into_iter().flat_map(|(_, line)| targets(line)).collect();
    let pages = files("docs", "md").into_iter().filter(|page| page != SUMMARY);
    let mut breaches = Vec::new();
    for page in pages {
        let name = page.strip_prefix("docs/").unwrap_or(&page);
        match named.iter().filter(|named| *named == name).count() {
            0 => breaches.push(format!("add {name}, in the part that a reader looks for it in")),
            1 => {}
            times => breaches.push(format!("{name} is named {times} times; leave it in one part")),
        }
    }
    let missing = named.iter().filter(|name| !root().join("docs").join(name).is_file());
    breaches.extend(missing.map(|name| format!("{name} does not exist; correct the name, or remove it")));
    no_breach(&format!("{SUMMARY} names every page of docs once:"), &breaches);
}

#[test]
fn links_lead_to_headings_and_stay_in_the_book() {
    let mut breaches = Vec::new();
    for page in documents() {
        for (number, line) in prose(&read(&page)) {
            for target in targets(line).into_iter().filter(|target| !target.contains("://")) {
                let wrong = misled(&page, &target);
                breaches.extend(wrong.map(|wrong| format!("{page}:{number}: the link `{target}` {wrong}")));
            }
        }
    }
    no_breach("Links of pages lead to a file of the book and to a heading that it has:", &breaches);
}

#[test]
fn the_book_is_made_of_this_folder() {
    let settings = read("docs/book.toml");
    for line in ["src = \".\"", "build-dir = \"../target/book\"", "create-missing = false"] {
        assert!(settings.lines().any(|setting| setting == line), "docs/book.toml has no line `{line}`");
    }
}

#[test]
fn links_and_headings_are_read_as_markdown_has_them() {
    assert_eq!(targets("see [a](b.md#c), `[=](x)` and ![d](e.png)"), ["b.md#c", "e.png"]);
    assert_eq!(slug("print!, error!, abort!"), "print-error-abort");
    assert_eq!(slug("`tile_static` memory"), "tile_static-memory");
    assert_eq!(fragments("# A b\n```sh\n# no heading\n```\n## A b\n#no heading\n"), ["a-b", "a-b-1"]);
    assert_eq!(resolved("docs/a.md", "../examples/b.md").as_deref(), Some("examples/b.md"));
    assert_eq!(resolved("docs/a.md", "../../b.md"), None);
    assert_eq!(resolved("README.md", "docs/a.md").as_deref(), Some("docs/a.md"));
    assert_eq!(resolved("docs/a.md", "").as_deref(), Some("docs/a.md"));
}
