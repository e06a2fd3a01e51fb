"""Families that look for a file or a song first."""

from evalkit.suites.core.dependent import Family
from runtime.contract import Json, Split

_FILE: Json = {"name": "local_file_search", "arguments": {"query": "{file_stem}"}}

FAMILIES = (
    Family(
        name="send_a_found_file",
        split=Split.TRAIN,
        calls=(
            _FILE,
            {"name": "send_file", "arguments": {"fileName": "$1.data.files.0.name", "targetDevice": "{file_target}"}},
        ),
        templates=(
            "find the {file_stem} file and send it to {file_target}",
            "look for my {file_stem} document and share it with {file_target}",
            "search for {file_stem} on the phone and send that file to {file_target}",
            "where's the file about {file_stem}? send it over to {file_target}",
            "get the {file_stem} file onto {file_target}",
            "i need the {file_stem} file on {file_target}, find it and send it",
            "locate {file_stem} in my files and transfer it to {file_target}",
            "send whatever file has {file_stem} in its name to {file_target}",
        ),
        plant=(
            {
                "table": "files",
                "id": "file_301",
                "name": "{file_full}",
                "kind": "document",
                "size_mb": 2.2,
                "folder": "Documents",
                "modified": "2026-01-20",
            },
        ),
    ),
    Family(
        name="delete_a_found_file",
        split=Split.TEST,
        calls=(
            _FILE,
            {"name": "delete_file", "arguments": {"fileName": "$1.data.files.0.name"}},
        ),
        templates=(
            "track down the {file_stem} file and delete it",
            "there's a file about {file_stem} somewhere, get rid of it",
            "find whatever i saved as {file_stem} and remove that file",
            "search my files for {file_stem} and erase the one you find",
            "i don't need the {file_stem} file anymore, look for it and delete it",
            "look up the {file_stem} document and throw it away",
        ),
        plant=(
            {
                "table": "files",
                "id": "file_301",
                "name": "{file_full}",
                "kind": "document",
                "size_mb": 2.2,
                "folder": "Documents",
                "modified": "2026-01-20",
            },
        ),
    ),
    Family(
        name="keep_the_song_that_plays",
        split=Split.TRAIN,
        calls=(
            {"name": "identify_music", "arguments": {}},
            {
                "name": "manage_playlist",
                "arguments": {
                    "action": "add",
                    "playlist": "Road Trip",
                    "song": "$1.data.playing.title",
                    "artist": "$1.data.playing.artist",
                },
            },
        ),
        templates=(
            "what song is this? add it to my road trip playlist",
            "add the song that's playing to the road trip playlist",
            "find out what's playing and put it on road trip",
            "i like this one, whatever it is, save it in my road trip playlist",
            "name this song and add it to road trip",
            "put this song on my road trip playlist, i don't know its name",
        ),
        plant=({"table": "player", "state": "playing", "kind": "music", "title": "{song}", "artist": "{artist}"},),
    ),
)
