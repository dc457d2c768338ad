#!/usr/bin/env bash
# Unpacks a Debian package into a folder and uses what is in it: solve, check, experiment, report,
# manual pages. usage: packaging/debian/check.sh PACKAGE.deb
set -euo pipefail
package=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() { echo "$package: $*" >&2; exit 1; }
field() { dpkg-deb -f "$package" "$1"; }

version=$(field Version)
[[ $(basename "$package") == playproof_${version}_$(field Architecture).deb ]] || fail "named otherwise"
[[ $(field Depends) == *libc6* && $(field Depends) == *libsqlite3-0* ]] || fail "Depends: $(field Depends)"
[[ $(field Recommends) == *python3-matplotlib* ]] || fail "Recommends: $(field Recommends)"
for path in usr/bin/playproof usr/bin/playproof-check usr/share/man/man1/playproof-solve.1.gz \
    usr/share/doc/playproof/docs/formats.md usr/share/doc/playproof/copyright usr/share/doc/playproof/changelog.gz \
    usr/share/bash-completion/completions/playproof usr/share/zsh/vendor-completions/_playproof \
    usr/share/fish/vendor_completions.d/playproof.fish usr/share/playproof/python/playproof-report.py; do
  dpkg-deb --fsys-tarfile "$package" | tar -t "./$path" >/dev/null || fail "no $path"
done
if dpkg-deb --fsys-tarfile "$package" | tar -t | grep -E '\.(a|h|cuh|cmake|pyc)$'; then
  fail "files of developers"
fi

dpkg-deb -x "$package" "$folder"
PATH=$folder/usr/bin:$PATH
cd "$folder"
[ "$(readelf -S usr/bin/playproof | grep -c '\.debug_info\|\.symtab')" = 0 ] || fail "not stripped"
[[ $(playproof --version) == "playproof $version+"* ]] || fail "another version: $(playproof --version)"
playproof solve hex:size=3 --algorithm pn --certificate proof.cert --json | grep -q '"verdict":"proved"'
playproof-check proof.cert --game hex:size=3 --verdict proved >/dev/null
playproof experiment usr/share/playproof/bench/plans/which.toml --dry-run | grep -q '^3686 runs$' || fail "no plan"
cat > smoke.toml <<'PLAN'
name = "smoke"
limits.max_nodes = 1e5
series = [{ name = "trees", game = "pgame:branching=2,depth=8", trees = { from = 1, to = 8 } }]
algorithm = [{ spec = "pn" }, { spec = "dfpn" }]
PLAN
playproof experiment smoke.toml --store smoke.db --progress none >/dev/null
playproof report smoke.db --output smoke.html >/dev/null
grep -q '</html>' smoke.html || fail "no page"
man --warnings -l usr/share/man/man1/playproof-solve.1.gz 2>&1 >/dev/null | { ! grep .; } || fail "man page"
# Where Debian's own checker is, it must find no error.
if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error "$package" >&2 || fail "lintian"
fi
echo "$(basename "$package"): $(stat -c %s "$package") bytes, unpacked and used"
