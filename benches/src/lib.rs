//! Benchmarks of Tilewise; they are in `benches/`. This library is empty: cargo wants a target besides them.
