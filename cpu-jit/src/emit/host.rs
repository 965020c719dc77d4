//! The interface between machine code and its host.

use std::ffi::c_void;
use std::sync::atomic::AtomicU32;

/// The message callback of a thread: `state` is [`HostCalls::state`]; `message` is the index into
/// [`LaneProgram::messages`](crate::lanes::LaneProgram::messages); `lanes` has a bit for each lane
/// that sends the message, lane 0 the lowest; `thread` is lane 0's linear thread index; `words` has
/// the values, one 64-bit word for each lane of each value, the lanes of a value adjacent. A word
/// holds a number's bits, zero-extended; the words of other lanes are arbitrary. The words are
/// invalid after it returns.
pub type Tell = unsafe extern "C" fn(state: *mut c_void, message: u32, lanes: u64, thread: i64, words: *const u64);

/// The host of a running program. Callers of [`MachineCode::call`](super::MachineCode::call)
/// provide it; several calls may share one if `tell` allows that.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HostCalls {
    /// Points to a flag that is nonzero when programs are to end.
    pub stop: *const AtomicU32,
    /// Opaque data for `tell`.
    pub state: *mut c_void,
    /// Receives messages. It must not unwind.
    pub tell: Tell,
}
