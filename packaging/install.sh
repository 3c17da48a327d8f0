#!/bin/sh
# Installs the files that lie beside this script.
#
# usage: ./install.sh [--remove] [PREFIX]     PREFIX is /usr/local unless you say so; DESTDIR is put in front of it
#
# --remove takes away what an install put there.
set -eu
from=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p;}' "$0"; }
remove=
case ${1:-} in
--remove) remove=yes && shift ;;
--help | -h) usage && exit ;;
esac
case ${1:-/usr/local} in
/*) prefix=${1:-/usr/local} ;;
*) usage >&2 && exit 64 ;;
esac
to=${DESTDIR:-}${prefix%/}
list=$to/share/overcrank/installed

# Takes away the files of the list, and the folders that hold nothing else.
take_away() {
    while read -r file; do
        rm -f "$to/$file"
        folder=$(dirname "$file")
        while [ "$folder" != . ] && rmdir "$to/$folder" 2>/dev/null; do folder=$(dirname "$folder"); done
    done
}

if [ -n "$remove" ]; then
    if [ ! -r "$list" ]; then
        echo "install.sh: nothing of Overcrank is installed under $to: there is no $list" >&2
        exit 66
    fi
    files=$(cat "$list")
    printf '%s\nshare/overcrank/installed\n' "$files" | take_away
    exit
fi

# What an older version has and this one has not.
if [ -r "$list" ]; then sort "$list" | comm -23 - "$from/share/overcrank/installed" | take_away; fi
while read -r file; do
    mkdir -p "$to/$(dirname "$file")"
    # A program that runs keeps its file.
    rm -f "$to/$file"
    cp -p "$from/$file" "$to/$file"
done <"$from/share/overcrank/installed"
mkdir -p "$to/share/overcrank"
cp -p "$from/share/overcrank/installed" "$list"
if [ -z "${DESTDIR:-}" ]; then
    echo "Overcrank is installed under $to. To let it film before all other programs run:"
    echo "  sudo setcap cap_sys_nice,cap_ipc_lock+p $to/bin/overcrank"
fi
