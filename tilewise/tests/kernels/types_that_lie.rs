//! A type that tells the kernel language something else than it tells Rust: safe code can write one, and it must not reach memory.

use tilewise::prelude::*;
use tilewise::types::KernelType;
use tilewise::{Error, bytemuck, macro_support, parallel_for_each};

use crate::{TARGETS, view};

/// Four bytes, it says to Rust; eight, to kernels.
#[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(transparent)]
struct Large(i32);

impl KernelType for Large {
    fn ty() -> macro_support::RustType {
        i64::ty()
    }
}

impl Element for Large {
    type Value = Large;
}

#[test]
fn an_element_of_another_size_is_refused_by_what_follows_its_type() {
    let v = ArrayView::from_vec(4, vec![Large(1); 4]).unwrap();
    for path in TARGETS {
        let result = parallel_for_each!(&view(path), v.extent(), |i| {
            v[i] = v[i + 1];
        });
        let Err(Error::UnsupportedFeature(text)) = result else { panic!("{path}: {result:?}") };
        assert!(text.contains("an element of `v` has 4 bytes, and the kernel takes it to have 8"), "{text}");
    }
    let left: Vec<i32> = v.to_vec().unwrap().iter().map(|large| large.0).collect();
    assert_eq!(left, [1; 4]);
}
