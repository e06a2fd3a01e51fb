"""Scenes for role play: who speaks, how they begin, and what is to be reached, in three languages.

A goal is reached when one of its words is in a reply; then the partner says its line.
"""

from typing import NamedTuple


class Goal(NamedTuple):
    """One thing to get done in a scene."""

    name: str
    """What is reached."""
    words: frozenset[str]
    """Any of these says so, in any of the languages."""
    lines: tuple[str, str, str]
    """What the partner answers: English, Spanish, French."""


class Scene(NamedTuple):
    """One scene."""

    partner: str
    """Whom the agent plays."""
    opening: tuple[str, str, str]
    """First line in English, Spanish, French."""
    goals: tuple[Goal, ...]
    """In the order in which the partner asks for them."""


LANGUAGES = ("English", "Spanish", "French")
"""Languages of the scenes."""


def _goal(name: str, words: str, english: str, spanish: str, french: str) -> Goal:
    return Goal(name, frozenset(words.split()), (english, spanish, french))


SCENES: dict[str, Scene] = {
    "restaurant": Scene(
        "waiter",
        ("Good evening, a table for how many?", "Buenas noches, ¿para cuántos?", "Bonsoir, combien de personnes ?"),
        (
            _goal("table", "one two three four person people dos tres personas deux trois personnes table mesa",
                  "Here is your table. What would you like?", "Aquí está su mesa. ¿Qué desea?",
                  "Voici votre table. Que désirez-vous ?"),
            _goal("order", "soup fish steak salad pasta order sopa pescado ensalada soupe poisson salade commander",
                  "Good choice. Anything to drink?", "Buena elección. ¿Algo para beber?",
                  "Bon choix. Et comme boisson ?"),
            _goal("bill", "bill check pay cuenta pagar addition payer",
                  "Here is the bill. Thank you.", "Aquí tiene la cuenta. Gracias.", "Voici l'addition. Merci."),
        ),
    ),
    "hotel": Scene(
        "receptionist",
        ("Welcome, do you have a booking?", "Bienvenido, ¿tiene una reserva?", "Bonjour, avez-vous réservé ?"),
        (
            _goal("booking", "booking booked reservation reserved reserva reservado reservation",
                  "I found it. For how many nights?", "La encontré. ¿Para cuántas noches?",
                  "Je l'ai. Pour combien de nuits ?"),
            _goal("nights", "night nights noche noches nuit nuits",
                  "Fine. When would you like breakfast?", "Bien. ¿A qué hora desea el desayuno?",
                  "Bien. À quelle heure le petit déjeuner ?"),
            _goal("breakfast", "breakfast seven eight nine desayuno siete ocho dejeuner sept huit",
                  "Noted. Here is your key.", "Anotado. Aquí tiene su llave.", "C'est noté. Voici votre clé."),
        ),
    ),
    "airport": Scene(
        "agent at the counter",
        ("Your passport, please. Where are you flying to?", "Su pasaporte, por favor. ¿Adónde vuela?",
         "Votre passeport, s'il vous plaît. Où allez-vous ?"),
        (
            _goal("destination", "flying fly going to vuelo voy vole vais",
                  "Do you have bags to check?", "¿Tiene equipaje para facturar?", "Avez-vous des bagages ?"),
            _goal("bags", "bag bags suitcase luggage maleta equipaje valise bagages bagage",
                  "Window or aisle?", "¿Ventana o pasillo?", "Hublot ou couloir ?"),
            _goal("seat", "window aisle seat ventana pasillo hublot couloir",
                  "Done. Boarding is at gate 12.", "Listo. Embarque por la puerta 12.",
                  "C'est fait. Embarquement porte 12."),
        ),
    ),
    "doctor": Scene(
        "doctor",
        ("Hello, what brings you here?", "Hola, ¿qué le trae por aquí?", "Bonjour, qu'est-ce qui vous amène ?"),
        (
            _goal("complaint", "pain hurts headache cough fever sore dolor duele tos fiebre mal tete toux fievre",
                  "Since when do you have it?", "¿Desde cuándo lo tiene?", "Depuis quand ?"),
            _goal("since", "since yesterday days week ayer dias semana hier jours semaine depuis",
                  "Do you take any medicine?", "¿Toma algún medicamento?", "Prenez-vous des médicaments ?"),
            _goal("medicine", "medicine pills tablets nothing allergic medicamento pastillas nada medicaments rien",
                  "I'll write you a prescription.", "Le hago una receta.", "Je vous fais une ordonnance."),
        ),
    ),
    "job interview": Scene(
        "interviewer",
        ("Thanks for coming. Tell me about yourself.", "Gracias por venir. Hábleme de usted.",
         "Merci d'être venu. Parlez-moi de vous."),
        (
            _goal("experience", "years worked work experience trabajo anos experiencia travaille ans experience",
                  "What is your greatest strength?", "¿Cuál es su mayor fortaleza?", "Quel est votre point fort ?"),
            _goal("strength", "strength patient organised reliable team fortaleza equipo bueno force equipe fiable",
                  "What do you expect as a salary?", "¿Qué sueldo espera?", "Quelles sont vos prétentions ?"),
            _goal("salary", "salary thousand pay euros dollars sueldo mil salaire mille",
                  "Thank you, we will call you.", "Gracias, le llamaremos.", "Merci, nous vous appellerons."),
        ),
    ),
    "shopping": Scene(
        "shop assistant",
        ("Hello, can I help you?", "Hola, ¿le puedo ayudar?", "Bonjour, je peux vous aider ?"),
        (
            _goal("article", "shirt shoes jacket dress trousers camisa zapatos chaqueta busco chemise veste cherche",
                  "Which size do you need?", "¿Qué talla necesita?", "Quelle taille vous faut-il ?"),
            _goal("size", "size small medium large talla pequena mediana grande taille petite moyenne",
                  "Here you are. Cash or card?", "Aquí tiene. ¿Efectivo o tarjeta?", "Voilà. Espèces ou carte ?"),
            _goal("payment", "cash card pay efectivo tarjeta especes carte",
                  "Thank you, have a nice day.", "Gracias, que tenga buen día.", "Merci, bonne journée."),
        ),
    ),
}  # fmt: skip
"""By name."""
