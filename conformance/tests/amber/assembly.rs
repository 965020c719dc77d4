//! SPIR-V as text and back: what naga writes of each shader of the suite is taken apart by `rspirv`, written as text,
//! and assembled again to the same words.

use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::back::spv;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use rspirv::binary::Disassemble as _;
use rspirv::dr::{Instruction, Module, Operand, load_words};
use rspirv::grammar::ext_inst_table;
use spirv::Op;
use tilewise_amber::assemble::assemble;
use tilewise_conformance::corpus;
use tilewise_import::ShaderModule;

/// The words that naga writes of a shader; nothing if it cannot.
fn words_of(name: &str, text: &str) -> Option<Vec<u32>> {
    let module = ShaderModule::from_wgsl(name, text).ok()?;
    let module = module.module();
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    validator.subgroup_stages(naga::valid::ShaderStages::all());
    validator.subgroup_operations(naga::valid::SubgroupOperationSet::all());
    let info = validator.validate(module).ok()?;
    let options = spv::Options { lang_version: (1, 4), ..spv::Options::default() };
    // naga's writer panics on what it lacks.
    catch_unwind(AssertUnwindSafe(|| spv::write_vec(module, &info, &options, None).ok())).ok().flatten()
}

#[test]
fn what_naga_writes_is_assembled_to_the_same_words() {
    let (mut tried, mut wrong) = (0, Vec::new());
    for (name, text) in corpus::FILES.iter().filter(|(name, _)| name.ends_with(".wgsl")) {
        let Some(words) = words_of(name, text) else { continue };
        tried += 1;
        wrong.extend(round_trip(&words).err().map(|message| format!("{name}: {message}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried >= 60, "{tried} shaders were written as SPIR-V");
}

/// A module as text. Floats are written by their bits, as the disassembler rounds them to digits without sign of
/// infinity.
fn text_of(module: &Module) -> String {
    let mut out = String::new();
    let sets: Vec<(u32, &str)> = module
        .ext_inst_imports
        .iter()
        .filter_map(|import| Some((import.result_id?, import.operands.first()?.unwrap_literal_string())))
        .collect();
    for inst in module.all_inst_iter() {
        out += &text_of_instruction(inst, &sets);
        out.push('\n');
    }
    out
}

fn text_of_instruction(inst: &Instruction, sets: &[(u32, &str)]) -> String {
    match (inst.class.opcode, inst.operands.as_slice()) {
        (Op::ExtInst, [Operand::IdRef(set), Operand::LiteralExtInstInteger(number), rest @ ..]) => {
            let (_, name) = sets.iter().find(|(id, _)| id == set).expect("it is imported");
            let table = ext_inst_table(name).expect("it is known");
            let known = table.lookup_opcode(*number).expect("it has such an instruction");
            let rest: Vec<String> = rest.iter().map(Operand::disassemble).collect();
            let (id, ty) = (inst.result_id.unwrap_or(0), inst.result_type.unwrap_or(0));
            format!("%{id} = OpExtInst %{ty} %{set} {} {}", known.opname, rest.join(" "))
        }
        (Op::Constant | Op::SpecConstant | Op::Switch, operands) => {
            let shown = operands.iter().map(|operand| match operand {
                Operand::LiteralBit32(bits) => format!("0x{bits:x}"),
                Operand::LiteralBit64(bits) => format!("0x{bits:x}"),
                operand => operand.disassemble(),
            });
            let shown: Vec<String> = shown.collect();
            let result = inst.result_id.map_or(String::new(), |id| format!("%{id} = "));
            let ty = inst.result_type.map_or(String::new(), |ty| format!(" %{ty}"));
            format!("{result}Op{}{ty} {}", inst.class.opname, shown.join(" "))
        }
        _ => inst.disassemble(),
    }
}

/// Literals of floats as the numbers in hex that have these bits.
fn with_hex_floats(module: &mut Module) -> Vec<(u32, String)> {
    let mut out = Vec::new();
    let widths: Vec<(u32, u32)> = module
        .types_global_values
        .iter()
        .filter(|inst| inst.class.opcode == Op::TypeFloat)
        .filter_map(|inst| Some((inst.result_id?, inst.operands.first()?.unwrap_literal_bit32())))
        .collect();
    for inst in &module.types_global_values {
        let width = widths.iter().find(|(id, _)| Some(*id) == inst.result_type).map(|(_, width)| *width);
        let (Some(width), Op::Constant | Op::SpecConstant) = (width, inst.class.opcode) else { continue };
        let bits = match inst.operands.first() {
            Some(Operand::LiteralBit32(bits)) => u64::from(*bits),
            Some(Operand::LiteralBit64(bits)) => *bits,
            _ => continue,
        };
        out.push((inst.result_id.unwrap_or(0), hex_float(bits, width)));
    }
    out
}

fn hex_float(bits: u64, width: u32) -> String {
    let (fraction_bits, bias) = match width {
        16 => (10, 15i64),
        32 => (23, 127),
        _ => (52, 1023),
    };
    let sign = if bits >> (width - 1) & 1 == 1 { "-" } else { "" };
    let fraction = bits & ((1 << fraction_bits) - 1);
    let exponent = (bits >> fraction_bits) as i64 & (2 * bias + 1);
    let digits = format!("{:013x}", fraction << (52 - fraction_bits));
    match exponent {
        0 => format!("{sign}0x0.{digits}p{}", 1 - bias),
        exponent => format!("{sign}0x1.{digits}p{}", exponent - bias),
    }
}

/// Assembles the text of a module again.
fn round_trip(original: &[u32]) -> Result<(), String> {
    let mut module = load_words(original).map_err(|error| error.to_string())?;
    let floats = with_hex_floats(&mut module);
    let mut text = String::new();
    for line in text_of(&module).lines() {
        let id = line.split_once(" = ").and_then(|(id, _)| id.strip_prefix('%')?.parse::<u32>().ok());
        match floats.iter().find(|(of, _)| Some(*of) == id) {
            Some((_, literal)) => {
                let (before, _) = line.rsplit_once(' ').unwrap_or((line, ""));
                text += &format!("{before} {literal}\n");
            }
            None => text += &format!("{line}\n"),
        }
    }
    let again = assemble(&text, 1, original[1]).map_err(|complaints| format!("{complaints:?}\n{text}"))?;
    match again.words[5..] == original[5..] && again.words[3] <= original[3] {
        true => Ok(()),
        false => Err(format!("the words differ\n{text}")),
    }
}
