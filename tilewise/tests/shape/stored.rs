//! Indices, extents and vectors as elements of views, in `tile_static` and local arrays, and as what a kernel captures.

use tilewise::Error;
use tilewise::prelude::*;

use crate::launchers;

#[test]
fn vectors_are_elements() {
    for (target, view) in launchers() {
        let mut data: Vec<Float3> = (0..7).map(|i| Float3::splat(i as f32)).collect();
        let values = ArrayView::of(&mut data);
        let offset = Float3::new(0.5, 0.25, 0.125);
        parallel_for_each!((&view, values.extent()), |i| {
            values[i] = values[i] * 2.0 + offset;
            values[i].y = -values[i].y;
            values[i][2] += 1.0;
        })
        .unwrap_or_else(|error| panic!("on {target}: {error}"));
        values.close().expect("it is written back");
        for (i, found) in data.into_iter().enumerate() {
            let twice = 2.0 * i as f32;
            assert_eq!(found, Float3::new(twice + 0.5, -(twice + 0.25), twice + 1.125), "element {i} on {target}");
        }
    }
}

#[test]
fn indices_and_extents_are_elements() {
    for (target, view) in launchers() {
        let mut positions = vec![Index::<2>::ZERO; 6];
        let mut sizes = vec![Extent([1, 2, 3]); 6];
        let (out, extents) = (ArrayView::of(&mut positions), ArrayView::of(&mut sizes));
        parallel_for_each!((&view, out.extent()), |i| {
            out[i] = Index::new((i[0], -i[0])) * 10;
            out[i][1] += 1;
            extents[i] += i[0];
        })
        .unwrap_or_else(|error| panic!("on {target}: {error}"));
        out.close().expect("it is written back");
        extents.close().expect("it is written back");
        for i in 0..6 {
            assert_eq!(positions[i as usize], Index([10 * i, 1 - 10 * i]), "on {target}");
            assert_eq!(sizes[i as usize], Extent([1 + i, 2 + i, 3 + i]), "on {target}");
        }
    }
}

#[test]
fn all_of_them_are_captured() {
    for (target, view) in launchers() {
        let (index, extent, vector) = (Index::new((3, 4)), Extent::new((5, 6, 7)), UInt4::new(1, 2, 3, 4));
        let (tiled, doubles) = (Extent::new((9, 10)).tile::<4, 4>(), Double2::new(0.5, 2.5));
        let mut found = vec![0; 12];
        let out = ArrayView::of(&mut found);
        parallel_for_each!((&view, Extent::new(1)), |_| {
            out[0] = index[0];
            out[1] = index[1];
            out[2] = extent.size() as i32;
            out[3] = extent[2];
            out[4] = vector.w as i32;
            out[5] = vector.dot(vector) as i32;
            out[6] = tiled.pad().extent()[0];
            out[7] = tiled.truncate().extent()[1];
            out[8] = (doubles.x * 2.0) as i32;
            out[9] = (doubles + doubles).y as i32;
        })
        .unwrap_or_else(|error| panic!("on {target}: {error}"));
        out.close().expect("it is written back");
        assert_eq!(found, [3, 4, 210, 7, 4, 30, 12, 8, 1, 5, 0, 0], "on {target}");
    }
}

#[test]
fn arrays_and_tiles_of_them() {
    for (target, view) in launchers() {
        let mut found = vec![0; 8];
        let out = ArrayView::of(&mut found);
        parallel_for_each!((&view, out.extent().tile::<4>()), |t| {
            #[tile_static]
            let shared: [Int2; 4];
            shared[t.local[0]] = Int2::new(t.global[0], 1);
            let mut path = [Index::<1>::ZERO; 3];
            for k in 0..3 {
                path[k] = t.local + k;
            }
            t.barrier.wait();
            let other = shared[3 - t.local[0]];
            out[t] = other.x * 100 + other.y * 10 + path[2][0];
        })
        .unwrap_or_else(|error| panic!("on {target}: {error}"));
        out.close().expect("it is written back");
        for (i, found) in found.into_iter().enumerate() {
            let (tile, local) = (i as i32 / 4, i as i32 % 4);
            assert_eq!(found, (4 * tile + 3 - local) * 100 + 10 + local + 2, "element {i} on {target}");
        }
    }
}

#[test]
fn outside_of_a_vector_nothing_is_read_or_written() {
    for (target, view) in launchers() {
        let mut found = vec![7.0f32; 4];
        let out = ArrayView::of(&mut found);
        let outside = 3;
        let launched = parallel_for_each!((&view, Extent::new(1)), |_| {
            let mut v = Float3::new(1.0, 2.0, 3.0);
            out[0] = v[outside];
            v[outside] = 9.0;
            v[outside - 4] = 9.0;
            out[1] = v.x;
            out[2] = v.y;
            out[3] = v.z;
        });
        match launched {
            Ok(()) => assert_ne!(target, Accelerator::REFERENCE),
            Err(error) => {
                assert!(matches!(error, Error::OutOfBounds(_)) && target == Accelerator::REFERENCE, "{error}");
            }
        }
        out.close().expect("it is written back");
        assert_eq!(found, [0.0, 1.0, 2.0, 3.0], "on {target}");
    }
}

/// Components of `(1, 2)` beyond its ends, and what is left of it after they are written.
#[amp]
fn idx_6_outside(two: i32) -> [i32; 4] {
    let mut index = Index::new((1, 2));
    let (after, before) = (index[two], index[two - 3]);
    index[two] = 7;
    index[two - 3] = 8;
    [after, before, index[0], index[1]]
}

#[test]
fn idx_6_outside_nothing_is_read_or_written_in_a_kernel() {
    for (target, view) in launchers() {
        let mut found = [9; 4];
        let out = ArrayView::of(&mut found);
        let two = 2;
        parallel_for_each!((&view, Extent::new(1)), |_| {
            let all = idx_6_outside(two);
            for i in 0..4 {
                out[i] = all[i];
            }
        })
        .unwrap_or_else(|error| panic!("on {target}: {error}"));
        out.close().expect("it is written back");
        assert_eq!(found, [0, 0, 1, 2], "on {target}");
    }
}

#[test]
#[should_panic(expected = "index out of bounds: the len is 2 but the index is 2")]
fn idx_6_outside_is_a_panic_on_the_host() {
    let _ = idx_6_outside(2);
}
