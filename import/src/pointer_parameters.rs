//! Functions of WGSL with parameters that point to buffers, uniforms and memory of the workgroup, or to parts of these
//! (the feature `unrestricted_pointer_parameters` of the language). naga reads them, and its validation refuses them.
//!
//! So before that each such function is made once for each variable, and for each path of members into it, that calls
//! give it: the parameter's place take the indices of the path, which the call has computed, and the function begins
//! with the pointer made of them. `f(&v.items[i].n[2], x)` with `fn f(p: ptr<storage, u32>, x: u32)` becomes
//! `f(i, x)` of a function that begins with `let p = &v.items[i].n[2];`. The functions keep their names, and all
//! expressions their positions.

use std::collections::HashMap;

use naga::front::Typifier;
use naga::proc::{ResolveContext, TypeResolution, compare_types};
use naga::{
    AddressSpace, Arena, Block, Expression, Function, FunctionArgument, GlobalVariable, Handle, Module, Range, Scalar,
    Span, Statement, Type, TypeInner, UniqueArena,
};
use tilewise_ir::diag::{Code, Diagnostic};

use crate::feature::ShaderFeature;
use crate::module::ShaderError;
use crate::text::ShaderText;
use crate::visit::{blocks_mut, operands_mut, results_mut, statement_operands_mut};

/// Calls in calls: each is a part of the stack. More than 64 are refused behind this, if they are reached.
const MOST_CALLS: u32 = 1000;

/// Expressions of all functions that are made: far more than a kernel may have instructions.
const MOST_EXPRESSIONS: usize = 1 << 20;

/// A step from a variable to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum PathStep {
    /// To a member, or an element of this number.
    Part(u32),
    /// To the element of an index of this type.
    Index(Scalar),
}

/// Where a pointer that is an argument points.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct PointerPath {
    variable: Handle<GlobalVariable>,
    steps: Vec<PathStep>,
}

/// A function, and where those of its parameters point that are no parameters of what is made of it.
type PointerCase = (Handle<Function>, Vec<Option<PointerPath>>);

/// Makes functions without such parameters of all that have any.
pub(crate) fn resolve_pointer_parameters(module: &mut Module, source: &ShaderText) -> Result<(), ShaderError> {
    let has_any = |function: &Function| function.arguments.iter().any(|one| is_restricted(module, one.ty));
    if !module.functions.iter().any(|(_, function)| has_any(function)) {
        return Ok(());
    }
    let index_types = [Scalar::U32, Scalar::I32]
        .map(|scalar| (scalar, Type { name: None, inner: TypeInner::Scalar(scalar) }))
        .map(|(scalar, ty)| (scalar, module.types.insert(ty, Span::UNDEFINED)));
    let (functions, made) = (Arena::new(), HashMap::new());
    let mut resolver = PointerResolver { module, source, index_types, functions, made, expressions: 0, depth: 0 };
    // Those that are called with pointers alone are made where they are called.
    let original = resolver.module;
    for (handle, function) in original.functions.iter() {
        if !function.arguments.iter().any(|one| is_restricted(original, one.ty)) {
            resolver.function(handle, vec![None; function.arguments.len()], Span::UNDEFINED)?;
        }
    }
    let entries = original.entry_points.iter().map(|entry| &entry.function);
    let entries: Vec<Function> = entries
        .map(|function| resolver.rebuilt(function, &vec![None; function.arguments.len()]))
        .collect::<Result<_, _>>()?;
    module.functions = resolver.functions;
    for (entry, function) in module.entry_points.iter_mut().zip(entries) {
        entry.function = function;
    }
    Ok(())
}

/// Is it a pointer that naga does not take as an argument?
fn is_restricted(module: &Module, ty: Handle<Type>) -> bool {
    let (TypeInner::Pointer { space, .. } | TypeInner::ValuePointer { space, .. }) = module.types[ty].inner else {
        return false;
    };
    match space {
        AddressSpace::Storage { .. } | AddressSpace::Uniform | AddressSpace::WorkGroup | AddressSpace::Immediate => {
            true
        }
        AddressSpace::Function
        | AddressSpace::Private
        | AddressSpace::Handle
        | AddressSpace::TaskPayload
        | AddressSpace::RayPayload
        | AddressSpace::IncomingRayPayload => false,
    }
}

struct PointerResolver<'m> {
    module: &'m Module,
    source: &'m ShaderText,
    index_types: [(Scalar, Handle<Type>); 2],
    /// The functions that are made.
    functions: Arena<Function>,
    made: HashMap<PointerCase, Handle<Function>>,
    /// The number of their expressions.
    expressions: usize,
    /// The functions that are being made, each for a call in the one before.
    depth: u32,
}

/// A function while it is built again.
struct FunctionRebuild<'a> {
    old: &'a Function,
    /// The types of its expressions.
    types: Typifier,
    paths: &'a [Option<PointerPath>],
    /// The indices of the path of each parameter.
    indices: Vec<Vec<Handle<Expression>>>,
    expressions: Arena<Expression>,
    /// The new number of each old expression.
    numbers: HashMap<Handle<Expression>, Handle<Expression>>,
}

impl<'m> PointerResolver<'m> {
    /// The function that is made of another one, whose parameters point there.
    fn function(
        &mut self,
        old: Handle<Function>,
        paths: Vec<Option<PointerPath>>,
        call: Span,
    ) -> Result<Handle<Function>, ShaderError> {
        let case = (old, paths);
        if let Some(&made) = self.made.get(&case) {
            return Ok(made);
        }
        let function = &self.module.functions[old];
        self.expressions += function.expressions.len();
        if self.expressions > MOST_EXPRESSIONS {
            return Err(self.source.error(ShaderFeature::InlinedSize.report(self.source.pos(call))));
        }
        if self.depth == MOST_CALLS {
            return Err(self.source.error(ShaderFeature::CallDepth.report(self.source.pos(call))));
        }
        self.depth += 1;
        let rebuilt = self.rebuilt(function, &case.1)?;
        self.depth -= 1;
        let made = self.functions.append(rebuilt, self.module.functions.get_span(old));
        self.made.insert(case, made);
        Ok(made)
    }

    /// The function with these pointers, and with the functions that are made of those that it calls.
    fn rebuilt(&mut self, old: &'m Function, paths: &[Option<PointerPath>]) -> Result<Function, ShaderError> {
        let mut types = Typifier::new();
        let context = ResolveContext::with_locals(self.module, &old.local_variables, &old.arguments);
        if let Some((last, _)) = old.expressions.iter().next_back() {
            types.grow(last, &old.expressions, &context).map_err(|error| {
                let report = Diagnostic::new(Code::K0901, format!("an expression has no type: {error}"));
                self.source.error(report.at(self.source.pos(old.expressions.get_span(last)), "is in this function"))
            })?;
        }
        let (expressions, numbers) = (Arena::new(), HashMap::new());
        let mut rebuild = FunctionRebuild { old, types, paths, indices: Vec::new(), expressions, numbers };
        let (arguments, pointers) = self.parameters(&mut rebuild);
        for (handle, expression) in old.expressions.iter() {
            if rebuild.numbers.contains_key(&handle) {
                continue;
            }
            let mut new = expression.clone();
            operands_mut(&mut new, &mut |operand| *operand = rebuild.renumbered(*operand));
            let number = rebuild.expressions.append(new, old.expressions.get_span(handle));
            rebuild.numbers.insert(handle, number);
        }
        let mut body = old.body.clone();
        self.block(&mut rebuild, &mut body)?;
        if let Some(pointers) = pointers {
            let mut begun = Block::new();
            begun.push(Statement::Emit(pointers), Span::UNDEFINED);
            begun.extend_block(body);
            body = begun;
        }
        let mut local_variables = old.local_variables.clone();
        for (_, variable) in local_variables.iter_mut() {
            variable.init = variable.init.map(|init| rebuild.renumbered(init));
        }
        let named = old.named_expressions.iter().map(|(&named, name)| (rebuild.renumbered(named), name.clone()));
        Ok(Function {
            name: old.name.clone(),
            arguments,
            result: old.result.clone(),
            local_variables,
            named_expressions: named.collect(),
            expressions: rebuild.expressions,
            body,
            diagnostic_filter_leaf: old.diagnostic_filter_leaf,
        })
    }

    /// The parameters, and the expressions of what they were; returns also those that make pointers.
    fn parameters(&self, rebuild: &mut FunctionRebuild<'_>) -> (Vec<FunctionArgument>, Option<Range<Expression>>) {
        let (old, paths) = (rebuild.old, rebuild.paths);
        let mut spans: HashMap<u32, Span> = HashMap::new();
        for (handle, expression) in old.expressions.iter() {
            if let Expression::FunctionArgument(number) = *expression {
                spans.entry(number).or_insert(old.expressions.get_span(handle));
            }
        }
        let span = |number: usize| spans.get(&(number as u32)).copied().unwrap_or_default();
        let mut arguments = Vec::new();
        let mut values: Vec<Option<Handle<Expression>>> = Vec::new();
        for (number, (argument, path)) in old.arguments.iter().zip(paths).enumerate() {
            let mut parameter = |argument: FunctionArgument| {
                arguments.push(argument);
                let new = Expression::FunctionArgument(arguments.len() as u32 - 1);
                rebuild.expressions.append(new, span(number))
            };
            let (value, indices) = match path {
                None => (Some(parameter(argument.clone())), Vec::new()),
                Some(path) => {
                    let scalars = path.steps.iter().filter_map(|step| match step {
                        PathStep::Index(scalar) => Some(scalar),
                        PathStep::Part(_) => None,
                    });
                    let types = scalars.filter_map(|scalar| self.index_type(*scalar));
                    let indices = types.map(|ty| parameter(FunctionArgument { name: None, ty, binding: None }));
                    (None, indices.collect())
                }
            };
            values.push(value);
            rebuild.indices.push(indices);
        }
        // Variables come before what is emitted.
        for (number, path) in paths.iter().enumerate() {
            if let Some(path) = path {
                let variable = Expression::GlobalVariable(path.variable);
                values[number] = Some(rebuild.expressions.append(variable, span(number)));
            }
        }
        let mut bounds: Option<(Handle<Expression>, Handle<Expression>)> = None;
        for (number, path) in paths.iter().enumerate() {
            let mut indices = rebuild.indices[number].iter().copied();
            for step in path.iter().flat_map(|path| &path.steps) {
                let Some(base) = values[number] else { continue };
                let next = match *step {
                    PathStep::Part(index) => Expression::AccessIndex { base, index },
                    PathStep::Index(_) => match indices.next() {
                        Some(index) => Expression::Access { base, index },
                        None => continue,
                    },
                };
                let pointer = rebuild.expressions.append(next, span(number));
                values[number] = Some(pointer);
                bounds = Some((bounds.map_or(pointer, |(first, _)| first), pointer));
            }
        }
        for (handle, expression) in old.expressions.iter() {
            if let Expression::FunctionArgument(number) = *expression
                && let Some(&Some(value)) = values.get(number as usize)
            {
                rebuild.numbers.insert(handle, value);
            }
        }
        (arguments, bounds.map(|(first, last)| Range::new_from_bounds(first, last)))
    }

    fn index_type(&self, scalar: Scalar) -> Option<Handle<Type>> {
        self.index_types.iter().find(|(other, _)| *other == scalar).map(|(_, ty)| *ty)
    }

    fn block(&mut self, rebuild: &mut FunctionRebuild<'_>, block: &mut Block) -> Result<(), ShaderError> {
        for (statement, span) in block.span_iter_mut() {
            let call = span.copied().unwrap_or_default();
            match statement {
                Statement::Call { function, arguments, result } => {
                    (*function, *arguments) = self.call(rebuild, *function, arguments, call)?;
                    if let Some(result) = result {
                        *result = rebuild.renumbered(*result);
                        rebuild.expressions[*result] = Expression::CallResult(*function);
                    }
                    continue;
                }
                Statement::Emit(range) => {
                    let mut all = range.clone().map(|handle| rebuild.renumbered(handle));
                    if let Some(first) = all.next() {
                        *range = Range::new_from_bounds(first, all.last().unwrap_or(first));
                    }
                    continue;
                }
                _ => {}
            }
            statement_operands_mut(statement, &mut |operand| *operand = rebuild.renumbered(*operand));
            results_mut(statement, &mut |result| *result = rebuild.renumbered(*result));
            let mut done = Ok(());
            blocks_mut(statement, &mut |inner| {
                if done.is_ok() {
                    done = self.block(rebuild, inner);
                }
            });
            done?;
        }
        Ok(())
    }

    /// The function that a call calls, and its arguments.
    fn call(
        &mut self,
        rebuild: &FunctionRebuild<'_>,
        callee: Handle<Function>,
        arguments: &[Handle<Expression>],
        call: Span,
    ) -> Result<(Handle<Function>, Vec<Handle<Expression>>), ShaderError> {
        let module = self.module;
        let function = &module.functions[callee];
        let name = function.name.as_deref().unwrap_or("function");
        if arguments.len() != function.arguments.len() {
            let (takes, given) = (function.arguments.len(), arguments.len());
            let message = format!("`{name}` takes {takes} arguments, and {given} are given");
            return Err(self
                .source
                .error(Diagnostic::new(Code::K0901, message).at(self.source.pos(call), "is this call")));
        }
        let (mut paths, mut values) = (Vec::new(), Vec::new());
        for (&argument, parameter) in arguments.iter().zip(&function.arguments) {
            if !is_restricted(module, parameter.ty) {
                paths.push(None);
                values.push(rebuild.renumbered(argument));
                continue;
            }
            let wanted = TypeResolution::Handle(parameter.ty);
            let is_of_type = compare_types(&wanted, &rebuild.types[argument], &module.types);
            let found = is_of_type.then(|| rebuild.path(argument, &module.types)).flatten();
            let Some((path, indices)) = found else {
                let parameter = parameter.name.as_deref().unwrap_or("pointer");
                let message = format!("the parameter `{parameter}` of `{name}` is a pointer of another type");
                let pos = self.source.pos(rebuild.old.expressions.get_span(argument));
                let help = "the address space, the type and the access must be the same: `ptr<storage, T>` is read-only, \
                            `ptr<storage, T, read_write>` is not";
                let report = Diagnostic::new(Code::K0901, message).at(pos, "is given for it").help(help);
                return Err(self.source.error(report));
            };
            paths.push(Some(path));
            values.extend(indices);
        }
        Ok((self.function(callee, paths, call)?, values))
    }
}

impl FunctionRebuild<'_> {
    /// The new number of an expression, which stands before what refers to it.
    fn renumbered(&self, old: Handle<Expression>) -> Handle<Expression> {
        self.numbers.get(&old).copied().unwrap_or(old)
    }

    /// Where a pointer of the function points, and the values of the path's indices.
    fn path(
        &self,
        pointer: Handle<Expression>,
        types: &UniqueArena<Type>,
    ) -> Option<(PointerPath, Vec<Handle<Expression>>)> {
        match self.old.expressions[pointer] {
            Expression::GlobalVariable(variable) => Some((PointerPath { variable, steps: Vec::new() }, Vec::new())),
            Expression::FunctionArgument(number) => {
                let path = self.paths.get(number as usize)?.clone()?;
                Some((path, self.indices.get(number as usize)?.clone()))
            }
            Expression::AccessIndex { base, index } => {
                let (mut path, indices) = self.path(base, types)?;
                path.steps.push(PathStep::Part(index));
                Some((path, indices))
            }
            Expression::Access { base, index } => {
                let (mut path, mut indices) = self.path(base, types)?;
                let &TypeInner::Scalar(scalar @ (Scalar::U32 | Scalar::I32)) = self.types[index].inner_with(types)
                else {
                    return None;
                };
                path.steps.push(PathStep::Index(scalar));
                indices.push(self.renumbered(index));
                Some((path, indices))
            }
            _ => None,
        }
    }
}
