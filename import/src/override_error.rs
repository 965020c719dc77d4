//! What is wrong with a shader only with the values that its overrides have, and where.
//!
//! naga gives the overrides their values, evaluates the expressions that are made of them, and says of the first that has
//! no value what is wrong with it, but not which one it is. Here they are evaluated again: those of a function up to one of
//! them, those of the module one by one, each with what it is made of, in the order of their evaluation.

use naga::back::PipelineConstants;
use naga::back::pipeline_constants::{PipelineConstantError, process_overrides};
use naga::compact::{KeepUnused, compact};
use naga::valid::{EntryPointError, ModuleInfo, TypeError, ValidationError};
use naga::{Arena, Block, Expression, Function, Handle, Module, ShaderStage, Span, Statement, Type, TypeInner};
use tilewise_ir::diag::{Code, Diagnostic};

use crate::module::{WORKGROUP_HELP, with_causes};
use crate::text::ShaderText;
use crate::uses::ExpressionSet;
use crate::visit::operands;

/// Global expressions that are evaluated alone: each evaluation copies the module.
const MOST_GLOBALS: usize = 1000;

/// A valid module with one entry point, and the values that its overrides get.
pub(crate) struct OverriddenModule<'m> {
    pub(crate) module: &'m Module,
    pub(crate) info: &'m ModuleInfo,
    pub(crate) entry: &'m str,
    pub(crate) values: &'m PipelineConstants,
}

impl OverriddenModule<'_> {
    /// The report on a value that makes the module wrong.
    pub(crate) fn report(&self, error: &PipelineConstantError, source: &ShaderText) -> Diagnostic {
        let report = |what: String| Diagnostic::new(Code::K0904, format!("with these values of its overrides, {what}"));
        match error {
            PipelineConstantError::NegativeWorkgroupSize => self.of_the_size(source),
            PipelineConstantError::ConstantEvaluatorError(slip) => {
                let report = report(format!("an expression has no value: {slip}"));
                match self.culprit() {
                    Some(span) => report.at(source.pos(span), "is this expression"),
                    None => report,
                }
            }
            PipelineConstantError::ValidationError(error) => {
                let wrong = match error.as_inner() {
                    ValidationError::EntryPoint { source: EntryPointError::OutOfRangeWorkgroupSize, .. } => {
                        return self.of_the_size(source);
                    }
                    ValidationError::Type { handle, source: TypeError::InvalidArraySize(_), .. } => {
                        Some((*handle, "the length of an array is not 1 or more".to_owned()))
                    }
                    ValidationError::Layouter(error) => {
                        Some((error.ty, format!("a type is too large: {}", error.inner)))
                    }
                    _ => None,
                };
                if let Some((ty, what)) = wrong {
                    let report = report(what);
                    return match self.variable_of(ty) {
                        Some(span) => report.at(source.pos(span), "has this type"),
                        None => report,
                    };
                }
                let mut report = report(format!("the shader is not valid: {}", last_cause(error.as_inner())));
                let places = error.spans().filter(|(span, _)| span.is_defined());
                for (i, (span, label)) in places.enumerate() {
                    // The labels of naga have its own numbers of expressions.
                    let (pos, label) =
                        (source.pos(*span), if label.contains('[') { "is here" } else { label.as_str() });
                    report = if i == 0 { report.at(pos, label) } else { report.and(pos, label) };
                }
                report
            }
            other => Diagnostic::new(Code::K0904, with_causes(other)),
        }
    }

    fn of_the_size(&self, source: &ShaderText) -> Diagnostic {
        let message = "with these values of its overrides, the workgroup has a size that is out of range";
        Diagnostic::new(Code::K0904, message)
            .at(source.function_pos(self.entry), "is this entry point")
            .help(WORKGROUP_HELP)
    }

    /// Where the first expression stands that has no value although all that it is made of has one.
    fn culprit(&self) -> Option<Span> {
        let module = self.module;
        let global = candidates(&module.global_expressions);
        let of_globals = global.into_iter().take(MOST_GLOBALS).find(|&candidate| {
            // Whatever it is: what a workgroup's size is made of is evaluated, and nothing else is left.
            self.has_no_value(Function::default(), Some([Some(candidate), None, None]))
        });
        if let Some(found) = of_globals {
            return Some(module.global_expressions.get_span(found));
        }
        let functions = module.functions.iter().map(|(_, function)| function);
        functions.chain(module.entry_points.iter().map(|entry| &entry.function)).find_map(|function| {
            let candidates = candidates(&function.expressions);
            // With one that has no value, all lists that hold it have none.
            let all_have_values = |count: usize| {
                let mut alone = function.clone();
                alone.named_expressions.clear();
                let used = candidates[..count].iter().map(|&condition| {
                    // Whatever its type is: only what a statement uses is evaluated, and that comes first.
                    Statement::If { condition, accept: Block::new(), reject: Block::new() }
                });
                alone.body = Block::from_vec(used.collect());
                !self.has_no_value(alone, None)
            };
            let counts: Vec<usize> = (1..=candidates.len()).collect();
            let found = candidates.get(counts.partition_point(|&count| all_have_values(count)))?;
            Some(function.expressions.get_span(*found))
        })
    }

    /// Has an expression no value, in a module of this one function and these sizes of a workgroup?
    fn has_no_value(&self, function: Function, sizes: Option<[Option<Handle<Expression>>; 3]>) -> bool {
        let mut alone = self.module.clone();
        for entry in &mut alone.entry_points {
            entry.function = function.clone();
            entry.workgroup_size_overrides = sizes;
        }
        let point = Some((ShaderStage::Compute, self.entry));
        let processed = process_overrides(&alone, self.info, point, self.values);
        matches!(processed, Err(PipelineConstantError::ConstantEvaluatorError(_)))
    }

    /// Where the first variable is declared in which a type occurs: one of the module that has its used parts only.
    fn variable_of(&self, ty: Handle<Type>) -> Option<Span> {
        let mut module = self.module.clone();
        compact(&mut module, KeepUnused::No);
        let has_it = |&(_, variable): &(_, &naga::GlobalVariable)| contains(&module, variable.ty, ty);
        let (handle, _) = module.global_variables.iter().find(has_it)?;
        Some(module.global_variables.get_span(handle))
    }
}

/// The expressions that are made of overrides and constants alone, in order.
fn candidates(expressions: &Arena<Expression>) -> Vec<Handle<Expression>> {
    let (mut known, mut made_of_overrides) = (ExpressionSet::new(), ExpressionSet::new());
    let mut out = Vec::new();
    for (handle, expression) in expressions.iter() {
        let is_leaf = match expression {
            Expression::Override(_) => {
                made_of_overrides.insert(handle);
                true
            }
            Expression::Literal(_) | Expression::Constant(_) | Expression::ZeroValue(_) => true,
            Expression::Compose { .. }
            | Expression::Access { .. }
            | Expression::AccessIndex { .. }
            | Expression::Splat { .. }
            | Expression::Swizzle { .. }
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Select { .. }
            | Expression::Relational { .. }
            | Expression::Math { .. }
            | Expression::As { .. } => false,
            _ => continue,
        };
        let (mut is_known, mut of_override) = (true, false);
        operands(expression, &mut |operand| {
            is_known &= known.contains(operand);
            of_override |= made_of_overrides.contains(operand);
        });
        if !is_known {
            continue;
        }
        known.insert(handle);
        if of_override {
            made_of_overrides.insert(handle);
        }
        if !is_leaf && of_override {
            out.push(handle);
        }
    }
    out
}

/// Is a type another, or a part of it?
pub(crate) fn contains(module: &Module, ty: Handle<Type>, part: Handle<Type>) -> bool {
    ty == part
        || match &module.types[ty].inner {
            TypeInner::Array { base, .. } => contains(module, *base, part),
            TypeInner::Struct { members, .. } => members.iter().any(|member| contains(module, member.ty, part)),
            _ => false,
        }
}

/// What an error is at last caused by.
fn last_cause(error: &dyn std::error::Error) -> String {
    let mut last = error;
    while let Some(cause) = last.source() {
        last = cause;
    }
    last.to_string()
}
