"""Small tables of food: nutrients of 100 grams (rounded, after USDA FoodData Central) and a dozen recipes."""

NUTRIENTS = ("calories", "protein", "carbs", "fat", "sugar", "fiber", "sodium")
"""Columns of `FOODS`."""
UNITS = {"calories": "kcal", "sodium": "mg"}
"""Everything else is in grams."""

FOODS: dict[str, tuple[float, ...]] = {
    "apple": (52, 0.3, 14, 0.2, 10, 2.4, 1),
    "banana": (89, 1.1, 23, 0.3, 12, 2.6, 1),
    "orange": (47, 0.9, 12, 0.1, 9.4, 2.4, 0),
    "strawberry": (32, 0.7, 7.7, 0.3, 4.9, 2, 1),
    "avocado": (160, 2, 8.5, 15, 0.7, 6.7, 7),
    "tomato": (18, 0.9, 3.9, 0.2, 2.6, 1.2, 5),
    "carrot": (41, 0.9, 9.6, 0.2, 4.7, 2.8, 69),
    "broccoli": (34, 2.8, 6.6, 0.4, 1.7, 2.6, 33),
    "potato": (77, 2, 17, 0.1, 0.8, 2.2, 6),
    "rice": (130, 2.7, 28, 0.3, 0.1, 0.4, 1),
    "pasta": (158, 5.8, 31, 0.9, 0.6, 1.8, 1),
    "bread": (265, 9, 49, 3.2, 5, 2.7, 491),
    "oatmeal": (71, 2.5, 12, 1.5, 0.3, 1.7, 4),
    "egg": (155, 13, 1.1, 11, 1.1, 0, 124),
    "milk": (61, 3.2, 4.8, 3.3, 5.1, 0, 43),
    "cheese": (402, 25, 1.3, 33, 0.5, 0, 621),
    "yogurt": (61, 3.5, 4.7, 3.3, 4.7, 0, 46),
    "butter": (717, 0.9, 0.1, 81, 0.1, 0, 11),
    "chicken": (165, 31, 0, 3.6, 0, 0, 74),
    "beef": (250, 26, 0, 15, 0, 0, 72),
    "salmon": (208, 20, 0, 13, 0, 0, 59),
    "tofu": (76, 8, 1.9, 4.8, 0.6, 0.3, 7),
    "pizza": (266, 11, 33, 10, 3.6, 2.3, 598),
    "hamburger": (254, 13, 30, 9.8, 5, 1.2, 480),
    "french fries": (312, 3.4, 41, 15, 0.3, 3.8, 210),
    "chocolate": (546, 4.9, 61, 31, 48, 7, 24),
    "ice cream": (207, 3.5, 24, 11, 21, 0.7, 80),
    "almond": (579, 21, 22, 50, 4.4, 12.5, 1),
    "peanut butter": (588, 25, 20, 50, 9, 6, 17),
    "coffee": (1, 0.1, 0, 0, 0, 0, 2),
}
"""By food, per 100 grams."""

RECIPES: dict[str, tuple[int, tuple[str, ...], str]] = {
    "pancakes": (20, ("flour", "milk", "egg", "butter", "sugar"), "whisk, rest ten minutes, fry thin in butter"),
    "omelette": (10, ("egg", "butter", "cheese"), "beat the eggs, let them set in butter, fold over the cheese"),
    "lasagna": (75, ("pasta", "beef", "tomato", "cheese", "milk"), "layer sauce, sheets and cheese, bake 40 minutes"),
    "spaghetti bolognese": (45, ("pasta", "beef", "tomato", "onion"), "brown the beef, simmer with tomato, toss"),
    "chicken curry": (40, ("chicken", "onion", "tomato", "rice", "curry powder"), "fry, add spices, simmer 25 minutes"),
    "fried rice": (20, ("rice", "egg", "carrot", "soy sauce"), "fry cold rice hot and fast, stir in the egg"),
    "tomato soup": (30, ("tomato", "onion", "cream"), "soften the onion, simmer the tomatoes, blend"),
    "guacamole": (10, ("avocado", "lime", "onion", "tomato"), "mash and season"),
    "chocolate cake": (60, ("chocolate", "flour", "egg", "butter", "sugar"), "melt, fold in, bake 35 minutes"),
    "roast chicken": (90, ("chicken", "potato", "butter", "lemon"), "butter the skin, roast 75 minutes at 200 C"),
    "banana bread": (70, ("banana", "flour", "egg", "butter", "sugar"), "mash, mix, bake 55 minutes at 175 C"),
    "caesar salad": (15, ("lettuce", "chicken", "bread", "cheese", "egg"), "toss with the dressing, croutons last"),
    "beef stew": (150, ("beef", "carrot", "potato", "onion"), "brown the beef, cover, simmer two hours"),
    "boiled egg": (10, ("egg",), "6 minutes in boiling water for soft, 10 for hard"),
}
"""By dish: minutes, ingredients, method."""
