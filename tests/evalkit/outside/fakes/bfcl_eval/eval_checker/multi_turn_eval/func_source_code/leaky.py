"""A class that shares state between its instances: nobody can give it fresh ones."""


class Leaky:
    """Counts over all instances."""

    total = []  # noqa: RUF012 - the leak

    def _load_scenario(self, scenario, long_context=False):
        self.seen = 0

    def bump(self):
        self.total.append(1)
        self.seen = len(self.total)
        return {"seen": self.seen}
