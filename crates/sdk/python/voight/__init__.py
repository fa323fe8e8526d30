"""Client of a Voight service, for a platform's back end."""

from ._client import AsyncVoight, Voight
from ._errors import VoightError
from ._verdict import Lookup, Receipt, Verdict
from ._webhook import WebhookEvent, verify_webhook

__all__ = ["AsyncVoight", "Lookup", "Receipt", "Verdict", "Voight", "VoightError", "WebhookEvent", "verify_webhook"]
__version__ = "0.1.0"
