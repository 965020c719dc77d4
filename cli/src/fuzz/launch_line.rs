//! The lines between `fuzz` and the processes that launch its kernels on GPUs: a launch one way, its
//! result the other, each a line of JSON.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tilewise::ir::check::check;
use tilewise::ir::diag::Colour;
use tilewise::ir::launch::{
    Argument, Arrival, Divergence, DivergentSide, Domain, Ending, LaunchMemory, Outcome, Printed, Refusal, ViewArgument,
};
use tilewise::ir::pos::Pos;
use tilewise::ir::text;
use tilewise_conformance::target::{Limit, SuiteTarget, TargetLaunch};

/// A launch.
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct LaunchOrder {
    target: String,
    /// The kernel's text, in which the positions of its instructions are.
    kernel: String,
    domain: Vec<i32>,
    memory: Vec<HexBytes>,
    fresh: Vec<bool>,
    arguments: Vec<ArgumentLine>,
    fuel: u64,
    seconds: f64,
}

#[derive(Serialize, Deserialize, Debug)]
enum ArgumentLine {
    View { allocation: usize, offset: u64, extent: Vec<i32>, strides: Vec<u64> },
    Buffer { allocation: usize, offset: u64, size: u64 },
    Uniform(HexBytes),
}

/// Bytes, as a text of hexadecimal digits.
#[derive(Debug)]
pub(super) struct HexBytes(Vec<u8>);

impl Serialize for HexBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits = |byte: &u8| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
        let text: String = self.0.iter().flat_map(digits).map(char::from).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for HexBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HexBytes, D::Error> {
        let text = <std::borrow::Cow<'_, str>>::deserialize(deserializer)?;
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let byte = |pair: &[u8]| match *pair {
            [high, low] => Some((digit(high)? << 4 | digit(low)?) as u8),
            _ => None,
        };
        let bytes = text.as_bytes().chunks(2).map(byte).collect::<Option<Vec<u8>>>();
        bytes.map(HexBytes).ok_or_else(|| serde::de::Error::custom("these are no pairs of hexadecimal digits"))
    }
}

fn to_hex(memory: &LaunchMemory) -> Vec<HexBytes> {
    memory.allocations.iter().map(|bytes| HexBytes(bytes.clone())).collect()
}

impl LaunchOrder {
    /// The line of a launch, in its usual variant and without checks. Nothing if a view has claims of its maker
    /// or is a texture's, as those of generated kernels never are.
    pub(super) fn of(target: SuiteTarget, launch: &TargetLaunch<'_>, memory: &LaunchMemory) -> Option<LaunchOrder> {
        let argument = |argument: &Argument| match argument {
            Argument::View(view) => {
                let ViewArgument { allocation, offset, extent, strides, claim, levels, texels } = view;
                let is_plain = claim.is_none() && levels.is_empty() && texels.is_none();
                is_plain.then(|| ArgumentLine::View {
                    allocation: *allocation,
                    offset: *offset,
                    extent: extent.clone(),
                    strides: strides.clone(),
                })
            }
            &Argument::Buffer { allocation, offset, size } => Some(ArgumentLine::Buffer { allocation, offset, size }),
            Argument::Uniform(bytes) => Some(ArgumentLine::Uniform(HexBytes(bytes.clone()))),
        };
        Some(LaunchOrder {
            target: target.name().to_owned(),
            kernel: text::print(launch.kernel),
            domain: launch.domain.extent.clone(),
            memory: to_hex(memory),
            fresh: memory.fresh.clone(),
            arguments: launch.arguments.iter().map(argument).collect::<Option<_>>()?,
            fuel: launch.limit.fuel,
            seconds: launch.limit.time.as_secs_f64(),
        })
    }

    /// The name of its target.
    #[cfg(debug_assertions)]
    pub(super) fn target(&self) -> &str {
        &self.target
    }

    /// Launches it.
    pub(super) fn run(self) -> LaunchReply {
        let kernel = text::parse("fuzzed.kir", &self.kernel).map_err(|errors| errors.render(Colour::Never));
        let kernel = kernel.and_then(|kernel| check(kernel).map_err(|errors| errors.render(Colour::Never)));
        let (kernel, target) = match (kernel, SuiteTarget::by_name(&self.target)) {
            (Ok(kernel), Some(target)) => (kernel, target),
            (Err(errors), _) => return LaunchReply::Panicked(format!("it is not the kernel that was sent: {errors}")),
            (Ok(_), None) => return LaunchReply::Panicked(format!("there is no target `{}`", self.target)),
        };
        let argument = |line: ArgumentLine| match line {
            ArgumentLine::View { allocation, offset, extent, strides } => {
                Argument::View(ViewArgument::new(allocation, offset, extent, strides))
            }
            ArgumentLine::Buffer { allocation, offset, size } => Argument::Buffer { allocation, offset, size },
            ArgumentLine::Uniform(HexBytes(bytes)) => Argument::Uniform(bytes),
        };
        let arguments: Vec<Argument> = self.arguments.into_iter().map(argument).collect();
        let allocations = self.memory.into_iter().map(|bytes| bytes.0).collect();
        let mut memory = LaunchMemory { fresh: self.fresh, ..LaunchMemory::new(allocations) };
        let domain = Domain::new(self.domain);
        let time = Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX);
        let launch = TargetLaunch::new(&kernel, &domain, &arguments, Limit { fuel: self.fuel, time });
        match target.launch(&launch, &mut memory) {
            Ok(outcome) => LaunchReply::ended(outcome, &memory),
            Err(refusal) => LaunchReply::refused(refusal),
        }
    }
}

/// The result of a launch.
#[derive(Serialize, Deserialize, Debug)]
pub(super) enum LaunchReply {
    Ended { ending: EndingLine, printed: Vec<(u64, String)>, lost: u64, instructions: u64, memory: Vec<HexBytes> },
    Refused { kind: RefusalKind, text: String },
    Panicked(String),
}

/// A [`Refusal`] without its text.
#[derive(Clone, Copy, Serialize, Deserialize, Debug)]
pub(super) enum RefusalKind {
    Domain,
    Argument,
    Unsupported,
    Driver,
}

#[derive(Serialize, Deserialize, Debug)]
pub(super) enum EndingLine {
    Completed,
    Failed { thread: u64, message: Option<String>, pos: PlaceLine, others: u64 },
    Divergence { tile: Vec<i32>, sides: Vec<SideLine> },
    OutOfFuel { fuel: u64 },
    Interrupted,
    Stopped,
    OutOfMemory { bytes: u64 },
}

/// Threads that stopped at a barrier, with the rounds of its loops, or returned.
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct SideLine {
    rounds: Option<Vec<u64>>,
    pos: PlaceLine,
    threads: Vec<u32>,
}

/// Source, line, column and length of a position.
#[derive(Clone, Copy, Serialize, Deserialize, Debug)]
pub(super) struct PlaceLine(u32, u32, u32, u32);

impl From<Pos> for PlaceLine {
    fn from(pos: Pos) -> PlaceLine {
        let (source, line, column, length) = pos.key();
        PlaceLine(source, line, column, length)
    }
}

impl From<PlaceLine> for Pos {
    fn from(PlaceLine(source, line, column, length): PlaceLine) -> Pos {
        Pos { source, line, column, length }
    }
}

impl From<Ending> for EndingLine {
    fn from(ending: Ending) -> EndingLine {
        match ending {
            Ending::Completed => EndingLine::Completed,
            Ending::Failed { thread, message, pos, others } => {
                EndingLine::Failed { thread, message, pos: pos.into(), others }
            }
            Ending::BarrierDivergence(Divergence { tile, sides }) => {
                let side = |DivergentSide { did, pos, threads }| {
                    let rounds = match did {
                        Arrival::Barrier { rounds } => Some(rounds),
                        Arrival::Returned => None,
                    };
                    SideLine { rounds, pos: pos.into(), threads }
                };
                EndingLine::Divergence { tile, sides: sides.into_iter().map(side).collect() }
            }
            Ending::OutOfFuel { fuel } => EndingLine::OutOfFuel { fuel },
            Ending::Interrupted => EndingLine::Interrupted,
            Ending::Stopped => EndingLine::Stopped,
            Ending::OutOfMemory { bytes } => EndingLine::OutOfMemory { bytes },
        }
    }
}

impl From<EndingLine> for Ending {
    fn from(line: EndingLine) -> Ending {
        match line {
            EndingLine::Completed => Ending::Completed,
            EndingLine::Failed { thread, message, pos, others } => {
                Ending::Failed { thread, message, pos: pos.into(), others }
            }
            EndingLine::Divergence { tile, sides } => {
                let side = |SideLine { rounds, pos, threads }| {
                    let did = rounds.map_or(Arrival::Returned, |rounds| Arrival::Barrier { rounds });
                    DivergentSide { did, pos: pos.into(), threads }
                };
                Ending::BarrierDivergence(Divergence { tile, sides: sides.into_iter().map(side).collect() })
            }
            EndingLine::OutOfFuel { fuel } => Ending::OutOfFuel { fuel },
            EndingLine::Interrupted => Ending::Interrupted,
            EndingLine::Stopped => Ending::Stopped,
            EndingLine::OutOfMemory { bytes } => Ending::OutOfMemory { bytes },
        }
    }
}

impl LaunchReply {
    /// A launch on a GPU, which has no findings of checks.
    fn ended(outcome: Outcome, memory: &LaunchMemory) -> LaunchReply {
        LaunchReply::Ended {
            ending: outcome.ending.into(),
            printed: outcome.printed.into_iter().map(|Printed { thread, text }| (thread, text)).collect(),
            lost: outcome.lost,
            instructions: outcome.instructions,
            memory: to_hex(memory),
        }
    }

    fn refused(refusal: Refusal) -> LaunchReply {
        let (kind, text) = match refusal {
            Refusal::InvalidComputeDomain(text) => (RefusalKind::Domain, text),
            Refusal::BadArgument(text) => (RefusalKind::Argument, text),
            Refusal::Unsupported(text) => (RefusalKind::Unsupported, text),
            Refusal::Driver(text) => (RefusalKind::Driver, text),
        };
        LaunchReply::Refused { kind, text }
    }

    /// The result as the launch itself gives it. A panic goes on here.
    pub(super) fn result(self, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        match self {
            LaunchReply::Ended { ending, printed, lost, instructions, memory: left } => {
                memory.allocations = left.into_iter().map(|bytes| bytes.0).collect();
                let printed = printed.into_iter().map(|(thread, text)| Printed { thread, text }).collect();
                let ending = ending.into();
                Ok(Outcome { ending, printed, lost, instructions, reports: Vec::new(), more_reports: 0 })
            }
            LaunchReply::Refused { kind, text } => Err(match kind {
                RefusalKind::Domain => Refusal::InvalidComputeDomain(text),
                RefusalKind::Argument => Refusal::BadArgument(text),
                RefusalKind::Unsupported => Refusal::Unsupported(text),
                RefusalKind::Driver => Refusal::Driver(text),
            }),
            LaunchReply::Panicked(text) => std::panic::resume_unwind(Box::new(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent<T: Serialize + for<'de> Deserialize<'de>>(line: &T) -> T {
        serde_json::from_str(&serde_json::to_string(line).unwrap()).unwrap()
    }

    #[test]
    fn a_launch_that_is_sent_has_the_result_of_the_launch() {
        let kernel = "kernel k(a: view<u32, 1, read_write>, n: u32) tile(2) {
            print(\"{} of {}\", a[global[0]], n);
            a[global[0]] = a[global[0]] + n;
            if a[global[0]] == 9u32 { error(\"nine\"); }
        }";
        // As `fuzz` does, which launches what it has read back: so lines are those of the printed text.
        let printed = text::print(&text::parse("fuzzed.kir", kernel).unwrap());
        let kernel = check(text::parse("fuzzed.kir", &printed).unwrap()).unwrap();
        let domain = Domain::new([4]);
        let arguments =
            [Argument::View(ViewArgument::new(0, 4, [4], [1])), Argument::Uniform(5u32.to_le_bytes().to_vec())];
        let before = LaunchMemory::new(vec![[255u32, 1, 2, 4, 8].iter().flat_map(|n| n.to_le_bytes()).collect()]);
        let launch = TargetLaunch::new(&kernel, &domain, &arguments, Limit::of_fuel(1000));
        let (mut here, mut there) = (before.clone(), before.clone());
        let expected = SuiteTarget::Jit.launch(&launch, &mut here).unwrap();
        let order = LaunchOrder::of(SuiteTarget::Jit, &launch, &before).unwrap();
        let result = sent(&sent(&order).run()).result(&mut there).unwrap();
        assert_eq!(result, expected);
        assert_eq!(there, here);
        assert_eq!(here.allocations[0][8..16], [7, 0, 0, 0, 9, 0, 0, 0]);
        let place = |outcome: &Outcome| match outcome.ending {
            Ending::Failed { thread, pos, .. } => Some((thread, pos.key())),
            _ => None,
        };
        assert_eq!(place(&result), place(&expected));
        assert!(place(&result).is_some_and(|(thread, (_, line, ..))| thread == 2 && line > 1), "{result:?}");
    }

    #[test]
    fn every_ending_comes_back() {
        let pos = Pos { source: 0, line: 3, column: 5, length: 7 };
        let side = |did, threads| DivergentSide { did, pos, threads };
        let sides = vec![side(Arrival::Barrier { rounds: vec![2, 0] }, vec![0, 2]), side(Arrival::Returned, vec![1])];
        for ending in [
            Ending::Completed,
            Ending::Failed { thread: 7, message: None, pos, others: 2 },
            Ending::BarrierDivergence(Divergence { tile: vec![1, 2], sides }),
            Ending::OutOfFuel { fuel: u64::MAX },
            Ending::Interrupted,
            Ending::Stopped,
            Ending::OutOfMemory { bytes: 3 },
        ] {
            let back = Ending::from(sent(&EndingLine::from(ending.clone())));
            // Positions compare equal whatever they are; their text tells them apart.
            assert_eq!(format!("{back:?}"), format!("{ending:?}"));
        }
    }

    #[test]
    fn every_refusal_comes_back() {
        for refusal in [
            Refusal::InvalidComputeDomain("a".to_owned()),
            Refusal::BadArgument("b".to_owned()),
            Refusal::Unsupported("c".to_owned()),
            Refusal::Driver("d\n\"e\"".to_owned()),
        ] {
            let reply = sent(&LaunchReply::refused(refusal.clone()));
            assert_eq!(
                reply.result(&mut LaunchMemory::default()).map_err(|refusal| format!("{refusal:?}")),
                Err(format!("{refusal:?}"))
            );
        }
    }

    #[test]
    fn bytes_are_digits() {
        assert_eq!(serde_json::to_string(&HexBytes(vec![0, 255, 26])).unwrap(), "\"00ff1a\"");
        assert_eq!(sent(&HexBytes((0..=255).collect())).0, (0..=255).collect::<Vec<u8>>());
        for bad in ["\"0\"", "\"0g\"", "\"é\"", "7"] {
            assert!(serde_json::from_str::<HexBytes>(bad).is_err(), "{bad}");
        }
    }
}
