//! Methods of the user's own with the names of methods of the standard library: their own parameters decide what an
//! argument is, and not their names.

use super::*;

#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Color {
    Red,
    Green,
}

#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Shade {
    Dark,
    Light(i32),
    Mixed(i32, i32),
}

#[derive(Clone, Copy, PartialEq, AmpStruct)]
struct Meters(i32);

#[derive(Clone, Copy, PartialEq, AmpStruct)]
struct Pair<T>(T, T);

#[derive(Clone, Copy, PartialEq, AmpStruct)]
struct Brush {
    width: i32,
}

trait Limits {
    const MOST: Meters;
}

impl Limits for Brush {
    const MOST: Meters = Meters(40);
}

#[amp]
impl Color {
    fn number(self) -> i32 {
        match self {
            Color::Red => 1,
            Color::Green => 2,
        }
    }
}

#[amp]
impl Brush {
    const WIDE: Color = Color::Green;

    fn map(self, color: Color) -> i32 {
        self.width * 10 + color.number()
    }

    fn and_then(self, shade: Shade) -> i32 {
        match shade {
            Shade::Dark => self.width,
            Shade::Light(n) => n,
            Shade::Mixed(a, b) => a * b,
        }
    }

    fn map_or(self, color: Color, other: Color) -> i32 {
        color.number() * 10 + other.number() + self.width
    }

    fn map_while(self, limit: Meters) -> i32 {
        limit.0 + self.width
    }

    fn filter_map(self, make: impl Fn(i32, i32) -> Shade) -> i32 {
        self.and_then(make(self.width, 7))
    }

    fn find_map(self, make: impl Fn(i32) -> Meters) -> i32 {
        make(self.width + 1).0
    }

    fn find(self, color: Color) -> i32 {
        color.number()
    }

    fn position(&self, color: &Color) -> i32 {
        color.number() + self.width
    }

    fn sort(&mut self, color: Color) {
        self.width += color.number();
    }

    fn next(&mut self) -> i32 {
        self.width += 1;
        self.width
    }

    fn fold(self, start: i32, f: impl Fn(i32, i32) -> i32) -> i32 {
        f(start, self.width)
    }

    fn zip(self, other: &Brush) -> i32 {
        self.width * other.width
    }

    fn chain(self, other: Brush) -> Brush {
        Brush { width: self.width + other.width }
    }

    fn windows(self, n: i32) -> i32 {
        self.width - n
    }

    fn contains(&self, n: i32) -> bool {
        n < self.width
    }

    fn is_empty(&self) -> bool {
        self.width == 0
    }

    fn rev(self) -> Brush {
        Brush { width: -self.width }
    }

    fn iter(&self) -> i32 {
        self.width + 5
    }

    fn copied(&self) -> i32 {
        self.width + 6
    }

    fn max(self, other: Brush) -> Brush {
        if self.width < other.width { other } else { self }
    }

    fn cmp(&self, other: &Brush) -> i32 {
        self.width - other.width
    }

    fn take(&mut self) -> i32 {
        let width = self.width;
        self.width = 0;
        width
    }

    fn replace(&mut self, width: i32) -> i32 {
        let before = self.width;
        self.width = width;
        before
    }

    fn swap(&mut self, other: &mut Brush) {
        let width = self.width;
        self.width = other.width;
        other.width = width;
    }

    fn flat_map(self, f: impl Fn(i32) -> i32) -> i32 {
        f(f(self.width))
    }

    fn unwrap_or(self, color: Color) -> Color {
        if self.width > 2 { color } else { Color::Red }
    }

    fn expect(self, n: i32) -> i32 {
        self.width + n
    }

    fn first(self) -> i32 {
        self.width
    }

    fn get(self, n: i32) -> i32 {
        self.width * n
    }

    fn insert(&mut self, color: Color) -> i32 {
        self.width = color.number();
        self.width
    }

    fn scan(self, n: Meters, f: impl Fn(i32, i32) -> i32) -> i32 {
        f(n.0, self.width)
    }
}

#[amp]
fn made<T: tilewise::types::KernelValue>(n: i32, f: impl Fn(i32) -> T) -> T {
    f(n)
}

#[amp]
fn most<L: Limits>(brush: Brush) -> i32 {
    brush.map_while(L::MOST)
}

same! {
    a_constant_or_a_constructor_by_its_type: i32, |i| {
        let brush = Brush { width: i };
        let mut s = brush.map(Color::Red);
        s = s * 3 + brush.and_then(Shade::Dark);
        s = s * 3 + brush.and_then(Shade::Light(4));
        s = s * 3 + brush.map_or(Color::Green, Color::Red);
        s = s * 3 + brush.map(Brush::WIDE);
        s = s * 3 + brush.map_while(Brush::MOST);
        s = s * 3 + brush.map_while(<Brush as Limits>::MOST);
        s = s * 3 + most::<Brush>(brush);
        s = s * 3 + brush.filter_map(Shade::Mixed);
        s = s * 3 + brush.find_map(Meters);
        s + made(i, Meters).0 + made(i + 1, Some).unwrap_or(7) + i32::MAX.min(i)
    }

    names_of_iterators_and_arrays: i32, |i| {
        let mut brush = Brush { width: i };
        let other = Brush { width: 4 };
        let mut all = [brush, other];
        let mut s = brush.find(Color::Green) + brush.position(&Color::Red);
        brush.sort(Color::Green);
        s = s * 3 + brush.next();
        s = s * 3 + brush.fold(2, |a, b| a * 10 + b);
        s = s * 3 + brush.zip(&other);
        s = s * 3 + brush.zip(&all[0]);
        s = s * 3 + brush.chain(all[1]).width;
        s = s * 3 + brush.windows(3);
        s = s * 3 + i32::from(brush.contains(i)) + i32::from(brush.is_empty());
        s = s * 3 + brush.rev().width;
        s = s * 3 + brush.iter() + brush.copied();
        s = s % 1009 * 3 + brush.max(other).width;
        s = s * 3 + brush.cmp(&other);
        s = s * 3 + all[1].next();
        s = s * 3 + all[0].take() + all[1].replace(3);
        all[0].sort(Color::Red);
        s = s * 3 + all[0].width + all[1].width;
        s = s % 1009 * 3 + brush.flat_map(|x| x * 2 + 1);
        s = s * 3 + brush.unwrap_or(Color::Green).number();
        s = s * 3 + brush.expect(5) + brush.first() + brush.get(3);
        s = s * 3 + all[1].insert(Color::Green);
        s = s * 3 + brush.scan(Meters(3), |a, b| a * b);
        s % 100_003
    }

    methods_behind_methods: i32, |i| {
        let brush = Brush { width: i };
        let s = brush.rev().map(Color::Red) + brush.chain(brush).fold(1, |a, b| a - b);
        let t = brush.rev().chain(brush).zip(&brush.rev()) + brush.rev().cmp(&brush.chain(brush));
        let mut of_brush = brush;
        let u = of_brush.chain(brush).rev().next() + brush.max(brush).position(&Color::Green);
        s + t * 3 + u * 5
    }

    constructors_of_everything: i32, |i| {
        let a = [1, 2, i];
        let meters = a.map(Meters);
        let shade = Some(i).filter(|x| *x > 2).map(Shade::Light).unwrap_or(Shade::Dark);
        let total: i32 = a.iter().copied().map(Meters).map(|m| m.0).sum();
        let pair = (0..3).zip(1..4).map(|(x, y)| Pair(x, y)).fold(0, |s, p| s * 3 + p.0 * p.1);
        let opt = Some(i).map(Some).flatten().map_or(0, |x| x + 1);
        let all = a.map(Shade::Light);
        let light = match all[2] { Shade::Light(n) => n, _ => -1 };
        meters[2].0 + match shade { Shade::Light(n) => n * 2, _ => 100 } + total + pair + opt + light
    }
}
