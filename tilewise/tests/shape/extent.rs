//! `extent<N>`: EXT-1 to EXT-6.

use crate::checks;
use tilewise::{Extent, Index};

checks! {
    ext_1_is_made_as_an_index_is: [i32; 11] = [0, 0, 5, 4, 6, 1, 2, 3, -1, 1, 3]; {
        let (zero, one, two, three) = (Extent::<2>::default(), Extent::new(5), Extent::new((4, 6)), Extent::new([1, 2, 3]));
        let negative = Extent::new([-1, 0, 0, 0]);
        [zero[0], zero[1], one[0], two[0], two[1], three[0], three[1], three[2], negative[0], Extent::<1>::RANK as i32, Extent::<3>::RANK as i32]
    }

    ext_1_copies_writes_and_comparisons: [i32; 6] = [4, 6, 4, 9, 0, 1]; {
        let first = Extent::new((4, 6));
        let mut second = first;
        second[1] += 3;
        [first[0], first[1], second[0], second[1], (first == second) as i32, (first != second) as i32]
    }

    ext_1_conversions: [i32; 6] = [3, 4, 5, 6, 7, 8]; {
        let (one, two, three) = (Extent::from(3), Extent::from((4, 5)), Extent::from([6, 7, 8]));
        [one[0], two[0], two[1], three[0], three[1], three.to_array()[2]]
    }

    ext_2_size_is_the_product: [u32; 6] = [7, 24, 60, 0, 0xffff_ffff, 4_000_000_000]; {
        let (one, two, three) = (Extent::new(7), Extent::new((4, 6)), Extent::new((3, 4, 5)));
        [one.size(), two.size(), three.size(), Extent::new((0, 9)).size(), Extent::new((65537, 65535)).size(), Extent::new((40000, 100000)).size()]
    }

    ext_2_size_of_negative_and_huge_components_wraps: [u32; 4] = [4_294_967_288, 6, 0, 2_147_483_648]; {
        let (negative, two_negative) = (Extent::new((-2, 4)), Extent::new((-2, -3)));
        [negative.size(), two_negative.size(), Extent::new((65536, 65536)).size(), Extent::new(i32::MIN).size()]
    }

    ext_3_contains_what_lies_in_it: [i32; 11] = [1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0]; {
        let (extent, empty, unit) = (Extent::new((3, 4)), Extent::new((0, 4)), Extent::new((1, 1, 1)));
        [
            extent.contains(Index::new((0, 0))) as i32,
            extent.contains(Index::new((2, 3))) as i32,
            extent.contains(Index::new((3, 0))) as i32,
            extent.contains(Index::new((0, 4))) as i32,
            extent.contains(Index::new((-1, 0))) as i32,
            extent.contains(Index::new((0, -1))) as i32,
            empty.contains(Index::new((0, 0))) as i32,
            unit.contains(Index::new((0, 0, 0))) as i32,
            unit.contains(Index::new((0, 0, 1))) as i32,
            extent.contains((2, 3)) as i32,
            unit.contains((0, 0, 1)) as i32,
        ]
    }

    ext_4_with_extents_and_indices: [i32; 16] = [5, 8, 3, 4, 14, 26, -6, -14, 9, 16, 4, 6, 14, 26, 4, 6]; {
        let (a, b, index) = (Extent::new((4, 6)), Extent::new((1, 2)), Index::new((10, 20)));
        let (sum, difference, moved, back) = (a + b, a - b, a + index, a - index);
        let mut c = a;
        c += a + b;
        let up = c;
        c -= a + b;
        let down = c;
        c += index;
        let far = c;
        c -= index;
        [
            sum[0], sum[1], difference[0], difference[1], moved[0], moved[1], back[0], back[1], up[0], up[1] + 2, down[0], down[1], far[0], far[1],
            c[0], c[1],
        ]
    }

    ext_5_with_a_number_behind: [i32; 10] = [10, -4, 4, -10, 21, -21, 2, -2, 1, -1]; {
        let a = Extent::new((7, -7));
        let (add, sub, mul, div, rem) = (a + 3, a - 3, a * 3, a / 3, a % 3);
        [add[0], add[1], sub[0], sub[1], mul[0], mul[1], div[0], div[1], rem[0], rem[1]]
    }

    ext_5_with_a_number_before: [i32; 10] = [107, 93, 93, 107, 700, -700, 14, -14, 2, 2]; {
        let a = Extent::new((7, -7));
        let (add, sub, mul, div, rem) = (100 + a, 100 - a, 100 * a, 100 / a, 100 % a);
        [add[0], add[1], sub[0], sub[1], mul[0], mul[1], div[0], div[1], rem[0], rem[1]]
    }

    ext_5_compound_forms: [i32; 10] = [9, 24, 7, 22, 28, 88, 5, 17, 1, 1]; {
        let mut a = Extent::new((5, 20));
        a += 4;
        let add = a;
        a -= 2;
        let sub = a;
        a *= 4;
        let mul = a;
        a /= 5;
        let div = a;
        a %= 4;
        [add[0], add[1], sub[0], sub[1], mul[0], mul[1], div[0], div[1], a[0], a[1]]
    }

    ext_5_wraps_and_divides_by_zero_as_an_index [zero]: [i32; 5] = [i32::MIN, i32::MIN, 7, 0, 3]; {
        let (ends, zeros) = (Extent::new((i32::MAX, i32::MIN)), Extent::new((zero, zero)));
        [(ends + 1)[0], (ends / -1)[1], (7 / zeros)[0], (7 % zeros)[1], (Extent::new(3) / zero)[0]]
    }

    ext_5_plus_one_changes_every_component: [i32; 4] = [5, 7, 4, 6]; {
        let mut a = Extent::new((4, 6));
        a += 1;
        let up = a;
        a -= 1;
        [up[0], up[1], a[0], a[1]]
    }

    ext_6_tiles_of_rank_1_to_3: [i32; 12] = [8, 4, 8, 6, 4, 3, 8, 6, 4, 4, 3, 2]; {
        let one = Extent::new(8).tile::<4>();
        let two = Extent::new((8, 6)).tile::<4, 3>();
        let three = Extent::new((8, 6, 4)).tile::<4, 3, 2>();
        [
            one.extent()[0], one.tile_extent()[0],
            two.extent()[0], two.extent()[1], two.tile_extent()[0], two.tile_extent()[1],
            three.extent()[0], three.extent()[1], three.extent()[2], three.tile_extent()[0], three.tile_extent()[1], three.tile_extent()[2],
        ]
    }
}
