"""An agent that sorts mails of customers: what it is about, which order, and a reply. No model is asked."""

from __future__ import annotations

import re
from typing import Any

TOPICS = {"billing": ("invoice", "charged", "refund"), "shipping": ("arrived", "parcel", "deliver")}


def answer(mail: str) -> dict[str, Any]:
    """Sort one mail.

    Args:
        mail: what the customer wrote.
    """
    words = mail.lower()
    topic = next((name for name, signs in TOPICS.items() if any(sign in words for sign in signs)), "other")
    order = re.search(r"\b[A-Z]{2}-\d{4}\b", mail)
    number = order[0] if order else None
    about = f"your order {number}" if number else "your mail"
    return {"topic": topic, "order": number, "reply": f"Thank you for writing about {about}."}
