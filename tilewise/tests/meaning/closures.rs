//! Closures that a kernel calls or hands to functions, and items in kernels: as in plain Rust.

use super::*;

#[amp]
fn map<F: Fn(i32) -> i32>(f: F, x: i32) -> i32 {
    f(x) + f(x + 1) * 100
}

#[amp]
fn fold<T: Scalar, R, F>(a: [T; 3], start: R, mut f: F) -> R
where
    R: Scalar,
    F: FnMut(R, T) -> R,
{
    let mut all = start;
    for x in a {
        all = f(all, x);
    }
    all
}

#[amp]
fn twice<F: FnMut(i32)>(f: &mut F, x: i32) {
    f(x);
    f(x + 1);
}

#[amp]
fn on<F: Fn(i32) -> i32>(f: F, n: i32) -> i32 {
    let g = |x: i32| f(x) + n;
    map(g, n) + map(|y| f(y) * 2, 1)
}

#[amp]
fn changed<F: Fn(&mut P, i32) -> i32>(f: F, n: i32) -> i32 {
    let mut p = P { x: n, y: 2 };
    let r = f(&mut p, 5);
    p.x * 100 + p.y * 10 + r
}

#[amp]
impl P {
    fn with<F: Fn(i32, i32) -> i32>(self, f: F) -> i32 {
        f(self.x, self.y)
    }

    fn by<F: Fn(Self) -> i32>(self, f: F) -> i32 {
        f(self) + f(Self { x: self.y, y: self.x })
    }
}

#[amp]
trait Halves: Copy {
    fn halves<F>(self, f: F) -> i32
    where
        F: Fn(Self, Self) -> i32;
}

#[amp]
impl Halves for P {
    fn halves<F>(self, f: F) -> i32
    where
        F: Fn(Self, Self) -> i32,
    {
        f(P { x: self.x, y: 0 }, P { x: 0, y: self.y })
    }
}

#[amp]
fn named_lifetime<'a, F: Fn(&'a P) -> i32>(f: F, p: &'a P) -> i32 {
    f(p) * 2
}

#[amp]
fn own_lifetime<F: for<'b> Fn(&'b P, &'b P) -> i32>(f: F, p: &P) -> i32 {
    f(p, p)
}

#[derive(Clone, Copy, AmpStruct)]
struct Two<F>(F, F);

#[amp]
impl<F: Scalar> Two<F> {
    fn each(self, f: impl Fn(F) -> F) -> F {
        f(self.0) + f(self.1)
    }
}

oracle! {
    bounds_with_self(n) -> i32 { let p = P { x: n, y: 3 }; p.by(|q| q.x * 10 + q.y) * 100 + p.halves(|a, b| a.x * 2 + b.y) }
    bounds_with_lifetimes(n) -> i32 { let p = P { x: n, y: 3 }; named_lifetime(|q| q.x * 10 + q.y, &p) * 100 + own_lifetime(|a, b| a.x * 2 + b.y, &p) }
    names_of_impls(n) -> i32 { Two(n, 4).each(|x| x * x) }

    a_local_closure(n) -> i32 { let sq = |x: i32| x * x; sq(n) + sq(2) }
    inferred_parameters(n) -> i32 { let add = |a, b| a + b; add(n, 2) }
    captured_by_reference(n) -> i32 { let mut total = 0; let k = n * 2; let mut add = |x: i32| total += x * k; add(1); add(n); total + k }
    captured_by_move(n) -> i32 { let mut k = n; let mut f = move |x: i32| { k += x; k }; let a = f(1); k = 100; let b = f(10); a * 1000 + b * 10 + k }
    copies_of_copies(n) -> i32 { let k = n; let f = move || { let g = move |x: i32| x + k; g(1) + k }; f() }
    early_returns(n) -> i32 { let f = |x: i32| { if x > 5 { return -x; } for i in 0..x { if i == 3 { return i * 100; } } x }; f(n) * 10 + f(2) }
    closures_in_loops(n) -> i32 { let mut s = 0; for i in 0..n { let f = |x: i32| x * i; if f(2) == 6 { continue; } s += f(3); } s }
    shadowed_names(n) -> i32 { let x = n; let f = |y: i32| y + x; let x = 1000; f(1) + x }
    another_name(n) -> i32 { let f = |x: i32| x + 1; let g = f; g(g(n)) }
    patterns(n) -> i32 { let f = |(a, b): (i32, i32), P { x, y }: P| a * b + x * y; f((n, 3), P { x: 2, y: n }) }
    references(n) -> i32 { let mut p = P { x: n, y: 1 }; let set = |q: &mut P, k: i32| { q.x += k; q.y = k; }; set(&mut p, 7); let get = |q: &P| q.x * 100 + q.y; get(&p) }
    arguments(n) -> i32 { let k = n; map(|x| x * k, 3) + map(move |x| x - k, n) }
    names_as_arguments(n) -> i32 { let f = |x: i32| x * 3 + n; map(f, n) - map(&f, 1) }
    folded(n) -> i32 { let mut calls = 0; let sum = fold([n, 2, 3], 0, |all, x| { calls += 1; all * 10 + x }); let wide = fold([n, 1, 1], 0.5, |all: f32, x| all + x as f32); sum + calls * 10000 + wide as i32 }
    lent_closures(n) -> i32 { let mut s = n; let mut add = |x: i32| s = s * 3 + x; twice(&mut add, 4); twice(&mut |x| s += x, 1); s }
    handed_on(n) -> i32 { on(|x| x * x, n) }
    inside_each_other(n) -> i32 { map(|x| map(|y| y + x, x) + n, 3) }
    by_mutable_reference(n) -> i32 { changed(|p, k| { p.x += k; p.y = k; p.x - 1 }, n) }
    methods_with_closures(n) -> i32 { P { x: n, y: 3 }.with(|a, b| a * 10 + b) }
    order_of_arguments(n) -> i32 { let mut k = n; let f = |a: i32, b: i32| a * 100 + b; let r = f({ k += 1; k }, { k *= 2; k }); r * 10 + k }
    options(n) -> i32 { let half = |x: i32| if x % 2 == 0 { Some(x / 2) } else { None }; if let Some(h) = half(n) && let Some(q) = half(h) { q } else { -1 } }
    functions_inside(n) -> i32 {
        const K: i32 = 3;
        use self::map as apply;
        #[derive(Clone, Copy, AmpStruct)]
        struct Inside(i32, i32);
        fn triple(x: i32) -> i32 { x * K }
        let Inside(a, b) = Inside(triple(n), 1);
        apply(|x| x + triple(a), b)
    }
}

#[test]
fn kernels_have_items_and_closures() {
    const K: i32 = 4;
    let (k, table) = (7, ArrayView::from_vec(3, vec![10, 20, 30]).unwrap());
    let r = on_all([K], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            const K: i32 = 2;
            fn plus(x: i32) -> i32 {
                x + K
            }
            let at = |j: i32| table[j] + k;
            let write = |j: i32, x: i32| out[j] = x;
            write(i[0], plus(at(i[0])) + map(|x| at(x), 0));
        })
    });
    assert_eq!(r, [2736, 2746, 2756, 2726]);
}
