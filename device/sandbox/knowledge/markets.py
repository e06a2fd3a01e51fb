"""Companies and indices with the price around which the sandbox lets them move. Prices are invented, not quoted."""

COMPANIES: dict[str, tuple[str, float, tuple[str, ...]]] = {
    "AAPL": ("Apple", 210.0, ("apple",)),
    "MSFT": ("Microsoft", 430.0, ("microsoft",)),
    "GOOGL": ("Alphabet", 175.0, ("alphabet", "google")),
    "AMZN": ("Amazon", 190.0, ("amazon",)),
    "META": ("Meta Platforms", 520.0, ("meta", "facebook", "meta platforms")),
    "TSLA": ("Tesla", 240.0, ("tesla",)),
    "NVDA": ("Nvidia", 125.0, ("nvidia",)),
    "NFLX": ("Netflix", 680.0, ("netflix",)),
    "INTC": ("Intel", 24.0, ("intel",)),
    "AMD": ("AMD", 150.0, ("amd", "advanced micro devices")),
    "IBM": ("IBM", 190.0, ("ibm",)),
    "ORCL": ("Oracle", 145.0, ("oracle",)),
    "DIS": ("Disney", 95.0, ("disney", "walt disney")),
    "KO": ("Coca-Cola", 66.0, ("coca cola", "coke")),
    "PEP": ("PepsiCo", 170.0, ("pepsi", "pepsico")),
    "MCD": ("McDonald's", 265.0, ("mcdonalds", "mcdonald")),
    "SBUX": ("Starbucks", 92.0, ("starbucks",)),
    "WMT": ("Walmart", 70.0, ("walmart", "wal mart")),
    "TGT": ("Target", 150.0, ("target",)),
    "COST": ("Costco", 860.0, ("costco",)),
    "NKE": ("Nike", 82.0, ("nike",)),
    "F": ("Ford", 11.0, ("ford",)),
    "GM": ("General Motors", 46.0, ("general motors", "gm")),
    "BA": ("Boeing", 165.0, ("boeing",)),
    "XOM": ("Exxon Mobil", 115.0, ("exxon", "exxon mobil")),
    "JPM": ("JPMorgan Chase", 205.0, ("jpmorgan", "jp morgan", "chase", "jpmorgan chase")),
    "V": ("Visa", 275.0, ("visa",)),
    "UBER": ("Uber", 72.0, ("uber",)),
    "SPOT": ("Spotify", 330.0, ("spotify",)),
    "SONY": ("Sony", 88.0, ("sony",)),
    "TM": ("Toyota", 180.0, ("toyota",)),
}
"""Ticker -> name, base price in US dollars, names as said (folded)."""

INDICES: dict[str, tuple[str, float, tuple[str, ...]]] = {
    "DJI": ("Dow Jones", 40_000.0, ("dow", "dow jones")),
    "SPX": ("S&P 500", 5_500.0, ("s p 500", "s p", "sp 500")),
    "IXIC": ("Nasdaq", 17_500.0, ("nasdaq",)),
}
"""Index -> name, base value, names as said."""
