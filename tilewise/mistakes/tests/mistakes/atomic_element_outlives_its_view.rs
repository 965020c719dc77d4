//! An atomic element is kept longer than its view.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut data = [0u32; 4];
    let view = ArrayView::new(4, &mut data)?;
    let counter = view.atomic(0);
    view.close()?;
    counter.fetch_add(1);
    Ok(())
}
