"""The text of an answer in the results of a batch, as services and programs write them.

OpenAI: {"custom_id": …, "response": {"body": {"choices": [{"message": {"content": …}}]}}}.
Anthropic: {"custom_id": …, "result": {"message": {"content": [{"type": "text", "text": …}]}}}.
lm-eval: {"doc_id": …, "resps": [[…]]}.
"""

from collections.abc import Mapping
from typing import Any


def is_batch(entry: Mapping[str, Any]) -> bool:
    """Whether an object is a result of a batch."""
    response, result = entry.get("response"), entry.get("result")
    return (
        (isinstance(response, dict) and ("body" in response or "choices" in response))
        or ("custom_id" in entry and isinstance(result, dict))
        or ("custom_id" in entry and response is None and entry.get("error") is not None)
        or isinstance(entry.get("resps"), list)
    )


def batch_answer(entry: Mapping[str, Any]) -> str | None:
    """The text of an answer; None if the request failed. A ValueError describes anything else."""
    if "resps" in entry:
        return _only(entry["resps"], "resps")
    if isinstance(entry.get("result"), dict):
        result = entry["result"]
        return _text(result["message"]) if isinstance(result.get("message"), dict) else None
    response = entry.get("response")
    if not isinstance(response, dict):
        return None
    body = response.get("body", response)
    if not isinstance(body, dict) or body.get("error") is not None:
        return None
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise ValueError("no answer in response.body.choices: expected choices with a message")
    if len(choices) > 1:
        raise ValueError(f"{len(choices)} choices: expected one answer per document")
    message = choices[0].get("message") if isinstance(choices[0], dict) else None
    if not isinstance(message, dict):
        raise ValueError("no message in response.body.choices: expected one with content")
    return _text(message)


def _text(message: Mapping[str, Any]) -> str | None:
    """The content of a message: a text, or parts of which some are texts."""
    content = message.get("content")
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise ValueError("the content of the message is not text")
    parts = [part["text"] for part in content if isinstance(part, dict) and "text" in part]
    if not all(isinstance(part, str) for part in parts):
        raise ValueError("the content of the message is not text")
    return "".join(parts)


def _only(given: Any, name: str) -> str | None:
    """The single text in lists of lists."""
    while isinstance(given, list):
        if len(given) != 1:
            raise ValueError(f"{name} holds {len(given)} answers: expected one per document")
        (given,) = given
    if given is not None and not isinstance(given, str):
        raise ValueError(f"{name} holds no text")
    return given
