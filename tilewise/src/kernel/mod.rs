//! Kernels on the side of Rust: the closure as data, its types, its captures, and the cache of
//! lowered and checked kernels.
//!
//! - `value`: a kernel as a value; `program`: its lowered form, and the cache; `registered`: all
//!   kernels of the program
//! - `capture`: the values that a closure may capture; `types`: the types that a kernel may use
//! - `options`: `Option` in kernels; `results`: `Result`; `orders`: `Ordering`
//! - `macro_support`: the interface for code that the macros generate
//! - `companions`: declares methods together with the functions that kernels call in their place
//! - `written`: methods of the standard library's types that are written in the kernel language
//! - `arithmetic`, `numbers`, `math`: arithmetic and library functions on the host

pub(crate) mod arithmetic;
pub(crate) mod capture;
pub(crate) mod companions;
pub mod macro_support;
pub(crate) mod math;
pub mod numbers;
pub(crate) mod options;
pub(crate) mod orders;
pub(crate) mod program;
pub(crate) mod registered;
pub(crate) mod results;
pub mod types;
pub(crate) mod value;
pub(crate) mod written;
