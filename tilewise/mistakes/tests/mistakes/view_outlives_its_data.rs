//! A view of data that ends before it.

use tilewise::prelude::*;

fn zeros() -> tilewise::Result<ArrayView<'static, i32>> {
    let mut data = vec![0; 4];
    ArrayView::new(4, &mut data)
}

fn main() -> tilewise::Result<()> {
    zeros()?.close()
}
