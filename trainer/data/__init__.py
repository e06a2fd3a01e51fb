"""The data side of the trainer: utterances and oracle trajectories become dialogues of token ids with masked labels."""
