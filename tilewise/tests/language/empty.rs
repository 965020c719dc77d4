//! Arrays without elements, as generic kernels have them for the length 0: each index is out of range.

use tilewise::{AmpStruct, ArrayView, Index, amp, parallel_for_each};

use crate::on_all;

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Row<const N: usize> {
    values: [f32; N],
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Marked {
    number: f32,
    none: [f32; 0],
}

const NONE: [f32; 0] = [];
const NONE_OF_TWO: [[f32; 0]; 2] = [[], []];

#[amp]
fn sum<const N: usize>(values: [f32; N]) -> f32 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += values[i];
    }
    sum
}

#[amp]
fn changed<const N: usize>(i: i32) -> f32 {
    let mut values = [7.0; N];
    values[i] = 3.0;
    values[i] += 1.0;
    let mut rows = [Row { values }; 2];
    rows[i].values[i] = 5.0;
    let mut more = [rows; N];
    more[i][1].values[i] = 5.0;
    values[i] + rows[1].values[i] + more[i][i].values[i] + sum(rows[1].values)
}

#[test]
fn what_is_read_of_an_array_without_elements_is_zero() {
    let results = on_all([3], |launch, v: &ArrayView<'_, Marked>| {
        let (empty, row, all) = ([0.0f32; 0], Row::<0> { values: [] }, (1.0f32, [0i32; 0], [[0u32; 0]; 3]));
        parallel_for_each!(launch, |i: Index<1>| {
            let at = i[0];
            let (copy, rows) = (empty, (row, [row; 2]));
            let mut number = copy[at] + empty[at] + row.values[at] + rows.1[at].values[at] + sum(rows.0.values);
            number += all.0 + all.1[at] as f32 + all.2[1][at] as f32;
            number += NONE[at] + NONE_OF_TWO[at][at] + changed::<0>(at);
            v[i].number = number;
            v[i].none[at] = 4.0;
            v[i].number += v[i].none[at];
        })
    });
    assert_eq!(results.iter().map(|marked| marked.number).collect::<Vec<_>>(), [1.0; 3]);
}
