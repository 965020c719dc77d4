//! Prints a lane program as text: `Display` of [`LaneProgram`], and single nodes for messages.
//!
//! The prefix of a value shows its type: `%s3` is a scalar, `%v3` lanes, `%m3` a mask. An address
//! reads `space[base + offset + displacement | along]`.

use std::fmt::{self, Display, Formatter};

use tilewise_ir::pos::Pos;
use tilewise_ir::stack::with_levels;

use super::program::{
    AddressStep, ArenaPart, ArgumentWord, Effect, Elem, ExitStatus, LaneAddress, LaneBlock, LaneInst, LaneProgram,
    LaneType, LaneValue, MemorySpace, MessageKind, Node,
};

impl Display for LaneProgram {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "program {}, width {}, given {}", self.name, self.width, list(self, &self.given))?;
        let arena = self.arena;
        let parts = [
            ("tile_static", arena.tile_static),
            ("private", arena.private),
            ("context", arena.context),
            ("votes", arena.votes),
        ];
        for (name, size) in parts.iter().filter(|(_, size)| *size > 0) {
            write!(f, ", {name} {size} bytes")?;
        }
        if let Some(rows) = self.rows {
            write!(f, ", {} rows together", rows.count)?;
        }
        f.write_str("\n")?;
        for (space, _) in self.writable.iter().enumerate().filter(|(_, writable)| !**writable) {
            writeln!(f, "nobody writes buffer{space}")?;
        }
        for (i, copy) in self.copies.iter().enumerate() {
            write!(f, "copy {i}:")?;
            for (to, from, stored) in copy {
                write!(f, " {stored} {from} to {to};")?;
            }
            f.write_str("\n")?;
        }
        for (i, (pos, kind)) in self.messages.iter().enumerate() {
            let (word, message) = match kind {
                MessageKind::Print(message, _) => ("print", Some(message)),
                MessageKind::Error(message, _) => ("error", Some(message)),
                MessageKind::Abort => ("abort", None),
            };
            write!(f, "message {i}: {word}")?;
            if let Some(message) = message {
                let mut text = String::new();
                for (i, piece) in message.pieces.iter().enumerate() {
                    let format = i.checked_sub(1).and_then(|i| message.formats.get(i));
                    if i > 0 {
                        text += &format.map_or_else(|| "{}".to_owned(), |format| format!("{{{format}}}"));
                    }
                    text += piece;
                }
                write!(f, " \"{}\"", text.escape_debug())?;
            }
            line(f, *pos)?;
        }
        for (i, stop) in self.stops.iter().enumerate() {
            match stop.loops {
                Some(loops) => write!(f, "stop {i}: at a barrier in {loops} loops")?,
                None => write!(f, "stop {i}: by a return")?,
            }
            line(f, stop.pos)?;
        }
        if self.doubtful {
            writeln!(f, "a divergence of one side is none")?;
        }
        with_levels(self.body.depth(), || block(f, self, &self.body, 0))
    }
}

fn block(f: &mut Formatter<'_>, program: &LaneProgram, block: &LaneBlock, depth: usize) -> fmt::Result {
    block.nodes.iter().try_for_each(|node| whole(f, program, node, depth))
}

/// The end of a line.
fn line(f: &mut Formatter<'_>, pos: Pos) -> fmt::Result {
    if pos.is_known() { writeln!(f, "  ; line {}", pos.line) } else { f.write_str("\n") }
}

/// A node and its blocks.
fn whole(f: &mut Formatter<'_>, program: &LaneProgram, node: &Node, depth: usize) -> fmt::Result {
    indent(f, depth)?;
    write!(f, "{}", NodeHead(program, node))?;
    match node {
        Node::Let { pos, .. } | Node::Do { pos, .. } => line(f, *pos),
        Node::Exit { .. } | Node::Poll => f.write_str("\n"),
        Node::If { then, otherwise, .. } => {
            f.write_str(" {\n")?;
            arm(f, program, then, depth)?;
            if !otherwise.nodes.is_empty() || !otherwise.results.is_empty() {
                indent(f, depth)?;
                f.write_str("} else {\n")?;
                arm(f, program, otherwise, depth)?;
            }
            indent(f, depth)?;
            f.write_str("}\n")
        }
        Node::Loop { body, again, .. } => {
            f.write_str(" {\n")?;
            arm(f, program, body, depth)?;
            indent(f, depth)?;
            writeln!(f, "}} again if {}", ValueName(program, *again))
        }
    }
}

/// The contents of braces.
fn arm(f: &mut Formatter<'_>, program: &LaneProgram, inside: &LaneBlock, depth: usize) -> fmt::Result {
    block(f, program, inside, depth + 1)?;
    if !inside.results.is_empty() {
        indent(f, depth + 1)?;
        writeln!(f, "give {}", list(program, &inside.results))?;
    }
    Ok(())
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    write!(f, "{:1$}", "", depth * 2)
}

/// The name of a value.
pub(super) struct ValueName<'a>(pub(super) &'a LaneProgram, pub(super) LaneValue);

impl Display for ValueName<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = match self.0.types.get(self.1.index()) {
            Some(LaneType::Scalar(_)) => "s",
            Some(&LaneType::MASK) => "m",
            Some(LaneType::Lanes(_)) => "v",
            None => "",
        };
        write!(f, "%{kind}{}", self.1.0)
    }
}

fn list(program: &LaneProgram, values: &[LaneValue]) -> String {
    let names: Vec<String> = values.iter().map(|&value| ValueName(program, value).to_string()).collect();
    names.join(", ")
}

/// Values with their element types.
fn typed(program: &LaneProgram, values: &[LaneValue]) -> String {
    let name = |&value: &LaneValue| {
        let elem = program.types.get(value.index()).map_or("?", |ty| ty.elem().name());
        format!("{}: {elem}", ValueName(program, value))
    };
    values.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The first line of a node.
pub(super) struct NodeHead<'a>(pub(super) &'a LaneProgram, pub(super) &'a Node);

impl Display for NodeHead<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let program = self.0;
        let name = |value: &LaneValue| ValueName(program, *value);
        match self.1 {
            Node::Let { value, inst, .. } => {
                write!(f, "{} = ", name(value))?;
                instruction(f, program, *value, inst)
            }
            Node::Do { effect, .. } => do_effect(f, program, effect),
            Node::If { condition, results, likely, .. } => {
                if !results.is_empty() {
                    write!(f, "{} = ", typed(program, results))?;
                }
                write!(f, "if {}", name(condition))?;
                f.write_str(if likely.is_then() { " (likely)" } else { "" })
            }
            Node::Loop { params, init, results, .. } => {
                if !results.is_empty() {
                    write!(f, "{} = ", list(program, results))?;
                }
                write!(f, "loop")?;
                for (i, (param, init)) in params.iter().zip(init).enumerate() {
                    let comma = if i == 0 { "" } else { "," };
                    write!(f, "{comma} {} = {}", typed(program, &[*param]), name(init))?;
                }
                Ok(())
            }
            Node::Exit { condition, status } => {
                let status = match status {
                    ExitStatus::Done => "done",
                    ExitStatus::Diverged => "diverged",
                    ExitStatus::Interrupted => "interrupted",
                };
                write!(f, "exit {status} if {}", name(condition))
            }
            Node::Poll => f.write_str("poll"),
        }
    }
}

fn instruction(f: &mut Formatter<'_>, program: &LaneProgram, value: LaneValue, inst: &LaneInst) -> fmt::Result {
    let name = |value: &LaneValue| ValueName(program, *value);
    match inst {
        LaneInst::Const(bits) => constant(f, program.types.get(value.index()).map(|ty| ty.elem()), *bits),
        LaneInst::Input(index) => match program.inputs.get(*index as usize) {
            Some(input) => write!(f, "input {}", InputWord(*input)),
            None => write!(f, "input number {index}"),
        },
        LaneInst::Arena(part) => write!(f, "arena {}", part_name(*part)),
        LaneInst::Lane => f.write_str("lane"),
        LaneInst::Splat(from) => write!(f, "splat {}", name(from)),
        LaneInst::Op { op, scalar, args } => write!(f, "{}.{scalar} {}", op.name(), list(program, args)),
        LaneInst::Whole { op, instance, args, widths, component } => {
            write!(f, "{}.{}", op.name(), instance.scalar)?;
            let mut rest = args.as_slice();
            for &width in widths {
                let (these, others) = rest.split_at(usize::from(width).min(rest.len()));
                write!(f, " ({})", list(program, these))?;
                rest = others;
            }
            write!(f, " component {component}")
        }
        LaneInst::Select { mask, yes, no } => write!(f, "select {}, {}, {}", name(mask), name(yes), name(no)),
        LaneInst::FirstLanes(n) => write!(f, "first_lanes {}", name(n)),
        LaneInst::Any(mask) => write!(f, "any {}", name(mask)),
        LaneInst::All(mask) => write!(f, "all {}", name(mask)),
        LaneInst::LowestLane { lanes, mask } => write!(f, "lowest_lane {} where {}", name(lanes), name(mask)),
        LaneInst::ReciprocalRoot(value) => write!(f, "reciprocal_root {}", name(value)),
        LaneInst::Slide { low, high, by } => write!(f, "slide {}, {} by {by}", name(low), name(high)),
        LaneInst::Load { at, mask } => {
            write!(f, "load.{} ", at.stored)?;
            address(f, program, at)?;
            where_(f, program, *mask)
        }
        LaneInst::Atomic { op, scalar, at, operand, mask } => {
            write!(f, "{}.{scalar} ", op.name())?;
            address(f, program, at)?;
            if let Some(operand) = operand {
                write!(f, ", {}", name(operand))?;
            }
            where_(f, program, *mask)
        }
        LaneInst::CompareExchange { scalar, at, expected, new, mask } => {
            write!(f, "atomic_compare_exchange.{scalar} ")?;
            address(f, program, at)?;
            write!(f, ", {}, {}", name(expected), name(new))?;
            where_(f, program, *mask)
        }
    }
}

fn do_effect(f: &mut Formatter<'_>, program: &LaneProgram, effect: &Effect) -> fmt::Result {
    let name = |value: &LaneValue| ValueName(program, *value);
    match effect {
        Effect::Store { at, value, mask } => {
            write!(f, "store.{} ", at.stored)?;
            address(f, program, at)?;
            write!(f, ", {}", name(value))?;
            where_(f, program, *mask)
        }
        Effect::Copy { shape, to, from, read, mask } => {
            write!(f, "copy {shape} ")?;
            address(f, program, to)?;
            f.write_str(", ")?;
            address(f, program, from)?;
            if let Some(read) = read {
                write!(f, " (zeros but where {})", name(read))?;
            }
            where_(f, program, *mask)
        }
        Effect::Clear { from, bytes } => write!(f, "clear {bytes} bytes from {}", name(from)),
        Effect::Message { message, thread, values, mask } => {
            write!(f, "message {message} thread {}", name(thread))?;
            if !values.is_empty() {
                write!(f, ", {}", list(program, values))?;
            }
            where_(f, program, Some(*mask))
        }
        Effect::Prefetch { at } => {
            f.write_str("prefetch ")?;
            address(f, program, at)
        }
        Effect::Fence => f.write_str("fence"),
    }
}

fn where_(f: &mut Formatter<'_>, program: &LaneProgram, mask: Option<LaneValue>) -> fmt::Result {
    match mask {
        Some(mask) => write!(f, " where {}", ValueName(program, mask)),
        None => Ok(()),
    }
}

fn address(f: &mut Formatter<'_>, program: &LaneProgram, at: &LaneAddress) -> fmt::Result {
    match at.space {
        MemorySpace::Buffer(space) => write!(f, "buffer{space}[")?,
        MemorySpace::Constant => f.write_str("constant[")?,
        MemorySpace::Arena(part) => write!(f, "{}[", part_name(part))?,
    }
    write!(f, "{}", ValueName(program, at.base))?;
    if let Some(offset) = at.offset {
        write!(f, " + {}", ValueName(program, offset))?;
    }
    match at.displacement {
        0 => {}
        n if n < 0 => write!(f, " - {}", n.unsigned_abs())?,
        n => write!(f, " + {n}")?,
    }
    match at.along {
        AddressStep::Uniform => f.write_str("]"),
        AddressStep::Step(step) => write!(f, " | step {step}]"),
        AddressStep::Each(value) => write!(f, " | each {}]", ValueName(program, value)),
    }
}

fn part_name(part: ArenaPart) -> &'static str {
    match part {
        ArenaPart::TileStatic => "tile_static",
        ArenaPart::Private => "private",
        ArenaPart::Context => "context",
        ArenaPart::Votes => "votes",
        ArenaPart::Report => "report",
        ArenaPart::Sink => "sink",
    }
}

/// A constant with its type. Floats are decimal where that is short, otherwise bits.
fn constant(f: &mut Formatter<'_>, elem: Option<Elem>, bits: u64) -> fmt::Result {
    let short = |x: f64| x == 0.0 || (1e-5..1e10).contains(&x.abs());
    match elem {
        Some(Elem::Bool) => write!(f, "const.bool {}", bits & 1 != 0),
        Some(Elem::I32) => write!(f, "const.i32 {}", bits as i32),
        Some(Elem::I64) => write!(f, "const.i64 {}", bits as i64),
        Some(Elem::F32) => match f32::from_bits(bits as u32) {
            x if short(f64::from(x)) => write!(f, "const.f32 {x}"),
            _ => write!(f, "const.f32 bits {bits:#x}"),
        },
        Some(Elem::F64) => match f64::from_bits(bits) {
            x if short(x) => write!(f, "const.f64 {x}"),
            _ => write!(f, "const.f64 bits {bits:#x}"),
        },
        None => write!(f, "const {bits}"),
    }
}

/// A word of the argument block.
struct InputWord(ArgumentWord);

impl Display for InputWord {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            ArgumentWord::ViewBase(param) => write!(f, "base of param {param}"),
            ArgumentWord::ViewExtent(param, dimension) => write!(f, "extent {dimension} of param {param}"),
            ArgumentWord::ViewStride(param, dimension) => write!(f, "stride {dimension} of param {param}"),
            ArgumentWord::ParamBase(param) => write!(f, "bytes of param {param}"),
            ArgumentWord::ParamSize(param) => write!(f, "size of param {param}"),
            ArgumentWord::Uniform(param, component, elem) => {
                write!(f, "{} component {component} of param {param}", elem.name())
            }
            ArgumentWord::TableBase(table) => write!(f, "table {table}"),
            ArgumentWord::DomainExtent(dimension) => write!(f, "extent {dimension} of the domain"),
            ArgumentWord::Zeros => f.write_str("zeros"),
        }
    }
}
