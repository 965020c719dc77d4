//! What a launch binds, for code that works on pointers.

/// What is bound to one parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound<'a> {
    /// For a view.
    View {
        /// Pointer to the first element.
        base: u64,
        /// Views and buffers with the same home may overlap, others do not.
        home: u64,
        /// Size of each dimension, none negative.
        extent: &'a [i32],
        /// Elements from one index to the next in each dimension.
        strides: &'a [u64],
    },
    /// For a buffer.
    Buffer {
        /// Pointer to the first byte.
        base: u64,
        /// As of views.
        home: u64,
        /// Number of bytes.
        size: u64,
    },
    /// For a uniform: the bytes of its type.
    Uniform(&'a [u8]),
}
