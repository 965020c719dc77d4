//! Shaders that would become very large are refused, and in little time.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use tilewise_import::{ImportOptions, ShaderModule};
use tilewise_ir::check::check;

#[test]
fn functions_that_call_others_twice_are_refused_before_they_fill_the_memory() {
    let mut text = String::from("fn f0(x: u32) -> u32 { return x + 1u; }\n");
    for i in 1..60 {
        let before = i - 1;
        writeln!(text, "fn f{i}(x: u32) -> u32 {{ return f{before}(x) + f{before}(x * 3u); }}").expect("a text grows");
    }
    text += "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
        @compute @workgroup_size(1) fn main() { v[0] = f59(v[0]); }";
    let module = ShaderModule::from_wgsl("doubled.wgsl", &text).expect("it is WGSL");
    let begin = Instant::now();
    let error = module.import(&ImportOptions::default()).expect_err("it is too large").to_string();
    assert!(error.contains("too large when its calls are inlined"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

/// A shader whose functions, structs or values double or nest at each level.
fn levels(count: u32, first: &str, next: impl Fn(u32) -> String, rest: &str) -> String {
    let all: Vec<String> = (1..count).map(next).collect();
    format!("@group(0) @binding(0) var<storage, read_write> v: u32;\n{first}\n{}\n{rest}", all.join("\n"))
}

#[test]
fn what_few_statements_make_large_is_refused_before_it_fills_the_memory() {
    let main = "@compute @workgroup_size(1) fn main() ";
    // Long expressions in functions that are called twice at each level.
    let sum = format!("fn f0(x: u32) -> u32 {{ return x{}; }}", "+x".repeat(9000));
    let twice = |i: u32| format!("fn f{i}(x: u32) -> u32 {{ return f{0}(x) + f{0}(x + 1u); }}", i - 1);
    let calls = levels(18, &sum, twice, &format!("{main} {{ v = f17(v); }}"));
    // Variables of functions that are called so, which no statement declares.
    let twice = |i: u32| format!("fn f{i}() {{ f{0}(); f{0}(); }}", i - 1);
    let variables: String = (0..400).map(|i| format!("var a{i}: u32; ")).collect();
    let variables = levels(18, &format!("fn f0() {{ {variables} }}"), twice, &format!("{main} {{ f17(); }}"));
    // Products of matrices: each is one expression and very many instructions.
    let product = format!("var<private> m: mat4x4f; fn f0() {{ m = m{}; }}", "*m".repeat(100));
    let products = levels(13, &product, twice, &format!("{main} {{ f12(); v = u32(m[0][0]); }}"));
    // A zero of very many parts.
    let members = |ty: &str| (0..16).map(|i| format!("m{i}: {ty}, ")).collect::<String>();
    let wide = |i: u32| format!("struct S{i} {{ {} }}", members(&format!("S{}", i - 1)));
    let zero = format!("var<private> p: S5; {main} {{ p = S5(); v = p.m0.m0.m0.m0.m0.m0; }}");
    let zeros = levels(6, &format!("struct S0 {{ {} }}", members("u32")), wide, &zero);
    // A value that is made of two of the one before.
    let two = |i: u32| format!("struct A{i} {{ a: A{0}, b: A{0} }}", i - 1);
    let value: String = (1..22).map(|i| format!("let a{i} = A{i}(a{0}, a{0}); ", i - 1)).collect();
    let value = format!("{main} {{ let a0 = A0(v, v); {value} v = a21{}; }}", ".a".repeat(22));
    let values = levels(22, "struct A0 { a: u32, b: u32 }", two, &value);
    for text in [calls, variables, products, zeros, values] {
        let module = ShaderModule::from_wgsl("large.wgsl", &text).expect("it is WGSL");
        let error = module.import(&ImportOptions::default()).expect_err("it is too large").to_string();
        let is_refused = ["too large when its calls are inlined", "on large aggregates"].map(|why| error.contains(why));
        assert!(is_refused.contains(&true), "{error}");
    }
    // Types in types.
    let inner = |i: u32| format!("struct S{i} {{ a: S{} }}", i - 1);
    let deep = format!("var<private> p: S299; {main} {{ v = p{}; }}", ".a".repeat(300));
    let deep = levels(300, "struct S0 { a: u32 }", inner, &deep);
    let module = ShaderModule::from_wgsl("deep.wgsl", &deep).expect("it is WGSL");
    let error = module.import(&ImportOptions::default()).expect_err("it nests too deep").to_string();
    assert!(error.contains("types nested more than 256 deep"), "{error}");
    // Functions with pointers that call one another.
    let pass = |i: u32| format!("fn f{i}(p: ptr<storage, u32, read_write>) {{ f{}(p); }}", i - 1);
    let first = "fn f0(p: ptr<storage, u32, read_write>) { *p = 1u; }";
    let chain = levels(20_000, first, pass, &format!("{main} {{ f19999(&v); }}"));
    let error = ShaderModule::from_wgsl("chain.wgsl", &chain).expect_err("it nests too deep").to_string();
    assert!(error.contains("calls nest at most 64 deep"), "{error}");
}

#[test]
fn an_element_of_a_large_array_by_value_is_one_element() {
    let text = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
        struct Table { n: array<u32, 5000> }
        @group(0) @binding(1) var<storage, read> t: Table;
        @compute @workgroup_size(1) fn main() {
            let all = t;
            v[0] = all.n[7] + all.n[4999] + array<u32, 5000>()[3];
        }";
    let module = ShaderModule::from_wgsl("large.wgsl", text).expect("it is WGSL");
    let kernel = module.import(&ImportOptions::default()).expect("it is imported").kernel;
    assert!(kernel.entry().values().len() < 100, "{} values", kernel.entry().values().len());
    check(kernel).expect("it obeys the rules");
}

/// The report on a text that is refused when it is read.
fn refused(text: &str) -> String {
    ShaderModule::from_wgsl("long.wgsl", text).expect_err("it is refused").to_string()
}

/// A shader with this statement.
fn shader_of(statement: &str) -> String {
    format!(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(1) fn main() {{
    let a = v[1]; var b = true; let q = vec2u(a, a);
    {statement}
}}"
    )
}

#[test]
fn long_chains_are_refused_before_the_stack_ends() {
    for (begin, link) in [
        ("v[0] = a", "+a"),
        ("v[0] = 1u", "+1u"),
        ("v[0] = q", ".xy"),
        ("v[0] = v[0]", "[0]"),
        ("b = b", "&& b"),
        ("v[0] = ", "!"),
        ("v[0] = v[0]", "+v[a*2]"),
    ] {
        let report = refused(&shader_of(&format!("{begin}{};", link.repeat(100_000))));
        assert!(report.contains("more than 10000 operators in one expression"), "{link}: {report}");
        assert!(report.contains("long.wgsl:4:"), "{link}: {report}");
        // As many as there may be.
        let links = 9_990 / link.matches(|c| "+.[&!*".contains(c)).count().min(2);
        let read = ShaderModule::from_wgsl("long.wgsl", &shader_of(&format!("{begin}{};", link.repeat(links))));
        assert!(link == "!" || link == "[0]" || read.is_ok(), "{link}");
        // What the types say against some of these does not matter here.
        _ = read.map(|module| module.import(&ImportOptions::default()).is_ok());
    }
    let link = " else if a == 1u { v[0] = 2u; }";
    let report = refused(&shader_of(&format!("if b {{ }} {}", link.repeat(60_000))));
    assert!(report.contains("more than 1000 times `else if` behind one `if`"), "{report}");
    let most = ShaderModule::from_wgsl("long.wgsl", &shader_of(&format!("if b {{ }} {}", link.repeat(1000))));
    let error = check(most.expect("it is read").import(&ImportOptions::default()).expect("it is imported").kernel);
    assert!(error.expect_err("it is too deep").to_string().contains("nested 258 deep"));
    #[cfg(feature = "glsl")]
    {
        let elses = |count: usize| {
            let links = "if (x == 1) {} else ".repeat(count);
            let text = format!("#version 450\nlayout(local_size_x = 1) in;\nvoid main() {{ int x = 2; {links} {{}} }}");
            ShaderModule::from_glsl("long.comp", &text).map_err(|error| error.to_string())
        };
        assert!(elses(1000).is_ok());
        let report = elses(1001).expect_err("it has one too many");
        assert!(report.contains("more than 1000 times `else`"), "{report}");
    }
}

#[test]
fn the_time_to_import_grows_with_the_text() {
    let mut statements = String::new();
    for i in 0..4000 {
        writeln!(statements, "    v[{i}] = v[{}] + {i}u;", i + 1).expect("a text grows");
    }
    // The second text is one line.
    for text in [statements.clone(), statements.replace('\n', " ")] {
        let text = format!("enable subgroups;\n{}{}", "// \n".repeat(200_000), shader_of(&text));
        let begin = Instant::now();
        let module = ShaderModule::from_wgsl("long.wgsl", &text).expect("it is WGSL");
        module.import(&ImportOptions::default()).expect("it is imported");
        assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    }
    for text in ["enable a a\n".repeat(300_000), "enable subgroups\n".repeat(200_000), " enable".repeat(500_000)] {
        let begin = Instant::now();
        ShaderModule::from_wgsl("long.wgsl", &text).expect_err("these are no directives");
        assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    }
}

#[test]
fn a_constant_is_one_table() {
    let list: Vec<String> = (0..256).map(|i| format!("{}u", i * 7 % 256)).collect();
    let uses = "x = BOX[x % 256u] + BOX[(x >> 8u) % 256u];\n".repeat(100);
    let text = format!(
        "const BOX = array<u32, 256>({});
        @group(0) @binding(0) var<storage, read_write> v: array<u32>;
        @compute @workgroup_size(1) fn main() {{ var x = v[0]; {uses} v[0] = x; }}",
        list.join(", ")
    );
    let module = ShaderModule::from_wgsl("box.wgsl", &text).expect("it is WGSL");
    let kernel = check(module.import(&ImportOptions::default()).expect("it is imported").kernel);
    let kernel = kernel.expect("it obeys the rules");
    assert_eq!(kernel.tables().len(), 1);
    assert!(kernel.entry().values().len() < 2500, "{} values", kernel.entry().values().len());
}

#[test]
fn a_large_variable_that_is_set_to_zeros_needs_no_other() {
    let zeros = "a = array<u32, 6000>(); v[1] += a[v[0]];".repeat(3);
    let text = format!(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
        @compute @workgroup_size(1) fn main() {{
            var a = array<u32, 6000>();
            a[v[0]] = 5u; {zeros} v[1] += array<u32, 6000>()[v[0]];
        }}"
    );
    let module = ShaderModule::from_wgsl("zeros.wgsl", &text).expect("it is WGSL");
    check(module.import(&ImportOptions::default()).expect("it is imported").kernel).expect("it is small enough");
}

#[test]
fn structs_of_structs_are_measured_once() {
    let mut text = String::from("struct S0 { a: u32, b: u32 }\n");
    for i in 1..20 {
        let before = i - 1;
        writeln!(text, "struct S{i} {{ a: S{before}, b: S{before} }}").expect("a text grows");
    }
    text += "@group(0) @binding(0) var<storage, read> s: S19;
        @group(0) @binding(1) var<storage, read_write> v: array<u32>;
        @compute @workgroup_size(1) fn main() {";
    for i in 0..100 {
        let path = ".a".repeat(i % 15 + 1);
        write!(text, "let x{i} = s{path}; v[{i}] = x{i}{};", ".b".repeat(20 - path.len() / 2)).expect("a text grows");
    }
    text += " }";
    let begin = Instant::now();
    let module = ShaderModule::from_wgsl("structs.wgsl", &text).expect("it is WGSL");
    module.import(&ImportOptions::default()).expect("it is imported");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

#[test]
fn a_value_that_an_override_cannot_have_is_reported_where_it_is_declared() {
    let text = "override N: u32 = 4;
override F: f32;
@id(7) override I: i32 = i32(N) * 2;
var<workgroup> w: array<f32, N * 2>;
@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(N, 1, 1) fn main(@builtin(local_invocation_index) i: u32) {
    w[i] = F; workgroupBarrier(); v[i] = w[i] + f32(I);
}";
    let module = ShaderModule::from_wgsl("values.wgsl", text).expect("it is WGSL");
    assert_eq!(module.overrides().collect::<Vec<_>>(), ["N", "F", "7"]);
    let report = |values: &[(&str, f64)]| {
        let overrides = values.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        let options = ImportOptions { overrides, ..ImportOptions::default() };
        module.import(&options).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(report(&[("N", 8.0), ("F", 0.5)]), "");
    for (name, value, expected) in [
        ("N", -1.0, "the override `N` cannot have the value -1\n --> values.wgsl:1:1"),
        ("N", f64::NAN, "the override `N` cannot have the value NaN"),
        ("N", 4_294_967_296.0, "`u32` holds whole numbers, 0 to 4294967295"),
        ("F", f64::INFINITY, "the override `F` cannot have the value inf\n --> values.wgsl:2:1"),
        ("7", -3e9, "`i32` holds whole numbers, -2147483648 to 2147483647"),
    ] {
        let found = report(&[("F", 1.0), (name, value)]);
        assert!(found.contains(expected), "{name} = {value}: {found}");
    }
    let missing = report(&[]);
    assert!(missing.contains("the shader's overrides are: `N`, `F`, `7`\n"), "{missing}");
    for size in [0.0, 100_000.0] {
        let found = report(&[("F", 1.0), ("N", size)]);
        assert!(found.contains("values.wgsl:6:38") && found.contains("1 to 16384"), "{size}: {found}");
    }
}

#[test]
fn a_load_whose_value_is_not_used_takes_no_memory() {
    let size = 65_532;
    for (variable, statement) in [
        ("var<private> v", "_ = v;"),
        ("var<private> v", "let x = v; let y = x;"),
        ("var<private> v", "let x = v; let y = x[3];"),
        ("var<private> v", "for (var i = 0; i < 3; i++) { let x = v; }"),
        ("var<private> v", "v[3] = true;"),
    ] {
        let text = format!(
            "{variable} = array<bool, {size}>();
            @compute @workgroup_size(1) fn main() {{ v[0] = false; {statement} }}"
        );
        let module = ShaderModule::from_wgsl("unused.wgsl", &text).expect("it is WGSL");
        let kernel = module.import(&ImportOptions::default()).expect("it is imported").kernel;
        check(kernel).unwrap_or_else(|rejected| panic!("{statement}: {rejected}"));
    }
    // What is used is copied: the variable changes before.
    let text = "@group(0) @binding(0) var<storage, read_write> o: array<u32>;
        var<private> v: array<u32, 40>;
        @compute @workgroup_size(1) fn main() { let x = v; v[3] = 7u; o[0] = x[3]; _ = x; }";
    let module = ShaderModule::from_wgsl("used.wgsl", text).expect("it is WGSL");
    let kernel = module.import(&ImportOptions::default()).expect("it is imported").kernel;
    assert!(tilewise_ir::text::print(&kernel).contains("copied"), "{}", tilewise_ir::text::print(&kernel));
}

#[test]
fn what_the_values_of_overrides_make_wrong_is_reported_at_its_line() {
    let head = "override N: u32 = 4;
override S: i32 = 1;
@group(0) @binding(0) var<storage, read_write> o: array<u32>;
";
    for (rest, values, message, place) in [
        ("@compute @workgroup_size(1) fn main() {\n  o[0] = 7u / N;\n}", ("N", 0.0), "Division by zero", ":5:10"),
        (
            "@compute @workgroup_size(1) fn main() {\n  o[0] = 7u / 3u;\n  o[1] = 7u % N;\n  o[2] = 7u / N;\n}",
            ("N", 0.0),
            "Remainder by zero",
            ":6:10",
        ),
        (
            "override M = 100u / N;\n@compute @workgroup_size(1) fn main() { o[0] = M; }",
            ("N", 0.0),
            "Division",
            ":4:14",
        ),
        (
            "fn f() -> u32 {\n  return 7u / N;\n}\n@compute @workgroup_size(1) fn main() { o[0] = f(); }",
            ("N", 0.0),
            "Division by zero",
            ":5:10",
        ),
        ("@compute @workgroup_size(1) fn main() {\n  o[0] = o[1] / N;\n}", ("N", 0.0), "ivision by zero", ":5:10"),
        (
            "@compute @workgroup_size(1) fn main() {\n  o[0] = 1u << N;\n}",
            ("N", 40.0),
            "greater than or equal to 32",
            ":5:10",
        ),
        (
            "var<workgroup> a: array<u32, N>;\n@compute @workgroup_size(1) fn main() { a[0] = 1u; }",
            ("N", 0.0),
            "the length of an array is not 1 or more",
            ":4:1",
        ),
        (
            "var<workgroup> a: array<u32, 9>;\nvar<workgroup> b: array<u32, 64u / N>;\n\
             @compute @workgroup_size(1) fn main() { a[0] = 1u; b[0] = 1u; }",
            ("N", 100_000.0),
            "the length of an array is not 1 or more",
            ":5:1",
        ),
        (
            "var<workgroup> a: array<u32, N - 5>;\n@compute @workgroup_size(1) fn main() { a[0] = 1u; }",
            ("N", 2.0),
            "too large",
            ":4:1",
        ),
        (
            "var<workgroup> a: array<u32, 4>;\nvar<workgroup> b: array<vec4u, N>;\n\
             @compute @workgroup_size(1) fn main() { a[0] = 1u; b[0].x = 1u; }",
            ("N", 4e9),
            "too large",
            ":5:1",
        ),
    ] {
        let module = ShaderModule::from_wgsl("n.wgsl", &format!("{head}{rest}\n")).expect("it is WGSL");
        let overrides = [(values.0.to_owned(), values.1)].into();
        let error = module.import(&ImportOptions { overrides, ..ImportOptions::default() }).expect_err("it is wrong");
        let text = error.to_string();
        assert!(text.starts_with("error[K0904]: with these values of its overrides, "), "{rest}: {text}");
        assert!(text.contains(message) && text.contains(&format!("n.wgsl{place}\n")), "{rest}: {text}");
        assert!(text.contains("the shader's overrides are: `N`, `S`"), "{text}");
    }
}

#[test]
fn the_line_of_a_wrong_override_is_found_in_time() {
    let mut text = String::from(
        "override N: u32;\n@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n@compute @workgroup_size(1) fn main() {\n",
    );
    for i in 0..12_000 {
        writeln!(text, "  v[{i}] = N + {i}u;").expect("a text grows");
    }
    text += "  v[0] = 7u / N;\n}\n";
    let module = ShaderModule::from_wgsl("long.wgsl", &text).expect("it is WGSL");
    let begin = Instant::now();
    let mut options = ImportOptions::default();
    options.overrides.insert("N".to_owned(), 0.0);
    let error = module.import(&options).expect_err("it divides by zero").to_string();
    assert!(error.contains("long.wgsl:12004:10"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}
