//! The output streams of the program: standard output and standard error, coloured on a terminal
//! only.
//!
//! **Output that cannot be written.** The first write to standard output that fails ends the
//! output. A reader that closes its end of a pipe, as `head` does, wants no more: the rest is
//! dropped without a message, the work and the reports in files are finished, and the exit code is
//! that of the work. Any other failure is reported on standard error, and the exit code is 2. A
//! failure to write to standard error cannot be reported.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

use tilewise::ir::diag::Colour;

use crate::excerpt::HeaderExcerpt;

/// The reason why a command could not run, and how to fix it.
#[derive(Debug)]
pub(crate) struct CommandError {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// The place of the mistake in a file.
    pub(crate) excerpt: Option<HeaderExcerpt>,
}

impl CommandError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> CommandError {
        CommandError { message: message.into(), help: Some(help.into()), excerpt: None }
    }
}

/// The two streams of the program.
pub(crate) struct Console {
    colour: Colour,
    error_colour: Colour,
    /// The error that ended standard output, if any.
    output_error: Option<io::Error>,
}

impl Console {
    pub(crate) fn new() -> Console {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let colour = |terminal: bool| if wanted && terminal { Colour::Always } else { Colour::Never };
        Console {
            colour: colour(io::stdout().is_terminal()),
            error_colour: colour(io::stderr().is_terminal()),
            output_error: None,
        }
    }

    /// Is standard output coloured?
    pub(crate) fn colour(&self) -> Colour {
        self.colour
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: impl Display) {
        self.text(format_args!("{line}\n"));
    }

    /// Writes text that includes its line ends.
    pub(crate) fn text(&mut self, text: impl Display) {
        self.write(|| write!(io::stdout().lock(), "{text}"));
    }

    /// Calls `write`, unless standard output has failed.
    pub(crate) fn write(&mut self, write: impl FnOnce() -> io::Result<()>) {
        if self.output_error.is_none() {
            self.output_error = write().err();
        }
    }

    /// Flushes standard output: a reader waits for what is written so far.
    pub(crate) fn flush(&mut self) {
        self.write(|| io::stdout().flush());
    }

    /// Flushes standard output. The error is the reason why not all of the output could be written,
    /// and a fix.
    pub(crate) fn finish(&mut self) -> Result<(), CommandError> {
        self.write(|| io::stdout().flush());
        match &self.output_error {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CommandError::new(
                format!("cannot write to standard output: {error}"),
                "the output is not complete; send it where there is room and the right to write",
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// Writes the reason why a command could not run.
    pub(crate) fn complain(&self, trouble: &CommandError) {
        let mut out = io::stderr().lock();
        let _ = writeln!(out, "{} {}", paint("error:", Paint::Red, self.error_colour), trouble.message);
        match (&trouble.excerpt, &trouble.help) {
            (Some(excerpt), help) => {
                let _ = write!(out, "{}", excerpt.render(help.as_deref()));
            }
            (None, Some(help)) => {
                let _ = writeln!(out, "  help: {help}");
            }
            (None, None) => {}
        }
    }

    /// Writes a note that is not part of the requested output, to standard error.
    pub(crate) fn note(&mut self, text: impl Display) {
        let _ = writeln!(io::stderr().lock(), "{} {text}", paint("note:", Paint::Yellow, self.error_colour));
    }

    /// A target that was named and ran nothing, which is a failure.
    pub(crate) fn nothing_run(&mut self, target: impl Display, reason: impl Display) {
        let title = self.paint("nothing run:", Paint::Red);
        self.line(format_args!("{title} {target}: {reason}"));
    }

    /// `text` in a colour, if standard output is coloured.
    pub(crate) fn paint(&self, text: &str, paint_as: Paint) -> String {
        paint(text, paint_as, self.colour)
    }
}

/// The colours of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Paint {
    Red,
    Green,
    Yellow,
    Bold,
}

fn paint(text: &str, paint: Paint, colour: Colour) -> String {
    let code = match paint {
        Paint::Red => "1;31",
        Paint::Green => "32",
        Paint::Yellow => "33",
        Paint::Bold => "1",
    };
    match colour {
        Colour::Always => format!("\x1b[{code}m{text}\x1b[0m"),
        Colour::Never => text.to_owned(),
    }
}
