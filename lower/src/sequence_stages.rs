//! The stages of an iterator: what each of them does, in one table.
//!
//! [`Stage::row`] has one row for each stage. All that lowering needs to know of a stage besides its code follows from
//! that row: whether it keeps the number of items, whether it can be turned around, and what an iterator with a name
//! has done when it was asked for an item and there was none.
//!
//! The last is the one thing that differs from stage to stage in Rust's library. `map_while` and `scan` may give `None`
//! and an item afterwards. What a stage behind them has counted by then follows from how it was asked, and that follows
//! from the stages behind it:
//! - by `next`: a `for`, `next`, and stages that do the same;
//! - by `try_fold`: `find`, `any`, `sum` and their like, and `filter`, which calls `find`;
//! - by `nth`: `nth`, `skip` and `step_by`.
//!
//! `take` counts what it asks for by `next`, by `try_fold` what it gets. `enumerate` counts what `nth` leaves out only
//! if there is an item behind that. Where a stage may be asked in several ways that differ so, the order of the stages
//! is refused, always by the same words ([`Lower::refuse_order`]).

use std::rc::Rc;

use super::closure::FunctionValue;
use super::item_rule::Counted;
use super::sequence::Sequence;
use super::state::{Lower, OrNoValue};
use super::value::RustPlace;
use super::{SequenceMethod, SequenceSource};
use tilewise_ir::kernel::ValueId;
use tilewise_ir::pos::Pos;

/// A step that each item goes through in the loop's body.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    Map(Rc<FunctionValue>),
    Copied,
    Filter(Rc<FunctionValue>),
    FilterMap(Rc<FunctionValue>),
    /// `flat_map` with an `Option`.
    FlatOption(Rc<FunctionValue>),
    TakeWhile(Rc<FunctionValue>),
    SkipWhile(Rc<FunctionValue>),
    MapWhile(Rc<FunctionValue>),
    /// `scan`, with the variable that its function changes.
    Scan(Rc<FunctionValue>, RustPlace),
    Inspect(Rc<FunctionValue>),
    Enumerate,
    Skip(ValueId),
    Take(ValueId),
    StepBy(ValueId),
    Zip(Counted),
    /// `flat_map`, or without a function `flatten`: a loop of its own over what an item stands for.
    Flat(Option<Rc<FunctionValue>>, SequenceSource),
}

/// The ways in which a stage may be asked for an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AskedWays(u8);

impl AskedWays {
    /// `next`
    pub(super) const NEXT: AskedWays = AskedWays(1);
    /// `try_fold`
    pub(super) const FOLD: AskedWays = AskedWays(2);
    /// `nth`
    pub(super) const NTH: AskedWays = AskedWays(4);
    const NEXT_OR_FOLD: AskedWays = AskedWays(1 | 2);
    const NEXT_OR_NTH: AskedWays = AskedWays(1 | 4);
    const FOLD_OR_NTH: AskedWays = AskedWays(2 | 4);
    const ANY: AskedWays = AskedWays(1 | 2 | 4);
    const NONE: AskedWays = AskedWays(0);

    /// Of three values for the three ways, those that may be.
    fn of<T: Copy>(self, each: [T; 3]) -> impl Iterator<Item = T> {
        each.into_iter().enumerate().filter(move |(way, _)| self.0 & (1 << way) != 0).map(|(_, value)| value)
    }

    /// How a stage asks the one before it, as it does in each way in which it is asked itself.
    fn behind(self, asks: [AskedWays; 3]) -> AskedWays {
        self.of(asks).fold(AskedWays::NONE, |all, way| AskedWays(all.0 | way.0))
    }

    /// How a method asks the iterator that it is called on.
    pub(super) const fn of_method(method: SequenceMethod) -> AskedWays {
        match method {
            SequenceMethod::Next => AskedWays::NEXT,
            SequenceMethod::Nth => AskedWays::NTH,
            // On the host, the library's own is a loop.
            SequenceMethod::TryFold => AskedWays::NEXT_OR_FOLD,
            SequenceMethod::Len | SequenceMethod::Contains | SequenceMethod::IsEmpty => AskedWays::NONE,
            _ => AskedWays::FOLD,
        }
    }
}

/// What a stage of an iterator with a name has done when it asked for an item and there was none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AskedInVain {
    /// Nothing.
    Nothing,
    /// It skips no more.
    SkipsNoMore,
    /// It leaves out a whole step next.
    StepsNext,
    /// It counts one.
    CountsOne,
    /// It has ended.
    Ends,
    /// It asks once more, and may get an item.
    GoesOn,
    /// How much it counts depends on Rust's library.
    Unknown,
}

/// What a stage does.
struct StageRow {
    /// Its method.
    name: &'static str,
    /// May it give an item behind a `None`, though the iterator before it has not ended?
    resumes: bool,
    /// How it asks the stage before it for an item, when it is asked itself by `next`, `try_fold` and `nth`.
    asks: [AskedWays; 3],
    /// What it has done when there was none, likewise.
    in_vain: [AskedInVain; 3],
    /// Has it a counter, or a flag?
    has_state: bool,
    /// Does each item in front of it have one behind it?
    keeps_the_count: bool,
    /// Does it treat each item by itself, so that the order of the items does not matter to it?
    is_of_one_item: bool,
    /// Has Rust's library its items by their numbers, if it has those before it?
    is_numbered: bool,
}

/// A stage that hands on how it is asked, and has nothing to count.
const PLAIN: StageRow = StageRow {
    name: "",
    resumes: false,
    // `nth` is made of `try_fold` and a `next`.
    asks: [AskedWays::NEXT, AskedWays::FOLD, AskedWays::NEXT_OR_FOLD],
    in_vain: [AskedInVain::Nothing; 3],
    has_state: false,
    keeps_the_count: false,
    is_of_one_item: false,
    is_numbered: false,
};

/// How a stage asks that hands `nth` on, too.
const HANDED_ON: [AskedWays; 3] = [AskedWays::NEXT, AskedWays::FOLD, AskedWays::NTH];

/// How what `by_ref` lends is asked: on the host, the library's own asks by `next` where Rust's calls `try_fold`.
const LENT: [AskedWays; 3] = [AskedWays::NEXT, AskedWays::NEXT_OR_FOLD, AskedWays::NTH];

impl Stage {
    const fn row(&self) -> StageRow {
        use AskedInVain as Vain;
        const COUNTED: StageRow = StageRow { has_state: true, ..PLAIN };
        match self {
            Stage::Map(_) => {
                StageRow { name: "map", keeps_the_count: true, is_of_one_item: true, is_numbered: true, ..PLAIN }
            }
            Stage::Inspect(_) => StageRow { name: "inspect", keeps_the_count: true, is_of_one_item: true, ..PLAIN },
            // `cloned` does not hand `nth` on, `copied` does.
            Stage::Copied => StageRow {
                name: "copied",
                asks: [AskedWays::NEXT, AskedWays::FOLD, AskedWays::ANY],
                keeps_the_count: true,
                is_of_one_item: true,
                is_numbered: true,
                ..PLAIN
            },
            Stage::Filter(_) => StageRow { name: "filter", asks: [AskedWays::FOLD; 3], is_of_one_item: true, ..PLAIN },
            Stage::FilterMap(_) => {
                StageRow { name: "filter_map", asks: [AskedWays::FOLD; 3], is_of_one_item: true, ..PLAIN }
            }
            Stage::FlatOption(_) => {
                StageRow { name: "flat_map", in_vain: [Vain::Ends; 3], is_of_one_item: true, ..PLAIN }
            }
            Stage::TakeWhile(_) => StageRow { name: "take_while", ..PLAIN },
            // Up to its first item it calls `find`.
            Stage::SkipWhile(_) => StageRow {
                name: "skip_while",
                asks: [AskedWays::NEXT_OR_FOLD, AskedWays::FOLD, AskedWays::NEXT_OR_FOLD],
                ..COUNTED
            },
            Stage::MapWhile(_) => StageRow { name: "map_while", resumes: true, ..PLAIN },
            Stage::Scan(..) => StageRow { name: "scan", resumes: true, ..PLAIN },
            Stage::Enumerate => StageRow {
                name: "enumerate",
                asks: HANDED_ON,
                in_vain: [Vain::Nothing, Vain::Nothing, Vain::Unknown],
                keeps_the_count: true,
                is_numbered: true,
                ..COUNTED
            },
            Stage::Skip(_) => StageRow {
                name: "skip",
                asks: [AskedWays::NEXT_OR_NTH, AskedWays::FOLD_OR_NTH, AskedWays::NTH],
                in_vain: [Vain::SkipsNoMore; 3],
                is_numbered: true,
                ..COUNTED
            },
            Stage::Take(_) => StageRow {
                name: "take",
                asks: HANDED_ON,
                in_vain: [Vain::CountsOne, Vain::Nothing, Vain::Unknown],
                is_numbered: true,
                ..COUNTED
            },
            Stage::StepBy(_) => StageRow {
                name: "step_by",
                asks: [AskedWays::NTH, AskedWays::NEXT_OR_NTH, AskedWays::NEXT_OR_NTH],
                in_vain: [Vain::StepsNext, Vain::StepsNext, Vain::GoesOn],
                ..COUNTED
            },
            Stage::Zip(_) => StageRow { name: "zip", asks: [AskedWays::NEXT; 3], is_numbered: true, ..COUNTED },
            Stage::Flat(Some(_), _) => StageRow { name: "flat_map", ..PLAIN },
            Stage::Flat(None, _) => StageRow { name: "flatten", ..PLAIN },
        }
    }

    /// The method that makes it.
    pub(super) const fn name(&self) -> &'static str {
        self.row().name
    }

    /// Does it count, or has it seen an item that ended something?
    pub(super) const fn has_state(&self) -> bool {
        self.row().has_state
    }

    /// Does each item in front of it have one behind it?
    pub(super) const fn keeps_the_count(&self) -> bool {
        self.row().keeps_the_count
    }

    /// Does it treat each item by itself, so that the order of the items does not matter to it?
    pub(super) const fn is_of_one_item(&self) -> bool {
        self.row().is_of_one_item
    }

    /// Has Rust's library its items by their numbers, if it has those before it?
    pub(super) const fn is_numbered(&self) -> bool {
        self.row().is_numbered
    }

    /// The closure that it calls for each item.
    pub(super) const fn function(&self) -> Option<&Rc<FunctionValue>> {
        match self {
            Stage::Map(function)
            | Stage::Filter(function)
            | Stage::FilterMap(function)
            | Stage::FlatOption(function)
            | Stage::TakeWhile(function)
            | Stage::SkipWhile(function)
            | Stage::MapWhile(function)
            | Stage::Scan(function, _)
            | Stage::Inspect(function)
            | Stage::Flat(Some(function), _) => Some(function),
            Stage::Copied
            | Stage::Enumerate
            | Stage::Skip(_)
            | Stage::Take(_)
            | Stage::StepBy(_)
            | Stage::Zip(_)
            | Stage::Flat(None, _) => None,
        }
    }

    /// The same stage with another closure.
    pub(super) fn with_function(&self, function: Rc<FunctionValue>) -> Stage {
        match self {
            Stage::Map(_) => Stage::Map(function),
            Stage::Filter(_) => Stage::Filter(function),
            Stage::FilterMap(_) => Stage::FilterMap(function),
            Stage::FlatOption(_) => Stage::FlatOption(function),
            Stage::TakeWhile(_) => Stage::TakeWhile(function),
            Stage::SkipWhile(_) => Stage::SkipWhile(function),
            Stage::MapWhile(_) => Stage::MapWhile(function),
            Stage::Scan(_, state) => Stage::Scan(function, state.clone()),
            Stage::Inspect(_) => Stage::Inspect(function),
            Stage::Flat(Some(_), source) => Stage::Flat(Some(function), *source),
            Stage::Copied
            | Stage::Enumerate
            | Stage::Skip(_)
            | Stage::Take(_)
            | Stage::StepBy(_)
            | Stage::Zip(_)
            | Stage::Flat(None, _) => self.clone(),
        }
    }

    /// May it give an item behind a `None`?
    pub(super) const fn resumes(&self) -> bool {
        self.row().resumes
    }

    /// What it has done when it was asked in one of these ways, and there was no item.
    pub(super) fn in_vain(&self, asked: AskedWays) -> AskedInVain {
        let mut all = asked.of(self.row().in_vain);
        let first = all.next().unwrap_or(AskedInVain::Nothing);
        all.fold(first, |known, other| match (known, other) {
            (AskedInVain::GoesOn, _) | (_, AskedInVain::GoesOn) => AskedInVain::GoesOn,
            _ if known == other => known,
            _ => AskedInVain::Unknown,
        })
    }
}

impl SequenceMethod {
    /// Its name, for messages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            SequenceMethod::Itself
            | SequenceMethod::PartFrom
            | SequenceMethod::PartTo
            | SequenceMethod::PartBetween => "iter",
            SequenceMethod::ByRef => "by_ref",
            SequenceMethod::Clone => "clone",
            SequenceMethod::Rev => "rev",
            SequenceMethod::Skip => "skip",
            SequenceMethod::Take => "take",
            SequenceMethod::StepBy => "step_by",
            SequenceMethod::Windows => "windows",
            SequenceMethod::Chunks(false) => "chunks",
            SequenceMethod::Chunks(true) => "chunks_exact",
            SequenceMethod::Enumerate => "enumerate",
            SequenceMethod::Copied => "copied",
            SequenceMethod::Map => "map",
            SequenceMethod::Filter => "filter",
            SequenceMethod::FilterMap => "filter_map",
            SequenceMethod::TakeWhile => "take_while",
            SequenceMethod::SkipWhile => "skip_while",
            SequenceMethod::MapWhile => "map_while",
            SequenceMethod::Inspect => "inspect",
            SequenceMethod::Chain => "chain",
            SequenceMethod::Zip => "zip",
            SequenceMethod::Scan => "scan",
            SequenceMethod::Cycle => "cycle",
            SequenceMethod::FlatMap => "flat_map",
            SequenceMethod::Flatten => "flatten",
            SequenceMethod::Peekable => "peekable",
            SequenceMethod::Peek => "peek",
            SequenceMethod::NextIf => "next_if",
            SequenceMethod::NextIfEq => "next_if_eq",
            SequenceMethod::Next => "next",
            SequenceMethod::ForEach => "for_each",
            SequenceMethod::Count => "count",
            SequenceMethod::Len => "len",
            SequenceMethod::Sum => "sum",
            SequenceMethod::Product => "product",
            SequenceMethod::Fold => "fold",
            SequenceMethod::Reduce => "reduce",
            SequenceMethod::Min => "min",
            SequenceMethod::Max => "max",
            SequenceMethod::MinByKey => "min_by_key",
            SequenceMethod::MaxByKey => "max_by_key",
            SequenceMethod::MinBy => "min_by",
            SequenceMethod::MaxBy => "max_by",
            SequenceMethod::Any => "any",
            SequenceMethod::All => "all",
            SequenceMethod::Position => "position",
            SequenceMethod::Find => "find",
            SequenceMethod::FindMap => "find_map",
            SequenceMethod::Last => "last",
            SequenceMethod::Nth => "nth",
            SequenceMethod::IsSorted => "is_sorted",
            SequenceMethod::Contains => "contains",
            SequenceMethod::IsEmpty => "is_empty",
            SequenceMethod::TryFold => "try_fold",
            SequenceMethod::RFind => "rfind",
            SequenceMethod::RFold => "rfold",
            SequenceMethod::RPosition => "rposition",
        }
    }
}

/// An order of stages that has no kernel form.
pub(super) struct RefusedOrder<'t> {
    /// What cannot stand there: "`zip`".
    pub(super) what: &'t str,
    /// Where: "behind `filter`".
    pub(super) place: &'t str,
    pub(super) why: &'t str,
    pub(super) instead: &'t str,
}

impl Sequence {
    /// How each of its stages is asked for an item.
    pub(super) fn ways(&self) -> Vec<AskedWays> {
        let (mut asked, mut ways) = (self.asked, Vec::new());
        for (i, stage) in self.stages.iter().enumerate().rev() {
            if self.lent_at.contains(&(i + 1)) {
                asked = asked.behind(LENT);
            }
            ways.push(asked);
            asked = asked.behind(stage.row().asks);
        }
        ways.reverse();
        ways
    }
}

impl Lower {
    /// Which of the stages of an iterator have a closure that does more than to give a value?
    pub(super) fn acting_stages(&mut self, sequence: &Sequence) -> Vec<bool> {
        let acts = |stage: &Stage| stage.function().is_some_and(|function| self.may_act(function));
        sequence.stages.iter().map(acts).collect()
    }

    /// K0704 for an order of stages: what stands where, why it cannot, and what to write.
    pub(super) fn refuse_order<T>(&mut self, order: &RefusedOrder<'_>, pos: Pos) -> OrNoValue<T> {
        let RefusedOrder { what, place, why, instead } = order;
        self.formless(format!("{what} cannot stand {place} in a kernel"), why, instead, pos)
    }

    /// Refuses to ask an iterator whose stages have then done what depends on Rust's library.
    pub(super) fn can_be_asked(&mut self, sequence: &Sequence, method: &str, pos: Pos) -> OrNoValue<()> {
        let Some(resuming) = sequence.stages.iter().find(|stage| stage.resumes()) else { return Ok(()) };
        let first = sequence.stages.iter().position(Stage::resumes).unwrap_or(0);
        let (ways, named) = (sequence.ways(), sequence.named_stages());
        for (i, stage) in sequence.stages.iter().enumerate().skip(first + 1) {
            let why = match stage.in_vain(ways[i]) {
                AskedInVain::GoesOn => {
                    format!("Rust's `{}` goes on behind a `None` there, and a loop does not", stage.name())
                }
                // What has no name is not asked again.
                AskedInVain::Unknown if i < named => {
                    format!("how much `{}` counts when there is none depends on Rust's library", stage.name())
                }
                _ => continue,
            };
            // What asks it so.
            let hands_on = |stage: &&Stage| stage.row().asks == PLAIN.asks || stage.row().asks == HANDED_ON;
            let asker = sequence.stages[i + 1..].iter().find(|stage| !hands_on(stage)).map(Stage::name);
            let place = format!("behind `{}` behind `{}`", stage.name(), resuming.name());
            let instead = match asker {
                Some(asker) => {
                    format!("write `{asker}` before `{}`, or both before `{}`", stage.name(), resuming.name())
                }
                None => format!("write `{}` before `{}`, or ask by `next`", stage.name(), resuming.name()),
            };
            let asker = asker.unwrap_or(method);
            let order = RefusedOrder { what: &format!("`{asker}`"), place: &place, why: &why, instead: &instead };
            return self.refuse_order(&order, pos);
        }
        Ok(())
    }
}
