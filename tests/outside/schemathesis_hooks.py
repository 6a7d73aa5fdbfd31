"""In place of `positive_data_acceptance`: what fits the schema may be refused only by a rule that a schema cannot say.

The rules are these few: over several fields, over the calendar, over what exists already, or over a setting's live
value; and the letters of a name, where the field's description says them. Anything else that is refused although it
fits is a fault of the document.
"""

import json
import os
import re

import schemathesis

LISTED = [
    (r"/proposal_token", r"cannot stand beside confirm"),
    (r"/proposal_token", r"is for the agent that made the proposal"),
    (r"/cursor", r"is no cursor of this list"),
    (r"/(folder|label)_id", r"belongs to another account than account_id names"),
    (r"/thread_id", r"give exactly one of thread_id and message_id"),
    (r"/(since|before)", r"is not a point in time"),
    (r"/query", r"holds no word"),
    (r"/name", r"is the name of another \w+"),
    (r"/value", r"is not what [\w.]+ may be"),
    (r"/\w+(/ids)?", r"has more items than the setting \w+ allows"),
]
ACCEPTED = {401, 403, 404, 409, 413, 424, 429, 503}

with open(os.environ["OAKEN_DOCUMENT"], encoding="utf-8") as file:
    DOCUMENT = json.load(file)


@schemathesis.check
def what_fits_is_refused_by_listed_rules_only(ctx, response, case):
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive:
        return
    if response.status_code < 400 or response.status_code in ACCEPTED:
        return
    faults = response.json().get("fields", []) if response.status_code == 422 else []
    unlisted = [f for f in faults if not is_listed(f) and not says_its_letters(case.operation.path, f)]
    if faults and not unlisted:
        return
    raise AssertionError(f"{response.status_code} to what fits the schema, by no listed rule: {unlisted or response.text}")


def is_listed(fault):
    return any(re.fullmatch(field, fault["field"]) and re.match(rule, fault["message"]) for field, rule in LISTED)


def says_its_letters(path, fault):
    body = DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    if "$ref" in body:
        body = DOCUMENT["components"]["schemas"][body["$ref"].rsplit("/", 1)[1]]
    described = body.get("properties", {}).get(fault["field"].lstrip("/"), {}).get("description", "")
    return "letters" in fault["message"] and "letters" in described
