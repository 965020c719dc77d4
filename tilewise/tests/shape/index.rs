//! `index<N>`: IDX-1 to IDX-10.

use crate::checks;
use tilewise::Index;

checks! {
    idx_1_rank_is_a_constant_of_the_type: [i32; 3] = [1, 3, 128]; {
        [Index::<1>::RANK as i32, Index::<3>::RANK as i32, Index::<128>::RANK as i32]
    }

    idx_2_default_is_zero: [i32; 6] = [0; 6]; {
        let (one, two, three) = (Index::<1>::default(), Index::<2>::default(), Index::<3>::default());
        [one[0], two[0], two[1], three[0], three[1], three[2]]
    }

    idx_3_a_copy_is_its_own_value: [i32; 4] = [4, -5, 7, -5]; {
        let first = Index::new((4, -5));
        let mut second = first;
        second[0] = 7;
        [first[0], first[1], second[0], second[1]]
    }

    idx_4_one_two_or_three_components: [i32; 6] = [9, 8, 7, 6, 5, 4]; {
        let (one, two, three) = (Index::new(9), Index::new((8, 7)), Index::new((6, 5, 4)));
        [one[0], two[0], two[1], three[0], three[1], three[2]]
    }

    idx_5_an_array_keeps_its_order_and_its_signs: [i32; 7] = [2, 0, 4, -1, -2, -3, -4]; {
        let (three, four) = (Index::new([2, 0, 4]), Index::new([-1, -2, -3, -4]));
        [three[0], three[1], three[2], four[0], four[1], four[2], four[3]]
    }

    idx_6_components_are_read_and_written: [i32; 3] = [5, 42, 9]; {
        let mut index = Index::new((1, 2, 3));
        index[0] = 5;
        index[1] += 40;
        let last = 2u32;
        index[last] *= 3;
        [index[0], index[1], index[2usize]]
    }

    idx_7_less_by_the_first_component_that_differs: [i32; 4] = [1, 0, 1, 1]; {
        let (a, b) = (Index::new((1, 9)), Index::new((2, 0)));
        [(a < b) as i32, (b <= a) as i32, (a <= a) as i32, (b > a) as i32]
    }

    idx_7_equal_when_all_components_are: [i32; 6] = [1, 0, 0, 1, 0, 1]; {
        let (a, same, other) = (Index::new((1, 2, 3)), Index::new([1, 2, 3]), Index::new((1, 2, 4)));
        [(a == same) as i32, (a != same) as i32, (a == other) as i32, (a != other) as i32, (other == a) as i32, (other != a) as i32]
    }

    idx_8_sum_and_difference: [i32; 8] = [11, 22, 9, 18, 11, 22, 10, 20]; {
        let (a, b) = (Index::new((10, 20)), Index::new((1, 2)));
        let (sum, difference) = (a + b, a - b);
        let mut c = a;
        c += b;
        let up = c;
        c -= b;
        [sum[0], sum[1], difference[0], difference[1], up[0], up[1], c[0], c[1]]
    }

    idx_9_with_a_number_behind: [i32; 10] = [10, -4, 4, -10, 21, -21, 2, -2, 1, -1]; {
        let a = Index::new((7, -7));
        let (add, sub, mul, div, rem) = (a + 3, a - 3, a * 3, a / 3, a % 3);
        [add[0], add[1], sub[0], sub[1], mul[0], mul[1], div[0], div[1], rem[0], rem[1]]
    }

    idx_9_with_a_number_before: [i32; 10] = [107, 93, 93, 107, 700, -700, 14, -14, 2, 2]; {
        let a = Index::new((7, -7));
        let (add, sub, mul, div, rem) = (100 + a, 100 - a, 100 * a, 100 / a, 100 % a);
        [add[0], add[1], sub[0], sub[1], mul[0], mul[1], div[0], div[1], rem[0], rem[1]]
    }

    idx_9_compound_forms: [i32; 10] = [9, 24, 7, 22, 28, 88, 5, 17, 1, 1]; {
        let mut a = Index::new((5, 20));
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

    idx_9_precedence_is_that_of_numbers: [i32; 4] = [31, 49, 39, 55]; {
        let (a, b) = (Index::new((1, 4)), Index::new((10, 15)));
        let flat = a + b * 3 + 10 / 5 - 2;
        let nested = 2 * (a + b) + 34 / 2;
        [flat[0], flat[1], nested[0], nested[1]]
    }

    idx_9_division_truncates: [i32; 8] = [-3, 3, -1, 1, 3, -3, -1, 1]; {
        let a = Index::new((-7, 7));
        let (div, rem, by, of) = (a / 2, a % 2, a / -2, a % -2);
        [div[0], div[1], rem[0], rem[1], by[0], by[1], of[0], of[1]]
    }

    idx_9_arithmetic_wraps: [i32; 6] = [i32::MIN, i32::MAX, -2, 0, i32::MIN, 0]; {
        let ends = Index::new((i32::MAX, i32::MIN));
        let (up, down, twice, by) = (ends + 1, ends - 1, ends * 2, ends / -1);
        [up[0], down[1], twice[0], twice[1], by[1], (ends % -1)[1]]
    }

    idx_9_division_by_zero_gives_the_dividend [zero]: [i32; 6] = [5, -6, 0, 0, 9, 0]; {
        let (a, zeros) = (Index::new((5, -6)), Index::new((zero, zero)));
        let (div, rem) = (a / zero, a % zero);
        [div[0], div[1], rem[0], rem[1], (9 / zeros)[0], (9 % zeros)[1]]
    }

    idx_10_plus_one_changes_every_component: [i32; 8] = [2, -1, 3, 0, 2, 0, 1, -1]; {
        // C++'s `b = ++a`, then `c = b++`, then `--a`, then `d = a--`.
        let mut a = Index::new((1, -2));
        a += 1;
        let mut b = a;
        let c = b;
        b += 1;
        a -= 1;
        a += 1;
        let d = a;
        a -= 1;
        [c[0], c[1], b[0], b[1], d[0], b[1], a[0], a[1] + 1]
    }

    idx_10_chains_of_compound_forms: [i32; 2] = [26, -14]; {
        let mut a = Index::new((1, -3));
        let step = Index::new((2, 3));
        a += step;
        a += step;
        a -= 1;
        a *= 7;
        a -= 2;
        [a[0], a[1] - 26]
    }

    idx_4_and_5_conversions: [i32; 8] = [3, 4, 5, 6, 7, 8, 9, 1]; {
        let (one, two, three) = (Index::from(3), Index::from((4, 5)), Index::from((6, 7, 8)));
        let array = Index::from([9, 1]);
        [one[0], two[0], two[1], three[0], three[1], three[2], array[0], array.to_array()[1]]
    }

    idx_1_rank_128: [i32; 4] = [2, 4, 2, 0]; {
        let a = Index::<128>::default() + 1;
        let mut b = a + a;
        b[127] += 2;
        [b[0], b[127], b[126], (b == a) as i32]
    }
}
