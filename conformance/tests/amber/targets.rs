//! Verdicts of scripts on targets: expectations that do not hold, orders of threads, and the report of a corpus.

use tilewise_conformance::amber::judge_script;
use tilewise_conformance::kir::case;
use tilewise_conformance::shader_corpus::{CorpusOptions, EntryVerdict};
use tilewise_conformance::target::SuiteTarget;
use tilewise_conformance::verdict::Verdict;

fn script(body: &str, rest: &str) -> String {
    format!(
        "#!amber
SHADER compute s WGSL
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@group(0) @binding(1) var<storage, read_write> n: atomic<u32>;
@compute @workgroup_size(16) fn main(@builtin(local_invocation_index) i: u32) {{ {body} }}
END
BUFFER v DATA_TYPE uint32 SIZE 16 FILL 0
BUFFER n DATA_TYPE uint32 SIZE 1 FILL 0
PIPELINE compute p
  ATTACH s
  BIND BUFFER v AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER n AS storage DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
{rest}
"
    )
}

fn on(target: SuiteTarget, text: &str) -> String {
    match case::run("t.amber", text, target) {
        Verdict::Fail(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        verdict => verdict.reason().map_or(verdict.name().to_owned(), |reason| format!("{}: {reason}", verdict.name())),
    }
}

const ORDERED: &str = "v[i] = atomicAdd(&n, 1u);";

#[test]
fn an_expectation_that_does_not_hold_fails_on_every_target() {
    let text = script("v[i] = i * 3u;", "EXPECT v IDX 0 EQ 0 3 7\nEXPECT v IDX 60 GT 45\nEXPECT v IDX 4 EQ 3");
    for target in [SuiteTarget::Reference, SuiteTarget::Jit, SuiteTarget::Lanes8] {
        assert_eq!(
            on(target, &text),
            "t.amber:15:1: `v` differs in 1 of 3 values\n  byte 8: expected 7, got 6\n\
             t.amber:16:1: `v` differs in 1 of 1 values\n  byte 60: expected more than 45, got 45"
        );
    }
}

#[test]
fn targets_with_an_order_of_their_own_are_judged_by_expectations_that_hold_in_all_orders() {
    let holds = script(ORDERED, "EXPECT n IDX 0 EQ 16");
    let depends = script(ORDERED, "EXPECT n IDX 0 EQ 16\nEXPECT v IDX 0 EQ 0 1 2");
    for target in [SuiteTarget::Reference, SuiteTarget::Jit, SuiteTarget::Lanes16] {
        assert_eq!(on(target, &holds), "pass", "{target}");
    }
    assert_eq!(on(SuiteTarget::Jit, &depends), "pass");
    let not_run = on(SuiteTarget::Lanes16, &depends);
    assert!(not_run.starts_with("not-run: what the script expects depends on the order of threads"), "{not_run}");
}

#[test]
fn a_script_that_expects_nothing_compares_targets_and_says_nothing_of_the_reference() {
    let text = script("v[i] = i;", "");
    assert_eq!(on(SuiteTarget::Reference, &text), "not-run: the script expects nothing");
    assert_eq!(on(SuiteTarget::Jit, &text), "pass");
}

#[test]
fn a_run_that_does_not_complete_fails_at_its_line() {
    let diverges = script("if i < v[0] + 3u { return; } workgroupBarrier(); v[i] = 1u;", "EXPECT v IDX 0 EQ 0");
    let failed = on(SuiteTarget::Reference, &diverges);
    assert!(failed.starts_with("t.amber:14:1: not all threads of a workgroup reach a barrier"), "{failed}");
    assert_eq!(on(SuiteTarget::Jit, &diverges), failed);
}

#[test]
fn scripts_of_a_corpus_have_each_verdict() {
    let judged = |text: &str| judge_script("t.amber", text, &CorpusOptions::default());
    let verdict = |text: &str| judged(text).map(|report| report.verdict);
    let is = |verdict| Ok(verdict);
    assert_eq!(verdict(&script("v[i] = i;", "EXPECT v IDX 4 EQ 1")), is(EntryVerdict::Agreed));
    assert_eq!(
        verdict(&script("if n > 7u { v[i] = i; }".replace("n >", "atomicLoad(&n) >").as_str(), "")),
        is(EntryVerdict::WroteNothing)
    );
    assert_eq!(verdict(&script(ORDERED, "EXPECT n IDX 0 EQ 16")), is(EntryVerdict::AgreedInOrder));
    assert_eq!(verdict(&script("v[i] = i;", "EXPECT v IDX 4 EQ 2")), is(EntryVerdict::NotAsExpected));
    assert_eq!(verdict(&script("loop { v[i] += 1u; if v[i] == 0u { break; } }", "")), is(EntryVerdict::NotRun));
    assert_eq!(verdict(&script("v[i] = dpdx(1.0);", "")), is(EntryVerdict::NotImported));
    let refused = judged(&script("v[i] = i;", "CLEAR p")).unwrap();
    assert_eq!(refused.verdict, EntryVerdict::NotImported);
    assert_eq!(refused.refusals, [("amber: `CLEAR` is not supported".to_owned(), 15)]);
    assert_eq!(judged("#!amber\nFOO\n"), Err("line 2: `FOO` is no statement".to_owned()));
}
