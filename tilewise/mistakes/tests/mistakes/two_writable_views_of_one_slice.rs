//! Two views that write the same data: one is a copy of the other.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut data = [0; 4];
    let a = ArrayView::new(4, &mut data)?;
    let b = ArrayView::new(4, &mut data)?;
    a.close()?;
    b.close()?;
    Ok(())
}
