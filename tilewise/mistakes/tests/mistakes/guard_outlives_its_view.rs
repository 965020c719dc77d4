//! A guard is kept longer than its view.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let guard = {
        let view = ArrayView::from_vec(4, vec![0; 4])?;
        view.host()?
    };
    assert_eq!(guard[0], 0);
    Ok(())
}
