"""What the way to a phone costs and survives: `pocket bench device`, `--faults`, `--mutants`.

stand.py                    -> a software phone and an adb server of its own, and the bridge on it
screen.py, speed.py         -> `pocket bench device`, beside adbutils and uiautomator2 in the same run
session.py, drops.py        -> `--faults`: the line breaks at a byte of a session
paths.py, hostile.py, texts.py -> `--faults`: texts that a shell or a parser could trip over
borrower.py, kills.py       -> `--faults`: processes that are killed while they hold what they borrowed
mutants.py, mutants.toml    -> `--mutants`: one parser or read-back broken, and the android suite must notice
journal.py                  -> what was measured is kept, so that the same command goes on after Ctrl-C
"""
