//! Tests of the checker, its analyses and the inliner: one binary, a module for each family.

mod built;
