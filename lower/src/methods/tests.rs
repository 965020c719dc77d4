//! Every method builds, and only with its own arguments. The tests of `tilewise::numbers` check the
//! results, as the methods exist there a second time.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use super::{all, emit, find, markdown, names};
use tilewise_ir::build::Builder;
use tilewise_ir::check::check;
use tilewise_ir::kernel::{Const, ValueId};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar, ValueType};

/// A builder inside the entry function.
fn builder() -> Builder {
    let mut b = Builder::new("probe", 1, None);
    b.begin_entry();
    b
}

fn constant(b: &mut Builder, scalar: Scalar) -> ValueId {
    b.constant(Const { scalar, bits: 1 })
}

#[test]
fn every_method_builds_and_gives_what_its_row_says() {
    for (name, scalar) in names() {
        let method = find(name, scalar).expect("it is in the list");
        let mut b = builder();
        let args: Vec<_> = method.args.iter().map(|part| constant(&mut b, part.of(scalar))).collect();
        let results = emit(&mut b, name, &args, Pos::NONE).unwrap_or_else(|| panic!("{scalar}::{name} is not written"));
        let found: Vec<_> = results.iter().map(|&result| b.value_type(result)).collect();
        let wanted = method.results.iter().map(|part| ValueType::Data(Data::scalar(part.of(scalar))));
        assert_eq!(found, wanted.collect::<Vec<_>>(), "{scalar}::{name}");
        assert!(check(b.finish()).is_ok(), "{scalar}::{name} does not pass the checker");
    }
}

#[test]
fn no_method_stands_twice() {
    let mut seen = HashSet::new();
    for pair in names() {
        assert!(seen.insert(pair), "{}::{}", pair.1, pair.0);
    }
}

#[test]
fn a_call_that_does_not_fit_is_not_written() {
    let mut b = builder();
    let [float, int, long] = [Scalar::F32, Scalar::I32, Scalar::I64].map(|scalar| constant(&mut b, scalar));
    let refused: &[(&str, &[ValueId])] = &[
        ("min", &[]),
        ("min", &[float]),
        ("min", &[float, float, float]),
        ("min", &[float, int]),
        ("sqrt", &[int]),
        ("rotate_left", &[long, long]),
        ("energy", &[float]),
        ("", &[float]),
    ];
    for (name, args) in refused {
        assert_eq!(emit(&mut b, name, args, Pos::NONE), None, "{name} of {}", args.len());
    }
    assert!(b.finish().entry().body().insts.is_empty(), "a refused call leaves nothing behind");
}

#[test]
fn the_page_of_methods_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/methods.md");
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, markdown()).expect("docs/methods.md can be written");
        return;
    }
    let fresh = fs::read_to_string(&path).unwrap_or_default() == markdown();
    assert!(
        fresh,
        "docs/methods.md differs from the table; `BLESS=1 cargo test -p tilewise-lower --lib methods` writes it anew"
    );
}

#[test]
fn notes_are_parts_of_sentences() {
    for method in all() {
        assert!(!method.note.ends_with('.') && !method.note.contains('|'), "{}: {}", method.name, method.note);
    }
}
