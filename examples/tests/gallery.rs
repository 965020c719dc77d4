//! The pictures of `docs/gallery.md` are those that the programs make: each is made anew on `jit`, and its file is
//! compared byte by byte. Results have the same bits on every accelerator, and the encoder's version is pinned.
//!
//! `BLESS=1 cargo test -p tilewise-examples --test gallery` writes the pictures anew. The programs must be built:
//! `cargo build --workspace --examples` before it, where not all tests are run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use tilewise::graphics::{Texture, Unorm4};

/// Most bytes of a picture, so that a clone of the project stays small.
const MOST_BYTES: usize = 80_000;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the repository")
}

/// The built program: cargo puts examples beside the folder of tests.
fn program(name: &str) -> PathBuf {
    let test = env::current_exe().expect("a test knows its path");
    let built = test.parent().and_then(Path::parent).expect("tests lie in a folder of the build").join("examples");
    let path = built.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is not built: run `cargo build --workspace --examples`", path.display());
    path
}

/// The picture that a program makes is the one in `docs/pictures`.
fn check(name: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery");
    fs::create_dir_all(&folder).expect("a folder for pictures can be made");
    let made = folder.join(format!("{name}.png"));
    let output = Command::new(program(name))
        .arg(&made)
        .env("TILEWISE_DEFAULT_ACCELERATOR", "jit")
        .env("TILEWISE_FALLBACK", "error")
        .output()
        .expect("the program starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{name}: {}\n{complaint}", output.status);
    assert!(output.stdout.is_empty(), "{name} saves its picture and prints nothing");

    let shown = repository().join(format!("docs/pictures/{name}.png"));
    if env::var_os("BLESS").is_some() {
        fs::copy(&made, &shown).expect("the picture can be written");
    }
    let hint = format!("BLESS=1 writes {}; look at it before you commit it", shown.display());
    let file = |path: &Path| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}; {hint}", path.display()));
    let (made, shown) = (file(&made), file(&shown));
    assert!(made.len() <= MOST_BYTES, "{name} makes a file of {} bytes, more than {MOST_BYTES}", made.len());
    if made == shown {
        return;
    }
    let texels = |bytes| Texture::<Unorm4, 2>::from_picture(bytes).and_then(|picture| picture.to_vec());
    let (made, shown) = (texels(&made).expect("a picture"), texels(&shown).expect("a picture"));
    let other = made.iter().zip(&shown).filter(|(made, shown)| made != shown).count();
    panic!("{name} makes another picture than the one of the gallery: {other} of {} texels differ; {hint}", made.len());
}

macro_rules! gallery {
    ($($test:ident $name:literal)*) => {
        $(
            #[test]
            fn $test() {
                check($name);
            }
        )*

        const PICTURES: &[&str] = &[$($name),*];
    };
}

gallery! {
    scene "27_scene"
    gaussian_blur "28_gaussian_blur"
    cartoonizer "29_cartoonizer"
    sobel_edges "30_sobel_edges"
    fractals "31_fractals"
    reaction_diffusion "32_reaction_diffusion"
    mip_levels "33_mip_levels"
    resize "34_resize"
    game_of_life "37_game_of_life"
    galaxies "38_galaxies"
    fluid "39_fluid"
}

#[test]
fn the_page_shows_each_picture_with_its_program_and_its_command() {
    let page = fs::read_to_string(repository().join("docs/gallery.md")).expect("the page is there");
    let shown: Vec<&str> = page.split("](pictures/").skip(1).filter_map(|rest| rest.split(".png)").next()).collect();
    assert_eq!(shown, PICTURES, "docs/gallery.md shows each picture, in order");
    for name in PICTURES {
        assert!(page.contains(&format!("`examples/examples/{name}.rs`")), "the page names the file of {name}");
        assert!(page.contains(&format!("--example {name} ")), "the page has the command of {name}");
    }
    let files = fs::read_dir(repository().join("docs/pictures")).expect("the folder is there");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("it can be read").path()).collect();
    files.sort();
    let expected = PICTURES.iter().map(|name| repository().join(format!("docs/pictures/{name}.png")));
    assert_eq!(files, expected.collect::<Vec<_>>(), "docs/pictures holds the pictures of the page");
}
