#!/usr/bin/env python3
"""Fills a namespace with releases, by copies of one that is there: its newest record under other names.

    docs/evidence/seed.py API NAMESPACE FROM COUNT [REVISIONS [BYTES]]

FROM is NAMESPACE/RELEASE. API is an address of the Kubernetes API that asks for no credential: what `kubectl proxy` prints. The
copies are called seeded-0000, seeded-0001, …; what is there already stays. With REVISIONS, each has so many, all but the newest
superseded. With BYTES, each has notes of so many random digits, for records of the size that large charts have.
"""

import base64
import concurrent.futures
import gzip
import json
import random
import sys
import urllib.error
import urllib.request

if len(sys.argv) < 5:
    sys.exit(__doc__)
api, namespace, count = sys.argv[1].rstrip("/"), sys.argv[2], int(sys.argv[4])
home, _, release = sys.argv[3].partition("/")
revisions = int(sys.argv[5]) if len(sys.argv) > 5 else 1
more = int(sys.argv[6]) if len(sys.argv) > 6 else 0


def secrets(of):
    return f"{api}/api/v1/namespaces/{of}/secrets"


def newest():
    with urllib.request.urlopen(f"{secrets(home)}?labelSelector=owner%3Dhelm,name%3D{release}") as answer:
        found = json.load(answer)["items"]
    if not found:
        sys.exit(f"There is no release {release} in the namespace {home}.")
    return max(found, key=lambda it: int(it["metadata"]["labels"]["version"]))


def copy(pattern, labels, number, revision):
    name, status = f"seeded-{number:04}", "deployed" if revision == revisions else "superseded"
    record = dict(pattern, name=name, namespace=namespace, version=revision)
    record["info"] = dict(pattern["info"], status=status)
    if more:
        record["info"]["notes"] = random.randbytes(more // 2).hex()
    text = gzip.compress(json.dumps(record).encode(), 6)
    payload = base64.b64encode(base64.b64encode(text)).decode()
    labels = dict(labels, name=name, version=str(revision), status=status)
    metadata = {"name": f"sh.helm.release.v1.{name}.v{revision}", "labels": labels}
    body = {"apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1", "metadata": metadata,
            "data": {"release": payload}}
    request = urllib.request.Request(secrets(namespace), json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request).read()
    except urllib.error.HTTPError as error:
        if error.code != 409:
            raise
    return len(payload) * 3 // 4


secret = newest()
pattern = json.loads(gzip.decompress(base64.b64decode(base64.b64decode(secret["data"]["release"]))))
labels = secret["metadata"]["labels"]
wanted = [(number, revision) for number in range(count) for revision in range(1, revisions + 1)]
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    sizes = list(pool.map(lambda it: copy(pattern, labels, *it), wanted))
print(f"{count} releases, {len(sizes)} records of {max(sizes)} bytes at most, copies of {release}")
