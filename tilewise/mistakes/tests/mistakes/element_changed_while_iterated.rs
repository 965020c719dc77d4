//! An element is changed while a loop looks at all of them.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(4, vec![1, 2, 3, 4])?;
    let mut elements = view.host_mut()?;
    for x in elements.iter() {
        elements[0] = *x;
    }
    Ok(())
}
