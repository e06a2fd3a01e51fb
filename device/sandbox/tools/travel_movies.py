"""Movies and showtimes: what runs this week, and when, in the theaters around."""

from device.sandbox.api import Domain, Effect, Sandbox, Text, When, folded, not_found, tool
from device.sandbox.tools.travel_support import need_online, span_of
from runtime.contract import Json

MOVIES = {
    "The Last Lighthouse": "drama",
    "Steel Horizon": "action",
    "Paper Planets": "animation",
    "Midnight Pantry": "comedy",
    "Hollow Street": "horror",
    "Orbit Nine": "science fiction",
    "Two Tickets to Lisbon": "romance",
    "The Copper Ledger": "thriller",
}
"""Title and genre of what runs in every theater."""
THEATERS = ("Union Cinema", "Lakeside Movies", "Grand Palace Theater")
"""Theaters of the neighbourhood."""
_GENRES = {"sci fi": "science fiction", "scifi": "science fiction", "cartoon": "animation", "animated": "animation"} | {
    "funny": "comedy", "scary": "horror", "romantic": "romance", "kids": "animation", "family": "animation"
}  # fmt: skip
_ANY = frozenset(("movie", "film", "any", "good", "new", "best", "popular", "latest", "top", "movies", "films"))


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "what's playing at the movies tonight",
        "when is Steel Horizon on",
        "any good comedies in theaters",
        "showtimes at Union Cinema on Saturday",
        "which animated films are running nearby",
        "I want to see Amber Road at the cinema",
        "is Night Ferry still playing",
        "the schedule for The Long Winter",
    ),
)
def find_showtimes(
    phone: Sandbox,
    movie: Text | None = None,
    movieType: Text | None = None,
    theater: Text | None = None,
    when: When | None = None,
) -> Json:
    """Movies and showtimes."""
    need_online(phone, "look for showtimes")
    span = span_of(phone, when)
    if span.last < phone.now.date():
        raise not_found(f"{span.last} has passed; showtimes are known from {phone.now.date()} on")
    titles = [movie] if movie else _of_type(movieType)
    house, day = theater or THEATERS[0], span.first.isoformat()
    shows = [{"movie": title, "times": _times(phone, title, house, day, span.time)} for title in titles]
    shows = [show for show in shows if show["times"]]
    if not shows:
        raise not_found(f"nothing runs at {house} after {span.time} on {day}; ask for an earlier time or another day")
    return {"theater": house, "date": day, "shows": shows}


def _of_type(said: str | None) -> list[str]:
    """Titles of the genre; all of them where a word names no genre ("good movies")."""
    if said is None:
        return list(MOVIES)
    words = [word for word in folded(said).split() if word not in _ANY]
    genre = _GENRES.get(" ".join(words), " ".join(words))
    genre = genre[:-3] + "y" if genre.endswith("ies") else genre.removesuffix("s")
    return [title for title, kind in MOVIES.items() if not genre or genre == kind] or list(MOVIES)


def _times(phone: Sandbox, title: str, house: str, day: str, after: str | None) -> list[str]:
    """A start every two and a half hours from noon on, those from `after` on."""
    first = phone.chance("showtimes", folded(title), folded(house), day).randrange(12 * 4, 13 * 4)
    times = [f"{start // 4:02d}:{start % 4 * 15:02d}" for start in range(first, 23 * 4, 10)]
    return [time for time in times if after is None or time >= after]
