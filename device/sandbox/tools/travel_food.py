"""Recipes, nutrients and health records."""

from functools import lru_cache
from typing import Literal

from device.sandbox.api import Date, Domain, Effect, Sandbox, Text, bad_argument, folded, not_found, tool
from device.sandbox.rows.health import HealthRecord
from device.sandbox.tools.food_facts import FOODS, NUTRIENTS, RECIPES, UNITS
from device.sandbox.tools.travel_support import need
from runtime.contract import Json

_NUTRIENT = {
    "calorie": "calories", "energy": "calories", "kcal": "calories", "carb": "carbs", "carbohydrate": "carbs",
    "carbohydrates": "carbs", "fats": "fat", "fibre": "fiber", "sugars": "sugar", "salt": "sodium",
    "proteins": "protein",
}  # fmt: skip


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "how do I make pancakes",
        "what can I cook with eggs and cheese",
        "give me a recipe for lasagna",
        "how long do I boil an egg",
        "I've got leftover rice, any ideas for dinner",
        "ingredients for guacamole",
    ),
)
def search_recipe(phone: Sandbox, food: Text | None = None, ingredient: Text | None = None) -> Json:
    """Recipes and how to cook."""
    if not (food or ingredient):
        raise bad_argument("`food` is missing; say a dish or an ingredient", argument="food")
    wanted = _words(food) if food else frozenset()
    inside = _words(ingredient) if ingredient else frozenset()
    found = [
        dish
        for dish, (_, parts, _) in RECIPES.items()
        if (not wanted or _words(dish) <= wanted or wanted <= _words(dish) | _words(" ".join(parts)))
        and inside <= _words(" ".join(parts))
    ]
    if not found:
        known = ", ".join(RECIPES)
        raise not_found(f"no recipe for {food or ingredient}; there is {known}", valid=list(RECIPES))
    return {"recipes": [_recipe(dish) for dish in sorted(found, key=lambda dish: _words(dish) != wanted)[:3]]}


def _recipe(dish: str) -> Json:
    minutes, parts, method = RECIPES[dish]
    return {"dish": dish, "minutes": minutes, "ingredients": list(parts), "method": method}


@lru_cache(maxsize=4_096)
def _words(said: str) -> frozenset[str]:
    """Words of a dish in the singular, without "and" and "recipe"."""
    return frozenset(_singular(word) for word in folded(said).split()) - {"and", "recipe", "some", "with", "for", "my"}


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("oes"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "how many calories are in a banana",
        "is salmon high in protein",
        "sugar in ice cream",
        "how much fat does cheese have",
        "nutrition facts for tofu",
    ),
)
def query_nutrition(phone: Sandbox, food: Text | None = None, nutrient: Text | None = None) -> Json:
    """Calories and nutrients of food."""
    name = need(food, "food", "say which food")
    words = _words(name)
    known = next((each for each in FOODS if _words(each) == words), None)
    known = known or _within(name)
    if known is None:
        raise not_found(f"no nutrients are known for {name}; there is {', '.join(FOODS)}")
    values = dict(zip(NUTRIENTS, FOODS[known], strict=True))
    chosen = [_nutrient(nutrient)] if nutrient else list(NUTRIENTS)
    shown = {each: f"{values[each]:g} {UNITS.get(each, 'g')}" for each in chosen}
    return {"food": known, "per": "100 g", **shown}


def _within(said: str) -> str | None:
    """The food that stands last in what was said ("cheese pizza" is a pizza), the longer name where two do."""
    words = [_singular(word) for word in folded(said).split()]
    inside = [food for food in FOODS if _words(food) <= set(words)]
    return max(inside, key=lambda food: (max(map(words.index, _words(food))), len(food)), default=None)


def _nutrient(said: str) -> str:
    """The nutrient that was said; 400 with the known ones."""
    word = folded(said)
    if (found := _NUTRIENT.get(word, word)) not in NUTRIENTS:
        raise bad_argument(
            f"`nutrient` {said} is not known; use one of {', '.join(NUTRIENTS)}", argument="nutrient", valid=NUTRIENTS
        )
    return found


@tool(
    Domain.TRAVEL,
    permission="health",
    effects=Effect.READ,
    phrases=(
        "how many steps did I walk today",
        "what did I weigh yesterday",
        "how long did I sleep last night",
        "show my heart rate",
        "was I more active on Monday",
    ),
)
def query_health_data(
    phone: Sandbox, dataType: Literal["steps", "weight", "sleep", "heart_rate"], date: Date | None = None
) -> Json:
    """Health records."""
    day = date or phone.now.date().isoformat()
    found = phone.table(HealthRecord).find(kind=dataType, date=day)
    if not found:
        days = sorted(row.date for row in phone.table(HealthRecord).find(kind=dataType))
        told = f"records run from {days[0]} to {days[-1]}" if days else "there are no records"
        raise not_found(f"no {dataType} for {day}; {told}", date=day)
    return {"dataType": dataType, "date": day, "items": [{"value": row.value, "unit": row.unit} for row in found]}
