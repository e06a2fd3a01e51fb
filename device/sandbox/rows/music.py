"""What the phone plays: one player for every kind of sound, and the music that it owns.

`Player` is a singleton, because a phone plays one thing at a time. Songs, playlists and opinions are tables.
"""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("player")
@dataclass(frozen=True, slots=True)
class Player:
    """What plays now, where in it, and how it goes on."""

    state: str = "idle"
    """idle, playing or paused."""
    kind: str = ""
    """music, radio, podcast, audiobook or audio; empty when nothing was ever played."""
    title: str = ""
    """Song, station, episode, book or sound."""
    artist: str = ""
    """Who made it: artist, podcast or author."""
    album: str = ""
    """Album, where one was asked for."""
    genre: str = ""
    """Genre, where one was asked for."""
    playlist: str = ""
    """Playlist, where one was asked for."""
    period: str = ""
    """Year (`1986`) or decade (`1990s`) that was asked for."""
    order: str = ""
    """newest, oldest or popular, where an order was asked for."""
    source: str = "library"
    """library, stream, or the service as it was said."""
    mode: str = "sequential"
    """shuffle, repeat_one, repeat_all or sequential."""
    position_s: int = 0
    """Seconds into it at `since`."""
    since: str = ""
    """ISO moment at which playing last began or stopped."""
    queue: tuple[str, ...] = ()
    """Ids of the songs or episodes in play order; empty for a stream."""
    index: int = 0
    """Where in the queue, or which track of a stream."""


@row("songs", key="id")
@dataclass(frozen=True, slots=True)
class Song:
    """One song in the library."""

    id: str
    """Seeded id, `song_001`."""
    title: str
    """As on the record."""
    artist: str
    """Performer or composer."""
    album: str
    """As on the record."""
    genre: str
    """One of the library's genres, lower case."""
    year: int
    """Year of release."""
    plays: int = 0
    """How often it was played."""


@row("playlists", key="id")
@dataclass(frozen=True, slots=True)
class Playlist:
    """A named list of songs."""

    id: str
    """Seeded id, `playlist_001`."""
    name: str
    """As said at its creation."""
    belongs_to: str = "me"
    """`me`, or the person who shared it."""


@row("playlist_items", key="id")
@dataclass(frozen=True, slots=True)
class PlaylistItem:
    """One song, album or artist on a playlist."""

    id: str
    """Seeded id, `track_001`."""
    playlist_id: str
    """Id of the playlist."""
    title: str
    """Song or album; empty when a whole artist was added."""
    artist: str = ""
    """Performer, where known."""


@row("tastes", key="id")
@dataclass(frozen=True, slots=True)
class Taste:
    """One opinion on music."""

    id: str
    """Seeded id, `taste_001`."""
    subject: str
    """song, artist or genre."""
    name: str
    """What was liked or not."""
    opinion: str
    """like or dislike."""


_SONGS = (
    ("Bohemian Rhapsody", "Queen", "A Night at the Opera", "rock", 1975, 61),
    ("Somebody to Love", "Queen", "A Day at the Races", "rock", 1976, 22),
    ("Under Pressure", "Queen", "Hot Space", "rock", 1982, 18),
    ("Hotel California", "Eagles", "Hotel California", "rock", 1976, 34),
    ("Take It Easy", "Eagles", "Eagles", "rock", 1972, 9),
    ("Here Comes the Sun", "The Beatles", "Abbey Road", "rock", 1969, 47),
    ("Come Together", "The Beatles", "Abbey Road", "rock", 1969, 20),
    ("Yesterday", "The Beatles", "Help!", "rock", 1965, 31),
    ("Smells Like Teen Spirit", "Nirvana", "Nevermind", "grunge", 1991, 27),
    ("Lithium", "Nirvana", "Nevermind", "grunge", 1991, 11),
    ("Wonderwall", "Oasis", "Morning Glory", "britpop", 1995, 25),
    ("Common People", "Pulp", "Different Class", "britpop", 1995, 14),
    ("Yellow", "Coldplay", "Parachutes", "pop", 2000, 38),
    ("Clocks", "Coldplay", "A Rush of Blood to the Head", "pop", 2002, 29),
    ("Rolling in the Deep", "Adele", "21", "pop", 2010, 44),
    ("Someone Like You", "Adele", "21", "pop", 2011, 33),
    ("Hello", "Adele", "25", "pop", 2015, 36),
    ("Poker Face", "Lady Gaga", "The Fame", "pop", 2008, 21),
    ("Shape of You", "Ed Sheeran", "Divide", "pop", 2017, 52),
    ("Perfect", "Ed Sheeran", "Divide", "pop", 2017, 30),
    ("Billie Jean", "Michael Jackson", "Thriller", "pop", 1982, 40),
    ("Thriller", "Michael Jackson", "Thriller", "pop", 1982, 37),
    ("Superstition", "Stevie Wonder", "Talking Book", "soul", 1972, 26),
    ("Respect", "Aretha Franklin", "I Never Loved a Man", "soul", 1967, 23),
    ("Feeling Good", "Nina Simone", "I Put a Spell on You", "jazz", 1965, 28),
    ("So What", "Miles Davis", "Kind of Blue", "jazz", 1959, 16),
    ("Blue in Green", "Miles Davis", "Kind of Blue", "jazz", 1959, 12),
    ("Take Five", "Dave Brubeck", "Time Out", "jazz", 1959, 19),
    ("Summertime", "Ella Fitzgerald", "Porgy and Bess", "jazz", 1958, 15),
    ("Clair de Lune", "Debussy", "Suite bergamasque", "classical", 1905, 32),
    ("Moonlight Sonata", "Beethoven", "Piano Sonatas", "classical", 1801, 24),
    ("The Four Seasons", "Vivaldi", "Violin Concertos", "classical", 1725, 17),
    ("Gymnopedie No. 1", "Satie", "Gymnopedies", "classical", 1888, 13),
    ("Jolene", "Dolly Parton", "Jolene", "country", 1973, 35),
    ("Ring of Fire", "Johnny Cash", "Ring of Fire", "country", 1963, 20),
    ("Hurt", "Johnny Cash", "American IV", "country", 2002, 18),
    ("One More Time", "Daft Punk", "Discovery", "electronic", 2000, 29),
    ("Get Lucky", "Daft Punk", "Random Access Memories", "electronic", 2013, 31),
    ("Lose Yourself", "Eminem", "8 Mile", "hip hop", 2002, 27),
    ("No Woman, No Cry", "Bob Marley", "Natty Dread", "reggae", 1974, 22),
)

_PLAYLISTS: dict[str, tuple[str, ...]] = {
    "Morning Run": ("Get Lucky", "Lose Yourself", "Superstition", "Billie Jean"),
    "Dinner": ("So What", "Take Five", "Summertime", "Feeling Good"),
    "Road Trip": ("Take It Easy", "Hotel California", "Ring of Fire", "Wonderwall"),
    "Focus": ("Clair de Lune", "Gymnopedie No. 1", "Moonlight Sonata"),
    "Party": ("One More Time", "Poker Face", "Thriller", "Shape of You"),
}


@plant
def music(phone: Sandbox) -> None:
    """Forty songs, and five playlists made of them."""
    artists: dict[str, str] = {}
    for title, artist, album, genre, year, plays in _SONGS:
        phone.table(Song).insert(Song(phone.new_id("song"), title, artist, album, genre, year, plays))
        artists[title] = artist
    for name, titles in _PLAYLISTS.items():
        made = phone.table(Playlist).insert(Playlist(phone.new_id("playlist"), name))
        for title in titles:
            item = PlaylistItem(phone.new_id("track"), made.id, title, artists[title])
            phone.table(PlaylistItem).insert(item)
