"""The language of the phone's shell, read into a tree.

The part of mksh (`external/mksh/src/lex.c`, `syn.c`, Android 9 to 15) that scripts of one line use: lists with `;`,
`&`, `&&`, `||`, pipes, subshells and groups, redirections, assignments, quotes of all three kinds and `$'...'`,
`$name`, `${name}`, `${name:-word}`, `$(...)` and backticks, comments. Compound commands (`if`, `for`, `while`, `case`,
functions, here documents, arithmetic) are a syntax error here. Reading is strict, so that a value
that escapes its quotes shows.
"""

from dataclasses import dataclass, field

_BREAKS = " \t\n;&|<>()"
_RESERVED = ("if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "function")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}


class ShellSyntaxError(Exception):
    """What the shell prints before it gives up."""


@dataclass(slots=True)
class Text:
    """Literal text."""

    value: str
    """The characters."""
    quoted: bool
    """Whether splitting, patterns and `~` leave it alone."""


@dataclass(slots=True)
class Variable:
    """`$name`."""

    name: str
    """Name, digit or special character."""
    quoted: bool
    """Within double quotes."""
    otherwise: str | None = None
    """Literal text of `${name:-text}`."""


@dataclass(slots=True)
class Substitution:
    """`$(...)`."""

    script: "Script"
    """What runs."""
    quoted: bool
    """Within double quotes."""


Word = list[Text | Variable | Substitution]


@dataclass(slots=True)
class Redirect:
    """`2>&1`, `> file`, `< file`."""

    fd: int
    """What is redirected."""
    kind: str
    """`>`, `>>`, `<` or `>&`."""
    target: Word
    """File, or number."""


@dataclass(slots=True)
class Simple:
    """A command with words."""

    assignments: list[tuple[str, Word]] = field(default_factory=list)
    """Set before it."""
    words: list[Word] = field(default_factory=list)
    """Name and arguments."""
    redirects: list[Redirect] = field(default_factory=list)
    """In order."""


@dataclass(slots=True)
class Group:
    """`( ... )` or `{ ...; }`."""

    script: "Script"
    """What runs."""
    subshell: bool
    """Whether its variables stay inside."""
    redirects: list[Redirect] = field(default_factory=list)
    """In order."""


@dataclass(slots=True)
class Pipeline:
    """Commands joined by `|`."""

    commands: list[Simple | Group]
    """At least one."""
    negated: bool = False
    """Begins with `!`."""


@dataclass(slots=True)
class Script:
    """Pipelines, each with the operator before it and whether it goes to the background."""

    steps: list["Step"] = field(default_factory=list)
    """In order."""


@dataclass(slots=True)
class Step:
    """One pipeline of a list."""

    operator: str
    """`;`, `&&` or `||` before it."""
    pipeline: Pipeline
    """What runs."""
    background: bool = False
    """Whether `&` follows it."""


class Parser:
    """Recursive descent over the characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def script(self, until: str = "") -> Script:
        """A list up to the end, or up to the character `until`, which is left."""
        found, operator = Script(), ";"
        while True:
            self._blanks(newlines=True)
            if self._peek() == "" or (until and self._peek() == until and self._ends(until)):
                if operator in ("&&", "||"):
                    raise self._unexpected()
                return found
            step = Step(operator, self._pipeline())
            found.steps.append(step)
            self._blanks()
            step.background = self._peek() == "&" and not self.text.startswith("&&", self.at)
            operator = self._operator(until)

    def _ends(self, until: str) -> bool:
        return until != "}" or self.text[self.at + 1 : self.at + 2] in ("", *_BREAKS)

    def _operator(self, until: str) -> str:
        for mark in ("&&", "||", ";", "&", "\n"):
            if self.text.startswith(mark, self.at):
                self.at += len(mark)
                return mark if len(mark) == 2 else ";"
        if self._peek() not in ("", until or "\0"):
            raise self._unexpected()
        return ";"

    def _pipeline(self) -> Pipeline:
        negated = self.text.startswith("! ", self.at)
        if negated:
            self.at += 2
        commands = [self._command()]
        while self._peek() == "|" and not self.text.startswith("||", self.at):
            self.at += 1
            self._blanks(newlines=True)
            commands.append(self._command())
        return Pipeline(commands, negated)

    def _command(self) -> Simple | Group:
        self._blanks()
        opening = self._peek()
        if opening == "(" or (opening == "{" and self.text[self.at + 1 : self.at + 2] in (" ", "\n", "\t")):
            return self._group(opening)
        command = Simple()
        while True:
            self._blanks()
            redirect = self._redirect()
            if redirect is not None:
                command.redirects.append(redirect)
                continue
            if self._peek() == "" or self._peek() in "\n;&|()":
                break
            self._add_word(command)
        if not (command.words or command.assignments or command.redirects):
            raise self._unexpected()
        return command

    def _add_word(self, command: Simple) -> None:
        start = self.at
        name = self._assigned_name() if not command.words else ""
        word = self._word()
        if name:
            command.assignments.append((name, word))
            return
        if not command.words and self.text[start : self.at] in _RESERVED:
            self.at = start
            raise ShellSyntaxError(f"syntax error: unexpected '{self.text[start:].split()[0]}'")
        command.words.append(word)

    def _group(self, opening: str) -> Group:
        self.at += 1
        closing = ")" if opening == "(" else "}"
        script = self.script(until=closing)
        if self._peek() != closing:
            raise ShellSyntaxError(f"syntax error: unmatched '{opening}'")
        self.at += 1
        group = Group(script, subshell=opening == "(")
        while True:
            self._blanks()
            redirect = self._redirect()
            if redirect is None:
                return group
            group.redirects.append(redirect)

    def _redirect(self) -> Redirect | None:
        at = self.at
        digits = ""
        while self._peek().isdigit():
            digits += self._next()
        mark = self._peek()
        if mark not in ("<", ">"):
            self.at = at
            return None
        self.at += 1
        if mark == "<" and self._peek() == "<":
            raise ShellSyntaxError("syntax error: here document")
        kind = mark
        if mark == ">" and self._peek() in (">", "&", "|"):
            kind = {">": ">>", "&": ">&", "|": ">"}[self._next()]
        self._blanks()
        if self._peek() in ("", *_BREAKS):
            raise self._unexpected()
        return Redirect(int(digits) if digits else (0 if mark == "<" else 1), kind, self._word())

    def _assigned_name(self) -> str:
        end = self.at
        while end < len(self.text) and (self.text[end].isalnum() or self.text[end] == "_") and self.text[end].isascii():
            end += 1
        name = self.text[self.at : end]
        if not name or name[0].isdigit() or self.text[end : end + 1] != "=":
            return ""
        self.at = end + 1
        return name

    def _word(self) -> Word:
        parts: Word = []
        while (char := self._peek()) and char not in _BREAKS:
            self.at += 1
            if char == "'":
                _add(parts, self._until("'"), True)
            elif char == '"':
                self._double(parts)
            elif char == "\\":
                if self._peek() == "\n":
                    self.at += 1
                elif self._peek():
                    _add(parts, self._next(), True)
            elif char in "$`":
                self._dollar(char, parts, quoted=False)
            else:
                _add(parts, char, False)
        return parts

    def _double(self, parts: Word) -> None:
        _add(parts, "", True)
        while True:
            char = self._next()
            if char == '"':
                return
            if char == "":
                raise ShellSyntaxError("no closing quote")
            if char == "\\" and self._peek() in ("$", "`", '"', "\\", "\n") and self._peek():
                following = self._next()
                _add(parts, "" if following == "\n" else following, True)
            elif char in "$`":
                self._dollar(char, parts, quoted=True)
            else:
                _add(parts, char, True)

    def _dollar(self, char: str, parts: Word, quoted: bool) -> None:
        if char == "`":
            inner = self._until("`", escapes=True)
            parts.append(Substitution(Parser(inner).script(), quoted))
        elif self._peek() == "(":
            if self.text.startswith("((", self.at):
                raise ShellSyntaxError("syntax error: arithmetic")
            self.at += 1
            script = self.script(until=")")
            if self._next() != ")":
                raise ShellSyntaxError("syntax error: unmatched '('")
            parts.append(Substitution(script, quoted))
        elif self._peek() == "{":
            self.at += 1
            name, mark, otherwise = self._until("}").partition(":-")
            if not name.replace("_", "").isalnum() and name not in tuple("?$#@*!"):
                raise ShellSyntaxError(f"${{{name}}}: bad substitution")
            parts.append(Variable(name, quoted, otherwise if mark else None))
        elif self._peek() == "'" and not quoted:
            self.at += 1
            _add(parts, self._ansi(), True)
        elif self._peek() and self._peek() in "?$#@*!0123456789":
            parts.append(Variable(self._next(), quoted))
        else:
            name = ""
            while self._peek() and (self._peek().isalnum() or self._peek() == "_") and self._peek().isascii():
                name += self._next()
            parts.append(Variable(name, quoted) if name else Text("$", True))

    def _ansi(self) -> str:
        found = []
        while (char := self._next()) != "'":
            if char == "":
                raise ShellSyntaxError("no closing quote")
            if char != "\\":
                found.append(char)
                continue
            mark = self._next()
            found.append(_ESCAPES.get(mark, mark))
        return "".join(found)

    def _until(self, mark: str, escapes: bool = False) -> str:
        found = []
        while (char := self._next()) != mark:
            if char == "":
                raise ShellSyntaxError("no closing quote")
            if escapes and char == "\\" and self._peek() in ("`", "\\", "$"):
                char = self._next()
            found.append(char)
        return "".join(found)

    def _blanks(self, newlines: bool = False) -> None:
        while self._peek() and self._peek() in (" \t\n" if newlines else " \t"):
            self.at += 1
        if self.text.startswith("\\\n", self.at):
            self.at += 2
            self._blanks(newlines)
        elif self._peek() == "#":
            while self._peek() not in ("", "\n"):
                self.at += 1
            if newlines:
                self._blanks(newlines)

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _next(self) -> str:
        char = self._peek()
        self.at += 1
        return char

    def _unexpected(self) -> ShellSyntaxError:
        shown = {"": "EOF", "\n": "newline"}.get(self._peek(), self._peek())
        return ShellSyntaxError(f"syntax error: unexpected '{shown}'")


def _add(parts: Word, value: str, quoted: bool) -> None:
    """Append literal text, joined to literal text of the same kind before it."""
    last = parts[-1] if parts else None
    if isinstance(last, Text) and last.quoted == quoted:
        last.value += value
    else:
        parts.append(Text(value, quoted))


def parse(text: str) -> Script:
    """The tree of a script; raises `ShellSyntaxError`."""
    parser = Parser(text)
    script = parser.script()
    if parser.at < len(text):
        raise parser._unexpected()
    return script
