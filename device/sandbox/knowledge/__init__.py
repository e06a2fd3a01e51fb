"""Small curated tables of facts about the world: the phone answers alike in every run, or not at all."""
