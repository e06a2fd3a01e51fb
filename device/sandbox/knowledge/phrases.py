"""A phrase book: one line for each English phrase, in the order of `LANGUAGES`."""

from functools import cache

from device.spoken.text import fold_text

LANGUAGES = ("english", "spanish", "french", "german", "italian", "portuguese", "japanese", "chinese")
"""Languages of the book; the first is the one it is written in."""

ALIASES = {
    "en": "english", "es": "spanish", "espanol": "spanish", "castilian": "spanish", "fr": "french",
    "francais": "french",
    "de": "german", "deutsch": "german", "it": "italian", "italiano": "italian", "pt": "portuguese",
    "brazilian": "portuguese", "ja": "japanese", "zh": "chinese", "mandarin": "chinese",
    "mandarin chinese": "chinese",
}  # fmt: skip
"""Other names of the languages, folded."""

BOOK: tuple[tuple[str, ...], ...] = (
    ("hello", "hola", "bonjour", "hallo", "ciao", "olá", "こんにちは", "你好"),
    ("good morning", "buenos días", "bonjour", "guten Morgen", "buongiorno", "bom dia", "おはようございます",
     "早上好"),
    ("good evening", "buenas tardes", "bonsoir", "guten Abend", "buonasera", "boa noite", "こんばんは", "晚上好"),
    ("good night", "buenas noches", "bonne nuit", "gute Nacht", "buonanotte", "boa noite", "おやすみなさい", "晚安"),
    ("goodbye", "adiós", "au revoir", "auf Wiedersehen", "arrivederci", "adeus", "さようなら", "再见"),
    ("thank you", "gracias", "merci", "danke", "grazie", "obrigado", "ありがとうございます", "谢谢"),
    ("please", "por favor", "s'il vous plaît", "bitte", "per favore", "por favor", "お願いします", "请"),
    ("excuse me", "perdón", "excusez-moi", "Entschuldigung", "mi scusi", "com licença", "すみません", "打扰一下"),
    ("i am sorry", "lo siento", "je suis désolé", "es tut mir leid", "mi dispiace", "sinto muito", "ごめんなさい",
     "对不起"),
    ("yes", "sí", "oui", "ja", "sì", "sim", "はい", "是"),
    ("no", "no", "non", "nein", "no", "não", "いいえ", "不"),
    ("how are you", "¿cómo estás?", "comment allez-vous ?", "wie geht es dir?", "come stai?", "como vai?",
     "お元気ですか", "你好吗"),
    ("i love you", "te quiero", "je t'aime", "ich liebe dich", "ti amo", "eu te amo", "愛してる", "我爱你"),
    ("happy birthday", "feliz cumpleaños", "joyeux anniversaire", "alles Gute zum Geburtstag", "buon compleanno",
     "feliz aniversário", "お誕生日おめでとう", "生日快乐"),
    ("congratulations", "felicidades", "félicitations", "herzlichen Glückwunsch", "congratulazioni", "parabéns",
     "おめでとうございます", "恭喜"),
    ("where is the bathroom", "¿dónde está el baño?", "où sont les toilettes ?", "wo ist die Toilette?",
     "dov'è il bagno?",
     "onde fica o banheiro?", "トイレはどこですか", "洗手间在哪里"),
    ("where is the train station", "¿dónde está la estación de tren?", "où est la gare ?", "wo ist der Bahnhof?",
     "dov'è la stazione?", "onde fica a estação de trem?", "駅はどこですか", "火车站在哪里"),
    ("how much does it cost", "¿cuánto cuesta?", "combien ça coûte ?", "wie viel kostet das?", "quanto costa?",
     "quanto custa?", "いくらですか", "多少钱"),
    ("the check please", "la cuenta, por favor", "l'addition, s'il vous plaît", "die Rechnung, bitte",
     "il conto, per favore", "a conta, por favor", "お会計お願いします", "请结账"),
    ("i need help", "necesito ayuda", "j'ai besoin d'aide", "ich brauche Hilfe", "ho bisogno di aiuto",
     "preciso de ajuda",
     "助けてください", "我需要帮助"),
    ("i do not understand", "no entiendo", "je ne comprends pas", "ich verstehe nicht", "non capisco", "não entendo",
     "わかりません", "我不明白"),
    ("do you speak english", "¿habla inglés?", "parlez-vous anglais ?", "sprechen Sie Englisch?", "parla inglese?",
     "você fala inglês?", "英語を話せますか", "你会说英语吗"),
    ("my name is", "me llamo", "je m'appelle", "ich heiße", "mi chiamo", "meu nome é", "私の名前は", "我叫"),
    ("see you tomorrow", "hasta mañana", "à demain", "bis morgen", "a domani", "até amanhã", "また明日", "明天见"),
    ("water", "agua", "eau", "Wasser", "acqua", "água", "水", "水"),
    ("bread", "pan", "pain", "Brot", "pane", "pão", "パン", "面包"),
    ("coffee", "café", "café", "Kaffee", "caffè", "café", "コーヒー", "咖啡"),
    ("beer", "cerveza", "bière", "Bier", "birra", "cerveja", "ビール", "啤酒"),
    ("dog", "perro", "chien", "Hund", "cane", "cachorro", "犬", "狗"),
    ("cat", "gato", "chat", "Katze", "gatto", "gato", "猫", "猫"),
    ("friend", "amigo", "ami", "Freund", "amico", "amigo", "友達", "朋友"),
    ("house", "casa", "maison", "Haus", "casa", "casa", "家", "房子"),
    ("airport", "aeropuerto", "aéroport", "Flughafen", "aeroporto", "aeroporto", "空港", "机场"),
    ("hospital", "hospital", "hôpital", "Krankenhaus", "ospedale", "hospital", "病院", "医院"),
    ("ticket", "billete", "billet", "Fahrkarte", "biglietto", "bilhete", "切符", "票"),
)  # fmt: skip

_SAME = {
    "hi": "hello", "bye": "goodbye", "thanks": "thank you", "sorry": "i am sorry", "im sorry": "i am sorry",
    "where is toilet": "where is bathroom", "where is restroom": "where is bathroom",
    "where is bathroom": "where is bathroom",
    "wheres bathroom": "where is bathroom", "how much is it": "how much does it cost",
    "how much is this": "how much does it cost",
    "i dont understand": "i do not understand", "bill please": "check please", "help me": "i need help",
    "": "thank you",
}  # fmt: skip
"""Folded English forms that mean a phrase of the book (politeness alone folds to nothing)."""


def language_named(said: str) -> str | None:
    """The language of the book that is meant, or None."""
    text = fold_text(said)
    return text if text in LANGUAGES else ALIASES.get(text)


def _key(text: str) -> str:
    return fold_text(text) or text.strip(" .!?¿¡").casefold()


@cache
def _index(language: str) -> dict[str, tuple[str, ...]]:
    at = LANGUAGES.index(language)
    return {_key(line[at]): line for line in reversed(BOOK)}


def translate(text: str, source: str, target: str) -> str | None:
    """The phrase in `target`, or None where the book doesn't have it."""
    key, index = _key(text), _index(source)
    line = index.get(key)
    if line is None and source == "english":
        line = index.get(_key(_SAME.get(key, key)))
    return None if line is None else line[LANGUAGES.index(target)]
