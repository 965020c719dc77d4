//! `peekable`: an iterator with a name shows its next item.

use super::*;

#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Token {
    Number(i32),
    Sign(u8),
}

same! {
    tokens_of_a_text: i32, |i| {
        let text = [b'1', b'2', b'+', b'0' + i as u8, b'*', b'4', b'5'];
        let mut it = text.iter().copied().peekable();
        let (mut sum, mut tokens) = (0, 0);
        while let Some(c) = it.next() {
            let token = if c.is_ascii_digit() {
                let mut n = i32::from(c - b'0');
                while let Some(&d) = it.peek() {
                    if !d.is_ascii_digit() {
                        break;
                    }
                    n = n * 10 + i32::from(d - b'0');
                    it.next();
                }
                Token::Number(n)
            } else {
                Token::Sign(c)
            };
            tokens += 1;
            sum += match token {
                Token::Number(n) => n,
                Token::Sign(s) => 1000 * i32::from(s == b'*'),
            };
        }
        sum * 100 + tokens
    }

    next_if_takes_what_fits: i32, |i| {
        let a = [2, 4, i, 6, 7, 7, 8];
        let mut it = a.iter().copied().peekable();
        let mut even = 0;
        while let Some(x) = it.next_if(|x| x % 2 == 0) {
            even += x;
        }
        let seven = it.next_if_eq(&7).is_some();
        let rest: i32 = it.by_ref().take(1).sum();
        even * 1000 + rest * 10 + i32::from(seven) + i32::from(it.peek().is_none()) * 2
    }

    runs_are_counted: i32, |i| {
        let a = [1, 1, i, i, 1, 3];
        let mut it = a.into_iter().peekable();
        let mut s = 0;
        while let Some(x) = it.next() {
            let mut n = 1;
            while it.peek() == Some(&x) {
                it.next();
                n += 1;
            }
            s = s * 10 + n;
        }
        s
    }

    a_peeked_range: i32, |i| {
        let mut it = (i..5).peekable();
        let mut s = 0;
        loop {
            match it.peek() {
                Some(&3) => s += 100,
                Some(&x) => s += x,
                None => break,
            }
            it.next();
        }
        let mut up = (0..=i).enumerate().peekable();
        let first = up.peek().copied().map_or(9, |(k, x)| k as i32 + x);
        let mut n = 0;
        while up.peek().is_some() {
            up.next();
            n += 1;
        }
        s * 100 + first * 10 + n
    }

    a_loop_goes_on_behind_what_was_taken: i32, |i| {
        let a = [i, 2, 3, 4];
        let mut it = a.iter().copied().map(|x| x * 2).peekable();
        let first = it.next_if(|x| *x < 5).unwrap_or(-1);
        let mut s = 0;
        for x in it {
            s = s * 10 + x;
        }
        s * 10 + first
    }
}

/// `next` would compute anew what `peek` gave, and another name may have changed the memory by then.
#[test]
fn what_a_view_held_is_not_peeked_at() {
    for path in ["reference", "jit"] {
        let on = Accelerator::new(path).expect("every machine has it").default_view();
        let v = ArrayView::<i32>::without_source(12).expect("there is memory");
        let by_capture = parallel_for_each!((&on, Extent([4])), |p| {
            let mut it = (0..3).map(|k| v[p[0] * 3 + k]).peekable();
            let first = it.peek().copied().unwrap_or(0);
            v[p[0] * 3] = 77 + first - it.next().unwrap_or(-1);
        });
        let by_closure = parallel_for_each!((&on, Extent([4])), |p| {
            let w = &v;
            let at = |k: i32| w[p[0] * 3 + k];
            let mut it = (0..3).map(|k| k + 1).zip((0..3).map(|k| at(k) + 1)).peekable();
            v[p[0]] = it.next().map_or(0, |(a, b)| a * b);
        });
        let of_tile = parallel_for_each!((&on, Extent([4]).tile::<4>()), |t| {
            #[tile_static]
            let shared: [i32; 4];
            shared[t.local[0] as usize] = t.local[0];
            t.barrier.wait();
            let mut it = (0..4).map(|k| shared[k as usize]).peekable();
            v[t.global] = it.next().unwrap_or(0);
        });
        let in_a_tuple = parallel_for_each!((&on, Extent([4])), |p| {
            let row = v.section(p, 3);
            let pair = (row, 2);
            let mut it = (0..2).map(|k| pair.0[k] * pair.1).peekable();
            let first = it.peek().copied().unwrap_or(0);
            v[p] = first - it.next().unwrap_or(-1);
        });
        for told in [by_capture, by_closure, of_tile, in_a_tuple] {
            let told = told.expect_err("it is refused").to_string();
            assert!(told.contains("`peekable` cannot stand behind a closure that reads a view"), "{path}: {told}");
        }
    }
}
