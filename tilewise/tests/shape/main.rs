//! What C++ AMP says of indices, extents, their tiled forms and barriers (sections 1 to 5 of the catalogue), and of short vectors. A test begins with the number of its item.
//!
//! A `check!` gives numbers; it is one piece of Rust, run wherever there is something to run it.

mod extent;
mod host;
mod index;
mod tiled;
mod vector;

/// Tests of values: name, number of values, what they are, how they come about.
macro_rules! checks {
    ($($name:ident: [$t:ty; $n:literal] = $expected:expr; $body:block)*) => {$(
        #[test]
        fn $name() {
            #[tilewise::amp]
            fn values() -> [$t; $n] $body
            assert_eq!(values(), $expected, "on the host");
        }
    )*};
}

pub(crate) use checks;
