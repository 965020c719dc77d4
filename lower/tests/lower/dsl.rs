//! Trees written by hand: what a macro would write, and the tables that rustc would fill in.

use std::any::TypeId;
use std::cell::RefCell;
use std::sync::Arc;

use tilewise_ast::{
    Binary, Expr, ExprKind, FieldValue, ForHead, MatchArm, Mode, Pattern, SourceSpan, Statement, SyntaxBlock,
    SyntaxLiteral, SyntaxLocal, SyntaxName, SyntaxParam, SyntaxTree, TypeSlot, Unary,
};
use tilewise_ir::types::{Access, Data, Scalar};
use tilewise_lower::{FieldTy, Form, FormLink, RustBuiltin, RustConstant, RustFunction, RustType, StructTy};

/// A function being written. Each expression stands on a line of its own.
#[derive(Default)]
pub(crate) struct Src {
    types: RefCell<Vec<RustType>>,
    links: RefCell<Vec<FormLink>>,
    shared: RefCell<Vec<(TypeSlot, TypeId)>>,
    constants: RefCell<Vec<RustConstant>>,
    captures: RefCell<Vec<(SyntaxName, RustType)>>,
    locals: RefCell<Vec<SyntaxLocal>>,
    params: RefCell<Vec<SyntaxParam>>,
    lines: RefCell<u32>,
}

/// A scalar type.
pub(crate) const fn scalar(scalar: Scalar) -> RustType {
    RustType::Data(Data { scalar, width: 1 })
}

pub(crate) const I32: RustType = scalar(Scalar::I32);
pub(crate) const U32: RustType = scalar(Scalar::U32);
pub(crate) const F32: RustType = scalar(Scalar::F32);
pub(crate) const BOOL: RustType = scalar(Scalar::Bool);

/// A writable view.
pub(crate) fn view(element: RustType, rank: u32) -> RustType {
    RustType::View { element: Arc::new(element), rank, access: Access::ReadWrite }
}

/// A view that is only read.
pub(crate) fn read_view(element: RustType, rank: u32) -> RustType {
    RustType::View { element: Arc::new(element), rank, access: Access::Read }
}

pub(crate) fn array(element: RustType, n: u32) -> RustType {
    RustType::Array(Arc::new(element), n)
}

/// A struct of fields of four bytes each, or of arrays and structs of such.
pub(crate) fn structure(name: &str, fields: &[(&'static str, RustType)]) -> RustType {
    fn size(ty: &RustType) -> u32 {
        match ty {
            RustType::Array(element, n) => size(element) * n,
            RustType::Struct(it) => it.size,
            RustType::Data(data) => u32::from(data.width) * 4,
            RustType::Unit => 0,
            _ => 4,
        }
    }
    let mut at = 0;
    let mut list = Vec::new();
    for (name, ty) in fields {
        list.push(FieldTy { name, offset: at, ty: ty.clone() });
        at += size(ty);
    }
    RustType::Struct(Arc::new(StructTy { name: name.to_owned(), fields: list, size: at, align: 4 }))
}

/// A statement of an expression.
pub(crate) fn does(expr: Expr) -> Statement {
    Statement::Expr(expr)
}

/// Statements without a value.
pub(crate) fn block(statements: impl IntoIterator<Item = Statement>) -> SyntaxBlock {
    SyntaxBlock { statements: statements.into_iter().collect(), value: None }
}

/// Statements and a value.
pub(crate) fn gives(statements: impl IntoIterator<Item = Statement>, value: Expr) -> SyntaxBlock {
    SyntaxBlock { statements: statements.into_iter().collect(), value: Some(Box::new(value)) }
}

pub(crate) fn own() -> Form {
    Form::Builtin(RustBuiltin::Operator)
}

impl Src {
    pub(crate) fn new() -> Src {
        Src::default()
    }

    /// The next line.
    pub(crate) fn at(&self) -> SourceSpan {
        *self.lines.borrow_mut() += 1;
        SourceSpan { line: *self.lines.borrow(), column: 1, length: 1 }
    }

    pub(crate) fn expr(&self, kind: ExprKind) -> Expr {
        Expr { kind, at: self.at() }
    }

    pub(crate) fn ty(&self, ty: RustType) -> u32 {
        let mut types = self.types.borrow_mut();
        types.push(ty);
        types.len() as u32 - 1
    }

    pub(crate) fn link(&self, link: FormLink) -> u32 {
        let mut links = self.links.borrow_mut();
        links.push(link);
        links.len() as u32 - 1
    }

    pub(crate) fn constant(&self, ty: RustType, leaves: &[u64]) -> u32 {
        let mut constants = self.constants.borrow_mut();
        constants.push(RustConstant { ty, leaves: leaves.to_vec(), too_wide: None });
        constants.len() as u32 - 1
    }

    /// A captured name; gives its number.
    pub(crate) fn capture(&self, name: &str, ty: RustType) -> u32 {
        let at = self.at();
        let mut captures = self.captures.borrow_mut();
        captures.push((SyntaxName { text: name.to_owned(), at }, ty));
        captures.len() as u32 - 1
    }

    /// A name that does not change.
    pub(crate) fn local(&self, name: &str) -> u32 {
        self.new_local(name, false)
    }

    /// A name that changes.
    pub(crate) fn mutable(&self, name: &str) -> u32 {
        self.new_local(name, true)
    }

    fn new_local(&self, name: &str, mutable: bool) -> u32 {
        let at = self.at();
        let mut locals = self.locals.borrow_mut();
        locals.push(SyntaxLocal { text: name.to_owned(), mutable, at });
        locals.len() as u32 - 1
    }

    /// A parameter of one name; gives the name.
    pub(crate) fn param(&self, name: &str, ty: RustType, mode: Mode) -> u32 {
        let local = self.local(name);
        let ty = self.ty(ty);
        self.params.borrow_mut().push(SyntaxParam { pattern: Pattern::Bind(local), ty, mode });
        local
    }

    /// The function.
    pub(crate) fn finish(self, name: &str, body: SyntaxBlock) -> RustFunction {
        let captures = self.captures.into_inner();
        let tree = SyntaxTree {
            name: name.to_owned(),
            params: self.params.into_inner(),
            captures: captures.iter().map(|(name, _)| name.clone()).collect(),
            locals: self.locals.into_inner(),
            result: None,
            body,
            at: SourceSpan { line: 1, column: 1, length: 1 },
            tracks_caller: false,
            texture_unit: false,
            gives_self: false,
        };
        RustFunction {
            tree: Box::leak(tree.encode().into_boxed_slice()),
            file: "test.rs",
            types: self.types.into_inner(),
            links: self.links.into_inner(),
            shared: self.shared.into_inner(),
            constants: self.constants.into_inner(),
            captures: captures.into_iter().map(|(_, ty)| ty).collect(),
        }
    }
}

/// Expressions.
impl Src {
    pub(crate) fn lit(&self, value: u64, ty: RustType) -> Expr {
        let ty = self.ty(ty);
        self.expr(ExprKind::Literal(SyntaxLiteral::Int(value), ty))
    }

    pub(crate) fn int(&self, value: i32) -> Expr {
        let literal = self.lit(u64::from(value.unsigned_abs()), I32);
        if value >= 0 {
            return literal;
        }
        let link = self.link(own);
        self.expr(ExprKind::Unary(Unary::Neg, Box::new(literal), link))
    }

    pub(crate) fn float(&self, text: &str) -> Expr {
        let ty = self.ty(F32);
        self.expr(ExprKind::Literal(SyntaxLiteral::Float(text.to_owned()), ty))
    }

    pub(crate) fn truth(&self, value: bool) -> Expr {
        let ty = self.ty(BOOL);
        self.expr(ExprKind::Literal(SyntaxLiteral::Bool(value), ty))
    }

    pub(crate) fn get(&self, local: u32) -> Expr {
        self.expr(ExprKind::Local(local))
    }

    pub(crate) fn cap(&self, capture: u32) -> Expr {
        self.expr(ExprKind::Capture(capture))
    }

    pub(crate) fn konst(&self, ty: RustType, leaves: &[u64]) -> Expr {
        let slot = self.constant(ty, leaves);
        self.expr(ExprKind::Const(slot))
    }

    pub(crate) fn bin(&self, op: Binary, a: Expr, b: Expr) -> Expr {
        let link = self.link(own);
        self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b), link))
    }

    pub(crate) fn add(&self, a: Expr, b: Expr) -> Expr {
        self.bin(Binary::Add, a, b)
    }

    pub(crate) fn mul(&self, a: Expr, b: Expr) -> Expr {
        self.bin(Binary::Mul, a, b)
    }

    pub(crate) fn lt(&self, a: Expr, b: Expr) -> Expr {
        self.bin(Binary::Lt, a, b)
    }

    pub(crate) fn not(&self, a: Expr) -> Expr {
        let link = self.link(own);
        self.expr(ExprKind::Unary(Unary::Not, Box::new(a), link))
    }

    pub(crate) fn and(&self, a: Expr, b: Expr) -> Expr {
        self.expr(ExprKind::And(Box::new(a), Box::new(b)))
    }

    pub(crate) fn or(&self, a: Expr, b: Expr) -> Expr {
        self.expr(ExprKind::Or(Box::new(a), Box::new(b)))
    }

    pub(crate) fn set(&self, place: Expr, value: Expr) -> Statement {
        does(self.expr(ExprKind::Assign(Box::new(place), Box::new(value))))
    }

    pub(crate) fn set_op(&self, op: Binary, place: Expr, value: Expr) -> Statement {
        let link = self.link(own);
        does(self.expr(ExprKind::AssignOp(op, Box::new(place), Box::new(value), link)))
    }

    pub(crate) fn index(&self, base: Expr, index: Expr) -> Expr {
        self.expr(ExprKind::Index(Box::new(base), Box::new(index), None))
    }

    pub(crate) fn field(&self, base: Expr, name: &str) -> Expr {
        self.expr(ExprKind::Field(Box::new(base), name.to_owned()))
    }

    pub(crate) fn call(&self, link: FormLink, args: impl IntoIterator<Item = Expr>) -> Expr {
        let link = self.link(link);
        self.expr(ExprKind::Call(link, args.into_iter().collect()))
    }

    pub(crate) fn reference(&self, mutable: bool, place: Expr) -> Expr {
        self.expr(ExprKind::Ref(mutable, Box::new(place)))
    }

    pub(crate) fn deref(&self, base: Expr) -> Expr {
        self.expr(ExprKind::Deref(Box::new(base)))
    }

    pub(crate) fn cast(&self, value: Expr, ty: RustType) -> Expr {
        let ty = self.ty(ty);
        self.expr(ExprKind::Cast(Box::new(value), ty))
    }

    pub(crate) fn tuple(&self, parts: impl IntoIterator<Item = Expr>) -> Expr {
        self.expr(ExprKind::Tuple(parts.into_iter().collect()))
    }

    pub(crate) fn list(&self, element: RustType, parts: impl IntoIterator<Item = Expr>) -> Expr {
        let parts: Vec<Expr> = parts.into_iter().collect();
        let ty = self.ty(array(element, parts.len() as u32));
        self.expr(ExprKind::Array(parts, ty))
    }

    pub(crate) fn repeat(&self, value: Expr, element: RustType, n: u32) -> Expr {
        let ty = self.ty(array(element, n));
        self.expr(ExprKind::Repeat(Box::new(value), ty))
    }

    pub(crate) fn make(&self, ty: RustType, fields: impl IntoIterator<Item = (&'static str, Expr)>) -> Expr {
        self.make_with(ty, fields, None)
    }

    pub(crate) fn make_with(
        &self,
        ty: RustType,
        fields: impl IntoIterator<Item = (&'static str, Expr)>,
        rest: Option<Expr>,
    ) -> Expr {
        let ty = self.ty(ty);
        let fields = fields.into_iter().map(|(name, value)| FieldValue { name: name.to_owned(), value }).collect();
        self.expr(ExprKind::Struct(ty, None, fields, rest.map(Box::new)))
    }

    pub(crate) fn if_(&self, condition: Expr, then: SyntaxBlock, otherwise: Option<SyntaxBlock>) -> Expr {
        self.expr(ExprKind::If(Box::new(condition), then, otherwise))
    }

    pub(crate) fn match_(&self, value: Expr, arms: impl IntoIterator<Item = (Pattern, Option<Expr>, Expr)>) -> Expr {
        let arms = arms.into_iter().map(|(pattern, guard, body)| MatchArm { pattern, guard, body }).collect();
        self.expr(ExprKind::Match(Box::new(value), arms))
    }

    pub(crate) fn while_(&self, condition: Expr, body: SyntaxBlock, label: u32) -> Statement {
        does(self.expr(ExprKind::While(Box::new(condition), body, label)))
    }

    pub(crate) fn loop_(&self, body: SyntaxBlock, label: u32) -> Expr {
        self.expr(ExprKind::Loop(body, label))
    }

    pub(crate) fn labelled(&self, body: SyntaxBlock, label: u32) -> Expr {
        self.expr(ExprKind::Block(body, Some(label)))
    }

    pub(crate) fn inner(&self, body: SyntaxBlock) -> Expr {
        self.expr(ExprKind::Block(body, None))
    }

    pub(crate) fn break_(&self, label: u32, value: Option<Expr>) -> Expr {
        self.expr(ExprKind::Break(label, value.map(Box::new)))
    }

    pub(crate) fn continue_(&self, label: u32) -> Expr {
        self.expr(ExprKind::Continue(label))
    }

    pub(crate) fn return_(&self, value: Option<Expr>) -> Expr {
        self.expr(ExprKind::Return(value.map(Box::new)))
    }

    pub(crate) fn for_(
        &self,
        local: u32,
        ty: RustType,
        ends: (Expr, Expr),
        body: SyntaxBlock,
        label: u32,
    ) -> Statement {
        let head = self.head(local, ty, ends);
        does(self.expr(ExprKind::For(Box::new(head), body, label)))
    }

    pub(crate) fn head(&self, local: u32, ty: RustType, (low, high): (Expr, Expr)) -> ForHead {
        ForHead { local: Some(local), ty: self.ty(ty), low, high, inclusive: false, adapters: Vec::new() }
    }

    pub(crate) fn let_(&self, local: u32, value: Expr) -> Statement {
        self.let_pattern(Pattern::Bind(local), value)
    }

    pub(crate) fn let_pattern(&self, pattern: Pattern, value: Expr) -> Statement {
        Statement::Let(pattern, None, Some(value), self.at())
    }

    pub(crate) fn declare(&self, local: u32, ty: RustType) -> Statement {
        let ty = self.ty(ty);
        Statement::Let(Pattern::Bind(local), Some(ty), None, self.at())
    }

    pub(crate) fn tile_static(&self, local: u32, ty: RustType) -> Statement {
        let ty = self.ty(ty);
        self.shared.borrow_mut().push((ty, TypeId::of::<RustType>()));
        Statement::TileStatic(local, ty, self.at())
    }

    pub(crate) fn number(&self, value: i32) -> Pattern {
        Pattern::Literal(SyntaxLiteral::Int(u64::from(value.unsigned_abs())), value < 0, self.at())
    }

    pub(crate) fn span(&self, low: Option<Pattern>, high: Option<Pattern>, inclusive: bool) -> Pattern {
        Pattern::Range(low.map(Box::new), high.map(Box::new), inclusive, self.at())
    }
}
