//! A function in a kernel, run by the interpreter over rows of arguments.

use tilewise_interp as interp;
use tilewise_ir::build::Builder;
use tilewise_ir::check::check;
use tilewise_ir::kernel::{self, CallArgument, InstKind, ParamKind, Place, Root, ValueId};
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::text;
use tilewise_ir::types::{Access, Data, Stored, ValueType, ViewType};

use super::Tested;
use crate::kernel::macro_support::RustBuiltin;

/// Emits a call; returns its results.
fn emit(b: &mut Builder, form: &RustBuiltin, args: &[ValueId]) -> Vec<ValueId> {
    match form {
        RustBuiltin::Op(op) => vec![b.op(*op, args, Pos::NONE)],
        RustBuiltin::Library(path) => {
            let function = text::link(b, path).unwrap_or_else(|| panic!("there is no {path}"));
            let args = args.iter().map(|&arg| CallArgument::Value(arg)).collect();
            vec![b.value(InstKind::Call { function, args }, Pos::NONE)]
        }
        RustBuiltin::Tuple(of) => of.iter().flat_map(|form| emit(b, form, args)).collect(),
        RustBuiltin::Components(of) => {
            let vector = emit(b, of, args)[0];
            let ValueType::Data(data) = b.value_type(vector) else { panic!("no vector") };
            (0..data.width)
                .map(|i| b.value(InstKind::Swizzle { value: vector, components: vec![i] }, Pos::NONE))
                .collect()
        }
        form => panic!("no function of numbers: {form:?}"),
    }
}

/// The results for each row, as bits.
pub(super) fn in_kernel(function: &Tested, rows: &[[u64; 3]]) -> Vec<Vec<u64>> {
    let [arguments, results] = &function.columns;
    let mut b = Builder::new("probe", 1, None);
    let mut view = |stored: Stored, access: Access| {
        let element = b.types().scalar(stored);
        b.param("v", ParamKind::View(ViewType { element, rank: 1, access }), Pos::NONE).index() as u32
    };
    let inputs: Vec<_> = arguments.iter().map(|&stored| view(stored, Access::Read)).collect();
    let outputs: Vec<_> = results.iter().map(|&stored| view(stored, Access::ReadWrite)).collect();
    b.begin_entry();
    let index = b.value(InstKind::Builtin(kernel::Builtin::Global(0)), Pos::NONE);
    let at = |b: &mut Builder, param| Place {
        root: Root::View { view: b.param_value(param), index: vec![index] },
        path: vec![],
    };
    let mut args = Vec::new();
    for input in inputs {
        let place = at(&mut b, input);
        args.push(b.load(place, Pos::NONE));
    }
    let values = emit(&mut b, &function.form, &args);
    assert_eq!(values.len(), outputs.len(), "results of `{}`", function.name);
    for (output, mut value) in outputs.into_iter().zip(values) {
        if b.value_type(value) == ValueType::Data(Data::BOOL) {
            value = b.op(Op::ToU32, &[value], Pos::NONE);
        }
        let place = at(&mut b, output);
        b.emit(InstKind::Store { place, value }, Pos::NONE);
    }
    let kernel = check(b.finish()).unwrap_or_else(|_| panic!("`{}` does not pass the checker", function.name));

    let size = |stored: Stored| stored.size() as usize;
    let column = |(i, &stored): (usize, &Stored)| {
        rows.iter().flat_map(move |row| row[i].to_le_bytes().into_iter().take(size(stored))).collect::<Vec<u8>>()
    };
    let mut allocations: Vec<_> = arguments.iter().enumerate().map(column).collect();
    allocations.extend(results.iter().map(|&stored| vec![0; size(stored) * rows.len()]));
    let extent = [rows.len() as i32];
    let bound: Vec<_> = (0..allocations.len()).map(|i| Argument::View(ViewArgument::dense(i, &extent))).collect();
    let mut memory = LaunchMemory::new(allocations);
    let options = interp::Options { fuel: None, ..interp::Options::default() };
    let outcome = interp::run(&kernel, &Domain::new(extent), &mut memory, &bound, &options);
    assert!(outcome.is_ok(), "`{}` does not run", function.name);
    let read = |row: usize, (i, &stored): (usize, &Stored)| {
        let mut bytes = [0; 8];
        let from = &memory.allocations[arguments.len() + i][row * size(stored)..][..size(stored)];
        bytes[..size(stored)].copy_from_slice(from);
        u64::from_le_bytes(bytes)
    };
    (0..rows.len()).map(|row| results.iter().enumerate().map(|result| read(row, result)).collect()).collect()
}
