//! The examples of the page: files of the suite, so that they hold what they say.

use serde::Serialize;

use crate::launch::TextLanguage;

/// An example.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PageExample {
    /// Its name in the list.
    pub title: &'static str,
    /// Its path in the suite.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl PageExample {
    /// The language of its text.
    pub fn language(&self) -> TextLanguage {
        if self.path.ends_with(".wgsl") { TextLanguage::Wgsl } else { TextLanguage::Kir }
    }
}

macro_rules! examples {
    ($($title:literal: $path:literal,)*) => {
        &[$(PageExample {
            title: $title,
            path: $path,
            text: include_str!(concat!("../../conformance/kernels/", $path)),
        },)*]
    };
}

/// The examples, simple ones first.
pub const EXAMPLES: &[PageExample] = examples! {
    "Vector sum": "memory/vector_add.kir",
    "Sum over a tile": "sync/tile_sum.kir",
    "Printed lines": "endings/print_lines.kir",
    "Race: a barrier is missing": "checks/race_without_a_barrier.kir",
    "Race: histogram without atomics": "races/histogram_without_atomics.kir",
    "Out of range": "bounds/view_of_rank_1.kir",
    "Out of range, each kind": "checks/out_of_range_of_each_kind.kir",
    "Uninitialised read": "checks/uninitialised_tile_static.kir",
    "Barrier divergence": "sync/divergence_reported.kir",
    "A loop without an end": "control/infinite_loop_runs_out_of_fuel.kir",
    "Errors of the checker": "errors/view_in_arithmetic.kir",
    "WGSL: sum over a workgroup": "shaders/sync/reduction.wgsl",
    "WGSL: a race": "shaders/sync/missing_barrier.wgsl",
    "WGSL: out of range": "shaders/memory/out_of_range.wgsl",
    "WGSL: a sampled texture": "shaders/textures/linear.wgsl",
    "WGSL: a type error": "shaders/errors/type_mismatch.wgsl",
};
