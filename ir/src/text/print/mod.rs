//! The printer: writes a kernel as text that parses to an equal kernel.
//!
//! This file prints the declarations: structs, tables, heads of functions and of the kernel.
//! [`body`] decides which instructions are nested in others as expressions, [`expression`] prints a
//! single instruction, [`statement`] those with blocks.

mod body;
mod expression;
mod statement;

use super::number;
use crate::kernel::{Const, FnParamKind, Function, Kernel, ParamKind, Table};
use crate::stack::with_levels;
use crate::types::{Access, Type, TypeId, Types};

/// Maximum length of a line, where possible.
const WIDTH: usize = 100;

/// The kernel in the text form. Parsing it gives an equal kernel.
pub fn print(kernel: &Kernel) -> String {
    with_levels(kernel.levels(), || printed(kernel))
}

fn printed(kernel: &Kernel) -> String {
    let mut out = String::new();
    for (id, ty) in kernel.types.iter() {
        if let Type::Struct(_) = ty {
            out += &structure(&kernel.types, id);
            out.push('\n');
        }
    }
    for table in &kernel.tables {
        out += &self::table(&kernel.types, table);
        out.push('\n');
    }
    for item in &kernel.functions {
        out += &function(kernel, item);
        out.push('\n');
    }
    out += &head(kernel);
    out += " {\n";
    for var in &kernel.tile_vars {
        out += &format!("    tile_static {}: {};\n", var.name, kernel.types.show(var.ty));
    }
    body::write(kernel, &kernel.entry, &mut out);
    out += "}\n";
    out
}

/// Items in brackets, one per line if they do not fit on one line.
fn wrapped(before: &str, items: &[String], after: &str) -> String {
    let line = format!("{before}{}{after}", items.join(", "));
    if line.chars().count() <= WIDTH || items.is_empty() {
        return line;
    }
    let mut out = format!("{before}\n");
    for item in items {
        out += &format!("    {item},\n");
    }
    out + after
}

fn structure(types: &Types, id: TypeId) -> String {
    let Type::Struct(s) = types.get(id) else { return String::new() };
    let fields: Vec<String> =
        s.fields.iter().map(|field| format!("{}: {} @ {}", field.name, types.show(field.ty), field.offset)).collect();
    let head = format!("struct {} size({}) align({}) {{", s.name, s.size, s.align);
    if fields.is_empty() {
        return format!("{head}}}\n");
    }
    let line = format!("{head} {} }}\n", fields.join(", "));
    if line.chars().count() <= WIDTH { line } else { wrapped(&head, &fields, "}") + "\n" }
}

fn table(types: &Types, table: &Table) -> String {
    let mut out = format!("const {}: {} = ", table.name, types.show(table.ty));
    let mut leaves = table.leaves.iter().copied();
    let mut value = String::new();
    if table.leaves.iter().all(|&leaf| leaf == 0) {
        value += "zero";
    } else {
        initial(types, table.ty, &mut leaves, &mut value);
    }
    if out.chars().count() + value.chars().count() <= WIDTH {
        return out + &value + ";\n";
    }
    // Broken between values when the line is full.
    let mut column = out.chars().count();
    for part in value.split_inclusive(", ") {
        if column + part.len() > WIDTH {
            out.truncate(out.trim_end().len());
            out += "\n    ";
            column = 4;
        }
        out += part;
        column += part.len();
    }
    out + ";\n"
}

fn initial(types: &Types, ty: TypeId, leaves: &mut dyn Iterator<Item = u64>, out: &mut String) {
    let mut row = |open: &str, close: &str, parts: &mut dyn Iterator<Item = Option<TypeId>>, leaf: Option<TypeId>| {
        *out += open;
        for (i, part) in parts.enumerate() {
            if i > 0 {
                *out += ", ";
            }
            if let Some(part) = part.or(leaf) {
                initial(types, part, leaves, out);
            }
        }
        *out += close;
    };
    match types.get(ty) {
        Type::Scalar(stored) => {
            let bits = leaves.next().unwrap_or(0);
            *out += &number::show(Const { scalar: stored.value(), bits }, true);
        }
        Type::Vector(stored, n) => {
            let parts: Vec<String> = (0..*n)
                .map(|_| number::show(Const { scalar: stored.value(), bits: leaves.next().unwrap_or(0) }, true))
                .collect();
            *out += &format!("[{}]", parts.join(", "));
        }
        Type::Array { element, length, .. } => {
            row("[", "]", &mut (0..length.unwrap_or(0)).map(|_| Some(*element)), None);
        }
        Type::Struct(s) => row("{", "}", &mut s.fields.iter().map(|field| Some(field.ty)), None),
    }
}

fn function(kernel: &Kernel, function: &Function) -> String {
    let types = &kernel.types;
    let params: Vec<String> = function
        .params
        .iter()
        .map(|param| match param.kind {
            FnParamKind::Value(ty) => format!("{}: {}", param.name, types.show_value(ty)),
            FnParamKind::Ref { ty, access: Access::Read } => format!("{}: &{}", param.name, types.show(ty)),
            FnParamKind::Ref { ty, access: Access::ReadWrite } => format!("{}: &mut {}", param.name, types.show(ty)),
        })
        .collect();
    let result = function.result.map_or(String::new(), |ty| format!(" -> {}", types.show_value(ty)));
    let mut out = wrapped(&format!("fn {}(", function.name), &params, &format!("){result}"));
    out += " {\n";
    body::write(kernel, function, &mut out);
    out += "}\n";
    out
}

fn head(kernel: &Kernel) -> String {
    let types = &kernel.types;
    let params: Vec<String> = kernel
        .params
        .iter()
        .map(|param| match param.kind {
            ParamKind::View(view) => {
                format!("{}: view<{}, {}, {}>", param.name, types.show(view.element), view.rank, view.access)
            }
            ParamKind::Buffer { ty, access } => format!("{}: buffer<{}, {access}>", param.name, types.show(ty)),
            ParamKind::Uniform(ty) => format!("{}: {}", param.name, types.show(ty)),
        })
        .collect();
    let shape = match &kernel.tile {
        Some(tile) => {
            let tile: Vec<String> = tile.iter().map(u32::to_string).collect();
            format!("tile({})", tile.join(", "))
        }
        None => format!("rank({})", kernel.rank),
    };
    wrapped(&format!("kernel {}(", kernel.name), &params, &format!(") {shape}"))
}
