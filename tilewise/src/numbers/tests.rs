//! The methods' two sides: the same methods, the same results; and std's results, where std has one.
