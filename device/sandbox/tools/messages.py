"""Email and social media."""

from device.sandbox.api import (
    Date,
    Domain,
    Effect,
    Json,
    Sandbox,
    Text,
    Time,
    bad_argument,
    conflict,
    folded,
    not_found,
    tool,
)
from device.sandbox.rows.communication import Email, Post, SocialAccount
from device.sandbox.tools.calls import email_address, minute
from device.sandbox.tools.lookup import matches, need_online

_SHOWN = 5
_FOLDERS = {
    "inbox": ("inbox", "in", "incoming", "mailbox"),
    "sent": ("sent", "outbox", "outgoing"),
    "archive": ("archive", "archived", "old"),
    "spam": ("spam", "junk"),
}
_NETWORKS = {"x": "twitter", "tweet": "twitter", "tweets": "twitter", "fb": "facebook", "insta": "instagram"}


@tool(
    Domain.CALLS,
    effects=Effect.SEND,
    permission="email",
    phrases=(
        "email Laura about the budget",
        "reply to Samuel that the photos are great",
        "write an email to jo at mail dot com",
        "answer the library's mail",
        "mail my boss that I'm sick today",
        "compose a message to the whole office address",
    ),
)
def send_email(
    phone: Sandbox, recipient: Text | None = None, subject: Text | None = None, content: Text | None = None
) -> Json:
    """Send or reply to an email."""
    inbox = sorted(phone.table(Email).find(folder="inbox"), key=lambda mail: mail.moment, reverse=True)
    answered = matches(inbox, subject, lambda mail: mail.subject) if subject else []
    if recipient is None:
        if not answered:
            raise bad_argument("`recipient` is missing: a contact or an email address", argument="recipient")
        who, address = answered[0].who, answered[0].address
    else:
        who, address = _correspondent(phone, inbox, recipient)
    if content is None and subject is None:
        raise bad_argument(f"`content` is missing: what to write to {who}", argument="content")
    need_online(phone, "send email")
    reply = any(mail.address == address for mail in answered)
    line = f"Re: {subject}" if reply else subject or ""
    mail = Email(phone.new_id("email"), "sent", who, address, line, content or "", minute(phone), True)
    return {"message": f"sent to {address}", "email": phone.table(Email).insert(mail)}


def _correspondent(phone: Sandbox, inbox: list[Email], said: str) -> tuple[str, str]:
    """Name and address of `said`: an address, somebody who wrote, or a contact with an address."""
    if "@" in said or " at " in said:
        address = email_address(said)
        return address, address
    wrote = {mail.address: mail.who for mail in matches(inbox, said, lambda mail: mail.who)}
    if len(wrote) == 1:
        address, who = next(iter(wrote.items()))
        return who, address
    person = phone.contact(said)
    if not person.email:
        raise conflict(f"`{person.name}` has no email address; give one as `recipient`", argument="recipient")
    return person.name, person.email


@tool(
    Domain.CALLS,
    effects=Effect.READ,
    permission="email",
    phrases=(
        "any new mail",
        "did Laura write to me",
        "check my inbox",
        "read the email about the boarding pass",
        "what's in my spam folder",
        "emails from this morning",
        "is there something from the library",
    ),
)
def query_email(
    phone: Sandbox,
    *,
    sender: Text | None = None,
    subject: Text | None = None,
    folder: Text | None = None,
    date: Date | None = None,
    time: Time | None = None,
) -> Json:
    """Check email."""
    mails = phone.table(Email).find(folder=_folder(folder))
    if sender is not None:
        address = sender.lower().replace(" at ", "@").replace(" dot ", ".")
        mails = [m for m in mails if m.address == address] or matches(mails, sender, lambda m: m.who)
    if subject is not None:
        mails = matches(mails, subject, lambda m: m.subject) or [
            m for m in mails if folded(subject) in folded(f"{m.subject} {m.content}")
        ]
    if date is not None:
        mails = [m for m in mails if m.moment.startswith(date)]
    if time is not None:
        mails = [m for m in mails if m.moment[11:] >= time]
    mails.sort(key=lambda m: m.moment, reverse=True)
    unread = sum(not m.read for m in mails)
    return {"total": len(mails), "unread": unread, "emails": mails[:_SHOWN]}


def _folder(said: str | None) -> str:
    """The folder that is meant, inbox by default; 404 for one that is not there."""
    words = folded(said or "inbox").split()
    for folder, names in _FOLDERS.items():
        if set(words) & set(names):
            return folder
    raise not_found(f"there is no folder `{said}`; there is {', '.join(_FOLDERS)}", candidates=list(_FOLDERS))


def _account(phone: Sandbox, said: str) -> SocialAccount:
    """The account on the network that `said` names; 404 where the user has none."""
    table = phone.table(SocialAccount)
    wanted = folded(said)
    names = {_NETWORKS.get(word, word) for word in (wanted, *wanted.split())}
    for account in table.all():
        if folded(account.network) in names:
            return account
    there = [account.network for account in table.all()]
    raise not_found(f"no account on `{said}`; there is {', '.join(there)}", candidates=there)


@tool(
    Domain.CALLS,
    effects=Effect.SEND,
    permission="social",
    phrases=(
        "tweet that the train is late again",
        "post on Facebook: we are moving",
        "share a status on Instagram",
        "tell my followers good night",
        "put this on my timeline",
        "complain to the airline about my lost bag",
        "let the company know that I am not happy",
        "send the shop a complaint",
    ),
)
def post_social(
    phone: Sandbox, platform: Text | None = None, recipient: Text | None = None, content: Text | None = None
) -> Json:
    """Post on social media."""
    if content is None:
        raise bad_argument("`content` is missing: what to post", argument="content")
    if platform is None:
        valid = [account.network for account in phone.table(SocialAccount).all()]
        raise bad_argument(f"`platform` is missing: one of {', '.join(valid)}", argument="platform", valid=valid)
    account = _account(phone, platform)
    need_online(phone, f"post on {account.network}")
    text = content if recipient is None else f"@{recipient} {content}"
    post = phone.table(Post).insert(Post(phone.new_id("post"), account.network, "me", text, minute(phone)))
    return {"message": f"posted on {account.network} as {account.handle}", "post": post}


@tool(
    Domain.CALLS,
    effects=Effect.READ,
    permission="social",
    phrases=(
        "what's new on Instagram",
        "show my Facebook feed",
        "did Maria post anything today",
        "what are people tweeting",
        "latest from Samuel on social media",
    ),
)
def query_social(
    phone: Sandbox, platform: Text | None = None, person: Text | None = None, date: Date | None = None
) -> Json:
    """Social media feeds."""
    need_online(phone, "load feeds")
    posts = phone.table(Post).all()
    if platform is not None and folded(platform) not in {"social media", "social", "all"}:
        network = _account(phone, platform).network
        posts = [post for post in posts if post.network == network]
    if person is not None:
        posts = matches(posts, person, lambda post: post.author)
    if date is not None:
        posts = [post for post in posts if post.moment.startswith(date)]
    posts.sort(key=lambda post: post.moment, reverse=True)
    return {"total": len(posts), "posts": posts[:_SHOWN]}
