"""One software phone: the sandbox's state, and what Android puts around it.

1. `sandbox` holds everything that a tool could read: alarms, radios, contacts, files. Screens and commands read and
   write its rows, so that a tap, a command and a tool see the same phone.
2. `ui` is what is on the screen, `files` the storage, `settings` and `packages` the two tables that Android keys its
   own way. None of them holds a second copy of a row.
3. `faults` says what goes wrong; `keys` which hosts may connect; `commands` what the shell ran.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from device.handset.agent.server import Agent
from device.handset.faults import Faults
from device.handset.profile import Profile
from device.handset.screens.ui import Ui
from device.handset.state.files import Files
from device.handset.state.packages import Packages
from device.handset.state.settings import Settings
from device.handset.wire.auth import PublicKey
from device.handset.wire.streams import Stream
from device.sandbox.rows.apps import App
from device.sandbox.rows.controls import Screen
from device.sandbox.rows.screen_settings import Panel
from device.sandbox.rows.system_settings import Power
from device.sandbox.sandbox import Sandbox
from runtime.contract import WorldSpec

if TYPE_CHECKING:
    from PIL.Image import Image

    from device.handset.recording import Recording
    from device.handset.wire.connection import Connection

Listener = Callable[[Stream], Awaitable[None]]
REMEMBERED_COMMANDS = 20_000
RESOLUTIONS = {"hd": (720, 1600), "quad_hd": (1440, 3200)}
"""Those that are not the panel's own."""


class Handset:
    """A phone behind a wire."""

    def __init__(
        self,
        profile: Profile | None = None,
        world: WorldSpec | None = None,
        secure: bool = False,
        recording: "Recording | None" = None,
    ) -> None:
        self.recording = recording
        self.profile = profile or Profile()
        self.asks_for_keys = secure
        self.keys: set[PublicKey] = set()
        self.faults = Faults()
        self.connections: set[Connection] = set()
        self.reversed: dict[str, str] = {}
        self.commands: deque[tuple[str, ...]] = deque(maxlen=REMEMBERED_COMMANDS)
        self.properties: dict[str, str] = {}
        self._background: set[asyncio.Task[None]] = set()
        self.sandbox = Sandbox(world or WorldSpec())
        self._listeners: dict[str, Listener] = {}
        self._start()
        self.agent = Agent(self)

    def _start(self) -> None:
        """A phone with nothing on it but its rows; servers that run on it go on."""
        self.files = Files(self.sandbox)
        self.settings = Settings(self.sandbox)
        self.packages = Packages(self.sandbox)
        self.ui = self._screen()

    def _screen(self) -> Ui:
        if self.recording is None:
            return Ui(self)
        from device.handset.screens.replay import ReplayUi

        return ReplayUi(self, self.recording)

    def reset(self, world: WorldSpec) -> None:
        """Take the state that `world` describes; connections and what runs for them stay."""
        self.sandbox.reset(world)
        self.commands.clear()
        self._start()

    def reboot(self, how: str = "") -> None:
        """Start anew with the state kept; who asked breaks the line."""
        row = self.sandbox.one(Power)
        since = self.sandbox.now.isoformat(timespec="seconds")
        self.sandbox.change(Power, restarts=row.restarts + 1, since=since)
        self._close_apps()
        self.reversed.clear()
        self.agent.stop()
        self._listeners.clear()
        self.ui = self._screen()

    def restart(self) -> None:
        """Reboot, and break every line a moment later."""
        self.reboot()
        self.spawn(self._drop_soon())

    def shut_down(self) -> None:
        """Off: lines break and nobody can connect until the phone is reset."""
        self.sandbox.change(Power, state="off", since=self.sandbox.now.isoformat(timespec="seconds"))
        self._close_apps()
        self.spawn(self._drop_soon())

    @property
    def powered(self) -> bool:
        """Whether anybody answers."""
        return self.sandbox.one(Power).state == "on"

    def _close_apps(self) -> None:
        table = self.sandbox.table(App)
        for app in table.all():
            if app.running:
                table.update(app, running=False)
        if self.sandbox.one(Screen).view != "home":
            self.sandbox.change(Screen, view="home")

    async def _drop_soon(self) -> None:
        await asyncio.sleep(0.05)
        for line in list(self.connections):
            line.drop()

    def listen(self, address: str, handler: Listener) -> None:
        """Have a server of the phone answer at `tcp:PORT` or `localabstract:NAME`."""
        self._listeners[address] = handler

    def stop_listening(self, address: str) -> None:
        """Nobody answers there any more."""
        self._listeners.pop(address, None)

    def listener(self, address: str) -> Listener | None:
        """Who answers there."""
        from device.handset.agent.devtools import devtools

        if address == "localabstract:chrome_devtools_remote":
            return lambda stream: devtools(self, stream)
        return self._listeners.get(address)

    @property
    def resolution(self) -> tuple[int, int]:
        """Pixels of the upright screen: the panel's own, or what was set over it."""
        return RESOLUTIONS.get(self.sandbox.one(Panel).resolution, (self.profile.width, self.profile.height))

    def picture(self) -> "Image":
        """What the screen shows, as it stands."""
        from device.handset.screens.paint import paint

        picture = self.ui.picture() or paint(self.ui)
        if self.ui.rotation % 2 and self.faults.use("sideways"):
            return picture.rotate(90, expand=True)
        return picture

    def note_command(self, words: Sequence[str]) -> None:
        """Remember what the shell ran."""
        self.commands.append(tuple(words))

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Run something that outlives its caller."""
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    def stop(self) -> None:
        """End what runs in the background and drop every line."""
        for task in list(self._background):
            task.cancel()
        for line in list(self.connections):
            line.drop()
