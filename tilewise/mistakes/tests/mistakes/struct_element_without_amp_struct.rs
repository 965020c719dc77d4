//! A view of a struct that does not derive `AmpStruct`.

use tilewise::prelude::*;

#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

fn main() -> tilewise::Result<()> {
    let _view = ArrayView::from_vec(4, vec![Point { x: 0.0 }; 4])?;
    Ok(())
}
