//! The deepest nesting that is allowed, of each construct, on threads with a small stack: read, printed, checked, launched on every target of this build, and dropped there.

use std::fmt::Write as _;
use std::thread;

use tilewise_conformance::target::{Limit, SuiteTarget, TargetLaunch};
use tilewise_ir::check::check;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, ViewArgument};
use tilewise_ir::text::{parse, print};

/// What a kernel is like, and its text.
struct Deep {
    name: &'static str,
    text: String,
}

/// A kernel whose body is in so many constructs.
fn nested(
    name: &'static str,
    tile: bool,
    levels: usize,
    open: impl Fn(usize) -> String,
    inner: &str,
    close: &str,
) -> Deep {
    let head = if tile { "tile(8)" } else { "rank(1)" };
    let mut text = format!("kernel k(a: view<i32, 1, read_write>, n: i32) {head} {{\n    let i = global[0];\n");
    (0..levels).for_each(|level| text += &open(level));
    text += inner;
    (0..levels).for_each(|_| text += close);
    text += "\n}\n";
    Deep { name, text }
}

/// Each construct as deep as it may be.
fn deepest() -> Vec<Deep> {
    let add = "a[i] = a[i] + 1;";
    let met = "barrier; a[i] = a[i] + 1;";
    let mut all = vec![
        nested("if", false, 255, |level| format!("if a[i] < {} {{ ", 1000 + level), add, "}"),
        nested("else", false, 254, |level| format!("if a[i] == {} {{ a[i] = 3; }} else {{ ", 1000 + level), add, "}"),
        nested("while", false, 254, |level| format!("while a[i] < {} {{ ", 10 + level), add, "}"),
        nested("loop", false, 254, |_| "loop { ".into(), add, " if n == 1 { break; } a[i] = a[i] + 1; }"),
        nested("switch", false, 255, |_| "switch n { case 1: { ".into(), add, " } default: { a[i] = 9; } }"),
        nested("scope", false, 255, |level| format!("'s{level}: {{ "), add, "}"),
        nested("if with a barrier", true, 255, |level| format!("if n < {} {{ ", 1000 + level), met, "}"),
        nested(
            "loop with a barrier",
            true,
            127,
            |level| format!("var j{level}: i32 = 0; while j{level} < n {{ j{level} = j{level} + 1; "),
            met,
            "}",
        ),
        nested(
            "switch with a barrier",
            true,
            255,
            |_| "switch n { case 1: { ".into(),
            met,
            " } default: { a[i] = 9; } }",
        ),
    ];
    let expression = |levels: usize, open: &str, close: &str| {
        let (open, close) = (open.repeat(levels), close.repeat(levels));
        format!(
            "kernel k(a: view<i32, 1, read_write>, n: i32) rank(1) {{\n    let i = global[0];\n    a[i] = {open}a[i]{close};\n}}\n"
        )
    };
    all.push(Deep { name: "parentheses", text: expression(155, "(1 + ", ")") });
    all.push(Deep { name: "calls of operations", text: expression(250, "max(1, ", ")") });
    let and = format!("{}n == 1{}", "(n == 1 && ".repeat(155), ")".repeat(155));
    all.push(nested("and", false, 0, |_| String::new(), &format!("if {and} {{ {add} }}"), ""));
    let chosen = format!("{}7{}", "if n == 1 { ".repeat(250), " } else { 5 }".repeat(250));
    all.push(nested("values of ifs", false, 0, |_| String::new(), &format!("a[i] = {chosen};"), ""));
    let mut functions = "fn g0(x: i32) -> i32 { return x + 1; }\n".to_owned();
    for level in 1..125 {
        let before = level - 1;
        writeln!(functions, "fn g{level}(x: i32) -> i32 {{ if x > 1000 {{ return x; }} return g{before}(x + 1); }}")
            .unwrap();
    }
    let call = nested("functions", false, 0, |_| String::new(), "a[i] = g124(a[i]);", "").text;
    all.push(Deep { name: "functions", text: functions + &call });
    let ty = format!("{}i32{}", "[".repeat(250), "; 1]".repeat(250));
    let index = "[0]".repeat(250);
    let array = format!("var t: {ty} = zero; t{index} = a[i] + 1; a[i] = t{index};");
    all.push(nested("arrays", false, 0, |_| String::new(), &array, ""));
    let shared = format!("t{index} = 1; barrier; a[i] = t{index} + a[i];");
    let shared = nested("arrays of a tile", true, 0, |_| String::new(), &shared, "").text;
    let shared = shared.replace("tile(8) {\n", &format!("tile(8) {{\n    tile_static t: {ty};\n"));
    all.push(Deep { name: "arrays of a tile", text: shared });
    let mut structs = "struct S0 { x: i32 }\n".to_owned();
    (1..250).for_each(|level| writeln!(structs, "struct S{level} {{ x: S{} }}", level - 1).unwrap());
    let path = ".x".repeat(250);
    let object = format!("var s: S249 = zero; s{path} = a[i] + 1; let c = i; a[c] = s{path};");
    let object = nested("structs", false, 0, |_| String::new(), &object, "").text;
    all.push(Deep { name: "structs", text: structs + &object });
    // These are not deep, but long: what one value is computed from is a chain of thousands.
    let sums = "v = v + a[i]; v = v ^ 5; ".repeat(4000);
    all.push(nested("sums", false, 0, |_| String::new(), &format!("var v: i32 = 1; {sums} a[i] = v;"), ""));
    let mut lets = "let v0 = a[i];".to_owned();
    (1..9000).for_each(|number| write!(lets, " let v{number} = v{} * 3 + i;", number - 1).unwrap());
    all.push(nested("lets", false, 0, |_| String::new(), &format!("{lets} a[i] = v8999;"), ""));
    let mut indices = "let v0 = global[0];".to_owned();
    (1..3000).for_each(|number| write!(indices, " let v{number} = v{} + 1;", number - 1).unwrap());
    all.push(nested("indices", false, 0, |_| String::new(), &format!("{indices} a[v2999 - 2999] = 1;"), ""));
    let masks = "if a[i] > 3 && n == 1 || i < 3 { a[i] = a[i] + 1; }".repeat(1000);
    all.push(nested("masks", false, 0, |_| String::new(), &format!("{masks} a[i] = a[i] + 1;"), ""));
    let stages = format!("var x: i32 = a[i]; {} a[i] = x;", "x = x + 1; barrier; ".repeat(1500));
    all.push(nested("barriers", true, 0, |_| String::new(), &stages, ""));
    let votes = format!("{} a[i] = a[i] + 1;", "if a[i] < 1000 { barrier; a[i] = a[i] + 1; } ".repeat(300));
    all.push(nested("votes", true, 0, |_| String::new(), &votes, ""));
    let mut chain = "fn g0(x: i32) -> i32 { return x + 1; }\n".to_owned();
    (1..250)
        .for_each(|level| writeln!(chain, "fn g{level}(x: i32) -> i32 {{ return g{}(x + 1); }}", level - 1).unwrap());
    let call = nested("calls", false, 0, |_| String::new(), "a[i] = g249(a[i]);", "").text;
    all.push(Deep { name: "calls", text: chain + &call });
    all
}

/// Reads, prints, checks and runs a kernel; gives what it wrote on each target.
fn run(deep: &Deep) -> Vec<(SuiteTarget, Vec<u8>)> {
    let kernel = parse("deep.kir", &deep.text).unwrap_or_else(|why| panic!("{}: {why}", deep.name));
    let printed = print(&kernel);
    assert!(parse("printed.kir", &printed).is_ok_and(|again| again == kernel), "{}: {printed}", deep.name);
    let copy = kernel.clone();
    let kernel = check(kernel).unwrap_or_else(|why| panic!("{}: {why}", deep.name));
    assert!(!format!("{copy:?}").is_empty());
    drop(copy);
    let mut results = Vec::new();
    for target in SuiteTarget::on_this_cpu() {
        let mut memory = LaunchMemory::new(vec![vec![0; 64 * 4]]);
        let arguments =
            [Argument::View(ViewArgument::dense(0, &[64])), Argument::Uniform(1_i32.to_ne_bytes().to_vec())];
        let (domain, limit) = (Domain::new([64]), Limit::of_fuel(1 << 30));
        let launch = TargetLaunch::new(&kernel, &domain, &arguments, limit);
        let launched = target.launch_compiled(&launch, &mut memory);
        let outcome = launched.unwrap_or_else(|why| panic!("{} on {target}: {why}", deep.name));
        assert_eq!(outcome.ending, Ending::Completed, "{} on {target}", deep.name);
        results.push((target, memory.allocations.remove(0)));
    }
    results
}

/// Runs a kernel on a thread with so much stack; all targets must agree.
fn run_on_thread(deep: &Deep, stack: usize) {
    let run = || {
        let results = run(deep);
        assert!(results[0].1.iter().any(|&byte| byte != 0), "{}: something is written", deep.name);
        for (target, result) in &results {
            assert_eq!(result, &results[0].1, "{} on {target}", deep.name);
        }
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(stack).spawn_scoped(scope, run);
        thread.expect("the system gives a thread").join().expect("it runs");
    });
}

#[test]
fn the_deepest_kernels_run_on_threads_with_a_small_stack() {
    for deep in deepest() {
        run_on_thread(&deep, 64 << 10);
    }
}

#[test]
fn a_thread_of_a_quarter_or_half_a_megabyte_runs_them_too() {
    for deep in deepest().iter().filter(|deep| ["if", "while", "functions", "arrays"].contains(&deep.name)) {
        [256 << 10, 512 << 10].into_iter().for_each(|stack| run_on_thread(deep, stack));
    }
}
