//! The details of an [`Error`](crate::Error): dimension and sizes, thread, source line, rendered
//! diagnostics.
//!
//! ```
//! use tilewise::{ArrayView, Error};
//! let Err(Error::Shape(shape)) = ArrayView::from_vec((2, 3), vec![0; 5]) else { panic!("5 elements are no 2 x 3") };
//! assert!(shape.message.contains('6'), "{}", shape.message);
//! ```

use std::fmt;

use tilewise_ir::diag::{Colour, Diagnostic, is_shader, render, shader_words};
use tilewise_ir::pos::Sources;

/// The offending dimension, the actual value, and the expected one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shape {
    /// The text, including the numbers.
    pub message: String,
    /// The dimension at fault.
    pub dimension: Option<usize>,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// An error of one thread at run time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fault {
    /// The text.
    pub message: String,
    /// The index of the thread in the domain.
    pub thread: Vec<i32>,
    /// File, line, column of the kernel.
    pub source: (&'static str, u32, u32),
    /// The full report, rendered like rustc's; empty if it would add nothing to the message.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { message, thread, source: (file, line, column), text } = self;
        let who = match thread.as_slice() {
            [] => String::new(),
            index => {
                let components: Vec<String> = index.iter().map(i32::to_string).collect();
                format!(" (thread ({}))", components.join(", "))
            }
        };
        match is_shader(file) {
            true => write!(f, "{}", shader_words(&format!("{message}{who}")))?,
            false => write!(f, "{message}{who}")?,
        }
        if *line > 0 {
            write!(f, " at {file}:{line}:{column}")?;
        }
        if !text.is_empty() {
            write!(f, "\n{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// All diagnostics of the checker for a kernel, rendered like rustc's.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Diagnostics {
    /// The code of each diagnostic, in order.
    pub codes: Vec<&'static str>,
    /// The text, with source lines where they are known.
    pub text: String,
}

impl Diagnostics {
    /// From diagnostics of the kernel language.
    pub(crate) fn new(diagnostics: &[Diagnostic], sources: &Sources) -> Diagnostics {
        let codes = diagnostics.iter().map(|diagnostic| diagnostic.code.name()).collect();
        Diagnostics { codes, text: render(diagnostics, sources, Colour::Never) }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}
