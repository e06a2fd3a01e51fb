"""Jokes and fun facts by topic."""

JOKES: tuple[tuple[str, str], ...] = (
    ("computers", "Why did the laptop get glasses? It had lost its contacts."),
    ("computers", "My password was too weak, so I sent it to the gym."),
    ("food", "Why did the tomato blush? It saw the salad dressing."),
    ("food", "What do you call cheese that is not yours? Nacho cheese."),
    ("animals", "What do you call a bear without teeth? A gummy bear."),
    ("animals", "Why do cows wear bells? Their horns don't work."),
    ("animals", "What do you get from a pampered cow? Spoiled milk."),
    ("school", "Why was the math book sad? It had too many problems."),
    ("school", "Why did the student eat his homework? The teacher said it was a piece of cake."),
    ("work", "I used to be a baker, but I couldn't make enough dough."),
    ("work", "Why did the scarecrow get a raise? He was outstanding in his field."),
    ("music", "Why did the piano lock itself out? It had left its keys inside."),
    ("space", "How do you throw a party in space? You planet."),
    ("sports", "Why was the stadium so cool? It was full of fans."),
)
"""Topic and joke."""

FACTS: tuple[tuple[str, str], ...] = (
    ("animals", "An octopus has three hearts and blue blood."),
    ("animals", "A group of flamingos is called a flamboyance."),
    ("animals", "Wombats leave droppings in the shape of cubes."),
    ("space", "A day on Venus is longer than its year."),
    ("space", "Footprints on the Moon can last for millions of years, because no wind blows there."),
    ("food", "Bananas are berries in the botanist's sense; strawberries are not."),
    ("food", "Sealed honey can stay edible for thousands of years."),
    ("history", "Oxford was teaching students before the Aztecs founded Tenochtitlan."),
    ("history", "The shortest war on record, between Britain and Zanzibar in 1896, lasted under an hour."),
    ("body", "An adult has fewer bones than a newborn, because some grow together."),
    ("nature", "Bamboo can grow close to a meter in a single day."),
    ("sports", "Golf was played on the Moon in 1971."),
    ("music", "The longest concert on record is an organ piece in Halberstadt, planned to end in 2640."),
)
"""Topic and fact."""
