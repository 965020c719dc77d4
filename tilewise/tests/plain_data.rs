//! What `derive(AmpStruct)` calls plain data: no byte of an element is without meaning, whatever the struct looks like and however its bytes are read. Miri runs these tests too.

use std::marker::PhantomData;

use tilewise::bytemuck::{self, Pod};
use tilewise::{AmpStruct, Array, ArrayView, Element, Result, Scalar};

/// Whether a type is plain data, for types that are known: the inherent constant hides the one of the trait where its bound holds.
struct IsPod<T>(PhantomData<T>);

trait NotPod {
    const POD: bool = false;
}

impl<T> NotPod for IsPod<T> {}

impl<T: Pod> IsPod<T> {
    const POD: bool = true;
}

/// The words of an element, as a view of them and as bytemuck gives them.
fn words<T: Element>(value: T) -> Result<Vec<u32>> {
    let view = ArrayView::from_vec(1, vec![value])?;
    let words = view.reinterpret_as::<u32>().to_vec()?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    assert_eq!(bytes, bytemuck::bytes_of(&value));
    assert_eq!(Array::from_slice(1, &[value])?.reinterpret_as::<u32>().to_vec()?, words);
    Ok(words)
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C, align(64))]
struct Aligned<const N: usize> {
    a: [f32; N],
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C, align(16))]
struct AlignedOf<T> {
    a: T,
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
#[repr(align(16))]
struct AlignedApart<T> {
    a: T,
}

#[derive(Clone, Copy, AmpStruct)]
#[cfg_attr(all(), repr(C, align(32)))]
struct AlignedByCondition<T> {
    a: T,
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(align(16))]
struct AlignedAlone<T> {
    a: T,
}

#[derive(Clone, Copy, AmpStruct)]
struct AsRustLikes<T> {
    a: T,
    b: T,
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Mixed<T> {
    a: T,
    b: u32,
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct MixedNumbers<const N: usize> {
    a: [f64; N],
    b: f32,
}

trait Holds {
    type Held: Element<Value = Self::Held> + tilewise::types::KernelValue + 'static;
}

impl Holds for f32 {
    type Held = f64;
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct OfAssociated<T: Holds> {
    a: T::Held,
    b: T::Held,
}

macro_rules! number {
    () => {
        f32
    };
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct OfMacro<const N: usize> {
    a: [number!(); N],
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct OfGeneric<T> {
    inner: Plain<T>,
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
#[derive(Debug)]
struct DerivesLater<T> {
    a: T,
}

#[derive(Debug)]
#[repr(C)]
#[derive(Clone, Copy, AmpStruct)]
struct DerivesBefore<T> {
    a: T,
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Plain<T> {
    a: T,
    b: [[T; 2]; 3],
}

/// The types of a list that are plain data, as they are written.
macro_rules! plain_data_of {
    ($($t:ty,)*) => {
        [$((stringify!($t), IsPod::<$t>::POD)),*].into_iter().filter(|(_, pod)| *pod).map(|(name, _)| name).collect::<Vec<_>>()
    };
}

/// Of one type with parameters either all are plain data or none is, as nobody asks at each use: neither views, nor who asks bytemuck.
#[test]
fn what_may_have_padding_is_no_plain_data() {
    let plain = plain_data_of![
        Aligned<2>,
        // It has no padding, but others of its kind have.
        Aligned<16>,
        AlignedOf<f32>,
        AlignedApart<f32>,
        AlignedByCondition<f32>,
        AlignedAlone<f32>,
        AsRustLikes<f32>,
        Mixed<f64>,
        MixedNumbers<1>,
        OfAssociated<f32>,
        OfMacro<1>,
        OfGeneric<f32>,
        DerivesLater<f32>,
        DerivesBefore<f32>,
        Plain<f32>,
    ];
    assert_eq!(plain, ["DerivesBefore<f32>", "Plain<f32>"], "these can be proved");
    // Both derives work all the same.
    assert_eq!(
        format!("{:?} {:?}", DerivesLater { a: 1 }, DerivesBefore { a: 2 }),
        "DerivesLater { a: 1 } DerivesBefore { a: 2 }"
    );
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Numbers<const N: usize, const M: usize = 1> {
    a: [f32; N],
    b: [[f32; M]; 2],
    none: [f32; 0],
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(transparent)]
struct Wrapped<T: Scalar = f32>([T; 3])
where
    T: PartialEq;

#[derive(Clone, Copy, AmpStruct)]
#[repr(C, packed(2))]
struct Packed<T> {
    a: T,
    b: T,
}

#[test]
fn generic_structs_of_one_type_are_plain_data() -> Result<()> {
    let numbers = Numbers::<3> { a: [1.0, 2.0, 3.0], b: [[4.0], [5.0]], none: [] };
    assert_eq!(words(numbers)?, bits(&[1.0, 2.0, 3.0, 4.0, 5.0]));
    assert_eq!(words(Wrapped([1.0f32, 2.0, 3.0]))?, bits(&[1.0, 2.0, 3.0]));
    assert_eq!(words(Plain { a: 1u32, b: [[2, 3], [4, 5], [6, 7]] })?, [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(words(shadows::Misnamed { a: 1u64, b: [2, 3] })?, [1, 0, 2, 0, 3, 0]);
    assert_eq!(words(Packed { a: 1u64, b: 2 })?, [1, 0, 2, 0]);
    // An element with an alignment of its own, inside of another.
    assert_eq!(words(Plain { a: Lines([1; 4]), b: [[Lines([2; 4]); 2]; 3] })?.len(), 28);
    Ok(())
}

/// As large as its alignment.
#[derive(Clone, Copy, AmpStruct)]
#[repr(C, align(16))]
struct Lines([u32; 4]);

mod shadows {
    //! Types that are called like numbers.
    #![allow(non_camel_case_types, clippy::builtin_type_shadow, reason = "they hide the numbers")]

    use tilewise::AmpStruct;

    #[derive(Clone, Copy, AmpStruct)]
    pub(crate) struct f32(pub(crate) i32, pub(crate) i32);

    #[derive(Clone, Copy, AmpStruct)]
    #[repr(C)]
    pub(crate) struct Of<const N: usize> {
        pub(crate) a: [f32; N],
    }

    #[derive(Clone, Copy, AmpStruct)]
    pub(crate) struct OfTwo {
        pub(crate) a: f32,
        pub(crate) b: i32,
    }

    #[derive(Clone, Copy, AmpStruct)]
    #[repr(C)]
    pub(crate) struct Misnamed<f32> {
        pub(crate) a: f32,
        pub(crate) b: [f32; 2],
    }

    pub(crate) type u32 = u8;
    pub(crate) type i64 = i8;

    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    #[repr(i16)]
    pub(crate) enum Level {
        Low = -3,
        High = 300,
    }

    pub(crate) const NONE: (u32, i64) = (0, 0);
}

#[test]
fn types_that_are_called_like_numbers_are_what_they_are() -> Result<()> {
    let (one, two) = (shadows::f32(1, 2), shadows::f32(3, 4));
    assert_eq!(words(shadows::Of { a: [one, two] })?, [1, 2, 3, 4]);
    assert_eq!(words(shadows::OfTwo { a: two, b: 5 })?, [3, 4, 5]);
    assert_eq!(shadows::NONE, (0, 0));
    Ok(())
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C, packed)]
struct PackedNumbers {
    a: f32,
    b: f64,
    c: [u32; 2],
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(align(32))]
struct Full {
    a: [f64; 3],
    b: u32,
    c: [f32; 1],
    none: [f64; 0],
}

#[derive(Clone, Copy, AmpStruct)]
struct OfMacros {
    a: number!(),
    b: [number!(); 2],
}

#[test]
fn structs_without_parameters_are_proved_as_they_are() -> Result<()> {
    let packed = PackedNumbers { a: 1.0, b: 2.0, c: [3, 4] };
    assert_eq!(align_of::<PackedNumbers>(), 1);
    let two = 2f64.to_bits();
    assert_eq!(words(packed)?, [1f32.to_bits(), two as u32, (two >> 32) as u32, 3, 4]);
    let full = Full { a: [0.0; 3], b: 7, c: [1.0], none: [] };
    let words_of_full = words(full)?;
    assert_eq!(words_of_full.len(), 8);
    assert!(words_of_full.contains(&7));
    assert_eq!(words(OfMacros { a: 1.0, b: [2.0, 3.0] })?.len(), 3);
    Ok(())
}
