//! Functions: parameters and results, bodies, and calls.

use tilewise_ir::kernel::{CallArgument, FnParam, FnParamKind, FunctionId, Init, InstKind, Place, Root, ValueId};
use tilewise_ir::pos::Pos;
use tilewise_ir::text;
use tilewise_ir::types::{Access, Data, Scalar, Stored, ValueType};

use super::plan::Planned;
use super::{CallableFunction, Flow, FunctionInput, KernelMaker, MemoryRole, PlaceBase, RemainingBudget, UsableMemory};

impl KernelMaker {
    /// Makes a few functions, each of which may call those before it.
    pub(super) fn make_functions(&mut self, planned: &[Planned]) {
        for _ in 0..self.rng.range(0, 3) {
            let budget = self.rng.range(4, (self.budget.left / 2).max(5));
            self.make_function(planned, budget);
        }
    }

    /// Links some functions of the library, to be called like others.
    pub(super) fn take_in_library(&mut self) {
        for _ in 0..self.rng.range(1, 2) {
            // `precise_math` has by far the most functions, and the longest.
            let library =
                self.rng.one(["fast_math", "fast_math", "fast_math", "fast_math", "precise_math", "direct3d"]);
            let is_of = |path: &&str| path.split_once("::").is_some_and(|(name, _)| name == library);
            let offered: Vec<&str> = text::library::functions().filter(is_of).collect();
            let Some(id) = self.rng.pick(&offered).and_then(|path| text::link(&mut self.b, path)) else { continue };
            let function = &self.b.so_far().functions()[id.index()];
            let taken = |param: &FnParam| match param.kind {
                FnParamKind::Value(ValueType::Data(data)) => Some(FunctionInput::Data(data)),
                FnParamKind::Value(ValueType::View(view)) => {
                    Some(FunctionInput::View(view, view.access == Access::ReadWrite))
                }
                FnParamKind::Value(ValueType::Invalid) => None,
                FnParamKind::Ref { ty, access } => Some(FunctionInput::Ref(ty, access == Access::ReadWrite)),
            };
            let params: Option<Vec<FunctionInput>> = function.params().iter().map(taken).collect();
            let result = function.result().and_then(ValueType::data);
            let Some(params) = params else { continue };
            self.pool.uncalled += 1;
            self.pool.functions.push(CallableFunction {
                id,
                params,
                result,
                level: false,
                rounds: 1,
                cost: if library == "precise_math" { 200 } else { 40 },
                called: false,
            });
        }
    }

    /// Makes a function of about `budget` instructions.
    fn make_function(&mut self, planned: &[Planned], budget: i64) {
        let level = self.features.barriers && self.rng.percent(25);
        let params = self.draw_params(planned);
        let result = self.rng.percent(70).then(|| {
            let scalar = Scalar::ALL[self.rng.below(Scalar::ALL.len())];
            Data { scalar, width: self.rng.one([1, 1, 1, 2, 4]) }
        });
        let id = self.declare_function(&params, result);

        let outer = std::mem::replace(&mut self.flow, Flow::start(level, result, true, !level));
        let outer_budget = std::mem::replace(&mut self.budget, RemainingBudget { left: budget, most_rounds: 4 });
        self.b.begin(id);
        self.enter();
        self.begin_sum();
        for (i, &taken) in (0..).zip(&params) {
            self.take_up_param(i, taken);
        }
        self.statements();
        self.gather();
        if let Some(data) = result {
            let value = self.returned(data);
            self.emit(InstKind::Return(Some(value)));
        }
        self.leave();
        self.b.end();
        let cost = budget.max(1) as u32;
        self.budget = RemainingBudget { left: outer_budget.left - budget, ..outer_budget };
        self.flow = outer;
        self.pool.uncalled += 1;
        self.pool.functions.push(CallableFunction { id, params, result, level, rounds: 4, cost, called: false });
    }

    /// Draws the parameters of a function. Its views are of types that planned views have.
    fn draw_params(&mut self, planned: &[Planned]) -> Vec<FunctionInput> {
        let mut params = Vec::new();
        for _ in 0..self.rng.range(0, 4) {
            let scalar = Scalar::ALL[self.rng.below(Scalar::ALL.len())];
            let data = Data { scalar, width: self.rng.one([1, 1, 1, 2, 3, 4]) };
            params.push(match self.rng.below(4) {
                0 => {
                    let ty = self.memory_type(2, true);
                    FunctionInput::Ref(ty, self.rng.percent(60))
                }
                1 => {
                    let views: Vec<_> = planned.iter().filter_map(Planned::for_function).collect();
                    match self.rng.pick(&views) {
                        Some(&(view, write)) => FunctionInput::View(view, write),
                        None => FunctionInput::Data(data),
                    }
                }
                _ => FunctionInput::Data(data),
            });
        }
        params
    }

    /// Declares a function with these parameters.
    fn declare_function(&mut self, params: &[FunctionInput], result: Option<Data>) -> FunctionId {
        let declared = params
            .iter()
            .map(|taken| {
                let kind = match *taken {
                    FunctionInput::Data(data) => FnParamKind::Value(ValueType::Data(data)),
                    FunctionInput::View(view, _) => FnParamKind::Value(ValueType::View(view)),
                    FunctionInput::Ref(ty, write) => {
                        FnParamKind::Ref { ty, access: if write { Access::ReadWrite } else { Access::Read } }
                    }
                };
                FnParam { name: self.name().into(), kind, pos: Pos::NONE }
            })
            .collect();
        self.counters.names += 1;
        let number = self.counters.names;
        let name = if self.rng.percent(20) { format!("lib::f{number}") } else { format!("f{number}") };
        self.b.declare(&name, declared, result.map(ValueType::Data), Pos::NONE)
    }

    /// Adds a parameter to what the function's body may use.
    fn take_up_param(&mut self, i: u32, taken: FunctionInput) {
        match taken {
            FunctionInput::Data(_) => {
                let value = self.b.param_value(i);
                self.know(value, false);
            }
            FunctionInput::View(view, write) => {
                let value = self.b.param_value(i);
                let bits = !write || self.is_integral(view.element);
                self.hold(UsableMemory {
                    base: PlaceBase::View(value, view),
                    ty: view.element,
                    role: MemoryRole::Free { write },
                    stable: false,
                    align: 1,
                    begin: 1,
                    bits,
                });
            }
            FunctionInput::Ref(ty, write) => self.hold(UsableMemory {
                base: PlaceBase::Ref(i),
                ty,
                role: MemoryRole::Free { write },
                stable: false,
                align: 1,
                begin: 1,
                bits: false,
            }),
        }
    }

    /// The value that a function returns: the gathered results, if its type allows it.
    fn returned(&mut self, data: Data) -> ValueId {
        match (self.thread.sum, data.scalar, data.width) {
            (Some(sum), scalar, 1) if scalar.is_integer() => {
                let sum = self.value_of(InstKind::Load(Place { root: Root::Local(sum), path: Vec::new() }));
                self.op(KernelMaker::conversion(scalar), &[sum])
            }
            _ => self.value(data, false),
        }
    }

    /// Declares the local that gathers results.
    pub(super) fn begin_sum(&mut self) {
        let ty = self.b.types().scalar(Stored::U32);
        let name = self.name();
        let local = self.b.local(&name, ty);
        self.emit(InstKind::Declare { local, init: Init::Zero });
        self.thread.sum = Some(local);
    }

    /// Calls a function, if there is one whose view parameters can be supplied here.
    pub(super) fn call_statement(&mut self) {
        let fit: Vec<CallableFunction> = self
            .pool
            .functions
            .iter()
            .filter(|function| self.flow.level || !function.level)
            .filter(|function| self.flow.rounds * function.rounds <= 24 || self.flow.rounds == 1)
            .cloned()
            .collect();
        let uncalled = fit.iter().find(|function| !function.called).filter(|_| self.rng.percent(70)).cloned();
        let Some(function) = uncalled.or_else(|| self.rng.pick(&fit).cloned()) else { return };
        let mut args = Vec::new();
        for &taken in &function.params {
            args.push(match taken {
                FunctionInput::Data(data) => CallArgument::Value(self.value(data, false)),
                FunctionInput::View(view, write) => {
                    let held = self.any_held(&|_, held| match (&held.role, held.base) {
                        (MemoryRole::Free { write: may }, PlaceBase::View(_, ty)) => ty == view && *may == write,
                        (MemoryRole::Own(_), PlaceBase::View(_, ty)) => ty == view && write,
                        _ => false,
                    });
                    let Some(UsableMemory { base: PlaceBase::View(value, ty), role, .. }) = held else { return };
                    match role {
                        MemoryRole::Own(owned) => match self.own_view(value, ty, &owned) {
                            Some((part, _)) => CallArgument::Value(part),
                            None => return,
                        },
                        _ => CallArgument::Value(value),
                    }
                }
                FunctionInput::Ref(ty, write) => {
                    let held = self.any_held(&|maker, held| {
                        maker.allows(held, write)
                            && maker.element_of(held) == ty
                            && !matches!(held.role, MemoryRole::Phase(_))
                    });
                    let held = match held {
                        Some(held) if self.rng.percent(80) => held,
                        _ => self.local_of(ty),
                    };
                    CallArgument::Place(self.top(&held, write, false).place)
                }
            });
        }
        if let Some(known) = self.pool.functions.iter_mut().find(|known| known.id == function.id)
            && !std::mem::replace(&mut known.called, true)
        {
            self.pool.uncalled -= 1;
        }
        if let Some(value) = self.emit(InstKind::Call { function: function.id, args }) {
            self.know(value, false);
        }
        // A part of its cost counts for the caller: a body that is inlined many times is long too.
        self.budget.left -= i64::from(function.cost / 4);
        debug_assert!(function.result.is_none() || function.cost > 0);
    }
}
