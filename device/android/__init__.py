"""A connected Android phone behind the contract's `Phone` and `Screen`: adb underneath, evidence on top."""
