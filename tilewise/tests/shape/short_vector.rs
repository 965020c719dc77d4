//! The short vector of a scalar and a length (SVC-4).

use std::any::TypeId;

use tilewise::element::Element;
use tilewise::graphics::{
    Norm, Norm2, Norm3, Norm4, ShortVector, ShortVectorScalar, ShortVectorTraits, Unorm, Unorm2, Unorm3, Unorm4,
};
use tilewise::prelude::*;

use crate::launchers;

/// That `V` is the vector of `N` components of type `T`, both ways.
fn is_vector<T: ShortVectorScalar<N> + 'static, V: ShortVectorTraits + 'static, const N: usize>() {
    assert_eq!(TypeId::of::<ShortVector<T, N>>(), TypeId::of::<V>());
    assert_eq!(TypeId::of::<V::Scalar>(), TypeId::of::<T>());
    assert_eq!((V::SIZE, size_of::<V>()), (N, N * size_of::<T>()));
}

/// That the four vectors of a scalar are these.
fn are_vectors<T, Two, Three, Four>()
where
    T: ShortVectorScalar<1> + ShortVectorScalar<2> + ShortVectorScalar<3> + ShortVectorScalar<4>,
    T: ShortVectorTraits + 'static,
    Two: ShortVectorTraits + 'static,
    Three: ShortVectorTraits + 'static,
    Four: ShortVectorTraits + 'static,
{
    is_vector::<T, T, 1>();
    is_vector::<T, Two, 2>();
    is_vector::<T, Three, 3>();
    is_vector::<T, Four, 4>();
}

#[test]
fn svc_4_the_vector_of_a_scalar_and_a_length() {
    are_vectors::<i32, Int2, Int3, Int4>();
    are_vectors::<u32, UInt2, UInt3, UInt4>();
    are_vectors::<f32, Float2, Float3, Float4>();
    are_vectors::<f64, Double2, Double3, Double4>();
    are_vectors::<Norm, Norm2, Norm3, Norm4>();
    are_vectors::<Unorm, Unorm2, Unorm3, Unorm4>();
}

/// The scalars of a view of vectors.
fn scalars<V: ShortVectorTraits + Element>(vectors: Vec<V>) -> Vec<V::Scalar>
where
    V::Scalar: Element,
{
    let count = vectors.len() * V::SIZE;
    let view = ArrayView::from_vec(vectors.len(), vectors).expect("there is room").reinterpret_as::<V::Scalar>();
    assert_eq!(view.extent(), Extent::new(count as i32));
    view.to_vec().expect("they can be read")
}

#[test]
fn svc_4_generic_code_is_for_any_vector() {
    assert_eq!(scalars(vec![Unorm2::ONE, Unorm2::ZERO]), [1, 1, 0, 0].map(Unorm::from));
    assert_eq!(scalars(vec![Int3::new(1, 2, 3)]), [1, 2, 3]);
    assert_eq!(scalars(vec![2.5]), [2.5]);
}

#[test]
fn svc_4_in_a_kernel_the_alias_is_the_vector() {
    for (target, view) in launchers() {
        let out = ArrayView::<ShortVector<f32, 3>, 1>::without_source(2).expect("there is room");
        let launched = parallel_for_each!((&view, out.extent()), |i| {
            let v: ShortVector<i32, 2> = Int2::new(i[0], 7);
            let one: ShortVector<f32, 1> = v.y as f32;
            out[i] = v.as_float().extend(one);
        });
        launched.unwrap_or_else(|error| panic!("on {target}: {error}"));
        assert_eq!(out.get(1).expect("it is there"), Float3::new(1.0, 7.0, 7.0), "on {target}");
    }
}
