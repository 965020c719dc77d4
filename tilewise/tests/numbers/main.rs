//! Methods of numbers and `fast_math` as users write them. What each computes is tested beside its definition.

mod functions;
mod kernels;
