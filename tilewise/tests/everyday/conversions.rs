//! `into` and `from` between types of the user's own.

use super::*;

#[derive(Clone, Copy, PartialEq, AmpStruct)]
struct Celsius(f32);

#[derive(Clone, Copy, PartialEq, AmpStruct)]
struct Fahrenheit(f32);

#[amp]
impl From<Celsius> for Fahrenheit {
    fn from(c: Celsius) -> Self {
        Fahrenheit(c.0 * 9.0 / 5.0 + 32.0)
    }
}

#[amp]
impl From<Fahrenheit> for Celsius {
    fn from(f: Fahrenheit) -> Self {
        Celsius((f.0 - 32.0) * 5.0 / 9.0)
    }
}

#[amp]
fn boils(at: Fahrenheit) -> bool {
    at.0 >= 212.0
}

same! {
    types_become_others: i32, |i| {
        let c = Celsius(i as f32 * 30.0);
        let f: Fahrenheit = c.into();
        let back = Celsius::from(f);
        (f.0 * 10.0) as i32 + back.0 as i32 + i32::from(boils(c.into()))
    }
}
