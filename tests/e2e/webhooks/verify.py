"""Verifies requests with libraries of PyPI: `verify.py REQUESTS` prints an object of lists of names."""

import base64
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks import Webhook, WebhookVerificationError


def verify_ed25519(request):
    """The library knows no signatures by Ed25519, so those are verified as the specification describes."""
    headers = request["headers"]
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(request["key"].removeprefix("whpk_")))
    message = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{request['body']}".encode()
    for entry in headers["webhook-signature"].split(" "):
        version, signature = entry.split(",")
        try:
            key.verify(base64.b64decode(signature), message)
            return version == "v1a"
        except InvalidSignature:
            continue
    return False


def verify_hmac(request):
    try:
        Webhook(request["key"]).verify(request["body"], request["headers"])
        return True
    except WebhookVerificationError:
        return False


with open(sys.argv[1], encoding="utf-8") as file:
    requests = json.load(file)
hmac = [request for request in requests if request["key"].startswith("whsec_")]
ed25519 = [request for request in requests if request["key"].startswith("whpk_")]
verified = {
    "standardwebhooks": [request["name"] for request in hmac if verify_hmac(request)],
    "cryptography": [request["name"] for request in ed25519 if verify_ed25519(request)],
}
print(json.dumps(verified))
