//! `docs/errors.md`: a section for each code, whose first kernel shows the error or the warning and
//! whose second is right.

use tilewise_ir::check::check;
use tilewise_ir::diag::Code;
use tilewise_ir::text::parse;

const PAGE: &str = include_str!("../../../docs/errors.md");

/// The codes of the errors in a text, or of its warnings if it has no errors.
fn reported(text: &str) -> Vec<Code> {
    let reports = match parse("example.kir", text).map(check) {
        Err(failure) => failure.diagnostics,
        Ok(Err(rejected)) => rejected.diagnostics,
        Ok(Ok(checked)) => checked.warnings().to_vec(),
    };
    reports.into_iter().map(|report| report.code).collect()
}

#[test]
fn every_code_has_a_section_whose_examples_hold() {
    let mut wrong = Vec::new();
    for &code in Code::ALL {
        // Found while a kernel runs: both examples are accepted, and `conformance/kernels/checks` shows the reports.
        let running = code.name().starts_with("K08");
        let title = format!("## {code}: {}\n", code.title());
        let Some((_, rest)) = PAGE.split_once(&title) else {
            wrong.push(format!("no section `{}`", title.trim()));
            continue;
        };
        let section = rest.split("\n## ").next().unwrap_or(rest);
        let examples: Vec<&str> =
            section.split("```kir\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        if let Some(bad) = examples.first()
            && reported(bad).contains(&code) == running
        {
            wrong.push(format!("{code}: the first example gives {}", names(&reported(bad))));
        }
        for good in examples.iter().skip(1) {
            if !reported(good).is_empty() {
                wrong.push(format!("{code}: the second example gives {}", names(&reported(good))));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn names(codes: &[Code]) -> String {
    codes.iter().map(|code| code.name()).collect::<Vec<_>>().join(" ")
}
