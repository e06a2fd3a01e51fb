"""Questions of fact that the phone can answer: attribute -> subject -> answer, and the words that ask for each.

An attribute is asked for when one of its groups of words stands whole in the question; a subject when its name does.
"""

import re

from device.spoken.text import fold_text

ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "capital": ("capital",),
    "currency": ("currency", "money"),
    "language": ("language", "languages", "speak in", "spoken in"),
    "continent": ("continent",),
    "height": ("how tall", "how high", "height", "elevation"),
    "length": ("how long", "length"),
    "author": ("who wrote", "author", "written by", "who is writer"),
    "painter": ("who painted", "painted by", "painter"),
    "inventor": ("who invented", "inventor", "invented by"),
    "discoverer": ("who discovered", "discovered by"),
    "born": ("when born", "born", "birthday", "birth date"),
    "distance": ("how far", "distance"),
    "moons": ("how many moons", "moons"),
    "year": ("what year", "which year", "when did", "when was", "when"),
    "boiling point": ("boiling point", "boil"),
    "symbol": ("symbol", "chemical symbol"),
    "speed": ("how fast", "speed"),
    "count": ("how many",),
    "largest": ("largest", "biggest"),
    "tallest": ("tallest", "highest"),
    "longest": ("longest",),
}
"""How each attribute is asked for; the first group that stands in the question decides."""

FACTS: dict[str, dict[str, str]] = {
    "capital": {
        "france": "Paris", "germany": "Berlin", "spain": "Madrid", "italy": "Rome", "portugal": "Lisbon",
        "japan": "Tokyo",
        "china": "Beijing", "india": "New Delhi", "australia": "Canberra", "canada": "Ottawa",
        "mexico": "Mexico City",
        "brazil": "Brasília", "argentina": "Buenos Aires", "peru": "Lima", "egypt": "Cairo", "kenya": "Nairobi",
        "norway": "Oslo", "sweden": "Stockholm", "finland": "Helsinki", "denmark": "Copenhagen", "greece": "Athens",
        "turkey": "Ankara", "russia": "Moscow", "poland": "Warsaw", "austria": "Vienna", "switzerland": "Bern",
        "south korea": "Seoul", "thailand": "Bangkok", "vietnam": "Hanoi", "new zealand": "Wellington",
        "ireland": "Dublin",
        "united states": "Washington, D.C.", "england": "London", "texas": "Austin", "california": "Sacramento",
        "colorado": "Denver", "new york": "Albany", "florida": "Tallahassee",
    },
    "currency": {
        "japan": "the yen", "china": "the yuan", "india": "the rupee", "france": "the euro", "germany": "the euro",
        "england": "the pound sterling", "switzerland": "the Swiss franc", "mexico": "the peso", "brazil": "the real",
        "thailand": "the baht", "south korea": "the won", "russia": "the ruble", "poland": "the złoty",
    },
    "language": {
        "brazil": "Portuguese", "argentina": "Spanish", "egypt": "Arabic", "austria": "German",
        "switzerland": "German, French, Italian and Romansh", "canada": "English and French", "mexico": "Spanish",
    },
    "continent": {"egypt": "Africa", "brazil": "South America", "japan": "Asia", "france": "Europe",
        "kenya": "Africa"},
    "height": {
        "mount everest": "8,849 meters (29,032 feet)", "everest": "8,849 meters (29,032 feet)",
        "eiffel tower": "330 meters (1,083 feet)", "burj khalifa": "828 meters (2,717 feet)",
        "kilimanjaro": "5,895 meters (19,341 feet)", "denali": "6,190 meters (20,310 feet)",
        "empire state building": "443 meters (1,454 feet) to the tip",
        "mont blanc": "about 4,806 meters (15,768 feet)",
    },
    "length": {"nile": "about 6,650 kilometers", "amazon": "about 6,400 kilometers",
        "mississippi": "about 3,770 kilometers"},
    "author": {
        "hamlet": "William Shakespeare", "romeo and juliet": "William Shakespeare", "1984": "George Orwell",
        "animal farm": "George Orwell", "pride and prejudice": "Jane Austen", "moby dick": "Herman Melville",
        "war and peace": "Leo Tolstoy", "don quixote": "Miguel de Cervantes", "frankenstein": "Mary Shelley",
        "dracula": "Bram Stoker", "hobbit": "J. R. R. Tolkien", "lord of rings": "J. R. R. Tolkien",
        "great gatsby": "F. Scott Fitzgerald", "odyssey": "Homer", "ulysses": "James Joyce",
    },
    "painter": {
        "mona lisa": "Leonardo da Vinci", "starry night": "Vincent van Gogh", "guernica": "Pablo Picasso",
        "girl with pearl earring": "Johannes Vermeer", "scream": "Edvard Munch",
    },
    "inventor": {
        "telephone": "Alexander Graham Bell holds the patent of 1876", "phonograph": "Thomas Edison, in 1877",
        "world wide web": "Tim Berners Lee, in 1989", "dynamite": "Alfred Nobel, in 1867",
        "printing press": "Johannes Gutenberg, about 1450",
    },
    "discoverer": {
        "penicillin": "Alexander Fleming, in 1928", "radium": "Marie and Pierre Curie, in 1898",
        "uranus": "William Herschel, in 1781", "electron": "J. J. Thomson, in 1897",
    },
    "born": {
        "albert einstein": "14 March 1879", "einstein": "14 March 1879", "isaac newton": "4 January 1643",
        "marie curie": "7 November 1867", "abraham lincoln": "12 February 1809", "leonardo da vinci": "15 April 1452",
        "mozart": "27 January 1756", "charles darwin": "12 February 1809", "nelson mandela": "18 July 1918",
    },
    "distance": {
        "moon": "about 384,400 kilometers from Earth", "sun": "about 150 million kilometers from Earth",
        "mars": "about 225 million kilometers from Earth on average",
    },
    "moons": {"earth": "1", "mars": "2", "mercury": "none", "venus": "none"},
    "year": {
        "titanic": "1912 (the Titanic sank on 15 April)", "world war 2 end": "1945",
        "world war 1 start": "1914",  "moon landing": "1969",
        "berlin wall": "1989 (it fell on 9 November)",
        "french revolution": "1789", "declaration of independence": "1776",
    },
    "boiling point": {"water": "100 degrees Celsius (212 Fahrenheit) at sea level", "ethanol": "78 degrees Celsius"},
    "symbol": {"gold": "Au", "silver": "Ag", "iron": "Fe", "oxygen": "O", "sodium": "Na", "lead": "Pb",
        "helium": "He"},
    "speed": {"light": "299,792,458 meters per second",
        "sound": "about 343 meters per second in air at 20 degrees Celsius"},
    "count": {
        "bones": "206 in an adult human", "planets": "8 in the solar system", "states": "50 in the United States",
        "continents": "7", "strings violin": "4", "keys piano": "88", "players soccer team": "11",
        "days leap year": "366",
    },
    "largest": {"planet": "Jupiter", "ocean": "the Pacific", "country": "Russia", "animal": "the blue whale",
        "desert": "Antarctica"},
    "tallest": {"mountain": "Mount Everest", "building": "the Burj Khalifa", "animal": "the giraffe"},
    "longest": {"river": "the Nile, about 6,650 kilometers"},
}  # fmt: skip
"""Answers."""

_SAME = {
    "usa": "united states", "us": "united states", "america": "united states", "uk": "england", "britain": "england",
    "ended": "end", "ends": "end", "over": "end", "started": "start", "begin": "start", "began": "start", "ii": "2",
    "i": "1",
}  # fmt: skip
"""Words that mean a word of the table."""

_ASKING = frozenset(
    (
        "what", "which", "who", "where", "when", "is", "are", "was", "were", "do", "does", "did", "has", "have",
        "had", "the", "a", "an", "of", "in", "on", "at", "to", "for", "from", "by", "and", "be", "it", "they",
        "tell", "me", "you", "know", "can", "could", "please", "how", "many", "far", "away", "year", "there",
        "called", "name", "city", "country", "use", "used", "world", "earth", "all", "human", "adult", "person",
        "body", "official", "chemical", "temperature", "element", "planet", "mountain", "river", "book",
        "novel", "painting", "play", "solar", "system", "long", "tall", "high", "fast", "speak", "spoken",
        "wrote", "happen", "happened", "fall", "fell", "sink", "sank", "land",
    )
)  # fmt: skip
"""Words that a question may hold beside attribute and subject; any other word asks for something else."""


def look_up(question: str) -> str | None:
    """The answer to a question, or None where the table has no entry for exactly that."""
    said = fold_text(re.sub(r"['’]s\b", "", question))
    text = " ".join(_SAME.get(word, word) for word in said.split())
    padded, words = f" {text} ", set(text.split())
    for attribute, groups in ATTRIBUTES.items():
        group = next((group for group in groups if f" {group} " in padded), None)
        if group is None:
            continue
        names = [name for name in FACTS[attribute] if set(name.split()) <= words]
        name = max(names, key=len, default=None)
        if name is not None and words <= _ASKING | set(group.split()) | set(name.split()):
            return FACTS[attribute][name]
    return None
