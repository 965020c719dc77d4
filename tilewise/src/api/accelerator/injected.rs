//! What may befall a device, for tests of those who must live with it. On the CPU there is no device to lose.

use super::AcceleratorView;
use crate::Result;

impl AcceleratorView {
    /// Loses its device, as a driver may.
    #[doc(hidden)]
    pub fn inject_loss(&self, why: &str) -> Result<()> {
        if let Some((device, _)) = self.gpu()? {
            device.lose(why);
        }
        Ok(())
    }

    /// Loses its device over the next kernel that the driver makes.
    #[doc(hidden)]
    pub fn inject_loss_over_a_kernel(&self) -> Result<()> {
        if let Some((device, _)) = self.gpu()? {
            device.lose_over_a_kernel();
        }
        Ok(())
    }

    /// Its device acts from here on as if it had room for so many bytes in all.
    #[doc(hidden)]
    pub fn inject_room(&self, bytes: u64) -> Result<()> {
        if let Some((device, _)) = self.gpu()? {
            device.fill_up(bytes);
        }
        Ok(())
    }
}
