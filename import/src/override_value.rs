//! The values that a launch gives overrides: the shader has each of these overrides, and its type the value. WebGPU
//! makes no pipeline of others; of integers it cuts fractions off, which are refused here.

use std::ops::RangeInclusive;

use half::f16;
use naga::{Scalar, ScalarKind, TypeInner};
use tilewise_ir::diag::{Code, Diagnostic};
use tilewise_ir::pos::Pos;

use crate::assembly::place_of;
use crate::module::{ImportOptions, ShaderError, ShaderModule};

/// An override, or a specialization constant of SPIR-V, that can be given a value.
struct KnownOverride {
    name: String,
    scalar: Scalar,
    is_of_spirv: bool,
}

/// The numbers of a type.
enum NumberRange {
    Truth,
    Integers(RangeInclusive<i128>),
    /// The text of the largest one.
    Floats(&'static str),
}

impl ShaderModule {
    fn known_overrides(&self) -> impl Iterator<Item = KnownOverride> {
        let own = self.module.overrides.iter().filter_map(|(_, one)| {
            let TypeInner::Scalar(scalar) = self.module.types[one.ty].inner else { return None };
            Some(KnownOverride { name: override_name(one)?, scalar, is_of_spirv: false })
        });
        let constants = self.constants().map(|constant| KnownOverride {
            name: constant.number.to_string(),
            scalar: constant.scalar,
            is_of_spirv: true,
        });
        own.chain(constants)
    }

    /// Where an override of this name or number is declared.
    pub(crate) fn override_pos(&self, name: &str) -> Option<Pos> {
        let is_it = |constant: &naga::Override| override_name(constant).is_some_and(|own| own == name);
        let own = self.module.overrides.iter().find(|(_, constant)| is_it(constant));
        let pos = match (own, &self.spirv) {
            (Some((handle, _)), _) => self.source.pos(self.module.overrides.get_span(handle)),
            (None, Some(spirv)) => {
                let constant = spirv.constants.iter().find(|constant| constant.number.to_string() == name)?;
                place_of(&spirv.places, constant.byte)
            }
            (None, None) => return None,
        };
        pos.is_known().then_some(pos)
    }

    /// The reports on values that no override, or not the override of their name, can have.
    pub(crate) fn unfit_values(&self, options: &ImportOptions) -> Vec<Diagnostic> {
        let known: Vec<KnownOverride> = self.known_overrides().collect();
        let reports =
            options.overrides.iter().filter_map(|(name, &value)| match known.iter().find(|one| one.name == *name) {
                Some(one) => self.unfit_value(one, value),
                None => Some(self.no_override(name, &known)),
            });
        reports.collect()
    }

    /// The report on the name of an override that the shader does not have.
    fn no_override(&self, name: &str, known: &[KnownOverride]) -> Diagnostic {
        let report = Diagnostic::new(Code::K0904, format!("the shader has no override `{name}`"));
        let numbered = self.module.overrides.iter().find_map(|(_, one)| Some((one, one.id?)));
        let numbered = numbered.filter(|(one, _)| one.name.as_deref() == Some(name));
        let names: Vec<String> = known.iter().map(|one| format!("`{}`", one.name)).collect();
        let report = match names.as_slice() {
            [] => report.note("it has none that can be given a value"),
            _ => report.note(format!("the shader's overrides are: {}", names.join(", "))),
        };
        match numbered {
            Some((_, id)) => report.help(format!("the number of its `@id` is its name: `{id}`")),
            None => report,
        }
    }

    /// The report on a value that its override cannot have.
    fn unfit_value(&self, one: &KnownOverride, value: f64) -> Option<Diagnostic> {
        let (ty, range) = number_range(one.scalar)?;
        let (fits, help) = match range {
            NumberRange::Truth => (value.is_finite(), format!("`{ty}` is `true`, which is 1, or `false`, which is 0")),
            NumberRange::Integers(range) => {
                // The integers of SPIR-V are bits, which either signedness can be written for.
                let (low, high) = (*range.start(), *range.end());
                let range = match one.is_of_spirv {
                    true if low == 0 => -(high / 2) - 1..=high,
                    true => low..=2 * high + 1,
                    false => range,
                };
                let fits = value.is_finite() && value.fract() == 0.0 && range.contains(&(value as i128));
                (fits, format!("`{ty}` holds whole numbers, {low} to {high}"))
            }
            NumberRange::Floats(most) => {
                let fits = match one.scalar.width {
                    2 => f16::from_f64(value).is_finite(),
                    4 => (value as f32).is_finite(),
                    _ => value.is_finite(),
                };
                (fits, format!("`{ty}` holds finite numbers here, up to {most} of either sign"))
            }
        };
        if fits {
            return None;
        }
        let shown = if value.abs() < 1e16 { value.to_string() } else { format!("{value:?}") };
        let message = format!("the override `{}` cannot have the value {shown}", one.name);
        let report = Diagnostic::new(Code::K0904, message).help(help);
        Some(match self.override_pos(&one.name) {
            Some(pos) => report.at(pos, format!("is of type `{ty}`")),
            None => report.note(format!("it is of type `{ty}`")),
        })
    }

    /// The error of a launch that gives an override two values.
    pub fn override_given_twice(&self, name: &str) -> ShaderError {
        let report = Diagnostic::new(Code::K0904, format!("the override `{name}` is given two values"));
        let report = match self.override_pos(name) {
            Some(pos) => report.at(pos, "is declared here"),
            None => report,
        };
        self.source.error(report.help("remove one of the two"))
    }
}

/// The number or name of an override; naga makes some without one, for computed lengths of arrays.
pub(crate) fn override_name(constant: &naga::Override) -> Option<String> {
    constant.id.map(|id| id.to_string()).or_else(|| constant.name.clone())
}

/// The name of a type, and its numbers.
fn number_range(scalar: Scalar) -> Option<(&'static str, NumberRange)> {
    let integers = |name, bits: u32, is_signed: bool| {
        let range = match is_signed {
            true => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
            false => 0..=(1 << bits) - 1,
        };
        (name, NumberRange::Integers(range))
    };
    Some(match (scalar.kind, scalar.width) {
        (ScalarKind::Bool, _) => ("bool", NumberRange::Truth),
        (ScalarKind::Sint, 1) => integers("i8", 8, true),
        (ScalarKind::Uint, 1) => integers("u8", 8, false),
        (ScalarKind::Sint, 2) => integers("i16", 16, true),
        (ScalarKind::Uint, 2) => integers("u16", 16, false),
        (ScalarKind::Sint, 4) => integers("i32", 32, true),
        (ScalarKind::Uint, 4) => integers("u32", 32, false),
        (ScalarKind::Sint, 8) => integers("i64", 64, true),
        (ScalarKind::Uint, 8) => integers("u64", 64, false),
        (ScalarKind::Float, 2) => ("f16", NumberRange::Floats("65504")),
        (ScalarKind::Float, 4) => ("f32", NumberRange::Floats("3.4028235e38")),
        (ScalarKind::Float, 8) => ("f64", NumberRange::Floats("1.7976931348623157e308")),
        _ => return None,
    })
}
