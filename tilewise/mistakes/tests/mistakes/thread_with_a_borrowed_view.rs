//! A thread may outlive what its view borrows.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut data = vec![0; 4];
    let view = ArrayView::new(4, &mut data)?;
    let thread = std::thread::spawn(move || view.fill(1));
    thread.join().expect("no panic")?;
    Ok(())
}
