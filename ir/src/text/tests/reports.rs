//! Reports as a user sees them.

use expect_test::{Expect, expect};

use super::super::{parse, parse_all, print};

fn fails(text: &str, expected: Expect) {
    match parse("a.kir", text) {
        Ok(kernel) => panic!("this parses:\n{}", print(&kernel)),
        Err(failure) => expected.assert_eq(&failure.to_string()),
    }
}

/// The same for statements of a kernel.
fn refuses(statements: &str, expected: Expect) {
    fails(
        &format!(
            "struct P {{ pos: f32x3, mass: f32 }}\nfn f(x: i32, p: &mut P) {{ }}\nkernel k(v: view<i32, 1, read_write>, q: P) rank(1) {{\n    {statements}\n}}\n"
        ),
        expected,
    );
}

#[test]
fn unknown_names_are_reported_once_with_near_ones() {
    refuses(
        "let total = 1;\n    v[0] = totl + totl;\n    let y = bad;\n    v[y] = y;",
        expect![[r#"
        error[K0002]: nothing here has the name `totl`
         --> a.kir:5:12
          |
        5 |     v[0] = totl + totl;
          |            ^^^^ not declared
          |
          = help: did you mean `total`?

        error[K0002]: nothing here has the name `bad`
         --> a.kir:6:13
          |
        6 |     let y = bad;
          |             ^^^ not declared
    "#]],
    );
}

#[test]
fn a_missing_semicolon_is_shown_where_it_is_missing() {
    refuses(
        "let a = 1\n    let b = 2;\n    v[a] = b",
        expect![[r#"
        error[K0001]: expected `;` behind the `let`
         --> a.kir:4:14
          |
        4 |     let a = 1
          |              ^ a `;` is missing here

        error[K0001]: expected `;` behind the assignment
         --> a.kir:6:13
          |
        6 |     v[a] = b
          |             ^ a `;` is missing here
    "#]],
    );
}

#[test]
fn assignment_for_comparison_is_explained() {
    refuses(
        "if v[0] = 1 { }",
        expect![[r#"
            error[K0001]: expected `{`, which begins the block of the `if`, found `=`
             --> a.kir:4:13
              |
            4 |     if v[0] = 1 { }
              |             ^ expected `{`, which begins the block of the `if`
              |
              = help: `==` compares
        "#]],
    );
}

#[test]
fn words_of_other_languages_are_translated() {
    refuses(
        "let mut a = 1;\n    v[0] += 1;\n    var i: int = 0;\n    let t: i32 = 4;\n    for i in v { }",
        expect![[r#"
            error[K0016]: `let mut` is not of this language
             --> a.kir:4:9
              |
            4 |     let mut a = 1;
              |         ^^^
              |
              = help: a variable that changes is declared with `var name: type = value;`

            error[K0001]: there is no `+=`
             --> a.kir:5:10
              |
            5 |     v[0] += 1;
              |          ^^
              |
              = help: write `v[0] = v[0] + 1;`

            error[K0005]: no type has the name `int`
             --> a.kir:6:12
              |
            6 |     var i: int = 0;
              |            ^^^ not a type
              |
              = help: did you mean `i32`?

            error[K0001]: a `let` has the type of its value
             --> a.kir:7:10
              |
            7 |     let t: i32 = 4;
              |          ^ no type is written here
              |
              = help: leave the type out; only `var` has one

            error[K0001]: there is no `for`
             --> a.kir:8:5
              |
            8 |     for i in v { }
              |     ^^^ loops are written otherwise
              |
              = help: write `var i: i32 = 0; while i < n { .. } continuing { i = i + 1; }`: `continue` goes to the continuing part
        "#]],
    );
}

#[test]
fn fields_and_components_are_checked() {
    refuses(
        "v[0] = q.mas;\n    v[1] = q.pos.q;\n    v[2] = q.pos.xyzwx;",
        expect![[r#"
        error[K0006]: `P` has no field `mas`
         --> a.kir:4:14
          |
        4 |     v[0] = q.mas;
          |              ^^^ not a field
          |
          = help: did you mean `mass`?

        error[K0006]: `.q` names no components
         --> a.kir:5:18
          |
        5 |     v[1] = q.pos.q;
          |                  ^
          |
          = note: components are written with the letters x, y, z and w, at most four of them

        error[K0006]: `.xyzwx` names no components
         --> a.kir:6:18
          |
        6 |     v[2] = q.pos.xyzwx;
          |                  ^^^^^
          |
          = note: components are written with the letters x, y, z and w, at most four of them
    "#]],
    );
}

#[test]
fn hiding_is_refused() {
    refuses(
        "let a = 1;\n    if a == 1 { let a = 2; }\n    let v = 3;\n    let sqrt = 1;",
        expect![[r#"
        error[K0003]: the name `a` is taken
         --> a.kir:5:21
          |
        4 |     let a = 1;
          |         - first declared here
        5 |     if a == 1 { let a = 2; }
          |                     ^ declared again here
          |
          = note: a name may not hide another one
          = help: choose another name, or end the block of the first one before

        error[K0003]: the name `v` is taken
         --> a.kir:6:9
          |
        3 | kernel k(v: view<i32, 1, read_write>, q: P) rank(1) {
          |          - first declared here
        ...
        6 |     let v = 3;
          |         ^ declared again here
          |
          = note: a name may not hide another one
          = help: choose another name, or end the block of the first one before

        error[K0016]: `sqrt` has a meaning of its own and can not name a value
         --> a.kir:7:9
          |
        7 |     let sqrt = 1;
          |         ^^^^ choose another name
    "#]],
    );
}

#[test]
fn labels_and_loops() {
    refuses(
        "'outer: loop { break 'outr; }\n    break;\n    loop { break if true; }",
        expect![[r#"
        error[K0007]: no loop or scope around this has the label `'outr`
         --> a.kir:4:26
          |
        4 |     'outer: loop { break 'outr; }
          |                          ^^^^^ not known here
          |
          = help: did you mean `'outer`?

        error[K0007]: `break` outside of a loop
         --> a.kir:5:5
          |
        5 |     break;
          |     ^^^^^ no loop is around this

        error[K0001]: `break if` is the last line of a continuing part
         --> a.kir:6:12
          |
        6 |     loop { break if true; }
          |            ^^^^^
          |
          = help: write `if condition { break; }`
    "#]],
    );
}

#[test]
fn numbers() {
    refuses(
        "let a = 3000000000;\n    let b = 1e39;\n    let c = 0x1.8;\n    let d = 12u8;\n    let e = -1u32;\n    let g = nan(0x1);",
        expect![[r#"
            error[K0004]: this number does not fit in `i32`, which goes from -2147483648 to 2147483647
             --> a.kir:4:13
              |
            4 |     let a = 3000000000;
              |             ^^^^^^^^^^
              |
              = help: `u32` has room for it: add the suffix `u32`

            error[K0004]: this number is too large for `f32`
             --> a.kir:5:13
              |
            5 |     let b = 1e39;
              |             ^^^^
              |
              = help: infinity is written `inf`

            error[K0004]: a hex float has an exponent
             --> a.kir:6:13
              |
            6 |     let c = 0x1.8;
              |             ^^^^^
              |
              = help: end it with `p+0`: `0x1.8p+0` is 1.5

            error[K0004]: a number can not end in `u8`
             --> a.kir:7:13
              |
            7 |     let d = 12u8;
              |             ^^^^
              |
              = help: suffixes are `u32`, `i64`, `u64`, `f64`; without one a number is an `i32` or `f32`

            error[K0004]: this number does not fit in `u32`, which goes from 0 to 4294967295
             --> a.kir:8:14
              |
            8 |     let e = -1u32;
              |              ^^^^

            error[K0004]: these are not the bits of a NaN of type `f32`
             --> a.kir:9:17
              |
            9 |     let g = nan(0x1);
              |                 ^^^
        "#]],
    );
}

#[test]
fn places_values_and_references() {
    refuses(
        "f(1, &mut q) = 3;\n    let y = f(1, &mut q);\n    v[0] + 1 = 2;\n    f(1, &q);\n    copy(q, 3);",
        expect![[r#"
            error[K0013]: this is a value, not a place
             --> a.kir:4:5
              |
            4 |     f(1, &mut q) = 3;
              |     ^^^^^^^^^^^^ a value can not be assigned to
              |
              = note: places are variables, elements of views, and fields and elements of places; parentheses end a place

            error[K0014]: this function gives no value
             --> a.kir:5:13
              |
            5 |     let y = f(1, &mut q);
              |             ^^^^^^^^^^^^ a value is wanted here

            error[K0013]: this is a value, not a place
             --> a.kir:6:5
              |
            6 |     v[0] + 1 = 2;
              |     ^^^^^^^^ a value can not be assigned to
              |
              = note: places are variables, elements of views, and fields and elements of places; parentheses end a place

            error[K0015]: the parameter `p` of `f` is a `&mut` reference
             --> a.kir:7:10
              |
            2 | fn f(x: i32, p: &mut P) { }
              |              - declared here
            ...
            7 |     f(1, &q);
              |          ^^ write `&mut` here

            error[K0013]: this is a value, not a place
             --> a.kir:8:13
              |
            8 |     copy(q, 3);
              |             ^ a place is wanted here
              |
              = note: places are variables, elements of views, and fields and elements of places; parentheses end a place
        "#]],
    );
}

#[test]
fn calls() {
    refuses(
        "let a = sqr(1.0);\n    let b = extnt(v, 0);\n    let c = test_math::hlf(1.0);\n    let d = half(1.0);\n    let e = f32x3(1.0, 2);\n    let g = 1 < 2 < 3;",
        expect![[r#"
            error[K0002]: no function has the name `sqr`
             --> a.kir:4:13
              |
            4 |     let a = sqr(1.0);
              |             ^^^ not declared
              |
              = help: did you mean `sqrt`?

            error[K0002]: no function has the name `extnt`
             --> a.kir:5:13
              |
            5 |     let b = extnt(v, 0);
              |             ^^^^^ not declared
              |
              = help: did you mean `extent`?

            error[K0002]: no function has the name `test_math::hlf`
             --> a.kir:6:13
              |
            6 |     let c = test_math::hlf(1.0);
              |             ^^^^^^^^^^^^^^ not declared
              |
              = help: did you mean `test_math::half`?

            error[K0002]: no function has the name `half`
             --> a.kir:7:13
              |
            7 |     let d = half(1.0);
              |             ^^^^ not declared
              |
              = help: write `x as f16`

            error[K0015]: `f32x3` has 3 components, not 2
             --> a.kir:8:13
              |
            8 |     let e = f32x3(1.0, 2);
              |             ^^^^^^^^^^^^^

            error[K0001]: comparisons are not chained
             --> a.kir:9:19
              |
            9 |     let g = 1 < 2 < 3;
              |                   ^ a second comparison
              |
              = help: write `a < b && b < c`, or parentheses
        "#]],
    );
}

#[test]
fn strings() {
    refuses(
        "print(\"a {} \", 1, 2);\n    print(\"a { b\");\n    print(\"a \\q\");\n    print(\"open);\n    abort;",
        expect![[r#"
            error[K0011]: the text has 1 hole, and 2 values are given
             --> a.kir:4:11
              |
            4 |     print("a {} ", 1, 2);
              |           ^^^^^^^
              |
              = note: each `{}` stands for a value; `{{` and `}}` are braces

            error[K0011]: `{` has no meaning here
             --> a.kir:5:14
              |
            5 |     print("a { b");
              |              ^
              |
              = help: `{` begins a hole, which is written `{}`; a brace is written `{{`

            error[K0011]: `\` has no meaning here
             --> a.kir:6:14
              |
            6 |     print("a \q");
              |              ^
              |
              = help: escapes are \n \t \\ \" and \u{..}

            error[K0011]: this string has no end
             --> a.kir:7:11
              |
            7 |     print("open);
              |           ^ begins here
              |
              = help: end it with `"` on the same line; a line break in it is written `\n`
        "#]],
    );
}

#[test]
fn layouts() {
    fails(
        "struct A { x: f32 @ 0, y: f32 @ 2 }\nstruct B size(4) { x: f64 }\nstruct C align(3) { }\nstruct D { x: [f32; 2 stride 3], x: f32 }\nstruct E { x: [u64; 4294967295], y: Flot }\nkernel k() rank(1) { }\n",
        expect![[r#"
            error[K0008]: the fields `x` and `y` overlap
             --> a.kir:1:24
              |
            1 | struct A { x: f32 @ 0, y: f32 @ 2 }
              |            -           ^ begins at byte 2
              |            |
              |            ends at byte 4

            error[K0008]: the fields of `B` leave the struct
             --> a.kir:2:10
              |
            2 | struct B size(4) { x: f64 }
              |          ^^^^^^^ the last field ends at byte 8, behind the size of 4

            error[K0008]: 3 is no alignment
             --> a.kir:3:10
              |
            3 | struct C align(3) { }
              |          ^^^^^^^^
              |
              = note: an alignment is a power of two

            error[K0008]: the elements of this array overlap
             --> a.kir:4:30
              |
            4 | struct D { x: [f32; 2 stride 3], x: f32 }
              |                              ^ an element takes 4 bytes

            error[K0003]: the field `x` is declared twice
             --> a.kir:4:34
              |
            4 | struct D { x: [f32; 2 stride 3], x: f32 }
              |            - first declared here ^ declared again here

            error[K0005]: no type has the name `Flot`
             --> a.kir:5:37
              |
            5 | struct E { x: [u64; 4294967295], y: Flot }
              |                                     ^^^^ not a type
              |
              = note: a struct is declared above its use
        "#]],
    );
}

#[test]
fn tables() {
    fails(
        "const a: [i32; 2] = [1, 2, 3];\nconst b: [i32; 2] = [1];\nconst c: [f32; 1] = [1];\nconst d: [f32; 4294967295] = zero;\nkernel k() rank(1) { }\n",
        expect![[r#"
            error[K0017]: the type has 2 values here
             --> a.kir:1:28
              |
            1 | const a: [i32; 2] = [1, 2, 3];
              |                            ^ one too many

            error[K0017]: the type has 2 values here
             --> a.kir:2:21
              |
            2 | const b: [i32; 2] = [1];
              |                     ^ only 1

            error[K0017]: this is of type `i32`, where the table has `f32`
             --> a.kir:3:22
              |
            3 | const c: [f32; 1] = [1];
              |                      ^ expected a `f32`
              |
              = help: write it with a point: `1.0`

            error[K0017]: this table is too large
             --> a.kir:4:7
              |
            4 | const d: [f32; 4294967295] = zero;
              |       ^^^^^^^^^^^^^^^^^^^^
              |
              = note: a table has at most 524280 scalars
              = help: hand the data over in a view
        "#]],
    );
}

#[test]
fn files_without_a_kernel_or_with_an_open_block() {
    fails(
        "struct A { x: f32 }\n",
        expect![[r#"
        error[K0010]: this text has no kernel
         --> a.kir:1:21
          |
        1 | struct A { x: f32 }
          |                    ^ expected `kernel name(..) rank(..) { .. }`
    "#]],
    );
    fails(
        "kernel k() rank(1) {\n    if true {\n        abort;\n}\nkernel k() tile() { }\n# what\n",
        expect![[r#"
            error[K0001]: this block has no end
             --> a.kir:1:20
              |
            1 | kernel k() rank(1) {
              |                    ^ begins here
            ...
            5 | kernel k() tile() { }
              | ------ expected `}` before this

            error[K0010]: two kernels have the name `k`
             --> a.kir:5:8
              |
            1 | kernel k() rank(1) {
              |        - first here
            ...
            5 | kernel k() tile() { }
              |        ^ again here

            error[K0001]: a tile has at least one dimension
             --> a.kir:5:17
              |
            5 | kernel k() tile() { }
              |                 ^

            error[K0012]: `#` has no meaning here
             --> a.kir:6:1
              |
            6 | # what
              | ^
              |
              = help: a comment begins with `//`
        "#]],
    );
}

#[test]
fn the_tables_of_a_file_are_limited_together() {
    let tables = |count: usize| (0..count).map(|i| format!("const t{i}: [u8; 65536] = zero;\n")).collect::<String>();
    let kernels = |count: usize| (0..count).map(|i| format!("kernel k{i}() rank(1) {{}}\n")).collect::<String>();
    assert!(parse_all("a.kir", &(tables(16) + &kernels(2))).is_ok());
    fails(
        &(tables(17) + &kernels(1)),
        expect![[r#"
            error[K0017]: the tables have 1114112 scalars together
              --> a.kir:17:7
               |
            17 | const t16: [u8; 65536] = zero;
               |       ^^^^^^^^^^^^^^^^ 65536 in this one
               |
               = note: the tables of a file have at most 1048576
               = help: pass large ones as views
        "#]],
    );
    fails(
        &(tables(16) + &kernels(40)),
        expect![[r#"
            error[K0010]: these are too many kernels for tables of this size
              --> a.kir:49:8
               |
            49 | kernel k32() rank(1) {}
               |        ^^^
               |
               = note: each kernel of a file includes all tables above it
               = help: divide the file
        "#]],
    );
}

#[test]
fn a_file_gets_so_many_hints_for_misspelt_names_as_are_found_in_little_time() {
    let long = "a_very_long_name_that_begins_as_all_the_others_do";
    let names: String = (0..300).map(|i| format!("let {long}{i:03} = n; ")).collect();
    let wrong: String = (0..40).map(|i| format!("-{long}{i:03}x; ")).collect();
    let failure = parse("a.kir", &format!("kernel k(n: i32) rank(1) {{ {names} {wrong} }}")).expect_err("names");
    let shown = failure.to_string();
    assert_eq!(shown.matches("error[K0002]").count(), 40);
    let hints = shown.matches("did you mean").count();
    assert!((3..20).contains(&hints), "{hints}");
    assert!(shown.contains(&format!("did you mean `{long}000`?")), "{shown}");
}
