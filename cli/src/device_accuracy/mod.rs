//! `tilewise accuracy --device` and `tilewise verify --accuracy`: how far the built-in functions that drivers
//! make of WGSL are from exact results, beside what WGSL and Vulkan promise.

mod record;

use std::path::PathBuf;

use clap::Args;
use tilewise_conformance::device_accuracy::{DeviceBuiltin, MeasuredDevice, builtins, page};
use tilewise_conformance::sweep::SweepLevel;

use crate::accuracy::named;
use crate::console::{CommandError, Console};
use crate::report_file::ReportFile;
use crate::verify::level_parser;

pub(crate) use record::{DevicesJson, read_devices};

/// The arguments of a measurement of devices.
#[derive(Args, Debug)]
pub(crate) struct DeviceArgs {
    /// Measure WGSL's built-in functions on the drivers of GPUs, instead of Tilewise's functions: on all GPUs, or on the one with this number
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "all", value_parser = device_parser, conflicts_with_all = ["target", "quick", "bits", "threads", "state"])]
    device: Option<DeviceChoice>,
    /// With `--device`: how many arguments are tried: `quick`, 2^14 rows of each built-in; `std`, 2^20; `full`, all 2^32 words of one argument and 2^26 rows of more
    #[arg(long, value_name = "LEVEL", default_value = "quick", value_parser = level_parser(), requires = "device", conflicts_with_all = ["target", "quick", "bits", "threads", "state"])]
    level: SweepLevel,
    /// With `--device`: write a report for programs to this file
    #[arg(long, value_name = "FILE", requires = "device")]
    json: Option<PathBuf>,
    /// With `--device --page`: add the devices of this report, which `--json` wrote on another machine
    #[arg(long, value_name = "FILE", requires_all = ["device", "page"])]
    include: Vec<PathBuf>,
}

/// The devices to measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DeviceChoice {
    All,
    One(usize),
}

fn device_parser(text: &str) -> Result<DeviceChoice, String> {
    if text == "all" {
        return Ok(DeviceChoice::All);
    }
    let number = text.strip_prefix("gpu/").unwrap_or(text);
    number.parse().map(DeviceChoice::One).map_err(|_| "a GPU has a number, as `tilewise devices` shows them".to_owned())
}

impl DeviceArgs {
    /// Is a device to be measured?
    pub(crate) const fn is_asked(&self) -> bool {
        self.device.is_some()
    }

    /// An option that needs `--device`, which is not there. The parser of the command line finds that, unless there
    /// is an option with which `--device` cannot be.
    pub(crate) fn left_alone(&self) -> Option<&'static str> {
        match self.device {
            Some(_) => None,
            None if self.json.is_some() => Some("--json"),
            None if !self.include.is_empty() => Some("--include"),
            None => None,
        }
    }

    /// Measures; true if each device keeps what is promised.
    pub(crate) fn run(
        &self,
        functions: &[String],
        page_file: Option<ReportFile>,
        console: &mut Console,
    ) -> Result<bool, CommandError> {
        let json = ReportFile::prepare_if_named("--json", self.json.as_ref())?;
        if let (Some(json), Some(page)) = (&json, &page_file) {
            json.differs_from(page)?;
        }
        for file in [&json, &page_file].into_iter().flatten() {
            self.include.iter().try_for_each(|path| file.spares(path))?;
        }
        let included = self.include.iter().map(|path| read_devices(path)).collect::<Result<Vec<_>, _>>()?;
        let table = chosen(functions)?;
        let choice = self.device.unwrap_or(DeviceChoice::All);
        let (devices, is_kept) = measure(&table, choice, self.level, console)?;
        if let Some(file) = json {
            file.write(&DevicesJson::of(&devices).text()?)?;
        }
        if let Some(file) = page_file {
            let all: Vec<MeasuredDevice> = devices.into_iter().chain(included.into_iter().flatten()).collect();
            file.write(page(&builtins(), &all))?;
        }
        Ok(is_kept)
    }
}

/// The built-ins with one of these names, or with one of these words in their name; all without words.
fn chosen(words: &[String]) -> Result<Vec<DeviceBuiltin>, CommandError> {
    let table = builtins();
    let is_name = |word: &str| table.iter().any(|builtin| builtin.label() == word);
    let fits = |name: &str, word: &str| if is_name(word) { name == word } else { name.contains(word) };
    named(words, table.clone(), DeviceBuiltin::label, fits, "built-in")
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn measure(
    _: &[DeviceBuiltin],
    _: DeviceChoice,
    _: SweepLevel,
    _: &Console,
) -> Result<(Vec<MeasuredDevice>, bool), CommandError> {
    let help = "build it with `--features gpu`, which is on by default";
    Err(CommandError::new("this program was built without the feature `gpu`, so it has no devices to measure", help))
}

#[cfg(feature = "gpu")]
pub(crate) use measured::measure;

#[cfg(feature = "gpu")]
mod measured {
    //! Measures on the GPUs of this machine.

    use std::collections::BTreeMap;

    use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
    use tilewise_conformance::device_accuracy::{
        DeviceBuiltin, DeviceMeasurement, GpuRunner, MeasuredBuiltin, MeasuredDevice, arguments_text, number, percent,
        result_text,
    };
    use tilewise_conformance::sweep::SweepLevel;

    use super::DeviceChoice;
    use crate::console::{CommandError, Console, Paint};
    use crate::host;

    /// Measures devices, and whether each keeps all promises.
    pub(crate) fn measure(
        table: &[DeviceBuiltin],
        choice: DeviceChoice,
        level: SweepLevel,
        console: &mut Console,
    ) -> Result<(Vec<MeasuredDevice>, bool), CommandError> {
        let count = GpuRunner::count();
        let numbers: Vec<usize> = match choice {
            DeviceChoice::All => (0..count).collect(),
            DeviceChoice::One(number) if number < count => vec![number],
            DeviceChoice::One(number) => {
                let message = format!("there is no `gpu/{number}`: this machine has {count} GPUs");
                return Err(CommandError::new(message, "`tilewise devices` lists them"));
            }
        };
        if numbers.is_empty() {
            let message = "there is no GPU: no driver for Vulkan, Metal or Direct3D 12 was found";
            return Err(CommandError::new(message, "docs/gpu.md says how to install one, also in software"));
        }
        let (mut devices, mut is_kept) = (Vec::new(), true);
        for number in numbers {
            let mut runner = GpuRunner::open(number).map_err(|why| {
                CommandError::new(format!("`gpu/{number}` cannot be opened: {why}"), "name another with `--device N`")
            })?;
            let title = format!("gpu/{number}: {}, {}, level {}", runner.name(), runner.driver(), level.name());
            console.line(format_args!("{title}"));
            let (builtins, refused) = measure_one(table, number, level, &mut runner, console)?;
            let broken = builtins.iter().filter(|(_, found)| !found.is_kept()).count();
            let kept = builtins.len() - broken;
            let (word, is_good) = verdict(kept, broken, refused);
            is_kept &= is_good;
            let word = console.paint(word, if is_good { Paint::Green } else { Paint::Red });
            let not_run = table.len() - builtins.len() - refused;
            let refused = if refused > 0 { format!(", {refused} are refused by the driver") } else { String::new() };
            console.line(format_args!(
                "{word}: {kept} built-ins keep theirs, {broken} do not{refused}, {not_run} not run"
            ));
            devices.push(MeasuredDevice {
                name: runner.name().to_owned(),
                driver: runner.driver().to_owned(),
                level: level.name().to_owned(),
                builtins,
            });
        }
        Ok((devices, is_kept))
    }

    /// The verdict on a device, and whether it is good. A driver may refuse some built-ins; one that refuses more
    /// than it runs was not measured.
    fn verdict(kept: usize, broken: usize, refused: usize) -> (&'static str, bool) {
        match (broken, kept) {
            (1.., _) => ("BEYOND ITS PROMISES", false),
            (0, 0) => ("NOT MEASURED", false),
            (0, _) if refused > kept => ("MOSTLY REFUSED", false),
            (0, _) => ("within all promises", true),
        }
    }

    /// Measures a device: the built-ins that ran, and the number of those that its driver refused.
    fn measure_one(
        table: &[DeviceBuiltin],
        number: usize,
        level: SweepLevel,
        runner: &mut GpuRunner,
        console: &mut Console,
    ) -> Result<(Vec<(String, MeasuredBuiltin)>, usize), CommandError> {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{msg:24} {bar:30} {percent:>3}% {eta} left") {
            bar.set_style(style);
        }
        let (mut all, mut refusals) = (Vec::new(), 0);
        let mut lacking: BTreeMap<&str, usize> = BTreeMap::new();
        for builtin in table {
            if let Some(reason) = runner.lacks(builtin) {
                *lacking.entry(reason).or_default() += 1;
                continue;
            }
            let mut run = DeviceMeasurement::new(*builtin, level);
            bar.set_length(run.len());
            bar.set_message(builtin.label());
            bar.reset_eta();
            let mut refused = None;
            while run.done() < run.len() && refused.is_none() {
                refused = run.step(runner, host::threads()).err();
                bar.set_position(run.done());
            }
            bar.suspend(|| {
                match &refused {
                    Some(why) => {
                        let title = console.paint("refused:", Paint::Red);
                        console.line(format_args!("{title} {}: {}", builtin.label(), why.trim_end()));
                    }
                    None => line(builtin, number, level, run.found(), console),
                }
                console.flush();
            });
            match refused {
                None => all.push((builtin.label().into_owned(), run.found().clone())),
                // What fails after some steps has lost its device too. All that follows would be refused.
                Some(why) if run.done() > 0 || runner.lost().is_some() => {
                    let message = format!("`gpu/{number}` was lost while it measured `{}`: {why}", builtin.label());
                    return Err(CommandError::new(message, "leave it out: name others with `--function`"));
                }
                Some(_) => refusals += 1,
            }
        }
        bar.finish_and_clear();
        for (reason, count) in lacking {
            let title = console.paint("not-run:", Paint::Yellow);
            console.line(format_args!("{title} {count} built-ins: {reason}"));
        }
        Ok((all, refusals))
    }

    /// The line of a built-in.
    fn line(builtin: &DeviceBuiltin, device: usize, level: SweepLevel, found: &MeasuredBuiltin, console: &mut Console) {
        let name = builtin.label();
        if found.is_kept() {
            let ok = console.paint("ok", Paint::Green);
            let at = match found.largest.size {
                0.0 => String::new(),
                _ => format!(" at {}", arguments_text(builtin, &found.largest)),
            };
            let used = if builtin.wgsl.allowed.is_some() {
                format!(", {} of what is allowed", percent(found.used_of_wgsl))
            } else {
                String::new()
            };
            console.line(format_args!("{name:24} {ok}: largest error {} ulp{at}{used}", number(found.largest.size)));
            return;
        }
        let (whose, breach, rule) = match found.wgsl.count {
            0 => ("Vulkan", &found.vulkan, builtin.vulkan.rule),
            _ => ("WGSL", &found.wgsl, builtin.wgsl.rule),
        };
        let title = console.paint("BEYOND", Paint::Red);
        console.line(format_args!("{name:24} {title} what {whose} promises ({rule}) in {} results", breach.count));
        console.line(format_args!(
            "    {} gives {} for {:e}, {} ulp off\n    repeat: tilewise accuracy --device {device} --level {} --function '{name}'",
            arguments_text(builtin, &breach.worst),
            result_text(builtin, &breach.worst),
            breach.worst.exact,
            number(breach.worst.size),
            level.name(),
        ));
    }

    #[cfg(test)]
    mod tests {
        use super::verdict;

        #[test]
        fn a_device_that_refuses_more_than_it_runs_is_not_measured() {
            for (kept, broken, refused, is_good) in [
                (76, 0, 0, true),
                (136, 0, 1, true),
                (1, 0, 135, false),
                (0, 0, 1, false),
                (0, 0, 0, false),
                (9, 1, 0, false),
            ] {
                assert_eq!(verdict(kept, broken, refused).1, is_good, "{kept} {broken} {refused}");
            }
        }
    }
}
