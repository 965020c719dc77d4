//! An enum with fields in a view.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
enum Shape {
    Dot,
    Disc(i32),
}

fn main() -> tilewise::Result<()> {
    let shapes = ArrayView::from_vec(2, vec![Shape::Dot, Shape::Disc(1)])?;
    drop(shapes);
    Ok(())
}
