//! Every function of the math libraries on a target, bit for bit against the reference.
//!
//! Each function becomes a kernel over special and random arguments; NaNs may have any bits. Targets
//! that may reorder float operations ([`SuiteTarget::is_relaxed`]) have other bits by right.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use tilewise_ir::build::Builder;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::{FnParamKind, Kernel};
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, ViewArgument};
use tilewise_ir::text::{self, library};
use tilewise_ir::types::{Data, Scalar, ValueType};

use super::arguments::{mixed, special_numbers};
use crate::target::{Limit, SuiteTarget, TargetLaunch};

/// Arguments of a function: special ones, then random ones.
const ROWS: usize = 512;

const LIMIT: Limit = Limit { fuel: u64::MAX, time: Duration::from_secs(300) };

/// The results of the reference by function: they are the same for every target.
static REFERENCE: Mutex<Option<HashMap<&'static str, Vec<u8>>>> = Mutex::new(None);

/// The paths of the functions that [`differing_rows`] compares: all of the three libraries.
pub fn library_functions() -> Vec<&'static str> {
    library::functions().collect()
}

/// Runs a function on a target; the rows in which its bits are not the reference's, the first as
/// text. The error is the reason why the target did not run it.
pub fn differing_rows(path: &'static str, target: SuiteTarget) -> Result<(usize, Option<String>), String> {
    let compared = ComparedFunction::new(path)?;
    let known = REFERENCE.lock().ok().and_then(|known| known.as_ref()?.get(path).cloned());
    let expected = match known {
        Some(expected) => expected,
        None => {
            let expected = compared.run(SuiteTarget::Reference)?;
            if let Ok(mut known) = REFERENCE.lock() {
                known.get_or_insert_default().insert(path, expected.clone());
            }
            expected
        }
    };
    let found = compared.run(target)?;
    let size = compared.result.scalar.stored().size() as usize;
    let components = expected.chunks_exact(size).zip(found.chunks_exact(size)).enumerate();
    let mut wrong = components.filter(|(_, (expected, found))| {
        let is_nan = |bytes: &[u8]| match bytes.len() {
            4 => f32::from_le_bytes(bytes.try_into().unwrap_or_default()).is_nan(),
            _ => f64::from_le_bytes(bytes.try_into().unwrap_or_default()).is_nan(),
        };
        let float = matches!(compared.result.scalar, Scalar::F32 | Scalar::F64);
        expected != found && !(float && is_nan(expected) && is_nan(found))
    });
    let first = wrong.next().map(|(component, (expected, found))| {
        let row = component / usize::from(compared.result.width);
        let hex = |bytes: &[u8]| bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
        let arguments: Vec<String> = (0..compared.params.len()).map(|i| hex(compared.argument(row, i))).collect();
        format!("{path}({}) is {}, not {}", arguments.join(", "), hex(found), hex(expected))
    });
    Ok((first.iter().count() + wrong.count(), first))
}

/// A function as a kernel, with its arguments.
struct ComparedFunction {
    path: &'static str,
    kernel: Checked<Kernel>,
    params: Vec<Data>,
    result: Data,
    columns: Vec<Vec<u8>>,
}

impl ComparedFunction {
    fn new(path: &'static str) -> Result<ComparedFunction, String> {
        let (params, result) = signature(path).ok_or_else(|| format!("`{path}` takes or gives other than numbers"))?;
        let view = |(i, data): (usize, &Data)| format!("x{i}: view<{data}, 1, read>, ");
        let views: String = params.iter().enumerate().map(view).collect();
        let call: Vec<String> = (0..params.len()).map(|i| format!("x{i}[global[0]]")).collect();
        let call = call.join(", ");
        let text = format!(
            "kernel bits({views}out: view<{result}, 1, read_write>) rank(1) {{ out[global[0]] = {path}({call}); }}"
        );
        let kernel = text::parse("bits.kir", &text).map_err(|failure| failure.to_string())?;
        let kernel = check(kernel).map_err(|rejected| rejected.to_string())?;
        let columns = params.iter().enumerate().map(|(i, data)| column(data.scalar, i as u32)).collect();
        Ok(ComparedFunction { path, kernel, params, result, columns })
    }

    /// The bytes of an argument of a row.
    fn argument(&self, row: usize, param: usize) -> &[u8] {
        let size = self.params[param].scalar.stored().size() as usize;
        self.columns[param].get(row * size..(row + 1) * size).unwrap_or_default()
    }

    /// The results as bytes.
    fn run(&self, target: SuiteTarget) -> Result<Vec<u8>, String> {
        let mut allocations = self.columns.clone();
        allocations.push(vec![0; ROWS * self.result.scalar.stored().size() as usize * usize::from(self.result.width)]);
        let extent = [ROWS as i32];
        let arguments: Vec<_> =
            (0..allocations.len()).map(|i| Argument::View(ViewArgument::dense(i, &extent))).collect();
        let mut memory = LaunchMemory::new(allocations);
        let domain = Domain::new(extent);
        let launch = TargetLaunch::new(&self.kernel, &domain, &arguments, LIMIT);
        let outcome = target.launch(&launch, &mut memory).map_err(|refusal| refusal.to_string())?;
        match outcome.ending {
            Ending::Completed => Ok(memory.allocations.pop().unwrap_or_default()),
            _ => Err(format!("`{}` did not complete on {}", self.path, target.name())),
        }
    }
}

/// The types of the parameters and of the result, if all are numbers.
fn signature(path: &str) -> Option<(Vec<Data>, Data)> {
    let mut b = Builder::new("signature", 1, None);
    let function = library::link(&mut b, path)?;
    let function = &b.so_far().functions()[function.index()];
    let of = |ty: ValueType| ty.data().filter(|data| data.scalar != Scalar::Bool);
    let params = function.params().iter().map(|param| match param.kind {
        FnParamKind::Value(ty) => of(ty).filter(|data| data.width == 1),
        _ => None,
    });
    Some((params.collect::<Option<_>>()?, of(function.result()?)?))
}

/// The arguments of a parameter: the special numbers in an order of its own, then random ones, half
/// of them near 1 and half any bits.
fn column(scalar: Scalar, param: u32) -> Vec<u8> {
    let special = special_numbers();
    let one = |row: usize| {
        let bits = mixed((row as u64) << 2 | u64::from(param));
        // Beside each special number of the first parameter stand others of the next.
        let of_special = special[(row + param as usize * (row / special.len() + 1)) % special.len()];
        let near = (bits >> 11) as f64 / (1_u64 << 50) as f64 - 4.0;
        let number = if row < ROWS / 2 { of_special } else { near };
        let any = row % 2 == 1 && row >= ROWS / 2;
        match scalar {
            Scalar::F32 if any => (bits as u32).to_le_bytes().to_vec(),
            Scalar::F32 => (number as f32).to_le_bytes().to_vec(),
            Scalar::F64 if any => bits.to_le_bytes().to_vec(),
            Scalar::F64 => number.to_le_bytes().to_vec(),
            _ if any => bits.to_le_bytes()[..scalar.stored().size() as usize].to_vec(),
            _ => ((bits % 400) as i64 - 200).to_le_bytes()[..scalar.stored().size() as usize].to_vec(),
        }
    };
    (0..ROWS).flat_map(one).collect()
}
