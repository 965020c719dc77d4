//! Nothing: the crate is its test. Programs with one mistake each stand in `tests/mistakes`, with what rustc says of them. They are in a crate of their own because they are built with
//! its dependencies and features, and no mistake needs a GPU.
