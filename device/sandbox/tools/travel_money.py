"""Money: transfers, balances, bills and payment codes.

An account is found by what is said ("my savings account"). Nothing overdraws: 409 with balance and amount.
"""

from decimal import Decimal

from device.sandbox.api import Date, Domain, Effect, Money, Sandbox, Text, bad_argument, conflict, not_found, tool
from device.sandbox.rows.money import Account, Bill, Payment, PaymentApp
from device.sandbox.tools.by_name import bare, named, only
from device.sandbox.tools.travel_support import MAIN_ACCOUNT, coming, debit, need, need_online, text_of
from runtime.contract import Json


@tool(
    Domain.TRAVEL,
    permission="payments",
    effects=Effect.PAY,
    phrases=(
        "send twenty dollars to mom",
        "move 300 bucks from checking to savings",
        "wire $50 to Daniel for dinner",
        "pay my roommate back 15 dollars",
        "transfer a hundred into my savings",
    ),
)
def transfer_money(
    phone: Sandbox, amount: Money | None = None, recipient: Text | None = None, fromAccount: Text | None = None
) -> Json:
    """Transfer money between accounts."""
    said = need(recipient, "recipient", "say a contact or one of your accounts")
    source = _account(phone, fromAccount or MAIN_ACCOUNT)
    value = _amount(amount, source)
    own = named(phone.table(Account).all(), said, _account_name, "account")
    payee = own[0].name if own else phone.contact(said).name
    if payee == source.name:
        raise bad_argument(f"`recipient` and `fromAccount` are both {payee}; say two accounts", argument="recipient")
    source = debit(phone, source, value)
    if own:
        phone.table(Account).update(own[0], balance=text_of(Decimal(own[0].balance) + value))
    day = phone.now.date().isoformat()
    payment = Payment(phone.new_id("payment"), source.name, payee, text_of(value), source.currency, day, "transfer")
    return {"payment": phone.table(Payment).insert(payment), "balance": source.balance}


def _account_name(account: Account) -> str:
    return account.name


def _account(phone: Sandbox, said: str) -> Account:
    """The account that was said; 404 with the names of all."""
    accounts = phone.table(Account).all()
    found = named(accounts, said, _account_name, "account", "bank")
    return only(found, "account", said, _account_name, map(_account_name, accounts))


def _amount(said: dict[str, str] | None, account: Account) -> Decimal:
    """The amount in the account's currency; 400 where it is missing, zero or in another currency."""
    if said is None:
        raise bad_argument("`amount` is missing; say how much", argument="amount")
    if said["currency"] != account.currency:
        raise bad_argument(
            f"`{account.name}` is in {account.currency}, not {said['currency']}; convert it with `convert_currency`",
            argument="amount",
            valid=[account.currency],
        )
    value = Decimal(said["amount"])
    if value <= 0:
        raise bad_argument(f"`amount` is {said['amount']}; say more than 0", argument="amount")
    return value


@tool(
    Domain.TRAVEL,
    permission="payments",
    effects=Effect.READ,
    phrases=(
        "how much money do I have",
        "what's in my savings",
        "check my bank balance",
        "am I broke",
        "balance of the checking account",
    ),
)
def query_balance(phone: Sandbox, account: Text | None = None) -> Json:
    """Bank account balance."""
    need_online(phone, "reach the bank")
    if account is None:
        return {"accounts": phone.table(Account).all()}
    return {"account": _account(phone, account)}


@tool(
    Domain.TRAVEL,
    permission="payments",
    effects=Effect.PAY,
    phrases=(
        "pay the electricity bill",
        "settle my internet bill on Friday",
        "put forty dollars towards the credit card",
        "take care of the rent",
        "pay my water bill please",
    ),
)
def pay_bill(phone: Sandbox, bill: Text | None = None, amount: Money | None = None, date: Date | None = None) -> Json:
    """Pay a bill."""
    owed = _bill(phone, need(bill, "bill", "say which bill"))
    if owed.status != "open":
        raise conflict(f"the {owed.name} bill is {owed.status} already", status=owed.status)
    day = coming(phone, date or phone.now.date().isoformat())
    account = _account(phone, MAIN_ACCOUNT)
    value = Decimal(owed.due) if amount is None else _amount(amount, account)
    if value > Decimal(owed.due):
        raise bad_argument(f"`amount` is {text_of(value)}; only {owed.due} is due", argument="amount", limit=owed.due)
    later, left = day > phone.now.date().isoformat(), text_of(Decimal(owed.due) - value)
    if not later:
        debit(phone, account, value)
    status = "scheduled" if later else "paid" if left == "0.00" else "open"
    owed = phone.table(Bill).update(owed, status=status, **({} if later else {"due": left}))
    payment = Payment(
        phone.new_id("payment"), account.name, owed.name, text_of(value), account.currency, day, "bill",
        "scheduled" if later else "done",
    )  # fmt: skip
    return {"payment": phone.table(Payment).insert(payment), "bill": owed}


def _bill(phone: Sandbox, said: str) -> Bill:
    """The bill that was said ("electric", "power"); 404 with the names of all."""
    bills = phone.table(Bill).all()
    meant = _BILLS.get(bare(said, "bill"), said)
    found = named(bills, meant, lambda bill: bill.name, "bill", "bills")
    return only(found, "bill", said, lambda bill: bill.name, [bill.name for bill in bills])


_BILLS = {
    "electric": "electricity", "power": "electricity", "light": "electricity", "wifi": "internet",
    "broadband": "internet", "cell": "phone", "mobile": "phone", "visa": "credit card", "card": "credit card",
}  # fmt: skip


@tool(
    Domain.TRAVEL,
    permission="payments",
    effects=Effect.WRITE,
    phrases=(
        "show my payment code",
        "open the PayPal code so I can pay",
        "I'm at the register, bring up the pay code",
        "let me pay with Venmo",
        "pull up the code for paying",
    ),
)
def show_payment_code(phone: Sandbox, app: Text | None = None) -> Json:
    """Show a payment code."""
    apps = phone.table(PaymentApp).all()
    names = ", ".join(each.name for each in apps)
    found = named(apps, app, lambda each: each.name, "app", "pay code") if app else apps[:1]
    if not found:
        raise not_found(
            f"no payment app {app or ''} is set up; there is {names or 'none'}", valid=[a.name for a in apps]
        )
    moment = f"{phone.now:%Y-%m-%dT%H:%M}"
    code = phone.chance("payment code", found[0].name, moment).randrange(10**11, 10**12)
    phone.table(PaymentApp).update(found[0], shown_at=moment)
    return {"app": found[0].name, "code": str(code), "valid_minutes": 1}
