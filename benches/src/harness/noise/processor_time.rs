//! Who used the cores: the times that Linux counts for each core and for this program. Elsewhere nothing is known.

use std::fs;

/// Ticks since the system began, which has a hundred of them a second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProcessorTime {
    /// Of all cores that count, used or not.
    all: u64,
    /// Of these, without work.
    idle: u64,
    /// Of these, taken by the host of a virtual machine.
    stolen: u64,
    /// Of this program, and of the programs that it has started and that have ended.
    own: u64,
}

/// Parts of the cores' time in a span.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TimeShare {
    /// Taken by other programs and the system.
    pub(super) others: f64,
    /// Taken by the host of a virtual machine.
    pub(super) stolen: f64,
}

/// The shortest span that tells something, in ticks of all cores: with fewer, a tick more or less is a percent.
const FEWEST: u64 = 100;

impl ProcessorTime {
    /// The times so far, if the system tells.
    pub(super) fn now(cores: &[usize]) -> Option<ProcessorTime> {
        let [system, own] = ["/proc/stat", "/proc/self/stat"].map(|path| fs::read_to_string(path).ok());
        ProcessorTime::of(&system?, &own?, cores)
    }

    /// The times in these two files of Linux.
    fn of(system: &str, own: &str, cores: &[usize]) -> Option<ProcessorTime> {
        let mut out = ProcessorTime { all: 0, idle: 0, stolen: 0, own: own_ticks(own)? };
        for core in cores {
            let name = format!("cpu{core}");
            let mut words = system.lines().map(str::split_whitespace);
            let numbers = words.find_map(|mut words| (words.next() == Some(name.as_str())).then_some(words))?;
            let ticks: Vec<u64> = numbers.map(|word| word.parse().ok()).collect::<Option<_>>()?;
            // user nice system idle iowait irq softirq steal; what guests use is in `user` already.
            let [user, nice, system, idle, wait, interrupt, soft, steal] = *ticks.first_chunk()?;
            out.all += user + nice + system + idle + wait + interrupt + soft + steal;
            out.idle += idle + wait;
            out.stolen += steal;
        }
        Some(out)
    }

    /// The parts since an earlier moment, if that is long enough ago.
    pub(super) fn since(self, earlier: ProcessorTime) -> Option<TimeShare> {
        let less = |now: u64, before: u64| now.checked_sub(before);
        let all = less(self.all, earlier.all)?;
        let (idle, stolen) = (less(self.idle, earlier.idle)?, less(self.stolen, earlier.stolen)?);
        let used = all.saturating_sub(idle).saturating_sub(stolen);
        let others = used.saturating_sub(less(self.own, earlier.own)?);
        let part = |ticks: u64| ticks as f64 / all as f64;
        (all >= FEWEST).then(|| TimeShare { others: part(others), stolen: part(stolen) })
    }
}

/// The ticks of this program, in its own file.
fn own_ticks(text: &str) -> Option<u64> {
    // The name of the program may have spaces and brackets; its state is the first word behind it.
    let words = text.rsplit_once(')')?.1.split_whitespace();
    // utime stime cutime cstime: the 14th word of all, and the next ones.
    let ticks: Vec<u64> = words.skip(11).take(4).map(|word| word.parse().ok()).collect::<Option<_>>()?;
    (ticks.len() == 4).then(|| ticks.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "7 (a (b) c) R 1 7 7 0 -1 4194304 100 0 0 0 30 5 2 3 20 0 1 0 100";

    fn system(first: [u64; 8], second: [u64; 8]) -> String {
        let line = |ticks: [u64; 8]| ticks.map(|tick| tick.to_string()).join(" ");
        format!(
            "cpu 1 1 1 1 1 1 1 1 0 0\ncpu0 9 9 9 9 9 9 9 9 0 0\ncpu1 {} 0 0\ncpu12 {}\nintr 5\n",
            line(first),
            line(second)
        )
    }

    #[test]
    fn the_times_of_the_cores_that_count_are_added() {
        let text = system([10, 0, 5, 80, 5, 0, 0, 0], [20, 0, 0, 70, 0, 5, 0, 5]);
        let time = ProcessorTime::of(&text, OWN, &[1, 12]).expect("both are there");
        assert_eq!(time, ProcessorTime { all: 200, idle: 155, stolen: 5, own: 40 });
        assert_eq!(ProcessorTime::of(&text, OWN, &[1, 2]), None, "there is no such core");
        assert_eq!(ProcessorTime::of("cpu1 1 2", OWN, &[1]), None);
        assert_eq!(ProcessorTime::of(&text, "7 (a) R 1", &[1]), None);
    }

    #[test]
    fn others_took_what_was_used_and_is_not_ours() {
        let begin = ProcessorTime { all: 0, idle: 0, stolen: 0, own: 10 };
        let end = ProcessorTime { all: 1000, idle: 300, stolen: 40, own: 530 };
        assert_eq!(end.since(begin), Some(TimeShare { others: 0.14, stolen: 0.04 }));
        // Ticks are rounded: what is ours may seem more than what was used.
        let rounded = ProcessorTime { own: 2000, ..end };
        assert_eq!(rounded.since(begin), Some(TimeShare { others: 0.0, stolen: 0.04 }));
        assert_eq!(ProcessorTime { all: 50, idle: 0, stolen: 0, own: 10 }.since(begin), None, "too short to tell");
        assert_eq!(begin.since(end), None, "counters that were set back");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_tells() {
        let cores = tilewise_peers::pool::cores();
        assert!(ProcessorTime::now(&cores).is_some_and(|time| time.all > 0));
    }
}
