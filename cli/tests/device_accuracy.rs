//! `tilewise accuracy --device`. What needs a GPU counts as ignored where there is none.

mod program_runs;

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use program_runs::tilewise;

fn main() {
    // Whatever else is wrong is for the tests to find.
    let told = tilewise(&folder("here"), &["accuracy", "--device", "--function", "floor"]).2;
    let has_gpu = !told.contains("there is no GPU") && cfg!(feature = "gpu");
    let test = |name: &str, needs_gpu: bool, run: fn() -> Result<(), Failed>| {
        Trial::test(name, run).with_ignored_flag(needs_gpu && !has_gpu)
    };
    let tests = vec![
        test("a_device_is_measured_for_people_programs_and_the_page", true, measured),
        test("verify_measures_devices_beside_the_suite", true, beside_the_suite),
        test("a_device_or_built_in_that_is_not_there_is_an_error", true, not_there),
        test("options_of_devices_need_a_device", false, without_device),
        test("a_file_that_is_no_report_is_an_error", false, no_report),
        test("reports_and_measurements_of_a_launch_of_ones_own_are_refused", false, of_the_suite),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit();
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    program_runs::folder("device_accuracy", name)
}

fn holds(text: &str, parts: &[&str]) -> Result<(), Failed> {
    match parts.iter().find(|part| !text.contains(**part)) {
        Some(part) => Err(format!("`{part}` is not in\n{text}").into()),
        None => Ok(()),
    }
}

fn json(path: &Path) -> Result<serde_json::Value, Failed> {
    Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
}

fn measured() -> Result<(), Failed> {
    let folder = folder("measured");
    let arguments =
        ["accuracy", "--device", "0", "--function", "floor(x),sin(x)", "--json", "one.json", "--page", "one.md"];
    let (code, out, err) = tilewise(&folder, &arguments);
    assert_eq!(code, Some(0), "{out}{err}");
    holds(
        &out,
        &[
            "gpu/0: ",
            "floor(x)                 ok: largest error 0 ulp",
            "sin(x)",
            "2 built-ins keep theirs, 0 do not, 0 not run",
        ],
    )?;
    let report = json(&folder.join("one.json"))?;
    let builtins = report["devices"][0]["builtins"].as_array().ok_or("a list")?;
    let names: Vec<_> = builtins.iter().map(|builtin| builtin["name"].as_str().unwrap_or_default()).collect();
    assert_eq!(names, ["floor(x)", "sin(x)"]);
    // An exact sine would be a miracle; one that is far off would not pass.
    let size = builtins[1]["largest"]["size"].as_f64().ok_or("a number")?;
    assert!(size > 0.1 && builtins[1]["tried"] == 16_384, "{report}");
    let page = fs::read_to_string(folder.join("one.md"))?;
    holds(
        &page,
        &["# Accuracy of devices", "It keeps all promises.", "| `sin(x)` | 2^-11 absolute in -pi .. pi | the same |"],
    )?;
    // The same function of `f16`, of which all arguments are tried, if the driver has them.
    let (code, out, err) =
        tilewise(&folder, &["accuracy", "--device", "0", "--function", "f16 sin(x)", "--json", "half.json"]);
    let report = json(&folder.join("half.json"))?;
    match report["devices"][0]["builtins"].as_array().ok_or("a list")?.as_slice() {
        [] => holds(&out, &["not-run: 1 built-ins: the driver has no 16-bit floats (SHADER_F16)"])?,
        [half] => {
            assert_eq!(code, Some(0), "{out}{err}");
            assert_eq!(
                (half["name"].as_str(), half["tried"].as_u64()),
                (Some("f16 sin(x)"), Some(1 << 16)),
                "{report}"
            );
        }
        _ => return Err(format!("one built-in was asked for: {report}").into()),
    }
    // Another device beside it.
    let arguments = ["accuracy", "--device", "--function", "floor(x)", "--include", "one.json", "--page", "two.md"];
    assert_eq!(tilewise(&folder, &arguments).0, Some(0));
    let page = fs::read_to_string(folder.join("two.md"))?;
    assert_eq!((page.matches("\n## ").count(), page.matches("| `sin(x)` |").count()), (2, 1), "{page}");
    Ok(())
}

fn beside_the_suite() -> Result<(), Failed> {
    let folder = folder("beside");
    let (code, out, err) = tilewise(
        &folder,
        &["verify", "sync/tile_sum.kir", "--accuracy", "--target", "jit", "--json", "r.json", "--html", "r.html"],
    );
    holds(&out, &["gpu/0: ", "passed: 1 pass", " not run\n"])
        .or_else(|failed| if code == Some(1) { holds(&out, &["BEYOND"]) } else { Err(failed) })?;
    assert!(code == Some(0) || out.contains("BEYOND"), "{out}{err}");
    let report = json(&folder.join("r.json"))?;
    assert!(report["accuracy"]["devices"][0]["builtins"].as_array().is_some_and(|all| all.len() > 70), "{report}");
    holds(
        &fs::read_to_string(folder.join("r.html"))?,
        &["<section id=\"accuracy\"", "<svg class=\"bar\"", "href=\"#accuracy\""],
    )
}

fn not_there() -> Result<(), Failed> {
    let folder = folder("not_there");
    for (arguments, told) in [
        (["--device", "99", "--function", "floor"], "there is no `gpu/99`: this machine has"),
        (["--device", "all", "--function", "sine"], "no built-in that is measured has `sine` in its name"),
    ] {
        let (code, _, err) = tilewise(&folder, &[&["accuracy"], &arguments[..]].concat());
        assert_eq!(code, Some(2), "{err}");
        holds(&err, &[told])?;
    }
    Ok(())
}

fn without_device() -> Result<(), Failed> {
    let folder = folder("without");
    for (arguments, told) in [
        (["accuracy", "--level", "std"], "--device"),
        (["accuracy", "--device", "first"], "a GPU has a number, as `tilewise devices` shows them"),
        // Before anything is measured, which takes hours.
        (["accuracy", "--page", "none/page.md"], "cannot write `none/page.md`"),
    ] {
        let (code, _, err) = tilewise(&folder, &arguments);
        assert_eq!(code, Some(2), "{err}");
        holds(&err, &[told])?;
    }
    // Nobody would write the file.
    let (code, _, err) = tilewise(&folder, &["accuracy", "--quick", "--function", "::sinf", "--json", "j.json"]);
    assert_eq!(code, Some(2), "{err}");
    holds(&err, &["`--json` is about a measurement of devices"])?;
    Ok(())
}

/// A launch on the command line is no case, so what is asked about cases is refused.
fn of_the_suite() -> Result<(), Failed> {
    let folder = folder("of_the_suite");
    let kernel = "// Adds.\n//! domain 2\n//! v: [2] = 1 2\n\
        kernel k(v: view<f32, 1, read_write>, s: f32) rank(1) { v[global[0]] = v[global[0]] + s; }\n";
    fs::write(folder.join("own.kir"), kernel)?;
    let launch = ["verify", "own.kir", "--set", "s=1", "--target", "jit"];
    assert_eq!(tilewise(&folder, &launch).0, Some(0));
    let reports = [&["--accuracy"][..], &["--json", "r.json"], &["--junit", "r.xml"], &["--html", "r.html"]];
    let of_cases = [&["--list"][..], &["--resume", "r.json"], &["--fail-fast"]];
    for option in reports.into_iter().chain(of_cases) {
        let (code, _, err) = tilewise(&folder, &[&launch, option].concat());
        assert_eq!(code, Some(2), "{err}");
        holds(&err, &[&format!("`{}` is about cases of the suite, and this launch is none", option[0])])?;
    }
    Ok(())
}

fn no_report() -> Result<(), Failed> {
    let folder = folder("no_report");
    fs::write(folder.join("text.json"), "not JSON")?;
    fs::write(folder.join("other.json"), "{\"cases\":[]}")?;
    fs::write(folder.join("old.json"), "{\"tests\":[{\"name\":\"mp\"}]}")?;
    for (file, told) in [
        ("none.json", "`--include`: cannot read `none.json`"),
        ("text.json", "`--include`: `text.json` is no JSON report"),
        ("other.json", "`--include`: `other.json` is none of the reports that the page can show"),
        ("old.json", "`--include`: `old.json` is no report of this version: missing field `target`"),
    ] {
        let (code, _, err) = tilewise(
            &folder,
            &["verify", "sync/tile_sum.kir", "--target", "jit", "--html", "r.html", "--include", file],
        );
        assert_eq!(code, Some(2), "{err}");
        holds(&err, &[told, "help: name a file that `--json` of"])?;
    }
    Ok(())
}
