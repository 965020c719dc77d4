//! What a kernel costs to compile: programs of 0, 1 and 100 kernels are built as a user builds them, in dev and in release, and the difference is said for each kernel.
//!
//! `cargo bench -p tilewise-benches --bench compile_cost`; with `-- --quick` each program is built once, else five times, and the median counts. It builds Tilewise itself first, for
//! both profiles, and needs no network: versions come from the workspace's lock file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Builds of each program.
const TIMES: usize = 5;

/// Milliseconds that a kernel may cost: dev, release.
const BAR: [f64; 2] = [15.0, 40.0];

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    // `cargo test` runs benchmarks to see that they work; this one takes minutes.
    if std::env::args().any(|argument| argument == "--test") {
        say("compile_cost: not run (a benchmark)");
        return;
    }
    let times = if quick { 1 } else { TIMES };
    let folder = prepare();
    say(&format!(
        "{:<10}{:>10}{:>12}{:>12}{:>16}{:>16}",
        "profile", "kernels", "build", "above none", "for a kernel", "bar"
    ));
    for (profile, bar) in [("dev", BAR[0]), ("release", BAR[1])] {
        build(&folder, profile, 0);
        let without = median(&folder, profile, 0, times);
        for count in [1, 100] {
            let with = median(&folder, profile, count, times);
            let more = with.saturating_sub(without).as_secs_f64() * 1e3;
            let each = more / count as f64;
            let build = with.as_secs_f64() * 1e3;
            say(&format!("{profile:<10}{count:>10}{build:>9.0} ms{more:>9.0} ms{each:>13.1} ms{bar:>13.0} ms"));
        }
    }
}

#[allow(clippy::print_stdout, reason = "the table is what the benchmark is run for")]
fn say(line: &str) {
    println!("{line}");
}

/// A package of its own beside the workspace's build, with the workspace's versions.
fn prepare() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let folder = workspace.join("target/compile-cost");
    std::fs::create_dir_all(folder.join("src")).expect("a folder for the programs");
    let manifest = format!(
        "[package]\nname = \"compile-cost\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\ntilewise = {{ path = {:?}, default-features = false }}\n",
        workspace.join("tilewise")
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    std::fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
    folder
}

/// The median time to build the program of so many kernels, all else being built.
fn median(folder: &Path, profile: &str, count: usize, times: usize) -> Duration {
    let mut all: Vec<Duration> = (0..times).map(|_| build(folder, profile, count)).collect();
    all.sort();
    all[all.len() / 2]
}

fn build(folder: &Path, profile: &str, count: usize) -> Duration {
    std::fs::write(folder.join("src/main.rs"), program(count)).expect("a program");
    let begin = Instant::now();
    let output = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet", "--profile", profile])
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .current_dir(folder)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    begin.elapsed()
}

/// A program of so many kernels, which are alike but not the same: every third has tiles, every fifth calls a function.
fn program(count: usize) -> String {
    let mut text = String::from(
        "use tilewise::prelude::*;\n\n#[amp]\nfn scale(x: f32, by: f32) -> f32 {\n    if x > by { x / by } else { x * by }\n}\n\n",
    );
    for i in 0..count {
        let body = match i {
            _ if i % 3 == 1 => TILED,
            _ if i % 5 == 2 => CALLING,
            _ => LOOPING,
        };
        text += &body.replace("NUMBER", &i.to_string());
    }
    text += "fn main() {\n    let (mut a, mut b, mut out) = (vec![1.0f32; 64], vec![2.0f32; 64], vec![0.0f32; 64]);\n    let n = std::env::args().count() as u32;\n    println!(\"{}\", scale(n as f32, 2.0));\n";
    for i in 0..count {
        writeln!(text, "    kernel_{i}(&mut a, &mut b, &mut out, n);").expect("a text takes all");
    }
    text += "    println!(\"{} {} {}\", a[0], b[0], out[0]);\n}\n";
    text
}

const LOOPING: &str = "
pub fn kernel_NUMBER(a: &mut [f32], b: &mut [f32], out: &mut [f32], n: u32) {
    let (a, b, out) = (ArrayView::of(a), ArrayView::of(b), ArrayView::of(out));
    parallel_for_each!(out.extent(), |idx| {
        let i = idx[0];
        let mut sum = 0.0;
        let mut k = 0u32;
        while k < n {
            k += 1;
            sum += a[i] * b[i] + NUMBER.0;
        }
        for j in 0..n {
            sum = sum + j as f32 * 0.5;
        }
        if sum > 8.0 {
            sum = sum * 0.5;
        }
        out[i] = sum;
    })
    .unwrap();
}
";

const CALLING: &str = "
pub fn kernel_NUMBER(a: &mut [f32], b: &mut [f32], out: &mut [f32], n: u32) {
    let (a, b, out) = (ArrayView::of(a), ArrayView::of(b), ArrayView::of(out));
    parallel_for_each!(out.extent(), |idx| {
        let x = scale(a[idx], NUMBER.0);
        let y = scale(b[idx], n as f32);
        out[idx] = x.min(y).sqrt() + out[idx].abs();
    })
    .unwrap();
}
";

const TILED: &str = "
pub fn kernel_NUMBER(a: &mut [f32], b: &mut [f32], out: &mut [f32], n: u32) {
    let (a, b, out) = (ArrayView::of(a), ArrayView::of(b), ArrayView::of(out));
    parallel_for_each!(out.extent().tile::<32>(), |t| {
        #[tile_static]
        let part: [f32; 32];
        let i = t.local[0];
        part[i] = a[t.global] * b[t.global] + NUMBER.0;
        t.barrier.wait();
        let mut half = 16;
        while half > 0 {
            if i < half {
                part[i] += part[i + half];
            }
            t.barrier.wait();
            half /= 2;
        }
        out[t.global] = part[0] * n as f32;
    })
    .unwrap();
}
";
