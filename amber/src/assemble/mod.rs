//! An assembler of SPIR-V: the text that `spirv-dis` prints becomes words.
//!
//! The grammar is that of the crate `rspirv`: it says which operands an instruction has. [`text`] cuts the text
//! into tokens, [`operand`] reads enumerants and masks, [`literal`] numbers. An instruction begins with its
//! opcode, or with `%result =`; line ends mean nothing. Ids have names; one that is a number keeps it.
//!
//! | form | |
//! |---|---|
//! | `%sum = OpIAdd %int %a %b` | the result first |
//! | `OpIAdd %int %sum %a %b` | the result in its place among the operands |
//! | `OpConstant %float 0x1.8p+1` | a literal of the width and signedness of its type |
//! | `Volatile|Aligned 4` | a mask, with the operands of its bits behind it |
//! | `OpExtInst %float %glsl Sqrt %x` | an instruction of a set, by its name or number |
//! | `!0x12` | a word as it is |

mod literal;
mod operand;
mod text;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use rspirv::binary::Assemble as _;
use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier, ext_inst_table};
use spirv::Op;
use tilewise_header::{Complaint, FilePlace};

use literal::NumberType;
use text::{AsmToken, TokenForm, is_opcode, tokens};

/// The words of a module, and where each instruction stands in its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssembledModule {
    /// The words.
    pub words: Vec<u32>,
    /// The byte at which each instruction begins, with the place of its opcode and the length of that.
    pub places: Vec<(u32, FilePlace, u32)>,
}

impl AssembledModule {
    /// The words as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// The words before the instructions.
const HEAD: usize = 5;
/// The greatest number of ids of a module, which is SPIR-V's own limit.
const MOST_IDS: u32 = 0x3f_ffff;
/// The greatest number of errors that are reported.
const MOST_COMPLAINTS: usize = 20;

/// The opcodes by their names without `Op`.
static OPCODES: LazyLock<HashMap<&'static str, Op>> = LazyLock::new(|| {
    let mut opcodes: HashMap<&str, Op> = INSTRUCTION_TABLE.iter().map(|inst| (inst.opname, inst.opcode)).collect();
    for (old, new) in OLD_NAMES {
        if let Some(&opcode) = opcodes.get(new) {
            opcodes.entry(old).or_insert(opcode);
        }
    }
    opcodes
});

/// Names that opcodes had before they became part of SPIR-V itself.
const OLD_NAMES: [(&str, &str); 8] = [
    ("DecorateStringGOOGLE", "DecorateString"),
    ("MemberDecorateStringGOOGLE", "MemberDecorateString"),
    ("SDotKHR", "SDot"),
    ("UDotKHR", "UDot"),
    ("SUDotKHR", "SUDot"),
    ("SDotAccSatKHR", "SDotAccSat"),
    ("UDotAccSatKHR", "UDotAccSat"),
    ("SUDotAccSatKHR", "SUDotAccSat"),
];

/// Assembles a text whose first line has the number `first_line`; `version` is the module's, as in its header.
pub fn assemble(text: &str, first_line: u32, version: u32) -> Result<AssembledModule, Vec<Complaint>> {
    let tokens = tokens(text, first_line).map_err(|complaint| vec![complaint])?;
    let mut assembler = SpirvAssembler::new(&tokens, version);
    let mut complaints = Vec::new();
    let mut rest = &tokens[..];
    while !rest.is_empty() {
        let length = instruction_length(rest);
        let (instruction, after) = rest.split_at(length);
        if let Err(complaint) = assembler.instruction(instruction) {
            complaints.push(complaint);
            if complaints.len() == MOST_COMPLAINTS {
                // What follows is not read, and may have the results that are not there so far.
                return Err(complaints);
            }
        }
        rest = after;
    }
    complaints.extend(assembler.undefined());
    if !complaints.is_empty() {
        return Err(complaints);
    }
    assembler.words[3] = assembler.bound;
    Ok(AssembledModule { words: assembler.words, places: assembler.places })
}

/// The number of tokens of the instruction that these begin with.
fn instruction_length(tokens: &[AsmToken]) -> usize {
    let begins = |at: usize| {
        let is_result = matches!(tokens.get(at + 1), Some(token) if token.form == TokenForm::Equals);
        let behind_result = at > 0 && tokens[at - 1].form == TokenForm::Equals;
        (is_opcode(&tokens[at]) && !behind_result) || (is_result && tokens[at].form == TokenForm::Id)
    };
    (1..tokens.len()).find(|&at| begins(at)).unwrap_or(tokens.len())
}

struct SpirvAssembler<'t> {
    words: Vec<u32>,
    places: Vec<(u32, FilePlace, u32)>,
    ids: HashMap<&'t str, u32>,
    /// The ids that are named by a number.
    reserved: HashSet<u32>,
    next: u32,
    bound: u32,
    /// Where each id is used first, until its result is met.
    awaited: BTreeMap<u32, &'t AsmToken>,
    defined: HashSet<u32>,
    /// Numbers of types, the type of each result, and the sets of instructions.
    numbers: HashMap<u32, NumberType>,
    types: HashMap<u32, u32>,
    sets: HashMap<u32, String>,
}

/// An instruction while it is assembled.
struct OpenInstruction<'t, 'a> {
    head: &'t AsmToken,
    result: Option<&'t AsmToken>,
    operands: &'a [AsmToken],
    /// The next operand.
    next: usize,
    words: Vec<u32>,
    /// Type and number of its result.
    ty: Option<u32>,
    id: Option<u32>,
}

impl OpenInstruction<'_, '_> {
    fn missing(&self, what: &str) -> Complaint {
        let help = format!("`{}` needs one more operand", self.head.text);
        Complaint::new(self.head.at, format!("expected {what}, found the end of the instruction"), help)
    }
}

impl<'t> SpirvAssembler<'t> {
    fn new(tokens: &'t [AsmToken], version: u32) -> SpirvAssembler<'t> {
        let numbered = tokens.iter().filter(|token| token.form == TokenForm::Id).filter_map(|id| numbered(&id.text));
        let mut words = vec![0; HEAD];
        (words[0], words[1]) = (spirv::MAGIC_NUMBER, version);
        SpirvAssembler {
            words,
            places: Vec::new(),
            ids: HashMap::new(),
            reserved: numbered.collect(),
            next: 1,
            bound: 1,
            awaited: BTreeMap::new(),
            defined: HashSet::new(),
            numbers: HashMap::new(),
            types: HashMap::new(),
            sets: HashMap::new(),
        }
    }

    fn id(&mut self, token: &'t AsmToken) -> Result<u32, Complaint> {
        if token.form != TokenForm::Id {
            let help = "an id begins with `%`";
            return Err(Complaint::new(token.at, format!("expected an id, found `{}`", token.text), help));
        }
        if let Some(&id) = self.ids.get(token.text.as_str()) {
            return Ok(id);
        }
        let id = match numbered(&token.text) {
            Some(id) => id,
            None => {
                while self.reserved.contains(&self.next) {
                    self.next += 1;
                }
                self.next += 1;
                self.next - 1
            }
        };
        if id > MOST_IDS {
            let help = format!("a module has at most {MOST_IDS} ids");
            return Err(Complaint::new(token.at, "this is one id too many", help));
        }
        self.bound = self.bound.max(id + 1);
        self.ids.insert(&token.text, id);
        self.awaited.insert(id, token);
        Ok(id)
    }

    /// Complaints about ids that no instruction gives.
    fn undefined(&self) -> Vec<Complaint> {
        let mut open: Vec<&&AsmToken> = self.awaited.values().collect();
        open.sort_by_key(|token| token.at);
        let complaint = |token: &&&AsmToken| {
            let help = format!("write an instruction that begins with `{} =`", token.text);
            Complaint::new(token.at, format!("no instruction has the result `{}`", token.text), help)
        };
        open.iter().take(MOST_COMPLAINTS).map(complaint).collect()
    }

    fn instruction(&mut self, tokens: &'t [AsmToken]) -> Result<(), Complaint> {
        let (result, rest) = match tokens {
            [id, equals, rest @ ..] if equals.form == TokenForm::Equals => (Some(id), rest),
            _ => (None, tokens),
        };
        let read = self.with_result(tokens[0].at, result, rest);
        // Its result counts as there also if something else of it is wrong.
        if let (Err(_), Some(Ok(id))) = (&read, result.map(|result| self.id(result))) {
            self.awaited.remove(&id);
        }
        read
    }

    /// An instruction at `at`, without `%result =`.
    fn with_result(
        &mut self,
        at: FilePlace,
        result: Option<&'t AsmToken>,
        rest: &'t [AsmToken],
    ) -> Result<(), Complaint> {
        let Some((head, operands)) = rest.split_first() else {
            let help = "write the opcode behind `=`, as in `%sum = OpIAdd ..`";
            return Err(Complaint::new(at, "there is no opcode here", help));
        };
        let opcode = head.text.strip_prefix("Op").filter(|_| is_opcode(head)).and_then(|name| OPCODES.get(name));
        let Some(&opcode) = opcode else {
            let help = "an instruction begins with its opcode, or with its result as in `%sum = OpIAdd ..`";
            return Err(Complaint::new(head.at, format!("`{}` is no opcode of SPIR-V", head.text), help));
        };
        let grammar = INSTRUCTION_TABLE.get(opcode).operands;
        let mut open = OpenInstruction { head, result, operands, next: 0, words: Vec::new(), ty: None, id: None };
        let has_result = grammar.iter().any(|operand| operand.kind == OperandKind::IdResult);
        if let (Some(result), false) = (result, has_result) {
            return Err(Complaint::new(result.at, format!("`{}` has no result", head.text), "remove the id and `=`"));
        }
        self.operands(&mut open, opcode, grammar)?;
        if let Some(extra) = open.operands.get(open.next) {
            let message = format!("`{}` is one operand more than `{}` has", extra.text, head.text);
            return Err(Complaint::new(extra.at, message, "remove it"));
        }
        self.finish(open, opcode)
    }

    fn finish(&mut self, open: OpenInstruction<'t, '_>, opcode: Op) -> Result<(), Complaint> {
        let length = u16::try_from(open.words.len() + 1);
        let Ok(length) = length else {
            let help = "an instruction has at most 65535 words";
            return Err(Complaint::new(open.head.at, "this instruction is too long", help));
        };
        match (opcode, open.words.as_slice()) {
            (Op::TypeInt, &[id, width, sign]) => {
                self.numbers.insert(id, NumberType::Int { width, is_signed: sign != 0 });
            }
            (Op::TypeFloat, &[id, width, ..]) => {
                self.numbers.insert(id, NumberType::Float { width });
            }
            (Op::ExtInstImport, [id, ..]) => {
                let name = open.operands.iter().find(|token| token.form == TokenForm::Text);
                self.sets.insert(*id, name.map_or(String::new(), |name| name.text.clone()));
            }
            _ => {}
        }
        if let (Some(ty), Some(id)) = (open.ty, open.id) {
            self.types.insert(id, ty);
        }
        self.places.push((self.words.len() as u32 * 4, open.head.at, open.head.text.chars().count() as u32));
        self.words.push(u32::from(length) << 16 | opcode as u32);
        self.words.extend(open.words);
        Ok(())
    }

    fn operands(
        &mut self,
        open: &mut OpenInstruction<'t, 't>,
        opcode: Op,
        grammar: &[LogicalOperand],
    ) -> Result<(), Complaint> {
        for operand in grammar {
            let is_there = |open: &OpenInstruction<'_, '_>| open.next < open.operands.len();
            match operand.quantifier {
                OperandQuantifier::One => self.operand(open, opcode, operand.kind)?,
                OperandQuantifier::ZeroOrOne if is_there(open) => self.operand(open, opcode, operand.kind)?,
                OperandQuantifier::ZeroOrOne => {}
                OperandQuantifier::ZeroOrMore => {
                    while is_there(open) {
                        self.operand(open, opcode, operand.kind)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn operand(&mut self, open: &mut OpenInstruction<'t, 't>, opcode: Op, kind: OperandKind) -> Result<(), Complaint> {
        if let (OperandKind::IdResult, Some(result)) = (kind, open.result) {
            return self.result(open, result);
        }
        let operands: &'t [AsmToken] = open.operands;
        let Some(token) = operands.get(open.next) else {
            return Err(open.missing(operand::described(kind)));
        };
        open.next += 1;
        if let Some(word) = token.text.strip_prefix('!').filter(|_| token.form == TokenForm::Word) {
            open.words.push(literal::word(word, token.at)?);
            return Ok(());
        }
        match kind {
            OperandKind::IdResult => return self.result(open, token),
            OperandKind::IdResultType => {
                let ty = self.id(token)?;
                open.ty = Some(ty);
                open.words.push(ty);
            }
            OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics => {
                let id = self.id(token)?;
                open.words.push(id);
            }
            OperandKind::LiteralInteger => open.words.push(literal::word(&token.text, token.at)?),
            OperandKind::LiteralFloat => {
                literal::number(token, NumberType::Float { width: 32 }, &mut open.words)?;
            }
            OperandKind::LiteralString => literal::text(token, &mut open.words)?,
            OperandKind::LiteralContextDependentNumber => {
                let ty = open.ty.and_then(|ty| self.numbers.get(&ty).copied());
                let Some(ty) = ty else {
                    let help = "a number has a type that `OpTypeInt` or `OpTypeFloat` declares above it";
                    return Err(Complaint::new(token.at, "the type of this number is not known", help));
                };
                literal::number(token, ty, &mut open.words)?;
            }
            OperandKind::LiteralExtInstInteger => self.of_a_set(open, token)?,
            OperandKind::LiteralSpecConstantOpInteger => return self.constant_op(open, token),
            OperandKind::PairLiteralIntegerIdRef => {
                let selector = open.words.first().and_then(|id| self.types.get(id));
                let ty = selector.and_then(|ty| self.numbers.get(ty).copied());
                let Some(ty) = ty else {
                    let help = "the selector of a switch is an integer whose type is declared above it";
                    return Err(Complaint::new(token.at, "the type of this number is not known", help));
                };
                literal::number(token, ty, &mut open.words)?;
                return self.operand(open, opcode, OperandKind::IdRef);
            }
            OperandKind::PairIdRefLiteralInteger => {
                let id = self.id(token)?;
                open.words.push(id);
                return self.operand(open, opcode, OperandKind::LiteralInteger);
            }
            OperandKind::PairIdRefIdRef => {
                let id = self.id(token)?;
                open.words.push(id);
                return self.operand(open, opcode, OperandKind::IdRef);
            }
            kind => {
                let value = operand::enumerant(kind, token)?;
                value.assemble_into(&mut open.words);
                return self.operands(open, opcode, &value.additional_operands());
            }
        }
        Ok(())
    }

    fn result(&mut self, open: &mut OpenInstruction<'t, 't>, token: &'t AsmToken) -> Result<(), Complaint> {
        let id = self.id(token)?;
        self.awaited.remove(&id);
        open.id = Some(id);
        open.words.push(id);
        if !self.defined.insert(id) {
            let help = "give one of the two another name";
            return Err(Complaint::new(token.at, format!("`{}` is the result of two instructions", token.text), help));
        }
        Ok(())
    }

    /// The number of an instruction of a set.
    fn of_a_set(&mut self, open: &mut OpenInstruction<'t, 't>, token: &AsmToken) -> Result<(), Complaint> {
        let set = open.words.last().and_then(|set| self.sets.get(set)).map_or("", String::as_str);
        let table = ext_inst_table(set);
        let named = table.and_then(|table| table.iter().find(|inst| inst.opname == token.text));
        let number = named.map(|inst| u32::from(inst.opcode)).or_else(|| token.text.parse().ok());
        let Some(number) = number else {
            let message = format!("`{}` is no instruction of the set \"{set}\"", token.text);
            return Err(Complaint::new(token.at, message, "write its name as SPIR-V has it, or its number"));
        };
        open.words.push(number);
        Ok(())
    }

    /// The opcode within `OpSpecConstantOp`, and its operands.
    fn constant_op(&mut self, open: &mut OpenInstruction<'t, 't>, token: &AsmToken) -> Result<(), Complaint> {
        let inner = OPCODES.get(token.text.as_str()).or_else(|| OPCODES.get(token.text.strip_prefix("Op")?));
        let Some(&inner) = inner else {
            let help = "write it without `Op`: `OpSpecConstantOp %int IAdd %a %b`";
            return Err(Complaint::new(token.at, format!("`{}` is no opcode of SPIR-V", token.text), help));
        };
        open.words.push(inner as u32);
        let is_operand =
            |operand: &&LogicalOperand| !matches!(operand.kind, OperandKind::IdResult | OperandKind::IdResultType);
        let grammar = INSTRUCTION_TABLE.get(inner).operands;
        for operand in grammar.iter().filter(is_operand) {
            if operand.kind == OperandKind::LiteralSpecConstantOpInteger {
                return Err(Complaint::new(
                    token.at,
                    "`OpSpecConstantOp` cannot stand in itself",
                    "take another opcode",
                ));
            }
            self.operands(open, inner, std::slice::from_ref(operand))?;
        }
        Ok(())
    }
}

/// The number of an id that is named by one.
fn numbered(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('%')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|id| is_number && *id <= MOST_IDS)
}

#[cfg(test)]
mod tests;
