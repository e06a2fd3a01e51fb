"""A class without state, and a value that JSON has no word for."""

from decimal import Decimal


class Sums:
    """The stateless class."""

    def add(self, a, b):
        return {"result": a + b}

    def exact(self, a):
        return {"result": Decimal(a)}
