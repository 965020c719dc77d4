//! SPIR-V whose variables share bindings, as a file: inputs are given once, and the library binds all of them at once.

use std::path::Path;

use tilewise::vector::UInt4;
use tilewise::{Accelerator, ArrayView, Shader};
use tilewise_amber::ShaderSource;
use tilewise_conformance::kir::shader::{self, ShaderContents, ShaderOptions};
use tilewise_conformance::kir::{bind, header, scan};

use tilewise_import::ShaderModule;
use tilewise_ir::launch::Argument;

/// The shader of the script in the suite.
fn bytes() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/amber/spirv_shared_binding.amber");
    let script = tilewise_amber::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    let ShaderSource::SpirV { module, .. } = &script.shaders[0].source else { unreachable!("it is SPIR-V") };
    module.bytes()
}

/// A run with these inputs.
fn run(text: &str) -> Result<bind::BoundRun, Vec<tilewise_conformance::kir::Complaint>> {
    let file = shader::read("a.spv", ShaderContents::SpirV(&bytes()), &ShaderOptions::default());
    let (scanned, mut complaints) = scan::scan(text);
    let header = header::read(&scanned.entries, &mut complaints);
    assert!(complaints.is_empty(), "{complaints:?}");
    let mut run: header::HeaderRun = header.runs.into_iter().next().unwrap();
    run.shader = file.shader.clone();
    bind::bind(file.kernel.unwrap().kernel(), &run)
}

#[test]
fn one_input_is_the_memory_of_all_at_its_binding() {
    for inputs in [
        "//! binding_0_0: [8] = iota\n//! binding_0_1_2 = fill 9",
        "//! binding_0_0_2: [2] = iota\n//! binding_0_1_2 = fill 9",
    ] {
        let bound = run(&format!("//! dispatch 2\n{inputs}\n")).unwrap();
        assert_eq!(bound.memory.allocations.len(), 1, "{inputs}");
        let whole = Argument::Buffer { allocation: 0, offset: 0, size: 32 };
        let words = |count: usize| Argument::Uniform([9u32; 4][..count].iter().flat_map(|n| n.to_le_bytes()).collect());
        assert_eq!(bound.arguments, [whole.clone(), whole, words(1), words(4)], "{inputs}");
    }
}

#[test]
fn inputs_that_are_too_small_or_two_are_refused() {
    for (inputs, wanted) in [
        (
            "//! binding_0_0: [8] = iota\n//! binding_0_0_2: [2] = zero\n//! binding_0_1_2 = fill 9",
            "`binding_0_0` and `binding_0_0_2` have one binding, and so the same memory",
        ),
        (
            "//! binding_0_0: [8] = iota\n//! binding_0_1 = 9",
            "`binding_0_1_2` has 16 bytes, and `binding_0_1` of the same binding 4",
        ),
    ] {
        let complaints = run(&format!("//! dispatch 2\n{inputs}\n")).unwrap_err();
        assert_eq!(complaints[0].message, wanted);
    }
}

#[test]
fn the_library_binds_all_at_once() {
    let shader = Shader::from_spirv("a.spv", &bytes()).unwrap();
    let reference = Accelerator::new("reference").unwrap().default_view();
    let view = ArrayView::from_vec(8, vec![1u32, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    let entry = shader.entry("main").unwrap();
    assert!(entry.clone().value(0, 1, &100u32).is_err(), "the longest has 16 bytes");
    let entry = entry.bind(0, 0, &view).unwrap().value(0, 1, &UInt4::new(100, 0, 0, 1000)).unwrap();
    entry.dispatch(&reference, [2, 1, 1]).unwrap();
    assert_eq!(view.to_vec().unwrap(), [8, 1100, 2, 1, 16, 1100, 6, 5]);
}

#[test]
fn the_corpus_gives_them_one_memory() {
    use tilewise_conformance::shader_corpus::{CorpusOptions, judge};
    let module = ShaderModule::from_spirv("a.spv", &bytes()).unwrap();
    let report = judge(&module, "main", &CorpusOptions::default());
    assert_eq!(format!("{:?}", report.verdict), "Agreed", "{report:?}");
}
