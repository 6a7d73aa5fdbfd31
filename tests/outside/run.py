"""Clients and validators that others wrote, against a running demo. One line a check; exit 1 where one failed."""

import sys

import clients
import document
import frames
import protocol
from oaken import Demo, Report

# Schemathesis comes last: what it creates and changes stays in its demo.
PARTS = {"clients": clients, "frames": frames, "protocol": protocol, "document": document}


def main():
    chosen = sys.argv[1:] or list(PARTS)
    report = Report()
    with Demo() as demo:
        for name in chosen:
            PARTS[name].checks(demo, report)
        if report.failed:
            print("what the daemon wrote:", "".join(demo.log)[-4000:], sep="\n")
    sys.exit(1 if report.failed else 0)


if __name__ == "__main__":
    main()
