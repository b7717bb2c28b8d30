"""A worker of Hiroba in Python, with the standard library alone.

    HIROBA_URL=http://localhost:8080 HIROBA_TOKEN=... python3 worker.py billing

It carries out the methods `charge` and `refund` of the service that is named, until it is interrupted.
"""

import json
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("HIROBA_URL", "http://localhost:8080").rstrip("/")
TOKEN = os.environ["HIROBA_TOKEN"]


class StepFailed(Exception):
    """A step did not succeed and had no effect. After any other exception it may have had one."""

    def __init__(self, reason, retryable=False):
        super().__init__(reason)
        self.retryable = retryable


def charge(order, task):
    if order.get("amount", 0) < 0:
        raise StepFailed("The amount is negative.")
    # A payment provider would be given task["idempotencyKey"], so that another attempt does not charge twice.
    return {"receipt": "R-%s" % order["order"]}


def refund(order, task):
    return {"refunded": True}


METHODS = {"charge": charge, "refund": refund}


def post(path, body):
    request = urllib.request.Request(
        URL + path,
        data=json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def keep(task, over):
    """Sends heartbeats until the step is over."""
    while not over.wait(task["leaseSeconds"] / 3):
        try:
            post("/api/v1/tasks/%s/heartbeat" % task["token"], {})
        except urllib.error.HTTPError as refused:
            if refused.code < 500:
                return
        except OSError:
            pass  # the next one may get through


def carry_out(task):
    over = threading.Event()
    threading.Thread(target=keep, args=(task, over), daemon=True).start()
    try:
        if task["method"] not in METHODS:
            raise StepFailed("The worker has no method " + task["method"])
        act, body = "complete", {"answer": METHODS[task["method"]](task["input"], task)}
    except StepFailed as failed:
        act, body = "fail", {"reason": str(failed), "retryable": failed.retryable}
    except Exception as failed:  # it may have taken effect
        act, body = "fail", {"reason": repr(failed), "retryable": True, "maybeDone": True}
    finally:
        over.set()
    for attempt in range(6):
        try:
            post("/api/v1/tasks/%s/%s" % (task["token"], act), body)
            return
        except urllib.error.HTTPError as refused:
            if refused.code < 500:
                print("not used:", refused.read().decode(), file=sys.stderr)
                return
        except OSError:
            pass
        time.sleep(0.2 * 2**attempt)


def main(service):
    stopping = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopping.set())
    poll = {"worker": "%s-%d" % (socket.gethostname(), os.getpid()), "waitSeconds": 5}
    failures = 0
    while not stopping.is_set():
        try:
            answer = post("/api/v1/workers/%s/poll" % urllib.parse.quote(service, safe=""), poll)
            failures = 0
        except OSError as failed:  # HTTPError is one
            failures += 1
            print("no tasks:", failed, file=sys.stderr)
            stopping.wait(min(15, 0.2 * 2**failures))
            continue
        for task in answer["tasks"]:
            carry_out(task)


if __name__ == "__main__":
    main(sys.argv[1])
