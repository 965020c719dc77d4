//! Kernels in Rust become kernels of the kernel language: trees written by hand, lowered, printed, checked and run.

mod aggregates;
mod arithmetic;
mod builtins;
mod calls;
mod case;
mod control;
mod dsl;
mod hostile;
mod loops;
mod matching;
