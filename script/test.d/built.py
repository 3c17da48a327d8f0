"""What script/test build has built."""

import pathlib
import subprocess


def program():
    """The path of the program."""
    build = pathlib.Path(__file__).with_name("build")
    return f"{subprocess.run([build], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()}/overcrank"
