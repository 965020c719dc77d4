//! The page of `tilewise verify` in a browser, Chromium without a window. Without Chromium these tests
//! count as ignored.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};

/// A file that passes on some targets and says something with markup.
const RIGHT: &str = "// Doubles a <b>vector</b> & keeps it.\n//! domain 2\n//! v: [2] = 1 2\n//! expect v = 2 4\n\
    kernel k(v: view<f32, 1, read_write>) rank(1) { v[global[0]] = v[global[0]] * 2.0; }\n";

fn main() {
    let browser = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    });
    let test = |name: &str, run: fn(&str) -> Result<(), Failed>| {
        Trial::test(name, move || run(browser.unwrap_or_default())).with_ignored_flag(browser.is_none())
    };
    let tests = vec![
        test("a_page_of_passing_cases_runs_without_errors", passing),
        test("a_failing_case_is_shown_with_bits_and_its_command", failing),
        test("a_link_to_a_case_opens_it", linked),
        test("reports_of_other_measurements_are_sections", included),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit();
}

/// An empty folder with the report of a run of `arguments`.
fn report(name: &str, file: &str, arguments: &[&str]) -> Result<PathBuf, Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_page").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("own.kir"), file)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    command.arg("verify").args(arguments).args(["--html", "r.html"]).current_dir(&folder);
    command.stdout(Stdio::null()).status()?;
    Ok(folder)
}

/// The page after its script, and the messages of the browser's console.
fn shown(browser: &str, folder: &Path, anchor: &str) -> Result<(String, String), Failed> {
    let mut command = Command::new(browser);
    command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    let output = command.arg(format!("file://{}{anchor}", folder.join("r.html").display())).output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let console: Vec<String> =
        text(&output.stderr).lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    Ok((text(&output.stdout), console.join("\n")))
}

fn holds(page: &str, parts: &[&str]) -> Result<(), Failed> {
    match parts.iter().find(|part| !page.contains(**part)) {
        Some(part) => Err(format!("`{part}` is not in\n{page}").into()),
        None => Ok(()),
    }
}

fn passing(browser: &str) -> Result<(), Failed> {
    let folder = report("passing", RIGHT, &["barriers/a*", "--target", "reference,jit"])?;
    let (page, console) = shown(browser, &folder, "")?;
    assert_eq!(console, "", "the script has errors");
    // The script has counted, and shows the form that needs it.
    holds(
        &page,
        &["9 of 9 tests shown", "<strong>Passed:</strong> 18 of 18 cases pass", "id=\"filter\" role=\"search\""],
    )?;
    holds(&page, &["aria-label=\"barriers on jit: 9 pass, 0 fail, 0 unsupported, 0 not run\">9</a>"])?;
    assert!(!page.contains("aria-label=\"Filter the cases\" hidden"), "the form is shown");
    assert!(page.matches("kernel ").count() >= 8, "kernels are on the page");
    Ok(())
}

fn failing(browser: &str) -> Result<(), Failed> {
    let folder = report("failing", &RIGHT.replace("= 2 4", "= 2 5"), &["own.kir", "--target", "reference,jit"])?;
    let (page, console) = shown(browser, &folder, "")?;
    assert_eq!(console, "");
    holds(&page, &["<strong>Failed:</strong> 0 of 2 cases pass, 2 fail", "<h2>Failures</h2>", "files of yours"])?;
    holds(&page, &["expected 5.0 (0x40a00000), got 4.0 (0x40800000)", "tilewise verify own.kir --target jit"])?;
    holds(&page, &["Doubles a &lt;b&gt;vector&lt;/b&gt; &amp; keeps it.", "id=\"case-own.kir\""])
}

fn linked(browser: &str) -> Result<(), Failed> {
    let folder = report("linked", RIGHT, &["barriers/a*", "--target", "reference"])?;
    let case = "case-barriers/aborted_threads_in_a_loop.kir";
    let open = |page: &str| {
        let from = page.find(&format!("id=\"{case}\"")).unwrap_or(page.len());
        page[from..].split('>').next().is_some_and(|tag| tag.contains(" open"))
    };
    assert!(!open(&shown(browser, &folder, "")?.0), "what passes is closed");
    assert!(open(&shown(browser, &folder, &format!("#{case}"))?.0), "what is linked is open");
    Ok(())
}

/// Reports of a litmus run with a failure, of faults, and of a device that breaks a promise.
const LITMUS: &str = r#"{"schema": 1, "host": {"cpu": "c"}, "tests": [{"name": "mp/tile-<b>", "target": "jit", "instances": 4000, "failed": true,
    "reason": "seen & forbidden", "outcomes": [{"class": "strong", "seen": 5}, {"class": "forbidden", "seen": 1}]}]}"#;
const FAULTS: &str = r#"{"schema": 1, "faults": [
    {"name": "math/one", "mistake": "A mistake.", "end": "failed", "by": "a.kir on jit"},
    {"name": "math/two", "mistake": "Another.", "end": "survived"}]}"#;
const DEVICES: &str = r#"{"schema": 1, "devices": [{"name": "Card", "driver": "1.0", "level": "std", "builtins": [
    {"name": "exp(x)", "tried": 9, "largest": {"size": 3.5, "given": [0], "component": 0, "exact": 1.0, "got": 1065353216},
     "absolute": {"size": 0.5, "given": [0], "component": 0, "exact": 1.0, "got": 1065353216},
     "elsewhere": {"size": 0.0, "given": [], "component": 0, "exact": 0.0, "got": 0},
     "used_of_wgsl": 1.17, "used_of_vulkan": 1.17, "beyond_wgsl": 2,
     "worst_wgsl": {"size": 3.5, "given": [0], "component": 0, "exact": 1.0, "got": 1065353216},
     "beyond_vulkan": 0, "flushed": 0, "special": 0, "special_wrong": 0}]}]}"#;

fn included(browser: &str) -> Result<(), Failed> {
    let files = [("l.json", LITMUS), ("f.json", FAULTS), ("d.json", DEVICES)];
    let folder = report("included", RIGHT, &["own.kir", "--target", "jit"])?;
    for (name, text) in files {
        fs::write(folder.join(name), text)?;
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewise"));
    command.args(["verify", "own.kir", "--target", "jit", "--html", "r.html"]).current_dir(&folder);
    let output = command.args(files.iter().flat_map(|(name, _)| ["--include", name])).output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (page, console) = shown(browser, &folder, "#faults")?;
    assert_eq!(console, "");
    holds(
        &page,
        &["<a href=\"#litmus\">Litmus tests</a>, <a href=\"#faults\">Planted faults</a>, <a href=\"#accuracy\">"],
    )?;
    holds(&page, &["a test fails", "mp/tile-&lt;b&gt;", "seen &amp; forbidden", "<td>1 of 1</td></tr>"])?;
    holds(&page, &["1 of 2 found", "<span class=\"fail\">survived </span>", "found by a.kir on jit"])?;
    holds(&page, &["Card <span class=\"chip fail\">1 beyond what is promised</span>", "117 % of what is allowed"])?;
    holds(&page, &["class=\"beyond\" width=\"100.0\"", "2 results beyond WGSL: 0e0 (0x00000000) gives 1e0 for 1e0"])
}
