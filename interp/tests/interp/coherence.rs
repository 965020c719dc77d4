//! Race-free kernels give the same memory in every order of threads: random ones, made of statements that cannot race.

use proptest::prelude::*;
use tilewise_interp::ThreadOrder;
use tilewise_ir::launch::Ending;

use crate::case::Case;

/// A statement in which a thread writes only what is its own between two barriers, and reads what was written before the last.
fn statement(depth: u32) -> BoxedStrategy<String> {
    let value = || {
        prop_oneof![
            Just("x".to_owned()),
            Just("lane".to_owned()),
            (-9..9i32).prop_map(|n| format!("{n}")),
            (0..20i32).prop_map(|n| format!("old[(lane + {n}) % 8]")),
            (0..20i32).prop_map(|n| format!("input[global[0] - {n}]")),
            Just("own[x % 4]".to_owned()),
        ]
    };
    let op = prop_oneof![Just("+"), Just("-"), Just("*"), Just("^")];
    // A division's right side must not be zero for certain.
    let quotient = (value(), prop_oneof![Just("/"), Just("%")]).prop_map(|(a, op)| format!("{a} {op} input[lane]"));
    let expression =
        prop_oneof![3 => (value(), op, value()).prop_map(|(a, op, b)| format!("{a} {op} {b}")), 1 => quotient];
    let expression = expression.boxed();
    let simple = prop_oneof![
        expression.clone().prop_map(|e| format!("x = {e};")),
        expression.clone().prop_map(|e| format!("own[x % 5] = {e};")),
        expression.clone().prop_map(|e| format!("new[lane] = {e};")),
        expression.clone().prop_map(|e| format!("output[global[0]] = {e};")),
        expression.clone().prop_map(|e| format!("atomic_add(output[64], {e});")),
    ];
    if depth == 0 {
        return simple.boxed();
    }
    let block = prop::collection::vec(statement(depth - 1), 1..4).prop_map(|all| all.concat());
    let copied = "barrier; old[lane] = new[lane]; barrier;";
    prop_oneof![
        4 => simple,
        1 => Just(copied.to_owned()),
        1 => (expression.clone(), simple_block(depth), simple_block(depth)).prop_map(|(e, a, b)| format!("if {e} > 0 {{ {a} }} else {{ {b} }}")),
        1 => (1..4u32, block).prop_map(|(n, body)| format!("repeat({n}) {{ {body} }}")),
    ]
    .boxed()
}

/// A block without barriers, for a condition that may differ between threads.
fn simple_block(depth: u32) -> impl Strategy<Value = String> {
    prop::collection::vec(statement(0), 1..=depth as usize + 1).prop_map(|all| all.concat())
}

/// Spells out `repeat(n)`, each time with a counter of its own.
fn kernel(statements: &[String]) -> String {
    let mut body = statements.concat();
    let mut counter = 0;
    while let Some(at) = body.find("repeat(") {
        let n = body[at + 7..].split(')').next().unwrap().to_owned();
        let head = format!("repeat({n}) {{");
        let loop_head = format!("var c{counter}: i32 = 0; loop {{");
        let rest = &body[at + head.len()..];
        let mut open = 1;
        let end = rest.find(|c| {
            open += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            open == 0
        });
        let end = end.unwrap();
        let tail = format!("}} continuing {{ c{counter} = c{counter} + 1; break if c{counter} >= {n} }}");
        body = format!("{}{loop_head}{}{tail}{}", &body[..at], &rest[..end], &rest[end + 1..]);
        counter += 1;
    }
    format!(
        "kernel k(input: view<i32, 1, read>, output: view<i32, 1, read_write>) tile(8) {{
            tile_static old: [i32; 8];
            tile_static new: [i32; 8];
            let lane = local[0];
            var x: i32 = global[0];
            var own: [i32; 4] = zero;
            {body}
            barrier;
            output[global[0]] = output[global[0]] + x + new[7 - lane] + own[0];
        }}"
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_threads_does_not_show(statements in prop::collection::vec(statement(2), 1..8)) {
        let text = kernel(&statements);
        let input: Vec<i32> = (0..64).map(|i| i * 7 - 100).collect();
        let launch = Case::new(&text, &[64]).ints(&input).zeros(65);
        let mut linear = launch.clone();
        let outcome = linear.outcome();
        prop_assert_eq!(&outcome.ending, &Ending::Completed);
        for seed in 0..3 {
            let mut shuffled = launch.clone().order(ThreadOrder::Shuffled(seed));
            prop_assert_eq!(&shuffled.outcome(), &outcome);
            prop_assert!(shuffled.memory == linear.memory, "{}", text);
        }
    }
}
