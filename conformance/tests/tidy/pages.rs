//! What documentation says exists, and the kernels that it shows do what it says.

use tilewise_conformance::kir::{case, errors, scan};
use tilewise_conformance::target::SuiteTarget;
use tilewise_conformance::verdict::Verdict;

use crate::{documents, no_breach, read, root};

/// A block of code in a page.
struct Block {
    place: String,
    info: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let text = read(page);
    let mut out: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    for (line, number) in text.lines().zip(1..) {
        let fence = line.strip_prefix("```");
        match (&mut open, fence) {
            (None, Some(info)) => {
                open = Some(Block {
                    place: format!("{page}:{number}"),
                    info: info.trim().to_owned(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => out.extend(open.take()),
            (Some(block), None) => {
                block.text += line;
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    out
}

/// What is wrong with a kernel that a page shows. One with a header or with error annotations is run as a file test.
fn judge(block: &Block, accepted: bool) -> Option<String> {
    let (scanned, _) = scan::scan(&block.text);
    if !scanned.entries.is_empty() || errors::any(&scanned) {
        return match case::run(&block.place, &block.text, SuiteTarget::Reference) {
            Verdict::Pass => None,
            other => Some(other.reason().unwrap_or_default()),
        };
    }
    match (case::compile(&block.place, &block.text), accepted) {
        (Ok(_), true) | (Err(_), false) => None,
        (Ok(_), false) => Some("is accepted; take `fails` from its fence, or show what fails".to_owned()),
        (Err(rejection), true) => Some(format!("is rejected:\n{}", rejection.render(tilewise_ir::diag::Colour::Never))),
    }
}

#[test]
fn kernels_in_documentation_are_true() {
    let mut breaches = Vec::new();
    // The page on errors has a form of its own, one kernel that is wrong and one that is right, which a test of `ir` holds it to.
    for page in documents().into_iter().filter(|page| page != "docs/errors.md") {
        for block in blocks(&page) {
            let wrong = match block.info.as_str() {
                "kir" => judge(&block, true),
                "kir,fails" => judge(&block, false),
                info if info.starts_with("kir") && info != "kir,fragment" => {
                    Some(format!("`{info}` is no kind of block: `kir`, `kir,fails` or `kir,fragment`"))
                }
                _ => None,
            };
            breaches.extend(wrong.map(|wrong| format!("{}: {wrong}", block.place)));
        }
    }
    no_breach(
        "A `kir` block parses and checks (and runs, if it has a header), `kir,fails` is rejected, pieces are `kir,fragment`:",
        &breaches,
    );
}

#[cfg(feature = "import")]
#[test]
fn shaders_in_documentation_are_true() {
    let mut breaches = Vec::new();
    for page in documents() {
        let shaders = blocks(&page).into_iter().filter(|block| block.info.starts_with("wgsl"));
        for (seen, block) in shaders.enumerate() {
            // On the page on errors the first shader of a section is wrong, the second right.
            let is_wrong = if page == "docs/errors.md" { seen % 2 == 0 } else { block.info == "wgsl,fails" };
            let block = Block { place: format!("{}.wgsl", block.place), ..block };
            breaches.extend(judge(&block, !is_wrong).map(|wrong| format!("{}: {wrong}", block.place)));
        }
    }
    no_breach("A `wgsl` block is imported (and runs, if it has a header), `wgsl,fails` is refused:", &breaches);
}

/// Folders at the root that paths in documentation begin with.
const FOLDERS: [&str; 18] = [
    "ast",
    "trace",
    "ir",
    "interp",
    "lower",
    "cpu-jit",
    "gpu",
    "import",
    "header",
    "macros",
    "tilewise",
    "conformance",
    "playground",
    "cli",
    "benches",
    "examples",
    "docs",
    ".ci",
];

#[test]
fn paths_in_documentation_exist() {
    let mut breaches = Vec::new();
    for page in documents() {
        let text = read(&page);
        for (line, number) in text.lines().zip(1..) {
            let quoted = line.split('`').skip(1).step_by(2);
            for path in quoted.filter(|path| {
                let begins = path.split_once('/').is_some_and(|(first, _)| FOLDERS.contains(&first));
                begins && !path.contains([' ', '*', '<', '{', '"', '|'])
            }) {
                if !root().join(path).exists() {
                    breaches.push(format!("{page}:{number}: `{path}` does not exist; correct the path, or remove it"));
                }
            }
            for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let file = target.split('#').next().unwrap_or("");
                let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
                let outside = file.is_empty() || file.contains("://") || file.contains([' ', '`']);
                if !outside && !root().join(folder).join(file).exists() {
                    breaches.push(format!("{page}:{number}: the link to `{target}` leads nowhere"));
                }
            }
        }
    }
    no_breach("Paths and links in documentation lead to what exists:", &breaches);
}

#[test]
fn every_page_is_listed() {
    let index = read("docs/README.md");
    let pages = crate::files("docs", "md").into_iter().filter_map(|page| page.strip_prefix("docs/").map(str::to_owned));
    let pages = pages.filter(|page| page != "README.md" && page != "SUMMARY.md");
    let unlisted = pages.filter(|page| !index.contains(&format!("({page})")));
    let breaches: Vec<String> = unlisted.map(|page| format!("add {page} to docs/README.md")).collect();
    no_breach("docs/README.md lists every page:", &breaches);
}

#[test]
fn continuous_integration_runs_what_the_readme_says() {
    let readme = read("README.md");
    let command = readme.lines().find(|line| line.starts_with("cargo test"));
    let command = command.expect("README.md has a line that begins with `cargo test`: the test command");
    let script = read(".ci/run");
    let runs = script.lines().any(|line| line.trim_start().starts_with("step ") && line.ends_with(command));
    assert!(runs, "`.ci/run` does not run `{command}`, README.md's test command; make the two the same");
}
