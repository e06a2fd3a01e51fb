"""Sums, units, money and chance.

`said_to_arithmetic` turns what people say ("12 times 7",
"15 percent of 80") into arithmetic; `evaluate` walks its syntax
tree with decimal numbers and a closed list of operators, so that nothing but arithmetic can run.
"""

import ast
import math
import operator
import re
from collections.abc import Callable
from decimal import Context, Decimal, DecimalException, localcontext
from functools import cache
from typing import Final, Literal

from device.sandbox.api import Domain, Effect, Json, Number, Sandbox, Text, bad_argument, tool
from device.sandbox.knowledge.currencies import RATES, currency_code
from device.sandbox.knowledge.units import Unit, categories, convert, units_named
from device.sandbox.rows.system_settings import Region
from device.spoken.words import digits

LONGEST: Final = 200
"""Characters of an expression."""
LARGEST: Final = Decimal(10) ** 30
"""Results beyond this are refused."""
DECIMALS: Final = 6
"""Decimals of a result where `precision` says nothing."""

_LEAD: Final = re.compile(
    r"^(?:please |hey |can you |could you )*"
    r"(?:(?:what is|whats|what s|how much is|calculate|compute|work out|tell me|solve|evaluate) )*(?:the result of )?"
)
_NUM: Final = r"(\d+(?:\.\d+)?|\([^()]*\))"
_REWRITES: Final[tuple[tuple[str, str], ...]] = (
    (r"(\d) point (\d)", r"\1.\2"),
    (rf"{_NUM} ?(?:percent|%) off (?:of )?{_NUM}", r"\2 * (1 - \1 / 100)"),
    (rf"{_NUM} ?(?:percent|%)(?: tip| tax)? (?:of|on) ", r"\1 / 100 * "),
    (rf"{_NUM} (?:plus|\+) {_NUM} ?(?:percent\b|%)$", r"\1 * (1 + \2 / 100)"),
    (rf"{_NUM} (?:minus|-) {_NUM} ?(?:percent\b|%)$", r"\1 * (1 - \2 / 100)"),
    (rf"{_NUM} ?percent\b", r"(\1 / 100)"),
    (rf"{_NUM} ?%(?! ?[\d(])", r"(\1 / 100)"),
    (rf"(?:square root of|root of|sqrt) ?{_NUM}", r"sqrt(\1)"),
    (rf"cube root of {_NUM}", r"cbrt(\1)"),
    (rf"factorial of {_NUM}|{_NUM} factorial|{_NUM} ?!", r"factorial(\1\2\3)"),
    (rf"(?:add|sum of) {_NUM} (?:and|to|with) ", r"\1 + "),
    (rf"product of {_NUM} and ", r"\1 * "),
    (rf"difference (?:between|of) {_NUM} and ", r"\1 - "),
    (rf"(?:subtract|take) {_NUM} from {_NUM}", r"\2 - \1"),
    (rf"multiply {_NUM} (?:by|and|with) ", r"\1 * "),
    (rf"divide {_NUM} by ", r"\1 / "),
    (r"(?:a |1 )?half of ", "0.5 * "),
    (r"(?:a |1 )?(?:third|3rd) of ", "1 / 3 * "),
    (r"(?:a |1 )?quarter of ", "0.25 * "),
    (r"(?:double|twice) ", "2 * "),
    (r"(?:multiplied by|times|x|×)", " * "),
    (r"(?:divided by|over|÷)", " / "),
    (r"(?:plus|added to|and)", " + "),
    (r"(?:minus|less|−|–)", " - "),
    (r"(?:to the power of|raised to|to the power|\^)", " ** "),
    (r"squared", " ** 2"),
    (r"cubed", " ** 3"),
    (r"(?:modulo|mod)", " % "),
)  # fmt: skip
"""What people say and its arithmetic, applied in this order."""


@cache
def _rewrites() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The rewrites compiled, on first use; words alone match whole words."""
    found = []
    for pattern, instead in _REWRITES:
        alone = re.fullmatch(r"\(\?:[a-z| ]+\)|[a-z]+", pattern)
        found.append((re.compile(rf"\b(?:{pattern})\b" if alone else pattern), instead))
    return tuple(found)


def said_to_arithmetic(said: str) -> str:
    """The arithmetic in what was said; words that mean nothing here stay and are refused by `evaluate`."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", said.casefold().replace("'", ""))
    text = re.sub(r"(?<=[a-z])-(?=[a-z])", " ", text).strip(" ?=.")
    words = digits(re.findall(r"\d+(?:\.\d+)?|\.\d+|[a-z]+|\*\*|//|\S", _LEAD.sub("", text).removeprefix("the ")))
    text = " ".join(words)
    for pattern, instead in _rewrites():
        text = pattern.sub(instead, text)
    return re.sub(r"\b0+(?=\d)", "", re.sub(r"\s+", " ", text)).strip()


def _factorial(value: Decimal) -> Decimal:
    if value != value.to_integral_value() or not 0 <= value <= 25:
        raise bad_argument(
            f"the factorial of {value} can't be taken; it takes whole numbers from 0 to 25", argument="expression"
        )
    return Decimal(math.factorial(int(value)))


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > 100:
        raise bad_argument(f"the exponent {exponent} is too large; the limit is 100", argument="expression")
    return Decimal(base**exponent)


def _cbrt(value: Decimal) -> Decimal:
    return Decimal(repr(math.cbrt(float(value))))


_BINARY: Final[dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Mod: operator.mod, ast.FloorDiv: operator.floordiv, ast.Pow: _power,
}  # fmt: skip
_CALLS: Final[dict[str, Callable[[Decimal], Decimal]]] = {
    "sqrt": Decimal.sqrt, "cbrt": _cbrt, "factorial": _factorial, "abs": abs,
}  # fmt: skip
_NAMES: Final = {"pi": Decimal("3.14159265358979323846")}


def evaluate(node: ast.expr) -> Decimal:
    """The value of a tree of arithmetic; 400 for anything else in it."""
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return Decimal(repr(node.value))
        case ast.Name(id=name) if name in _NAMES:
            return _NAMES[name]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return -evaluate(operand) if isinstance(node.op, ast.USub) else evaluate(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](evaluate(left), evaluate(right))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _CALLS:
            return _CALLS[name](evaluate(argument))
    raise bad_argument(
        f"`{ast.unparse(node)}` is no arithmetic; use numbers with + - * / % ** and parentheses", argument="expression"
    )


def _tree(said: str) -> ast.expr:
    if len(said) > LONGEST:
        raise bad_argument(f"`expression` has {len(said)} characters; the limit is {LONGEST}", argument="expression")
    try:
        return ast.parse(said_to_arithmetic(said), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        raise bad_argument(
            f"`{said}` can't be read as arithmetic; say for example `12 times 7`", argument="expression"
        ) from None


def _number(value: Decimal, decimals: int) -> int | float:
    """A JSON number with at most so many decimals; whole ones are integers."""
    rounded = round(value, decimals)
    return int(rounded) if rounded == rounded.to_integral_value() else float(rounded)


@tool(
    Domain.UTILITIES,
    effects=Effect.READ,
    phrases=(
        "what's 12 times 7",
        "15 percent of 80",
        "square root of 144",
        "how much is 230 divided by 4",
        "split 86 dollars three ways",
        "add 19 and 45",
    ),
)
def calculate_expression(phone: Sandbox, expression: Text, precision: int | None = None) -> Json:
    """Arithmetic."""
    decimals = DECIMALS if precision is None else precision
    if not 0 <= decimals <= 12:
        raise bad_argument(f"`precision` is {decimals}; it must be from 0 to 12", argument="precision")
    tree = _tree(expression)
    try:
        with localcontext(Context(prec=50)):
            value = evaluate(tree)
            if not value.is_finite() or abs(value) > LARGEST:
                raise bad_argument("the result is larger than 10 ** 30; use smaller numbers", argument="expression")
            result = _number(value, decimals)
    except (DecimalException, RecursionError):
        message = f"`{ast.unparse(tree)}` has no value (a division by zero, or a root of a negative number)"
        raise bad_argument(message, argument="expression") from None
    shown = ast.unparse(tree)
    return {
        "success": True,
        "expression": expression,
        "normalizedExpression": shown,
        "result": result,
        "precision": decimals,
    }


@tool(
    Domain.UTILITIES,
    effects=Effect.READ,
    phrases=(
        "how many ounces in a pound",
        "10 miles in kilometers",
        "what's 350 fahrenheit in celsius",
        "convert two cups to milliliters",
        "how heavy is 70 kilos in pounds",
    ),
)
def convert_unit(
    phone: Sandbox, value: Number | None = None, fromUnit: Text | None = None, toUnit: Text | None = None
) -> Json:
    """Convert units of measurement."""
    for name, said in (("fromUnit", fromUnit), ("toUnit", toUnit)):
        if said is None:
            raise bad_argument(f"`convert_unit` needs `{name}`", argument=name)
    source, target = _pair(str(fromUnit), str(toUnit))
    amount = 1.0 if value is None else value
    result = convert(amount, source, target)
    return {
        "value": amount,
        "fromUnit": source.name,
        "toUnit": target.name,
        "result": result,
        "category": source.category,
    }


def _pair(source: str, target: str) -> tuple[Unit, Unit]:
    """Both units, of one category; 400 with what is valid otherwise."""
    found = {name: units_named(said) for name, said in (("fromUnit", source), ("toUnit", target))}
    for name, said in (("fromUnit", source), ("toUnit", target)):
        if not found[name]:
            raise bad_argument(
                f"`{name}` is `{said}`, which is no known unit; see `valid`", argument=name, valid=categories()
            )
    for one in found["fromUnit"]:
        for other in found["toUnit"]:
            if one.category == other.category:
                return one, other
    category = found["fromUnit"][0].category
    message = (
        f"`{source}` is a unit of {category} and can't become `{target}`; valid are {', '.join(categories()[category])}"
    )
    raise bad_argument(message, argument="toUnit", valid=categories()[category])


@tool(
    Domain.UTILITIES,
    effects=Effect.READ,
    phrases=(
        "how much is 50 euros in dollars",
        "what's the exchange rate for yen",
        "convert a hundred pounds to rupees",
        "20 bucks in pesos",
        "dollar to swiss franc rate",
    ),
)
def convert_currency(
    phone: Sandbox, amount: Number | None = None, fromCurrency: Text | None = None, toCurrency: Text | None = None
) -> Json:
    """Exchange rates."""
    if fromCurrency is None and toCurrency is None:
        raise bad_argument("`convert_currency` needs `fromCurrency` or `toCurrency`", argument="fromCurrency")
    home, codes = phone.one(Region).currency, {}
    for name, said in (("fromCurrency", fromCurrency), ("toCurrency", toCurrency)):
        code = home if said is None else currency_code(said)
        if code is None:
            raise bad_argument(
                f"`{name}` is `{said}`, which has no rate here; see `valid`", argument=name, valid=sorted(RATES)
            )
        codes[name] = code
    money, rate = 1.0 if amount is None else amount, RATES[codes["toCurrency"]] / RATES[codes["fromCurrency"]]
    result = {"result": round(money * rate, 2), "rate": float(f"{rate:.6g}"), "rateDate": phone.now.date().isoformat()}
    return {"amount": money, **codes, **result}


MOST: Final = 20
"""Coins, dice or numbers in one call."""


@tool(
    Domain.UTILITIES,
    effects=Effect.READ,
    phrases=(
        "flip a coin",
        "roll two dice",
        "pick a number up to fifty",
        "heads or tails, you choose",
        "roll a twenty sided die",
    ),
)
def generate_random(
    phone: Sandbox, kind: Literal["coin", "dice", "number"], sides: int | None = None, count: int | None = None
) -> Json:
    """Flip a coin, roll dice, random number."""
    faces, times = (
        sides if sides is not None else {"coin": 2, "dice": 6, "number": 100}[kind],
        1 if count is None else count,
    )
    if not 1 <= times <= MOST:
        raise bad_argument(f"`count` is {times}; it must be from 1 to {MOST}", argument="count")
    if faces < 2 or faces > 1_000_000 or (kind == "coin" and faces != 2):
        limit = "a coin has 2" if kind == "coin" else "it must be from 2 to 1,000,000"
        raise bad_argument(f"`sides` is {faces}; {limit}", argument="sides")
    draw = phone.chance("random", kind, faces, times, phone.now.isoformat())
    rolled = [draw.randint(1, faces) for _ in range(times)]
    if kind == "coin":
        return {"results": ["heads" if face == 1 else "tails" for face in rolled]}
    return {"results": rolled} | ({"total": sum(rolled)} if kind == "dice" and times > 1 else {})
