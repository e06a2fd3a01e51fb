"""Who may do what with which memory: scopes, roles, rules, tokens, settings, sharing, context files."""

from memory.access.access import Access, device_access
from memory.access.book import AccessBook
from memory.access.context_files import ContextFile, ContextFiles
from memory.access.reduction import Reduced, reduce_details
from memory.access.retention import outlived
from memory.access.rights import Action, Role, Rule
from memory.access.settings import KindSetting
from memory.access.sharing import Sharing
from memory.access.tokens import NewToken, Token

__all__ = [
    "Access",
    "AccessBook",
    "Action",
    "ContextFile",
    "ContextFiles",
    "KindSetting",
    "NewToken",
    "Reduced",
    "Role",
    "Rule",
    "Sharing",
    "Token",
    "device_access",
    "outlived",
    "reduce_details",
]
