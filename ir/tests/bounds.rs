//! Texts of any size are read or refused, in time and memory in proportion to them; what a text may have at
//! most is said where it has more.

use std::time::{Duration, Instant};

use tilewise_ir::build::Builder;
use tilewise_ir::check::check;
use tilewise_ir::diag::{Code, Colour, Diagnostic};
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::limits::{MAX_NAME, MAX_NUMBER, MAX_PARAMS, MAX_TABLE, MAX_TEXT, MAX_TYPE_PARTS};
use tilewise_ir::pos::Pos;
use tilewise_ir::text::{parse, parse_all, print};
use tilewise_ir::types::{Field, Stored, Struct, Type};

/// The reports that a text gets, and how they are shown.
fn reports(text: &str) -> (Vec<Diagnostic>, String) {
    let kernels = match parse_all("k.kir", text) {
        Ok(kernels) => kernels,
        Err(failure) => return (failure.diagnostics.clone(), failure.render(Colour::Never)),
    };
    for kernel in kernels {
        if let Err(rejected) = check(kernel) {
            return (rejected.diagnostics.clone(), rejected.render(Colour::Never));
        }
    }
    (Vec::new(), String::new())
}

fn codes(text: &str) -> Vec<Code> {
    reports(text).0.iter().map(|report| report.code).collect()
}

const EMPTY: &str = "kernel k() rank(1) { }\n";

#[test]
fn a_text_has_a_greatest_length() {
    let longest = EMPTY.to_owned() + &" ".repeat(MAX_TEXT - EMPTY.len());
    assert_eq!(codes(&longest), []);
    let (found, shown) = reports(&format!("\n{longest}"));
    assert_eq!(found.iter().map(|report| report.code).collect::<Vec<_>>(), [Code::K0018]);
    assert!(shown.contains("a text of 4194305 bytes") && shown.contains("k.kir:3:"), "{shown}");
    assert!(shown.contains("at most 4194304 bytes") && shown.contains("help: "), "{shown}");
    assert!(shown.len() < 1000, "{shown}");
    // Cut within a character.
    let umlauts = format!("//{}", "ä".repeat(MAX_TEXT));
    assert_eq!(codes(&umlauts), [Code::K0018]);
}

#[test]
fn names_and_numbers_have_a_greatest_length() {
    let name = "n".repeat(MAX_NAME);
    assert_eq!(codes(&format!("kernel {name}() rank(1) {{ let {name}1 = 1; }}").replace("n1", "m")), []);
    let number = "0".repeat(MAX_NUMBER);
    assert_eq!(codes(&format!("kernel k() rank(1) {{ let a = {number}; }}")), []);
    let long = "n".repeat(MAX_NAME + 1);
    for text in [
        format!("kernel {long}() rank(1) {{ }}"),
        format!("kernel k({long}: i32) rank(1) {{ }}"),
        format!("kernel k() rank(1) {{ let {long} = 1; let b = {long}; }}"),
        format!("kernel k() rank(1) {{ let %{}: = 1; }}", "7".repeat(MAX_NAME)),
        format!("kernel k() rank(1) {{ '{long}: loop {{ break '{long}; }} }}"),
        format!("kernel k() rank(1) {{ let a = {number}0; }}"),
        format!("kernel k() rank(1) {{ let a = {long}; }}"),
    ] {
        let (found, shown) = reports(&text);
        assert_eq!(found.first().map(|report| report.code), Some(Code::K0018), "{shown}");
        assert!(found.iter().all(|report| report.message.len() < 2 * MAX_NAME + 100), "{shown}");
    }
    // Where nothing has the name, and what is near it is looked for.
    assert_eq!(codes(&format!("kernel k() rank(1) {{ let a = {}; }}", "ä".repeat(MAX_NAME))), [Code::K0012]);
}

#[test]
fn a_kernel_and_a_function_have_a_greatest_number_of_parameters() {
    let params = |n: usize| (0..n).map(|i| format!("p{i}: i32")).collect::<Vec<_>>().join(", ");
    for (n, expected) in [(MAX_PARAMS, &[][..]), (MAX_PARAMS + 1, &[Code::K0610])] {
        assert_eq!(codes(&format!("kernel k({}) rank(1) {{ }}", params(n))), expected);
        assert_eq!(codes(&format!("fn f({}) {{ }} {EMPTY}", params(n))), expected);
    }
}

/// A kernel with a struct of so many fields, and tables of so many bytes each.
fn built(fields: usize, tables: &[usize]) -> Kernel {
    let mut b = Builder::new("k", 1, None);
    let u8s = b.types().scalar(Stored::U8);
    let fields: Vec<Field> =
        (0..fields).map(|i| Field { name: format!("f{i}").into(), ty: u8s, offset: i as u32 }).collect();
    let size = fields.len() as u32;
    let wide = b.types().add(Type::Struct(Struct { name: "S".into(), fields, size, align: 1 }));
    b.param("s", ParamKind::Uniform(wide), Pos::NONE);
    for (i, &length) in tables.iter().enumerate() {
        let ty = b.types().natural_array(u8s, Some(length as u32));
        b.table(&format!("t{i}"), ty, vec![7; length], Pos::NONE);
    }
    b.begin_entry();
    b.end();
    b.finish()
}

#[test]
fn what_the_checker_accepts_is_printed_so_that_it_parses_again() {
    let (parts, table) = (MAX_TYPE_PARTS as usize, MAX_TABLE as usize);
    for kernel in [built(5000, &[70_000]), built(parts - 1, &[1]), built(1, &[table, table])] {
        let text = print(&check(kernel).expect("a kernel within the limits"));
        assert_eq!(print(&parse("k.kir", &text).expect("a printed kernel")), text);
    }
    let cases =
        [(built(parts, &[1]), Code::K0606, Code::K0009), (built(1, &[table, table, 100]), Code::K0609, Code::K0017)];
    for (kernel, checked, parsed) in cases {
        let text = print(&kernel);
        let rejected = check(kernel).expect_err("a kernel beyond the limits");
        assert_eq!(rejected.diagnostics.iter().map(|report| report.code).collect::<Vec<_>>(), [checked]);
        assert_eq!(codes(&text), [parsed]);
    }
}

#[test]
fn a_byte_order_mark_and_line_ends_of_windows_mean_nothing() {
    let text = "\u{feff}// A comment.\r\nkernel k(v: view<i32, 1, read_write>) rank(1) {\r\n    v[0] = 1;\r\n}\r\n";
    assert_eq!(codes(text), []);
    let (_, shown) = reports(&text.replace("= 1", "= true"));
    assert!(shown.contains("k.kir:3:5") && shown.contains("3 |     v[0] = true;\n"), "{shown}");
    // Elsewhere it is a stray character.
    assert_eq!(codes(&format!("{EMPTY}\u{feff}")), [Code::K0012]);
}

#[test]
fn of_very_many_errors_the_first_are_shown_and_the_others_counted() {
    let mut text = "kernel k(v: view<i32, 1, read_write>) rank(1) {\n".to_owned();
    (0..50_000).for_each(|_| text += "    v[0] = true;\n");
    let (found, shown) = reports(&(text + "}\n"));
    assert_eq!(found.len(), 60);
    assert!(found.iter().all(|report| report.code == Code::K0107));
    assert!(shown.contains("= note: 49940 more errors are not shown\n"), "{shown}");
    // What is not read is not counted.
    let (found, shown) = reports(&"kernel k() rank(1) { let a = x; }\n".repeat(500));
    assert_eq!(found.len(), 60);
    assert!(shown.contains("= note: there is more wrong: not all of the text was read\n"), "{shown}");
    let (found, shown) = reports(&"# ".repeat(100_000));
    assert_eq!(found.len(), 60);
    assert!(shown.contains("= note: 99940 more errors are not shown\n"), "{shown}");
}

/// Texts of many parts of one kind.
fn texts(n: usize) -> Vec<(&'static str, String)> {
    let kernel = |body: &str| format!("kernel k(v: view<i32, 1, read_write>, c: bool) rank(1) {{\n{body}}}\n");
    let many = |part: &dyn Fn(usize) -> String| (0..n).map(part).collect::<String>();
    let chain = (1..n).map(|i| format!("fn g{i}() -> i32 {{ return g{}(); }}\n", i - 1)).collect::<String>();
    let last = n - 1;
    vec![
        ("stores", kernel(&many(&|i| format!("v[{i}] = {i};\n")))),
        ("names", kernel(&many(&|i| format!("let a{i} = v[{i}];\n")))),
        ("unknown names", kernel(&many(&|i| format!("let a{i} = b{i};\n")))),
        ("taken names", kernel(&many(&|_| "let a = 1;\n".to_owned()))),
        ("variables", kernel(&many(&|i| format!("var a{i}: i32 = {i}; a{i} = 1;\n")))),
        ("unset variables", kernel(&many(&|i| format!("var a{i}: i32; v[0] = a{i};\n")))),
        ("one variable", kernel(&("var a: i32 = 0;\n".to_owned() + &many(&|i| format!("a = a + {i};\n"))))),
        ("wrong stores", kernel(&many(&|_| "v[0] = true;\n".to_owned()))),
        ("ifs", kernel(&many(&|i| format!("if c {{ v[{i}] = 1; }}\n")))),
        ("ifs with values", kernel(&many(&|i| format!("v[{i}] = if c {{ 1 }} else {{ 2 }};\n")))),
        ("wrong conditions", kernel(&many(&|_| "v[0] = if 1 { 1 } else { 2 };\n".to_owned()))),
        ("wrong ands", kernel(&many(&|i| format!("let b{i} = 1 && 2;\n")))),
        ("one line", kernel(&many(&|i| format!("let b{i} = 1 && 2; ")))),
        ("loops", kernel(&many(&|_| "while c { break; }\n".to_owned()))),
        ("cases", kernel(&format!("switch v[0] {{\n{}}}\n", many(&|i| format!("case {i}: {{ v[0] = 1; }}\n"))))),
        ("same cases", kernel(&format!("switch v[0] {{\n{}}}\n", many(&|_| "case 1: { v[0] = 1; }\n".to_owned())))),
        ("a long case", kernel(&format!("switch v[0] {{ case {}: {{ }} }}\n", many(&|i| format!("{i}, ")) + "-1"))),
        ("sums", kernel(&format!("v[0] = 0{};\n", many(&|_| " + 1".to_owned())))),
        ("ands", kernel(&format!("let b = c{};\n", many(&|_| " && c".to_owned())))),
        ("parameters", format!("kernel k({}) rank(1) {{ }}\n", many(&|i| format!("p{i}: i32, ")))),
        ("arguments", kernel(&format!("print(\"{}\", {});\n", "{}".repeat(n), vec!["1"; n].join(", ")))),
        ("indices", kernel(&format!("v[{}] = 1;\n", vec!["1"; n].join(", ")))),
        ("structs", many(&|i| format!("struct S{i} {{ a: i32 }}\n")) + EMPTY),
        (
            "used structs",
            format!("{}kernel k({}) rank(1) {{ }}", many(&|i| format!("struct S{i} {{ a: i32 }}\n")), {
                let views: Vec<String> = (0..n.min(1000)).map(|i| format!("v{i}: view<S{i}, 1, read>")).collect();
                views.join(", ")
            }),
        ),
        ("same structs", many(&|_| "struct S { a: i32 }\n".to_owned()) + EMPTY),
        ("fields", format!("struct S {{ {} }}\n{EMPTY}", many(&|i| format!("a{i}: i32, ")))),
        ("same fields", format!("struct S {{ {} }}\n{EMPTY}", many(&|_| "a: i32, ".to_owned()))),
        (
            "types in types",
            format!(
                "struct S0 {{ a: i32 }}\n{}{EMPTY}",
                (1..n).map(|i| format!("struct S{i} {{ a: S{}, b: S{} }}\n", i - 1, i - 1)).collect::<String>()
            ),
        ),
        ("unknown types", kernel(&many(&|i| format!("var a{i}: T{i};\n")))),
        ("tables", many(&|i| format!("const t{i}: i32 = {i};\n")) + EMPTY),
        ("a table", format!("const t: [i32; {n}] = [{}];\n{EMPTY}", vec!["1"; n].join(", "))),
        ("functions", many(&|i| format!("fn g{i}() {{ }}\n")) + EMPTY),
        (
            "functions in a chain",
            format!("fn g0() -> i32 {{ return 1; }}\n{chain}{}", kernel(&format!("v[0] = g{last}();\n"))),
        ),
        ("functions in a circle", {
            let functions = many(&|i| format!("fn g{i}() {{ g{}(); g0(); }}\n", (i + 1) % n));
            functions + &kernel("g0();\n")
        }),
        (
            "calls",
            format!("fn f(a: i32) -> i32 {{ return a; }}\n{}", kernel(&many(&|i| format!("v[{i}] = f({i});\n")))),
        ),
        ("calls of a library", kernel(&many(&|i| format!("let a{i} = fast_math::exp(1.0);\n")))),
        ("unknown functions", kernel(&many(&|i| format!("h{i}();\n")))),
        ("functions below", kernel(&many(&|i| format!("v[0] = g{i}();\n"))) + &many(&|i| format!("fn g{i}() {{ }}\n"))),
        ("kernels", many(&|i| format!("kernel k{i}() rank(1) {{ }}\n"))),
        ("open blocks", kernel(&"if c {\n".repeat(n))),
        ("open brackets", kernel(&format!("v[0] = {}1;\n", "(".repeat(n)))),
        ("open types", kernel(&format!("var a: {}i32;\n", "[".repeat(n)))),
        ("minus signs", kernel(&format!("v[0] = {}v[1];\n", "-".repeat(n)))),
        ("stray words", "ä ö ".repeat(n)),
        ("other stray words", many(&|i| format!("ä{i} "))),
        ("quotes", "\"\n".repeat(n)),
        ("labels", kernel(&many(&|i| format!("'l{i}: loop {{ break 'l{i}; }}\n")))),
        ("comments", "// x\n".repeat(n) + EMPTY),
        ("spaces", " ".repeat(8 * n) + EMPTY),
        ("a long string", kernel(&format!("print(\"{}\");\n", "x".repeat(8 * n)))),
    ]
}

/// What a text of many parts may take, built for tests, on a machine with other things to do.
const TIME: Duration = Duration::from_secs(20);

#[test]
fn reading_takes_no_more_than_in_proportion() {
    let mut slow = Vec::new();
    for n in [3_000, 30_000] {
        for (name, text) in texts(n) {
            assert!(text.len() < MAX_TEXT, "{name} of {n}: {} bytes", text.len());
            let begin = Instant::now();
            let (found, shown) = reports(&text);
            let took = begin.elapsed();
            println!("{name} of {n}, {} bytes: {took:.1?}, {} reports", text.len(), found.len());
            assert!(found.len() <= 60 && shown.len() < 1 << 20, "{name} of {n}: {} bytes", shown.len());
            if took > TIME {
                slow.push(format!("{name} of {n}: {took:.1?}"));
            }
        }
    }
    assert_eq!(slow, [""; 0]);
}
