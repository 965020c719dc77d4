//! `tilewise completions` and `tilewise man`: complete, and readable for shells and for `man`.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    // A system without `man`, or whose `man` only says that it was left out, has nothing to render with.
    let renders = cfg!(unix) && rendered("tilewise-probe.1", ".TH P 1\n.SH SYNOPSIS\nword\n").contains("SYNOPSIS");
    let test = |name: &str, is_ignored: bool, run: fn()| {
        let run = move || {
            run();
            Ok::<(), Failed>(())
        };
        Trial::test(name, run).with_ignored_flag(is_ignored)
    };
    let tests = vec![
        test("each_shell_gets_completions_without_hidden_commands", false, shells),
        test("bash_completes_commands_and_targets", !cfg!(unix), bash),
        test("the_manual_has_a_page_for_the_program_and_for_each_command", false, pages),
        test("man_renders_a_page", !renders, man),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit();
}

/// What `man` makes of a page; nothing if it cannot.
fn rendered(name: &str, page: &str) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, page).expect("the file can be written");
    let output = Command::new("man").arg("-l").arg(&file).env("MANPAGER", "cat").output();
    output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn tilewise(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewise")).args(arguments).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Commands that the program keeps for itself.
const HIDDEN: [&str; 2] = ["verify-worker", "corpus-file"];

fn shells() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, err) = tilewise(&["completions", shell]);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{shell}");
        for word in ["verify", "until-failure", "gpu-strict", "completions"] {
            assert!(out.contains(word), "{shell} does not complete {word}");
        }
        for hidden in HIDDEN {
            assert!(!out.contains(hidden), "{shell} completes {hidden}");
        }
    }
    let (code, _, err) = tilewise(&["completions", "tcsh"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("possible values: bash, elvish, fish, powershell, zsh"), "{err}");
}

fn bash() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("completions");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let file = folder.join("tilewise.bash");
    fs::write(&file, tilewise(&["completions", "bash"]).1).expect("the file can be written");
    let run = |script: &str| {
        let output = Command::new("bash").arg("-c").arg(script).arg("bash").arg(&file).output().expect("bash runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run("bash -n \"$1\"");
    let words = "source \"$1\"; COMP_WORDS=(tilewise \"${line[@]}\"); COMP_CWORD=${#line[@]}; \
                 _tilewise tilewise \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"; echo \"${COMPREPLY[@]}\"";
    assert_eq!(run(&format!("line=(ver); {words}")), "verify\n");
    assert_eq!(run(&format!("line=(fuzz --until); {words}")), "--until-failure\n");
    assert!(run(&format!("line=(fuzz --target gpu-s); {words}")).contains("gpu-strict"));
}

fn pages() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man-pages");
    drop(fs::remove_dir_all(&folder));
    let (code, out, err) = tilewise(&["man", "--out", &folder.to_string_lossy()]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let (_, program, _) = tilewise(&["man"]);
    let written = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(written("tilewise.1"), program);
    for command in ["verify", "fuzz", "run", "check", "man", "completions"] {
        assert!(program.contains(&format!("tilewise\\-{command}(1)")), "{command}: {program}");
        let page = written(&format!("tilewise-{command}.1"));
        for section in [".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS"] {
            assert!(page.contains(section), "{command} has no {section}");
        }
        assert!(out.contains(&format!("tilewise-{command}.1")), "{out}");
    }
    let (_, page, _) = tilewise(&["man", "verify"]);
    assert_eq!(page, written("tilewise-verify.1"));
    for hidden in HIDDEN {
        assert!(!out.contains(hidden) && !program.contains(&hidden.replace('-', "\\-")), "{hidden}");
    }
    let (code, _, err) = tilewise(&["man", "nothing"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("there is no command `nothing`") && err.contains("the commands are: verify"), "{err}");
}

fn man() {
    let (_, page, _) = tilewise(&["man", "fuzz"]);
    assert!(page.contains("until\\-failure"), "{page}");
    let text = rendered("tilewise-fuzz.1", &page);
    assert!(text.contains("SYNOPSIS") && text.contains("--until-failure") && text.contains("tilewise fuzz"), "{text}");
}
