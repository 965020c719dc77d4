//! Runs the `console` blocks of the documentation and compares their output; `BLESS=1` rewrites it. A command begins
//! with `$ tilewise` and runs at the root of the repository; what follows, up to the next command, is its output. Of
//! reports of `tilewise dump` the lines that differ between machines are left out.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

#[test]
fn console_blocks_show_what_the_program_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in a workspace");
    let bless = env::var_os("BLESS").is_some_and(|value| value != "0");
    let mut breaches = Vec::new();
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    for entry in fs::read_dir(root.join("docs")).expect("the documentation can be read") {
        pages.push(entry.expect("a folder can be read").path());
    }
    for page in pages.iter().filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        let text = fs::read_to_string(page).expect("a page can be read");
        let now = rerun(&text, root);
        if now == text {
            continue;
        }
        if bless {
            fs::write(page, &now).expect("a page can be written");
        } else {
            let (was, is) = text.lines().zip(now.lines()).find(|(was, is)| was != is).unwrap_or(("", "(end)"));
            breaches.push(format!("{}:\n    the page says:    {was}\n    the program says: {is}", page.display()));
        }
    }
    assert!(
        breaches.is_empty(),
        "`console` blocks must show what the program prints; BLESS=1 rewrites them:\n  {}",
        breaches.join("\n  ")
    );
}

/// The page with the output of every command as it is now.
fn rerun(page: &str, root: &Path) -> String {
    let mut out = String::new();
    let (mut within, mut shown) = (false, true);
    for line in page.lines() {
        if line.starts_with("```") {
            within = !within && line == "```console";
        } else if within {
            if let Some(command) = line.strip_prefix("$ ") {
                shown = is_run_here(command);
                out += line;
                out.push('\n');
                if shown {
                    out += &output(command, root);
                }
                continue;
            } else if shown {
                continue;
            }
        }
        out += line;
        out.push('\n');
    }
    out
}

/// Can this program, on this machine, print what the page says? The shader of a kernel is known to a program that has
/// GPUs, and pages show reports of code for processors with AVX2.
fn is_run_here(command: &str) -> bool {
    #[cfg(all(target_arch = "x86_64", not(windows)))]
    let has_avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(all(target_arch = "x86_64", not(windows))))]
    let has_avx2 = false;
    (cfg!(feature = "gpu") || !command.contains("--stage wgsl")) && (has_avx2 || !command.contains("--stage report"))
}

/// Does a line of a report tell the time that compilation took, or the size of code, which change with each emitter?
fn is_of_machine(line: &str) -> bool {
    line.starts_with("time  ") || line.starts_with("machine code  ")
}

fn output(command: &str, root: &Path) -> String {
    let words = split(command);
    assert_eq!(
        words.first().map(String::as_str),
        Some("tilewise"),
        "a command in a `console` block begins with `tilewise`: {command}"
    );
    let output = Command::new(env!("CARGO_BIN_EXE_tilewise")).args(&words[1..]).current_dir(root).output();
    let output = output.expect("the program can be run");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if !command.contains("--stage report") {
        return text;
    }
    text.split_inclusive('\n').filter(|line| !is_of_machine(line)).collect()
}

/// The words of a command, with `'..'` for words with spaces.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in command.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
