//! Methods of numbers and the math libraries as users write them. What each computes is tested beside its definition.

mod functions;
mod kernels;
mod libraries;
