//! Running kernels: the engine behind the accelerator `jit`.
//!
//! An [`Engine`] is an accelerator: worker threads of its own and what they need. A [`Prepared`] kernel holds the machine code that launches made of
//! it, and is the same for all engines. [`Engine::launch`] brings the two together over memory that is there already, [`Engine::run`] over pieces
//! of bytes as the interpreter takes them; both say what the launch came to and which way it took ([`Ran`]).

mod engine;
mod fallback;
mod launch;
mod options;
mod prepared;
#[cfg(test)]
mod tests;

pub use engine::{Engine, Options, Pin};
pub use options::{LaunchOptions, Launched, Ran};
pub use prepared::Prepared;
