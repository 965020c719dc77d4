//! Short vectors from and to those of `glam` and `mint`: components keep their places and bits.

use mint::{IntoMint, Point2, Point3, Vector2, Vector3, Vector4};
use tilewise::graphics::{Norm, Norm2, Norm3, Norm4, Unorm, Unorm2, Unorm3, Unorm4};
use tilewise::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use tilewise::{ArrayView, Extent, parallel_for_each};

/// Values of a type that a change of sign, size or order would show.
macro_rules! round_trips {
    ($($name:ident: $ours:ident [$($value:expr),*] as $($theirs:ty)|*;)*) => {$(
        #[test]
        fn $name() {
            let components = [$($value),*];
            let ours = $ours::from(components);
            $(
                let theirs = <$theirs>::from(ours);
                assert_eq!(theirs, <$theirs>::from(components));
                let back = $ours::from(theirs).to_array();
                assert_eq!(back.map(|x| x.to_ne_bytes()), components.map(|x| x.to_ne_bytes()));
            )*
        }
    )*};
}

round_trips! {
    float2: Float2 [-0.0f32, 1e-40] as glam::Vec2 | Vector2<f32> | Point2<f32>;
    float3: Float3 [1.5f32, -2.5, f32::MAX] as glam::Vec3 | Vector3<f32> | Point3<f32>;
    float4: Float4 [1.0f32, 2.0, 3.0, f32::INFINITY] as glam::Vec4 | Vector4<f32>;
    double2: Double2 [-0.0f64, 1e-310] as glam::DVec2 | Vector2<f64> | Point2<f64>;
    double3: Double3 [1.5f64, -2.5, f64::MAX] as glam::DVec3 | Vector3<f64> | Point3<f64>;
    double4: Double4 [1.0f64, 2.0, 3.0, f64::INFINITY] as glam::DVec4 | Vector4<f64>;
    int2: Int2 [i32::MIN, 7] as glam::IVec2 | Vector2<i32> | Point2<i32>;
    int3: Int3 [1i32, -2, i32::MAX] as glam::IVec3 | Vector3<i32> | Point3<i32>;
    int4: Int4 [1i32, -2, 3, -4] as glam::IVec4 | Vector4<i32>;
    uint2: UInt2 [u32::MAX, 7] as glam::UVec2 | Vector2<u32> | Point2<u32>;
    uint3: UInt3 [1u32, 2, u32::MAX] as glam::UVec3 | Vector3<u32> | Point3<u32>;
    uint4: UInt4 [1u32, 2, 3, 4] as glam::UVec4 | Vector4<u32>;
}

#[test]
fn glam_and_tilewise_meet_through_mint() {
    fn halved<V: IntoMint<MintType = Vector3<f32>>>(v: V) -> Float3 {
        Float3::from(v.into()) / 2.0
    }
    assert_eq!(halved(Float3::new(2.0, 4.0, 6.0)), Float3::new(1.0, 2.0, 3.0));
    assert_eq!(halved(Unorm3::ONE), Float3::splat(0.5));
}

#[test]
fn vectors_of_glam_go_through_a_kernel() -> tilewise::Result<()> {
    let points = [glam::Vec3::new(1.0, 2.0, 3.0), glam::Vec3::new(-1.0, 0.0, 0.5)];
    let view = ArrayView::from_vec(2, points.map(Float3::from).to_vec())?;
    parallel_for_each!(Extent::new(2), |i| view[i] = view[i].zyx() * 2.0)?;
    let found: Vec<glam::Vec3> = view.to_vec()?.into_iter().map(glam::Vec3::from).collect();
    assert_eq!(found, points.map(|p| glam::Vec3::new(p.z, p.y, p.x) * 2.0));
    Ok(())
}

/// Vectors with a component out of range, there and back.
macro_rules! clamped_round_trips {
    ($($name:ident: $ours:ident of $t:ident [$($value:expr),*] to [$($held:expr),*] as $($theirs:ty)|*;)*) => {$(
        #[test]
        fn $name() {
            let (values, held) = ([$($value),*], [$($held),*]);
            $(
                let ours = $ours::from(<$theirs>::from(values));
                assert_eq!(ours, $ours::from(held.map($t::new)));
                assert_eq!(<$theirs>::from(ours), <$theirs>::from(held));
            )*
        }
    )*};
}

clamped_round_trips! {
    norm2: Norm2 of Norm [0.25, -7.0] to [0.25, -1.0] as glam::Vec2 | Vector2<f32> | Point2<f32>;
    norm3: Norm3 of Norm [0.25, f32::NAN, 1e9] to [0.25, -1.0, 1.0] as glam::Vec3 | Vector3<f32> | Point3<f32>;
    norm4: Norm4 of Norm [0.25, 0.5, -0.75, 2.0] to [0.25, 0.5, -0.75, 1.0] as glam::Vec4 | Vector4<f32>;
    unorm2: Unorm2 of Unorm [0.25, -7.0] to [0.25, 0.0] as glam::Vec2 | Vector2<f32> | Point2<f32>;
    unorm3: Unorm3 of Unorm [0.25, f32::NAN, 1e9] to [0.25, 0.0, 1.0] as glam::Vec3 | Vector3<f32> | Point3<f32>;
    unorm4: Unorm4 of Unorm [0.25, 0.5, -0.75, 2.0] to [0.25, 0.5, 0.0, 1.0] as glam::Vec4 | Vector4<f32>;
}
