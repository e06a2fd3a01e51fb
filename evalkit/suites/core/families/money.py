"""Families that look up an amount, an order or a table first."""

from evalkit.suites.core.dependent import Family
from runtime.contract import Split

FAMILIES = (
    Family(
        name="transfer_a_whole_balance",
        split=Split.TEST,
        calls=(
            {"name": "query_balance", "arguments": {"account": "{account}"}},
            {
                "name": "transfer_money",
                "arguments": {
                    "amount": "$1.data.account.balance",
                    "recipient": "{person_contact}",
                    "fromAccount": "{account}",
                },
            },
        ),
        templates=(
            "send all the money in my {account} account to {person_contact}",
            "check what's in {account} and transfer the whole amount to {person_contact}",
            "empty my {account} account, everything goes to {person_contact}",
            "see the balance of {account} and wire all of it to {person_contact}",
            "{person_contact} gets everything that is on my {account} account",
            "move the full balance of {account} over to {person_contact}",
        ),
        plant=({"table": "accounts", "name": "{account}", "balance": "180.00"},),
    ),
    Family(
        name="reminder_on_a_delivery",
        split=Split.DEV,
        calls=(
            {"name": "manage_shopping_order", "arguments": {"action": "query", "item": "{product}"}},
            {
                "name": "manage_reminder",
                "arguments": {"action": "create", "text": "{task_text}", "date": "$1.data.orders.0.arrives"},
            },
        ),
        templates=(
            "when does my order of {product} arrive? remind me to {task_text} that day",
            "remind me to {task_text} on the day the {product} gets delivered",
            "look up my order of {product} and put a reminder to {task_text} on its delivery day",
            "on the day {product} arrives i must {task_text}, remind me",
        ),
        plant=(
            {
                "table": "shopping_orders",
                "id": "order_301",
                "item": "{product}",
                "price": "35.00",
                "arrives": "{date}",
                "status": "shipped",
            },
        ),
    ),
    Family(
        name="text_a_price",
        split=Split.TRAIN,
        calls=(
            {"name": "query_stock", "arguments": {"company": "{company}"}},
            {"name": "send_message", "arguments": {"contact": "{person_contact}", "content": "$1.data.price"}},
        ),
        templates=(
            "text {person_contact} the price of {company} stock",
            "check the {company} share price and message it to {person_contact}",
            "look up {company} stock and send {person_contact} the price",
            "how is {company} trading? text the price to {person_contact}",
            "message {person_contact} what {company} shares cost right now",
            "get the stock price of {company} and text it to {person_contact}",
            "{person_contact} asked about {company} stock, text them the price",
            "find {company}'s share price, then send it in a message to {person_contact}",
        ),
    ),
)
