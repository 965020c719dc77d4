//! A guard is returned from the function that has the view.

use tilewise::HostRead;
use tilewise::prelude::*;

fn all(data: &[i32]) -> tilewise::Result<HostRead<'_, i32, 1>> {
    let view = ArrayView::read_only(3, data)?;
    view.host()
}

fn main() {
    assert!(all(&[1, 2, 3]).is_ok());
}
