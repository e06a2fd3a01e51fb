"""News and stock prices: open-world answers, drawn by chance from the world's seed so that each replays identically."""

import datetime as dt

from device.sandbox.api import Date, Domain, Effect, Json, Sandbox, Text, bad_argument, folded, not_found, tool
from device.sandbox.knowledge.headlines import ABOUT, LOCAL, PATTERNS, SOURCES, TOPICS
from device.sandbox.knowledge.markets import COMPANIES, INDICES
from device.sandbox.tools.lookup import need_online

SHOWN = 3
"""Headlines in one answer."""
OLDEST = 30
"""Days that the news archive reaches back."""


@tool(
    Domain.UTILITIES,
    effects=Effect.READ,
    phrases=(
        "what's in the news today",
        "any headlines about technology",
        "read me the sports news",
        "what happened in Boston yesterday",
        "news from the Harbor Post",
    ),
)
def search_news(
    phone: Sandbox,
    topic: Text | None = None,
    source: Text | None = None,
    location: Text | None = None,
    date: Date | None = None,
) -> Json:
    """News."""
    day = _past_day(phone, date, "news")
    if (phone.now.date() - day).days > OLDEST:
        raise bad_argument(f"`date` is {day}; the archive reaches back {OLDEST} days", argument="date")
    paper = None if source is None else _paper(source)
    need_online(phone, "fetch the news")
    draw = phone.chance("news", topic or "", paper or "", location or "", day.isoformat())
    titles = draw.sample(_titles(topic, location), SHOWN)
    papers = sorted(set(SOURCES.values()))
    articles = [{"title": title, "source": paper or draw.choice(papers)} for title in titles]
    return {"date": day.isoformat(), "count": len(articles), "articles": articles}


def _titles(topic: str | None, location: str | None) -> list[str]:
    """The headlines that may be drawn: of the topic, of the place, or of all topics."""
    if topic is not None:
        name = folded(topic).removesuffix(" news")
        known = PATTERNS.get(TOPICS.get(name, name))
        return list(known) if known else [pattern.format(topic=topic[:1].upper() + topic[1:]) for pattern in ABOUT]
    if location is not None:
        return [pattern.format(place=location) for pattern in LOCAL]
    return [title for titles in PATTERNS.values() for title in titles]


def _paper(said: str) -> str:
    found = SOURCES.get(folded(said))
    if found is None:
        valid = sorted(set(SOURCES.values()))
        raise not_found(f"no news source `{said}`; there are {', '.join(valid)}", valid=valid)
    return found


def _past_day(phone: Sandbox, date: str | None, what: str) -> dt.date:
    today = phone.now.date()
    day = today if date is None else dt.date.fromisoformat(date)
    if day > today:
        raise bad_argument(f"`date` is {day}, which lies ahead; {what} end with today, {today}", argument="date")
    return day


@tool(
    Domain.UTILITIES,
    effects=Effect.READ,
    phrases=(
        "how is Apple stock doing",
        "what did Tesla close at yesterday",
        "is the market up today",
        "share price of Nike",
        "check the Nasdaq",
    ),
)
def query_stock(phone: Sandbox, company: Text | None = None, date: Date | None = None) -> Json:
    """Stock prices."""
    day = _past_day(phone, date, "stock prices")
    while day.weekday() > 4:
        day -= dt.timedelta(days=1)
    need_online(phone, "fetch stock prices")
    if company is None or folded(company) in ("market", "stock market", "markets"):
        return {
            "date": day.isoformat(),
            "indices": [_quote(phone, symbol, name, base, day) for symbol, (name, base, _) in INDICES.items()],
        }
    said = folded(company)
    for form in (said, said.removesuffix(" stock"), said.removesuffix(" shares"), said.removesuffix(" inc")):
        for symbol, (name, base, names) in {**COMPANIES, **INDICES}.items():
            if form in names or form == symbol.casefold():
                return {"date": day.isoformat(), "currency": "USD"} | _quote(phone, symbol, name, base, day)
    raise not_found(f"no listed company `{company}` is known; say its usual name or its ticker", company=company)


def _quote(phone: Sandbox, symbol: str, name: str, base: float, day: dt.date) -> Json:
    """Price at the end of the day and its change from the trading day before, in percent."""
    before = day - dt.timedelta(days=3 if day.weekday() == 0 else 1)
    price, last = (
        round(base * (1 + phone.chance("stock", symbol, when.isoformat()).uniform(-0.04, 0.04)), 2)
        for when in (day, before)
    )
    return {"company": name, "symbol": symbol, "price": price, "changePercent": round((price / last - 1) * 100, 2)}
