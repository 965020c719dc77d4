//! The functions of the math libraries for the host, `tilewise/src/kernel/math/host`, are those that
//! the module [`rust`] makes of the libraries' texts.
//!
//! `BLESS=1 cargo test --workspace --test host_math` writes them anew.

mod rust;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use tilewise_ir::math::LIBRARIES;
use tilewise_ir::text::library;

const HEAD: &str = "\
//! Written from the kernel library `ir/src/math/{library}/{text}.kir` by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
//!
//! Step by step as in the library: no step may be left out, joined with another or done in another
//! order. What the functions compute and how well is said there.

";

const INDEX: &str = "\
//! The math libraries as Rust, a module for each text. Written by the test `host_math` of
//! `tilewise-ir`; do not edit. `BLESS=1 cargo test --workspace --test host_math` writes it anew.
#![allow(clippy::approx_constant, reason = \"the constants are parts of approximations\")]
#![allow(clippy::excessive_precision, reason = \"the constants are the shortest that read back\")]
#![allow(clippy::manual_range_contains, reason = \"each comparison is a step of its own\")]
#![allow(clippy::neg_cmp_op_on_partial_ord, reason = \"NaN is meant, too\")]

";

const SELECT: &str = "
/// `yes` where the condition is true, else `no`; both have been computed.
#[inline(always)]
fn select<T>(condition: bool, yes: T, no: T) -> T {
    if condition { yes } else { no }
}
";

/// The files of the folder, by name.
fn wanted() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut index = INDEX.to_owned();
    let mut offers = String::new();
    let mut modules = Vec::new();
    for of in LIBRARIES {
        let made = rust::modules(of).unwrap_or_else(|reason| panic!("{reason}"));
        let short = of.name.trim_end_matches("_math");
        let _ = write!(
            offers,
            "\n/// What kernels call as `{}::name`.\n#[rustfmt::skip]\npub(crate) mod {short} {{\n",
            of.name
        );
        for module in made {
            let offered: Vec<_> = library::functions()
                .filter_map(|path| path.strip_prefix(of.name)?.strip_prefix("::"))
                .filter(|name| module.source.contains(&format!("pub(crate) fn {name}(")))
                .collect();
            let list = match offered.as_slice() {
                [] => String::new(),
                [one] => (*one).to_owned(),
                several => format!("{{{}}}", several.join(", ")),
            };
            if !list.is_empty() {
                let _ = writeln!(offers, "    pub(crate) use super::{}::{list};", module_name(&module.name));
            }
            let head = HEAD.replace("{library}", of.name).replace("{text}", &module.name);
            files.insert(format!("{}.rs", module_name(&module.name)), head + &module.source);
            modules.push(module_name(&module.name));
        }
        offers += "}\n";
    }
    modules.sort();
    for module in &modules {
        let _ = writeln!(index, "#[rustfmt::skip]\nmod {module};");
    }
    files.insert("mod.rs".to_owned(), index + SELECT + &offers);
    files
}

/// The module of a text: `select` and the modules of what is offered have names of their own.
fn module_name(text: &str) -> String {
    if LIBRARIES.iter().any(|of| of.name.trim_end_matches("_math") == text) {
        format!("{text}_text")
    } else {
        text.to_owned()
    }
}

#[test]
fn the_functions_for_the_host_are_those_of_the_libraries() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tilewise/src/kernel/math/host");
    let wanted = wanted();
    let listed = fs::read_dir(&folder).map(|list| list.flatten().map(|entry| entry.file_name()).collect::<Vec<_>>());
    let found: Vec<String> =
        listed.unwrap_or_default().into_iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let surplus: Vec<&String> = found.iter().filter(|name| !wanted.contains_key(*name)).collect();
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        surplus.iter().for_each(|name| fs::remove_file(folder.join(name)).expect("the file can be removed"));
        for (name, text) in &wanted {
            fs::write(folder.join(name), text).expect("the file can be written");
        }
        return;
    }
    assert!(surplus.is_empty(), "{} has files of no text: {surplus:?}", folder.display());
    for (name, text) in &wanted {
        let fresh = fs::read_to_string(folder.join(name)).unwrap_or_default() == *text;
        assert!(
            fresh,
            "host/{name} differs from the library; `BLESS=1 cargo test --workspace --test host_math` writes it anew"
        );
    }
}
