//! The header of a file, parsed: runs with their domain, inputs and expectations. It is
//! independent of the kernel.

mod checks;
mod expect;
mod sampler;
mod words;

use std::sync::Arc;

use tilewise_interp::Checks;
use tilewise_ir::types::Stored;

pub use checks::read as checks;
pub use expect::{
    Accessed, Expect, Expected, ExpectedFailure, ExpectedRefusal, ExpectedReport, ExpectedSide, show, show_threads,
};
use words::EntryWords;
pub use words::extent;

use crate::data::{DataForm, HeaderData};
use crate::scan::HeaderEntry;
use crate::shader::ShaderParams;
use crate::{Complaint, FilePlace};

/// The default limit on the instructions of a run.
pub const FUEL: u64 = 10_000_000;

/// The maximum number of entries of a header: each run has all inputs that stand above the first.
const MAX_ENTRIES: usize = 4096;

/// The header of a file.
#[derive(Debug, Default)]
pub struct Header {
    /// The runs; none in a file of errors.
    pub runs: Vec<HeaderRun>,
    /// The targets it is limited to, by their names, and the reason.
    pub targets: Option<(Vec<TargetName>, String)>,
    /// The reason why only the linear order is run.
    pub order_dependent: Option<String>,
    /// Is there an entry `expect accepted`?
    pub accepted: bool,
    /// The entry point, of a shader.
    pub entry: Option<String>,
    /// Values of a shader's overrides, by name or number.
    pub overrides: Vec<(String, f64)>,
}

/// The name of a target in a header, which the suite knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetName {
    /// Where it stands.
    pub at: FilePlace,
    /// The name.
    pub name: String,
}

/// One run of the kernel.
#[derive(Clone, Debug, Default)]
pub struct HeaderRun {
    /// Its name, if the file has several.
    pub name: Option<String>,
    /// Where it begins.
    pub at: FilePlace,
    /// The extent to run over.
    pub domain: Option<Vec<i32>>,
    /// Where the extent stands, or the workgroups that make it; nowhere if the header has none.
    pub domain_at: FilePlace,
    /// Workgroups in x, y and z, of a shader: these and its workgroup size make the domain.
    pub dispatch: Option<[u32; 3]>,
    /// Limit on instructions.
    pub fuel: Option<u64>,
    /// The checks to run, if the file lists them.
    pub checks: Option<Checks>,
    /// Of a shader: the parameters whose inputs have forms of their own.
    pub shader: Arc<ShaderParams>,
    /// Inputs by name; runs share those that stand above the first.
    pub inputs: Vec<Arc<RunInput>>,
    /// The expected results.
    pub expects: Vec<Expect>,
    /// The last line of the header that belongs to it: blessing adds expectations below.
    pub last_line: u32,
}

/// The input of a parameter, or memory that views share.
#[derive(Clone, Debug)]
pub struct RunInput {
    /// Where its name stands.
    pub at: FilePlace,
    /// The name of the parameter or memory.
    pub name: String,
    /// Extent or size.
    pub shape: Option<InputShape>,
    /// Where its bytes are.
    pub place: InputPlace,
    /// Is its memory never written before the launch?
    pub fresh: bool,
}

/// The shape of an [`RunInput`].
#[derive(Clone, PartialEq, Debug)]
pub enum InputShape {
    /// Elements in each dimension.
    Extent(Vec<i32>),
    /// Bytes.
    Bytes(u64),
}

/// Where the bytes of an [`RunInput`] are.
#[derive(Clone, Debug)]
pub enum InputPlace {
    /// In memory of its own.
    Own(HeaderData),
    /// In memory of its own that belongs to no parameter: scalars of one type.
    Memory(Stored, HeaderData),
    /// In the memory of another input.
    In {
        /// Its name.
        other: String,
        /// First byte.
        offset: u64,
        /// The stride of each dimension, in elements.
        strides: Option<Vec<u64>>,
    },
}

/// Parses the entries. An entry with an error adds to `complaints` and is left out of the result.
pub fn read(entries: &[HeaderEntry], complaints: &mut Vec<Complaint>) -> Header {
    let mut reader = HeaderReader { header: Header::default(), shared: HeaderRun::default(), runs: Vec::new() };
    if let Some(entry) = entries.get(MAX_ENTRIES) {
        let at = FilePlace { line: entry.first, column: 1 };
        let message = format!("the header has {} entries", entries.len());
        complaints.push(Complaint::new(at, message, format!("a header has at most {MAX_ENTRIES}: divide the file")));
        return Header::default();
    }
    for entry in entries {
        if let Err(complaint) = reader.entry(entry) {
            complaints.push(complaint);
        }
    }
    reader.finish(complaints)
}

struct HeaderReader {
    header: Header,
    /// The entries above the first `run`.
    shared: HeaderRun,
    runs: Vec<HeaderRun>,
}

const ENTRIES: &str = "an entry begins with `domain`, `fuel`, `checks`, `targets`, `order-dependent`, `memory`, `run`, `expect`, or the name of a parameter and `:` or `=`; docs/tests.md lists them";

impl HeaderReader {
    fn entry(&mut self, entry: &HeaderEntry) -> Result<(), Complaint> {
        let mut words = EntryWords::new(entry);
        let at = words.at();
        if !words.peek_word("run") || words.second_is_mark(&[':', '=']) {
            let run = self.run();
            run.last_line = entry.last;
            if run.at.line == 0 {
                run.at = at;
            }
        }
        if words.second_is_mark(&[':', '=']) {
            let name = words.word("the name of a parameter")?;
            let input = input(at, name, &mut words)?;
            words.end()?;
            return self.add_input(input);
        }
        let keyword = words.word("an entry")?;
        match keyword.as_str() {
            "domain" => {
                let domain_at = words.at();
                let domain = words.extent_word()?;
                let run = self.run();
                twice(run.domain.is_some(), at, "domain")?;
                one_of_both(run.dispatch.is_some(), at)?;
                (run.domain, run.domain_at) = (Some(domain), domain_at);
            }
            "dispatch" => {
                let (at_entry, at) = (at, words.at());
                let sizes = words.extent_word()?;
                let dispatch = dispatch(&sizes).ok_or_else(|| {
                    let message = "a dispatch has 1 to 3 numbers of workgroups, each 0 or more";
                    Complaint::new(at, message, "write `4`, `4x2` or `4x2x1`, x first")
                })?;
                let run = self.run();
                twice(run.dispatch.is_some(), at_entry, "dispatch")?;
                one_of_both(run.domain.is_some(), at_entry)?;
                (run.dispatch, run.domain_at) = (Some(dispatch), at);
            }
            "entry" => {
                twice(self.header.entry.is_some(), at, "entry")?;
                self.header.entry = Some(words.word("the name of an entry point")?);
            }
            "override" => {
                let name = words.word("the name or number of an override")?;
                words.expect_mark('=')?;
                let at = words.at();
                let number = words.word("a number")?;
                let no_number = |_| Complaint::new(at, format!("`{number}` is no number"), "write `override N = 64`");
                let value = match number.as_str() {
                    "true" => 1.0,
                    "false" => 0.0,
                    number => number.parse().map_err(no_number)?,
                };
                let is_known = self.header.overrides.iter().any(|(known, _)| *known == name);
                twice(is_known, at, &format!("override {name}"))?;
                self.header.overrides.push((name, value));
            }
            "fuel" => {
                let fuel = words.number("the number of instructions")?;
                let run = self.run();
                twice(run.fuel.is_some(), at, "fuel")?;
                run.fuel = Some(fuel);
            }
            "checks" => {
                let mut list = Vec::new();
                loop {
                    list.push((words.at(), words.word("what to look for")?));
                    if !words.skip_mark(',') {
                        break;
                    }
                }
                let checks = checks::read(&list)?;
                let run = self.run();
                twice(run.checks.is_some(), at, "checks")?;
                run.checks = Some(checks);
            }
            "targets" => {
                twice(self.header.targets.is_some(), at, "targets")?;
                let targets = targets(&mut words)?;
                self.header.targets = Some((targets, words.reason()?));
            }
            "order-dependent" => {
                twice(self.header.order_dependent.is_some(), at, "order-dependent")?;
                self.header.order_dependent = Some(words.reason()?);
            }
            "memory" => {
                let input = memory(at, &mut words)?;
                words.end()?;
                return self.add_input(input);
            }
            "run" => {
                let name = words.word("the name of the run")?;
                if self.runs.iter().any(|run| run.name.as_ref() == Some(&name)) {
                    return Err(Complaint::new(
                        at,
                        format!("two runs are called `{name}`"),
                        "give one of them another name",
                    ));
                }
                self.runs.push(HeaderRun { name: Some(name), at, last_line: entry.last, ..HeaderRun::default() });
            }
            "expect" => {
                if words.peek_word("accepted") {
                    words.word("accepted")?;
                    self.header.accepted = true;
                } else {
                    let expected = expect::read(&mut words)?;
                    let expect = Expect { at, first: entry.first, last: entry.last, expected };
                    expect::add(&mut self.run().expects, expect)?;
                }
            }
            other => return Err(Complaint::new(at, format!("`{other}` is no entry of a header"), ENTRIES)),
        }
        words.end()
    }

    fn run(&mut self) -> &mut HeaderRun {
        self.runs.last_mut().unwrap_or(&mut self.shared)
    }

    fn add_input(&mut self, input: RunInput) -> Result<(), Complaint> {
        let run = self.run();
        if run.inputs.iter().any(|other| other.name == input.name) {
            let message = format!("`{}` has an input already", input.name);
            return Err(Complaint::new(input.at, message, "remove one of the two lines"));
        }
        run.inputs.push(Arc::new(input));
        Ok(())
    }

    fn finish(self, complaints: &mut Vec<Complaint>) -> Header {
        let HeaderReader { mut header, shared, mut runs } = self;
        if runs.is_empty() {
            if shared.domain.is_some()
                || shared.dispatch.is_some()
                || !shared.inputs.is_empty()
                || !shared.expects.is_empty()
                || shared.fuel.is_some()
            {
                runs.push(shared);
            }
        } else {
            if let Some(expect) = shared.expects.first() {
                complaints.push(Complaint::new(
                    expect.at,
                    "an expectation above the first `run`",
                    "write it below the `run` it belongs to",
                ));
            }
            for run in &mut runs {
                // A domain of its own takes the place of a dispatch above, and the other way round.
                if run.domain.is_none() && run.dispatch.is_none() {
                    run.domain_at = shared.domain_at;
                    run.domain.clone_from(&shared.domain);
                    run.dispatch = shared.dispatch;
                }
                run.fuel = run.fuel.or(shared.fuel);
                run.checks = run.checks.take().or_else(|| shared.checks.clone());
                let own = std::mem::take(&mut run.inputs);
                let inherited = shared.inputs.iter().filter(|input| own.iter().all(|o| o.name != input.name));
                run.inputs = inherited.cloned().chain(own.iter().cloned()).collect();
            }
        }
        header.runs = runs;
        header
    }
}

/// The workgroups of a dispatch in x, y and z; those that are left out are 1.
pub fn dispatch(sizes: &[i32]) -> Option<[u32; 3]> {
    let mut out = [1; 3];
    if sizes.len() > out.len() {
        return None;
    }
    for (to, &size) in out.iter_mut().zip(sizes) {
        *to = u32::try_from(size).ok()?;
    }
    Some(out)
}

fn twice(already: bool, at: FilePlace, name: &str) -> Result<(), Complaint> {
    if already {
        return Err(Complaint::new(at, format!("`{name}` is said twice"), "remove one of the two lines"));
    }
    Ok(())
}

fn one_of_both(has_other: bool, at: FilePlace) -> Result<(), Complaint> {
    if has_other {
        let help = "remove one of the two: a dispatch counts the workgroups of a shader, a domain the threads";
        return Err(Complaint::new(at, "`domain` and `dispatch` both say how many threads run", help));
    }
    Ok(())
}

fn targets(words: &mut EntryWords<'_>) -> Result<Vec<TargetName>, Complaint> {
    let mut targets = Vec::new();
    loop {
        targets.push(TargetName { at: words.at(), name: words.word("the name of a target")? });
        if !words.skip_mark(',') {
            return Ok(targets);
        }
    }
}

/// Parses `NAME: SHAPE = DATA`, `NAME = DATA`, `NAME: SHAPE in OTHER ..`, after the name.
fn input(at: FilePlace, name: String, words: &mut EntryWords<'_>) -> Result<RunInput, Complaint> {
    let mut shape = None;
    if words.skip_mark(':') {
        if words.peek_mark('[') {
            shape = Some(InputShape::Extent(words.extent_list()?));
        } else if !words.peek_word("in") {
            let bytes = words.number("an extent such as `[4, 6]`, a size such as `37 bytes`, or `in`")?;
            words.expect_word("bytes")?;
            shape = Some(InputShape::Bytes(bytes));
        }
        if words.peek_word("in") {
            words.expect_word("in")?;
            let other = words.word("the parameter or memory that it lies in")?;
            let offset = if words.skip_word("at") { words.number("the byte it begins at")? } else { 0 };
            let strides = if words.skip_word("stride") {
                Some(words.numbers("the elements from one index to the next")?)
            } else {
                None
            };
            return Ok(RunInput { at, name, shape, place: InputPlace::In { other, offset, strides }, fresh: false });
        }
    }
    words.expect_mark('=')?;
    if words.skip_word("fresh") {
        let data = HeaderData { at: words.at(), form: DataForm::Zero };
        return Ok(RunInput { at, name, shape, place: InputPlace::Own(data), fresh: true });
    }
    let data = words.data()?;
    Ok(RunInput { at, name, shape, place: InputPlace::Own(data), fresh: false })
}

/// Parses `memory NAME: TYPE [N] = DATA`, after the first word.
fn memory(at: FilePlace, words: &mut EntryWords<'_>) -> Result<RunInput, Complaint> {
    let name = words.word("the name of the memory")?;
    words.expect_mark(':')?;
    let type_at = words.at();
    let word = words.word("the type of its scalars")?;
    let Some(stored) = Stored::ALL.into_iter().find(|stored| stored.name() == word) else {
        return Err(Complaint::new(
            type_at,
            format!("`{word}` is no scalar type"),
            "write `u8`, `f32` or another scalar type",
        ));
    };
    let shape = Some(InputShape::Extent(words.extent_list()?));
    let given = words.skip_mark('=');
    let fresh = given && words.skip_word("fresh");
    let data = if given && !fresh { words.data()? } else { HeaderData { at, form: DataForm::Zero } };
    Ok(RunInput { at, name, shape, place: InputPlace::Memory(stored, data), fresh })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::scan;

    fn header(text: &str) -> (Header, Vec<String>) {
        let (scanned, mut complaints) = scan(text);
        let header = read(&scanned.entries, &mut complaints);
        (header, complaints.into_iter().map(|complaint| complaint.message).collect())
    }

    #[test]
    fn a_run_has_a_domain_or_a_dispatch() {
        let both = "`domain` and `dispatch` both say how many threads run";
        for text in ["//! dispatch 1\n//! domain 9x9x9\n", "//! domain 9x9x9\n//! dispatch 1\n"] {
            assert_eq!(header(text).1, [both], "{text}");
        }
        let (header, complaints) = header("//! dispatch 4\n//! run a\n//! run b\n//! domain 1x2x8\n");
        assert!(complaints.is_empty(), "{complaints:?}");
        let extents: Vec<_> = header.runs.iter().map(|run| (run.dispatch, run.domain.clone())).collect();
        assert_eq!(extents, [(Some([4, 1, 1]), None), (None, Some(vec![1, 2, 8]))]);
    }
}
