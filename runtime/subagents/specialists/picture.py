"""Pictures: made or edited, then looked at, so that what comes back is the file and what it shows."""

from runtime.contract import Json
from runtime.subagents.by_procedure import Outcome, Procedure, blocked, call, failed
from runtime.subagents.specialists.base import HINT, TEXT, Specialist, spec

TOOL = "control_ai_image_agent"
OPERATIONS = ["remove_background", "blur_background", "black_and_white", "enhance", "crop_square"]


def work(arguments: Json, here: frozenset[str]) -> Procedure:
    """Make it, then read what it shows."""
    photo, shown = arguments.get("photo"), None
    if arguments["action"] != "describe":
        made = yield call(
            TOOL,
            action=arguments["action"],
            description=arguments.get("description"),
            photo=photo,
            operation=arguments.get("operation"),
        )
        if failed(made) or not isinstance(made, dict):
            return blocked(made)
        photo = made["fileName"]
    shown = yield call(TOOL, action="describe", photo=photo)
    if failed(shown) or not isinstance(shown, dict):
        return blocked(shown)
    words = [str(shown[key]) for key in ("caption", "text") if shown.get(key)]
    artifacts = (("picture", shown["photo"]), ("shows", words))
    return Outcome(True, f"`{shown['photo']}`: {'; '.join(words)}", artifacts)


PICTURE = Specialist(
    spec(
        "ask_picture_agent",
        "Have a picture made, edited or described.",
        {
            "action": {"type": "string", "enum": ["generate", "edit", "describe"]},
            "description": {**TEXT, "description": f"What it shall show. {HINT}"},
            "photo": {**TEXT, "maxLength": 120, "description": "Which picture; `{a1}` for one that was made before."},
            "operation": {"type": "string", "enum": OPERATIONS},
        },
        ("action",),
        ("have a picture of a fox drawn and tell me what it shows", "let the agent blur the background of the photo"),
        writes=True,
    ),
    (TOOL,),
    work,
)
