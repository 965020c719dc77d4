//! What the parser reports and the printer writes, as snapshots that a person has read.

mod printed;
mod reports;
