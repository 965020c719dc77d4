//! The race of all kernels: the harness of the benchmarks with the program's output and files.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tilewise_benches::harness::listener::{RaceListener, RaceStep};
use tilewise_benches::harness::options::RaceOptions;
use tilewise_benches::harness::race::{RaceError, ReadyRace};

use crate::console::{CommandError, Console, Paint};
use crate::report_file::ReportFile;

impl From<RaceError> for CommandError {
    fn from(RaceError { message, help }: RaceError) -> CommandError {
        CommandError::new(message, help)
    }
}

/// Runs the race; true if all results are right, and nothing is slower than in the race to compare with.
pub(super) fn race(options: &RaceOptions, console: &mut Console) -> Result<bool, CommandError> {
    let json = ReportFile::prepare_if_named("--json", options.json.as_ref())?;
    let html = ReportFile::prepare_if_named("--html", options.html.as_ref())?;
    if let (Some(json), Some(html)) = (&json, &html) {
        json.differs_from(html)?;
    }
    let race = ReadyRace::new(options)?;
    let mut listener = BarListener::new(console);
    let ended = race.run(&mut listener);
    listener.bar.finish_and_clear();
    let ended = ended?;
    // Each report is written also if the other cannot be.
    let json = json.map_or(Ok(()), |file| file.write(ended.record.text()?));
    let html = html.map_or(Ok(()), |file| file.write(ended.page()));
    json.and(html)?;
    if let Err(reason) = ended.verdict() {
        let title = console.paint("FAILED:", Paint::Red);
        console.line(format_args!("{title} {reason}"));
        return Ok(false);
    }
    Ok(true)
}

/// Shows progress as a bar on standard error, if that is a terminal, and results as lines above it.
struct BarListener<'c> {
    console: &'c mut Console,
    bar: ProgressBar,
}

impl BarListener<'_> {
    fn new(console: &mut Console) -> BarListener<'_> {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{bar:20} {elapsed} {msg}") {
            bar.set_style(style);
        }
        BarListener { console, bar }
    }
}

impl RaceListener for BarListener<'_> {
    fn line(&mut self, text: &str) {
        self.bar.suspend(|| {
            self.console.line(text);
            // A row takes long: a reader waits for those before.
            self.console.flush();
        });
    }

    fn note(&mut self, text: &str) {
        self.bar.suspend(|| self.console.note(text));
    }

    fn step(&mut self, step: RaceStep<'_>) {
        if step.of > 0 {
            self.bar.set_length(step.of as u64);
        }
        self.bar.set_position(step.done as u64);
        self.bar.set_message(step.text.to_owned());
    }
}
