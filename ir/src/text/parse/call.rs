//! Everything with arguments: operations, built-ins, views, atomics, vectors, messages and
//! functions.

use super::operand::Operand;
use super::scope::{self, NameMeaning};
use super::{ParseFailed, Parsed, Parser, foreign};
use crate::build::LinkedItem;
use crate::diag::{Code, Diagnostic};
use crate::format::ValueFormat;
use crate::kernel::{AtomicOp, Builtin, CallArgument, FnParamKind, FunctionId, InstClass, InstKind, Message, ValueId};
use crate::names;
use crate::ops::Op;
use crate::pos::Pos;
use crate::text::lex::{TextToken, TokenKind};
use crate::text::library;
use crate::types::{Access, Data, Name, TypeId, ValueType};

impl<'t> Parser<'t, '_> {
    /// An operand that begins with a word that is no literal.
    pub(super) fn word_operand(&mut self) -> Parsed<Operand> {
        let token = self.peek();
        if self.is_ahead(1, "::") {
            let path = self.path();
            return self.call(&path, self.span(token.pos));
        }
        let word = token.text;
        if let Some((_, make)) = Builtin::KINDS.iter().find(|(name, _)| *name == word) {
            return self.builtin(*make);
        }
        if names::CALLS.contains(&word) {
            return self.built_in_call(token);
        }
        if let Some(&op) = AtomicOp::ALL.iter().find(|op| op.name() == word) {
            return self.atomic(op);
        }
        if names::type_by_name(word).is_some() {
            return self.compose();
        }
        if let Some(op) = Op::by_name(word) {
            self.next();
            let args = self.args()?;
            return Ok(Operand::Value(self.b.op(op, &args, self.span(token.pos))));
        }
        if names::KEYWORDS.contains(&word) {
            return Err(self.unexpected("an expression"));
        }
        self.next();
        if self.is("(") {
            return self.call(word, token.pos);
        }
        self.named(word, token.pos)
    }

    /// `(a, b)`: values.
    fn args(&mut self) -> Parsed<Vec<ValueId>> {
        self.expect("(")?;
        self.list(")", "the argument", Self::expression)
    }

    /// `[a, b]`: values.
    fn bracketed(&mut self) -> Parsed<Vec<ValueId>> {
        self.expect("[")?;
        self.list("]", "the component", Self::expression)
    }

    fn builtin(&mut self, make: fn(u32) -> Builtin) -> Parsed<Operand> {
        let start = self.next().pos;
        self.expect("[")?;
        let dimension = self.number_u32("the dimension")?;
        self.expect("]")?;
        let kind = InstKind::Builtin(make(dimension));
        Ok(Operand::Value(self.b.value(kind, self.span(start))))
    }

    /// The words of [`names::CALLS`].
    fn built_in_call(&mut self, token: TextToken<'t>) -> Parsed<Operand> {
        if token.text == "atomic_compare_exchange" {
            let (old, _) = self.compare_exchange()?;
            return Ok(Operand::Value(old));
        }
        self.next();
        let mut element = None;
        if token.text == "reinterpret" {
            self.expect("<")?;
            element = Some(self.ty()?);
            self.expect(">")?;
        }
        self.expect("(")?;
        let kind = match (token.text, element) {
            ("array_length", _) => InstKind::Length(self.place()?),
            (word, element) => {
                let first = self.expression()?;
                self.view_call(word, first, element)?
            }
        };
        self.eat(",");
        self.expect(")")?;
        let makes_a_view = kind.class() == InstClass::MakeView;
        let value = self.b.value(kind, self.span(token.pos));
        if makes_a_view && self.b.value_type(value) == ValueType::Invalid {
            self.views_in_error.insert(value);
        }
        Ok(Operand::Value(value))
    }

    /// The arguments after the first one.
    fn view_call(&mut self, word: &str, first: ValueId, element: Option<TypeId>) -> Parsed<InstKind> {
        if let Some(element) = element {
            return Ok(InstKind::Reinterpret { view: first, element });
        }
        self.expect(",")?;
        Ok(match word {
            "extent" => InstKind::ViewExtent { view: first, dimension: self.number_u32("the dimension")? },
            "section" => {
                let origin = self.bracketed()?;
                self.expect(",")?;
                InstKind::Section { view: first, origin, extent: self.bracketed()? }
            }
            "project" => InstKind::Project { view: first, index: self.expression()? },
            "view_as" => InstKind::ViewAs { view: first, extent: self.bracketed()? },
            _ => {
                let at = self.peek().pos;
                let width = self.number_u32("the number of components")?;
                let width = match u8::try_from(width) {
                    Ok(width @ 2..=4) => width,
                    _ => {
                        let report = Diagnostic::new(Code::K0015, "a vector has 2 to 4 components").at(at, "");
                        return Err(self.report(report));
                    }
                };
                InstKind::Splat { value: first, width }
            }
        })
    }

    /// `atomic_compare_exchange(place, expected, new)`, from its name on.
    pub(super) fn compare_exchange(&mut self) -> Parsed<(ValueId, ValueId)> {
        let start = self.expect("atomic_compare_exchange")?;
        self.expect("(")?;
        let place = self.place()?;
        self.expect(",")?;
        let expected = self.expression()?;
        self.expect(",")?;
        let new = self.expression()?;
        self.eat(",");
        self.expect(")")?;
        let pos = self.span(start);
        Ok(self.b.compare_exchange(place, expected, new, pos))
    }

    fn atomic(&mut self, op: AtomicOp) -> Parsed<Operand> {
        let start = self.next().pos;
        self.expect("(")?;
        let place = self.place()?;
        let value = if self.eat(",") && !self.is(")") { Some(self.expression()?) } else { None };
        self.eat(",");
        self.expect(")")?;
        let kind = InstKind::Atomic { op, place, value };
        Ok(Operand::Value(self.b.value(kind, self.span(start))))
    }

    /// `f32x3(a, b, c)`. No instruction has the written type, so it is compared here.
    fn compose(&mut self) -> Parsed<Operand> {
        let token = self.next();
        let wanted = names::type_by_name(token.text);
        if !self.is("(") {
            let report =
                Diagnostic::new(Code::K0014, format!("`{}` is a type, not a value", token.text)).at(token.pos, "");
            return Err(self.report(report));
        }
        let Some((stored, width)) = wanted.filter(|(stored, width)| *width > 1 && stored.value().stored() == *stored)
        else {
            let report = Diagnostic::new(Code::K0015, format!("`{}` is not the type of a vector value", token.text))
                .at(token.pos, "");
            return Err(self.report(
                report.help("a scalar is converted with `as`, a vector of other components is made from them"),
            ));
        };
        let args = self.args()?;
        let pos = self.span(token.pos);
        let scalar = Data::scalar(stored.value());
        if args.len() != usize::from(width) {
            let message = format!("`{}` has {width} components, not {}", token.text, args.len());
            let report = Diagnostic::new(Code::K0015, message).at(pos, "");
            let one = args.len() == 1;
            return Err(self.report(if one {
                report.help(format!("`splat(x, {width})` repeats one"))
            } else {
                report
            }));
        }
        for &arg in &args {
            let found = self.b.value_type(arg);
            if found != ValueType::Data(scalar) && found != ValueType::Invalid {
                let shown = self.b.so_far().types().show_value(found);
                let message = format!("the components of `{}` are of type `{scalar}`, not `{shown}`", token.text);
                return Err(self.report(Diagnostic::new(Code::K0015, message).at(pos, "")));
            }
        }
        Ok(Operand::Value(self.b.value(InstKind::Compose(args), pos)))
    }

    /// A call of a function, from its `(` on.
    fn call(&mut self, path: &str, pos: Pos) -> Parsed<Operand> {
        let function = self.function(path, pos);
        self.expect("(")?;
        let args = self.list(")", "the argument", Self::arg)?;
        let function = function?;
        for (i, (arg, reference)) in args.iter().enumerate() {
            self.same_reference(function, i, arg, *reference)?;
        }
        let args = args.into_iter().map(|(arg, _)| arg).collect();
        let result = self.b.emit(InstKind::Call { function, args }, self.span(pos));
        Ok(result.map_or(Operand::Nothing("this function"), Operand::Value))
    }

    /// An argument; for one by reference also its access and position.
    fn arg(&mut self) -> Parsed<(CallArgument, Option<(Access, Pos)>)> {
        let start = self.peek().pos;
        if !self.eat("&") {
            return Ok((CallArgument::Value(self.expression()?), None));
        }
        let access = if self.eat("mut") { Access::ReadWrite } else { Access::Read };
        let place = self.place()?;
        Ok((CallArgument::Place(place), Some((access, self.span(start)))))
    }

    /// Checks that `&` and `&mut` match the function's parameter: the kernel keeps only those of
    /// the declaration.
    fn same_reference(
        &mut self,
        function: FunctionId,
        i: usize,
        arg: &CallArgument,
        reference: Option<(Access, Pos)>,
    ) -> Parsed<()> {
        let Some((found, pos)) = reference else { return Ok(()) };
        let function = &self.b.so_far().functions()[function.index()];
        let Some(param) = function.params().get(i) else { return Ok(()) };
        // The checker reports a place for a value parameter; it has no `mut` to compare.
        let wanted = match (param.kind, arg) {
            (FnParamKind::Ref { access, .. }, CallArgument::Place(_)) => access,
            _ => Access::Read,
        };
        if found == wanted {
            return Ok(());
        }
        let shown = if wanted == Access::ReadWrite { "&mut" } else { "&" };
        let report = Diagnostic::new(
            Code::K0015,
            format!("the parameter `{}` of `{}` is a `{shown}` reference", param.name, function.name()),
        )
        .at(pos, format!("write `{shown}` here"))
        .and(param.pos, "declared here");
        Err(self.report(report))
    }

    /// The function of a path: the file's, else a library's.
    fn function(&mut self, path: &str, pos: Pos) -> Parsed<FunctionId> {
        if let Some((id, _)) = self.functions.get(path) {
            return Ok(*id);
        }
        let own = self.library.and_then(|library| library.find("fn", path).map(|item| (library, item)));
        if let Some((library, item)) = own.or_else(|| library::find(path)) {
            let (linked, reports) = library.link(self.b, item);
            for report in reports {
                self.report(report);
            }
            return match linked {
                LinkedItem::Function(id) => Ok(id),
                _ => {
                    let message = format!("the library function `{path}` is in error");
                    Err(self.report(Diagnostic::new(Code::K0002, message).at(pos, "")))
                }
            };
        }
        if self.broken.contains(path) {
            return Err(ParseFailed);
        }
        if let Some(below) = self.declared_below(path, &["fn"]) {
            return Err(self.report(scope::below_its_use(path, pos, below)));
        }
        let mut report =
            Diagnostic::new(Code::K0002, format!("no function has the name `{path}`")).at(pos, "not declared");
        if matches!(self.scope.find(path), Some((NameMeaning::Broken, _))) {
            return Err(ParseFailed);
        }
        if self.scope.find(path).is_some() {
            report = Diagnostic::new(Code::K0002, format!("`{path}` is not a function")).at(pos, "can not be called");
            return Err(self.report(report));
        }
        if foreign::is_too_wide(path) {
            let report = Diagnostic::new(Code::K0015, format!("there is no vector `{path}`")).at(pos, "");
            return Err(self.report(report.note("a vector has 2 to 4 components")));
        }
        if let Some(ours) = foreign::function(path) {
            return Err(self.report(report.help(format!("write `{ours}`"))));
        }
        let functions = self.functions.keys().filter(|_| !self.hints.is_spent());
        let mut known: Vec<&str> = functions.map(String::as_str).collect();
        known.sort_unstable();
        library::functions().for_each(|name| known.push(name));
        known.extend(names::CALLS);
        known.extend(Op::ROWS.iter().map(|row| row.name));
        known.extend(AtomicOp::ALL.iter().map(|op| op.name()));
        let in_library = library::functions().find(|name| name.rsplit("::").next() == Some(path));
        if let Some(near) = in_library.or_else(|| self.hints.nearest(path, &mut known.into_iter())) {
            report = report.help(format!("did you mean `{near}`?"));
        }
        Err(self.report(report))
    }

    /// A table of the library being parsed.
    pub(super) fn link_table(&mut self, name: &str) -> Option<NameMeaning> {
        let library = self.library?;
        let (linked, reports) = library.link(self.b, library.find("const", name)?);
        reports.into_iter().for_each(|report| {
            self.report(report);
        });
        match linked {
            LinkedItem::Table(id) => Some(NameMeaning::Table(id)),
            _ => None,
        }
    }

    /// A struct of the library being parsed.
    pub(super) fn link_struct(&mut self, name: &str) -> Option<TypeId> {
        let library = self.library?;
        let (linked, reports) = library.link(self.b, library.find("struct", name)?);
        reports.into_iter().for_each(|report| {
            self.report(report);
        });
        match linked {
            LinkedItem::Struct(ty) => Some(ty),
            _ => None,
        }
    }

    /// `("x = {}", x)`: the text of `print` and `error`.
    pub(super) fn message(&mut self) -> Parsed<Message> {
        self.expect("(")?;
        let token = self.peek();
        if token.kind != TokenKind::Text {
            return Err(self.unexpected("a string"));
        }
        self.next();
        if token.text.len() < 2 || !token.text.ends_with('"') {
            // An unterminated string, already reported, has consumed the rest of the line.
            return Err(ParseFailed);
        }
        let (pieces, mut formats) = self.pieces(token)?;
        let mut values = Vec::new();
        while self.eat(",") && !self.is(")") {
            values.push(self.expression()?);
        }
        self.expect(")")?;
        if pieces.len() != values.len() + 1 {
            let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
            let message = format!(
                "the text has {}, and {} given",
                plural(pieces.len() - 1, "hole"),
                if values.len() == 1 { "1 value is".to_owned() } else { format!("{} values are", values.len()) }
            );
            let report = Diagnostic::new(Code::K0011, message).at(token.pos, "");
            return Err(self.report(report.note("each `{}` stands for a value; `{{` and `}}` are braces")));
        }
        // A message without formats has one form.
        if formats.iter().all(|format| *format == ValueFormat::default()) {
            formats.clear();
        }
        Ok(Message { pieces, values, formats })
    }

    /// The pieces of a string between its placeholders, and the formats of these.
    fn pieces(&mut self, token: TextToken<'t>) -> Parsed<(Vec<Name>, Vec<ValueFormat>)> {
        let text = token.text.strip_prefix('"').unwrap_or(token.text);
        let text = text.strip_suffix('"').unwrap_or(text);
        let (mut pieces, mut formats) = (Vec::new(), Vec::new());
        let mut piece = String::new();
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, c)| *c);
            let wrong = match (c, next) {
                ('{', Some('{')) | ('}', Some('}')) => {
                    piece.push(c);
                    chars.next();
                    None
                }
                ('{', Some('}')) => {
                    chars.next();
                    pieces.push(Name::from(std::mem::take(&mut piece)));
                    formats.push(ValueFormat::default());
                    None
                }
                ('{', Some(':')) => {
                    let inside = text[at + 2..]
                        .split_once('}')
                        .and_then(|(inside, _)| ValueFormat::parse(inside).map(|format| (inside, format)));
                    match inside {
                        Some((inside, format)) => {
                            let end = at + 2 + inside.len();
                            while chars.next_if(|(at, _)| *at <= end).is_some() {}
                            pieces.push(Name::from(std::mem::take(&mut piece)));
                            formats.push(format);
                            None
                        }
                        None => Some(
                            "behind `:` stands a format as in Rust, with numbers up to 1000: `{:>8.3}`, `{:#x}`, `{:?}`",
                        ),
                    }
                }
                ('{', _) => Some("`{` begins a hole, which is written `{}`; a brace is written `{{`"),
                ('}', _) => Some("a brace is written `}}`"),
                ('\\', _) => match escape(&mut chars) {
                    Some(c) => {
                        piece.push(c);
                        None
                    }
                    None => Some("escapes are \\n \\t \\\\ \\\" and \\u{..}"),
                },
                _ => {
                    piece.push(c);
                    None
                }
            };
            if let Some(help) = wrong {
                let column = token.pos.column + 1 + text[..at].chars().count() as u32;
                let pos = Pos { column, length: 1, ..token.pos };
                let report = Diagnostic::new(Code::K0011, format!("`{c}` has no meaning here")).at(pos, "");
                return Err(self.report(report.help(help)));
            }
        }
        pieces.push(Name::from(piece));
        Ok((pieces, formats))
    }
}

/// The character of an escape sequence, after the `\`.
fn escape(chars: &mut std::iter::Peekable<std::str::CharIndices<'_>>) -> Option<char> {
    match chars.next()?.1 {
        'n' => Some('\n'),
        't' => Some('\t'),
        '\\' => Some('\\'),
        '"' => Some('"'),
        'u' => {
            if chars.next()?.1 != '{' {
                return None;
            }
            let mut code = 0_u32;
            let mut digits = 0;
            loop {
                let c = chars.next()?.1;
                if c == '}' {
                    return if digits == 0 { None } else { char::from_u32(code) };
                }
                code = code.checked_mul(16)?.checked_add(c.to_digit(16)?)?;
                digits += 1;
            }
        }
        _ => None,
    }
}
