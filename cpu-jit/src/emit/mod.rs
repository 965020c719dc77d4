//! Machine code of lane programs, through Cranelift.
//!
//! A value is one Cranelift value or several vectors of 128 bits ([`pieces`]). Operations of the op table are in [`op`].

#![allow(dead_code, reason = "what reads these is being written")]

pub(crate) mod facts;
pub(crate) mod op;
pub(crate) mod pieces;
