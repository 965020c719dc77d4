//! Texts made to exhaust the parser: deep, wide, large beyond all measure. Each is read or refused quickly, in little stack and memory.

use tilewise_ir::text;

/// A text that must be read or refused quickly, in little stack and memory.
fn survives(text: &str) {
    if let Ok(kernels) = text::parse_all("hostile", text) {
        for kernel in kernels {
            let printed = text::print(&kernel);
            match text::parse("printed", &printed) {
                Ok(again) => assert!(again == kernel, "another kernel after printing:\n{printed}"),
                Err(failure) => panic!("a printed kernel does not read back:\n{printed}\n{failure}"),
            }
        }
    }
}

#[test]
fn hostile_texts_are_refused_without_harm() {
    let body = |inside: &str| format!("kernel k(v: view<i32, 1, read_write>, c: bool) rank(1) {{ {inside} }}");
    let many = |text: &str, n: usize| text.repeat(n);
    for n in [200, 256, 257, 300, 100_000] {
        survives(&body(&format!("v[0] = {}1{};", many("(", n), many(")", n))));
        survives(&body(&format!("v[0] = {}1;", many("- ", n))));
        survives(&body(&format!("v[0] = {}1;", many("1 + ", n))));
        survives(&body(&format!("v[0] = {}0{};", many("v[", n), many("]", n))));
        survives(&body(&format!("{}{}", many("if c {", n), many("}", n))));
        survives(&body(&format!("{}{}", many("loop {", n), many("}", n))));
        survives(&body(&format!("{}{{}}", many("if c {} else ", n))));
        survives(&body(&format!("let x = {}c;", many("c && ", n))));
        survives(&body(&format!("let x = {}c{};", many("c || (", n), many(")", n))));
        survives(&body(&format!("let x = {}1{};", many("if c {", n), many("} else { 2 }", n))));
        survives(&body(&format!("var x: {}f32{};", many("[", n), many("; 2]", n))));
        survives(&body(&format!("v[0] = v{};", many("[0]", n))));
        survives(&many("{", n));
        survives(&many("'a: {", n));
        survives(&many("kernel k() rank(1) {}\n", n));
        survives(&many("fn f() ", n));
        survives(&format!("{}{}", many("struct S { a: ", n), many("}", n)));
    }
    survives("const t: [f32; 4294967295] = zero; kernel k() rank(1) {}");
    survives("const t: [[f32; 4294967295]; 4294967295] = zero; kernel k() rank(1) {}");
    survives("const t: [f32; 4294967295 stride 0] = zero; kernel k() rank(1) {}");
    survives("const t: [[f32; 0]; 4294967295] = zero; kernel k() rank(1) {}");
    survives("const t: [[[f32; 0]; 65536]; 65536] = []; kernel k() rank(1) {}");
    survives("struct S size(4294967295) { a: [f32; 1073741823], b: [f32; 1073741823] } kernel k(s: S) rank(1) {}");
    survives("struct S { a: u8 @ 4294967295, b: u64 } kernel k(s: S) rank(1) {}");
    survives("struct S align(4294967295) size(0) {} kernel k(s: [S; 4294967295]) rank(1) {}");
    let mut doubling = "struct S0 {}\n".to_owned();
    let mut chain = "struct S0 { x: f32 }\n".to_owned();
    for i in 1..2000 {
        doubling += &format!("struct S{i} {{ a: S{0}, b: S{0} }}\n", i - 1);
        chain += &format!("struct S{i} {{ a: S{} }}\n", i - 1);
    }
    survives(&(doubling + "const t: S60 = zero; kernel k(s: S1999) rank(1) {}"));
    survives(&(chain + "kernel k(s: S1999) rank(1) {}"));
}

/// Texts on which the fuzz targets once found a crash; each is also checked, and run if it is a kernel after all.
#[test]
fn what_crashed_once_does_not_crash_again() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crashes");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let crashed = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        survives(&crashed);
        if let Ok(kernel) = text::parse("crash.kir", &crashed)
            && let Err(rejected) = tilewise_ir::check::check(kernel)
        {
            assert!(!rejected.diagnostics.is_empty());
        }
        count += 1;
    }
    assert!(count > 0, "the folder holds at least one text");
}
