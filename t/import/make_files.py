"""Makes the files and folders that cases in files/*.records read: dumps, replies and archives as
teams hold them, and those that somebody made to harm.

    make_files.py FOLDER
"""
import os
import sys

import make_dumps
import make_hostile
import make_json
import make_zips


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    os.chdir(sys.argv[1])
    for module in (make_dumps, make_json, make_zips, make_hostile):
        module.make()


main()
