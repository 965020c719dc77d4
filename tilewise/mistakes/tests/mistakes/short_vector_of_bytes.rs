//! There are no short vectors of bytes, and so a byte is none of one component.

use tilewise::graphics::ShortVectorTraits;

fn components<V: ShortVectorTraits>(_: V) -> usize {
    V::SIZE
}

fn main() {
    components(7_u8);
}
