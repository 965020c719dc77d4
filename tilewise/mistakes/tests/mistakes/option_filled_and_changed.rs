//! What fills an `Option` gives a `&` in a kernel: a method that changes the value is none of that.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Counter {
    n: i32,
}

#[amp]
impl Counter {
    fn add(&mut self, n: i32) {
        self.n += n;
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut counter: Option<Counter> = None;
        counter.get_or_insert(Counter { n: 3 }).add(i[0]);
        out[i] = counter.unwrap_or(Counter { n: 0 }).n;
    })
}
