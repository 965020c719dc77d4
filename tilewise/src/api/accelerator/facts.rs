//! What is known of GPUs before one is opened.

/// Most GPUs that a program sees.
pub(crate) const GPUS: usize = 16;

/// What is known of a GPU without opening it.
#[derive(Debug)]
pub(crate) struct GpuFacts {
    /// Its name, and its driver's.
    pub(crate) description: String,
    pub(crate) is_software: bool,
    pub(crate) has_double: bool,
    /// Whether it works in the host's memory.
    pub(crate) shares_memory: bool,
    /// Bytes of its own memory.
    pub(crate) memory: u64,
}
