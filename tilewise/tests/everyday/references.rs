//! References, captured values, and what else stands in a kernel.

use super::*;

mod mutable_reference_to_a_local {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[5], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut x = 4;
                let p = &mut x;
                *p += 1;
                v[i] = x;
            })
        });
    }
}

mod shared_reference_to_an_element {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[7, 7], |launch, v: &ArrayView<'_, i32>| {
            let w = ArrayView::from_vec(2, vec![7, 7])?;

            parallel_for_each!(launch, |i| {
                let p = &w[i];
                v[i] = *p;
            })
        });
    }
}

mod atomic_float_max {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[3.0, 0.0, 0.0, 0.0], |launch, v: &ArrayView<'_, f32>| {
            parallel_for_each!(launch, |i| {
                v.atomic(0).fetch_max(i[0] as f32);
            })
        });
    }
}

mod capture_of_a_field {
    use super::*;

    struct Setup {
        scale: i32,
        name: String,
    }

    #[test]
    fn runs() {
        on_all(&[12], |launch, v: &ArrayView<'_, i32>| {
            let setup = Setup { scale: 4, name: String::new() };
            let table = [1, 2, 3];

            parallel_for_each!(launch, |i| {
                v[i] = setup.scale * table[2];
            })
        });
    }
}

mod capture_of_an_element {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[6, 7], |launch, v: &ArrayView<'_, i32>| {
            let tables = [[1, 2], [6, 7]];
            let k = 1usize;

            parallel_for_each!(launch, |i| {
                v[i] = tables[k][i[0] as usize];
            })
        });
    }
}

mod move_kernel {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let k = 1;
                v[i] = i[0] + k;
            })
        });
    }
}

mod match_on_ordering {
    use super::*;

    use std::cmp::Ordering;

    #[test]
    fn runs() {
        on_all(&[-1, 0, 1], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = match i[0].cmp(&1) {
                    Ordering::Less => -1,
                    Ordering::Equal => 0,
                    Ordering::Greater => 1,
                };
            })
        });
    }
}

mod attributes_and_comments {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[2], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                /// a note
                #[allow(unused_variables)]
                let x = 1;
                // a comment
                #[allow(clippy::all)]
                {
                    v[i] = 2;
                }
            })
        });
    }
}
