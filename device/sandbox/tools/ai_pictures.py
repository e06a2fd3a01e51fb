"""The agent that makes, edits and reads pictures, and the face of the assistant.

1. A new picture is a file of its own: an edit never touches the one it was made of.
2. What a picture shows is a row beside its file; pictures without one can't be described.
3. Super power saving keeps both agents off.
"""

from typing import Literal

from device.sandbox.api import (
    Domain,
    Effect,
    Json,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    folded,
    not_found,
    tool,
)
from device.sandbox.rows.agents import Avatar, PictureContent
from device.sandbox.rows.storage import File
from device.sandbox.rows.system_settings import Battery
from device.sandbox.tools.apps_files import usage
from device.sandbox.tools.finding import briefly, named, only

Operation = Literal["remove_background", "blur_background", "black_and_white", "enhance", "crop_square"]
"""What can be done to a picture."""
_SIZE_MB = 2.4
_NAME_WORDS = 5


def need_power(phone: Sandbox, what: str) -> None:
    """409 in super power saving, which keeps heavy agents off."""
    if phone.one(Battery).mode == "super_saving":
        raise conflict(f"super power saving is on, so {what}; set another mode with `manage_battery` first")


@tool(
    Domain.ASSISTANT,
    permission="photos",
    effects={"describe": Effect.READ},
    phrases=(
        "draw me a fox in the snow",
        "generate a picture of a lighthouse at night",
        "take the background out of the beach photo",
        "make the cake picture black and white",
        "what is written on the whiteboard photo",
        "sharpen up this image",
    ),
)
def control_ai_image_agent(
    phone: Sandbox,
    action: Literal["generate", "edit", "describe"],
    description: Text | None = None,
    photo: Text | None = None,
    operation: Operation | None = None,
) -> Json:
    """Generate, edit or describe pictures."""
    if action == "describe":
        return _described(phone, photo)
    need_power(phone, "the image agent does not run")
    if action == "generate":
        if description is None:
            raise bad_argument("`control_ai_image_agent` generate needs `description`", argument="description")
        name = "_".join(word.capitalize() for word in folded(description).split()[:_NAME_WORDS])
        return _saved(phone, f"{name}.png", PictureContent("", description))
    missing = [name for name, value in (("photo", photo), ("operation", operation)) if value is None]
    if missing or operation is None:
        raise bad_argument(
            f"`control_ai_image_agent` edit needs {' and '.join(f'`{name}`' for name in missing)}",
            argument=missing[0],
            missing=missing,
        )
    source = _picture(phone, photo)
    stem, _, ending = source.name.rpartition(".")
    shown = phone.table(PictureContent).get(source.name) or PictureContent(source.name, "")
    return _saved(phone, f"{stem}_{operation}.{ending}", PictureContent("", shown.caption, shown.text, operation))


def _picture(phone: Sandbox, said: str | None) -> File:
    """The picture that is meant; 404 with those there are, 409 for several."""
    images = phone.table(File).find(kind="image")
    there = ", ".join(image.name for image in images[:5]) or "none"
    if said is None:
        raise bad_argument(f"`photo` is missing: which picture; there is {there}", argument="photo")
    exact = [image for image in images if image.name.casefold() == said.casefold()]
    found = exact or named(images, _spaced(said), lambda image: _spaced(image.name), "photo", "picture", "image")
    return only(found, "picture", f"`{said}`", lambda image: image.name, f"there is {there}")


def _spaced(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    return (stem if dot and len(ending) <= 4 else name).replace("_", " ")


def _saved(phone: Sandbox, name: str, content: PictureContent) -> Json:
    """A new picture with what it shows; 409 where one of that name is there, or no room is left."""
    files = phone.table(File)
    if files.find(lambda file: file.name == name):
        raise conflict(f"`{name}` is there already; delete it with `delete_file`, or ask for another", fileName=name)
    if usage(phone)["freeGb"] <= _SIZE_MB / 1_000:
        raise conflict("the storage is full; free some with `clean_storage` first", reason="storage")
    today = phone.now.date().isoformat()
    made = files.insert(File(phone.new_id("file"), name, "image", _SIZE_MB, "Pictures", today))
    row = PictureContent(name, content.caption, content.text, content.operation)
    phone.table(PictureContent).insert(row)
    return {"fileName": made.name, "folder": made.folder, "shows": row.caption}


def _described(phone: Sandbox, photo: str | None) -> Json:
    image = _picture(phone, photo)
    content = phone.table(PictureContent).get(image.name)
    if content is None:
        raise not_found(f"nothing could be recognised on `{image.name}`", photo=image.name)
    return briefly({"photo": image.name, "caption": content.caption, "text": content.text})


@tool(
    Domain.ASSISTANT,
    phrases=(
        "make a happy face",
        "show me a wink",
        "look surprised, avatar",
        "let the assistant's avatar look sad",
        "put a thinking expression on",
    ),
)
def display_avatar_expression(
    phone: Sandbox, expression: Literal["neutral", "happy", "sad", "surprised", "thinking", "angry", "wink"]
) -> Json:
    """Show an expression on the assistant's avatar."""
    need_power(phone, "the avatar is not shown")
    return {"expression": phone.change(Avatar, expression=expression).expression}
