"""Commands read and write the sandbox's rows, and answer as AOSP does."""

import asyncio

import pytest

from device.handset.handset import Handset
from device.handset.shell.interpreter import run_script
from device.handset.shell.io import OUT, Io
from device.sandbox.rows.app_care import AppBackground, DefaultApp
from device.sandbox.rows.apps import App
from device.sandbox.rows.communication import Call
from device.sandbox.rows.controls import Screen
from device.sandbox.rows.display_sound import Display, SoundSettings, Volume
from device.sandbox.rows.music import Player
from device.sandbox.rows.network import Radios
from device.sandbox.rows.people import Person
from device.sandbox.rows.screen_settings import EyeComfortSchedule, Panel, ToneSettings
from device.sandbox.rows.storage import File
from device.sandbox.rows.surroundings import WifiNetwork
from device.sandbox.rows.system_settings import Power, SelectToSpeak, Talkback
from device.sandbox.rows.time_management import Alarm, Countdown, Event
from device.sandbox.rows.typing_input import Navigation, TextShortcut


class Terminal:
    def __init__(self) -> None:
        self.phone = Handset()
        self.status = 0

    def __call__(self, script: str) -> str:
        io = Io.holding(b"")

        async def work() -> int:
            return await run_script(self.phone, script, io)

        self.status = asyncio.run(work())
        return io.taken(OUT).decode()

    def one(self, cls):
        return self.phone.sandbox.one(cls)

    def rows(self, cls):
        return self.phone.sandbox.table(cls).all()


@pytest.fixture
def sh():
    return Terminal()


def test_radios(sh):
    sh("svc wifi disable")
    assert (sh.one(Radios).wifi, sh.one(Radios).wifi_network) == (False, "")
    assert sh("cmd wifi status") == "Wifi is disabled\n"
    sh("svc wifi enable; svc bluetooth disable; svc data disable; svc nfc enable")
    radios = sh.one(Radios)
    assert (radios.wifi_network, radios.bluetooth, radios.mobile_data, radios.nfc) == ("Home", False, False, True)
    assert sh("dumpsys nfc") == "mState=on\n"
    sh("cmd connectivity airplane-mode enable")
    assert sh.one(Radios).airplane_mode is True
    assert sh("settings get global airplane_mode_on") == "1\n"


def test_a_passive_setting_is_stored_and_turns_nothing(sh):
    sh("settings put global airplane_mode_on 1")
    assert sh("settings get global airplane_mode_on") == "1\n"
    assert sh.one(Radios).airplane_mode is False


def test_the_mark_that_services_are_on_turns_none_on(sh):
    select = "com.google.android.marvin.talkback/com.google.android.accessibility.selecttospeak.SelectToSpeakService"
    sh(f"settings put secure enabled_accessibility_services {select}; settings put secure accessibility_enabled 1")
    assert (sh.one(SelectToSpeak).enabled, sh.one(Talkback).enabled) == (True, False)
    assert sh("settings get secure accessibility_enabled") == "1\n"


def test_wifi_networks(sh):
    assert sh("cmd wifi list-networks").splitlines()[1].split() == ["0", "Home", "wpa2-psk"]
    assert sh("cmd wifi connect-network 'Neighbors 5G' wpa2 longenough") == "Connection initiated\n"
    assert sh.one(Radios).wifi_network == "Neighbors 5G"
    sh("cmd wifi forget-network 2")
    assert next(row for row in sh.rows(WifiNetwork) if row.name == "Neighbors 5G").saved is False
    assert sh.one(Radios).wifi_network == ""


def test_sound_and_display(sh):
    sh("cmd media_session volume --stream 3 --set 12")
    assert next(row for row in sh.rows(Volume) if row.stream == "media").percent == 80
    assert sh("cmd media_session volume --stream 3 --get").splitlines()[-1] == "[V] volume is 12 in range [0..15]"
    sh("cmd audio set-ringer-mode VIBRATE; cmd notification set_dnd on; cmd uimode night yes; cmd power set-mode 1")
    assert (sh.one(SoundSettings).mode, sh.one(SoundSettings).dnd, sh.one(Display).dark_mode) == ("vibrate", True, True)
    assert "mBatterySaverEnabled=true" in sh("dumpsys power")
    sh("settings put system ringtone content://media/internal/audio/media/4")
    assert sh.one(ToneSettings).ringtone == "Old Telephone"
    assert sh("settings get system ringtone") == "content://media/internal/audio/media/4\n"


def test_more_settings(sh):
    sh("settings put secure night_display_custom_start_time 79200000")
    assert sh.one(EyeComfortSchedule).start_time == "22:00"
    assert sh("settings get secure night_display_auto_mode") == "1\n"
    both = "com.google.android.marvin.talkback/com.google.android.marvin.talkback.TalkBackService"
    other = "com.google.android.marvin.talkback/com.google.android.accessibility.selecttospeak.SelectToSpeakService"
    sh(f"settings put secure enabled_accessibility_services {both}:{other}")
    assert (sh.one(Talkback).enabled, sh.one(SelectToSpeak).enabled) == (True, True)
    sh(f"settings put secure enabled_accessibility_services {other}")
    assert (sh.one(Talkback).enabled, sh.one(SelectToSpeak).enabled) == (False, True)
    assert sh("settings delete global no_such") == "Deleted 0 rows\n"
    assert "screen_brightness=128" in sh("settings list system").splitlines()


def test_screen_size_and_navigation(sh):
    sh("wm size 720x1600")
    assert sh.one(Panel).resolution == "hd"
    assert sh("wm size") == "Physical size: 1080x2400\nOverride size: 720x1600\n"
    sh("wm size reset")
    assert sh.one(Panel).resolution == "full_hd"
    sh("cmd overlay enable-exclusive --category com.android.internal.systemui.navbar.gestural")
    assert sh.one(Navigation).mode == "gestures"


def test_intents_of_the_clock(sh):
    extra = "android.intent.extra.alarm"
    alarm = f"am start -a android.intent.action.SET_ALARM --ei {extra}.HOUR 7 --ei {extra}.MINUTES 5"
    alarm += f" --es {extra}.MESSAGE 'up & out'"
    out = sh(f"{alarm} --eial {extra}.DAYS 3,2 --ez {extra}.SKIP_UI true")
    assert out == "Starting: Intent { act=android.intent.action.SET_ALARM (has extras) }\n"
    row = sh.rows(Alarm)[-1]
    assert (row.time, row.date, row.title, row.repeat) == ("07:05", "2026-03-03", "up & out", "FREQ=WEEKLY;BYDAY=MO,TU")
    sh(
        f"am start -a android.intent.action.SET_TIMER --ei {extra}.LENGTH 300 --es {extra}.MESSAGE tea "
        f"--ez {extra}.SKIP_UI true"
    )
    timer = sh.rows(Countdown)[-1]
    assert (timer.label, timer.seconds, timer.ends_at) == ("tea", 300, "2026-03-02T09:05:00")
    assert "triggerTime=2026-03-02 09:00" not in sh("dumpsys alarm")
    assert "triggerTime=2026-03-03 07:05:00.000" in sh("dumpsys alarm")


def test_an_intent_that_nobody_takes(sh):
    out = sh("am start -a com.example.NOTHING")
    assert sh.status == 1
    assert out == "Starting: Intent { act=com.example.NOTHING }\n"
    sh("am start -n com.not.there/.Main")
    assert sh.status == 1


def test_an_address_that_is_none_is_opened_as_it_stands(sh):
    said = sh("am start -a android.intent.action.VIEW -d 'https://[a-z] reboot'")
    assert "dat=https://[a-z] reboot/..." in said


def test_call_and_launch(sh):
    sh("am start -a android.intent.action.CALL -d tel:+15550103")
    assert (sh.rows(Call)[-1].who, sh.rows(Call)[-1].direction) == ("Diana Novak", "out")
    assert "mCallState=2" in sh("dumpsys telephony.registry")
    sh("am start -n com.whatsapp/.HomeActivity")
    assert sh.one(Screen).view == "WhatsApp"
    assert "topResumedActivity=ActivityRecord{" in sh("dumpsys activity activities")
    assert sh("pidof com.whatsapp") != ""
    sh("am force-stop com.whatsapp")
    assert sh("pidof com.whatsapp") == ""
    assert sh.status == 1
    assert "monkey aborted" in sh("monkey -p com.not.there -c android.intent.category.LAUNCHER 1")


def test_contacts_through_content(sh):
    raw, data = "content://com.android.contacts/raw_contacts", "content://com.android.contacts/data"
    sh(f"content insert --uri {raw} --bind account_type:n: --bind account_name:n:")
    ident = sh.rows(Person)[-1].id.rpartition("_")[2].lstrip("0")
    for kind, value in (("name", "Zed O'Hara: 2nd"), ("phone_v2", "+15550777")):
        quoted = value.replace("'", "'\\''")
        bound = f"--bind mimetype:s:vnd.android.cursor.item/{kind} --bind 'data1:s:{quoted}'"
        sh(f"content insert --uri {data} --bind raw_contact_id:i:{ident} {bound}")
    assert (sh.rows(Person)[-1].name, sh.rows(Person)[-1].phone) == ("Zed O'Hara: 2nd", "+15550777")
    out = sh(
        f"content query --uri {data} --projection data1 --where \"raw_contact_id={ident} AND mimetype LIKE '%phone%'\""
    )
    assert out == "Row: 0 data1=+15550777\n"
    sh(f"content delete --uri {raw} --where _id={ident}")
    assert (
        sh("content query --uri content://com.android.contacts/raw_contacts --where \"display_name='x'\"")
        == "No result found.\n"
    )
    assert len(sh.rows(Person)) == 12


def test_calendar_and_words_through_content(sh):
    events = "content://com.android.calendar/events"
    # 2026-03-05 14:30 in America/Denver (UTC-7) is 21:30 UTC
    sh(
        f"content insert --uri {events} --bind calendar_id:i:1 --bind title:s:Review "
        "--bind dtstart:l:1772746200000 --bind allDay:i:0"
    )
    row = sh.rows(Event)[-1]
    assert (row.event, row.date, row.time) == ("Review", "2026-03-05", "14:30")
    assert "dtstart=1772746200000" in sh(
        f"content query --uri {events} --projection title:dtstart --where \"title='Review'\""
    )
    sh("content insert --uri content://user_dictionary/words --bind word:s:'see you' --bind shortcut:s:cu")
    assert (sh.rows(TextShortcut)[-1].shortcut, sh.rows(TextShortcut)[-1].phrase) == ("cu", "see you")
    sh("content query --uri content://nobody/x")
    assert sh.status == 1


def test_packages_and_permissions(sh):
    assert "package:com.spotify.music" in sh("pm list packages -3").splitlines()
    assert "package:com.android.settings" in sh("pm list packages -s").splitlines()
    assert sh("pm uninstall com.netflix.mediaclient") == "Success\n"
    assert next(row for row in sh.rows(App) if row.name == "Netflix").installed is False
    assert sh("pm uninstall com.android.settings") == "Failure [DELETE_FAILED_INTERNAL_ERROR]\n"
    sh("pm grant com.spotify.music android.permission.CAMERA")
    assert "camera" in next(row for row in sh.rows(App) if row.name == "Spotify").permissions
    assert "android.permission.CAMERA: granted=true" in sh("dumpsys package com.spotify.music")
    assert sh("cmd package resolve-activity --brief com.whatsapp").splitlines()[-1] == "com.whatsapp/.HomeActivity"
    assert sh("cmd package resolve-activity --brief com.nobody") == "No activity found\n"
    sh("cmd appops set com.whatsapp RUN_ANY_IN_BACKGROUND ignore")
    assert sh.rows(AppBackground)[-1] == AppBackground("WhatsApp", True)
    assert sh("cmd appops get com.whatsapp RUN_ANY_IN_BACKGROUND") == "RUN_ANY_IN_BACKGROUND: ignore\n"
    sh("cmd role add-role-holder --user 0 android.app.role.EMAIL com.whatsapp")
    assert next(row for row in sh.rows(DefaultApp) if row.role == "email").app == "WhatsApp"


def test_users_and_power(sh):
    assert sh("pm create-user Kid") == "Success: created user id 11\n"
    assert sh("pm list users").splitlines()[1] == "\tUserInfo{0:Owner:4c13} running"
    sh("am switch-user 11")
    assert sh("am get-current-user") == "11\n"
    assert sh("pm remove-user 11") == ""
    sh("svc power reboot")
    assert sh.one(Power).restarts == 1


def test_storage(sh):
    assert sh("stat -c %s/%Y /sdcard/Pictures/Whiteboard.png") == "2100000/1772064000\n"
    assert "/sdcard/Download/Boarding_Pass.pdf\0" in sh("find /sdcard -mindepth 1 -type f -print0")
    sh("mv /sdcard/Documents/Resume.pdf /sdcard/Download/CV.pdf")
    row = next(row for row in sh.rows(File) if row.name == "CV.pdf")
    assert (row.folder, row.size_mb) == ("Downloads", 0.3)
    assert sh("rm /sdcard/Download/CV.pdf; ls /sdcard/Download/CV.pdf") == ""
    sh("input keyevent KEYCODE_CAMERA; input keyevent KEYCODE_CAMERA")
    assert sh("ls /sdcard/DCIM/Camera") == "IMG_20260302_090000.jpg\n"
    assert next(row for row in sh.rows(File) if row.name.startswith("IMG_")).folder == "Pictures"
    assert sh("cat /proc/meminfo").splitlines()[0] == "MemTotal:       12582912 kB"


def test_media(sh):
    sh("am start -a android.media.action.MEDIA_PLAY_FROM_SEARCH --es query jazz")
    assert (sh.one(Player).state, sh.one(Player).title) == ("playing", "jazz")
    assert "state=PlaybackState {state=PLAYING(3)" in sh("dumpsys media_session")
    sh("cmd media_session dispatch pause")
    assert sh.one(Player).state == "paused"
    sh("input keyevent KEYCODE_MEDIA_PLAY_PAUSE")
    assert sh.one(Player).state == "playing"


def test_a_service_that_an_older_android_does_not_have():
    from device.handset.profile import Profile

    terminal = Terminal()
    terminal.phone = Handset(Profile(sdk=29))
    assert terminal("cmd wifi status") == ""
    assert terminal.status == 20
    assert terminal("getprop ro.build.version.release") == "10\n"


def test_text_that_no_key_types_is_refused(sh):
    sh("input text 'caf\u00e9'")
    assert sh.status == 255


def test_input_methods(sh):
    latin = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME"
    assert sh("ime list -s") == latin + "\n"
    sh("ime set com.other/.Ime")
    assert sh.status == 255
    assert sh("settings get secure default_input_method") == latin + "\n"


def test_a_folder_is_renamed_with_what_lies_in_it(sh):
    from device.sandbox.rows.folders import Folder

    sh("mkdir -p /sdcard/Trips/2026; cp /sdcard/Download/Boarding_Pass.pdf /sdcard/Trips/2026/pass.pdf")
    sh("mv -n /sdcard/Trips /sdcard/Journeys")
    assert sh.status == 0
    assert sh("find /sdcard/Journeys -type f") == "/sdcard/Journeys/2026/pass.pdf\n"
    assert {"Journeys"} == {row.name for row in sh.rows(Folder)} & {"Trips", "Journeys"}
    assert next(row for row in sh.rows(File) if row.name == "pass.pdf").folder == "Journeys"
    sh("mv /sdcard/Journeys /sdcard/Journeys/inner")
    assert sh.status == 1
