//! What kernels mean, rule by rule: each test is a small kernel in text, run by the interpreter.

mod atomics;
mod barriers;
mod case;
mod coherence;
mod control;
mod formats;
mod launches;
mod messages;
mod places;
mod views;
