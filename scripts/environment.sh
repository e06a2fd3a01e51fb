# Sets up the project's virtual environment, .venv; sourced by `try` and `check`, from the repository's root.
#
# 1. A stamp holds the digest of what decides the environment (pyproject.toml, constraints.txt, the Python): where it
#    agrees nothing is done, so that the second call is instant and needs no network.
# 2. Without Python's venv module or a C++ compiler (llama-cpp-python is built from source) it stops and says what to
#    install; as root on Debian it installs it.
# 3. torch comes first and by its exact version: a range would be resolved again by every package that needs it.

VENV=.venv
DEBIAN_PACKAGES="build-essential python3-venv"

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$1"
    exit 1
}

# The first Python of at least 3.11; $PYTHON decides where it is set.
find_python() {
    local candidate
    for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3}; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    fail "There is no Python 3.11 or newer (${PYTHON:-python3} was tried last). Install one, or name it: PYTHON=/path/to/python3.11 $0"
}

# Debian's packages where we may install them, else the command that does.
install_debian_packages() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "$1 missing: installing $DEBIAN_PACKAGES"
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $DEBIAN_PACKAGES; } >&2 && return
    fi
    fail "$1 missing. Install it, then run $0 again: apt-get install -y $DEBIAN_PACKAGES"
}

has_compiler() { command -v "${CXX:-c++}" >/dev/null && command -v "${CC:-cc}" >/dev/null; }

has_venv() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

digest() { { cat pyproject.toml constraints.txt scripts/environment.sh && "$1" --version; } | sha256sum | cut -c1-64; }

pip_install() { "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --constraint constraints.txt "$@"; }

# ensure_environment NAME EXTRAS: .venv holds the project with EXTRAS ("", or "[trainer,dev]"), stamped as NAME.
ensure_environment() {
    local name=$1 extras=$2 python stamp digest
    python=$(find_python)
    stamp="$VENV/installed-$name" digest=$(digest "$python")
    [ "$(cat "$stamp" 2>/dev/null)" = "$digest" ] && return
    has_venv "$python" || install_debian_packages "Python's venv module is"
    has_compiler || "$VENV/bin/python" -c 'import llama_cpp' 2>/dev/null || install_debian_packages "A C++ compiler is"
    say "Setting up $VENV, once. Where llama.cpp must be built that takes about five minutes on two cores ..."
    [ "$("$VENV/bin/python" --version 2>/dev/null)" = "$("$python" --version)" ] || "$python" -m venv --clear "$VENV"
    case $extras in *trainer* | *embed*) pip_install "$(grep '^torch==' constraints.txt)" ;; esac
    pip_install --editable ".$extras"
    printf '%s\n' "$digest" | tee "$stamp" >"$VENV/installed-base"
}
