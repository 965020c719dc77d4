//! References in arrays and in `Result`s, and operators of them.

use super::*;

mod references_in_an_array {
    use super::*;

    same! {
        runs: i32, |n| {
            let (a, b) = (n, n * 2);
            let rs = [&a, &b];
            let i = n as usize % 2;
            let mut s = 0;
            for r in rs {
                s += *r;
            }
            for r in &rs {
                s += **r;
            }
            for r in rs.iter() {
                s += **r;
            }
            *rs[i] + s + rs.iter().map(|r| **r).sum::<i32>()
        }
    }
}

mod references_to_structs_in_an_array {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct P {
        x: i32,
        y: i32,
    }

    #[amp]
    impl P {
        fn sum(&self) -> i32 {
            self.x + self.y
        }
    }

    same! {
        runs: i32, |n| {
            let (a, b) = (P { x: n, y: 1 }, P { x: 2, y: n });
            let rs = [&a, &b];
            let i = n as usize % 2;
            rs[i].x + rs[1].sum() + rs.iter().map(|p| p.x).sum::<i32>()
        }
    }
}

mod references_in_a_result {
    use super::*;

    #[amp]
    fn find(a: &[i32; 3], k: i32) -> Result<&i32, i32> {
        for x in a {
            if *x > k {
                return Ok(x);
            }
        }
        Err(k)
    }

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let r = find(&a, 2);
            let s = match r {
                Ok(v) => *v,
                Err(e) => -e,
            };
            let t = match find(&a, n) {
                Ok(&v) if v > 2 => v,
                Ok(_) => 50,
                Err(e) => e,
            };
            let u = find(&a, 4).map(|x| *x).unwrap_or(8);
            let w = if let Ok(v) = find(&a, 0) { *v } else { 0 };
            s + t * 10 + u + w + r.ok().copied().unwrap_or(4)
        }
    }
}

mod references_by_a_question_mark {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    enum Er {
        Empty,
        Bad(i32),
    }

    #[amp]
    fn find(a: &[i32; 3], k: i32) -> Result<&i32, Er> {
        if k < 0 {
            return Err(Er::Empty);
        }
        let x = a.get(k as usize).ok_or(Er::Bad(k))?;
        Ok(x)
    }

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            match find(&a, n) {
                Ok(v) => *v,
                Err(Er::Bad(k)) => -k,
                Err(Er::Empty) => 77,
            }
        }
    }
}

mod signs_of_references {
    use super::*;

    same! {
        runs: i32, |n| {
            let a = [1, n, 3];
            let mut s = 0;
            for x in &a {
                let y: i32 = -x;
                s += y;
            }
            let t: i32 = a.iter().map(|x| -x).sum();
            let u = a.iter().map(|x| -x).max().unwrap_or(0);
            let v: [i32; 3] = a.map(|x| -x);
            let r = &n;
            let w = -r + 1;
            let z: i32 = !r;
            s + t * 3 + u + v[1] + w + z
        }
    }
}
