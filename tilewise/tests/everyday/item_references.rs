//! Items of iterators that are references, or hold some: parts of them get names, and are printed.

use super::*;

same! {
    pairs_with_a_reference_are_taken_apart: i32, |i| {
        let (mut a, b) = ([1, i, 3], [10, 20, 30]);
        for p in a.iter_mut().zip(b.iter()) {
            let (x, y) = p;
            *x += *y;
        }
        for p in a.iter_mut().zip(b.iter()) {
            let x = p.0;
            *x *= 2;
            let y = p.1;
            *x -= *y;
        }
        for p in a.iter_mut().enumerate() {
            let k = p.0;
            *p.1 += k as i32;
        }
        for p in a.iter_mut().zip(b).enumerate() {
            let (k, (x, y)) = p;
            *x = *x * 3 + y - k as i32;
        }
        a[0] * 100 + a[1] * 10 + a[2]
    }

    a_copy_of_a_part_stays_as_it_is: i32, |i| {
        let mut pairs = [(i, 2), (3, 4)];
        for p in pairs.iter_mut() {
            let x = p.0;
            p.0 += 5;
            p.1 = p.1 * 10 + x;
        }
        pairs[0].1 * 100 + pairs[1].1 + pairs[1].0
    }

    patterns_of_a_match_take_items: i32, |i| {
        let a = [5, i * 4, 30];
        let kind = |x: i32| x % 7;
        let kinds = a.iter().map(|x| match x {
            n if *n > 10 => 100 + kind(*n),
            0 => 7,
            n => *n,
        });
        let mut s = 0;
        for x in kinds {
            s = s * 131 + x;
        }
        a.iter().zip([1, 2, 3]).map(|p| match p {
            (x, 2) => *x,
            (x, y) => *x * y,
        }).fold(s, |s, x| s * 5 + x)
    }
}

mod variants_behind_references {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    enum Shape {
        Dot,
        Disc(i32),
        Box { width: i32 },
    }

    same! {
        variants_of_items: i32, |i| {
            let shapes = [Shape::Dot, Shape::Disc(i), Shape::Box { width: 3 }, Shape::Disc(4)];
            let discs = shapes.iter().filter(|s| matches!(s, Shape::Disc(_))).count() as i32;
            let dots = shapes.iter().filter(|s| **s == Shape::Dot).count() as i32;
            let sizes = shapes.iter().map(|s| match s {
                Shape::Dot => 0,
                Shape::Disc(r) => r * 2,
                Shape::Box { width } => *width,
            });
            let mut options = [Some(i), None, Some(5)];
            for x in options.iter_mut() {
                if let Some(x) = x {
                    *x += 1;
                }
            }
            let known = options.iter().filter_map(|x| match x {
                Some(n) if *n > 2 => Some(*n),
                _ => None,
            });
            sizes.sum::<i32>() * 100 + discs * 10 + dots + known.sum::<i32>() * 1000
        }
    }
}

#[test]
fn references_are_printed() {
    on_all(&[7, 7], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |p| {
            let mut b = [1, 2, 4];
            b.iter().inspect(|x| print!("{} {x:x} {:e}", x, x)).for_each(|x| print!("{x:?}"));
            for x in b.iter_mut() {
                print!("{:b}", x);
            }
            v[p] = b.iter().sum();
        })
    });
}
