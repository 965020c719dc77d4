//! Shaders with a few bytes or words changed at random: whatever comes of them, nothing of ours panics.
//! naga's own panics are caught and reported as naga's. `SHADER_MUTATIONS` says how many changed shaders
//! are made of each shader; `SPIRV_SEEDS` is a folder that the unchanged ones are written to as SPIR-V.

#![expect(clippy::print_stdout, reason = "a test shows how much it has tried")]

#[path = "random/change.rs"]
mod change;
mod random;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use random::Random;
use tilewise_conformance::corpus;
use tilewise_conformance::shader_corpus::{CorpusOptions, EntryVerdict, judge};
use tilewise_import::ShaderModule;
use tilewise_ir::diag::Colour;

/// Texts that are put in: what shaders are made of, and what they had better not be.
const PIECES: [&str; 50] = [
    "\n",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ";",
    ",",
    "&",
    "*",
    "0",
    "1u",
    "-1",
    "4294967295u",
    "2147483648",
    "1e39",
    "vec3f",
    "array<u32>",
    "array<f32, 0>",
    "atomic<i32>",
    "mat3x4f",
    "struct S {",
    "fn f() {",
    "loop {",
    "continuing {",
    "break if ",
    "switch x {",
    "return;",
    "workgroupBarrier();",
    "@id(1) override n: u32;",
    "@workgroup_size(0)",
    "@size(3)",
    "@align(1024)",
    "var<private>",
    "let x = ",
    "subgroupAdd(",
    "texture_2d<f32>",
    "texture_depth_cube_array",
    "texture_storage_3d<rgba16snorm, read_write>",
    "textureLoad(",
    "textureStore(t, ",
    "textureSampleLevel(t, s, ",
    "textureSampleGrad(t, s, vec2f(0.5), ",
    "textureGather(1, ",
    "textureNumLevels(t)",
    "sampler_comparison",
    "\u{0}",
];

impl Random {
    fn change_words(&mut self, words: &mut Vec<u32>) {
        // Behind the header.
        let at = 5 + self.below(words.len().saturating_sub(5));
        let end = (at + 1 + self.below(6)).min(words.len());
        let other = words[self.below(words.len())];
        match self.below(6) {
            0 => words[at] ^= 1 << self.below(32),
            1 => words[at] = words[at].wrapping_add(1),
            2 => words[at] = other,
            3 => words[at] = [0, 1, 0x7fff_ffff, 0xffff_ffff][self.below(4)],
            4 => drop(words.drain(at..end)),
            _ => {
                let copy = words[at..end].to_vec();
                words.splice(at..at, copy);
            }
        }
    }
}

fn shaders() -> Vec<(&'static str, &'static str)> {
    corpus::FILES.iter().filter(|(name, _)| name.ends_with(".wgsl")).copied().collect()
}

/// What came of all changed shaders.
#[derive(Default)]
struct Tried {
    all: u32,
    read: u32,
    ran: u32,
    /// naga panicked.
    naga: u32,
}

impl Tried {
    /// Judges a changed shader.
    fn judge(&mut self, name: &str, shown: &str, read: impl FnOnce() -> Result<ShaderModule, String>) {
        self.all += 1;
        // Little of everything: how long a changed shader runs is not the question here.
        let options = CorpusOptions {
            targets: Vec::new(),
            dispatch: [1, 1, 1],
            bytes: 256,
            fuel: 20_000,
            time: Duration::from_secs(1),
        };
        let judged = catch_unwind(AssertUnwindSafe(|| {
            let module = read()?;
            let entries: Vec<String> = module.entry_points().map(str::to_owned).collect();
            let reports = entries.iter().map(|entry| judge(&module, entry, &options));
            Ok::<_, String>(reports.collect::<Vec<_>>())
        }));
        let judged = match judged {
            Ok(judged) => judged,
            Err(panic) => panic!("{name}: {:?}\n{shown}", panic.downcast_ref::<String>()),
        };
        let reports = match judged {
            Ok(reports) => reports,
            Err(message) => {
                self.naga += u32::from(message.contains("naga panicked"));
                assert!(
                    message.contains("naga panicked") || !message.contains("panicked"),
                    "{name}: {message}\n{shown}"
                );
                return;
            }
        };
        self.read += 1;
        for report in reports {
            let panicked = report.refusals.iter().find(|(message, _)| message.contains("panicked"));
            self.naga += u32::from(panicked.is_some());
            let ours = panicked.filter(|(message, _)| !message.contains("naga panicked"));
            assert!(ours.is_none(), "{name}: {ours:?}\n{shown}");
            self.ran += u32::from(report.verdict > EntryVerdict::NotRun);
        }
    }

    fn show(&self, what: &str) {
        println!("{what}: {} tried, {} read, {} ran; naga panicked in {}", self.all, self.read, self.ran, self.naga);
    }
}

/// Changed shaders of each shader.
fn count(usual: u32) -> u32 {
    std::env::var("SHADER_MUTATIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}

/// Runs a test without the messages of panics, which are caught.
fn in_silence(test: impl FnOnce()) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let done = catch_unwind(AssertUnwindSafe(test));
    std::panic::set_hook(hook);
    if let Err(panic) = done {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        panic!("{}", text.unwrap_or("without a message"));
    }
}

/// One test, as the hook of panics belongs to the process.
#[test]
fn nothing_panics_on_changed_shaders() {
    in_silence(|| {
        changed_texts();
        changed_words();
    });
}

fn changed_texts() {
    let mut random = Random(1);
    let mut tried = Tried::default();
    let all = shaders();
    for (name, text) in &all {
        for _ in 0..count(60) {
            let other = all[random.below(all.len())].1;
            let mut changed = (*text).to_owned();
            for _ in 0..=random.below(4) {
                random.change_text(&mut changed, other, &PIECES);
            }
            tried.judge(name, &changed, || {
                ShaderModule::from_wgsl("changed.wgsl", &changed).map_err(|error| error.render(Colour::Never))
            });
        }
    }
    tried.show("WGSL");
    assert!(tried.all > 1000 && tried.read * 10 > tried.all && tried.ran > 100, "{}, {}", tried.read, tried.ran);
}

fn changed_words() {
    let mut random = Random(2);
    let mut tried = Tried::default();
    for (name, text) in shaders() {
        let Some(words) = as_spirv(text) else { continue };
        if let Some(folder) = std::env::var_os("SPIRV_SEEDS") {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let path = Path::new(&folder).join(format!("{}.spv", name.replace('/', "_")));
            std::fs::write(path, bytes).expect("the folder takes files");
        }
        for _ in 0..count(60) {
            let mut changed = words.clone();
            for _ in 0..=random.below(3) {
                random.change_words(&mut changed);
            }
            let bytes: Vec<u8> = changed.iter().flat_map(|word| word.to_le_bytes()).collect();
            tried.judge(name, &format!("{changed:x?}"), || {
                ShaderModule::from_spirv("changed.spv", &bytes).map_err(|error| error.render(Colour::Never))
            });
        }
    }
    tried.show("SPIR-V");
    assert!(tried.all > 1000 && tried.read * 20 > tried.all && tried.ran > 100, "{}, {}", tried.read, tried.ran);
}

/// A shader as SPIR-V, if naga can write it.
fn as_spirv(text: &str) -> Option<Vec<u32>> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    let module = naga::front::wgsl::parse_str(text).ok()?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).ok()?;
    let write = || naga::back::spv::write_vec(&module, &info, &naga::back::spv::Options::default(), None).ok();
    catch_unwind(AssertUnwindSafe(write)).ok().flatten()
}
