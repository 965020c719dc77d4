//! Bytes without meaning cannot be read by way of `bytemuck` either.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
#[repr(C, align(16))]
struct Block<T> {
    value: T,
}

fn main() {
    let block = Block { value: 1.0f32 };
    let _: &[u8] = tilewise::bytemuck::bytes_of(&block);
}
