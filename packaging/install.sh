#!/bin/sh
# Installs the files that lie beside this script.
#
# usage: ./install.sh [--remove] [PREFIX]     PREFIX is /usr/local unless you say so; DESTDIR is put in front of it
#
# --remove takes away what an install put there. Files that are not Overcrank's are left alone: one in the way ends the
# install before it begins.
set -eu
unset CDPATH
from=$(cd "$(dirname "$(readlink -f "$0")")" && pwd -P)
usage() { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p;}' "$from/install.sh"; }
say() { printf 'install.sh: %s\n' "$*" >&2; }
remove=
case ${1:-} in
--remove) remove=yes && shift ;;
--help | -h) usage && exit ;;
esac
case ${1-/usr/local} in
/*) prefix=${1-/usr/local} ;;
*) usage >&2 && exit 64 ;;
esac
[ $# -le 1 ] || { usage >&2 && exit 64; }
# All users may read and run the installed files, regardless of who unpacked them and how.
umask 022
to=${DESTDIR:-}${prefix%/}
# The list of Overcrank's files under the prefix, and of the folders that were created for them, which end in a /.
list=$to/share/overcrank/installed
if [ "$from" -ef "$to/" ]; then
    say "$to is the unpacked folder: run bin/overcrank there, or name another folder to install it."
    exit 64
fi

exists() { [ -e "$1" ] || [ -L "$1" ]; }
is_folder() { [ -d "$1" ] && [ ! -L "$1" ]; }

if [ -n "$remove" ]; then
    if [ ! -f "$list" ]; then
        say "nothing of Overcrank is installed under $to: there is no $list"
        exit 66
    fi
    listed=$(cat "$list")
    left=$(printf '%s\n' "$listed" | grep '[^/]$' | while read -r file; do
        if is_folder "$to/$file"; then
            say "$to/$file is a folder, and not by this script" && echo left
        else
            rm -f "$to/$file" "$to/$file.overcrank-new" || echo left
        fi
    done)
    [ -z "$left" ] || exit 74
    rm "$list"
    # The deepest first; those that hold something of others stay.
    printf '%s\n' "$listed" | grep '/$' | LC_ALL=C sort -r | while read -r folder; do
        rmdir "$to/${folder#./}" 2>/dev/null || true
    done
    exit
fi

had=
if [ -f "$list" ]; then had=$(cat "$list"); fi
has=$(cat "$from/share/overcrank/installed")
# Its folders, the prefix among them as ./
wanted=$(printf '%s\nshare/overcrank/installed\n' "$has" | while read -r file; do
    folder=$(dirname "$file")
    while [ "$folder" != . ]; do printf '%s/\n' "$folder" && folder=$(dirname "$folder"); done
    printf './\n'
done | LC_ALL=C sort -u)
is_ours() { printf '%s\n' "$had" | grep -Fqx "$1"; }
others=$(
    if exists "$list" && [ ! -f "$list" ]; then printf '%s\n' "$list"; fi
    printf '%s\n' "$has" | while read -r file; do
        if is_folder "$to/$file" || { exists "$to/$file" && ! is_ours "$file"; }; then printf '%s\n' "$to/$file"; fi
    done
    printf '%s\n' "$wanted" | while read -r folder; do
        if exists "$to/${folder%/}" && [ ! -d "$to/$folder" ]; then printf '%s\n' "$to/${folder%/}"; fi
    done
)
if [ -n "$others" ]; then
    printf '%s\n' "$others" | while read -r file; do say "$file is there, and not by this script"; done
    say "Nothing was installed. Move it away, or remove the package that it is of."
    exit 73
fi

# Those that are missing, and were when they were first made.
folders=$(printf '%s\n' "$wanted" | while read -r folder; do
    if [ ! -d "$to/$folder" ] || is_ours "$folder"; then printf '%s\n' "$folder"; fi
done)

# What is read from standard input takes the place of a file at once: a program that runs keeps its own, and where the disk is
# full, what was there stays.
put() { # FILE MODE
    if ! { cat >"$1.overcrank-new" && chmod "$2" "$1.overcrank-new" && mv -f "$1.overcrank-new" "$1"; }; then
        rm -f "$1.overcrank-new"
        say "could not write $1. --remove takes away what was installed."
        exit 74
    fi
}
note() { printf '%s\n' "$@" | LC_ALL=C sort -u | grep . | put "$list" 644; }
mkdir -p "$to/share/overcrank"
# First, so that an install that was interrupted can be removed.
note "$had" "$folders" "$has"
printf '%s\n' "$has" | while read -r file; do
    mkdir -p "$(dirname "$to/$file")"
    mode=644
    if [ -x "$from/$file" ]; then mode=755; fi
    put "$to/$file" $mode <"$from/$file"
done
# What an older version had, and this one has not.
printf '%s\n' "$had" | grep '[^/]$' | while read -r file; do
    printf '%s\n' "$has" | grep -Fqx "$file" || rm -f "$to/$file"
done
note "$folders" "$has"
if [ -z "${DESTDIR:-}" ]; then
    {
        echo "Overcrank is installed under $to. To let its capture thread run before other programs:"
        echo "  sudo setcap cap_sys_nice,cap_ipc_lock+p '$(printf '%s' "$to" | sed "s/'/'\\\\''/g")/bin/overcrank'"
    } 2>/dev/null || true
fi
