//! One view on every accelerator in turn, and on several at once; what was done where, nobody needs to keep in mind. Work in the background, and who waits for it.

use tilewise::prelude::*;
use tilewise::{copy_async_from, copy_async_into};

fn main() -> tilewise::Result<()> {
    let every: Vec<AcceleratorView> = Accelerator::all()
        .into_iter()
        .filter(|accelerator| accelerator.path() != Accelerator::CPU)
        .map(|accelerator| accelerator.default_view())
        .collect();

    // In turn: each adds one to all.
    let mut data = vec![0u32; 300];
    let view = ArrayView::of(&mut data);
    for accelerator in &every {
        parallel_for_each!(accelerator, view.extent(), |i| view[i] += 1)?;
    }
    view.close()?;
    assert!(data.iter().all(|&x| x == every.len() as u32));
    println!("everyone was there");

    // At once: each has a section.
    let all = ArrayView::from_vec((every.len(), 100), vec![1u32; every.len() * 100])?;
    std::thread::scope(|scope| {
        for (row, accelerator) in every.iter().enumerate() {
            let part = all.project::<1>(row);
            scope.spawn(move || parallel_for_each!(accelerator, part.extent(), |i| part[i] *= 7).expect("it runs"));
        }
    });
    assert!(all.host()?.iter().all(|&x| x == 7));
    println!("everyone has done a part");

    // In the background: what comes later waits for what came before.
    let array = Array::<f32>::new(1000)?;
    let sent = copy_async_from(vec![1.5; 1000], &array)?;
    parallel_for_each!(array.extent(), |i| array[i] += i[0] as f32)?;
    let sum = copy_async_into(&array, sent.get()?)?.then(|numbers| Ok(numbers.iter().sum::<f32>()));
    println!("{}", sum.get()?);
    Ok(())
}
