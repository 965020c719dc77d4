//! Short vectors have at most four components.

use tilewise::graphics::ShortVector;

fn main() {
    let _: ShortVector<f32, 5>;
}
