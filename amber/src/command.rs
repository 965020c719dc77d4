//! Commands: `RUN`, `COPY`, `EXPECT` and `REPEAT`.

use tilewise_header::{Complaint, FilePlace};

use crate::data_type::ChannelMode;
use crate::expect::{Comparator, ExpectedValues, ScriptExpect, Tolerated};
use crate::names::PartialScript;
use crate::number::bits;
use crate::script::{PlacedCommand, ScriptBuffer, ScriptCommand, ScriptFault};
use crate::shader::GRAPHICS_HELP;
use crate::token::{ScriptLines, ScriptStatement};

/// Reads the command that a statement is, and adds it. Nothing if it is none.
pub(crate) fn read(
    statement: ScriptStatement,
    lines: &mut ScriptLines<'_>,
    script: &mut PartialScript,
) -> Result<bool, ScriptFault> {
    let at = statement.begin();
    let keyword = statement.peek().map_or(String::new(), |word| word.text.clone());
    let command = match keyword.as_str() {
        "RUN" => run(statement, script)?,
        "COPY" => copy(statement, script)?,
        "EXPECT" => ScriptCommand::Expect(expect(statement, script)?),
        "REPEAT" => {
            repeat(statement, lines, script)?;
            return Ok(true);
        }
        "CLEAR" | "CLEAR_COLOR" | "CLEAR_DEPTH" | "CLEAR_STENCIL" => {
            return Err(ScriptFault::refused(at, format!("`{keyword}` is"), GRAPHICS_HELP));
        }
        "DEBUG" => return Err(ScriptFault::refused(at, "scripts of debuggers are", "remove this block")),
        _ => return Ok(false),
    };
    script.add_command(at, command)?;
    Ok(true)
}

fn repeat(
    mut statement: ScriptStatement,
    lines: &mut ScriptLines<'_>,
    script: &mut PartialScript,
) -> Result<(), ScriptFault> {
    let at = statement.begin();
    statement.expect("REPEAT")?;
    let times_at = statement.at();
    let times: u32 = statement.number("how often")?;
    if times == 0 {
        let help = "write a number of 1 or more, or remove the block";
        return Err(Complaint::new(times_at, "nothing is repeated 0 times", help).into());
    }
    statement.end("REPEAT n .. END")?;
    let place = script.script.commands.len();
    script.script.commands.push(PlacedCommand { at, command: ScriptCommand::Repeat { times, length: 0 } });
    loop {
        let Some(mut inner) = lines.statement() else {
            let help = "write `END` below the commands";
            return Err(Complaint::new(at, "this `REPEAT` has no `END`", help).into());
        };
        if inner.skip("END") {
            inner.end("END")?;
            break;
        }
        let inner_at = inner.begin();
        let is_nested = inner.peek_is("REPEAT");
        if is_nested || !read(inner, lines, script)? {
            let help = "RUN, COPY and EXPECT can be repeated";
            return Err(Complaint::new(inner_at, "this cannot stand in a `REPEAT`", help).into());
        }
    }
    let length = script.script.commands.len() - place - 1;
    // Each is counted once.
    script.runs(at, u64::from(times - 1).saturating_mul(length as u64))?;
    script.script.commands[place].command = ScriptCommand::Repeat { times, length };
    Ok(())
}

fn run(mut statement: ScriptStatement, script: &PartialScript) -> Result<ScriptCommand, ScriptFault> {
    statement.expect("RUN")?;
    // It asks for the time, which changes no result.
    statement.skip("TIMED_EXECUTION");
    let name = statement.word("the name of a pipeline")?;
    let Some(pipeline) = script.pipeline(&name.text) else {
        let message = format!("there is no pipeline `{}` above", name.text);
        return Err(Complaint::new(name.at, message, "declare it: `PIPELINE compute NAME .. END`").into());
    };
    if let Some(kind) = statement.peek()
        && matches!(kind.text.as_str(), "DRAW_RECT" | "DRAW_GRID" | "DRAW_ARRAY" | "RAYGEN")
    {
        return Err(ScriptFault::refused(kind.at, format!("`{}` is", kind.text), GRAPHICS_HELP));
    }
    let mut dispatch = [0; 3];
    for (size, dimension) in dispatch.iter_mut().zip(["x", "y", "z"]) {
        *size = statement.number(&format!("the number of workgroups in {dimension}"))?;
    }
    statement.end("RUN pipeline x y z")?;
    Ok(ScriptCommand::Run { pipeline, dispatch })
}

/// The number of the buffer that the next word names.
fn buffer(statement: &mut ScriptStatement, script: &PartialScript) -> Result<usize, Complaint> {
    let name = statement.word("the name of a buffer")?;
    script.buffer(&name.text).ok_or_else(|| {
        let help = "declare it: `BUFFER NAME DATA_TYPE uint32 ..`";
        Complaint::new(name.at, format!("there is no buffer `{}` above", name.text), help)
    })
}

fn copy(mut statement: ScriptStatement, script: &PartialScript) -> Result<ScriptCommand, ScriptFault> {
    let at = statement.begin();
    statement.expect("COPY")?;
    let from = buffer(&mut statement, script)?;
    statement.expect("TO")?;
    let to = buffer(&mut statement, script)?;
    statement.end("COPY buffer TO buffer")?;
    same_size(at, script, from, to)?;
    are_two(at, "copies a buffer to", (from, to))?;
    Ok(ScriptCommand::Copy { from, to })
}

fn same_size(at: FilePlace, script: &PartialScript, left: usize, right: usize) -> Result<(), Complaint> {
    let (left, right) = (&script.script.buffers[left], &script.script.buffers[right]);
    let is_same = left.count() == right.count() && left.element == right.element;
    if is_same {
        return Ok(());
    }
    let message = format!("`{}` and `{}` have not the same type, layout and size", left.name, right.name);
    Err(Complaint::new(at, message, "declare them alike; STD140 and STD430 are layouts"))
}

/// That a command is about two buffers: one is always equal to itself.
fn are_two(at: FilePlace, what: &str, (left, right): (usize, usize)) -> Result<(), Complaint> {
    if left == right {
        return Err(Complaint::new(at, format!("this {what} itself"), "name two buffers"));
    }
    Ok(())
}

const EXPECT_FORM: &str = "EXPECT buffer IDX i [TOLERANCE t..] {EQ | NE | LT | LE | GT | GE} value..";

fn expect(mut statement: ScriptStatement, script: &PartialScript) -> Result<ScriptExpect, ScriptFault> {
    let at = statement.begin();
    statement.expect("EXPECT")?;
    let number = buffer(&mut statement, script)?;
    let form = statement.at();
    if statement.skip("EQ_BUFFER") {
        let other = buffer(&mut statement, script)?;
        statement.end("EXPECT buffer EQ_BUFFER buffer")?;
        same_size(at, script, number, other)?;
        are_two(at, "compares a buffer with", (number, other))?;
        return Ok(ScriptExpect { buffer: number, expected: ExpectedValues::Buffer(other) });
    }
    if statement.skip("RMSE_BUFFER") {
        let other = buffer(&mut statement, script)?;
        statement.expect("TOLERANCE")?;
        let tolerance = statement.float("the tolerance, a number")?;
        statement.end("EXPECT buffer RMSE_BUFFER buffer TOLERANCE t")?;
        same_size(at, script, number, other)?;
        are_two(at, "compares a buffer with", (number, other))?;
        let expected = ExpectedValues::RootMeanSquare { other, tolerance };
        return Ok(ScriptExpect { buffer: number, expected });
    }
    if statement.peek_is("EQ_HISTOGRAM_EMD_BUFFER") {
        let help = "EQ_BUFFER and RMSE_BUFFER compare buffers";
        return Err(ScriptFault::refused(form, "the comparison of histograms is", help));
    }
    statement.expect("IDX")?;
    let index: u64 = statement.number("the first byte")?;
    if !matches!(statement.peek(), Some(word) if word.text.starts_with(|c: char| c.is_ascii_digit())) {
        let buffer = &script.script.buffers[number];
        let expected = scalars(&mut statement, buffer, index)?;
        return Ok(ScriptExpect { buffer: number, expected });
    }
    let expected = texels(&mut statement, &script.script.buffers[number], index)?;
    Ok(ScriptExpect { buffer: number, expected })
}

fn tolerances(statement: &mut ScriptStatement) -> Result<Vec<Tolerated>, Complaint> {
    let mut out = Vec::new();
    if !statement.skip("TOLERANCE") {
        return Ok(out);
    }
    loop {
        let number = statement.peek().and_then(|word| {
            let (digits, is_percent) = match word.text.strip_suffix('%') {
                Some(digits) => (digits, true),
                None => (word.text.as_str(), false),
            };
            let number = digits.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)?;
            Some(Tolerated { number, is_percent })
        });
        match number {
            Some(number) if out.len() < 4 => out.push(number),
            None if !out.is_empty() => return Ok(out),
            _ => return Err(statement.wrong("a tolerance: one to four numbers, each perhaps with `%`")),
        }
        statement.next();
    }
}

/// The values from a byte on.
fn scalars(statement: &mut ScriptStatement, buffer: &ScriptBuffer, index: u64) -> Result<ExpectedValues, ScriptFault> {
    let tolerances = tolerances(statement)?;
    let word = statement.word("a comparison such as `EQ`")?;
    let comparator = Comparator::by_name(&word.text).ok_or_else(|| {
        Complaint::new(word.at, format!("`{}` is no comparison", word.text), format!("the form is `{EXPECT_FORM}`"))
    })?;
    if !tolerances.is_empty() && !matches!(comparator, Comparator::Equal | Comparator::NotEqual) {
        return Err(Complaint::new(word.at, "a tolerance is of `EQ` and `NE`", "remove it").into());
    }
    let (element, per) = (&buffer.element, buffer.element.scalars.len() as u64);
    let (whole, offset) = (index / element.stride.max(1), index % element.stride.max(1));
    let within = element.scalars.iter().position(|scalar| scalar.0 == offset);
    let Some(within) = within else {
        let message = format!("no value of `{}` begins at byte {index}", buffer.name);
        let help = format!("`IDX` counts bytes; elements are {} bytes apart", element.stride);
        return Err(Complaint::new(word.at, message, help).into());
    };
    let first = whole.saturating_mul(per).saturating_add(within as u64);
    let all = buffer.count() * per;
    let mut values = Vec::new();
    while let Some(word) = statement.next() {
        let number = first.saturating_add(values.len() as u64);
        if number >= all {
            let message = format!("`{}` has no value there: it has {all}", buffer.name);
            let help = format!("it has {} bytes, and `IDX` counts bytes", buffer.contents.len());
            return Err(Complaint::new(word.at, message, help).into());
        }
        let (_, stored) = element.scalars[(number % per) as usize];
        values.push(bits(&word, stored)?);
    }
    if values.is_empty() {
        return Err(statement.wrong("a value").into());
    }
    Ok(ExpectedValues::Scalars { first, comparator, values, tolerances })
}

/// The texels of a rectangle.
fn texels(statement: &mut ScriptStatement, buffer: &ScriptBuffer, x: u64) -> Result<ExpectedValues, ScriptFault> {
    let at = statement.at();
    let x = u32::try_from(x).unwrap_or(u32::MAX);
    let y: u32 = statement.number("the first row")?;
    statement.expect("SIZE")?;
    let size_at = statement.at();
    let (width, height): (u32, u32) = (statement.number("the width")?, statement.number("the height")?);
    if width == 0 || height == 0 {
        let help = "write a width and a height of 1 or more";
        return Err(Complaint::new(size_at, "a rectangle without texels, of which nothing is compared", help).into());
    }
    let tolerances = tolerances(statement)?;
    let word = statement.word("`EQ_RGB` or `EQ_RGBA`")?;
    let count = match word.text.as_str() {
        "EQ_RGB" => 3,
        "EQ_RGBA" => 4,
        _ => {
            let help = "a rectangle is compared by `EQ_RGB r g b` or `EQ_RGBA r g b a`, each 0 to 255";
            return Err(Complaint::new(word.at, format!("`{}` is no comparison of texels", word.text), help).into());
        }
    };
    let mut channels = Vec::new();
    for _ in 0..count {
        channels.push(statement.float("a channel, 0 to 255")?);
    }
    statement.end("EXPECT buffer IDX x y SIZE w h {EQ_RGB r g b | EQ_RGBA r g b a}")?;
    let Some(format) = buffer.texels.as_ref().filter(|texels| texels.mode == ChannelMode::Norm) else {
        let help = "they are of formats such as R8G8B8A8_UNORM; others are compared by `IDX byte EQ value..`";
        return Err(ScriptFault::refused(word.at, format!("`{}` of this buffer is", word.text), help));
    };
    if !format.channels.iter().any(|channel| b"RGBA"[..count].contains(channel)) {
        let message = format!("`{}` has none of the channels that `{}` compares", buffer.name, word.text);
        return Err(
            Complaint::new(word.at, message, "compare by `EQ_RGBA r g b a`, or by `IDX byte EQ value..`").into()
        );
    }
    let fits = |begin: u32, size: u32, of: u32| begin.checked_add(size).is_some_and(|end| end <= of);
    if !buffer.is_image || !fits(x, width, buffer.extent[0]) || !fits(y, height, buffer.extent[1]) {
        let [w, h, _] = buffer.extent;
        let message = format!("the rectangle lies not within `{}`", buffer.name);
        return Err(Complaint::new(at, message, format!("it has {w} x {h} texels")).into());
    }
    Ok(ExpectedValues::Texels { at: [x, y], size: [width, height], channels, tolerances })
}
