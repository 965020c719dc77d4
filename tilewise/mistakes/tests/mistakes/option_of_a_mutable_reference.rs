//! A closure gives a `&mut`, which no `Option` of a kernel holds.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Writer {
    last: i32,
}

#[amp]
impl Writer {
    fn set(&mut self, x: i32) -> &mut Self {
        self.last = x;
        self
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut writer = Writer { last: 1 };
        let n = i[0];
        Some(n).map(|x| writer.set(x));
        out[i] = writer.last;
    })
}
