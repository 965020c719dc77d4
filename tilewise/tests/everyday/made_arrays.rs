//! Arrays from functions: `array::from_fn`, `[f(); N]`, `map`.

use super::*;

mod of_positions {
    use super::*;

    same! {
        runs: i32, |n| {
            let a: [i32; 4] = std::array::from_fn(|i| i as i32 * n);
            a[0] + a[3] * 10 + core::array::from_fn::<i32, 3, _>(|k| k as i32 + n).iter().sum::<i32>()
        }
    }
}

mod by_its_module {
    use super::*;

    same! {
        runs: i32, |n| {
            use std::array;
            let a: [u32; 4] = array::from_fn(|i| (i * i) as u32 + n as u32);
            a.iter().sum::<u32>() as i32
        }
    }
}

mod by_its_name {
    use super::*;

    use std::array::from_fn;

    same! {
        runs: i32, |n| {
            let a: [u32; 4] = from_fn(|i| (i * i) as u32 + n as u32);
            a.iter().sum::<u32>() as i32
        }
    }
}

mod in_one_another {
    use super::*;

    same! {
        runs: i32, |n| {
            let a: [[i32; 3]; 2] = std::array::from_fn(|r| std::array::from_fn(|c| (r * 3 + c) as i32 + n));
            let t: [[i32; 2]; 3] = std::array::from_fn(|c| std::array::from_fn(|r| a[r][c]));
            t[2][1] * 100 + t[0][1]
        }
    }
}

mod a_function_that_changes {
    use super::*;

    same! {
        runs: i32, |n| {
            let mut k = n;
            let a: [i32; 5] = std::array::from_fn(|_| {
                k = k * 3 % 17;
                k
            });
            a.iter().fold(0, |s, x| s * 17 + x)
        }
    }
}

mod structs {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Ev {
        at: i32,
        kind: i32,
    }

    same! {
        runs: i32, |n| {
            let a: [Ev; 3] = std::array::from_fn(|i| Ev { at: i as i32 + n, kind: i as i32 });
            a[2].at * 10 + a[1].kind as i32 + a.map(|e| e.at)[0]
        }
    }
}

mod of_any_length {
    use super::*;

    #[amp]
    fn table<const N: usize>(n: i32) -> [i32; N] {
        std::array::from_fn(|i| i as i32 * n)
    }

    same! {
        runs: i32, |n| {
            let a = table::<5>(n);
            let b = table::<2>(n);
            a[4] * 10 + b[1]
        }
    }
}

mod repeated_calls {
    use super::*;

    #[amp]
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Ev {
        at: i32,
        kind: i32,
    }
    #[amp]
    fn f(n: i32) -> i32 {
        n * 2
    }

    same! {
        runs: i32, |n| {
            let a = [f(n); 3];
            let b = [Ev { at: n, kind: 1 }; 2];
            let c = [[n; 2]; 3];
            a[2] + b[1].at + c[2][1]
        }
    }
}

mod mapped {
    use super::*;

    #[amp]
    fn f(n: i32) -> i32 {
        n * 2
    }

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let b = a.map(|x| x * 2);
            let c = b.map(|x| (x, x > 3));
            let d = [1.5f32, 2.5].map(|x| x * n as f32);
            let e = a.map(f);
            b[1] + c[2].0 + i32::from(c[1].1) + d[1] as i32 + e[1]
        }
    }
}

mod a_function_by_its_name {
    use super::*;

    #[amp]
    fn f(n: usize) -> i32 {
        n as i32 * 2
    }

    same! {
        runs: i32, |n| {
            let a: [i32; 3] = std::array::from_fn(f);
            a[2] + n
        }
    }
}

mod of_other_arrays {
    use super::*;

    same! {
        runs: i32, |n| {
            let k = [3, 1, 2];
            let a: [i32; 3] = std::array::from_fn(|i| k[2 - i] * n);
            let s: i32 = a.iter().sum();
            s * 10 + a[0]
        }
    }
}
