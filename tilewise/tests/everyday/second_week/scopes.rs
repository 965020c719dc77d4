//! Shadowing, labelled blocks and closures in closures.

use super::*;

// Shadowing, labeled blocks, nested closures.
same! {
    closures_in_closures: i32, |i| {
        let x = i;
        let x = x * 2 + 1;
        let scale = |k: i32, f: i32| { let inner = |z: i32| z * k + f; inner(x) + inner(1) };
        let found = 'found: {
            for a in 1..10 {
                for b in a..10 {
                    if a * a + b * b == 25 + x { break 'found a * 10 + b; }
                }
            }
            -1
        };
        scale(3, found) + x
    }
}
