"""Makes the files and folders that the cases in files/*.records read: dumps, responses and archives as
teams have them, and malicious ones.

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
