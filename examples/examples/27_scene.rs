//! A picture as a file: a kernel draws it, `save` writes it, `open` reads the same texels. The scene is in
//! `examples/src/scene.rs`; the next programs work on it, or on a picture of yours:
//! `28_gaussian_blur OUT.png IN.jpg`.

use std::env;

use tilewise::graphics::{Texture, Unorm4};
use tilewise_examples::pictures::PictureTask;

fn main() -> tilewise::Result<()> {
    let task = PictureTask::from_arguments();
    let picture = task.input()?;
    task.finish(&picture)?;

    let again = match env::args_os().nth(1) {
        Some(path) => Texture::<Unorm4, 2>::open(path)?,
        None => Texture::<Unorm4, 2>::from_picture(&picture.to_png()?)?,
    };
    assert_eq!(again.to_bytes()?, picture.to_bytes()?, "a PNG file keeps every texel");
    Ok(())
}
