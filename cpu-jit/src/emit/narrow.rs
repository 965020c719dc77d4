//! Vector loads and stores of memory formats narrower than 32 bits.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use tilewise_ir::types::Stored;

use super::emitter::Emitter;
use super::pieces::Pieces;
use super::place::PointerOffset;
use crate::lanes::Elem;

impl Emitter<'_, '_> {
    /// Loads lanes at unit stride in a format narrower than 32 bits.
    pub(super) fn load_narrow(
        &mut self,
        flags: MemFlagsData,
        spot: PointerOffset,
        stored: Stored,
        lanes: usize,
    ) -> Pieces {
        let signed = matches!(stored, Stored::I8 | Stored::I16 | Stored::Bool);
        let elem = Elem::of(stored.value());
        let mut parts = if stored.size() == 1 {
            let raw = self.load_bytes(types::I8X16, flags, spot, lanes);
            // A nonzero byte becomes -1, and remains so.
            let raw = if stored == Stored::Bool { self.not_zero(raw) } else { raw };
            self.widened(&[raw], signed, lanes / 8)
        } else {
            let each = lanes.min(8);
            let load = |i| self.load_bytes(types::I16X8, flags, spot.plus(16 * i), 2 * each);
            (0..lanes / each).map(load).collect()
        };
        parts = self.widened(&parts, signed, lanes / 4);
        if stored == Stored::F16 {
            parts = parts.into_iter().map(|part| self.half_to_float(part)).collect();
        }
        Pieces::from_parts(elem, &parts)
    }

    fn not_zero(&mut self, bytes: Value) -> Value {
        let zero = self.vector_bits(types::I8X16, &[0; 16]);
        self.builder.ins().icmp(IntCC::NotEqual, bytes, zero)
    }

    /// The first 4, 8 or 16 bytes of a vector; the others are arbitrary.
    fn load_bytes(&mut self, ty: Type, flags: MemFlagsData, spot: PointerOffset, bytes: usize) -> Value {
        let (scalar, vector) = match bytes {
            4 => (types::I32, types::I32X4),
            8 => (types::I64, types::I64X2),
            _ => return self.builder.ins().load(ty, flags, spot.pointer, spot.offset),
        };
        let value = self.builder.ins().load(scalar, flags, spot.pointer, spot.offset);
        let value = self.builder.ins().scalar_to_vector(vector, value);
        self.cast(ty, value)
    }

    /// The first vectors of twice the element width, lanes in order.
    fn widened(&mut self, parts: &[Value], signed: bool, count: usize) -> Vec<Value> {
        let mut wide = Vec::new();
        for &part in parts {
            for high in [false, true] {
                if wide.len() < count.max(1) {
                    let ins = self.builder.ins();
                    wide.push(match (signed, high) {
                        (true, false) => ins.swiden_low(part),
                        (true, true) => ins.swiden_high(part),
                        (false, false) => ins.uwiden_low(part),
                        (false, true) => ins.uwiden_high(part),
                    });
                }
            }
        }
        wide
    }

    /// Stores lanes at unit stride in a format narrower than 32 bits.
    pub(super) fn store_narrow(&mut self, flags: MemFlagsData, spot: PointerOffset, stored: Stored, value: &Pieces) {
        let keep = match stored {
            Stored::Bool => 1,
            Stored::I8 | Stored::U8 => 0xff,
            _ => 0xffff,
        };
        // Truncate first, so that narrowing does not saturate.
        let keep = self.vector_of([keep; 4]);
        let mut parts = Vec::new();
        for &part in value.parts() {
            let part = if stored == Stored::F16 { self.float_to_half(part) } else { part };
            parts.push(self.builder.ins().band(part, keep));
        }
        parts = self.narrowed(&parts);
        if stored.size() == 1 {
            parts = self.narrowed(&parts);
        }
        let bytes = self.width() * stored.size() as usize;
        for (i, part) in parts.into_iter().enumerate() {
            let part = match bytes {
                4 => self.low(types::I32X4, part),
                8 => self.low(types::I64X2, part),
                _ => part,
            };
            self.builder.ins().store(flags, part, spot.pointer, spot.offset + 16 * i as i32);
        }
    }

    fn low(&mut self, ty: Type, vector: Value) -> Value {
        let vector = self.cast(ty, vector);
        self.builder.ins().extractlane(vector, 0)
    }

    /// Vectors of half the element width; of a single vector the low half is valid.
    fn narrowed(&mut self, parts: &[Value]) -> Vec<Value> {
        let pair = |two: &[Value]| self.builder.ins().unarrow(two[0], two[two.len() - 1]);
        parts.chunks(2).map(pair).collect()
    }
}
