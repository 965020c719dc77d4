//! Data is touched while a view has it.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut data = [0; 4];
    let view = ArrayView::new(4, &mut data)?;
    data.swap(0, 1);
    view.close()?;
    Ok(())
}
