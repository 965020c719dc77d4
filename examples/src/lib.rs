//! Numbered example programs, each run by a test.
//!
//! Nothing of it exists yet: this crate holds its place in the workspace and is empty.
