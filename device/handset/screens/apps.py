"""Apps that have no screens of their own: what the sandbox's tables of settings, forms and pages say of them."""

from functools import partial

from device.handset.screens.layout import Page
from device.handset.screens.registry import screen
from device.sandbox.rows.apps import App
from device.sandbox.rows.screens import AppForm, AppPage, AppSetting, FormEntry


@screen("app/main")
def main(page: Page) -> None:
    """Where an app can be entered."""
    app = page.route.args["app"]
    page.bar(app, up=False)
    settings = [row for row in page.phone.table(AppSetting).all() if row.app == app]
    if settings:
        page.item("Settings", "", page.go("app/settings", app=app))
    for form in page.phone.table(AppForm).all():
        if form.app == app:
            page.item(form.name.capitalize(), "", page.go("app/form", app=app, id=form.id))
    for sheet in page.phone.table(AppPage).all():
        if sheet.app == app:
            page.item(sheet.name.capitalize(), "", page.go("app/sheet", app=app, id=sheet.id))
    row = page.phone.table(App).get(app)
    page.text(f"{app}: {row.category if row else 'app'}")


@screen("app/settings", activity=".SettingsActivity")
def settings(page: Page) -> None:
    """Every setting; one that needs another is grey until that is on."""
    app = page.route.args["app"]
    page.bar("Settings")
    table = page.phone.table(AppSetting)
    rows = [row for row in table.all() if row.app == app]
    for row in rows:
        ready = not row.needs or any(other.name == row.needs and other.value == "on" for other in rows)
        if row.options == ("on", "off"):

            def flip(row: AppSetting = row) -> None:
                table.update(row, value="off" if row.value == "on" else "on")

            page.switch(row.name.capitalize(), row.value == "on", flip, enabled=ready)
        else:
            action = page.go("app/setting", app=app, id=row.id) if ready else None
            page.item(row.name.capitalize(), row.value or "Not set", action)


@screen("app/setting", activity=".SettingsActivity")
def setting(page: Page) -> None:
    """One setting with several values, or with any text."""
    table = page.phone.table(AppSetting)
    row = table.need(page.route.args["id"])
    page.bar(row.name.capitalize())

    def put(value: str) -> None:
        table.update(row, value=value)
        page.ui.back()

    for option in row.options:
        page.choice(option.capitalize(), option == row.value, partial(put, option))
    if not row.options:
        page.edit("value", row.name.capitalize(), row.value)
        page.buttons(("Save", lambda: put(page.field("value"))), rids=("save",))


@screen("app/form", activity=".FormActivity")
def form(page: Page) -> None:
    """The fields of one form."""
    row = page.phone.table(AppForm).need(page.route.args["id"])
    page.bar(row.name.capitalize())
    for name in row.fields:
        page.edit(name, name.capitalize(), rid=name.replace(" ", "_"))

    def submit() -> None:
        values = tuple(page.field(name).strip() for name in row.fields)
        if not all(values):
            page.ui.say("All fields are required")
            return
        entry = FormEntry(page.phone.new_id("form_entry"), row.app, row.name, values)
        page.phone.table(FormEntry).insert(entry)
        page.ui.say("Sent")
        page.ui.back()

    page.buttons(("Submit", submit), rids=("submit",))


@screen("app/sheet", activity=".PageActivity")
def sheet(page: Page) -> None:
    """Lines to read."""
    row = page.phone.table(AppPage).need(page.route.args["id"])
    page.bar(row.name.capitalize())
    for line in row.lines:
        page.item(line)


@screen("camera/view", app="Camera")
def camera(page: Page) -> None:
    """A shutter; it needs the permission."""
    from device.handset.shell.keys import take_picture

    row = page.phone.table(App).need("Camera")
    if "camera" not in row.permissions:
        page.text("Camera needs permission to take pictures")
        return
    page.text("Camera", rid="mode_options")
    page.buttons(("Shutter", lambda: take_picture(page.ui.phone)), rids=("shutter_button",))


@screen("store/list", app="App Store")
def store(page: Page) -> None:
    """What the store offers and what is installed."""
    page.bar("Apps", up=False)
    page.edit("search", "Search apps & games")
    wanted = page.field("search").casefold()
    for row in sorted(page.phone.table(App).all(), key=lambda row: row.name):
        if not row.system and wanted in row.name.casefold():
            page.item(row.name, "Installed" if row.installed else row.category, page.go("store/app", name=row.name))


@screen("store/app", app="App Store")
def store_app(page: Page) -> None:
    """Install, open, uninstall."""
    table = page.phone.table(App)
    row = table.need(page.route.args["name"])
    page.bar(row.name)
    page.text(f"{row.category}, {row.size_mb} MB")
    if row.installed:
        page.buttons(
            ("Uninstall", page.go("dialog/uninstall", name=row.name)), ("Open", lambda: page.ui.launch(row.name))
        )
    else:
        page.buttons(("Install", lambda: table.update(row, installed=True)))


@screen(
    "dialog/uninstall",
    package="com.google.android.packageinstaller",
    activity="com.android.packageinstaller.UninstallerActivity",
)
def uninstall(page: Page) -> None:
    """Asked once more before an app is removed."""
    page.dialog()
    name = page.route.args["name"]
    page.text(name, rid="android:id/alertTitle", heading=True)
    page.text("Do you want to uninstall this app?", rid="android:id/message")

    def remove() -> None:
        clean = {"installed": False, "running": False, "locked": False, "notifications": True, "permissions": ()}
        page.phone.table(App).update(name, **clean)
        page.ui.back()

    page.buttons(("Cancel", page.ui.back), ("OK", remove), rids=("android:id/button2", "android:id/button1"))
