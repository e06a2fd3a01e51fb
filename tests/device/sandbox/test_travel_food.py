"""Recipes, nutrients, health records. The clock stands at Monday 2026-03-02, 09:00."""

from runtime.contract import WorldSpec


def test_a_recipe_by_its_name(phone):
    (recipe,) = phone.call("search_recipe", food="pancakes").data["recipes"]
    assert (recipe["dish"], recipe["minutes"]) == ("pancakes", 20)
    assert recipe["ingredients"] == ["flour", "milk", "egg", "butter", "sugar"]


def test_recipes_with_what_is_there(phone):
    seen = phone.call("search_recipe", ingredient="eggs and cheese")
    assert [recipe["dish"] for recipe in seen.data["recipes"]] == ["omelette", "caesar salad"]


def test_a_dish_that_is_not_in_the_book(phone):
    assert phone.call("search_recipe", food="sea urchin").failure.status == 404


def test_a_recipe_for_nothing(phone):
    assert phone.call("search_recipe").failure.details == {"argument": "food"}


def test_calories_of_bananas(phone):
    seen = phone.call("query_nutrition", food="bananas", nutrient="calories")
    assert seen.data == {"food": "banana", "per": "100 g", "calories": "89 kcal"}


def test_a_cheese_pizza_is_a_pizza(phone):
    assert phone.call("query_nutrition", food="a cheese pizza", nutrient="fat").data["fat"] == "10 g"


def test_a_food_without_figures(phone):
    assert phone.call("query_nutrition", food="unobtainium").failure.status == 404


def test_a_nutrient_without_figures(phone):
    seen = phone.call("query_nutrition", food="rice", nutrient="happiness")
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, "nutrient")


def test_steps_of_today(phone):
    phone.reset(WorldSpec(facts=({"table": "health_records", "id": "health_001", "value": 5120.0},)))
    seen = phone.call("query_health_data", dataType="steps", date="today")
    assert seen.data["items"] == [{"value": 5120.0, "unit": "steps"}]


def test_the_weight_of_tomorrow(phone):
    seen = phone.call("query_health_data", dataType="weight", date="tomorrow")
    assert (seen.failure.status, seen.failure.details) == (404, {"date": "2026-03-03"})
