//! `tilewise completions` and `tilewise man`: complete, and readable for shells and for `man`.

use std::fs;
use std::path::Path;
use std::process::Command;

fn tilewise(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewise")).args(arguments).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Commands that the program keeps for itself.
const HIDDEN: [&str; 2] = ["verify-worker", "corpus-file"];

#[test]
fn each_shell_gets_completions_without_hidden_commands() {
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

#[cfg(unix)]
#[test]
fn bash_completes_commands_and_targets() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("completions");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let file = folder.join("tilewise.bash");
    fs::write(&file, tilewise(&["completions", "bash"]).1).expect("the file can be written");
    let bash = |script: &str| {
        let output = Command::new("bash").arg("-c").arg(script).arg("bash").arg(&file).output().expect("bash runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    bash("bash -n \"$1\"");
    let words = "source \"$1\"; COMP_WORDS=(tilewise \"${line[@]}\"); COMP_CWORD=${#line[@]}; \
                 _tilewise tilewise \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"; echo \"${COMPREPLY[@]}\"";
    assert_eq!(bash(&format!("line=(ver); {words}")), "verify\n");
    assert_eq!(bash(&format!("line=(fuzz --until); {words}")), "--until-failure\n");
    assert!(bash(&format!("line=(fuzz --target gpu-s); {words}")).contains("gpu-strict"));
}

#[test]
fn the_manual_has_a_page_for_the_program_and_for_each_command() {
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

#[cfg(unix)]
#[test]
fn man_renders_the_page_where_it_is_installed() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tilewise-fuzz.1");
    let (_, page, _) = tilewise(&["man", "fuzz"]);
    assert!(page.contains("until\\-failure"), "{page}");
    fs::write(&file, page).expect("the file can be written");
    // A system without `man`, or whose `man` only says that it was left out, has nothing to render with.
    let Ok(output) = Command::new("man").arg("-l").arg(&file).env("MANPAGER", "cat").output() else { return };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() && text.contains("SYNOPSIS") {
        assert!(text.contains("--until-failure") && text.contains("tilewise fuzz"), "{text}");
    }
}
