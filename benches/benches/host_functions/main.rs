//! The cost of `#[amp]` functions on the host: each beside the same function without `#[amp]`.
//!
//! ```text
//! cargo bench --bench host_functions [-- --check]
//! ```
//!
//! Prints a line for each function: whether a loop that calls it is the same machine code with and
//! without the attribute, nanoseconds an element, and the ratio of the fastest of many runs, which
//! take turns. The same code costs the same; times of loops that take a tenth of a nanosecond an
//! element differ by more than the bound, from where their code and data lie. So with `--check` a
//! ratio above [`MOST`] is an error where the code differs, or where it cannot be read: it is read
//! from the executable on x86-64 systems with ELF.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its table is what it is run for")]

mod code;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use code::{ProgramCode, SameCode};
use tilewise::prelude::*;

/// The largest ratio that `--check` accepts.
const MOST: f64 = 1.02;

/// Elements of the slices: they fit the first cache.
const COUNT: usize = 2048;

/// Runs of each side, and passes over the slice in each run.
const RUNS: u32 = 300;
const PASSES: u32 = 20;

/// Two functions of the same text, with and without `#[amp]`.
macro_rules! twins {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) -> $result:ty $body:block)*) => {
        mod plain {
            use super::Spring;
            $(#[inline] pub(super) fn $name($($arg: $ty),*) -> $result $body)*
        }
        #[allow(dead_code, reason = "no kernel calls them")]
        mod marked {
            use super::Spring;
            use tilewise::prelude::*;
            $(#[amp] pub(super) fn $name($($arg: $ty),*) -> $result $body)*
        }
    };
}

#[derive(Clone, Copy, AmpStruct)]
struct Spring {
    stiffness: f32,
    length: f32,
}

impl Spring {
    fn plain_energy(self, at: f32) -> f32 {
        let stretch = at - self.length;
        0.5 * self.stiffness * stretch * stretch
    }
}

#[amp]
impl Spring {
    fn energy(self, at: f32) -> f32 {
        let stretch = at - self.length;
        0.5 * self.stiffness * stretch * stretch
    }
}

twins! {
    fn square(x: f32) -> f32 { x * x + 0.5 }

    fn polynomial(x: f32) -> f32 {
        let low = 0.5 + x * (0.25 + x * (0.125 + x * (0.0625 + x * 0.03125)));
        let high = 1.5 + x * (1.25 + x * (1.125 + x * (1.0625 + x * 1.03125)));
        low + x * x * high
    }

    fn chosen(x: f32) -> f32 {
        if x < 0.25 { x * 2.0 } else if x < 0.75 { 1.0 - x } else { x * x }
    }

    fn rounds(x: f32) -> f32 {
        let (mut re, mut im) = (0.0, 0.0);
        let mut count = 0;
        while count < 40 && re * re + im * im < 4.0 {
            let next = re * re - im * im + x;
            im = 2.0 * re * im + 0.25;
            re = next;
            count += 1;
        }
        count as f32
    }

    fn sum_of_powers(x: f32) -> f32 {
        let mut sum = 0.0;
        let mut power = 1.0;
        for k in 0..16 {
            sum += power * (k as f32);
            power *= x;
        }
        sum
    }

    fn nested(x: f32) -> f32 {
        let mut sum = 0.0;
        for k in 0..4 {
            let y = square(x + (k as f32)) - polynomial(x * 0.5);
            sum += if k % 2 == 0 { chosen(y) } else { y * 0.25 };
        }
        sum
    }

    fn of_a_struct(x: f32) -> f32 {
        let spring = Spring { stiffness: x, length: 0.5 };
        spring.stiffness * spring.length + x
    }
}

/// Applies a function to a slice, in a loop of its own.
#[inline(never)]
fn apply<F: Fn(f32) -> f32>(from: &[f32], to: &mut [f32], function: F) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = function(from);
    }
}

fn timed(pass: impl Fn()) -> Duration {
    let start = Instant::now();
    (0..PASSES).for_each(|_| pass());
    start.elapsed()
}

/// Writes the results of a function for the elements of a slice into another.
type SliceLoop = Box<dyn Fn(&[f32], &mut [f32])>;

/// A loop over a function, and where its code is.
struct FunctionLoop {
    run: SliceLoop,
    address: usize,
}

impl FunctionLoop {
    fn over<F: Fn(f32) -> f32 + Copy + 'static>(function: F) -> FunctionLoop {
        FunctionLoop {
            run: Box::new(move |from, to| apply(from, to, function)),
            address: apply::<F> as fn(&[f32], &mut [f32], F) as usize,
        }
    }
}

fn main() -> ExitCode {
    let check = std::env::args().any(|argument| argument == "--check");
    let from: Vec<f32> = (0..COUNT).map(|i| i as f32 / COUNT as f32).collect();
    let code = ProgramCode::of_this_program();
    if let Err(reason) = &code {
        println!("the machine code is not compared: {reason}");
    }
    let mut dearer = Vec::new();
    println!("{:<16} {:>10} {:>10} {:>10} {:>8}", "function", "code", "plain ns", "#[amp] ns", "ratio");
    let mut row = |name: &str, plain: FunctionLoop, marked: FunctionLoop| {
        let same = match &code {
            Ok(code) => code.compare(plain.address, marked.address),
            Err(_) => SameCode::Unknown,
        };
        let mut results = [vec![0.0; COUNT], vec![0.0; COUNT]];
        (plain.run)(&from, &mut results[0]);
        (marked.run)(&from, &mut results[1]);
        assert_eq!(results[0], results[1], "{name}: the two functions differ");
        let mut fastest = [Duration::MAX; 2];
        for _ in 0..RUNS {
            for (which, function) in [&plain.run, &marked.run].into_iter().enumerate() {
                let to = std::cell::RefCell::new(&mut results[which]);
                let time = timed(|| function(black_box(&from), to.borrow_mut().as_mut_slice()));
                fastest[which] = fastest[which].min(time);
            }
        }
        let nanos = fastest.map(|time| time.as_secs_f64() * 1e9 / (COUNT as f64 * f64::from(PASSES)));
        let ratio = nanos[1] / nanos[0];
        println!("{name:<16} {same:>10} {:>10.3} {:>10.3} {ratio:>8.3}", nanos[0], nanos[1]);
        if ratio > MOST && same != SameCode::Yes {
            dearer.push(format!("`{name}` costs {ratio:.3} times what it costs without `#[amp]`"));
        }
    };
    macro_rules! rows {
        ($($name:ident)*) => {
            $(row(stringify!($name), FunctionLoop::over(plain::$name), FunctionLoop::over(marked::$name));)*
        };
    }
    rows!(square polynomial chosen rounds sum_of_powers nested of_a_struct);
    let spring = Spring { stiffness: 2.0, length: 0.5 };
    let [plain, marked] =
        [FunctionLoop::over(move |x| spring.plain_energy(x)), FunctionLoop::over(move |x| spring.energy(x))];
    row("method", plain, marked);
    for line in &dearer {
        eprintln!("error: {line}");
    }
    if check && !dearer.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
