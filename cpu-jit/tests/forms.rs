//! Every kernel of the conformance suite becomes a lane program that keeps the rules, at every width, and has code for machines that the tests may not run on.

use std::path::{Path, PathBuf};

use tilewise_cpu_jit::emit::{EmitOptions, compile_for};
use tilewise_cpu_jit::lanes::{LaneProgram, verify};
use tilewise_cpu_jit::vectorize::{CodeKey, Unformed, vectorize};
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

/// Hands over a lane program of every kernel of the suite for each of these widths and address sizes, or why there is none. Gives their number.
fn each_program(
    widths: &[u32],
    smalls: &[bool],
    mut take: impl FnMut(Result<LaneProgram, Unformed>) -> Result<(), String>,
) -> (usize, Vec<String>) {
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
        for &width in widths {
            for &small in smalls {
                let mut key = CodeKey { small, ..CodeKey::apart(width, kernel.inlined().params().len()) };
                key.params.iter_mut().for_each(|param| param.unit = small);
                formed += 1;
                if let Err(fault) = take(vectorize(&kernel, &key)) {
                    faults.push(format!("{} at width {width}: {fault}", path.display()));
                }
            }
        }
    }
    (formed, faults)
}

#[test]
fn every_kernel_becomes_a_lane_program_that_keeps_the_rules() {
    let (formed, faults) = each_program(&[1, 4, 8, 16], &[true, false], |program| {
        let program = program.map_err(|unformed| unformed.0)?;
        verify(&program).map_err(|fault| fault.to_string())
    });
    assert!(formed > 1_000, "{formed} programs were formed");
    assert!(faults.is_empty(), "{} of {formed} are wrong:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_kernel_has_code_for_64_bit_arm() {
    let (formed, faults) = each_program(&[1, 16], &[true], |program| {
        let program = program.map_err(|unformed| unformed.0)?;
        let code = compile_for(&program, &EmitOptions::default(), "aarch64-unknown-linux-gnu");
        code.map(drop).map_err(|why| why.to_string())
    });
    assert!(formed > 500, "{formed} programs were formed");
    assert!(faults.is_empty(), "{} of {formed} have no code:\n{}", faults.len(), faults.join("\n"));
}
