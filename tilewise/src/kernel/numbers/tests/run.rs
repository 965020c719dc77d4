//! A method in a kernel, run by the interpreter over a list of arguments.

use tilewise_interp as interp;
use tilewise_ir::build::Builder;
use tilewise_ir::check::check;
use tilewise_ir::kernel::{Builtin, InstKind, ParamKind, Place, Root, ValueId};
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Access, Scalar, ViewType};
use tilewise_lower::methods::{self, Method};

/// The element type of a view in place of `scalar`: a `bool` is stored as a number.
fn stored(scalar: Scalar) -> Scalar {
    if scalar == Scalar::Bool { Scalar::U32 } else { scalar }
}

/// A view of one dimension, as a parameter.
fn view(b: &mut Builder, name: &str, scalar: Scalar, access: Access) -> u32 {
    let element = b.types().scalar(stored(scalar).stored());
    b.param(name, ParamKind::View(ViewType { element, rank: 1, access }), Pos::NONE).index() as u32
}

fn at(b: &mut Builder, param: u32, index: ValueId) -> Place {
    let view = b.param_value(param);
    Place { root: Root::View { view, index: vec![index] }, path: vec![] }
}

/// The results of the method on each row of arguments, all as bits.
pub(super) fn in_kernel(method: &Method, own: Scalar, rows: &[[u64; 3]]) -> Vec<Vec<u64>> {
    let scalars: Vec<_> = method.args.iter().map(|part| part.of(own)).collect();
    let results: Vec<_> = method.results.iter().map(|part| part.of(own)).collect();

    let mut b = Builder::new("probe", 1, None);
    let inputs: Vec<_> = scalars.iter().map(|&scalar| view(&mut b, "x", scalar, Access::Read)).collect();
    let outputs: Vec<_> = results.iter().map(|&scalar| view(&mut b, "out", scalar, Access::ReadWrite)).collect();
    b.begin_entry();
    let index = b.value(InstKind::Builtin(Builtin::Global(0)), Pos::NONE);
    let args: Vec<_> = inputs
        .iter()
        .map(|&input| {
            let place = at(&mut b, input, index);
            b.load(place, Pos::NONE)
        })
        .collect();
    let values = methods::emit(&mut b, method.name, &args, Pos::NONE).expect("the method fits its own arguments");
    for ((&output, &scalar), value) in outputs.iter().zip(&results).zip(values) {
        let place = at(&mut b, output, index);
        let value = if scalar == Scalar::Bool { b.op(Op::ToU32, &[value], Pos::NONE) } else { value };
        b.emit(InstKind::Store { place, value }, Pos::NONE);
    }
    let kernel = check(b.finish()).unwrap_or_else(|_| panic!("{own}::{} does not pass the checker", method.name));

    let size = |scalar: Scalar| stored(scalar).bits() as usize / 8;
    let mut allocations: Vec<Vec<u8>> = Vec::new();
    for (i, &scalar) in scalars.iter().enumerate() {
        allocations.push(rows.iter().flat_map(|row| row[i].to_le_bytes()[..size(scalar)].to_vec()).collect());
    }
    allocations.extend(results.iter().map(|&scalar| vec![0; size(scalar) * rows.len()]));
    let extent = [rows.len() as i32];
    let bound: Vec<_> = (0..allocations.len()).map(|i| Argument::View(ViewArgument::dense(i, &extent))).collect();
    let mut memory = LaunchMemory::new(allocations);
    let options = interp::Options { fuel: None, ..interp::Options::default() };
    let outcome = interp::run(&kernel, &Domain::new(extent), &mut memory, &bound, &options);
    assert!(outcome.is_ok(), "{own}::{} does not run", method.name);

    let read = |column: usize, scalar: Scalar, row: usize| {
        let size = size(scalar);
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&memory.allocations[scalars.len() + column][row * size..][..size]);
        u64::from_le_bytes(bytes)
    };
    (0..rows.len())
        .map(|row| results.iter().enumerate().map(|(column, &scalar)| read(column, scalar, row)).collect())
        .collect()
}
