//! Words of other languages: hints for authors who use them. This module knows only words, and is
//! used only after an error.

use super::{Parsed, Parser};
use crate::diag::{Code, Diagnostic};
use crate::names;
use crate::text::lex::{TextToken, TokenKind};

/// The type with which other languages call `word`, in our syntax.
pub(super) fn type_for(word: &str) -> Option<String> {
    let scalar = |name: &str| {
        Some(match name {
            "int" | "isize" | "i" => "i32",
            "uint" | "unsigned" | "usize" | "u" => "u32",
            "long" => "i64",
            "ulong" => "u64",
            "float" | "f" => "f32",
            "double" | "d" => "f64",
            "half" | "h" => "f16",
            "bool" | "b" => "bool",
            "char" | "sbyte" => "i8",
            "uchar" | "byte" => "u8",
            "short" => "i16",
            "ushort" => "u16",
            _ => return None,
        })
    };
    if word.len() > 2
        && let Some(ty) = scalar(word).filter(|ty| *ty != word)
    {
        return Some(ty.to_owned());
    }
    // `vec3`, `vec3f`, `ivec3`.
    if let Some((prefix, rest)) = word.split_once("vec") {
        let width = rest.get(..1).filter(|n| matches!(*n, "2" | "3" | "4"))?;
        let letter = if prefix.is_empty() { &rest[1..] } else { prefix };
        let component = if letter.is_empty() { "f32" } else { scalar(letter).filter(|_| letter.len() == 1)? };
        return Some(format!("{component}x{width}"));
    }
    // `float3`.
    let width = word.strip_suffix(['2', '3', '4']).map(|name| (name, &word[name.len()..]));
    let (name, width) = width?;
    scalar(name).filter(|_| name.len() > 1).map(|component| format!("{component}x{width}"))
}

/// Whether it is a vector type with an illegal width, such as `f32x5`.
pub(super) fn is_too_wide(word: &str) -> bool {
    word.rsplit_once('x').is_some_and(|(scalar, width)| {
        names::type_by_name(scalar).is_some_and(|(_, n)| n == 1)
            && !width.is_empty()
            && width.bytes().all(|b| b.is_ascii_digit())
    })
}

/// The replacement for a function of another language, if it is one.
pub(super) fn function(name: &str) -> Option<String> {
    let ours = match name {
        "__syncthreads" | "syncthreads" | "workgroupBarrier" | "GroupMemoryBarrierWithGroupSync" | "group_barrier" => {
            "barrier;"
        }
        "__threadfence_block" | "GroupMemoryBarrier" => "fence;",
        "storageBarrier" | "__threadfence" => "barrier(global);",
        "arrayLength" => "array_length(place)",
        "len" | "size" => "extent(view, 0)",
        _ => {
            let ty = type_for(name)?;
            return Some(match ty.contains('x') {
                true => format!("{ty}(..)"),
                false => format!("x as {ty}"),
            });
        }
    };
    Some(ours.to_owned())
}

/// The replacement for another language's name of a thread index, if it is one.
pub(super) fn index(name: &str) -> Option<&'static str> {
    Some(match name {
        "gid" | "global_id" | "global_invocation_id" | "get_global_id" => "global[0]",
        "threadIdx" | "lid" | "local_id" | "local_invocation_id" | "get_local_id" => "local[0]",
        "blockIdx" | "workgroup_id" | "group_id" => "tile[0]",
        "blockDim" | "workgroup_size" => "tile_extent[0]",
        "gridDim" | "num_workgroups" => "tile_count[0]",
        _ => return None,
    })
}

impl<'t> Parser<'t, '_> {
    /// Reports statements in the syntax of other languages, and skips them completely. Returns
    /// false if it is none.
    pub(super) fn foreign_statement(&mut self, token: TextToken<'t>) -> Parsed<bool> {
        if token.kind != TokenKind::Word || self.scope.find(token.text).is_some() {
            return Ok(false);
        }
        let next = self.ahead(1);
        if token.text == "for" && next.pos.line == token.pos.line {
            let report = Diagnostic::new(Code::K0001, "there is no `for`").at(token.pos, "loops are written otherwise");
            self.report(report.help(
                "write `var i: i32 = 0; while i < n { .. } continuing { i = i + 1; }`: `continue` goes to the continuing part",
            ));
            self.skip_head_and_block();
            return Ok(true);
        }
        let is_type = names::type_by_name(token.text).is_some() || type_for(token.text).is_some();
        if is_type
            && next.kind == TokenKind::Word
            && next.pos.line == token.pos.line
            && matches!(self.ahead(2).text, "=" | ";")
        {
            let ty = type_for(token.text).unwrap_or_else(|| token.text.to_owned());
            let report = Diagnostic::new(Code::K0001, "a declaration begins with `let` or `var`")
                .at(token.pos, "")
                .help(format!("write `var {}: {ty} = ..;`", next.text));
            let failed = self.report(report);
            if names::is_name(next.text) {
                self.declare_broken(next.text, next.pos);
            }
            return Err(failed);
        }
        Ok(false)
    }

    /// Skips a head and its block, or a statement without a block up to its `;`.
    fn skip_head_and_block(&mut self) {
        let mut open = 0_i32;
        loop {
            let token = self.peek();
            match token.text {
                _ if token.kind == TokenKind::End => return,
                "{" => return self.skip_block(),
                "}" => return,
                ";" if open <= 0 => {
                    self.next();
                    return;
                }
                "(" | "[" => open += 1,
                ")" | "]" => open -= 1,
                _ => {}
            }
            self.next();
        }
    }

    /// `a += b`, `a++`: after the operator `mark`, with the place from the token `start`.
    pub(super) fn compound(&mut self, start: usize, mark: &str) -> Parsed<()> {
        let next = self.peek();
        let assigns = next.text == "=" && next.adjacent;
        let twice = matches!(mark, "+" | "-") && next.text == mark && next.adjacent;
        if !assigns && !twice {
            return Ok(());
        }
        // Computed only now: this runs after every operator, and the text before it may be long.
        let place: String = match self.at - 1 - start {
            0..=40 => self.tokens[start..self.at - 1].iter().map(|token| token.text).collect(),
            _ => "place".to_owned(),
        };
        if assigns {
            let value: Vec<&str> = self.tokens[self.at + 1..]
                .iter()
                .take_while(|token| token.pos.line == next.pos.line && !matches!(token.text, ";" | "{" | "}"))
                .map(|token| token.text)
                .take(13)
                .collect();
            let value = match value.as_slice() {
                [one] => (*one).to_owned(),
                [] => "..".to_owned(),
                more if more.len() > 12 => "(..)".to_owned(),
                more => format!("({})", more.join(" ")),
            };
            let report = Diagnostic::new(Code::K0001, format!("there is no `{mark}=`")).at(self.joined(mark), "");
            return Err(self.report(report.help(format!("write `{place} = {place} {mark} {value};`"))));
        }
        let ends = matches!(self.ahead(1).text, ";" | ")" | "}" | "{" | ",") || self.ahead(1).kind == TokenKind::End;
        if twice && ends {
            let report = Diagnostic::new(Code::K0001, format!("there is no `{mark}{mark}`")).at(self.joined(mark), "");
            return Err(self.report(report.help(format!("write `{place} = {place} {mark} 1;`"))));
        }
        Ok(())
    }

    /// The position of the consumed operator and the next character.
    fn joined(&self, mark: &str) -> crate::pos::Pos {
        let mut pos = self.tokens[self.at - 1].pos;
        pos.source = self.source;
        pos.length = mark.len() as u32 + 1;
        pos
    }
}
