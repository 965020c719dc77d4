//! What goes wrong, and what one is told. What only the host can say gives a `Result`; what a kernel could say too
//! panics on the host and has a `try_` form.

use tilewise::Error;
use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::<i32, 2>::without_source((10, 7))?;

    // A domain must be a multiple of its tile.
    let refused = parallel_for_each!(view.extent().tile::<4, 4>(), |t| {
        view[t] = 1;
    });
    match refused {
        Err(Error::InvalidComputeDomain(why)) => println!("launch: {}", why.message),
        other => other?,
    }

    // Nor is there a launch on elements that the host is holding.
    let guard = view.host()?;
    let refused = parallel_for_each!(view.extent(), |i| {
        view[i] += 1;
    });
    match refused {
        Err(Error::Borrowed(place)) => println!("guard: taken in line {}", place.line()),
        other => other?,
    }
    drop(guard);

    // Shapes that do not fit.
    if let Err(error) = view.try_section((5, 0), (6, 7)) {
        println!("section: {error}");
    }
    if let Err(error) = ArrayView::from_vec((3, 3), vec![0; 8]) {
        println!("view: {error}");
    }
    Ok(())
}
