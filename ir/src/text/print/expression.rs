//! Prints a single instruction, given the text of its operands.

use super::super::operators::{self, ATOM, CAST, Operator, POSTFIX, UNARY};
use super::body::{BlockLines, Expression, Printer};
use crate::kernel::{
    CallArgument, FnParamKind, FunctionId, Init, Inst, InstKind, LocalId, Message, Place, Root, Step, ValueId,
};
use crate::ops::Op;
use crate::types::{Access, Data, Type};
use crate::typing::PlaceType;

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// The operands not yet printed.
type Operands = std::vec::IntoIter<Expression>;

/// The text of an instruction.
enum InstText {
    /// A statement.
    Statement(String),
    /// An expression, which may be nested in its user.
    Expression(Expression),
}

fn atom(text: String) -> InstText {
    InstText::Expression(Expression::atom(text))
}

fn call(name: &str, operands: &mut Operands) -> InstText {
    atom(format!("{name}({})", list(operands)))
}

impl Printer<'_> {
    /// Prints an instruction of a block.
    pub(super) fn inst(&mut self, inst: &Inst, lines: &mut BlockLines) {
        let kind = &inst.kind;
        if kind.is_structured() {
            return self.construct(inst, lines);
        }
        let mut operands = Vec::new();
        kind.operands(&mut |value| operands.push(*value));
        let last = operands.len().saturating_sub(1);
        // After `=`, `return` and `break` an operand may have several lines.
        let roomy = matches!(
            kind,
            InstKind::Store { .. } | InstKind::Declare { .. } | InstKind::Return(_) | InstKind::Break { .. }
        );
        let mut taken = self.take(&operands, &|i| roomy && i == last, lines);
        // Only statements have room: these lines stand before their semicolon.
        let rest = taken.last_mut().map(|last| std::mem::take(&mut last.rest)).unwrap_or_default();
        let depth = taken.iter().map(|operand| operand.depth + 1).max().unwrap_or(0);
        let mut operands = taken.into_iter();
        match self.text(kind, inst.result, &mut operands) {
            InstText::Statement(text) if rest.is_empty() => self.statement(Expression::atom(text), lines),
            InstText::Statement(text) => {
                let mut statement = Expression::blocky(text.strip_suffix(';').unwrap_or(&text));
                statement.add_lines(rest);
                statement.add(";");
                self.statement(statement, lines);
            }
            InstText::Expression(expression) if inst.result.is_none() && matches!(kind, InstKind::Call { .. }) => {
                self.statement(Expression::atom(expression.text + ";"), lines);
            }
            InstText::Expression(expression) => {
                self.place_value(inst.result, Expression { depth, ..expression }, lines);
            }
        }
    }

    /// The text of an instruction without blocks.
    fn text(&self, kind: &InstKind, result: Option<ValueId>, operands: &mut Operands) -> InstText {
        let text = match kind {
            InstKind::Store { place, .. } => {
                let place = self.place(place, operands);
                format!("{place} = {};", next(operands))
            }
            InstKind::Copy { to, from } => {
                let to = self.place(to, operands);
                format!("copy({to}, {});", self.place(from, operands))
            }
            InstKind::Declare { local, init } => {
                let init = match init {
                    Init::Unset => String::new(),
                    Init::Zero => " = zero".to_owned(),
                    Init::Value(_) => format!(" = {}", next(operands)),
                };
                let (name, ty) = self.local(*local);
                format!("var {name}: {ty}{init};")
            }
            InstKind::Barrier(fence) | InstKind::Fence(fence) => {
                let word = if matches!(kind, InstKind::Barrier(_)) { "barrier" } else { "fence" };
                match fence {
                    crate::kernel::Fence::All => format!("{word};"),
                    other => format!("{word}({});", other.name()),
                }
            }
            InstKind::Print(message) => format!("print({});", self.message(message, operands)),
            InstKind::Error(message) => format!("error({});", self.message(message, operands)),
            InstKind::Abort => "abort;".to_owned(),
            InstKind::CompareExchange { place, equal, .. } => {
                let place = self.place(place, operands);
                let (expected, new) = (next(operands), next(operands));
                let old = result.map_or_else(|| "_".to_owned(), |result| self.bound(result));
                format!("let ({old}, {}) = atomic_compare_exchange({place}, {expected}, {new});", self.bound(*equal))
            }
            InstKind::Break { label, value } => match value {
                None if self.loops.last() == Some(label) => "break;".to_owned(),
                None => format!("break {};", self.label(*label)),
                Some(_) => format!("break {} {};", self.label(*label), next(operands)),
            },
            InstKind::Continue { label } if self.loops.last() == Some(label) => "continue;".to_owned(),
            InstKind::Continue { label } => format!("continue {};", self.label(*label)),
            InstKind::Return(None) => "return;".to_owned(),
            InstKind::Return(Some(_)) => format!("return {};", next(operands)),
            InstKind::Op { op, args } => return InstText::Expression(self.op(*op, args.len(), operands)),
            InstKind::Compose(parts) => return InstText::Expression(self.compose(parts, operands)),
            InstKind::Splat { width, .. } => return atom(format!("splat({}, {width})", next(operands))),
            InstKind::Swizzle { value, components } => {
                return InstText::Expression(self.swizzle(*value, components, operands));
            }
            InstKind::ComponentAt { .. } => {
                let operand = take(operands);
                let index = next(operands);
                return InstText::Expression(hung(&operand, operand.place, &format!("[{index}]")));
            }
            InstKind::Builtin(builtin) => return atom(format!("{}[{}]", builtin.name(), builtin.dimension())),
            InstKind::ViewExtent { dimension, .. } => return atom(format!("extent({}, {dimension})", next(operands))),
            InstKind::Section { origin, .. } => {
                let view = next(operands);
                let origin = joined(operands, origin.len());
                return atom(format!("section({view}, [{origin}], [{}])", list(operands)));
            }
            InstKind::Project { .. } => return call("project", operands),
            InstKind::Reinterpret { element, .. } => {
                return call(&format!("reinterpret<{}>", self.kernel.types.show(*element)), operands);
            }
            InstKind::ViewAs { .. } => {
                let view = next(operands);
                return atom(format!("view_as({view}, [{}])", list(operands)));
            }
            InstKind::Length(place) => return atom(format!("array_length({})", self.place(place, operands))),
            InstKind::Load(place) => {
                let place = Expression::atom(self.place(place, operands));
                return InstText::Expression(Expression { place: true, level: POSTFIX, ..place });
            }
            InstKind::Atomic { op, place, value } => {
                let place = self.place(place, operands);
                let value = if value.is_some() { format!(", {}", next(operands)) } else { String::new() };
                return atom(format!("{}({place}{value})", op.name()));
            }
            InstKind::Call { function, args } => return InstText::Expression(self.call(*function, args, operands)),
            // Printed with their blocks, by `construct`.
            InstKind::If { .. } | InstKind::Loop { .. } | InstKind::Switch { .. } | InstKind::Scope { .. } => {
                return atom(String::new());
            }
        };
        InstText::Statement(text)
    }

    fn compose(&self, parts: &[ValueId], operands: &mut Operands) -> Expression {
        // An invalid part has no type, and may be next to parts with one.
        let scalar = parts.iter().find_map(|&part| self.kernel.context(self.function).data(part));
        let scalar = scalar.map_or("f32", |data| data.scalar.name());
        Expression::atom(format!("{scalar}x{}({})", parts.len(), list(operands)))
    }

    fn swizzle(&self, value: ValueId, components: &[u8], operands: &mut Operands) -> Expression {
        let letters: String = components.iter().filter_map(|&c| LETTERS.get(usize::from(c))).collect();
        let operand = take(operands);
        // After the text of a place, a single letter is a component of the place, and a word after
        // a struct is a field.
        let vector = self.kernel.context(self.function).data(value).is_some_and(Data::is_vector);
        let apart = operand.place && (letters.len() == 1 || !vector);
        hung(&operand, apart, &format!(".{letters}"))
    }

    /// The name of a result that is bound together with another.
    fn bound(&self, value: ValueId) -> String {
        let unnamed = self.function.values[value.index()].name.is_none();
        if unnamed && !self.is_used(value) { "_".to_owned() } else { self.name(value).text }
    }

    fn local(&self, local: LocalId) -> (&str, String) {
        let local = &self.function.locals[local.index()];
        (&local.name, self.kernel.types.show(local.ty))
    }

    fn op(&self, op: Op, args: usize, operands: &mut Operands) -> Expression {
        let operator = operators::of(op);
        if let (Operator::Infix(mark, level), 2) = (operator, args) {
            let (a, b) = (take(operands), take(operands));
            // Comparisons do not chain on either side.
            let left = level + u8::from(level == operators::COMPARE);
            let text = format!("{} {mark} {}", a.at(left), b.at(level + 1));
            return Expression { level, ..Expression::atom(text) };
        }
        if let (Operator::Prefix(mark), 1) = (operator, args) {
            let operand = take(operands);
            // A minus sign directly before a number would become part of the number.
            let number = operand.text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
                || ["inf", "nan", "inf_f64", "nan_f64"].contains(&operand.text.split('(').next().unwrap_or(""));
            let text = if mark == "-" && number {
                format!("-({})", operand.text)
            } else {
                format!("{mark}{}", operand.at(UNARY))
            };
            return Expression { level: UNARY, ..Expression::atom(text) };
        }
        if let (Operator::Cast(scalar), 1) = (operator, args) {
            let text = format!("{} as {scalar}", take(operands).at(CAST));
            return Expression { level: CAST, ..Expression::atom(text) };
        }
        Expression::atom(format!("{}({})", op.name(), list(operands)))
    }

    fn call(&self, function: FunctionId, args: &[CallArgument], operands: &mut Operands) -> Expression {
        let function = &self.kernel.functions[function.index()];
        let mut texts = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            texts.push(match arg {
                CallArgument::Value(_) => next(operands),
                CallArgument::Place(place) => {
                    let kind = function.params.get(i).map(|param| param.kind);
                    let mutable = matches!(kind, Some(FnParamKind::Ref { access: Access::ReadWrite, .. }));
                    format!("{}{}", if mutable { "&mut " } else { "&" }, self.place(place, operands))
                }
            });
        }
        Expression::atom(format!("{}({})", function.name, texts.join(", ")))
    }

    fn place(&self, place: &Place, operands: &mut Operands) -> String {
        let context = self.kernel.context(self.function);
        let mut text = match &place.root {
            Root::View { index, .. } => {
                let view = take(operands);
                format!("{}[{}]", view.at(POSTFIX), joined(operands, index.len()))
            }
            Root::Param(id) => self.kernel.params[id.index()].name.to_string(),
            Root::Tile(id) => self.kernel.tile_vars[id.index()].name.to_string(),
            Root::Table(id) => self.kernel.tables[id.index()].name.to_string(),
            Root::Local(id) => self.local(*id).0.to_owned(),
            Root::Ref(i) => {
                self.function.params.get(*i as usize).map_or_else(String::new, |param| param.name.to_string())
            }
        };
        let mut at = context.root(&place.root).map(PlaceType::Whole);
        for step in &place.path {
            match step {
                Step::Field(i) => {
                    if let Some(PlaceType::Whole(ty)) = at
                        && let Type::Struct(s) = self.kernel.types.get(ty)
                        && let Some(field) = s.fields.get(*i as usize)
                    {
                        text += &format!(".{}", field.name);
                    }
                }
                Step::Component(i) => {
                    text.extend(LETTERS.get(usize::from(*i)).into_iter().flat_map(|letter| ['.', *letter]));
                }
                Step::Index(_) => text += &format!("[{}]", next(operands)),
            }
            at = at.and_then(|at| context.step(at, step));
        }
        text
    }

    fn message(&self, message: &Message, operands: &mut Operands) -> String {
        let mut text = String::from("\"");
        for (i, piece) in message.pieces.iter().enumerate() {
            if i > 0 {
                let format = message.formats.get(i - 1).map_or_else(String::new, ToString::to_string);
                text += &format!("{{{format}}}");
            }
            for c in piece.chars() {
                match c {
                    '{' | '}' => text.extend([c, c]),
                    '\n' => text += "\\n",
                    '\t' => text += "\\t",
                    '\\' | '"' => text.extend(['\\', c]),
                    c if c.is_control() => text += &format!("\\u{{{:x}}}", c as u32),
                    c => text.push(c),
                }
            }
        }
        text.push('"');
        for operand in operands {
            text += &format!(", {}", operand.text);
        }
        text
    }
}

/// `operand` with a postfix.
fn hung(operand: &Expression, apart: bool, what: &str) -> Expression {
    let text = if apart { format!("({}){what}", operand.text) } else { format!("{}{what}", operand.at(POSTFIX)) };
    Expression { level: ATOM, ..Expression::atom(text) }
}

fn take(operands: &mut Operands) -> Expression {
    operands.next().unwrap_or_else(|| Expression::atom(""))
}

fn next(operands: &mut Operands) -> String {
    take(operands).text
}

fn joined(operands: &mut Operands, count: usize) -> String {
    operands.take(count).map(|operand| operand.text).collect::<Vec<_>>().join(", ")
}

fn list(operands: &mut Operands) -> String {
    joined(operands, usize::MAX)
}
