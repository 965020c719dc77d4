//! Short vectors, indices and extents in the forms of `serde`.

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use tilewise::graphics::{Norm, Norm2, Norm4, Unorm, Unorm3};
use tilewise::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use tilewise::{Extent, Index};

/// Writes a value as JSON, and reads it back.
fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, text: &str) {
    let written = serde_json::to_string(&value).expect("it is written");
    assert_eq!(written, text);
    assert_eq!(serde_json::from_str::<T>(&written).expect("it is read"), value);
}

#[test]
fn a_vector_is_an_array_of_its_components() {
    there_and_back(Float2::new(1.5, -2.0), "[1.5,-2.0]");
    there_and_back(Float3::new(0.1, 2.0, 3.0), "[0.1,2.0,3.0]");
    there_and_back(Float4::new(1.0, 2.0, 3.0, 4.0), "[1.0,2.0,3.0,4.0]");
    there_and_back(Double2::new(0.1, 1e300), "[0.1,1e+300]");
    there_and_back(Double3::new(1.0, 2.0, 3.0), "[1.0,2.0,3.0]");
    there_and_back(Double4::new(1.0, 2.0, 3.0, 4.0), "[1.0,2.0,3.0,4.0]");
    there_and_back(Int2::new(-1, 2), "[-1,2]");
    there_and_back(Int3::new(-1, 2, i32::MIN), "[-1,2,-2147483648]");
    there_and_back(Int4::new(1, 2, 3, 4), "[1,2,3,4]");
    there_and_back(UInt2::new(1, u32::MAX), "[1,4294967295]");
    there_and_back(UInt3::new(1, 2, 3), "[1,2,3]");
    there_and_back(UInt4::new(1, 2, 3, 4), "[1,2,3,4]");
}

#[test]
fn a_norm_is_its_number_and_is_held_to_its_range() {
    there_and_back(Norm::new(-0.5), "-0.5");
    there_and_back(Unorm::MAX, "1.0");
    there_and_back(Norm2::new(Norm::MIN, Norm::new(0.25)), "[-1.0,0.25]");
    there_and_back(Unorm3::new(Unorm::ZERO, Unorm::new(0.5), Unorm::MAX), "[0.0,0.5,1.0]");
    let read: Norm4 = serde_json::from_str("[-7, 0.5, 2, 1]").expect("it is read");
    assert_eq!(read.as_float().to_array(), [-1.0, 0.5, 1.0, 1.0]);
    assert!(serde_json::from_str::<Unorm>("true").is_err());
}

#[test]
fn an_index_and_an_extent_are_arrays_of_any_rank() {
    there_and_back(Index::new(-3), "[-3]");
    there_and_back(Index::new((1, 2, 3)), "[1,2,3]");
    there_and_back(Extent::new((480, 640)), "[480,640]");
    let mut many = Index([0; 128]);
    many[127] = 5;
    there_and_back(many, &format!("[{}5]", "0,".repeat(127)));
}

#[test]
fn what_is_no_such_array_is_refused_with_a_reason() {
    let error = |text: &str| serde_json::from_str::<Extent<2>>(text).expect_err("it is refused").to_string();
    assert!(error("[1]").contains("invalid length 1, expected an array of 2 integers of 32 bits"));
    assert!(error("[1,2,3]").contains("trailing characters"));
    assert!(error("[1,2147483648]").contains("invalid value: integer `2147483648`, expected i32"));
    assert!(error("7").contains("expected an array of 2 integers of 32 bits"));
    let short = serde_json::from_str::<Float3>("[1.0,2.0]").expect_err("it is refused").to_string();
    assert!(short.contains("invalid length 2, expected an array of length 3"), "{short}");
}
