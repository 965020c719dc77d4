//! A kernel that is kept holds its views.

use tilewise::prelude::*;

struct Kept {
    kernel: Kernel<'static, Index<1>>,
}

fn main() -> tilewise::Result<()> {
    let mut data = [0; 4];
    let view = ArrayView::new(4, &mut data)?;
    let kept = Kept {
        kernel: kernel!(|i: Index<1>| {
            view[i] = 1;
        }),
    };
    tilewise::parallel_for_each(Extent([4]), &kept.kernel)?;
    Ok(())
}
