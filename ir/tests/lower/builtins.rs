//! Every built-in function.
