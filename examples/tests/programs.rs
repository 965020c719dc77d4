//! Runs every program of `examples/examples` on every accelerator that runs kernels: what it prints is the text in
//! `examples/expected`, and the results it records are the same bits on all.
//!
//! `BLESS=1 cargo test -p tilewise-examples` writes the texts anew, from what `reference` prints.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The accelerators; the first one gives the texts. And the first GPU, if there is a driver.
fn accelerators() -> Vec<&'static str> {
    let gpu = tilewise::Accelerator::new("gpu/0").is_ok().then_some("gpu/0");
    ["reference", "native", "jit"].into_iter().chain(gpu).collect()
}

/// What a program gave.
struct Outcome {
    printed: String,
    /// The recorded results by name: one element a line, its bytes as a number in hexadecimal.
    results: BTreeMap<String, String>,
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The built program: cargo puts examples beside the folder of tests.
fn program(name: &str) -> PathBuf {
    let test = env::current_exe().expect("a test knows its path");
    let built = test.parent().and_then(Path::parent).expect("tests lie in a folder of the build").join("examples");
    let path = built.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is not built: run `cargo test -p tilewise-examples`, which builds it", path.display());
    path
}

/// Runs a program on an accelerator. It must succeed and say nothing on stderr.
fn run(name: &str, accelerator: &str) -> Outcome {
    let results = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).join(accelerator);
    if results.exists() {
        fs::remove_dir_all(&results).expect("old results can be removed");
    }
    fs::create_dir_all(&results).expect("a folder for results can be made");

    let output = Command::new(program(name))
        .env("TILEWISE_DEFAULT_ACCELERATOR", accelerator)
        .env("TILEWISE_FALLBACK", "error")
        .env(tilewise_examples::RESULTS, &results)
        // As on a machine without a desktop: drivers have nothing to say of that either.
        .env_remove("NODEVICE_SELECT")
        .env_remove("XDG_RUNTIME_DIR")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the program starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{name} on {accelerator}: {}\n{complaint}", output.status);

    let files = fs::read_dir(&results).expect("the folder is there");
    let results = files.map(|file| {
        let path = file.expect("the folder can be read").path();
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("a result can be read"))
    });
    Outcome { printed: String::from_utf8(output.stdout).expect("programs print text"), results: results.collect() }
}

/// Fails at the first line in which two texts differ.
fn same_lines(what: &str, (left_name, left): (&str, &str), (right_name, right): (&str, &str)) {
    for (number, (a, b)) in left.lines().zip(right.lines()).enumerate() {
        assert!(a == b, "{what}, line {}:\n{left_name}: {a}\n{right_name}: {b}", number + 1);
    }
    assert!(
        left == right,
        "{what}: {} lines in {left_name}, {} in {right_name}",
        left.lines().count(),
        right.lines().count()
    );
}

/// A program prints the text that is expected of it, and computes the same bits on every accelerator.
fn check(name: &str) {
    let path = folder().join("expected").join(format!("{name}.txt"));
    let accelerators = accelerators();
    let outcomes: Vec<Outcome> = accelerators.iter().map(|accelerator| run(name, accelerator)).collect();
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &outcomes[0].printed).expect("the text can be written");
    }
    let expected =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}; BLESS=1 writes it", path.display()));

    let first = &outcomes[0];
    for (accelerator, outcome) in accelerators.iter().zip(&outcomes) {
        same_lines(&format!("what {name} prints"), ("expected", &expected), (accelerator, &outcome.printed));
        let names = |outcome: &Outcome| outcome.results.keys().cloned().collect::<Vec<_>>();
        assert_eq!(
            names(first),
            names(outcome),
            "{name} records the same results on {} and {accelerator}",
            accelerators[0]
        );
        for (result, bits) in &outcome.results {
            same_lines(
                &format!("`{result}` of {name}"),
                (accelerators[0], &first.results[result]),
                (accelerator, bits),
            );
        }
    }
}

macro_rules! programs {
    ($list:ident: $($test:ident $name:literal)*) => {
        $(
            #[test]
            fn $test() {
                check($name);
            }
        )*

        const $list: &[&str] = &[$($name),*];
    };
}

// Of the folder `programs`: each a larger program, of at least `LEAST_LINES` lines.
programs! {
    LARGER:
    large_calculator "calculator"
    large_nearest_points "nearest_points"
    large_ray_tracer "ray_tracer"
}

programs! {
    PROGRAMS:
    vector_add "01_vector_add"
    times_ten "02_times_ten"
    index_and_extent "03_index_and_extent"
    helper_function "04_helper_function"
    fast_math "05_fast_math"
    tiles "06_tiles"
    views "07_views"
    breakpoint "08_breakpoint"
    errors "09_errors"
    matrix_product "10_matrix_product"
    reduction "11_reduction"
    histogram "12_histogram"
    n_body "13_n_body"
    heat "14_heat"
    scan "15_scan"
    mandelbrot "16_mandelbrot"
    transpose "17_transpose"
    black_scholes "18_black_scholes"
    generic "19_generic"
    arrays_and_views "20_arrays_and_views"
    accelerators_in_turn "21_accelerators"
    binomial_options "22_binomial_options"
    mandelbrot_double "23_mandelbrot_double"
    ray_tracer "24_ray_tracer"
    nearest_points "25_nearest_points"
    calculator "26_calculator"
    scene "27_scene"
    gaussian_blur "28_gaussian_blur"
    cartoonizer "29_cartoonizer"
    sobel_edges "30_sobel_edges"
    fractals "31_fractals"
    reaction_diffusion "32_reaction_diffusion"
    mip_levels "33_mip_levels"
    resize "34_resize"
    radix_sort "35_radix_sort"
    fft "36_fft"
    game_of_life "37_game_of_life"
    galaxies "38_galaxies"
    fluid "39_fluid"
    race_found "40_race_found"
    barrier_bug "41_barrier_bug"
    pipeline "42_pipeline"
    shader_test "43_shader_test"
    hash_table "44_hash_table"
}

/// Lines that a program has at most: it is read at one sitting.
const MOST_LINES: usize = 119;

/// Lines that a larger program has at least: the language is shown at work.
const LEAST_LINES: usize = 300;

/// The names of the files of a folder that end so, without the ending.
fn names(of: &str, ending: &str) -> Vec<String> {
    let files = fs::read_dir(folder().join(of)).expect("the folder is there");
    let names = files.map(|file| file.expect("the folder can be read").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect();
    names.sort();
    names
}

/// The groups of `README.md`: each heading with the programs of the table below it.
fn groups(page: &str) -> Vec<(&str, Vec<&str>)> {
    let groups = page.split("\n### ").skip(1).map(|group| {
        let heading = group.lines().next().unwrap_or_default();
        let programs = group.lines().filter_map(|line| line.strip_prefix("| [")?.split(']').next());
        (heading, programs.collect())
    });
    groups.collect()
}

#[test]
fn every_program_is_run_and_listed() {
    let programs = names("examples", ".rs");
    assert_eq!(programs, PROGRAMS, "each program of `examples` is in the list above, in order");
    assert_eq!(names("programs", ".rs"), LARGER, "each program of `programs` is in the list above, in order");
    assert_eq!(names("expected", ".txt"), [PROGRAMS, LARGER].concat(), "each text belongs to a program");

    let page = fs::read_to_string(folder().join("README.md")).expect("the page is there");
    let groups = groups(&page);
    for (group, programs) in &groups {
        assert!(!programs.is_empty(), "the group `{group}` of examples/README.md has programs");
        assert!(programs.is_sorted(), "the group `{group}` of examples/README.md is in order");
    }
    let mut listed: Vec<&str> = groups.into_iter().flat_map(|(_, programs)| programs).collect();
    listed.sort_unstable();
    assert_eq!(listed, [PROGRAMS, LARGER].concat(), "examples/README.md lists each program once, in a group");
}

#[test]
fn larger_programs_are_long_enough() {
    for name in LARGER {
        let program = fs::read_to_string(folder().join(format!("programs/{name}.rs"))).expect("the program is there");
        let lines = program.lines().count();
        assert!(lines >= LEAST_LINES, "{name} has {lines} lines, less than {LEAST_LINES}");
    }
}

#[test]
fn every_program_is_short_and_says_what_it_shows() {
    for name in PROGRAMS {
        let path = folder().join(format!("examples/{name}.rs"));
        let program = fs::read_to_string(&path).expect("the program is there");
        assert!(program.starts_with("//! "), "{name} begins with what it shows");
        let lines = program.lines().count();
        assert!(lines <= MOST_LINES, "{name} has {lines} lines, more than {MOST_LINES}: say less, or make it two");
        let long = program.lines().position(|line| line.chars().count() > 120);
        assert_eq!(long.map(|line| line + 1), None, "{name} has a line of more than 120 columns");
    }
}
