"""Transfers, balances, bills, payment codes. Checking holds 2450.00, savings 8200.00, vacation 640.00."""

from runtime.contract import WorldSpec


def test_money_goes_to_a_contact(phone):
    seen = phone.call("transfer_money", amount="twenty dollars", recipient="mom")
    assert (seen.data["payment"]["payee"], seen.data["balance"]) == ("Maria Bennett", "2430.00")
    assert phone.diff_since_last_call()["accounts/checking"] == {"balance": ("2450.00", "2430.00")}


def test_money_moves_between_own_accounts(phone):
    phone.call("transfer_money", amount="$100", recipient="checking", fromAccount="my savings account")
    changed = phone.diff_since_last_call()
    assert changed["accounts/savings"] == {"balance": ("8200.00", "8100.00")}
    assert changed["accounts/checking"] == {"balance": ("2450.00", "2550.00")}


def test_a_transfer_that_is_not_covered(phone):
    seen = phone.call("transfer_money", amount="$5000", recipient="mom")
    expected = {"balance": "2450.00", "amount": "5000.00", "account": "checking"}
    assert (seen.failure.status, seen.failure.details) == (409, expected)


def test_two_contacts_are_called_anna(phone):
    seen = phone.call("transfer_money", amount="$20", recipient="Anna")
    names = [candidate["name"] for candidate in seen.failure.details["candidates"]]
    assert (seen.failure.status, names) == (409, ["Anna Keller", "Anna Petrova"])


def test_a_transfer_without_an_amount(phone):
    assert phone.call("transfer_money", recipient="mom").failure.details == {"argument": "amount"}


def test_a_transfer_in_another_currency(phone):
    seen = phone.call("transfer_money", amount="20 euros", recipient="mom")
    assert (seen.failure.status, seen.failure.details["valid"]) == (400, ["USD"])


def test_a_transfer_to_the_same_account(phone):
    assert phone.call("transfer_money", amount="$5", recipient="checking").failure.status == 400


def test_balance_of_one_account(phone):
    seen = phone.call("query_balance", account="my savings")
    assert seen.data["account"] == {"name": "savings", "balance": "8200.00", "currency": "USD"}


def test_balance_of_all_accounts(phone):
    assert [row["name"] for row in phone.call("query_balance").data["accounts"]] == ["checking", "savings", "vacation"]


def test_balance_of_an_account_that_is_not_there(phone):
    seen = phone.call("query_balance", account="gold")
    assert (seen.failure.status, seen.failure.details["valid"]) == (404, ["checking", "savings", "vacation"])


def test_balance_may_be_denied(phone):
    phone.reset(WorldSpec(denied=frozenset({"payments"})))
    assert phone.call("query_balance").failure.details == {"permission": "payments"}


def test_a_bill_is_paid_in_full(phone):
    phone.call("pay_bill", bill="the electric bill")
    changed = phone.diff_since_last_call()
    assert changed["bills/electricity"] == {"due": ("84.20", "0.00"), "status": ("open", "paid")}
    assert changed["accounts/checking"] == {"balance": ("2450.00", "2365.80")}


def test_a_part_of_a_bill(phone):
    phone.call("pay_bill", bill="credit card", amount="$40")
    assert phone.diff_since_last_call()["bills/credit card"] == {"due": ("312.48", "272.48")}


def test_a_bill_for_friday_leaves_the_account_alone(phone):
    payment = phone.call("pay_bill", bill="internet", date="friday").data["payment"]
    assert (payment["date"], payment["status"]) == ("2026-03-06", "scheduled")
    assert set(phone.diff_since_last_call()) == {"bills/internet", "payments/payment_001"}


def test_a_bill_is_paid_once(phone):
    phone.call("pay_bill", bill="water")
    assert phone.call("pay_bill", bill="water").failure.status == 409


def test_more_than_is_due(phone):
    seen = phone.call("pay_bill", bill="water", amount="$50")
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "amount", "limit": "37.50"})


def test_no_such_bill(phone):
    assert phone.call("pay_bill", bill="gas").failure.status == 404


def test_a_payment_code_is_shown(phone):
    seen = phone.call("show_payment_code", app="paypal")
    assert (seen.data["app"], len(seen.data["code"])) == ("PayPal", 12)
    assert phone.diff_since_last_call() == {"payment_apps/PayPal": {"shown_at": ("", "2026-03-02T09:00")}}


def test_a_payment_app_that_is_not_set_up(phone):
    seen = phone.call("show_payment_code", app="zelle")
    assert (seen.failure.status, seen.failure.details["valid"]) == (404, ["Pocket Pay", "PayPal", "Venmo"])
