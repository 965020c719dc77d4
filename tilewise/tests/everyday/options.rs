//! `Option`, `bool` and `?`.

use super::*;

mod question_mark_in_amp {
    use super::*;

    #[amp]
    fn half(n: i32) -> Option<i32> {
        if n % 2 == 0 { Some(n / 2) } else { None }
    }
    #[amp]
    fn quarter(n: i32) -> Option<i32> {
        let h = half(n)?;
        half(h)
    }

    #[test]
    fn runs() {
        on_all(&[5, 0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = quarter(20 - i[0]).unwrap_or(0);
            })
        });
    }
}

mod char_and_bool_fields {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct T {
        c: char,
        ok: bool,
        n: u8,
    }

    #[test]
    fn runs() {
        on_all(&[98], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let t = T { c: 'a', ok: true, n: 1 };
                v[i] = t.c as i32 + t.n as i32 + if t.ok { 0 } else { 100 };
            })
        });
    }
}

mod bool_methods {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[5, 0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = (i[0] == 0).then_some(5).unwrap_or(0);
            })
        });
    }
}

mod option_take {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[5], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut o = Some(5);
                let p = o.take();
                v[i] = if o.is_none() { p.unwrap_or(0) } else { 0 };
            })
        });
    }
}

mod option_equals {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[1, 0], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let o = if i[0] == 0 { Some(5) } else { None };
                v[i] = if o == Some(5) { 1 } else { 0 };
            })
        });
    }
}

mod option_filter_and_others {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[9], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let o = Some(4).filter(|x| x % 2 == 0).xor(None);
                let p = o.zip(Some(5));
                v[i] = match p {
                    Some((a, b)) => a + b,
                    None => 0,
                };
            })
        });
    }
}

mod option_or_else_and_map_or_else {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[47, 47, 10, 13], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let large = if i[0] > 1 { Some(i[0]) } else { None };
                let number = large.or_else(|| Some(40)).map_or_else(|| 1, |x| x + x % 2);
                let none: Option<i32> = None;
                v[i] = number + none.map_or_else(|| 7, |x| x) + large.map_or_else(|| 0, |x| x - 1);
            })
        });
    }
}

mod option_of_tuple {
    use super::*;

    #[amp]
    fn both() -> Option<(i32, i32)> {
        Some((1, 2))
    }

    #[test]
    fn runs() {
        on_all(&[3], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let Some((a, b)) = both() else { return };
                v[i] = a + b;
            })
        });
    }
}

mod saturating_and_checked {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[2147483647], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                v[i] = i32::MAX.saturating_add(1).checked_add(0).unwrap_or(0);
            })
        });
    }
}

mod array_of_options {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[4], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut slots = [None; 3];
                slots[1] = Some(4);
                let mut s = 0;
                for slot in slots {
                    if let Some(x) = slot {
                        s += x;
                    }
                }
                v[i] = s;
            })
        });
    }
}

mod replaced_option {
    use super::*;

    #[test]
    fn runs() {
        on_all(&[12], |launch, v: &ArrayView<'_, i32>| {
            parallel_for_each!(launch, |i| {
                let mut o = Some(1);
                let before = o.replace(2);
                v[i] = before.unwrap_or(0) * 10 + o.unwrap_or(0);
            })
        });
    }
}
