"""A dialogue: one request after another, each with what was said and done before.

    request -> Conversation: turns that fit, constraints that hold, references, tools in use -> one episode (harness.py)
            -> exchange.py: what was said and done -> Conversation -> the next request

1. Every request is an episode of its own, so it has its own budget, trace and confirmation. The history is read back
   from the traces (`history.py`): there is no second place that would have to be forgotten.
2. What the user said is never rewritten. What a reference means and what still holds stand beside the request as
   evidence (`chat.notes`); a turn that states a constraint outlives other turns whatever the topic.
3. A long dialogue is compressed only where what it said is in memory.
"""

from runtime.dialogue.conversation import Conversation
from runtime.dialogue.exchange import Exchange, exchange_of

__all__ = ["Conversation", "Exchange", "exchange_of"]
