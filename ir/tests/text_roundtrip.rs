//! Printing and reading back gives the same kernel, whatever the builder was told; and no change of a text makes the parser panic.
//!
//! Kernels are made from a tape of numbers: each choice takes the next one, and an ended tape chooses the simplest. So proptest shrinks a failure by
//! shortening the tape. Types are not obeyed: what is ill typed has a text too. Only what the text form can not say is left out.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tilewise_ir::build::Builder;
use tilewise_ir::format::ValueFormat;
use tilewise_ir::kernel::{
    AtomicOp, Block, Builtin, CallArgument, Const, Fence, FnParam, FnParamKind, FunctionId, Init, InstKind, Kernel,
    LabelId, Message, ParamKind, Place, Root, Step, SwitchCase, ValueId,
};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::text;
use tilewise_ir::types::{
    Access, Data, Field, Name, Scalar, Stored, Struct, Type, TypeId, ValueType, ViewType, round_up,
};
use tilewise_ir::typing::PlaceType;

const NAMES: [&str; 12] = ["x", "y", "sum", "if", "f32", "x_2", "ä b", "3d", "global", "add", "view", "size"];

struct Gen<'t> {
    tape: &'t [u32],
    b: Builder,
    functions: Vec<(FunctionId, Vec<FnParam>)>,
    /// Memory types by number, and those of fixed size.
    types: Vec<TypeId>,
    fixed: Vec<TypeId>,
    roots: Vec<Root>,
    values: Vec<ValueId>,
    /// Views in error: their components have no text, as `w[0]` is an element.
    views_in_error: Vec<ValueId>,
    params: u32,
    labels: Vec<LabelId>,
    depth: u32,
}

impl Gen<'_> {
    fn next(&mut self, n: u32) -> u32 {
        match self.tape.split_first() {
            Some((&first, rest)) => {
                self.tape = rest;
                first % n
            }
            None => 0,
        }
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        let i = self.next(from.len() as u32) as usize;
        from[i].clone()
    }

    fn name(&mut self) -> Option<&'static str> {
        if self.next(3) == 0 { Some(self.pick(&NAMES)) } else { None }
    }

    fn access(&mut self) -> Access {
        self.pick(&[Access::Read, Access::ReadWrite])
    }

    fn add_type(&mut self) {
        let element = self.pick(&self.fixed.clone());
        let size = u32::try_from(self.b.types().size(element)).unwrap();
        let ty = match self.next(5) {
            0 => {
                let stored = self.pick(&Stored::ALL);
                let n = 1 + self.next(4) as u8;
                self.b.types().vector(stored, n)
            }
            1 => {
                let length = self.next(4);
                self.b.types().natural_array(element, Some(length))
            }
            2 => {
                let stride = size + self.next(9);
                let length = if self.next(4) == 0 { None } else { Some(self.next(3)) };
                self.b.types().add(Type::Array { element, length, stride })
            }
            _ => {
                let name = Name::from(self.pick(&NAMES));
                let mut at = 0;
                let mut fields = Vec::new();
                for _ in 0..self.next(4) {
                    let ty = self.pick(&self.fixed.clone());
                    at += self.next(7);
                    fields.push(Field { name: self.pick(&NAMES).into(), ty, offset: at });
                    at += self.b.types().size(ty) as u32;
                }
                if self.next(5) == 0 {
                    let ty = self.b.types().natural_array(element, None);
                    fields.push(Field { name: "tail".into(), ty, offset: at });
                }
                let align = 1 << self.next(5);
                let size = round_up(u64::from(at), 1 + self.next(3)) as u32;
                self.b.types().add(Type::Struct(Struct { name, fields, size, align }))
            }
        };
        self.types.push(ty);
        if !self.b.types().is_runtime_sized(ty) {
            self.fixed.push(ty);
        }
    }

    fn view_type(&mut self) -> ViewType {
        ViewType { element: self.pick(&self.fixed.clone()), rank: 1 + self.next(3), access: self.access() }
    }

    fn data(&mut self) -> Data {
        Data { scalar: self.pick(&Scalar::ALL), width: 1 + self.next(4) as u8 }
    }

    fn constant_of(&mut self, scalar: Scalar) -> Const {
        let special = match scalar {
            Scalar::F32 => [0x7fc0_0001, 0xffff_ffff, 0x7f80_0000, 0x8000_0000, 1, 0x7fc0_0000, 0x3f80_0000],
            _ => {
                [0x7ff8_0000_0000_0000, u64::MAX, 0xfff0_0000_0000_0000, 1 << 63, 1, 0x8000_0000, 0x3ff0_0000_0000_0000]
            }
        };
        let bits = match self.next(3) {
            0 => u64::from(self.next(10)),
            1 => self.pick(&special),
            _ => u64::from(self.next(u32::MAX)) << 32 | u64::from(self.next(u32::MAX)),
        };
        let bits = match scalar.bits() {
            1 => bits & 1,
            32 => bits & 0xffff_ffff,
            _ => bits,
        };
        Const { scalar, bits }
    }

    fn scalar_value(&mut self, scalar: Scalar) -> ValueId {
        let fit: Vec<ValueId> =
            self.values.iter().copied().filter(|&v| self.b.value_type(v) == ValueType::from(scalar)).collect();
        if !fit.is_empty() && self.next(2) == 0 {
            return self.pick(&fit);
        }
        let constant = self.constant_of(scalar);
        self.b.constant(constant)
    }

    fn view_value(&mut self) -> Option<ValueId> {
        let mut fit: Vec<ValueId> =
            self.values.iter().copied().filter(|&v| self.b.value_type(v).view().is_some()).collect();
        for i in 0..self.params {
            let value = self.b.param_value(i);
            if self.b.value_type(value).view().is_some() {
                fit.push(value);
            }
        }
        let view = self.pick(&Some(fit).filter(|fit| !fit.is_empty())?);
        if self.next(2) == 0 {
            return Some(view);
        }
        let kind = match self.next(4) {
            0 => InstKind::Project { view, index: self.value() },
            1 => {
                let n = self.next(3);
                let origin = (0..n).map(|_| self.value()).collect();
                InstKind::Section { view, origin, extent: (0..n).map(|_| self.value()).collect() }
            }
            2 => InstKind::Reinterpret { view, element: self.pick(&self.types.clone()) },
            _ => InstKind::ViewAs { view, extent: (0..self.next(3)).map(|_| self.value()).collect() },
        };
        let value = self.b.value(kind, Pos::NONE);
        self.values.push(value);
        // An element of a view in error has a text too.
        let is_view = self.b.value_type(value).view().is_some();
        if !is_view {
            self.views_in_error.push(value);
        }
        Some(if is_view || self.next(2) == 0 { value } else { view })
    }

    /// Any value: an old one, a constant, a parameter, or a new instruction's.
    fn value(&mut self) -> ValueId {
        self.depth += 1;
        let value = match self.next(if self.depth > 6 { 3 } else { 8 }) {
            0 => {
                let scalar = self.pick(&Scalar::ALL);
                let constant = self.constant_of(scalar);
                self.b.constant(constant)
            }
            1 if !self.values.is_empty() => self.pick(&self.values.clone()),
            2 if self.params > 0 => {
                let i = self.next(self.params);
                let value = self.b.param_value(i);
                if self.b.value_type(value) == ValueType::Invalid { self.b.constant(Const::i32(1)) } else { value }
            }
            _ => match self.inst() {
                Some(value) => value,
                None => self.b.constant(Const::f64(-0.5)),
            },
        };
        self.depth -= 1;
        value
    }

    /// A place, stepping no further than its type goes.
    fn place(&mut self) -> Option<Place> {
        let root = if self.roots.is_empty() || self.next(2) == 0 {
            let view = self.view_value()?;
            Root::View { view, index: (0..1 + self.next(2)).map(|_| self.value()).collect() }
        } else {
            self.pick(&self.roots.clone())
        };
        let mut place = Place { root, path: Vec::new() };
        while self.next(4) > 0 {
            let Some(PlaceType::Whole(ty)) = self.b.context().place(&place) else { break };
            let step = match self.b.types().get(ty).clone() {
                Type::Struct(s) if !s.fields.is_empty() => Step::Field(self.next(s.fields.len() as u32)),
                Type::Vector(_, n) if self.next(2) == 0 => Step::Component(self.next(u32::from(n)) as u8),
                Type::Vector(..) | Type::Array { .. } => Step::Index(self.value()),
                _ => break,
            };
            place.path.push(step);
        }
        Some(place)
    }

    /// A pure or atomic instruction, or a construct with a value; sometimes named.
    fn inst(&mut self) -> Option<ValueId> {
        let kind = match self.next(17) {
            0 | 1 => InstKind::Load(self.place()?),
            2..=4 => {
                let op = self.pick(&[Op::Add, Op::Sub, Op::Mul, Op::Shl, Op::And, Op::Or, Op::Xor, Op::Lt, Op::Eq]);
                InstKind::Op { op, args: vec![self.value(), self.value()] }
            }
            5 => InstKind::Op { op: self.pick(&[Op::Neg, Op::Not, Op::ToF32, Op::ToI64]), args: vec![self.value()] },
            6 => {
                let row = self.next(Op::ROWS.len() as u32) as usize;
                InstKind::Op { op: Op::ROWS[row].op, args: (0..self.next(4)).map(|_| self.value()).collect() }
            }
            7 => {
                let scalar = self.pick(&Scalar::ALL);
                InstKind::Compose((0..2 + self.next(3)).map(|_| self.scalar_value(scalar)).collect())
            }
            8 => InstKind::Splat { value: self.value(), width: 2 + self.next(3) as u8 },
            9 => {
                let value = self.value();
                InstKind::Swizzle { value, components: (0..1 + self.next(4)).map(|_| self.next(4) as u8).collect() }
            }
            10 => {
                let value = self.value();
                let index = self.value();
                if self.b.value_type(value).view().is_some() || self.views_in_error.contains(&value) {
                    InstKind::ViewExtent { view: value, dimension: self.next(3) }
                } else {
                    InstKind::ComponentAt { value, index }
                }
            }
            11 => {
                let (_, make) = self.pick(&Builtin::KINDS);
                InstKind::Builtin(make(self.next(4)))
            }
            12 => InstKind::ViewExtent { view: self.value(), dimension: self.next(3) },
            13 => InstKind::Length(self.place()?),
            14 => {
                let op = self.pick(&AtomicOp::ALL);
                let place = self.place()?;
                let value = if self.next(3) == 0 { None } else { Some(self.value()) };
                InstKind::Atomic { op, place, value }
            }
            15 => return self.construct(true),
            _ => self.call()?,
        };
        let result = self.b.emit(kind, Pos::NONE)?;
        self.named(result);
        Some(result)
    }

    fn named(&mut self, value: ValueId) {
        self.values.push(value);
        if let Some(name) = self.name() {
            self.b.name(value, name);
        }
    }

    fn call(&mut self) -> Option<InstKind> {
        if self.functions.is_empty() {
            return None;
        }
        let (function, params) = self.pick(&self.functions.clone());
        let mut args = Vec::new();
        for i in 0..params.len() + self.next(2) as usize {
            let place = matches!(params.get(i).map(|p| p.kind), Some(FnParamKind::Ref { .. })) != (self.next(8) == 7);
            args.push(match place {
                true => CallArgument::Place(self.place()?),
                false => CallArgument::Value(self.value()),
            });
        }
        Some(InstKind::Call { function, args })
    }

    fn block(&mut self, valued: bool) -> Block {
        self.b.begin_block();
        let (values, roots) = (self.values.len(), self.roots.len());
        self.depth += 2;
        for _ in 0..if self.depth > 12 { 0 } else { self.next(5) } {
            self.statement();
        }
        let value = if valued { Some(self.value()) } else { None };
        self.depth -= 2;
        self.values.truncate(values);
        self.roots.truncate(roots);
        self.b.end_block(value)
    }

    /// A block with a value one time in `n`.
    fn odd_block(&mut self, n: u32) -> Block {
        let valued = self.next(n) == n - 1;
        self.block(valued)
    }

    /// `if`, a short circuit or a scope.
    fn construct(&mut self, valued: bool) -> Option<ValueId> {
        let kind = match self.next(4) {
            0 | 1 => {
                let condition = self.value();
                let then = self.block(valued);
                let both = self.next(9) != 8;
                InstKind::If { condition, then, otherwise: self.block(valued && both) }
            }
            2 => {
                let condition = self.value();
                let asked = self.block(true);
                let and = self.next(2) == 0;
                self.b.begin_block();
                let known = self.b.constant(Const::bool(!and));
                let known = self.b.end_block(Some(known));
                let (then, otherwise) = if and { (asked, known) } else { (known, asked) };
                InstKind::If { condition, then, otherwise }
            }
            _ => {
                let name = self.name();
                let label = self.b.label(name);
                self.labels.push(label);
                let body = self.block(valued);
                self.labels.pop();
                InstKind::Scope { label, body }
            }
        };
        let result = self.b.emit(kind, Pos::NONE)?;
        self.named(result);
        Some(result)
    }

    fn message(&mut self) -> Message {
        let values: Vec<ValueId> = (0..self.next(3)).map(|_| self.value()).collect();
        let pieces = ["", "x = ", "{}", "\n\t\"\\", "\u{7f}ä\u{1}", "{{ }"];
        let formats = [">9.3", "#x", "?", "ä^+#012.7e", "c", "c?", "X?", "?Low=4294967292/High=7"];
        let format = |text: &str| ValueFormat::parse(text).expect("a format");
        let formats = match self.next(2) {
            0 => Vec::new(),
            _ => values.iter().map(|_| format(self.pick(&formats))).collect(),
        };
        Message { pieces: (0..=values.len()).map(|_| self.pick(&pieces).into()).collect(), values, formats }
    }

    fn statement(&mut self) {
        if let Some(kind) = self.statement_kind() {
            self.b.emit(kind, Pos::NONE);
        }
    }

    fn statement_kind(&mut self) -> Option<InstKind> {
        Some(match self.next(19) {
            0..=2 => InstKind::Store { place: self.place()?, value: self.value() },
            3 | 4 => {
                self.inst();
                return None;
            }
            5 | 6 => {
                let ty = self.pick(&self.fixed.clone());
                let init = match self.next(3) {
                    0 => Init::Unset,
                    1 => Init::Zero,
                    _ => Init::Value(self.value()),
                };
                let name = self.pick(&NAMES);
                let local = self.b.local(name, ty);
                self.b.emit(InstKind::Declare { local, init }, Pos::NONE);
                self.roots.push(Root::Local(local));
                return None;
            }
            7 => InstKind::Copy { to: self.place()?, from: self.place()? },
            8 => {
                let place = self.place()?;
                let (expected, new) = (self.value(), self.value());
                let (old, ok) = self.b.compare_exchange(place, expected, new, Pos::NONE);
                self.named(old);
                self.named(ok);
                return None;
            }
            9 => InstKind::Barrier(self.pick(&Fence::ALL)),
            10 => InstKind::Fence(self.pick(&Fence::ALL)),
            11 => InstKind::Print(self.message()),
            12 => match self.next(4) {
                0 => InstKind::Error(self.message()),
                1 => InstKind::Abort,
                2 => InstKind::Return(None),
                _ => InstKind::Return(Some(self.value())),
            },
            13 => {
                self.construct(false);
                return None;
            }
            14 | 15 => {
                let name = self.name();
                let label = self.b.label(name);
                self.labels.push(label);
                let condition = if self.next(2) == 0 { Some(Box::new(self.block(true))) } else { None };
                let body = self.odd_block(9);
                let continuing = self.odd_block(2);
                self.labels.pop();
                InstKind::Loop { label, condition, body, continuing }
            }
            16 => {
                let selector = self.value();
                let cases = (0..self.next(3)).map(|_| {
                    let values = (0..1 + self.next(2)).map(|_| self.next(u32::MAX)).collect();
                    SwitchCase { values, body: self.odd_block(9), pos: Pos::NONE }
                });
                let cases = cases.collect();
                InstKind::Switch { selector, cases, default: self.block(false) }
            }
            17 if !self.labels.is_empty() => {
                let label = self.pick(&self.labels.clone());
                match self.next(3) {
                    0 => InstKind::Continue { label },
                    1 => InstKind::Break { label, value: None },
                    _ => InstKind::Break { label, value: Some(self.value()) },
                }
            }
            _ => self.call()?,
        })
    }

    fn body(&mut self, params: u32, roots: Vec<Root>) {
        self.params = params;
        self.roots = roots;
        self.values.clear();
        self.views_in_error.clear();
        for _ in 0..self.next(9) {
            self.statement();
        }
        self.b.end();
    }
}

fn kernel(tape: &[u32]) -> Kernel {
    let b = Builder::new("k", 2, if tape.len().is_multiple_of(2) { None } else { Some(&[4, 8]) });
    let mut g = Gen {
        tape,
        b,
        functions: Vec::new(),
        types: Vec::new(),
        fixed: Vec::new(),
        roots: Vec::new(),
        values: Vec::new(),
        views_in_error: Vec::new(),
        params: 0,
        labels: Vec::new(),
        depth: 0,
    };
    let scalar = g.b.types().scalar(Stored::F32);
    g.types.push(scalar);
    g.fixed.push(scalar);
    for _ in 0..g.next(8) {
        g.add_type();
    }
    let mut tables = Vec::new();
    for _ in 0..g.next(3) {
        let ty = g.pick(&g.fixed.clone());
        let mut scalars = Vec::new();
        g.b.types().leaves(ty, &mut |_, stored| scalars.push(stored.value()));
        let leaves = scalars.into_iter().take(300).map(|scalar| g.constant_of(scalar).bits).collect();
        let name = g.pick(&NAMES);
        tables.push(Root::Table(g.b.table(name, ty, leaves, Pos::NONE)));
    }
    for _ in 0..g.next(3) {
        let mut params = Vec::new();
        for _ in 0..g.next(4) {
            let kind = match g.next(4) {
                0 => FnParamKind::Value(g.data().into()),
                1 => FnParamKind::Value(ValueType::View(g.view_type())),
                _ => FnParamKind::Ref { ty: g.pick(&g.types.clone()), access: g.access() },
            };
            params.push(FnParam { name: g.pick(&NAMES).into(), kind, pos: Pos::NONE });
        }
        let result = match g.next(3) {
            0 => None,
            1 => Some(g.data().into()),
            _ => Some(ValueType::View(g.view_type())),
        };
        let name = g.pick(&["f", "x", "lib::f", "lib::min", "a::b::c", "if::x"]);
        let id = g.b.declare(name, params.clone(), result, Pos::NONE);
        g.functions.push((id, params));
    }
    for (id, params) in g.functions.clone() {
        g.b.begin(id);
        let refs = params.iter().enumerate().filter(|(_, p)| matches!(p.kind, FnParamKind::Ref { .. }));
        let roots = refs.map(|(i, _)| Root::Ref(i as u32)).chain(tables.iter().cloned()).collect();
        g.body(params.len() as u32, roots);
    }
    let mut roots = tables;
    let mut params = 0;
    for _ in 0..g.next(6) {
        let kind = match g.next(4) {
            0 | 1 => ParamKind::View(g.view_type()),
            2 => ParamKind::Buffer { ty: g.pick(&g.types.clone()), access: g.access() },
            _ => ParamKind::Uniform(g.pick(&g.fixed.clone())),
        };
        let name = g.pick(&NAMES);
        let id = g.b.param(name, kind, Pos::NONE);
        params += 1;
        match kind {
            ParamKind::Buffer { .. } => roots.push(Root::Param(id)),
            ParamKind::Uniform(ty) if g.b.types().value(ty).is_none() => roots.push(Root::Param(id)),
            _ => {}
        }
    }
    for _ in 0..g.next(3) {
        let ty = g.pick(&g.fixed.clone());
        let name = g.pick(&NAMES);
        roots.push(Root::Tile(g.b.tile_var(name, ty, Pos::NONE)));
    }
    g.b.begin_entry();
    g.body(params, roots);
    g.b.finish()
}

fn comes_back(kernel: &Kernel) {
    let printed = text::print(kernel);
    let again = text::parse("printed", &printed).unwrap_or_else(|failure| panic!("{failure}\nin\n{printed}"));
    let second = text::print(&again);
    assert_eq!(printed, second, "printing what was read gives the same text");
    assert!(*kernel == again, "reading gives another kernel:\n{printed}\n{:#?}\n{:#?}", kernel.entry(), again.entry());
}

#[test]
fn every_kernel_the_builder_finishes_comes_back_from_its_text() {
    let config = Config { cases: 4000, failure_persistence: None, max_shrink_iters: 4000, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let result = runner.run(&vec(any::<u32>(), 0..1600), |tape| {
        comes_back(&kernel(&tape));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// What mutations start from: between them they have every construct.
fn samples() -> Vec<String> {
    let mut state = 7_u32;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let mut samples = vec![include_str!("text/everything.kir").to_owned()];
    samples.extend((0..30).map(|_| text::print(&kernel(&(0..600).map(|_| random()).collect::<Vec<_>>()))));
    samples
}

#[test]
fn a_kernel_without_text_gets_positions_in_its_printed_one() {
    let bare = kernel(&[3; 200]);
    let placed = text::with_positions(&bare);
    assert!(bare == placed);
    let pos = placed.entry().pos();
    assert!(pos.is_known() && placed.sources().show(pos).is_some_and(|at| at.starts_with("<kernel k>:")));
}

#[test]
fn the_sample_with_every_construct_comes_back() {
    let kernels = text::parse_all("everything.kir", include_str!("text/everything.kir"));
    kernels.unwrap_or_else(|failure| panic!("{failure}")).iter().for_each(comes_back);
}

#[test]
fn no_change_of_a_text_makes_the_parser_panic() {
    let samples = samples();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n.max(1) as u64) as usize
    };
    let words = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ",",
        ":",
        "::",
        "=",
        "-",
        "%",
        "'l",
        "if",
        "else",
        "while",
        "loop",
        "continuing",
        "break if",
        "break",
        "let",
        "var",
        "case",
        "zero",
        "4294967295",
        "0x1p+9",
        "nan(",
        "\"",
        "\\",
        "&mut",
        "fn",
        "kernel",
        "struct",
        "const",
        "é",
        "\u{0}",
        "stride 0",
    ];
    for round in 0..6000 {
        let mut text: Vec<char> = samples[if round % 2 == 0 { 0 } else { random(samples.len()) }].chars().collect();
        for _ in 0..=random(3) {
            let at = random(text.len());
            match random(5) {
                0 => {
                    text.remove(at);
                }
                1 => text[at] = char::from(32 + random(95) as u8),
                2 => put(&mut text, at, format!(" {} ", words[random(words.len())]).chars().collect()),
                3 => {
                    let end = (at + random(60)).min(text.len());
                    text.drain(at..end);
                }
                _ => {
                    let end = (at + random(60)).min(text.len());
                    let part = text[at..end].to_vec();
                    let to = random(text.len());
                    put(&mut text, to, part);
                }
            }
        }
        let text: String = text.into_iter().collect();
        match text::parse_all("mutated", &text) {
            Ok(kernels) => kernels.iter().for_each(comes_back),
            Err(failure) => {
                assert!(!failure.diagnostics.is_empty());
                if round % 16 == 0 {
                    assert!(failure.to_string().starts_with("error[K00"), "{failure}");
                }
            }
        }
    }
}

fn put(text: &mut Vec<char>, at: usize, part: Vec<char>) {
    let rest = text.split_off(at);
    text.extend(part);
    text.extend(rest);
}
