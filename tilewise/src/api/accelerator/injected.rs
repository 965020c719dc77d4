//! Fault injection for tests: device loss and memory limits. On the CPU there is no device to lose.

use super::AcceleratorView;
use crate::Result;

impl AcceleratorView {
    /// Simulates the loss of the device.
    #[doc(hidden)]
    pub fn inject_loss(&self, why: &str) -> Result<()> {
        if let Some((device, _)) = self.gpu()? {
            device.lose(why);
        }
        Ok(())
    }

    /// Simulates the loss of the device while its driver compiles the next kernel.
    #[doc(hidden)]
    pub fn inject_loss_over_a_kernel(&self) -> Result<()> {
        if let Some((device, _)) = self.gpu()? {
            device.lose_over_a_kernel();
        }
        Ok(())
    }

    /// Limits the device's memory to `bytes` in total from now on.
    #[doc(hidden)]
    pub fn inject_room(&self, bytes: u64) -> Result<()> {
        if let Some((device, _)) = self.gpu()? {
            device.fill_up(bytes);
        }
        Ok(())
    }
}
