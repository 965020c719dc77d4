//! Tests of the trees that the macros write for each construct, in short form. `tilewise`, where
//! kernels run, tests that closure and tree mean the same.

mod short;

use expect_test::{Expect, expect};
use proc_macro2::{TokenStream, TokenTree};

use short::short;

/// Checks the tree that a kernel's closure becomes.
fn check(kernel: &str, expected: &Expect) {
    let tokens: TokenStream = kernel.parse().expect("tokens");
    let closure: syn::ExprClosure = syn::parse2(tokens).expect("a closure");
    expected.assert_eq(&short(&crate::kernel::kernel(&closure)));
}

/// Checks the tree that a function becomes.
fn check_function(function: &str, expected: &Expect) {
    let tokens: TokenStream = function.parse().expect("tokens");
    let item: syn::ItemFn = syn::parse2(tokens).expect("a function");
    expected.assert_eq(&short(&crate::function::function(&item, crate::function::AmpOptions::default())));
}

#[test]
fn literals_and_operators() {
    check(
        "|i| { let x = 1 + 2.5f32 * -3 - !true as i32; }",
        &expect![[r#"
        kernel(%0 Value :0) captures [] locals [i, x]
        let %1 = ((1:1 +@2 (2.5f:2 *@1 (-@0 3:3))) -@4 ((!@3 true:4) as :5));"#]],
    );
}

#[test]
fn a_chain_that_is_too_deep_is_an_error() {
    let expanded = |arms: usize| {
        let chain: String = (0..arms).map(|k| format!("if i[0] == {k} {{ v[i] = {k}; }} else ")).collect();
        let tokens: TokenStream = format!("|i| {{ {chain} {{ v[i] = 7; }} }}").parse().expect("tokens");
        crate::kernel::kernel(&syn::parse2(tokens).expect("a closure")).to_string()
    };
    assert!(!expanded(20).contains("nested too deep"));
    assert!(expanded(400).contains("nested too deep"));
}

/// What rustc does for a kernel: at each use of a witness or a link it looks at all that are declared and not used yet.
fn looks_of_rustc(kernel: &str) -> usize {
    fn names(tokens: TokenStream, into: &mut Vec<String>) {
        let mut kept = false;
        for token in tokens {
            match token {
                // The parts of a tuple that is kept are not inferred by that.
                TokenTree::Group(_) if std::mem::take(&mut kept) => {}
                TokenTree::Group(group) => names(group.stream(), into),
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    kept = name == "is" && into.last().is_some_and(|last| last.starts_with("__k"));
                    let numbered = |start| name.strip_prefix(start).is_some_and(|end| end.parse::<u32>().is_ok());
                    if ["__w", "__l", "__k"].into_iter().any(numbered) {
                        into.push(name);
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let closure = syn::parse_str::<syn::ExprClosure>(kernel).expect("a closure");
    let mut all = Vec::new();
    names(crate::kernel::kernel(&closure), &mut all);
    let (mut seen, mut open) = (std::collections::HashSet::new(), std::collections::HashSet::new());
    let mut looks = 0;
    for name in all {
        if seen.insert(name.clone()) {
            open.insert(name);
        } else {
            looks += open.len();
            open.remove(&name);
        }
    }
    looks
}

/// Of two kernels, one with four times the statements: the square would be sixteen times the work.
#[test]
fn four_times_the_statements_take_less_than_eight_times_the_work() {
    let statements = |count: usize, inside: &str| {
        let body: String = (0..count).map(|k| format!("a = a.wrapping_mul(31) ^ v[{k}];")).collect();
        looks_of_rustc(&inside.replace("BODY", &format!("let mut a = i[0]; {body} v[i] = a;")))
    };
    for inside in
        ["|i| { BODY }", "|i| { for k in 0..3 { if k > 1 { BODY } } }", "|i| { let f = |x: i32| { BODY }; f(1); }"]
    {
        let (few, many) = (statements(200, inside), statements(800, inside));
        assert!(many < 8 * few, "{inside}: {few}, and {many} for four times the statements");
    }
    let operands = |count| looks_of_rustc(&format!("|i| {{ v[i] = {}; }}", vec!["v[i]"; count].join(" ^ ")));
    let (few, many) = (operands(200), operands(800));
    assert!(many < 8 * few, "{few}, and {many} for four times the operands");
}

#[test]
fn captures_and_constants() {
    check(
        "|i| { out[i] = a[i] + K + m::K + T::K + Color::Red as i32 + self.x; }",
        &expect![[r#"
            kernel(%0 Value :0) captures [a 1:16, self.x 1:66, out 1:7] locals [i]
            $2[%0]@6 = ((((($0[%0]@0 +@1 #0) +@2 #1) +@3 #2) +@4 (#3 as :1)) +@5 $1);"#]],
    );
}

#[test]
fn each_use_of_a_constant_is_one_of_its_own() {
    check(
        "|i| { let x = K + K + const { 1 } + const { 1 }; match x { K => 1, _ => K } }",
        &expect![[r#"
        kernel(%0 Value :0) captures [] locals [i, x]
        let %1 = (((#0 +@0 #1) +@1 #2) +@2 #3);
        match %1 { #4 => 1:1, _ => #5 }"#]],
    );
}

#[test]
fn places() {
    check(
        "|i| { let mut t = (1, [2]); v[i].pos.x = 1.0; v[i][2] += 3; t.0 -= 1; t.1[0] = 5; }",
        &expect![[r#"
            kernel(%0 Value :0) captures [v 1:29] locals [i, mut t]
            let %1 = (1:1, [2:2]:3);
            $0[%0]@0.pos.x = 1.0f:4;
            $0[%0]@1[2:6]@2 +=@3 3:5;
            %1.0 -=@4 1:7;
            %1.1[0:9]@5 = 5:8;"#]],
    );
}

#[test]
fn loops_and_labels() {
    check(
        "|i| { 'a: for k in (0..n).rev().step_by(2) { while k > 1 { continue 'a; } loop { break 3 } } let y = 'b: { break 'b 1; }; }",
        &expect![[r#"
            kernel(%0 Value :0) captures [n 1:24] locals [i, k, y]
            '0: for %1:1 in 0:1..$0.rev.step_by 2:2 { '1: while (%1 >@0 1:3) { continue '0; }; '2: loop { break '2 3:4 } };
            let %2 = '3: { break '3 1:5; };"#]],
    );
}

#[test]
fn patterns() {
    check(
        "|i| { let (a, mut b) = c; match (a, b) { (0 | -1, _) => 1, (K..=5, x) if x > 2 => x, (y, Color::Red) => y, _ => 0 } }",
        &expect![[r#"
            kernel(%0 Value :0) captures [c 1:24] locals [i, a, mut b, x, y]
            let (%1, %2) = $0;
            match (%1, %2) { (0 | -1, _) => 1:1, (#0..=5, %3) if (%3 >@0 2:2) => %3, (%4, #1) => %4, _ => 0:3 }"#]],
    );
}

#[test]
fn calls_and_arguments() {
    check(
        "|i| { f(&a, &mut b, c); m::g::<f32>(1); T::new(2).h(3); Pair(1, 2); P { x: 1, ..q }; [0; N]; [1, 2] }",
        &expect![[r#"
            kernel(%0 Value :0) captures [a 1:10, b 1:18, c 1:21, q 1:81] locals [i]
            @0(&$0, &mut $1, $2@1);
            @2(1:1);
            @4(@3(2:2), 3:3);
            :6#0 { 0: 1:4, 1: 2:5 };
            :8#1 { x: 1:7, ..$3 };
            [0:9; _]:10;
            [1:11, 2:12]:13"#]],
    );
}

#[test]
fn messages() {
    check(
        "|i| { print!(\"{} and {{{n}}}\", i[0]); if n > 3 { error!(\"no\") } else { abort!() } }",
        &expect![[r#"
            kernel(%0 Value :0) captures [n 1:14] locals [i]
            print(["", " and {", "}"], %0[0:1]@0, $0);
            if ($0 >@1 3:2) { error(["no"], ); } else { abort; }"#]],
    );
}

#[test]
fn variables_of_a_tile() {
    check(
        "|t| { #[tile_static] let s: [f32; 4]; s[0] = s[1]; s = x; f(&s); s.atomic(1).fetch_add(2); }",
        &expect![[r#"
            kernel(%0 Value :0) captures [x 1:56] locals [t, mut s]
            tile_static %1 :1;
            %1[0:3]@1 = %1[1:2]@0;
            %1 = $0;
            @2(&%1);
            @4(@3(%1, 1:4), 2:5);"#]],
    );
}

#[test]
fn functions() {
    check_function(
        "fn f<T: Scalar>(a: &ArrayView<'_, T>, p: &mut T, (x, y): (T, i32)) -> T { *p += x; let z = LIMIT + other; return a[y]; }",
        &expect![[r#"
            f(%0 Ref :0, %1 RefMut :1, (%2, %3) Value :2) -> :3 captures [] locals [a, p, x, y, z]
            *%1 +=@0 %2;
            let %4 = (#0 +@1 #1);
            return %0[%3]@2;"#]],
    );
}

/// The error for a `&mut` parameter used as a value.
const LENT: &str = "`p` is a `&mut` reference, and in a kernel those are arguments of calls, or get another name by `let`: use `*p` or its fields";

/// The error for assigning to a reference itself.
const REBOUND: &str = "`p` is a reference, and a kernel cannot make it refer to something else: assign to `*p`, or bind the other to a name of its own";

/// The mistakes of a function whose parameters are references.
fn mistakes_with_references(body: &str) -> String {
    let function = format!("fn f<'a>(mut p: &'a mut P, r: &'a mut P, c: bool) {{ {body} }}");
    let item: syn::ItemFn = syn::parse_str(&function).expect("a function");
    let tokens = crate::function::function(&item, crate::function::AmpOptions::default());
    if tokens.to_string().contains("compile_error") { short(&tokens) } else { String::new() }
}

#[test]
fn a_mutable_reference_is_no_value() {
    for body in [
        "inc({ p });",
        "{ p }.grow(7);",
        "inc(if c { p } else { *r });",
        "(if c { (p) } else { *r }).x = 9;",
        "(match 0 { _ => p }).grow(7);",
        "let mut q = loop { break p };",
        "let mut q = 'a: { break 'a p; };",
        "let q = [p];",
        "let q = [p; 1];",
        "let q = Pair(p, 1);",
        "let q = Pair { a: p };",
        "let q = Pair { a: 1, ..p };",
        "let q; q = p;",
        "return p;",
        "p",
        "let q = p < *r;",
        "let q = p as i32;",
    ] {
        let told = mistakes_with_references(body);
        assert!(told.lines().any(|line| line == LENT), "{body}: {told}");
    }
}

#[test]
fn a_reference_cannot_be_made_to_refer_to_something_else() {
    for body in ["p = *r;", "(p) = *r;", "p += 1;", "if c { p = *r; }"] {
        assert_eq!(mistakes_with_references(body), REBOUND, "{body}");
    }
    let of_tuple = mistakes_with_references("let (mut q, k) = (p, 4); q = *r;");
    assert_eq!(of_tuple, REBOUND.replacen("`p` is", "`q` is", 1).replace("`*p`", "`*q`"));
    check_function(
        "fn f(mut p: &P, q: &P) -> i32 { p = q; p.x }",
        &expect![[
            r#"`p` is a reference, and a kernel cannot make it refer to something else: assign to `*p`, or bind the other to a name of its own"#
        ]],
    );
}

#[test]
fn what_a_reference_refers_to_can_be_used() {
    for body in [
        "inc(p); inc((p)); inc(&mut *p); inc(&mut (*p)); look(&*p); inc(&mut p.x);",
        "p.grow(7); (p).grow(7); let q = *p; let q = (*p).x + p.x + (p).x + p[0];",
        "let mut q = p; q.x = 50;",
        "let q = p; inc(q); *q = *r;",
        "let q: &mut P = p; q.grow(7);",
        "match p { q => q.grow(7) };",
        "let q = &mut *p; let P { x, .. } = q; *x += 1;",
        "let (mut q, k) = (p, 4); q.grow(k); q.x = k;",
        "*p = *r; p.x = 1; (p).x += 1; p[1].y = 2; *p += 1; let q = (*p, r.x);",
    ] {
        assert_eq!(mistakes_with_references(body), "", "{body}");
    }
}

#[test]
fn every_mistake_is_reported() {
    check(
        "|i| { let f = |x| x; let s = \"a\"; a.b()?; vec![1]; if let 1 = x {} }",
        &expect![[r#"
            there are no strings in a kernel; `print!` and `error!` take one as their first argument
            `?` stands in an `#[amp]` function that returns an `Option` or a `Result`; there is no caller that gets the `None`: write `let Some(x) = .. else { return };`
            `vec!` cannot be used in a kernel; a kernel has no heap: use an array, `[0.0; 16]`"#]],
    );
}

/// The number of groups that a macro writes for a kernel, on a thread with this much stack.
fn groups_on_a_stack(bytes: usize, kernel: String) -> usize {
    let run = move || {
        let closure: syn::ExprClosure = syn::parse_str(&kernel).expect("a closure");
        let (mut streams, mut groups) = (vec![crate::kernel::kernel(&closure)], 0);
        while let Some(stream) = streams.pop() {
            for token in stream {
                match token {
                    TokenTree::Group(group) => {
                        groups += 1;
                        streams.push(group.stream());
                    }
                    TokenTree::Ident(name) => assert_ne!(name.to_string(), "compile_error", "{kernel}"),
                    _ => {}
                }
            }
        }
        groups
    };
    std::thread::Builder::new().stack_size(bytes).spawn(run).expect("a thread").join().expect("no overflow")
}

/// rustc expands macros on a stack of 8 MiB, of which it may have used some itself.
#[test]
fn long_sums_and_nested_expressions_fit_the_stack() {
    let sum = vec!["x"; tilewise_ast::MAX_DEPTH as usize / 2 - 20].join(" + ");
    assert!(groups_on_a_stack(3 << 20, format!("|i| {{ out[i] = {sum}; }}")) > 900);
    let mixed = vec!["x * 2 - a[i]"; tilewise_ast::MAX_DEPTH as usize / 2 - 20].join(" ^ ");
    assert!(groups_on_a_stack(3 << 20, format!("|i| {{ out[i] += {mixed}; }}")) > 900);
    let deep = tilewise_ast::MAX_DEPTH as usize / 2 - 20;
    for (open, close) in [("(", ")"), ("(1 + ", ")"), ("-", ""), ("f(", ")"), ("a[", "]"), ("{ ", " }")] {
        // A block is a level more.
        let deep = if open == "{ " { deep / 3 * 2 } else { deep };
        let nested = format!("{}i[0]{}", open.repeat(deep), close.repeat(deep));
        assert!(groups_on_a_stack(4 << 20, format!("|i| {{ out[i] = {nested}; }}")) > 0, "{open}");
    }
    // No kernel is as long as this; the macro says so, and does not run out of stack.
    let long = format!("|i| {{ out[i] = {}; }}", vec!["x"; 2000].join(" + "));
    let run = move || crate::kernel::kernel(&syn::parse_str(&long).expect("a closure")).to_string();
    let expanded = std::thread::Builder::new().stack_size(3 << 20).spawn(run).expect("a thread").join();
    assert!(expanded.expect("no overflow").contains("nested too deep"));
}

/// Whether the derive calls a struct plain data.
fn is_plain_data(item: &str) -> bool {
    let item: syn::DeriveInput = syn::parse_str(item).expect("a struct");
    let written = crate::structs::derive(&item).to_string();
    assert!(!written.contains("compile_error"), "{written}");
    written.contains("Pod")
}

#[test]
fn a_struct_with_parameters_is_plain_data_if_nothing_can_change_that() {
    assert!(is_plain_data("#[repr(C)] struct S<T> { a: T, b: [[T; 3]; N] }"));
    assert!(is_plain_data("/// Words. \n #[must_use] #[repr(C)] struct S<const N: usize>([f32; N]);"));
    assert!(is_plain_data("#[repr(transparent)] struct S<r#type>(r#type);"));
    assert!(is_plain_data("#[repr(packed, C)] #[repr(C)] struct S<T>(T);"));
    // The effect of another macro on the struct is unknown.
    assert!(!is_plain_data("#[repr(C)] #[more_fields] struct S<T> { a: T }"));
    assert!(!is_plain_data("#[repr(C)] #[other::repr(align(64))] struct S<T> { a: T }"));
    // Another macro can have this name.
    assert!(!is_plain_data("#[derive(Debug)] #[repr(C)] struct S<T> { a: T }"));
    for repr in ["", "#[repr(packed)]", "#[repr(C, align(8))]", "#[repr(align(8))] #[repr(C)]", "#[repr(C, Rust)]"] {
        assert!(!is_plain_data(&format!("{repr} struct S<T> {{ a: T }}")), "{repr}");
    }
    for fields in ["(T, U)", "(T, f32)", "(f32, f64)", "(T::Of)", "(<T as Of>::Of)", "(t!())", "(Of<T>)", "(self::f32)"]
    {
        assert!(!is_plain_data(&format!("#[repr(C)] struct S<T, U> {fields};")), "{fields}");
    }
    // Without parameters, the constant proves it.
    assert!(is_plain_data("#[more_fields] struct S(f32, f64, t!());"));
}

/// rustc reports it, and more text about its fields would be more errors.
#[test]
fn of_a_type_that_contains_itself_nothing_is_written() {
    let is_empty = |text: &str| {
        let item: syn::DeriveInput = syn::parse_str(text).expect("a type");
        crate::structs::derive(&item).is_empty()
    };
    assert!(is_empty("struct Node { value: i32, next: Option<Node> }"));
    assert!(is_empty("enum Tree { Leaf(i32), Pair([Self; 2]) }"));
    assert!(is_empty("struct Pair((i32, std::result::Result<u32, Pair>));"));
    assert!(!is_empty("struct Node { value: i32, next: Option<other::Node> }"));
    assert!(!is_empty("struct Node { value: i32, next: Box<Node> }"));
}

#[test]
fn a_repr_that_rustc_does_not_know_is_an_error() {
    let item: syn::DeriveInput = syn::parse_str("#[repr(C(] struct S<T>(T);")
        .unwrap_or_else(|_| syn::parse_str("#[repr = \"C\"] struct S<T>(T);").expect("a struct"));
    assert!(crate::structs::derive(&item).to_string().contains("compile_error"));
}

/// Another expansion of a macro may be another type.
#[test]
fn a_type_that_a_macro_writes_is_expanded_once() {
    let derived = |text: &str| {
        let item: syn::DeriveInput = syn::parse_str(text).expect("a struct");
        crate::structs::derive(&item).to_string()
    };
    let written = derived("struct S { a: t!(), b: [u8; n!()], c: m::T<t!()>, d: f32 }");
    assert_eq!((written.matches("t ! ()").count(), written.matches("n ! ()").count()), (2, 1), "{written}");
    assert!(written.contains("unsafe impl"), "{written}");
    let with_parameters = derived("#[repr(C)] struct S<T> { a: [T; n!()] }");
    assert!(!with_parameters.contains("unsafe impl"), "{with_parameters}");
    assert!(derived("#[repr(C)] struct S<T> { a: [T; 2] }").contains("unsafe impl"));
}

/// An `unsafe` trait is one with `#[amp]` too: else safe code could implement it.
#[test]
fn unsafe_traits_stay_unsafe() {
    let of_trait = |text: &str| crate::methods::interface(&syn::parse_str(text).expect("a trait")).to_string();
    let of_impl = |text: &str| {
        let item: syn::ItemImpl = syn::parse_str(text).expect("an `impl`");
        crate::methods::implementation(&item, crate::function::AmpOptions::default()).to_string()
    };
    assert!(of_trait("unsafe trait Place { fn at(x: i32) -> i32; }").contains("unsafe trait Place"));
    assert!(!of_trait("pub trait Place { fn at(x: i32) -> i32; }").contains("unsafe"));
    assert!(of_trait("auto trait Place {}").contains("compile_error"));
    assert!(of_impl("unsafe impl Place for i32 { fn at(x: i32) -> i32 { x } }").contains("unsafe impl Place for i32"));
    assert!(of_impl("unsafe impl P { fn at(x: i32) -> i32 { x } }").contains("unsafe impl P"));
    assert!(!of_impl("impl Place for i32 { fn at(x: i32) -> i32 { x } }").contains("unsafe"));
}
