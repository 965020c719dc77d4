//! What may be used on the other side of a panic, and sent to other threads.

use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};

use tilewise::prelude::*;
use tilewise::{Completion, Error, HostRead, HostWrite, Launch, Result};

/// A type whose values, and references to them, may cross a `catch_unwind`.
fn crosses<T: UnwindSafe + RefUnwindSafe>() {}

#[test]
fn handles_cross_a_catch_of_panics() -> Result<()> {
    crosses::<Accelerator>();
    crosses::<AcceleratorView>();
    crosses::<Array<f32, 2>>();
    crosses::<ArrayView<'_, f32, 2>>();
    crosses::<ReadView<'_, f32, 2>>();
    crosses::<Kernel<'_, Index<2>>>();
    crosses::<Launch<Extent<2>>>();
    crosses::<Completion<Vec<f32>>>();
    crosses::<Error>();
    crosses::<HostRead<'_, f32, 1>>();
    crosses::<HostWrite<'_, f32, 1>>();
    let view = ArrayView::from_vec(3, vec![1, 2, 3])?;
    let panicked = catch_unwind(|| {
        view.set(0, 10).expect("it is free");
        let _guard = view.host_mut().expect("it is free");
        panic!("with a guard in hand");
    });
    assert!(panicked.is_err());
    assert_eq!(view.to_vec()?, [10, 2, 3], "the guard is released");
    Ok(())
}
