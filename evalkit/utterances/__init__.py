"""Public utterance sets as a measure: intent and slots become a call, and a planner is scored on it."""
