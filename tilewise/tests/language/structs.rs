//! Structs and enums of the user.

use tilewise::vector::Float3;
use tilewise::{AmpStruct, ArrayView, Index, amp, parallel_for_each};

use crate::on_all;

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Particle {
    pos: Float3,
    vel: Float3,
    mass: f32,
    history: [[f32; 2]; 2],
    tag: Tag,
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Tag(u32, i32);

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
#[repr(C)]
struct Pair<T> {
    x: T,
    y: [T; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
#[repr(C, packed)]
struct Tight {
    a: f32,
    b: f64,
    none: [f32; 0],
    c: [u32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
enum Color {
    Red = 3,
    Green,
    Blue = -1,
}

#[amp]
impl Particle {
    const HALF: f32 = 0.5;

    fn energy(self) -> f32 {
        Self::HALF * self.mass * self.vel.dot(self.vel)
    }

    fn push(&mut self, by: f32) {
        self.vel.x += by;
        self.history[1][0] += self.energy();
        self.tag.1 -= 1;
    }

    fn made(mass: f32) -> Self {
        let v = Float3::new(1.0, 2.0, 3.0);
        let none = Particle { pos: v, vel: v, mass: 0.0, history: [[0.0; 2]; 2], tag: Tag(1, 2) };
        Particle { mass, ..none }
    }
}

#[amp]
impl Color {
    fn next(self) -> Color {
        match self {
            Color::Red => Color::Green,
            Color::Green | Self::Blue => Color::Red,
        }
    }
}

#[test]
fn fields_of_elements() {
    let results = on_all([5], |launch, v: &ArrayView<'_, Particle>| {
        let k = 2.0f32;
        let color = Color::Blue;
        let pair = Pair { x: 1.0f32, y: [2.0, 3.0] };
        parallel_for_each!(launch, |i| {
            v[i] = Particle::made(i[0] as f32);
            v[i].pos.x = 1.5;
            v[i].pos.y += k * pair.y[1] + pair.x;
            v[i].history[0][1] = v[i].energy();
            v[i].tag.0 += 3;
            let mut p = v[i];
            p.push(0.5);
            if color.next() == Color::Red && color != Color::Green {
                p.mass += 1.0;
            }
            p.pos[2] = color as i32 as f32;
            v[i] = p;
        })
    });
    let mut p = Particle::made(3.0);
    p.pos.x = 1.5;
    p.pos.y += 7.0;
    p.history[0][1] = p.energy();
    p.tag.0 += 3;
    p.push(0.5);
    p.mass += 1.0;
    p.pos.z = -1.0;
    assert_eq!(results[3], p);
}

#[test]
fn generic_structs_are_elements() {
    let results = on_all([3], |launch, v: &ArrayView<'_, Pair<i32>>| {
        parallel_for_each!(launch, |i: Index<1>| {
            v[i].y[1] = i[0];
            v[i].x = v[i].y[1] * 2;
        })
    });
    assert_eq!(results[2], Pair { x: 4, y: [0, 2] });
}

#[test]
fn fields_need_not_be_aligned_as_their_types_are() {
    let results = on_all([3], |launch, v: &ArrayView<'_, Tight>| {
        parallel_for_each!(launch, |i: Index<1>| {
            v[i].b = i[0] as f64 + 0.5;
            v[i].a = 0.5;
            v[i].c = [0, 7];
            let mut tight = v[i];
            tight.a = tight.b as f32 * 2.0;
            v[i] = tight;
        })
    });
    assert_eq!(results[2], Tight { a: 5.0, b: 2.5, none: [], c: [0, 7] });
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
#[repr(C, packed)]
struct Around {
    tag: u8,
    inside: Tight,
}

#[test]
fn the_values_of_fields_of_packed_elements_are_taken_as_in_rust() {
    let results = on_all([3], |launch, v: &ArrayView<'_, Around>| {
        parallel_for_each!(launch, |i: Index<1>| {
            let mut one = 0;
            v[i].inside.c = [7, 11];
            v[i].inside.b = v[i].inside.c[1] as f64 + 0.5;
            v[i].inside.a = v[i].inside.b.max(3.0).floor() as f32;
            v[i].tag = v[i].tag.wrapping_sub(
                v[i].inside.c[{
                    one += 1;
                    one
                }] as u8,
            );
        })
    });
    let inside = Tight { a: 11.0, b: 11.5, none: [], c: [7, 11] };
    assert_eq!(results[2], Around { tag: 0_u8.wrapping_sub(11), inside });
}
