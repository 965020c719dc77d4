//! Shaders in GLSL for Vulkan, read by naga.
//!
//! naga's reader of GLSL knows less of its language than that of WGSL; what it refuses is refused with its message.
//! It recurses over the text without a limit of its own, so brackets, operators and `else` are counted before. It takes
//! the versions 440 to 460; older ones, and those of OpenGL ES with compute shaders, are read as 450, which has what
//! they have.

use std::borrow::Cow;

use naga::ShaderStage;
use naga::Span;
use naga::front::glsl::{Frontend, Options};
use tilewise_ir::diag::{Code, Diagnostic};
use tilewise_ir::limits::MAX_TEXT;

use crate::block_names::name_after_blocks;
use crate::glsl_limits::{GlslFacts, misread};
use crate::glsl_module::{misread_in, separate_arguments};
use crate::module::{CodeOwner, ShaderError, ShaderModule, guarded};
use crate::shared::SharedBindings;
use crate::text::ShaderText;

/// Brackets in brackets, operators in one statement, and `else` in a text, at most. naga recurses over them, and its
/// validator takes 37 KiB of stack for each `else` in builds without optimisation.
pub(crate) const MAX_DEPTH: usize = 200;
pub(crate) const MAX_OPERATORS: usize = 2000;
pub(crate) const MAX_ELSES: usize = 1000;

impl ShaderModule {
    /// Reads a compute shader in GLSL. `name` is the file's name in reports.
    pub fn from_glsl(name: &str, text: &str) -> Result<ShaderModule, ShaderError> {
        let lines = with_line_feeds(text);
        let text: &str = &lines;
        let source = ShaderText::new(name, text);
        if text.len() > MAX_TEXT {
            let message = format!("the shader has more than {MAX_TEXT} bytes, the limit of a text");
            return Err(source.error(Diagnostic::new(Code::K0901, message)));
        }
        if let Some((at, what)) = too_deep(text) {
            let pos = source.pos(Span::new(at as u32, at as u32 + 1));
            let help = "divide the expression, or move blocks to functions";
            return Err(source.error(Diagnostic::new(Code::K0901, what).at(pos, "is one too many").help(help)));
        }
        if let Some(found) = guarded(&source, CodeOwner::Tilewise, || misread(text))? {
            let pos = source.pos(Span::new(found.place.start as u32, found.place.end as u32));
            let report = Diagnostic::new(Code::K0902, found.what).at(pos, "stands here").help(found.help);
            return Err(source.error(report));
        }
        let options = Options::from(ShaderStage::Compute);
        let readable = of_known_version(text);
        let module = guarded(&source, CodeOwner::Naga, || Frontend::default().parse(&options, &readable))?;
        let mut module = module.map_err(|errors| {
            let reports = errors.errors.iter().map(|error| {
                let pos = source.pos(error.meta);
                let report = Diagnostic::new(Code::K0901, error.kind.to_string());
                if pos.is_known() { report.at(pos, "") } else { report }
            });
            source.errors(reports.collect())
        })?;
        let found = guarded(&source, CodeOwner::Tilewise, || misread_in(&module, &GlslFacts::of(text)))?;
        if let Some(found) = found {
            let pos = source.pos(Span::new(found.place.start as u32, found.place.end as u32));
            let report = Diagnostic::new(Code::K0902, found.what).at(pos, "stands here").help(found.help);
            return Err(source.error(report));
        }
        separate_arguments(&mut module);
        name_after_blocks(&mut module);
        let shared = SharedBindings::part(&mut module);
        Ok(ShaderModule { module, source, spirv: None, is_spirv: false, has_float_layers: true, shared })
    }
}

/// The text with a line feed in place of each carriage return that stands alone: it ends a line of GLSL.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let mut parts = text.split('\r').peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(part) = parts.next() {
        out += part;
        if let Some(next) = parts.peek() {
            out.push(if next.starts_with('\n') { '\r' } else { '\n' });
        }
    }
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// Versions that are read as 450.
const OLDER: [&str; 5] = ["310", "320", "420", "430", "440"];

/// The text with a version that naga reads; positions stay.
fn of_known_version(text: &str) -> Cow<'_, str> {
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        if let Some(rest) = line.trim_start().strip_prefix("#version")
            && let Some(version) = rest.split_whitespace().next().filter(|version| OLDER.contains(version))
        {
            let at = begin + (line.len() - rest.len());
            let length = rest.trim_end().len();
            let gap = rest.find(version).unwrap_or(0);
            let blanks = " ".repeat(length - gap - version.len());
            let known = format!("{}450{blanks}", " ".repeat(gap));
            return Cow::Owned(format!("{}{known}{}", &text[..at], &text[at + length..]));
        }
        begin += line.len();
    }
    Cow::Borrowed(text)
}

/// The place of what naga would recurse over too deep, and what it is.
fn too_deep(text: &str) -> Option<(usize, String)> {
    let (mut depth, mut operators, mut elses) = (0usize, 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '+' | '-' | '*' | '/' | '%' | '!' | '~' | '<' | '>' | '=' | '&' | '|' | '^' | '?' => operators += 1,
            'e' if text[at..].starts_with("else") => elses += 1,
            _ => {}
        }
        if matches!(c, ';' | '{' | '}') {
            operators = 0;
        }
        if depth > MAX_DEPTH {
            return Some((at, format!("brackets nest more than {MAX_DEPTH} deep")));
        }
        if operators > MAX_OPERATORS {
            return Some((at, format!("more than {MAX_OPERATORS} operators in one statement")));
        }
        if elses > MAX_ELSES {
            return Some((at, format!("more than {MAX_ELSES} times `else`")));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImportOptions;

    #[test]
    fn a_shader_in_glsl_becomes_a_kernel() {
        let text = "#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 1) buffer Values { uint v[]; } values;
void main() { values.v[gl_GlobalInvocationID.x] *= 2u; }";
        let module = ShaderModule::from_glsl("a.comp", text).unwrap();
        let shader = module.import(&ImportOptions::default()).unwrap();
        assert_eq!(shader.workgroup_size, [4, 1, 1]);
        assert_eq!(shader.bindings.len(), 1);
    }

    #[test]
    fn nothing_hides_behind_a_comment_or_in_two_lines() {
        assert_eq!(with_line_feeds("a\r\nb\rc\r\rd\n\r"), "a\r\nb\nc\n\nd\n\n");
        assert_eq!(with_line_feeds("a\r\nb\n"), "a\r\nb\n");
        let refused = |body: &str| {
            let text = format!(
                "#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Values {{ uint v[]; }};
bool f() {{ v[0] += 1u; return true; }}
#define TWICE(x) x; \\
    x
void main() {{ TWICE(v[1] = 2u); {body}
}}"
            );
            ShaderModule::from_glsl("a.comp", &text).err().map(|error| error.to_string())
        };
        assert_eq!(refused("bool b = v[1] == 8u; /* && f(); */ // && f();"), None);
        for hidden in ["//\rbool b = v[1] == 8u && f();", "/*/ // */ bool b = v[1] == 8u && f();"] {
            assert!(refused(hidden).is_some_and(|error| error.contains("whose right side changes")), "{hidden}");
        }
        for define in ["#/**/define", "#\\\ndefine", "# /*\n*/ \\\r\ndefine"] {
            let hidden = format!("\n{define} AND && f()\nbool b = v[1] == 8u AND;");
            assert!(refused(&hidden).is_some_and(|error| error.contains("whose right side changes")), "{hidden}");
        }
        for split in [
            "\n#define A\\\n(x, y) x y()\nbool b = A(v[1] == 8u &&, f);",
            "bool b = v[1] == 8u &\\\n& f();",
            "bool b = v[1] == 8u &\\\r\n\\\n& f();",
            "/* *\\\n/ bool b = v[1] == 8u && f(); /* */",
            "do { conti\\\nnue; } while (false);",
        ] {
            assert!(refused(split).is_some_and(|error| error.contains("goes on in the next line")), "{split}");
        }
    }

    #[test]
    fn older_versions_are_read_as_450_in_their_place() {
        assert_eq!(of_known_version("\n #version 430 // a\nx"), "\n #version 450     \nx");
        assert_eq!(of_known_version("#version  310 es\nvoid"), "#version  450   \nvoid");
        assert_eq!(of_known_version("#version 320 es"), "#version 450   ");
        for kept in ["#version 460\n", "#version 300 es\n", "void main() {}", "#version", "#versionä 430ä"] {
            assert_eq!(of_known_version(kept), kept);
        }
        let text = "#version 310 es\nlayout(local_size_x = 2) in;\nvoid main() {}";
        assert!(ShaderModule::from_glsl("a.comp", text).is_ok());
    }

    #[test]
    fn what_naga_mistakes_is_refused() {
        let read = |declarations: &str, body: &str| {
            let text = format!(
                "#version 450\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer B {{ uint v[]; }};\n\
                 struct S {{ uint a; }};\n{declarations}\nvoid main() {{ {body} }}"
            );
            ShaderModule::from_glsl("a.comp", &text).map_err(|error| error.diagnostics[0].clone())
        };
        for (declarations, body, what) in [
            ("uint g = v[1] + 5u;", "v[0] = g;", "no constant"),
            ("uint[2] g = uint[2](v[1], 5u);", "v[0] = g[0];", "no constant"),
            ("layout(std140, set = 0, binding = 1) buffer C { S s; uint b; } c;", "v[0] = c.b;", "std140"),
            ("layout(std140, set = 0, binding = 1) buffer C { uint b; S s; } c;", "v[0] = c.s.a;", "std140"),
            ("", "v[0] = bitCount(v[1]) - 5 < 0 ? 1u : 0u;", "count of the bits"),
            (
                "uint f(uint a) { return 1u; } uint f(int a) { return 2u; }",
                "v[0] = f(bitCount(v[1]));",
                "count of the bits",
            ),
            ("", "v[0] = length(vec3(v[1] == 3u)) > 1.5 ? 1u : 0u;", "one condition"),
        ] {
            let error = read(declarations, body).expect_err(what);
            assert!(error.message.contains(what) && error.pos().is_some(), "{what}: {}", error.message);
        }
        for (declarations, body) in [
            ("uint g = 5u; const uint n = 3u; uint h[2] = uint[2](1u, 2u);", "v[0] = g + n + h[1];"),
            ("layout(std140, set = 0, binding = 1) buffer C { S s[2]; uint b; } c;", "v[0] = c.b;"),
            ("layout(set = 0, binding = 1) buffer C { S s; uint b; } c;", "v[0] = c.b;"),
            (
                "",
                "v[0] = bitCount(v[1]); v[2] = uint(int(bitCount(v[1])) - 5); if (bitCount(v[1]) + 1 > 3) { v[3] = bitCount(v[1]) + v[2]; }",
            ),
            ("", "v[0] = uint(length(vec3(float(v[1] == 3u))));"),
        ] {
            assert!(read(declarations, body).is_ok(), "{declarations} {body}");
        }
    }

    #[test]
    fn errors_stand_at_their_line() {
        let error = ShaderModule::from_glsl("a.comp", "#version 450\nvoid main() {\n  int x = y;\n}").unwrap_err();
        assert_eq!(error.diagnostics[0].pos().unwrap().line, 3);
    }

    #[test]
    fn what_nests_too_deep_is_refused() {
        let of = |body: &str| {
            let text = format!("#version 450\nvoid main() {{ int x = {body}; }}");
            ShaderModule::from_glsl("a.comp", &text).unwrap_err().diagnostics[0].message.clone()
        };
        assert!(of(&format!("{}1{}", "(".repeat(300), ")".repeat(300))).contains("brackets"));
        assert!(of(&format!("{}1", "-".repeat(3000))).contains("operators"));
        let elses = "else if (true) {} ".repeat(2500);
        assert!(too_deep(&elses).is_some_and(|(_, what)| what.contains("else")));
    }
}
