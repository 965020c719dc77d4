//! Verifies that a program is well formed: every rule of the parent module's page that can be
//! checked statically. A failure names the node that breaks the rule.
//!
//! - **Values**: each has one definition, and is used after it and inside the enclosing block.
//!   `given` are four `i64` scalars.
//! - **Types**: operands and results have the types of the instruction; lanes and scalars do not
//!   mix. The bits of a constant fit its type.
//! - **Op table**: a row has its number of arguments and one of its scalars, and is used
//!   componentwise or whole.
//! - **Addresses**: base and offset are `i64` scalars, per-lane offsets are `i32` or `i64` lanes; a
//!   buffer's number is known to the program.
//! - **Memory**: a load at a uniform address is a scalar and takes no mask, any other is lanes; a
//!   scalar is stored at a uniform address without a mask; read-only spaces are not written; masks
//!   are masks; atomics exist for their operand types.
//! - **Control**: conditions are scalar `bool`s; blocks yield as many values as are expected, of
//!   the same types; the program yields none.
//! - **Tables**: inputs, copies and messages exist; messages have the values they print.

use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::ops::{Instance, Op, SlotScalar};
use tilewise_ir::types::{Data, Scalar};

use super::print::{NodeHead, ValueName};
use super::program::{
    AddressStep, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, MemorySpace,
    MessageKind, Node,
};
use super::walk::{address_operands, operands};

/// Checks a program against every rule of the page.
pub fn verify(program: &LaneProgram) -> Result<(), String> {
    if !matches!(program.width, 1 | 4 | 8 | 16 | 32 | 64) {
        return Err(format!("a program of width {}", program.width));
    }
    let count = program.types.len();
    let mut verifier =
        Verifier { program, defined: vec![false; count], visible: vec![false; count], scope: Vec::new(), node: None };
    for given in program.given {
        verifier.define(given, LaneType::Scalar(Elem::I64))?;
    }
    verifier.block(&program.body)?;
    if !program.body.results.is_empty() {
        return Err("the program gives values".into());
    }
    Ok(())
}

struct Verifier<'a> {
    program: &'a LaneProgram,
    /// Values that are defined so far.
    defined: Vec<bool>,
    /// Values in scope, and the order in which they were defined.
    visible: Vec<bool>,
    scope: Vec<LaneValue>,
    node: Option<&'a Node>,
}

type Verdict = Result<(), String>;

impl<'a> Verifier<'a> {
    fn fail<T>(&self, what: impl std::fmt::Display) -> Result<T, String> {
        match self.node {
            Some(node) => Err(format!("`{}`: {what}", NodeHead(self.program, node))),
            None => Err(what.to_string()),
        }
    }

    fn rule(&self, holds: bool, what: &str) -> Verdict {
        if holds { Ok(()) } else { self.fail(what) }
    }

    fn define(&mut self, value: LaneValue, ty: LaneType) -> Verdict {
        match self.defined.get(value.index()) {
            None => return self.fail(format!("the value {} is not in the table of types", value.0)),
            Some(true) => return self.fail(format!("a second definition of {}", ValueName(self.program, value))),
            Some(false) => {}
        }
        let own = self.program.ty(value);
        if own != ty {
            let name = ValueName(self.program, value);
            return self.fail(format!("{name} is {}, what it is computed by gives {}", show(own), show(ty)));
        }
        self.defined[value.index()] = true;
        self.visible[value.index()] = true;
        self.scope.push(value);
        Ok(())
    }

    /// The type of an operand.
    fn used(&self, value: LaneValue) -> Result<LaneType, String> {
        match self.visible.get(value.index()) {
            Some(true) => Ok(self.program.ty(value)),
            Some(false) => self.fail(format!("{} is used outside of its scope", ValueName(self.program, value))),
            None => self.fail(format!("the value {} is not in the table of types", value.0)),
        }
    }

    fn expect(&self, value: LaneValue, ty: LaneType) -> Verdict {
        let own = self.used(value)?;
        if own == ty {
            return Ok(());
        }
        self.fail(format!("{} is {}, not {}", ValueName(self.program, value), show(own), show(ty)))
    }

    fn mask(&self, mask: Option<LaneValue>) -> Verdict {
        mask.map_or(Ok(()), |mask| self.expect(mask, LaneType::MASK))
    }

    fn block(&mut self, block: &'a LaneBlock) -> Verdict {
        for node in &block.nodes {
            self.node = Some(node);
            self.one(node)?;
        }
        Ok(())
    }

    /// A block inside a node; `end` checks the scope at its end. Then its values go out of scope.
    fn inside(
        &mut self,
        node: &'a Node,
        params: &[LaneValue],
        block: &'a LaneBlock,
        end: impl FnOnce(&Self) -> Verdict,
    ) -> Verdict {
        let outside = self.scope.len();
        for &param in params {
            let ty = self.program.types.get(param.index()).copied();
            self.define(param, ty.unwrap_or(LaneType::MASK))?;
        }
        self.block(block)?;
        self.node = Some(node);
        end(self)?;
        for value in self.scope.drain(outside..) {
            self.visible[value.index()] = false;
        }
        Ok(())
    }

    /// Checks that values match in number and types.
    fn hand_over(&self, from: &[LaneValue], to: &[LaneValue]) -> Verdict {
        if from.len() != to.len() {
            return self.fail(format!("{} values are given where {} are taken", from.len(), to.len()));
        }
        from.iter().zip(to).try_for_each(|(&from, &to)| match self.program.types.get(to.index()) {
            Some(&ty) => self.expect(from, ty),
            None => self.fail(format!("the value {} is not in the table of types", to.0)),
        })
    }

    fn results(&mut self, results: &[LaneValue]) -> Verdict {
        results.iter().try_for_each(|&result| {
            let ty = self.program.types.get(result.index()).copied().unwrap_or(LaneType::MASK);
            self.define(result, ty)
        })
    }

    fn one(&mut self, node: &'a Node) -> Verdict {
        match node {
            Node::Let { value, inst, .. } => {
                let mut seen = Ok(());
                operands(inst, &mut |&value| {
                    if seen.is_ok() {
                        seen = self.used(value).map(|_| ());
                    }
                });
                seen?;
                let ty = self.instruction(*value, inst)?;
                self.define(*value, ty)
            }
            Node::Do { effect, .. } => self.effect(effect),
            Node::If { condition, then, otherwise, results, .. } => {
                self.expect(*condition, LaneType::Scalar(Elem::Bool))?;
                for arm in [then, otherwise] {
                    self.inside(node, &[], arm, |verifier| verifier.hand_over(&arm.results, results))?;
                }
                self.results(results)
            }
            Node::Loop { params, init, body, again, results } => {
                self.hand_over(init, params)?;
                self.inside(node, params, body, |verifier| {
                    verifier.hand_over(&body.results, params)?;
                    verifier.hand_over(&body.results, results)?;
                    verifier.expect(*again, LaneType::Scalar(Elem::Bool))
                })?;
                self.results(results)
            }
            Node::Exit { condition, .. } => self.expect(*condition, LaneType::Scalar(Elem::Bool)),
            Node::Poll => Ok(()),
        }
    }

    /// The result type of an instruction whose operands are in scope.
    fn instruction(&self, value: LaneValue, inst: &LaneInst) -> Result<LaneType, String> {
        let number = LaneType::Scalar(Elem::I64);
        Ok(match inst {
            LaneInst::Const(bits) => {
                let Some(&LaneType::Scalar(elem)) = self.program.types.get(value.index()) else {
                    return self.fail("a constant is a scalar");
                };
                let room = match elem {
                    Elem::Bool => 1,
                    Elem::I32 | Elem::F32 => u64::from(u32::MAX),
                    Elem::I64 | Elem::F64 => u64::MAX,
                };
                self.rule(*bits <= room, "the bits do not fit the type")?;
                LaneType::Scalar(elem)
            }
            LaneInst::Input(index) => match self.program.inputs.get(*index as usize) {
                Some(input) => LaneType::Scalar(input.elem()),
                None => return self.fail("there is no such input"),
            },
            LaneInst::Arena(_) => number,
            LaneInst::Lane => LaneType::Lanes(Elem::I32),
            LaneInst::Splat(from) => match self.used(*from)? {
                LaneType::Scalar(elem) => LaneType::Lanes(elem),
                LaneType::Lanes(_) => return self.fail("what is splat is lanes already"),
            },
            LaneInst::Op { op, scalar, args } => self.each(*op, *scalar, args)?,
            LaneInst::Whole { op, instance, args, widths, component } => {
                self.whole(*op, instance, args, widths, *component)?
            }
            LaneInst::Select { mask, yes, no } => {
                self.mask(Some(*mask))?;
                let ty = self.used(*yes)?;
                self.rule(ty.is_lanes(), "scalars are selected by the op")?;
                self.expect(*no, ty)?;
                ty
            }
            LaneInst::FirstLanes(n) => {
                self.expect(*n, number)?;
                LaneType::MASK
            }
            LaneInst::Any(mask) | LaneInst::All(mask) => {
                self.mask(Some(*mask))?;
                LaneType::Scalar(Elem::Bool)
            }
            LaneInst::LowestLane { lanes, mask } => {
                self.mask(Some(*mask))?;
                let ty = self.used(*lanes)?;
                self.rule(ty.is_lanes(), "only lanes have a lowest one")?;
                LaneType::Scalar(ty.elem())
            }
            LaneInst::ReciprocalRoot(value) => {
                self.expect(*value, LaneType::Lanes(Elem::F32))?;
                LaneType::Lanes(Elem::F32)
            }
            LaneInst::Slide { low, high, by } => {
                let ty = self.used(*low)?;
                self.rule(ty.is_lanes() && ty != LaneType::MASK, "only lanes that are no mask slide")?;
                self.expect(*high, ty)?;
                self.rule((1..self.program.width).contains(by), "it leaves out no lane, or all")?;
                ty
            }
            LaneInst::Load { at, mask } => {
                self.address(at)?;
                self.mask(*mask)?;
                let elem = Elem::of(at.stored.value());
                if at.along != AddressStep::Uniform {
                    return Ok(LaneType::Lanes(elem));
                }
                self.rule(mask.is_none(), "a load at a uniform address takes no mask")?;
                LaneType::Scalar(elem)
            }
            LaneInst::Atomic { op, scalar, at, operand, mask } => {
                self.written(at)?;
                self.mask(*mask)?;
                self.rule(op.accepts(*scalar), "there is no such atomic")?;
                self.rule(at.stored == scalar.stored(), "what lies there is of another type")?;
                let ty = LaneType::Lanes(Elem::of(*scalar));
                let alone = matches!(op, AtomicOp::Inc | AtomicOp::Dec);
                self.rule(operand.is_none() == alone, "it has an operand too many or too few")?;
                operand.map_or(Ok(()), |operand| self.expect(operand, ty))?;
                ty
            }
            LaneInst::CompareExchange { scalar, at, expected, new, mask } => {
                self.written(at)?;
                self.mask(*mask)?;
                self.rule(*scalar != Scalar::Bool, "there is no such atomic")?;
                self.rule(at.stored == scalar.stored(), "what lies there is of another type")?;
                let ty = LaneType::Lanes(Elem::of(*scalar));
                self.expect(*expected, ty)?;
                self.expect(*new, ty)?;
                ty
            }
        })
    }

    /// Are all arguments lanes, or all scalars? Returns whether they are lanes.
    fn alike(&self, args: &[LaneValue]) -> Result<bool, String> {
        let lanes = match args.first() {
            Some(&first) => self.used(first)?.is_lanes(),
            None => return self.fail("it has no arguments"),
        };
        for &arg in args {
            self.rule(self.used(arg)?.is_lanes() == lanes, "lanes meet scalars")?;
        }
        Ok(lanes)
    }

    fn each(&self, op: Op, scalar: Scalar, args: &[LaneValue]) -> Result<LaneType, String> {
        let row = op.row();
        self.rule(row.each, "the row takes whole vectors")?;
        self.rule(row.class.is_empty() || row.class.contains(&scalar), "the row does not have this scalar")?;
        self.rule(row.args.len() == args.len(), "the row has another number of arguments")?;
        let lanes = self.alike(args)?;
        let ty = |slot: SlotScalar| {
            let elem = Elem::of(scalar_at(slot, scalar));
            if lanes { LaneType::Lanes(elem) } else { LaneType::Scalar(elem) }
        };
        row.args.iter().zip(args).try_for_each(|(slot, &arg)| self.expect(arg, ty(slot.scalar)))?;
        Ok(ty(row.result.scalar))
    }

    fn whole(
        &self,
        op: Op,
        instance: &Instance,
        args: &[LaneValue],
        widths: &[u8],
        component: u8,
    ) -> Result<LaneType, String> {
        let row = op.row();
        self.rule(!row.each, "the row goes component by component")?;
        self.rule(row.args.len() == widths.len(), "the row has another number of arguments")?;
        let data = |(slot, &width): (&tilewise_ir::ops::OperandSlot, &u8)| Data {
            scalar: scalar_at(slot.scalar, instance.scalar),
            width,
        };
        let types: Vec<Data> = row.args.iter().zip(widths).map(data).collect();
        self.rule(op.resolve(&types) == Ok(*instance), "the row is not used so")?;
        self.rule(component < instance.result.width, "the result has no such component")?;
        let components = types.iter().flat_map(|data| std::iter::repeat_n(data.scalar, usize::from(data.width)));
        let components: Vec<Scalar> = components.collect();
        self.rule(components.len() == args.len(), "there are more or fewer components than the arguments have")?;
        let lanes = self.alike(args)?;
        let ty = |scalar: Scalar| {
            let elem = Elem::of(scalar);
            if lanes { LaneType::Lanes(elem) } else { LaneType::Scalar(elem) }
        };
        components.iter().zip(args).try_for_each(|(&scalar, &arg)| self.expect(arg, ty(scalar)))?;
        Ok(ty(instance.result.scalar))
    }

    fn address(&self, at: &LaneAddress) -> Verdict {
        let mut seen = Ok(());
        address_operands(at, &mut |&value| {
            if seen.is_ok() {
                seen = self.used(value).map(|_| ());
            }
        });
        seen?;
        if let MemorySpace::Buffer(space) = at.space {
            self.rule(usize::from(space) < self.program.writable.len(), "there is no such buffer space")?;
        }
        self.expect(at.base, LaneType::Scalar(Elem::I64))?;
        at.offset.map_or(Ok(()), |offset| self.expect(offset, LaneType::Scalar(Elem::I64)))?;
        match at.along {
            AddressStep::Uniform | AddressStep::Step(_) => Ok(()),
            AddressStep::Each(value) => {
                let ty = self.used(value)?;
                let fits = matches!(ty, LaneType::Lanes(Elem::I32 | Elem::I64));
                self.rule(fits, "what an address adds for each lane is `i32` or `i64` lanes")
            }
        }
    }

    /// An address that is written to.
    fn written(&self, at: &LaneAddress) -> Verdict {
        self.address(at)?;
        let may = match at.space {
            MemorySpace::Buffer(space) => self.program.writable.get(usize::from(space)) == Some(&true),
            MemorySpace::Constant => false,
            MemorySpace::Arena(_) => true,
        };
        self.rule(may, "nobody writes to this space")
    }

    fn effect(&self, effect: &Effect) -> Verdict {
        match effect {
            Effect::Store { at, value, mask } => {
                self.written(at)?;
                self.mask(*mask)?;
                let ty = self.used(*value)?;
                let elem = Elem::of(at.stored.value());
                self.rule(ty.elem() == elem, "what is stored is not of the type that lies there")?;
                let scalar = at.along == AddressStep::Uniform && mask.is_none();
                self.rule(ty.is_lanes() || scalar, "a scalar is stored at a uniform address and without a mask")
            }
            Effect::Copy { shape, to, from, read, mask } => {
                self.written(to)?;
                self.address(from)?;
                self.mask(*read)?;
                self.mask(*mask)?;
                self.rule((*shape as usize) < self.program.copies.len(), "there is no such copy")
            }
            Effect::Clear { from, bytes } => {
                self.expect(*from, LaneType::Scalar(Elem::I64))?;
                self.rule(bytes % 4 == 0, "a number of bytes that is no multiple of 4")
            }
            Effect::Message { message, thread, values, mask } => {
                self.expect(*thread, LaneType::Scalar(Elem::I64))?;
                self.mask(Some(*mask))?;
                let Some((_, kind)) = self.program.messages.get(*message as usize) else {
                    return self.fail("there is no such message");
                };
                let data = match kind {
                    MessageKind::Print(message, data) | MessageKind::Error(message, data) => {
                        let fits = message.pieces.len() == data.len() + 1;
                        self.rule(fits, "a message has a piece of text more than it has values")?;
                        data.as_slice()
                    }
                    MessageKind::Abort => &[],
                };
                let components = data.iter().flat_map(|data| std::iter::repeat_n(data.scalar, data.width.into()));
                let components: Vec<Scalar> = components.collect();
                self.rule(components.len() == values.len(), "the message has another number of values")?;
                components.iter().zip(values).try_for_each(|(&scalar, &value)| {
                    let fits = self.used(value)?.elem() == Elem::of(scalar);
                    self.rule(fits, "a value is not of the type that the message prints")
                })
            }
            Effect::Prefetch { at } => {
                self.address(at)?;
                self.rule(
                    matches!(at.along, AddressStep::Step(step) if step >= at.stored.size().into()),
                    "only lanes that follow each other are prefetched",
                )
            }
            Effect::Fence => Ok(()),
        }
    }
}

fn scalar_at(slot: SlotScalar, t: Scalar) -> Scalar {
    match slot {
        SlotScalar::T => t,
        SlotScalar::Fixed(fixed) => fixed,
    }
}

/// A type in words.
fn show(ty: LaneType) -> String {
    match ty {
        LaneType::MASK => "a mask".into(),
        LaneType::Lanes(elem) => format!("`{}` lanes", elem.name()),
        LaneType::Scalar(elem) => format!("a scalar `{}`", elem.name()),
    }
}
