"""What the phone is: version, screen, properties, and what its daemon can do.

Properties are those that `getprop` of a Pixel-like user build shows (`build/make/tools/buildinfo.sh`, Android 10 to
15).
"""

from dataclasses import dataclass

FEATURES = ("shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir", "apex", "fixed_push_symlink_timestamp")
"""Of `packages/modules/adb/transport.cpp`: those that this phone speaks; not `sendrecv_v2` and not `abb`."""
_RELEASES = {29: "10", 30: "11", 31: "12", 32: "12", 33: "13", 34: "14", 35: "15"}


@dataclass(frozen=True, slots=True)
class Profile:
    """One model of phone."""

    serial: str = "POCKET0001"
    """Serial number of the hardware."""
    model: str = "Pocket One"
    """Of the maker."""
    sdk: int = 35
    """API level, 29 to 35."""
    width: int = 1080
    """Pixels, upright."""
    height: int = 2400
    """Pixels, upright."""
    density: int = 420
    """Dots an inch."""

    @property
    def release(self) -> str:
        """Version of Android."""
        return _RELEASES[self.sdk]

    @property
    def device(self) -> str:
        """Name of the board."""
        return "pocket"

    @property
    def prompt(self) -> str:
        """Of the interactive shell."""
        return f"{self.device}:/ $ "

    def banner(self) -> bytes:
        """What CNXN says of the phone."""
        parts = {"ro.product.name": self.device, "ro.product.model": self.model, "ro.product.device": self.device}
        pairs = "".join(f"{name}={value};" for name, value in parts.items())
        return f"device::{pairs}features={','.join(FEATURES)}".encode()

    def properties(self) -> dict[str, str]:
        """System properties, without those that change."""
        build = f"{self.device}-user {self.release} PKT1.260301.001 1 release-keys"
        return {
            "dalvik.vm.heapsize": "512m",
            "dev.bootcomplete": "1",
            "gsm.network.type": "LTE,LTE",
            "gsm.sim.state": "LOADED,LOADED",
            "init.svc.adbd": "running",
            "init.svc.bootanim": "stopped",
            "net.bt.name": "Android",
            "persist.sys.usb.config": "adb",
            "ro.adb.secure": "1",
            "ro.boot.serialno": self.serial,
            "ro.bootmode": "unknown",
            "ro.build.characteristics": "nosdcard",
            "ro.build.display.id": "PKT1.260301.001",
            "ro.build.fingerprint": f"pocket/pocket/pocket:{self.release}/PKT1.260301.001/1:user/release-keys",
            "ro.build.description": build,
            "ro.build.id": "PKT1.260301.001",
            "ro.build.tags": "release-keys",
            "ro.build.type": "user",
            "ro.build.version.codename": "REL",
            "ro.build.version.incremental": "1",
            "ro.build.version.release": self.release,
            "ro.build.version.sdk": str(self.sdk),
            "ro.build.version.security_patch": "2026-02-05",
            "ro.debuggable": "0",
            "ro.hardware": "pocket",
            "ro.product.board": "pocket",
            "ro.product.brand": "pocket",
            "ro.product.cpu.abi": "arm64-v8a",
            "ro.product.cpu.abilist": "arm64-v8a",
            "ro.product.device": self.device,
            "ro.product.locale": "en-US",
            "ro.product.manufacturer": "Pocket",
            "ro.product.model": self.model,
            "ro.product.name": self.device,
            "ro.secure": "1",
            "ro.serialno": self.serial,
            "ro.sf.lcd_density": str(self.density),
            "sys.boot_completed": "1",
            "vold.has_adoptable": "0",
        }
