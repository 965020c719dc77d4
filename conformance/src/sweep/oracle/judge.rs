//! The judge of a row: finds its oracle, asks it, compares and shows values.

use tilewise_ir::ops::{Lanes, OpRow, Oracle, SlotScalar, SlotWidth};
use tilewise_ir::types::{Data, Scalar};

use super::{bitloop, composed, integers, ordering, softfloat};

/// The result by one oracle on whole values; nothing if it does not judge the row at this scalar.
pub(crate) fn judge(oracle: Oracle, row: &OpRow, t: Scalar, args: [Lanes; 4], width: usize) -> Option<Lanes> {
    if !row.each {
        return match oracle {
            Oracle::I128 => integers::whole(row.op, t, args, width),
            Oracle::BitLoop => bitloop::whole(row.op, args, width),
            Oracle::SoftFloat => softfloat::whole(row.op, args),
            Oracle::Composed => composed::whole(row.op, t, args, width),
            Oracle::Ordering | Oracle::CoreMath => None,
        };
    }
    let mut out = [0; 4];
    for i in 0..width {
        let x = args.map(|arg| arg[i]);
        out[i] = match oracle {
            Oracle::I128 => integers::each(row.op, t, x),
            Oracle::BitLoop => bitloop::each(row.op, t, x),
            Oracle::SoftFloat => softfloat::each(row.op, t, x),
            Oracle::Composed => composed::each(row.op, t, x),
            Oracle::Ordering => ordering::each(row.op, t, x),
            Oracle::CoreMath => None,
        }?;
    }
    Some(out)
}

/// The scalars that `T` ranges over; for a row without `T` the component of its result.
pub(crate) fn scalars(row: &OpRow) -> Vec<Scalar> {
    match row.result.scalar {
        SlotScalar::Fixed(fixed) if row.class.is_empty() => vec![fixed],
        _ => row.class.to_vec(),
    }
}

/// The oracle that judges a row at a scalar: one and only one.
pub(crate) fn oracle(row: &OpRow, t: Scalar) -> Result<Oracle, String> {
    let width = usize::from(row.widths.1);
    let judges: Vec<Oracle> =
        row.oracles.iter().copied().filter(|&oracle| judge(oracle, row, t, [[0; 4]; 4], width).is_some()).collect();
    match judges[..] {
        [one] => Ok(one),
        [] => Err(format!("{} at {t}: no oracle judges it", row.name)),
        _ => Err(format!("{} at {t}: {} oracles judge it", row.name, judges.len())),
    }
}

/// The type of a row's result at a scalar and width.
pub(crate) fn result_type(row: &OpRow, t: Scalar, width: usize) -> Data {
    let scalar = match row.result.scalar {
        SlotScalar::T => t,
        SlotScalar::Fixed(fixed) => fixed,
    };
    Data { scalar, width: slot_width(row.result.width, width) as u8 }
}

pub(crate) fn slot_width(slot: SlotWidth, common: usize) -> usize {
    match slot {
        SlotWidth::Common => common,
        SlotWidth::Exactly(n) => usize::from(n),
    }
}

/// Equal bits, or both NaN.
pub(crate) fn same(t: Scalar, a: u64, b: u64) -> bool {
    a == b || softfloat::format(t).is_some_and(|f| softfloat::is_nan(f, a) && softfloat::is_nan(f, b))
}

/// A component as a value and as bits.
pub(crate) fn show(t: Scalar, bits: u64) -> String {
    match t {
        Scalar::F32 => format!("{:e} (0x{bits:08x})", f32::from_bits(bits as u32)),
        Scalar::F64 => format!("{:e} (0x{bits:016x})", f64::from_bits(bits)),
        _ => format!("{} (0x{bits:x})", integers::value(t, bits).unwrap_or_default()),
    }
}

pub(crate) fn show_all(data: Data, lanes: Lanes) -> String {
    let shown: Vec<String> = lanes.iter().take(usize::from(data.width)).map(|&bits| show(data.scalar, bits)).collect();
    shown.join(", ")
}
