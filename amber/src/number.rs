//! Numbers of scripts as the bits of scalars. As in Amber, a number in hex stands for its value, also for floats,
//! and a negative one for an unsigned scalar is taken modulo 2^n.

use half::f16;
use tilewise_header::value;
use tilewise_ir::types::Stored;

use crate::token::ScriptWord;
use tilewise_header::Complaint;

/// The bits of a word as a scalar.
pub(crate) fn bits(word: &ScriptWord, stored: Stored) -> Result<u64, Complaint> {
    let lower = word.text.to_ascii_lowercase();
    match stored {
        Stored::F16 | Stored::F32 | Stored::F64 => {
            let number = match value::integer(&lower) {
                Some(number) => Some(number as f64),
                None => lower.parse::<f64>().ok(),
            };
            let fault = || {
                let help = "write a number such as `1.5`, `-2e3`, `inf` or `nan`";
                Complaint::new(word.at, format!("`{}` is no number", word.text), help)
            };
            let number = number.ok_or_else(fault)?;
            // Digits are rounded once, whatever their sign and base.
            let unsigned = lower.strip_prefix('+').unwrap_or(&lower);
            let digits = match value::integer(unsigned) {
                Some(number) => value::parse(&number.to_string(), stored).ok(),
                None => value::parse(unsigned, stored).ok(),
            };
            let digits = digits.filter(|_| number.is_finite() && number != 0.0);
            Ok(digits.unwrap_or_else(|| float_bits(number, stored)))
        }
        _ => {
            let number = integer(word, stored)?;
            Ok(number as u64 & value::mask(stored))
        }
    }
}

/// A word as an integer that fits in a scalar.
pub(crate) fn integer(word: &ScriptWord, stored: Stored) -> Result<i128, Complaint> {
    let lower = word.text.to_ascii_lowercase();
    let number = value::integer(&lower).or_else(|| whole(&lower)).ok_or_else(|| {
        let help = format!("the scalars here are `{stored}`: write digits, or `0x` and hex digits");
        Complaint::new(word.at, format!("`{}` is no integer", word.text), help)
    })?;
    if integer_bits(number, stored).is_some() {
        return Ok(number);
    }
    let (low, high) = value::range(stored);
    let help = format!("it holds {low} to {high}");
    Err(Complaint::new(word.at, format!("`{}` does not fit in `{stored}`", word.text), help))
}

/// An integer that is written with a fraction of zeros.
fn whole(word: &str) -> Option<i128> {
    let (digits, zeros) = word.split_once('.')?;
    value::integer(digits).filter(|_| zeros.bytes().all(|byte| byte == b'0'))
}

/// The bits of an integer; a negative one may stand for an unsigned scalar, a large one for a signed one.
pub(crate) fn integer_bits(number: i128, stored: Stored) -> Option<u64> {
    let width = stored.size() * 8;
    let fits = number >= -(1i128 << (width - 1)) && number < 1i128 << width;
    fits.then(|| number as u64 & value::mask(stored))
}

/// The bits of the nearest float.
pub(crate) fn float_bits(number: f64, stored: Stored) -> u64 {
    match stored {
        Stored::F16 => f16::from_f64(number).to_bits().into(),
        Stored::F32 => (number as f32).to_bits().into(),
        _ => number.to_bits(),
    }
}
