//! Methods that take `&mut self` and give it, so that calls stand behind one another.

use super::*;

#[derive(Clone, Copy, Default, AmpStruct)]
struct Counter {
    sum: i32,
    calls: u32,
}

#[amp]
impl Counter {
    fn new() -> Counter {
        Counter { sum: 0, calls: 0 }
    }

    fn set(&mut self, sum: i32) -> &mut Self {
        self.sum = sum;
        self.calls += 1;
        self
    }

    fn add(&mut self, n: i32) -> &mut Counter {
        if n == 0 {
            return self;
        }
        self.sum += n;
        self.calls += 1;
        self
    }

    fn twice(&mut self, n: i32) -> &mut Self {
        for _ in 0..2 {
            self.add(n);
        }
        self.add(1).add(0)
    }

    fn total(&self) -> i32 {
        self.sum * 10 + self.calls as i32
    }

    fn built(self) -> i32 {
        self.total() + 1
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Ring<const N: usize> {
    items: [i32; N],
    end: usize,
}

#[amp]
impl<const N: usize> Ring<N> {
    fn push(&mut self, x: i32) -> &mut Self {
        self.items[self.end % N] = x;
        self.end += 1;
        self
    }
}

#[amp]
trait Scaled {
    fn scale(&mut self, by: i32) -> &mut Self;
    fn halve(&mut self) -> &mut Self;
    fn scale_twice(&mut self, by: i32) -> &mut Self {
        self.scale(by).scale(by)
    }
}

#[amp]
impl Scaled for Counter {
    fn scale(&mut self, by: i32) -> &mut Self {
        self.sum *= by;
        self
    }

    fn halve(&mut self) -> &mut Self {
        self.sum /= 2;
        self
    }
}

#[amp]
fn scaled<T: Scaled>(x: &mut T, by: i32) {
    x.scale(by).halve();
}

#[amp]
fn read(counter: &Counter, plus: i32) -> i32 {
    counter.total() + plus
}

#[amp]
fn change(counter: &mut Counter) -> i32 {
    counter.sum += 100;
    counter.sum
}

same! {
    calls_stand_behind_one_another: i32, |i| {
        let mut c = Counter::new();
        c.set(1).add(i);
        c.add(i).twice(3).add(2);
        c.total() + c.set(i).add(4).total() * 1000
    }

    what_a_builder_gives_has_a_name: i32, |i| {
        let mut c = Counter::default();
        let d = c.set(5);
        d.sum += i;
        d.add(2).add(i);
        let s = d.total();
        s * 100 + c.total()
    }

    a_builder_begins_with_a_value: i32, |i| {
        let built = Counter::new().set(i).add(1).built();
        let copy = *Counter::new().add(7).add(i);
        built * 1000 + copy.sum
    }

    a_chain_stands_in_an_argument: i32, |i| {
        let mut c = Counter::new();
        let a = read(c.set(i).add(2), 1);
        let b = change(c.add(1));
        a * 1000 + b + c.sum + read(&c, b)
    }

    builders_of_traits_and_of_generics: i32, |i| {
        let mut c = Counter { sum: 3, calls: 1 };
        c.scale_twice(2).halve().add(i);
        scaled(&mut c, 6);
        let mut ring = Ring::<3> { items: [0; 3], end: 0 };
        ring.push(i).push(1);
        for k in 0..i {
            ring.push(k).push(k * k);
        }
        c.total() + ring.items[0] * 7 + ring.items[1] * 11 + ring.items[2] * 13 + ring.end as i32
    }

    a_field_of_what_a_builder_gives: i32, |i| {
        let mut c = Counter::new();
        let x = c.set(i).add(2).sum;
        if c.add(x).sum > 4 {
            c.set(-1);
        }
        x * 100 + c.total()
    }

    a_builder_of_a_field_and_of_a_parameter: i32, |i| {
        let mut pair = (Counter::new(), Counter::new());
        pair.0.set(i).add(1);
        pair.1.set(pair.0.sum).twice(2);
        let mut sum = 0;
        let r = &mut pair.1;
        r.add(3).add(4);
        pair.0.total() * 1000 + pair.1.total()
    }
}

#[test]
fn the_host_calls_builders() {
    let mut c = Counter::new();
    assert_eq!(c.set(2).add(3).twice(1).total(), 85, "8 by five calls with an effect");
}

mod ends_of_blocks_and_arms {
    use super::*;

    same! {
        are_read: i32, |n| {
            let mut c = Counter::new();
            let a = (if n > 2 { c.set(n) } else { c.add(3) }).sum;
            let b = { c.add(2) }.total();
            let d = (match n { 0 => c.set(4), _ => c.add(n) }).built();
            a + b * 3 + d * 5 + c.total() * 7
        }

        are_not_used: i32, |n| {
            let mut c = Counter::new();
            if n > 2 { c.set(n) } else { c.add(3) };
            match n {
                0 => c.set(4),
                1 => {
                    c.add(7);
                    c.add(8)
                }
                _ => c.add(n),
            };
            { c.twice(2) };
            let _ = if n > 3 { c.add(1) } else { c.add(2) };
            c.total()
        }
    }
}
