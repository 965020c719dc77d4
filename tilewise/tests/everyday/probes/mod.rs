//! One small program for each feature of the language; `docs/language-probes.md` lists them, with what is refused.

use crate::{ArrayView, on_all, on_each, parallel_for_each};

mod borrows;
mod captures;
mod closures;
mod loops;
mod numbers;
mod page;
mod patterns;
mod traits;
