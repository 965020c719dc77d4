//! Arrays on named accelerators, what they say of themselves, and staging arrays at work: section 7 of the catalogue.

use tilewise::{Accelerator, AccessType, Array, ArrayView, Extent, QueuingMode, Result, copy, parallel_for_each};

use crate::{launchers, on, text};

#[test]
fn arr_5_arrays_are_made_of_elements_on_every_accelerator() -> Result<()> {
    for av in launchers() {
        let slice = Array::<i32, 2>::builder((2, 2)).on(&av).build_from(&[1, 2, 3, 4])?;
        let vec = Array::<i32, 2>::builder((2, 2)).on(&av).build_from(&vec![5, 6, 7, 8])?;
        let iterator = Array::<i32, 2>::builder((2, 2)).on(&av).build_from_iter((9..).take(4))?;
        parallel_for_each!(slice.extent(), |i| slice[i] += vec[i] * 10 + iterator[i] * 100)?;
        assert_eq!(slice.to_vec()?, [951, 1062, 1173, 1284], "{av:?}");
        assert!(text(Array::<i32, 2>::builder((2, 2)).on(&av).build_from(&[1, 2, 3])).contains("3 elements"));
        assert!(text(Array::<i32, 2>::builder((2, 2)).on(&av).build_from_iter(0..5)).contains("more than the 4"));
    }
    Ok(())
}

#[test]
fn arr_9_an_array_says_what_it_is() -> Result<()> {
    for av in launchers() {
        let array = Array::<f32, 3>::builder((2, 3, 4)).on(&av).build()?;
        assert_eq!(array.extent(), Extent([2, 3, 4]));
        assert_eq!((array.accelerator_view(), array.associated_accelerator_view()), (&av, &av));
        let shares = av.accelerator().supports_cpu_shared_memory();
        let expected = if shares { AccessType::ReadWrite } else { AccessType::None };
        assert_eq!(array.cpu_access_type(), expected, "{av:?}");
    }
    Ok(())
}

/// A product of matrices by the rule.
fn product(a: &[f32], b: &[f32], n: usize) -> Vec<f32> {
    let cell = |row: usize, column: usize| (0..n).fold(0.0, |sum, k| sum + a[row * n + k] * b[k * n + column]);
    (0..n * n).map(|at| cell(at / n, at % n)).collect()
}

#[test]
fn arr_7_a_product_of_matrices_through_staging_arrays() -> Result<()> {
    const N: i32 = 16;
    let cpu = on(Accelerator::CPU)?;
    let a: Vec<f32> = (0..N * N).map(|x| (x % 7) as f32 - 3.0).collect();
    let b: Vec<f32> = (0..N * N).map(|x| (x % 5) as f32 * 0.5).collect();
    for accelerator in launchers() {
        for mode in [QueuingMode::Automatic, QueuingMode::Immediate] {
            let av = accelerator.accelerator().create_view(mode)?;
            let stage = |data: &Vec<f32>| Array::<f32, 2>::builder((N, N)).on(&cpu).staging_for(&av).build_from(data);
            let (host_a, host_b) = (stage(&a)?, stage(&b)?);
            let there = || Array::<f32, 2>::builder((N, N)).on(&av).build();
            let (left, right, out) = (there()?, there()?, there()?);
            copy(&host_a, &left)?;
            copy(&host_b, &right)?;
            parallel_for_each!(out.extent(), |i| {
                let mut sum = 0.0f32;
                for k in 0..N {
                    sum += left[(i[0], k)] * right[(k, i[1])];
                }
                out[i] = sum;
            })?;
            copy(&out, &host_a)?;
            // Small multiples of a half: exact in every order.
            assert_eq!(host_a.host()?.as_slice(), Some(&product(&a, &b, N as usize)[..]), "{av:?} {mode:?}");
            assert_eq!(host_a.associated_accelerator_view(), &av);
        }
    }
    Ok(())
}

#[test]
fn arr_0_every_kind_of_element_is_stored_and_computed_with() -> Result<()> {
    macro_rules! elements {
        ($av:ident: $($t:ty)*) => {$(
            let array = Array::<$t>::builder(5).on(&$av).build_from(&[1 as $t, 2 as $t, 3 as $t, 4 as $t, 5 as $t])?;
            let view = ArrayView::from_vec(5, vec![10 as $t; 5])?;
            parallel_for_each!(&$av, array.extent(), |i| array[i] = array[i] * array[i] + view[i])?;
            assert_eq!(array.to_vec()?, [11 as $t, 14 as $t, 19 as $t, 26 as $t, 35 as $t], "{} on {:?}", stringify!($t), $av);
        )*};
    }
    for av in launchers() {
        elements!(av: i32 u32 f32 u8 i8 u16 i16);
        if av.accelerator().supports_double_precision() {
            elements!(av: f64);
        }
        if !av.accelerator().path().starts_with("gpu/") {
            elements!(av: i64 u64);
        }
    }
    Ok(())
}
