//! Tests: cached results are found again, and any other content is rejected.

use std::thread;

use super::*;

/// A folder for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("tilewise-cache-{name}-{}", process::id()));
        // Left by a run that ended early.
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const KEY: &str = "tilewise: exact float operations\nadapter of a test\nprobe 1\n";

fn found() -> Qualified {
    let exact = Exact::LEAST.with(NativeOp::Fma, Scalar::F32).without(NativeOp::Mul, Scalar::F64);
    let fault =
        |own, scalar, fatal| ProbeFault { own, scalar, fatal, witness: "`x * y` of x = 0x1 gives 0x0, not 0x1".into() };
    Qualified {
        exact,
        faults: vec![fault(NativeOp::Sqrt, Scalar::F32, false), fault(NativeOp::Mul, Scalar::F64, true)],
    }
}

fn keep(folder: &Folder, key: &str, found: &Qualified) {
    write(&folder.0, key, found).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn what_is_kept_is_found_again_and_nothing_lies_beside_it() {
    let folder = Folder::new("again");
    assert_eq!(read(&folder.0, KEY), None);
    keep(&folder, KEY, &found());
    assert_eq!(read(&folder.0, KEY), Some(found()));
    let none = Qualified { exact: Exact::NONE, faults: Vec::new() };
    keep(&folder, KEY, &none);
    assert_eq!(read(&folder.0, KEY), Some(none));
    let files = fs::read_dir(&folder.0).unwrap_or_else(|error| panic!("{error}")).count();
    assert_eq!(files, 1);
}

#[test]
fn what_is_of_another_driver_is_not_believed() {
    let folder = Folder::new("other");
    let other = "tilewise: exact float operations\nadapter of a test\nprobe 2\n";
    keep(&folder, other, &found());
    assert_eq!(read(&folder.0, KEY), None);
    // Also if the file names collide.
    fs::rename(file(&folder.0, other), file(&folder.0, KEY)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read(&folder.0, KEY), None);
}

#[test]
fn what_is_damaged_is_not_believed() {
    let folder = Folder::new("damaged");
    let whole = print(KEY, &found());
    assert_eq!(parse(KEY, &whole), Some(found()));
    fs::create_dir_all(&folder.0).unwrap_or_else(|error| panic!("{error}"));
    let path = file(&folder.0, KEY);
    for end in 0..whole.len() {
        assert_eq!(parse(KEY, &whole[..end]), None, "{}", &whole[..end]);
    }
    let changed = whole.replace("exact f64 add sub", "exact f64 add fma");
    let foreign = [String::new(), changed, "\0\u{7f}".into(), format!("{whole}{whole}"), "end\n".into()];
    for text in foreign {
        assert_ne!(text, whole);
        fs::write(&path, &text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read(&folder.0, KEY), None, "{text}");
    }
    fs::write(&path, [0xff, 0xfe, 0x00]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read(&folder.0, KEY), None);
    keep(&folder, KEY, &found());
    assert_eq!(read(&folder.0, KEY), Some(found()));
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_that_leaves_nothing() {
    let folder = Folder::new("unwritable");
    fs::create_dir_all(&folder.0).unwrap_or_else(|error| panic!("{error}"));
    let taken = folder.0.join("file");
    fs::write(&taken, "no folder").unwrap_or_else(|error| panic!("{error}"));
    assert!(write(&taken, KEY, &found()).is_err());
    assert_eq!(read(&taken, KEY), None);
    // A folder in the place of the file: the rename fails, and the temporary file is removed.
    fs::create_dir_all(file(&folder.0, KEY).join("full")).unwrap_or_else(|error| panic!("{error}"));
    assert!(write(&folder.0, KEY, &found()).is_err());
    assert_eq!(fs::read_dir(&folder.0).unwrap_or_else(|error| panic!("{error}")).count(), 2);
}

#[test]
fn who_reads_while_others_write_sees_whole_texts() {
    let folder = Folder::new("at-once");
    keep(&folder, KEY, &found());
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| (0..200).for_each(|_| keep(&folder, KEY, &found())));
        }
        for _ in 0..2 {
            scope.spawn(|| (0..500).for_each(|_| assert_eq!(read(&folder.0, KEY), Some(found()))));
        }
    });
    assert_eq!(fs::read_dir(&folder.0).unwrap_or_else(|error| panic!("{error}")).count(), 1);
}

#[test]
fn the_folder_is_the_platforms_unless_one_is_named() {
    let with = |set: &[(&str, &str)]| {
        choose(|name| set.iter().find(|(other, _)| *other == name).map(|(_, value)| PathBuf::from(value)))
    };
    assert_eq!(with(&[("TILEWISE_CACHE", "off"), ("HOME", "/home/a")]), None);
    assert_eq!(with(&[("TILEWISE_CACHE", "here"), ("HOME", "/home/a")]), Some(PathBuf::from("here")));
    assert_eq!(with(&[]), None);
    if cfg!(target_os = "linux") {
        assert_eq!(with(&[("HOME", "/home/a")]), Some(PathBuf::from("/home/a/.cache/tilewise")));
        let named = [("HOME", "/home/a"), ("XDG_CACHE_HOME", "/var/b")];
        assert_eq!(with(&named), Some(PathBuf::from("/var/b/tilewise")));
        let relative = [("HOME", "/home/a"), ("XDG_CACHE_HOME", "b")];
        assert_eq!(with(&relative), Some(PathBuf::from("/home/a/.cache/tilewise")));
    }
}

#[test]
fn the_version_is_the_one_that_the_manifest_pins() {
    let manifest = include_str!("../../../../Cargo.toml");
    for package in ["wgpu", "naga"] {
        assert!(manifest.contains(&format!("{package} = {{ version = \"={WGPU}\"")), "{package}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_or_device_in_place_of_the_file_is_not_read() {
    let folder = Folder::new("no-file");
    fs::create_dir_all(&folder.0).unwrap_or_else(|error| panic!("{error}"));
    let path = file(&folder.0, KEY);
    // A pipe without a writer blocks its reader.
    let made = process::Command::new("mkfifo").arg(&path).status().unwrap_or_else(|error| panic!("{error}"));
    assert!(made.success());
    assert_eq!(read(&folder.0, KEY), None);
    fs::remove_file(&path).unwrap_or_else(|error| panic!("{error}"));
    // An endless device.
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read(&folder.0, KEY), None);
    // A write replaces it.
    keep(&folder, KEY, &found());
    assert_eq!(read(&folder.0, KEY), Some(found()));
}
