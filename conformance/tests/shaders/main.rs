//! Shaders, imported: the built-in functions and operators of WGSL (`vocabulary`) and the files of
//! `kernels/shaders`, on every CPU target to the bit, as WGSL and as SPIR-V, and beside the original
//! shader on a driver (`judge`). The files' own expectations are the test `kir`.

#![expect(clippy::print_stdout, reason = "a test shows how much it has tried, as those of other harnesses do")]

mod driver_depth;
mod driver_textures;
mod judge;
mod opcodes;
mod sampled_levels;
mod storage_textures;
mod textures;
mod vocabulary;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Trial};
use tilewise_conformance::corpus;
use tilewise_conformance::kir::bind::BoundRun;
use tilewise_conformance::kir::case::{self, File};
use tilewise_conformance::kir::compare::RunResult;
use tilewise_conformance::kir::shader::{self, ShaderContents, ShaderOptions};
use tilewise_conformance::memory_difference::{MemoryDifference, memory_difference};
use tilewise_conformance::shader_optimiser::run_without_shader_optimiser;
use tilewise_conformance::target::SuiteTarget;
use tilewise_ir::diag::Colour;
use tilewise_ir::launch::{Ending, LaunchMemory};

fn main() -> ExitCode {
    if let Some(code) = run_without_shader_optimiser() {
        return code;
    }
    // What fails panics, which the harness reports.
    let test = |name: &str, test: fn()| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let judge = || -> Result<Completion, libtest_mimic::Failed> {
        Ok(judge::the_original_on_a_driver_computes_what_the_import_does())
    };
    let trials = vec![
        test("every_combination_of_textures_is_tried", textures::every_combination_of_textures_is_tried),
        test("each_function_is_listed_once", vocabulary::each_function_is_listed_once),
        test("every_target_computes_the_same_bits", every_target_computes_the_same_bits),
        test("a_shader_as_spirv_is_the_same_shader", a_shader_as_spirv_is_the_same_shader),
        test("spirv_means_what_its_opcodes_say", spirv_means_what_its_opcodes_say),
        test("opcodes_say_what_is_signed", opcodes::opcodes_say_what_is_signed),
        test("layers_of_samples_are_the_nearest", sampled_levels::layers_of_samples_are_the_nearest),
        test("levels_that_would_be_left_out_are_refused", sampled_levels::levels_that_would_be_left_out_are_refused),
        Trial::ignorable_test("the_original_on_a_driver_computes_what_the_import_does", judge),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A shader with the launch that its header describes.
pub(crate) struct TestShader {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The shaders of the vocabulary, and the files that launch one.
fn all() -> Vec<TestShader> {
    let mut out = vocabulary::shaders();
    out.extend(textures::shaders());
    let files = corpus::FILES.iter().filter(|(name, text)| name.ends_with(".wgsl") && case::launches(text));
    out.extend(files.map(|&(name, text)| TestShader { name: name.to_owned(), text: text.to_owned() }));
    out
}

/// A shader after its launch.
pub(crate) struct Launched {
    pub(crate) file: File,
    pub(crate) bound: BoundRun,
    pub(crate) result: RunResult,
}

impl Launched {
    pub(crate) fn memory(&self) -> &LaunchMemory {
        &self.result.memory
    }

    /// The first difference of the memory that it and another launch left.
    fn difference(&self, other: &Launched) -> Option<MemoryDifference> {
        let kernel = self.file.kernel.as_ref().expect("it was launched");
        memory_difference(kernel, &self.bound.arguments, self.memory(), other.memory())
    }

    fn is_complete(&self) -> bool {
        matches!(&self.result.outcome, Ok(outcome) if outcome.ending == Ending::Completed)
    }
}

/// Reads a shader's text; the kernel is accepted.
fn read(test: &TestShader) -> Result<File, String> {
    let path = format!("{}.wgsl", test.name.trim_end_matches(".wgsl"));
    let file = case::read(&path, &test.text);
    if let Some(complaint) = file.complaints.first() {
        return Err(format!("{path}:{}: {complaint}", complaint.at.line));
    }
    match &file.kernel {
        Ok(_) => Ok(file),
        Err(rejection) => Err(rejection.render(Colour::Never)),
    }
}

/// Launches a kernel with the first run of a file.
fn launch(file: File, run_of: &File, target: SuiteTarget) -> Result<Launched, String> {
    let kernel = file.kernel.as_ref().map_err(|rejection| rejection.render(Colour::Never))?;
    let run = run_of.header.runs.first().ok_or("it has no run")?;
    let (domain, bound) = case::prepare(kernel, run)
        .map_err(|complaints| complaints.first().map_or_else(String::new, ToString::to_string))?;
    let result = case::launch(target, &case::launch_of(kernel, run, &domain, &bound), &bound);
    Ok(Launched { file, bound, result })
}

/// Launches a shader on a target.
pub(crate) fn launched(test: &TestShader, target: SuiteTarget) -> Result<Launched, String> {
    let (file, run) = (read(test)?, read(test)?);
    launch(file, &run, target)
}

/// Shaders whose result depends on the order of threads are run in one order only.
fn is_ordered(test: &TestShader) -> bool {
    test.text.contains("//! order-dependent")
}

/// The test.
fn every_target_computes_the_same_bits() {
    let targets: Vec<SuiteTarget> = SuiteTarget::BUILT
        .iter()
        .copied()
        .filter(|target| target.is_jit() || matches!(target, SuiteTarget::Lanes8 | SuiteTarget::Lanes16))
        .filter(|target| target.missing().is_none())
        .collect();
    assert!(!targets.is_empty());
    let mut wrong = Vec::new();
    let mut count = 0;
    for test in all().iter().filter(|test| !is_ordered(test)) {
        let reference = match launched(test, SuiteTarget::Reference) {
            Ok(launched) if launched.is_complete() => launched,
            Ok(launched) => {
                wrong.push(format!("{}: {:?}", test.name, launched.result.outcome));
                continue;
            }
            Err(error) => {
                wrong.push(format!("{}: {error}", test.name));
                continue;
            }
        };
        count += 1;
        for &target in &targets {
            match launched(test, target) {
                Ok(other) if !other.is_complete() => wrong.push(format!("{} on {target}: not complete", test.name)),
                Ok(other) => {
                    let found = reference.difference(&other);
                    wrong.extend(found.map(|found| format!("{} on {target}: {found}", test.name)));
                }
                Err(error) => wrong.push(format!("{} on {target}: {error}", test.name)),
            }
        }
    }
    println!("{count} entry points on {} targets", targets.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 150, "{count} entry points");
}

/// Shaders of textures that are lost for one of these reasons: naga takes a gather of depths for one
/// number and the size of an array for two, writes `bgra8unorm` as a texture without a format, and does
/// not read pointers to texels.
fn is_lost_texture(name: &str) -> bool {
    let is_gather = name.contains("/Gather/texture_depth") || name.contains("/GatherOffset/texture_depth");
    let is_size = name.contains("/Queries/") && name.contains("_array");
    let is_file =
        ["atomics", "compare", "formats_8", "shapes"].iter().any(|file| name.contains(&format!("textures/{file}.")));
    is_gather || is_size || is_file || name.contains("bgra8unorm") || name.contains("/textureAtomic")
}

/// The test.
fn a_shader_as_spirv_is_the_same_shader() {
    let mut wrong: Vec<(String, String)> = Vec::new();
    let (mut count, mut lost) = (0, Vec::new());
    for test in all().iter().filter(|test| !is_ordered(test)) {
        // naga writes no values of overrides, and its writer lacks a few things; these are counted.
        let Some(words) = vocabulary::as_spirv(&test.text) else {
            lost.push(test.name.clone());
            continue;
        };
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let original = read(test).expect("the other test reads it");
        let options = ShaderOptions { entry: original.header.entry.clone(), ..ShaderOptions::default() };
        let file = shader::read("shader.spv", ShaderContents::SpirV(&bytes), &options);
        match (launch(file, &original, SuiteTarget::Reference), launched(test, SuiteTarget::Reference)) {
            (Ok(spirv), Ok(wgsl)) => {
                count += 1;
                let found = wgsl.difference(&spirv);
                wrong.extend(found.map(|found| (test.name.clone(), found.to_string())));
            }
            (Err(error), _) | (_, Err(error)) => wrong.push((test.name.clone(), error)),
        }
    }
    println!("{count} entry points; not written by naga: {}", lost.join(", "));
    wrong.iter().for_each(|(name, found)| println!("{name}: {found}"));
    let known: Vec<&str> = wrong.iter().map(|(name, _)| name.as_str()).filter(|name| !is_lost_texture(name)).collect();
    let lost_textures = wrong.len() - known.len();
    assert!(lost_textures <= 72, "{lost_textures} shaders of textures");
    assert!(known.is_empty(), "{known:?}: {wrong:#?}");
    assert!(count >= 150, "{count} entry points");
}

/// Operations whose types have one signedness, and whose opcodes are given the other; comparisons of NaN.
const SIGNS: &str = "//! dispatch 1
//! o: [14] = zero
//! a: [3] = -1 2147483647 2
//! u: [1] = 0xffffffff
//! f: [2] = nan 1
@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@group(0) @binding(1) var<storage, read> a: array<i32>;
@group(0) @binding(2) var<storage, read> u: array<u32>;
@group(0) @binding(3) var<storage, read> f: array<f32>;
@compute @workgroup_size(1) fn main() {
    o[0] = bitcast<u32>(a[0] >> 4u);
    o[1] = u[0] >> 4u;
    o[2] = bitcast<u32>(f32(a[0]));
    o[3] = bitcast<u32>(f32(u[0]));
    o[4] = bitcast<u32>(min(a[0], 2));
    o[5] = max(u[0], 2u);
    o[6] = bitcast<u32>(extractBits(a[0], 4u, 4u));
    o[7] = u32(f[0] < f[1]);
    o[8] = u32(f[0] != f[1]);
    o[9] = u32(f[0] == f[1]);
    o[10] = bitcast<u32>(a[1] / a[2]);
    o[11] = bitcast<u32>(a[0] / 3);
    o[12] = bitcast<u32>((vec2i(a[0], a[1]) >> vec2u(4u, 1u)).x);
    o[13] = u32((vec2f(f[0], f[1]) < vec2f(2.0, 2.0)).x);
}
";

/// The test.
fn spirv_means_what_its_opcodes_say() {
    let mut words = vocabulary::as_spirv(SIGNS).expect("naga writes it");
    // The other opcode of each pair, and `OpSMod` for `OpSDiv`.
    let others =
        [(194, 195), (195, 194), (111, 112), (112, 111), (202, 203), (180, 181), (183, 182), (184, 185), (135, 139)];
    let functions = [(38, 39), (39, 38), (41, 42), (42, 41)];
    let other = |pairs: &[(u32, u32)], code: u32| pairs.iter().find(|pair| pair.0 == code).map_or(code, |pair| pair.1);
    let (mut at, mut changed) = (5, 0);
    while let Some(&head) = words.get(at) {
        let opcode = other(&others, head & 0xffff);
        changed += u32::from(opcode != head & 0xffff);
        words[at] = head & 0xffff_0000 | opcode;
        if opcode == 12 {
            words[at + 4] = other(&functions, words[at + 4]);
        }
        at += (head >> 16) as usize;
    }
    assert!(changed >= 10, "{changed} instructions");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let test = TestShader { name: "signs.wgsl".to_owned(), text: SIGNS.to_owned() };
    let original = read(&test).expect("it is a shader");
    let expected: [u32; 14] = [
        0x0fff_ffff,
        0xffff_ffff,
        4_294_967_296.0_f32.to_bits(),
        (-1.0_f32).to_bits(),
        2,
        2,
        15,
        1,
        0,
        1,
        // `OpSMod` has the sign of the divisor.
        1,
        2,
        0x0fff_ffff,
        1,
    ];
    for target in [SuiteTarget::Reference, SuiteTarget::Jit] {
        let file = shader::read("signs.spv", ShaderContents::SpirV(&bytes), &ShaderOptions::default());
        let launched = launch(file, &original, target).expect("it is launched");
        let memory = launched.memory();
        let first = memory.allocations.first().expect("it has memory");
        let found: Vec<u32> =
            first.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        assert_eq!(found[..14], expected, "{target}");
    }
}
