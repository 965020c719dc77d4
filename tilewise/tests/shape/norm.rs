//! `Norm` and `Unorm`.

use tilewise::graphics::{Norm, Unorm};

use crate::checks;

checks! {
    nrm_1_made_of_numbers_that_are_clamped: [f32; 12] = [0.5, -1.0, 1.0, 0.25, -1.0, 1.0, 0.5, 0.0, 1.0, 0.0, 0.0, 1.0]; {
        [
            Norm::new(0.5).get(), Norm::from(-1.5).get(), Norm::from(7).get(), Norm::from(0.25_f32).get(),
            Norm::from(-3_i32).get(), Norm::from(3_u32).get(), Unorm::new(0.5).get(), Unorm::from(-1.5).get(),
            Unorm::from(7).get(), Unorm::from(-0.25_f32).get(), Unorm::from(-3_i32).get(), Unorm::from(3_u32).get(),
        ]
    }
}
