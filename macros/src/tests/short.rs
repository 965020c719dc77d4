//! Short form of trees, for tests: close to Rust, with names as numbers (`%0` a local, `$0` a
//! capture, `#0` a constant), type slots as `:0` and link slots as `@0`.

use proc_macro2::{TokenStream, TokenTree};
use tilewise_ast::{Expr, ExprKind, Pattern, RangeAdapter, Statement, SyntaxBlock, SyntaxLiteral, SyntaxTree};

/// The tree in a macro's output, or its mistakes, one per line.
pub(super) fn short(tokens: &TokenStream) -> String {
    match find(tokens) {
        Some(bytes) => tree(&SyntaxTree::decode(&bytes).expect("a tree")),
        None => mistakes(tokens).join("\n"),
    }
}

/// The first byte string.
fn find(tokens: &TokenStream) -> Option<Vec<u8>> {
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) => find(&group.stream()),
        TokenTree::Literal(literal) => {
            syn::parse_str::<syn::LitByteStr>(&literal.to_string()).ok().map(|bytes| bytes.value())
        }
        _ => None,
    })
}

/// All string literals but those after `=`, the reasons of lints: those of `compile_error!`.
fn mistakes(tokens: &TokenStream) -> Vec<String> {
    let mut after_equals = false;
    let one = |token| match token {
        TokenTree::Literal(_) if std::mem::take(&mut after_equals) => Vec::new(),
        TokenTree::Punct(sign) => {
            after_equals = sign.as_char() == '=';
            Vec::new()
        }
        TokenTree::Group(group) => mistakes(&group.stream()),
        TokenTree::Literal(literal) => {
            syn::parse_str::<syn::LitStr>(&literal.to_string()).map(|text| text.value()).into_iter().collect()
        }
        _ => Vec::new(),
    };
    tokens.clone().into_iter().flat_map(one).collect()
}

fn tree(tree: &SyntaxTree) -> String {
    let params: Vec<String> =
        tree.params.iter().map(|param| format!("{} {:?} :{}", pattern(&param.pattern), param.mode, param.ty)).collect();
    let names: Vec<String> =
        tree.captures.iter().map(|name| format!("{} {}:{}", name.text, name.at.line, name.at.column)).collect();
    let locals: Vec<String> =
        tree.locals.iter().map(|local| format!("{}{}", if local.mutable { "mut " } else { "" }, local.text)).collect();
    let result = tree.result.map_or_else(String::new, |ty| format!(" -> :{ty}"));
    let (params, names, locals) = (params.join(", "), names.join(", "), locals.join(", "));
    format!("{}({params}){result} captures [{names}] locals [{locals}]\n{}", tree.name, lines(&tree.body))
}

/// The outermost block, one statement per line.
fn lines(block: &SyntaxBlock) -> String {
    let mut lines: Vec<String> = block.statements.iter().map(statement).collect();
    lines.extend(block.value.iter().map(|value| expr(value)));
    lines.join("\n")
}

fn statement(one: &Statement) -> String {
    match one {
        Statement::Let(bound, ty, value, _) => {
            let ty = ty.map_or_else(String::new, |ty| format!(" :{ty}"));
            let value = value.as_ref().map_or_else(String::new, |value| format!(" = {}", expr(value)));
            format!("let {}{ty}{value};", pattern(bound))
        }
        Statement::TileStatic(local, ty, _) => format!("tile_static %{local} :{ty};"),
        Statement::Expr(one) => format!("{};", expr(one)),
        Statement::LetElse(bound, value, otherwise, _) => {
            format!("let {} = {} else {};", pattern(bound), expr(value), block(otherwise))
        }
    }
}

fn block(block: &SyntaxBlock) -> String {
    let mut parts: Vec<String> = block.statements.iter().map(statement).collect();
    parts.extend(block.value.iter().map(|value| expr(value)));
    format!("{{ {} }}", parts.join(" "))
}

fn literal(literal: &SyntaxLiteral, ty: u32) -> String {
    match literal {
        SyntaxLiteral::Int(value) => format!("{value}:{ty}"),
        SyntaxLiteral::Float(text) => format!("{text}f:{ty}"),
        SyntaxLiteral::Bool(value) => format!("{value}:{ty}"),
    }
}

fn pattern(one: &Pattern) -> String {
    let end = |end: &Option<Box<Pattern>>| end.as_ref().map_or_else(String::new, |end| pattern(end));
    match one {
        Pattern::Bind(local) => format!("%{local}"),
        Pattern::Wild => "_".to_owned(),
        Pattern::Tuple(parts) => format!("({})", parts.iter().map(pattern).collect::<Vec<_>>().join(", ")),
        Pattern::Literal(value, negative, _) => {
            let value = match value {
                SyntaxLiteral::Int(value) => value.to_string(),
                SyntaxLiteral::Float(text) => format!("{text}f"),
                SyntaxLiteral::Bool(value) => value.to_string(),
            };
            format!("{}{value}", if *negative { "-" } else { "" })
        }
        Pattern::At(local, inner) => format!("%{local} @ {}", pattern(inner)),
        Pattern::Rest => "..".to_owned(),
        Pattern::Fields(variant, fields, _) => {
            let fields = fields.iter().map(|field| format!("{}: {}", field.name, pattern(&field.pattern)));
            format!("#{variant} {{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Pattern::Positions(variant, parts, _) => {
            format!("#{variant}({})", parts.iter().map(pattern).collect::<Vec<_>>().join(", "))
        }
        Pattern::Const(slot, _) => format!("#{slot}"),
        Pattern::Range(low, high, inclusive, _) => {
            format!("{}..{}{}", end(low), if *inclusive { "=" } else { "" }, end(high))
        }
        Pattern::Deref(inner) => format!("&{}", pattern(inner)),
        Pattern::Or(choices) => choices.iter().map(pattern).collect::<Vec<_>>().join(" | "),
    }
}

fn list(all: &[Expr]) -> String {
    all.iter().map(expr).collect::<Vec<_>>().join(", ")
}

fn message(name: &str, pieces: &[String], values: &[Expr], formats: &[String]) -> String {
    let formats = if formats.iter().all(String::is_empty) { String::new() } else { format!(", {formats:?}") };
    format!("{name}({pieces:?}, {}{formats})", list(values))
}

fn maybe(value: &Option<Box<Expr>>) -> String {
    value.as_ref().map_or_else(String::new, |value| format!(" {}", expr(value)))
}

fn expr(one: &Expr) -> String {
    match &one.kind {
        ExprKind::Literal(value, ty) => literal(value, *ty),
        ExprKind::Local(local) => format!("%{local}"),
        ExprKind::Capture(capture) => format!("${capture}"),
        ExprKind::Const(slot) => format!("#{slot}"),
        ExprKind::Unary(op, operand, link) => format!("({}@{link} {})", op.symbol(), expr(operand)),
        ExprKind::Binary(op, left, right, link) => format!("({} {}@{link} {})", expr(left), op.symbol(), expr(right)),
        ExprKind::And(left, right) => format!("({} && {})", expr(left), expr(right)),
        ExprKind::Or(left, right) => format!("({} || {})", expr(left), expr(right)),
        ExprKind::Assign(place, value) => format!("{} = {}", expr(place), expr(value)),
        ExprKind::AssignOp(op, place, value, link) => {
            format!("{} {}=@{link} {}", expr(place), op.symbol(), expr(value))
        }
        ExprKind::Call(link, args) => format!("@{link}({})", list(args)),
        ExprKind::Field(base, name) => format!("{}.{name}", expr(base)),
        ExprKind::Index(base, index, link) => {
            let link = link.map_or_else(String::new, |link| format!("@{link}"));
            format!("{}[{}]{link}", expr(base), expr(index))
        }
        ExprKind::Ref(mutable, place) => format!("&{}{}", if *mutable { "mut " } else { "" }, expr(place)),
        ExprKind::Deref(base) => format!("*{}", expr(base)),
        ExprKind::Cast(value, ty) => format!("({} as :{ty})", expr(value)),
        ExprKind::Closure(copies, params, body) => {
            let copies = copies.iter().map(|it| format!("%{} = %{}, ", it.copy, it.original)).collect::<String>();
            let params = params.iter().map(|it| pattern(&it.pattern)).collect::<Vec<_>>().join(", ");
            format!("|{copies}{params}| {}", expr(body))
        }
        ExprKind::Invoke(function, args) => format!("%{function}({})", list(args)),
        ExprKind::Try(value) => format!("{}?", expr(value)),
        ExprKind::Struct(ty, variant, fields, rest) => {
            let variant = variant.map_or_else(String::new, |variant| format!("#{variant}"));
            let fields: Vec<String> =
                fields.iter().map(|field| format!("{}: {}", field.name, expr(&field.value))).collect();
            let rest = rest.as_ref().map_or_else(String::new, |rest| format!(", ..{}", expr(rest)));
            format!(":{ty}{variant} {{ {}{rest} }}", fields.join(", "))
        }
        ExprKind::Tuple(parts) => format!("({})", list(parts)),
        ExprKind::Array(parts, ty) => format!("[{}]:{ty}", list(parts)),
        ExprKind::Repeat(value, ty) => format!("[{}; _]:{ty}", expr(value)),
        ExprKind::Block(body, label) => {
            format!("{}{}", label.map_or_else(String::new, |label| format!("'{label}: ")), block(body))
        }
        ExprKind::If(condition, then, otherwise) => {
            let otherwise =
                otherwise.as_ref().map_or_else(String::new, |otherwise| format!(" else {}", block(otherwise)));
            format!("if {} {}{otherwise}", expr(condition), block(then))
        }
        ExprKind::Match(value, arms) => {
            let arm = |arm: &tilewise_ast::MatchArm| {
                let guard = arm.guard.as_ref().map_or_else(String::new, |guard| format!(" if {}", expr(guard)));
                format!("{}{guard} => {}", pattern(&arm.pattern), expr(&arm.body))
            };
            format!("match {} {{ {} }}", expr(value), arms.iter().map(arm).collect::<Vec<_>>().join(", "))
        }
        ExprKind::While(condition, body, label) => format!("'{label}: while {} {}", expr(condition), block(body)),
        ExprKind::Loop(body, label) => format!("'{label}: loop {}", block(body)),
        ExprKind::For(head, body, label) => {
            let adapter = |adapter: &RangeAdapter| match adapter {
                RangeAdapter::Rev => ".rev".to_owned(),
                RangeAdapter::StepBy(step) => format!(".step_by {}", expr(step)),
            };
            let adapters: String = head.adapters.iter().map(adapter).collect();
            let name = head.local.map_or_else(|| "_".to_owned(), |local| format!("%{local}"));
            let dots = if head.inclusive { "..=" } else { ".." };
            format!(
                "'{label}: for {name}:{} in {}{dots}{}{adapters} {}",
                head.ty,
                expr(&head.low),
                expr(&head.high),
                block(body)
            )
        }
        ExprKind::ForEach(items, link, bound, body, label) => {
            format!("'{label}: for {} in {}@{link} {}", pattern(bound), expr(items), block(body))
        }
        ExprKind::Break(label, value) => format!("break '{label}{}", maybe(value)),
        ExprKind::Continue(label) => format!("continue '{label}"),
        ExprKind::Return(value) => format!("return{}", maybe(value)),
        ExprKind::Print(pieces, values, formats) => message("print", pieces, values, formats),
        ExprKind::Error(pieces, values, formats) => message("error", pieces, values, formats),
        ExprKind::CaptureOrFunction(capture, link) => format!("${capture}@{link}"),
        ExprKind::Range(low, high, inclusive) => {
            format!("{}{}{}", expr(low), if *inclusive { "..=" } else { ".." }, expr(high))
        }
        ExprKind::ConstOrFunction(slot, link) => format!("#{slot}@{link}"),
        ExprKind::Function(link) => format!("@{link}"),
        ExprKind::Abort => "abort".to_owned(),
    }
}
