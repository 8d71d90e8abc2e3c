#!/usr/bin/env python3
"""Serves a folder of charts on loopback, each answer SECONDS late: a repository that is slow.

    docs/evidence/charts.py FOLDER PORT [SECONDS]
"""

import functools
import http.server
import sys
import time


class Late(http.server.SimpleHTTPRequestHandler):
    seconds = 0.0

    def do_GET(self):
        time.sleep(self.seconds)
        super().do_GET()

    def log_message(self, *_):
        pass


if len(sys.argv) < 3:
    sys.exit(__doc__)
Late.seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
serve = functools.partial(Late, directory=sys.argv[1])
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), serve).serve_forever()
