//! Prints a case as a file test in the form of `docs/tests.md`: a `.kir` file with a header, which
//! can be put into `conformance/kernels` as it stands.

use std::fmt::Write;

use tilewise_ir::kernel::ParamKind;
use tilewise_ir::launch::Argument;
use tilewise_ir::text;
use tilewise_ir::types::{Scalar, Stored, Type, TypeId, Types, round_up};

use super::LIMIT;
use super::case::{FuzzCase, tail};

impl FuzzCase {
    /// The text of a file test that launches the case. It has no expectations: blessing the file
    /// writes the results of the reference.
    pub fn to_file(&self, property: &str) -> String {
        let mut out = String::new();
        for line in property.lines() {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "// {line}");
        }
        let extent: Vec<String> = self.domain.extent.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "//! domain {}", extent.join("x"));
        let _ = writeln!(out, "//! fuel {}", LIMIT.fuel);
        for (i, allocation) in self.memory.allocations.iter().enumerate() {
            let _ =
                writeln!(out, "//! memory {}: u8 [{}] = {}", self.memory_name(i), allocation.len(), bytes(allocation));
        }
        let types = self.kernel.types();
        for (param, argument) in self.kernel.params().iter().zip(&self.arguments) {
            let name = &param.name;
            let _ = match (param.kind, argument) {
                (ParamKind::View(ty), Argument::View(view)) => {
                    let list = |all: &[String]| all.join(", ");
                    let extent: Vec<String> = view.extent.iter().map(ToString::to_string).collect();
                    let strides: Vec<String> = view.strides.iter().map(ToString::to_string).collect();
                    debug_assert!(round_up(types.size(ty.element), 1) > 0);
                    let memory = self.memory_name(view.allocation);
                    let (extent, strides) = (list(&extent), strides.join(" "));
                    writeln!(out, "//! {name}: [{extent}] in {memory} at {} stride {strides}", view.offset)
                }
                (ParamKind::Buffer { ty, .. }, Argument::Buffer { allocation, offset, size }) => {
                    let memory = self.memory_name(*allocation);
                    match tail(types, ty) {
                        Some((from, _, stride)) => {
                            let count = size.saturating_sub(from) / u64::from(stride).max(1);
                            writeln!(out, "//! {name}: [{count}] in {memory} at {offset}")
                        }
                        None => writeln!(out, "//! {name}: in {memory} at {offset}"),
                    }
                }
                (ParamKind::Uniform(ty), Argument::Uniform(bytes)) => {
                    writeln!(out, "//! {name} = {}", uniform(types, ty, bytes))
                }
                // An argument that does not fit is refused before anything runs, in a file as well.
                _ => writeln!(out, "//! {name} = zero"),
            };
        }
        out + &text::print(&self.kernel)
    }

    /// A name for an allocation, different from those of all parameters.
    fn memory_name(&self, allocation: usize) -> String {
        let mut name = format!("memory_{allocation}");
        while self.kernel.params().iter().any(|param| *param.name == *name) {
            name.push('_');
        }
        name
    }
}

/// Bytes as data of a header.
fn bytes(bytes: &[u8]) -> String {
    if bytes.iter().all(|&byte| byte == 0) {
        return "zero".to_owned();
    }
    let mut out = Vec::new();
    let mut rest = bytes;
    while let Some(&first) = rest.first() {
        let run = rest.iter().take_while(|&&byte| byte == first).count();
        out.push(if run > 3 { format!("{run}*{first}") } else { vec![first.to_string(); run].join(" ") });
        rest = &rest[run..];
    }
    let mut text = String::new();
    let mut column = 0;
    for word in out {
        if column > 100 {
            text += "\n//!    ";
            column = 0;
        } else if !text.is_empty() {
            text.push(' ');
        }
        column += word.len() + 1;
        text += &word;
    }
    text
}

/// The scalars of a value, each by its bits.
fn uniform(types: &Types, ty: TypeId, bytes: &[u8]) -> String {
    let mut out = Vec::new();
    types.leaves(ty, &mut |at, stored: Stored| {
        let at = at as usize;
        let leaf = bytes.get(at..at + stored.size() as usize).unwrap_or(&[]);
        let bits = leaf.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        out.push(if stored.value() == Scalar::Bool { (bits != 0).to_string() } else { format!("bits({bits:#x})") });
    });
    debug_assert!(!matches!(types.get(ty), Type::Array { length: None, .. }));
    out.join(" ")
}
