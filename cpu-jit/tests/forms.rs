//! Every kernel of the conformance suite becomes a lane program that keeps the rules, at every width.

use std::path::{Path, PathBuf};

use tilewise_cpu_jit::form::{Key, ParamKey, Without, form};
use tilewise_cpu_jit::lanes::verify;
use tilewise_ir::check::check;
use tilewise_ir::text::parse;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
        match path.is_dir() {
            true => files(&path, found),
            false if path.extension().is_some_and(|extension| extension == "kir") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn every_kernel_becomes_a_lane_program_that_keeps_the_rules() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/kernels"), &mut found);
    found.sort();
    let mut formed = 0;
    let mut faults = Vec::new();
    for path in &found {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // Files that show errors have no kernel to form.
        let Ok(kernel) = parse("k.kir", &text) else { continue };
        let Ok(kernel) = check(kernel) else { continue };
        for width in [1, 4, 8, 16] {
            for small in [true, false] {
                let params = kernel.inlined().params().len() as u16;
                let param = |space| ParamKey { space, unit: small };
                let key = Key {
                    width,
                    small,
                    flat: false,
                    params: (0..params).map(param).collect(),
                    writable: vec![true; usize::from(params)],
                    without: Without::default(),
                };
                formed += 1;
                match form(&kernel, &key) {
                    Ok(program) => {
                        if let Err(fault) = verify(&program) {
                            faults.push(format!("{} at width {width}: {fault}", path.display()));
                        }
                    }
                    Err(unformed) => faults.push(format!("{} at width {width}: {}", path.display(), unformed.0)),
                }
            }
        }
    }
    assert!(formed > 1_000, "{formed} programs were formed");
    assert!(faults.is_empty(), "{} of {formed} are wrong:\n{}", faults.len(), faults.join("\n"));
}
