"""Client of a Voight service, for a platform's back end."""

from ._client import AsyncVoight, Voight
from ._errors import VoightError
from ._verdict import Lookup, Receipt, Verdict

__all__ = ["AsyncVoight", "Lookup", "Receipt", "Verdict", "Voight", "VoightError"]
__version__ = "0.1.0"
