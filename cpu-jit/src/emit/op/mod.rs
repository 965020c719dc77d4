//! Machine code of the rows of the op table: `each` for rows that go component by component, `whole` for the others. Scalars and lanes alike.

use cranelift_frontend::FunctionBuilder;

use super::facts::Facts;

/// Where code is written to.
pub(crate) struct Cx<'a, 'f> {
    /// The function.
    pub(crate) builder: &'a mut FunctionBuilder<'f>,
    /// The machine.
    pub(crate) facts: Facts,
}
