//! The facts about a GPU that are available before it is opened.

/// Most GPUs that are listed.
pub(crate) const GPUS: usize = 16;

/// The facts about a GPU that are available without opening it.
#[derive(Debug)]
pub(crate) struct GpuFacts {
    /// The names of the GPU and its driver.
    pub(crate) description: String,
    pub(crate) is_software: bool,
    pub(crate) has_double: bool,
    /// Whether it uses host memory.
    pub(crate) shares_memory: bool,
    /// Bytes of dedicated memory.
    pub(crate) memory: u64,
}
