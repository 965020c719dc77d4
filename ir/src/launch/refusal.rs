//! [`Refusal`]: the reason why a launch did not start.

/// The reason why a launch did not start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The domain is wrong for the kernel.
    InvalidComputeDomain(String),
    /// An argument does not fit its parameter.
    BadArgument(String),
    /// The target cannot run this kernel: the reason.
    Unsupported(String),
    /// The target supports the kernel, but a lower layer, such as a driver, failed: its message.
    Driver(String),
}

/// What the reason of a refusal contains if a kernel that the checker accepted breaks a rule of the language
/// in a later stage: a mistake of ours, whatever the kernel.
pub const NOT_WELL_FORMED: &str = "the kernel is not well formed";

impl Refusal {
    /// The reason, as a sentence.
    pub fn text(&self) -> &str {
        match self {
            Refusal::InvalidComputeDomain(text)
            | Refusal::BadArgument(text)
            | Refusal::Unsupported(text)
            | Refusal::Driver(text) => text,
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for Refusal {}
