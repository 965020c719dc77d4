//! The page of the playground in a browser, Chromium without a window. Without Chromium, or before
//! `playground/build` has made the WebAssembly, these tests count as ignored.
//!
//! A server of this file hands out `docs/playground`, and `page.js` with it: that script uses the page as a
//! person does, with clicks and keys, and sends what it finds back to the server.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// The script that uses the page.
const SCRIPT: &str = include_str!("page.js");

/// Before the page's worker: the first instance of the module traps when it runs a text.
const TRAP: &str = "let made = 0;
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...given) => {
    const { exports } = await instantiate(...given);
    made += 1;
    const trap = () => { throw new WebAssembly.RuntimeError('unreachable'); };
    return { exports: made === 1 ? { ...exports, tilewise_run: trap } : exports };
};
";

/// The time for one test; a slow machine needs some seconds to start a browser.
const PATIENCE: Duration = Duration::from_secs(90);

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/playground")
}

fn main() {
    let browser = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    });
    let is_built = page().join("tilewise.wasm").exists();
    // Stands before the names of the tests.
    let missing = match (browser, is_built) {
        (None, _) => "not run: no Chromium",
        (Some(_), false) => "not run: playground/build makes tilewise.wasm",
        (Some(_), true) => "",
    };
    let test = |name: &str, run: fn(&Browser) -> Result<(), Failed>| {
        let browser = Browser { program: browser.unwrap_or_default(), profile: name.to_owned() };
        Trial::test(name, move || run(&browser)).with_kind(missing).with_ignored_flag(!missing.is_empty())
    };
    let tests = vec![
        test("an_example_runs_and_shows_its_results", results),
        test("a_race_marks_its_lines_and_a_click_selects_them", race),
        test("a_text_is_typed_and_run_by_the_keyboard", typed),
        test("a_shader_without_a_launch_gets_one", suggested),
        test("a_long_run_is_stopped", stopped),
        test("both_themes_have_readable_colours", themes),
        test("a_phone_scrolls_in_one_direction", phone),
        test("every_control_has_a_name", names),
        test("a_trap_leaves_the_page_working", trap),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit();
}

/// A browser and the folder of its profile.
struct Browser {
    program: &'static str,
    profile: String,
}

/// A browser that ends with the test.
struct RunningBrowser(Child);

impl Drop for RunningBrowser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Browser {
    /// Opens the page, and gives what the function `scenario` of `page.js` returns.
    fn open(&self, scenario: &str, query: &str, size: (u32, u32)) -> Result<Value, Failed> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let (sender, receiver) = mpsc::channel();
        let name = scenario.to_owned();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (sender, name) = (sender.clone(), name.clone());
                std::thread::spawn(move || {
                    // A connection that the browser closes early is no matter of the test.
                    if let Ok(Some(found)) = serve(stream, &name) {
                        let _ = sender.send(found);
                    }
                });
            }
        });
        let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("playground").join(&self.profile);
        let _ = fs::remove_dir_all(&profile);
        fs::create_dir_all(&profile)?;
        let mut command = Command::new(self.program);
        command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.arg(format!("--window-size={},{}", size.0, size.1));
        // Without this a browser without a window ends when it has loaded the page.
        command.arg("--remote-debugging-port=0");
        let start = if scenario == "phone" { "frame" } else { "index" };
        command.arg(format!("http://127.0.0.1:{port}/{start}.html?{query}"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let _browser = RunningBrowser(command.spawn()?);
        let found = receiver.recv_timeout(PATIENCE);
        let found = found.map_err(|_| format!("the page sent nothing in {} s", PATIENCE.as_secs()))?;
        let found: Value = serde_json::from_str(&found)?;
        if let Some(failure) = found["failure"].as_str() {
            return Err(failure.into());
        }
        let errors = found["errors"].as_array().ok_or("the script lists errors")?;
        assert!(errors.is_empty(), "errors of the page: {errors:?}");
        Ok(found["value"].clone())
    }
}

/// Answers one request; the body of one that the script sends.
fn serve(mut stream: TcpStream, scenario: &str) -> Result<Option<String>, Failed> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse()?;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or_default().split('?').next().unwrap_or_default().to_owned();
    if first.starts_with("POST") {
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")?;
        return Ok(Some(String::from_utf8(body)?));
    }
    let (kind, body) = match path.as_str() {
        "/index.html" => {
            let text = fs::read_to_string(page().join("index.html"))?;
            // First, so that it hears errors of the page's own scripts.
            let script = format!("<script src=\"page.js\" data-scenario=\"{scenario}\"></script>\n</head>");
            ("text/html", text.replacen("</head>", &script, 1).into_bytes())
        }
        "/page.js" => ("text/javascript", SCRIPT.as_bytes().to_vec()),
        // A window of Chromium is at least 500 wide, a frame in it is not.
        "/frame.html" => {
            let query = first.split_once('?').and_then(|(_, rest)| rest.split(' ').next()).unwrap_or_default();
            let frame = format!("<iframe src=\"index.html?{query}\" width=390 height=780></iframe>");
            ("text/html", frame.into_bytes())
        }
        "/worker.js" if scenario == "trap" => {
            ("text/javascript", [TRAP.as_bytes(), &fs::read(page().join("worker.js"))?].concat())
        }
        "/playground.js" | "/worker.js" => ("text/javascript", fs::read(page().join(&path[1..]))?),
        "/playground.css" => ("text/css", fs::read(page().join("playground.css"))?),
        "/tilewise.wasm" => ("application/wasm", fs::read(page().join("tilewise.wasm"))?),
        _ => {
            stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
            return Ok(None);
        }
    };
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n", body.len());
    stream.write_all(head.as_bytes())?;
    stream.write_all(b"Connection: close\r\n\r\n")?;
    stream.write_all(&body)?;
    Ok(None)
}

/// A window as on a desk.
const WIDE: (u32, u32) = (1280, 800);

fn holds(text: &Value, parts: &[&str]) -> Result<(), Failed> {
    let text = text.as_str().unwrap_or_default();
    match parts.iter().find(|part| !text.contains(**part)) {
        Some(part) => Err(format!("`{part}` is not in\n{text}").into()),
        None => Ok(()),
    }
}

fn results(browser: &Browser) -> Result<(), Failed> {
    let found = browser.open("results", "example=sync/tile_sum.kir", WIDE)?;
    holds(&found["status"], &["completed; the checks found nothing", "instructions"])?;
    holds(&found["answer"], &["sums", "[2]", "2 changed", "as expected", "36", "100", "Inputs"])?;
    assert_eq!((&found["marks"], &found["options"]), (&0.into(), &17.into()), "{found}");
    Ok(())
}

fn race(browser: &Browser) -> Result<(), Failed> {
    let found = browser.open("race", "example=checks/race_without_a_barrier.kir", WIDE)?;
    holds(&found["answer"], &["K0802", "a data race on t[0] between threads of a tile", "line 13", "line 10"])?;
    assert_eq!(found["marked"], serde_json::json!([["10", "m-other"], ["13", "m-error"]]), "{found}");
    assert_eq!(found["numbers"], serde_json::json!(["10", "13"]), "{found}");
    assert_eq!(found["selected"], "t[i - 1]", "{found}");
    assert_eq!(found["focus"], "text", "{found}");
    // The mark lies where the text is.
    let (mark, letters) = (&found["mark"], &found["letters"]);
    for side in ["left", "top", "width"] {
        let off = mark[side].as_f64().unwrap_or(f64::NAN) - letters[side].as_f64().unwrap_or(f64::NAN);
        assert!(off.abs() < 4.0, "{side}: {mark} and {letters}");
    }
    assert_eq!(found["after"], serde_json::json!([0, true]), "an edit clears the marks: {found}");
    Ok(())
}

fn typed(browser: &Browser) -> Result<(), Failed> {
    let found = browser.open("typed", "", WIDE)?;
    holds(&found["status"], &["not run: 1 error"])?;
    holds(&found["answer"], &["error K0001", "line 2", "expected"])?;
    assert_eq!(found["example"], "", "a text that was typed is no example: {found}");
    Ok(())
}

fn suggested(browser: &Browser) -> Result<(), Failed> {
    let found = browser.open("suggested", "", WIDE)?;
    holds(&found["before"], &["without errors, and not run"])?;
    holds(&found["text"], &["//! dispatch 1\n//! v: [64] = zero\n@group"])?;
    holds(&found["status"], &["completed; the checks found nothing"])
}

fn stopped(browser: &Browser) -> Result<(), Failed> {
    let found = browser.open("stopped", "", WIDE)?;
    holds(&found["status"], &["Stopped"])?;
    holds(&found["next"], &["completed"])
}

fn themes(browser: &Browser) -> Result<(), Failed> {
    for theme in ["light", "dark"] {
        let query = format!("theme={theme}&example=sync/divergence_reported.kir");
        let found = browser.open("themes", &query, WIDE)?;
        assert_eq!(found["theme"], theme);
        assert_eq!(found["isDark"], theme == "dark", "{found}");
        let faint = found["faint"].as_array().ok_or("a list")?;
        assert!(faint.is_empty() && found["measured"].as_u64() > Some(20), "contrast below 4.5: {found}");
    }
    Ok(())
}

fn phone(browser: &Browser) -> Result<(), Failed> {
    let found = browser.open("phone", "example=checks/out_of_range_of_each_kind.kir", (600, 900))?;
    let [width, needs] = ["width", "needs"].map(|name| found[name].as_u64().unwrap_or_default());
    assert!(width == 390 && needs <= width, "the page is wider than the window: {found}");
    Ok(())
}

fn names(browser: &Browser) -> Result<(), Failed> {
    let found = browser.open("names", "example=checks/race_without_a_barrier.kir", WIDE)?;
    assert_eq!(found["nameless"], serde_json::json!([]), "{found}");
    assert!(found["controls"].as_u64() > Some(8), "{found}");
    Ok(())
}

fn trap(browser: &Browser) -> Result<(), Failed> {
    let found = browser.open("trap", "example=memory/vector_add.kir", WIDE)?;
    holds(&found["status"], &["Tilewise stopped", "unreachable", "The next run begins anew."])?;
    holds(&found["next"], &["completed"])
}
