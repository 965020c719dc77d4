//! Kernels that mean harm, and launches with numbers that do: none may touch memory outside of what is bound, fault, or go on beyond its limit, and what
//! they compute is what the interpreter says.

mod endless;
mod far;
mod guard;
mod guarded;
mod indices;
mod large;
mod launches;
mod loops;
mod numbers;
mod one_place;
mod rng;
mod split;
mod strides;
mod views;
