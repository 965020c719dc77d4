//! Input that no macro writes: lowering refuses it or makes a kernel of it, and never panics, never hangs, never overflows the stack.

use std::any::TypeId;
use std::cell::Cell;
use std::sync::Arc;
use std::thread;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use tilewise_ast::{
    Binary, ClosureCopy, ClosureParam, Expr, ExprKind, FieldPattern, FieldValue, ForHead, MAX_DEPTH, MatchArm, Mode,
    Pattern, RangeAdapter, SourceSpan, Statement, SyntaxBlock, SyntaxLiteral, SyntaxLocal, SyntaxName, SyntaxParam,
    SyntaxTree, Unary,
};
use tilewise_ir::check::check;
use tilewise_ir::diag::Code;
use tilewise_ir::kernel::{AtomicOp, Fence};
use tilewise_ir::ops::Op;
use tilewise_ir::text::{parse, print};
use tilewise_ir::types::{Data, Scalar, Stored};
use tilewise_lower::{
    EnumTy, FieldTy, Form, FormLink, OrderingMethod, RustBuiltin, RustConstant, RustFunction, RustType, StructTy,
    VariantTy, VariantsTy, kernel,
};

use crate::dsl::{F32, I32, Src, array, block, does, gives, structure, view};

/// Lowers, and does with the kernel what follows. True if it is a kernel that may run.
fn survives(function: &RustFunction) -> bool {
    match kernel("k", function) {
        Err(rejected) => {
            assert!(!rejected.diagnostics.is_empty(), "refused without a reason");
            let _ = rejected.to_string();
            false
        }
        Ok(lowered) => {
            let Ok(checked) = check(lowered.kernel) else { return false };
            let text = print(checked.kernel());
            let again = parse("printed.kir", &text).unwrap_or_else(|failure| panic!("{failure}\n{text}"));
            assert!(again == *checked.kernel(), "{text}\n{}", print(&again));
            true
        }
    }
}

/// Links of every kind.
const LINKS: &[FormLink] = &[
    || Form::Builtin(RustBuiltin::Operator),
    || Form::Builtin(RustBuiltin::OtherEquality("E".to_owned())),
    || Form::Builtin(RustBuiltin::Op(Op::Max)),
    || Form::Builtin(RustBuiltin::Op(Op::Dot)),
    || Form::Builtin(RustBuiltin::Op(Op::Rotl)),
    || Form::Builtin(RustBuiltin::Method("wrapping_add")),
    || Form::Builtin(RustBuiltin::Method("sqrt")),
    || Form::Builtin(RustBuiltin::Library("fast_math::exp")),
    || Form::Builtin(RustBuiltin::Library("fast_math::sincos")),
    || Form::Builtin(RustBuiltin::Compose(Data { scalar: Scalar::F32, width: 2 })),
    || Form::Builtin(RustBuiltin::Compose(Data { scalar: Scalar::F32, width: 9 })),
    || Form::Builtin(RustBuiltin::Splat(Data { scalar: Scalar::I32, width: 3 })),
    || Form::Builtin(RustBuiltin::Swizzle(&[1, 0])),
    || Form::Builtin(RustBuiltin::Swizzle(&[9])),
    || Form::Builtin(RustBuiltin::SetSwizzle(&[1, 0])),
    || Form::Builtin(RustBuiltin::SetSwizzle(&[9])),
    || Form::Builtin(RustBuiltin::Zero(array(I32, 3))),
    || Form::Builtin(RustBuiltin::Identity),
    || Form::Builtin(RustBuiltin::Compare(RustType::Char)),
    || Form::Builtin(RustBuiltin::Compare(RustType::Unit)),
    || Form::Builtin(RustBuiltin::OfOrdering(OrderingMethod::Then)),
    || Form::Builtin(RustBuiltin::Chosen(true)),
    || Form::Builtin(RustBuiltin::OtherOrder("Level".to_owned())),
    || Form::Builtin(RustBuiltin::ToIndex(2)),
    || Form::Builtin(RustBuiltin::ToIndex(u32::MAX)),
    || Form::Builtin(RustBuiltin::ToExtent(1)),
    || Form::Builtin(RustBuiltin::ToArray),
    || Form::Builtin(RustBuiltin::ExtentSize),
    || Form::Builtin(RustBuiltin::ExtentContains),
    || Form::Builtin(RustBuiltin::Tile(vec![2, 2])),
    || Form::Builtin(RustBuiltin::Tile(vec![0; 9])),
    || Form::Builtin(RustBuiltin::TiledExtentWhole),
    || Form::Builtin(RustBuiltin::TileExtent),
    || Form::Builtin(RustBuiltin::Pad),
    || Form::Builtin(RustBuiltin::Truncate),
    || Form::Builtin(RustBuiltin::TiledIndexFromParts(vec![2])),
    || Form::Builtin(RustBuiltin::ViewExtent),
    || Form::Builtin(RustBuiltin::Section),
    || Form::Builtin(RustBuiltin::SectionFrom),
    || Form::Builtin(RustBuiltin::SectionTo),
    || Form::Builtin(RustBuiltin::Project),
    || Form::Builtin(RustBuiltin::Reinterpret(F32)),
    || Form::Builtin(RustBuiltin::Reinterpret(RustType::Unit)),
    || Form::Builtin(RustBuiltin::ViewAs(2)),
    || Form::Builtin(RustBuiltin::AsReadOnly),
    || Form::Builtin(RustBuiltin::AtomicAt),
    || Form::Builtin(RustBuiltin::Atomic(AtomicOp::Add)),
    || Form::Builtin(RustBuiltin::Atomic(AtomicOp::Inc)),
    || Form::Builtin(RustBuiltin::Atomic(AtomicOp::Max)),
    || Form::Builtin(RustBuiltin::CompareExchange),
    || Form::Builtin(RustBuiltin::Barrier(Fence::All)),
    || Form::Builtin(RustBuiltin::Fence(Fence::Global)),
    random_callee,
    random_callee,
];

thread_local! {
    /// From what the functions that are called are made: the same for the whole of one lowering.
    static SEED: Cell<u64> = const { Cell::new(1) };
}

/// A function of random content, which may call itself.
fn random_callee() -> Form {
    Form::Function(Random::new(SEED.get() ^ 0x9e37_79b9).function(false))
}

/// Random syntax and random tables.
struct Random {
    state: u64,
    /// Expressions that may still be made.
    left: u32,
}

const LOCALS: u32 = 6;
const SLOTS: u32 = 12;

impl Random {
    fn new(seed: u64) -> Random {
        let mut random = Random { state: seed, left: 0 };
        random.left = 20 + random.below(80);
        random
    }

    fn below(&mut self, n: u32) -> u32 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) % u64::from(n.max(1))) as u32
    }

    fn chance(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn at(&mut self) -> SourceSpan {
        SourceSpan { line: self.below(9), column: self.below(9), length: self.below(4) }
    }

    fn slot(&mut self) -> u32 {
        if self.chance(50) { u32::MAX } else { self.below(SLOTS) }
    }

    fn link(&mut self) -> u32 {
        if self.chance(50) {
            u32::MAX
        } else if self.chance(2) {
            0
        } else {
            self.below(LINKS.len() as u32)
        }
    }

    fn local(&mut self) -> u32 {
        if self.chance(50) { u32::MAX } else { self.below(LOCALS) }
    }

    fn ty(&mut self, depth: u32) -> RustType {
        let scalars = Scalar::ALL;
        match self.below(if depth > 3 { 7 } else { 21 }) {
            0..=3 => I32,
            4 => RustType::Data(Data { scalar: scalars[self.below(7) as usize], width: 1 + self.below(5) as u8 }),
            5 => F32,
            6 => RustType::Small(Stored::ALL[self.below(12) as usize]),
            7 => RustType::Unit,
            8 => RustType::Tuple((0..self.below(4)).map(|_| self.ty(depth + 1)).collect()),
            9 | 10 => {
                let n = match self.below(6) {
                    0 => 0,
                    1 => u32::MAX,
                    2 => 100,
                    n => n,
                };
                array(self.ty(depth + 1), n)
            }
            11 | 12 => {
                let mut fields = Vec::new();
                for name in ["a", "b", "0"] {
                    fields.push(FieldTy { name, offset: 4 * self.below(6), ty: self.ty(depth + 1) });
                }
                let (size, align) = (self.below(64), 1 << self.below(6));
                RustType::Struct(Arc::new(StructTy { name: "S<T>".to_owned(), fields, size, align }))
            }
            13 => RustType::Enum(Arc::new(EnumTy {
                name: "E".to_owned(),
                scalar: scalars[self.below(3) as usize],
                variants: vec![("A", 0)],
            })),
            14 => RustType::Index(if self.chance(9) { u32::MAX } else { self.below(4) }),
            15 => RustType::Extent(self.below(4)),
            16 => RustType::TiledIndex((0..self.below(5)).map(|i| i + 1).collect()),
            17 => RustType::TiledExtent((0..self.below(5)).map(|i| i + 1).collect()),
            18 => match self.below(3) {
                0 => RustType::Barrier,
                1 => RustType::Atomic(scalars[self.below(7) as usize]),
                _ if self.chance(3) => RustType::Char,
                _ => RustType::TileStatic(Arc::new(self.ty(depth + 1))),
            },
            19 => {
                let fields = (0..self.below(3)).map(|i| (["0", "x"][i as usize], self.ty(depth + 1))).collect();
                let variants = vec![VariantTy { name: "None", fields: Vec::new() }, VariantTy { name: "Some", fields }];
                RustType::Variants(Arc::new(VariantsTy { name: "Option".to_owned(), variants }))
            }
            _ => view(self.ty(depth + 1), self.below(4)),
        }
    }

    fn literal(&mut self) -> SyntaxLiteral {
        match self.below(6) {
            0 => SyntaxLiteral::Bool(self.chance(2)),
            1 => SyntaxLiteral::Float(["1.5", "x", "1e999", "-3"][self.below(4) as usize].to_owned()),
            2 => SyntaxLiteral::Int(u64::MAX),
            _ => SyntaxLiteral::Int(u64::from(self.below(5))),
        }
    }

    fn pattern(&mut self, depth: u32) -> Pattern {
        let boxed = |random: &mut Random| random.chance(2).then(|| Box::new(random.pattern(9)));
        match self.below(if depth > 2 { 4 } else { 12 }) {
            0 | 1 => Pattern::Bind(self.local()),
            2 => Pattern::Wild,
            3 => Pattern::Literal(self.literal(), self.chance(3), self.at()),
            4 => Pattern::Tuple((0..self.below(4)).map(|_| self.pattern(depth + 1)).collect()),
            5 => Pattern::Const(self.below(4), self.at()),
            6 => Pattern::Range(boxed(self), boxed(self), self.chance(2), self.at()),
            7 => Pattern::At(self.local(), Box::new(self.pattern(depth + 1))),
            8 => Pattern::Rest,
            9 => {
                let parts = (0..self.below(4)).map(|_| self.pattern(depth + 1)).collect();
                Pattern::Positions(self.below(4), parts, self.at())
            }
            10 => {
                let names = ["a", "b", "0", "x", "y"];
                let fields = (0..self.below(4))
                    .map(|_| FieldPattern {
                        name: names[self.below(5) as usize].to_owned(),
                        pattern: self.pattern(depth + 1),
                    })
                    .collect();
                Pattern::Fields(self.below(4), fields, self.at())
            }
            _ => Pattern::Or((0..self.below(4)).map(|_| self.pattern(depth + 1)).collect()),
        }
    }

    fn block(&mut self, depth: u32) -> SyntaxBlock {
        let statements = (0..self.below(4)).map(|_| self.statement(depth + 1)).collect();
        SyntaxBlock { statements, value: self.chance(2).then(|| self.boxed(depth + 1)) }
    }

    fn statement(&mut self, depth: u32) -> Statement {
        match self.below(8) {
            0..=2 => Statement::Let(self.pattern(1), None, Some(self.expr(depth)), self.at()),
            3 => Statement::Let(self.pattern(2), Some(self.slot()), None, self.at()),
            4 if self.chance(4) => Statement::TileStatic(self.local(), self.slot(), self.at()),
            4 => Statement::LetElse(self.pattern(1), self.expr(depth), self.block(depth), self.at()),
            6 => {
                let closure = ExprKind::Closure(Vec::new(), Vec::new(), self.boxed(depth));
                let value = Expr { kind: closure, at: self.at() };
                Statement::Let(Pattern::Bind(self.local()), None, Some(value), self.at())
            }
            5 => {
                let kind = ExprKind::Assign(self.boxed(depth), self.boxed(depth));
                Statement::Expr(Expr { kind, at: self.at() })
            }
            _ => Statement::Expr(self.expr(depth)),
        }
    }

    fn boxed(&mut self, depth: u32) -> Box<Expr> {
        Box::new(self.expr(depth))
    }

    fn list(&mut self, depth: u32) -> Vec<Expr> {
        (0..self.below(4)).map(|_| self.expr(depth)).collect()
    }

    fn expr(&mut self, depth: u32) -> Expr {
        self.left = self.left.saturating_sub(1);
        let small = depth > 8 || self.left == 0;
        let kind = if small { self.leaf() } else { self.kind(depth + 1) };
        Expr { kind, at: self.at() }
    }

    fn leaf(&mut self) -> ExprKind {
        match self.below(6) {
            0 | 1 => ExprKind::Local(self.local()),
            2 => ExprKind::Capture(self.below(4)),
            3 => ExprKind::Const(self.below(5)),
            _ => ExprKind::Literal(self.literal(), self.slot()),
        }
    }

    fn binary(&mut self) -> Binary {
        const ALL: [Binary; 8] =
            [Binary::Add, Binary::Sub, Binary::Div, Binary::Shl, Binary::BitAnd, Binary::Eq, Binary::Ne, Binary::Lt];
        ALL[self.below(8) as usize]
    }

    fn label(&mut self) -> u32 {
        self.below(3)
    }

    fn kind(&mut self, depth: u32) -> ExprKind {
        let field = ["x", "0", "a", "b", "global", "local", "barrier", "1"];
        match self.below(38) {
            0..=2 => self.leaf(),
            3 => ExprKind::Unary(if self.chance(2) { Unary::Neg } else { Unary::Not }, self.boxed(depth), self.link()),
            4..=6 => ExprKind::Binary(self.binary(), self.boxed(depth), self.boxed(depth), self.link()),
            7 => ExprKind::And(self.boxed(depth), self.boxed(depth)),
            8 => ExprKind::Or(self.boxed(depth), self.boxed(depth)),
            9 => ExprKind::AssignOp(self.binary(), self.boxed(depth), self.boxed(depth), self.link()),
            10 | 11 => ExprKind::Call(self.link(), self.list(depth)),
            12 | 13 => ExprKind::Field(self.boxed(depth), field[self.below(8) as usize].to_owned()),
            14 | 15 => ExprKind::Index(self.boxed(depth), self.boxed(depth), self.chance(2).then(|| self.below(6))),
            16 => ExprKind::Ref(self.chance(2), self.boxed(depth)),
            17 => ExprKind::Deref(self.boxed(depth)),
            18 => ExprKind::Cast(self.boxed(depth), self.slot()),
            19 => {
                let fields = ["a", "b", "0", "x", "y"];
                let fields = (0..self.below(4))
                    .map(|_| FieldValue { name: fields[self.below(5) as usize].to_owned(), value: self.expr(depth) })
                    .collect();
                let variant = self.chance(2).then(|| self.below(4));
                ExprKind::Struct(self.slot(), variant, fields, self.chance(2).then(|| self.boxed(depth)))
            }
            20 => ExprKind::Tuple(self.list(depth)),
            21 => ExprKind::Array(self.list(depth), self.slot()),
            22 => ExprKind::Repeat(self.boxed(depth), self.slot()),
            23 => ExprKind::Block(self.block(depth), self.chance(2).then(|| self.label())),
            24 => ExprKind::If(self.boxed(depth), self.block(depth), self.chance(2).then(|| self.block(depth))),
            25 => {
                let mut arms = Vec::new();
                for _ in 0..self.below(4) {
                    let guard = self.chance(4).then(|| self.expr(depth));
                    arms.push(MatchArm { pattern: self.pattern(0), guard, body: self.expr(depth) });
                }
                ExprKind::Match(self.boxed(depth), arms)
            }
            26 => ExprKind::While(self.boxed(depth), self.block(depth), self.label()),
            27 => ExprKind::Loop(self.block(depth), self.label()),
            28 => ExprKind::For(Box::new(self.head(depth)), self.block(depth), self.label()),
            29 => ExprKind::Break(self.label(), self.chance(2).then(|| self.boxed(depth))),
            30 => ExprKind::Continue(self.label()),
            31 => ExprKind::Return(self.chance(2).then(|| self.boxed(depth))),
            32 => {
                let values = self.list(depth);
                let pieces = ["", "a {b} ", "\"\\\n"];
                let pieces = (0..=values.len()).map(|_| pieces[self.below(3) as usize].to_owned()).collect();
                let formats =
                    values.iter().map(|_| ["", ">7.2", "x", "?", "q"][self.below(5) as usize].to_owned()).collect();
                if self.chance(2) {
                    ExprKind::Print(pieces, values, formats)
                } else {
                    ExprKind::Error(pieces, values, formats)
                }
            }
            33 => ExprKind::Try(self.boxed(depth)),
            34 => {
                let copies = (0..self.below(2)).map(|_| ClosureCopy { copy: self.local(), original: self.local() });
                let copies = copies.collect();
                let modes = [Mode::Value, Mode::Ref, Mode::RefMut, Mode::Function];
                let params = (0..self.below(3))
                    .map(|_| ClosureParam { pattern: self.pattern(2), mode: modes[self.below(4) as usize] })
                    .collect();
                ExprKind::Closure(copies, params, self.boxed(depth))
            }
            35 => ExprKind::Invoke(self.local(), self.list(depth)),
            36 => ExprKind::Function(self.below(6)),
            _ => ExprKind::Abort,
        }
    }

    fn head(&mut self, depth: u32) -> ForHead {
        let adapters = (0..self.below(3))
            .map(|_| if self.chance(2) { RangeAdapter::Rev } else { RangeAdapter::StepBy(self.expr(depth)) })
            .collect();
        ForHead {
            local: self.chance(3).then(|| self.local()),
            ty: self.slot(),
            low: self.expr(depth),
            high: self.expr(depth),
            inclusive: self.chance(2),
            adapters,
        }
    }

    fn tree(&mut self, is_kernel: bool) -> SyntaxTree {
        let count = if is_kernel { 1 } else { self.below(3) };
        let mut params = Vec::new();
        for i in 0..count {
            let mode = [Mode::Value, Mode::Ref, Mode::RefMut, Mode::Function][self.below(4) as usize];
            params.push(SyntaxParam { pattern: Pattern::Bind(i), ty: if is_kernel { 0 } else { self.slot() }, mode });
        }
        let captures =
            (0..if is_kernel { 4 } else { 0 }).map(|i| SyntaxName { text: format!("c{i}"), at: self.at() }).collect();
        let locals = (0..LOCALS)
            .map(|i| SyntaxLocal { text: format!("v{i}"), mutable: self.chance(2), at: self.at() })
            .collect();
        let body = self.block(0);
        let (at, tracks_caller, texture_unit) = (self.at(), self.chance(4), self.chance(4));
        let result = texture_unit.then(|| self.slot());
        let gives_self = self.chance(4);
        SyntaxTree {
            name: "f".to_owned(),
            params,
            captures,
            locals,
            result,
            body,
            at,
            tracks_caller,
            texture_unit,
            gives_self,
        }
    }

    fn function(&mut self, is_kernel: bool) -> RustFunction {
        let tree = self.tree(is_kernel);
        self.with_tables(Box::leak(tree.encode().into_boxed_slice()))
    }

    fn with_tables(&mut self, tree: &'static [u8]) -> RustFunction {
        let mut types: Vec<RustType> = (0..SLOTS).map(|_| self.ty(0)).collect();
        types[0] = if self.chance(3) { RustType::TiledIndex(vec![2, 2]) } else { RustType::Index(1 + self.below(2)) };
        let constants = (0..4).map(|_| {
            let ty = self.ty(2);
            RustConstant { ty, leaves: (0..self.below(4)).map(u64::from).collect(), too_wide: None }
        });
        let constants = constants.collect();
        let captures = (0..4).map(|_| if self.chance(2) { view(I32, 1) } else { self.ty(0) }).collect();
        let shared = (0..SLOTS).filter(|_| !self.chance(8)).map(|slot| (slot, TypeId::of::<i32>())).collect();
        RustFunction { tree, file: "random.rs", types, links: LINKS.to_vec(), shared, constants, captures }
    }
}

/// A runner with a seed of its own, so that failures come again.
fn runner(cases: u32) -> TestRunner {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn random_syntax_with_random_tables() {
    let passed = Cell::new(0);
    runner(20_000)
        .run(&any::<u64>(), |seed| {
            SEED.set(seed);
            passed.set(passed.get() + u32::from(survives(&Random::new(seed).function(true))));
            Ok(())
        })
        .unwrap();
    assert!(passed.get() > 20, "only {} were kernels", passed.get());
}

#[test]
fn random_bytes() {
    runner(5_000)
        .run(&proptest::collection::vec(any::<u8>(), 0..200), |bytes| {
            let _ = SyntaxTree::decode(&bytes).map(|tree| assert_eq!(tree.encode(), bytes));
            let function = Random::new(7).with_tables(Box::leak(bytes.into_boxed_slice()));
            survives(&function);
            Ok(())
        })
        .unwrap();
}

#[test]
fn trees_with_some_bytes_changed() {
    let changes = proptest::collection::vec((any::<usize>(), any::<u8>()), 1..4);
    runner(10_000)
        .run(&(any::<u64>(), changes), |(seed, changes)| {
            SEED.set(seed);
            let mut function = Random::new(seed).function(true);
            let mut bytes = function.tree.to_vec();
            for (at, byte) in changes {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            function.tree = Box::leak(bytes.into_boxed_slice());
            survives(&function);
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_codec_gives_back_what_it_was_given() {
    runner(3_000)
        .run(&any::<u64>(), |seed| {
            let tree = Random::new(seed).tree(true);
            let bytes = tree.encode();
            assert_eq!(SyntaxTree::decode(&bytes).unwrap(), tree);
            // Cut anywhere, it is no tree; with a byte more neither.
            let cut = (seed % bytes.len() as u64) as usize;
            assert!(SyntaxTree::decode(&bytes[..cut]).is_err());
            assert!(SyntaxTree::decode(&[&bytes[..], &[0]].concat()).is_err());
            Ok(())
        })
        .unwrap();
}

/// Runs with so much stack, in KiB.
fn on_stack<T: Send + 'static>(size: usize, run: impl FnOnce() -> T + Send + 'static) -> T {
    thread::Builder::new().stack_size(size << 10).spawn(run).unwrap().join().unwrap()
}

/// Something nested in itself, as deep as it is told.
type Nested = fn(&Src, u32, u32) -> Expr;

/// Wraps an expression in itself, so often.
fn wrap(s: &Src, depth: u32, first: Expr, around: impl Fn(&Src, Expr) -> Expr) -> Expr {
    (0..depth).fold(first, |inner, _| around(s, inner))
}

fn identity() -> Form {
    static IT: std::sync::LazyLock<RustFunction> = std::sync::LazyLock::new(|| {
        let s = Src::new();
        let x = s.param("x", I32, Mode::Value);
        let body = gives([], s.get(x));
        s.finish("identity", body)
    });
    Form::Function(IT.clone())
}

const NESTS: &[Nested] = &[
    |s, n, _| wrap(s, n, s.int(1), Src::not),
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.add(s.int(1), e)),
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.add(e, s.int(1))),
    |s, n, _| wrap(s, n, s.truth(true), |s, e| s.and(s.truth(true), e)),
    |s, n, _| wrap(s, n, s.truth(true), |s, e| s.or(e, s.truth(true))),
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.tuple([e])),
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.inner(gives([], e))),
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.inner(block([does(e)]))),
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.labelled(gives([], e), 0)),
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.if_(s.truth(true), gives([], s.int(2)), Some(gives([], e)))),
    |s, n, _| wrap(s, n, s.truth(true), |s, e| s.if_(e, gives([], s.truth(true)), Some(gives([], s.truth(false))))),
    |s, n, out| wrap(s, n, s.int(1), |s, e| s.index(s.cap(out), e)),
    |s, n, out| wrap(s, n, s.cap(out), |s, e| s.index(e, s.int(0))),
    |s, n, out| wrap(s, n, s.cap(out), |s, e| s.field(e, "x")),
    |s, n, out| wrap(s, n, s.cap(out), |s, e| s.deref(s.reference(false, e))),
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.call(identity, [e])),
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.call(|| Form::Builtin(RustBuiltin::Identity), [e])),
    |s, n, _| {
        wrap(s, n, s.int(1), |s, e| s.match_(e, [(s.number(1), None, s.int(1)), (Pattern::Wild, None, s.int(2))]))
    },
    |s, n, _| {
        wrap(s, n, s.int(1), |s, e| {
            s.match_(s.int(1), [(s.span(None, Some(s.number(1)), true), None, s.int(1)), (Pattern::Wild, None, e)])
        })
    },
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.loop_(block([does(e)]), 0)),
    |s, n, _| {
        wrap(s, n, s.int(1), |s, e| {
            let x = s.local("x");
            s.inner(block([s.for_(x, I32, (s.int(0), s.int(2)), block([does(e)]), 0)]))
        })
    },
    |s, n, _| wrap(s, n, s.truth(true), |s, e| s.inner(gives([s.while_(e, block([]), 0)], s.truth(true)))),
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.cast(e, I32)),
    |s, n, _| {
        wrap(s, n, s.int(1), |s, e| {
            s.make(
                structure("P", &[("x", I32)]),
                [("x", s.field(s.make(structure("P", &[("x", I32)]), [("x", e)]), "x"))],
            )
        })
    },
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.list(I32, [s.index(s.list(I32, [e]), s.int(0))])),
    |s, n, _| wrap(s, n, s.int(1), |s, e| s.return_(Some(e))),
    |s, n, _| {
        wrap(s, n, s.int(1), |s, e| {
            s.expr(ExprKind::Print(vec![String::new(), String::new()], vec![e], vec![String::new()]))
        })
    },
    |s, n, _| {
        let pattern = (0..n).fold(Pattern::Wild, |inner, _| Pattern::Tuple(vec![inner]));
        s.match_(s.int(1), [(pattern, None, s.int(1)), (Pattern::Wild, None, s.int(2))])
    },
    |s, n, _| {
        let pattern = (0..n).fold(s.number(3), |inner, _| Pattern::Or(vec![inner, s.number(1)]));
        s.match_(s.truth(true), [(pattern, None, s.int(1)), (Pattern::Wild, None, s.int(2))])
    },
];

#[test]
fn deep_trees_fit_a_small_stack() {
    for (which, nested) in NESTS.iter().enumerate() {
        for depth in [30, 120, 250, 390, 640, 980, 3_000] {
            // Whoever writes such a tree needs a large stack itself.
            let function = on_stack(64 << 10, move || {
                let s = Src::new();
                let out = s.capture("out", view(I32, 1));
                s.param("idx", RustType::Index(1), Mode::Value);
                let body = block([does(nested(&s, depth, out))]);
                s.finish("kernel", body)
            });
            eprintln!("nest {which}, {depth} deep");
            on_stack(64, move || survives(&function));
        }
    }
}

#[test]
fn long_chains_of_operators_are_not_deep() {
    let s = Src::new();
    let out = s.capture("out", view(I32, 1));
    s.param("idx", RustType::Index(1), Mode::Value);
    let sum = wrap(&s, 450, s.int(1), |s, e| s.add(e, s.int(1)));
    let body = block([s.set(s.index(s.cap(out), s.int(0)), sum)]);
    assert!(survives(&s.finish("kernel", body)));
}

#[test]
fn a_tree_deeper_than_the_limit_is_no_tree() {
    let function = on_stack(64 << 10, || {
        let s = Src::new();
        s.param("idx", RustType::Index(1), Mode::Value);
        let body = block([does(wrap(&s, MAX_DEPTH, s.int(1), Src::not))]);
        s.finish("kernel", body)
    });
    on_stack(64, move || {
        let rejected = kernel("k", &function).err().unwrap();
        assert_eq!(rejected.diagnostics[0].code, Code::K0705);
    });
}

#[test]
fn types_that_share_their_parts_are_not_walked_for_ever() {
    let mut ty = I32;
    for _ in 0..60 {
        let part = Arc::new(ty);
        ty = RustType::Struct(Arc::new(StructTy {
            name: "S".to_owned(),
            fields: ["a", "b"].map(|name| FieldTy { name, offset: 0, ty: RustType::Array(part.clone(), 2) }).to_vec(),
            size: 8,
            align: 4,
        }));
    }
    let mut random = Random::new(4);
    let mut function = random.function(true);
    function.types[1] = ty;
    let rejected = kernel("k", &function).err().unwrap();
    assert_eq!(rejected.diagnostics[0].code, Code::K0606);
}

#[test]
fn a_list_that_claims_to_be_long_takes_no_memory() {
    let mut bytes = vec![1, b'k'];
    bytes.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    let broken = SyntaxTree::decode(&bytes).unwrap_err();
    assert_eq!(broken.why, "a list that is longer than the bytes");
}
