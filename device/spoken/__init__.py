"""What people say in many ways, normalised in one place against a phone's clock.

Every reader is a pure function; what can't be read raises `Unreadable`, never a guess. `now` is the naive local time
of the phone's virtual clock. README.md holds the conventions and the measured table.
"""

from device.spoken.amounts import Amount, read_amount, read_number, read_percent
from device.spoken.contacts import match_contact
from device.spoken.durations import read_duration
from device.spoken.errors import Kind, Unreadable
from device.spoken.moments import read_date, read_dates, read_moment, read_recurrence, read_time, read_when
from device.spoken.money import read_currency, read_money
from device.spoken.phones import read_phone_number
from device.spoken.record import When
from device.spoken.recurrence import weekdays_of
from device.spoken.text import fold_text, plain

__all__ = [
    "Amount",
    "Kind",
    "Unreadable",
    "When",
    "fold_text",
    "match_contact",
    "plain",
    "read_amount",
    "read_currency",
    "read_date",
    "read_dates",
    "read_duration",
    "read_moment",
    "read_money",
    "read_number",
    "read_percent",
    "read_phone_number",
    "read_recurrence",
    "read_time",
    "read_when",
    "weekdays_of",
]
