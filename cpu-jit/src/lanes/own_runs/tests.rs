//! Which loops are done in blocks.

use tilewise_ir::check::check;
use tilewise_ir::text::parse;

use super::super::{remove_dead, share_addresses, split, version};
use super::*;
use crate::vectorize::{CodeKey, vectorize};

/// A kernel whose threads add up what they load: the loop's limit, the load, what else it does.
fn program(limit: &str, index: &str, other: &str) -> LaneProgram {
    let text = format!(
        "kernel k(v: view<u32, 1, read>, w: view<u32, 1, read_write>, out: view<u32, 1, read_write>, n: i32)
        rank(1) {{
            let i = global[0];
            var sum: u32 = 0u32;
            var k: i32 = 0;
            while k < {limit} {{
                sum = sum * 3u32 + {index};
                {other}
                k = k + 1;
            }}
            out[i] = sum;
        }}"
    );
    let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
    let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
    let mut key = CodeKey::apart(16, 4);
    key.writable[0] = false;
    vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0))
}

fn is_read_in_blocks(limit: &str, index: &str, other: &str, machine: VectorMachine) -> bool {
    let mut program = program(limit, index, other);
    let found = read_own_runs(&mut program, machine, false);
    assert_eq!(crate::lanes::verify(&program), Ok(()), "{program}");
    found
}

#[test]
fn runs_of_threads_are_read_in_blocks_on_machines_with_long_vectors() {
    for machine in [VectorMachine::BITS_512, VectorMachine::BITS_256] {
        assert!(is_read_in_blocks("128", "v[i * 128 + k]", "", machine));
        assert!(is_read_in_blocks("n", "v[i * 40 + k + 3]", "", machine), "a limit that the launch knows");
        assert!(is_read_in_blocks("n", "v[i * 128 + k]", "out[k] = sum;", machine), "a store elsewhere");
    }
    assert!(!is_read_in_blocks("128", "v[i * 128 + k]", "", VectorMachine::BITS_128), "nothing moves vectors");
}

#[test]
fn other_loads_stay_as_they_are() {
    let of = |limit, index, other| is_read_in_blocks(limit, index, other, VectorMachine::BITS_512);
    assert!(!of("128", "w[i * 128 + k]", "w[k] = sum;"), "somebody may write there");
    assert!(!of("128", "v[i * 256 + 2 * k]", ""), "every other element");
    assert!(!of("128", "v[i * 128 - k + 127]", ""), "backwards");
    assert!(!of("128", "v[i + k]", ""), "neighbours");
    assert!(!of("128", "v[i * 4 + k]", ""), "so near that whole vectors serve several lanes");
    assert!(!of("128", "v[k * n + i * 128]", ""), "a step that the launch knows");
    assert!(!of("(sum & 63u32) as i32", "v[i * 128 + k]", ""), "a limit that changes");
}

/// The program of a kernel whose first two views nobody writes, behind the passes that come before.
fn before_runs(text: &str) -> LaneProgram {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
    let mut key = CodeKey::apart(16, 6);
    key.writable[0] = false;
    key.writable[1] = false;
    let mut program = vectorize(&kernel, &key).unwrap_or_else(|why| panic!("{}", why.0));
    split(&mut program, VectorMachine::BITS_512);
    version(&mut program);
    share_addresses(&mut program);
    remove_dead(&mut program);
    program
}

/// Is a loop of a kernel done in blocks behind the passes that come before? It computes `body` for each `k`
/// below `n`, with a row-major view of each kind.
fn is_done(body: &str) -> bool {
    let text = format!(
        "kernel k(a: view<f32, 2, read>, v: view<f32, 1, read>, w: view<f32, 2, read_write>,
                  u: view<f32, 1, read_write>, c: view<u32, 1, read_write>, n: i32) rank(1) {{
            let i = global[0];
            var sum: f32 = 0.0f32;
            var p: i32 = i * n;
            var k: i32 = 0;
            while k < n {{
                {body}
                p = p + 1;
                k = k + 1;
            }}
            u[i] = sum;
        }}"
    );
    let mut program = before_runs(&text);
    let mut short = program.clone();
    assert!(!read_own_runs(&mut short, VectorMachine::BITS_512, false), "short code takes whole vectors only");
    let found = read_own_runs(&mut program, VectorMachine::BITS_512, true);
    assert_eq!(crate::lanes::verify(&program), Ok(()), "{program}");
    found
}

#[test]
fn runs_a_distance_apart_that_the_launch_knows_are_done_in_blocks() {
    assert!(is_done("sum = sum + a[i, k];"), "a view's rows");
    assert!(is_done("sum = sum + v[i * n + k];"), "rows by one index");
    assert!(is_done("sum = sum + v[p];"), "an index that each thread counts");
    assert!(is_done("w[i, k] = 1.0f32;"), "rows that are written");
    assert!(is_done("w[i, k] = w[i, k] * 2.0f32;"), "rows that are read and written");
    assert!(is_done("w[i, k] = a[i, k];"), "rows that are copied");
    assert!(is_done("sum = sum + w[i, k];"), "rows that others may write, not in this loop");
}

#[test]
fn runs_that_other_accesses_may_meet_are_not() {
    assert!(!is_done("w[i, k] = w[i, k + 1];"), "a neighbour in the run");
    assert!(!is_done("w[i, k] = w[k, i];"), "another's element");
    assert!(!is_done("sum = sum + v[k]; if sum < 4.0f32 { w[i, k] = 1.0f32; }"), "not in each iteration");
    assert!(!is_done("w[i, k] = 1.0f32; c[0] = atomic_add(c[k], 1u32);"), "an atomic that orders threads");
    assert!(!is_done("sum = sum + a[i, n - k];"), "backwards");
    assert!(!is_done("sum = sum + a[k, i * n];"), "one element of many rows");
}

/// Is a loop of a kernel done in blocks in which each thread reads what lies from `s[i]` on?
fn is_ragged(from: &str, to: &str, body: &str) -> bool {
    let text = format!(
        "kernel k(s: view<i32, 1, read>, v: view<f32, 1, read>, w: view<f32, 1, read_write>,
                  u: view<f32, 1, read_write>, n: i32) rank(1) {{
            let i = global[0];
            let start = s[i];
            var sum: f32 = 0.0f32;
            var k: i32 = {from};
            let end = {to};
            while k < end {{
                {body}
                k = k + 1;
            }}
            u[i] = sum;
        }}"
    );
    let mut program = before_runs(&text);
    super::super::leave(&mut program);
    let found = read_own_runs(&mut program, VectorMachine::BITS_512, true);
    assert_eq!(crate::lanes::verify(&program), Ok(()), "{program}");
    found
}

#[test]
fn runs_that_begin_and_end_where_threads_say_are_read_in_blocks() {
    assert!(is_ragged("start", "s[i + 1]", "sum = sum + v[k];"), "rows of a sparse matrix");
    assert!(is_ragged("start", "s[i + 1]", "sum = sum + v[k] * v[s[k]];"), "two runs, and what they point at");
    assert!(is_ragged("0", "s[i + 1]", "sum = sum + v[start + k];"), "a counter of all threads");
    assert!(is_ragged("0", "n", "sum = sum + v[start + k];"), "a limit of all threads");
    assert!(is_ragged("start", "s[i + 1]", "sum = sum + v[k]; w[i] = sum;"), "a store elsewhere");
    assert!(is_ragged("start", "s[i + 1]", "sum = sum + v[k - 3];"), "behind the index");
}

#[test]
fn ragged_runs_whose_elements_are_not_known_before_are_not() {
    assert!(!is_ragged("start", "s[i + 1]", "sum = sum + w[k]; w[i] = sum;"), "the launch writes there");
    assert!(!is_ragged("start", "s[i + 1]", "sum = sum + v[2 * k];"), "every other element");
    assert!(!is_ragged("start", "s[i + 1]", "sum = sum + v[end - k];"), "backwards");
    assert!(!is_ragged("start", "s[i + 1]", "sum = sum + v[k]; if sum > 4.0f32 { break; }"), "a break");
    assert!(!is_ragged("start", "s[i + 1]", "if sum < 4.0f32 { sum = sum + v[k]; }"), "not in each iteration");
}
