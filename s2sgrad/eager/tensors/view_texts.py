"""Why a view may not be written to, or not be used after a write, in torch's words."""

from __future__ import annotations

CLARIFY = {
    "no_grad": "{} was created in no_grad mode and {} modified inplace with grad mode "
    "enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can "
    "clarify your code by moving both the view and the inplace either both inside the no_grad "
    "block (if you don't want the inplace to be tracked) or both outside (if you want the inplace "
    "to be tracked).",
    "inference": "{} was created in inference mode and {} modified inplace in normal "
    "mode. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
    "your code by moving both the view and the inplace either both inside the inference_mode block "
    "(if you don't want the inplace to be tracked) or both outside (if you want the inplace to be "
    "tracked).",
}
MULTI = (
    "Output {} of {} is a view and {} modified inplace. This view is the output of a function that "
    "returns multiple views. Such functions do not allow the output views to be modified inplace. "
    "You should replace the inplace operation by an out-of-place one."
)
CUSTOM = (
    "Output {} of {} is a view and {} modified inplace. This view was created inside a custom "
    "Function (or because an input was returned as-is) and the autograd logic to handle "
    "view+inplace would override the custom backward associated with the custom Function, leading "
    "to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of "
    "the custom Function."
)


def inherited(meta: str, name: str) -> str:
    """The `meta` of a view of a view: a refusal names the function that made this one."""
    if not meta:
        return meta
    why = [meta] if meta in CLARIFY else meta.split(":")[2:]
    return ":".join(("0", name.rstrip("0123456789").removesuffix("Backward"), *why))


VIEW_WRITTEN, BASE_WRITTEN = "is being", "its base or another view of its base has been"


def refusal(meta: str, written: str) -> str:
    """The text for a view that was made under `meta`; `written` says what was written to."""
    if meta in CLARIFY:
        return CLARIFY[meta].format("A view", written)
    number, name, *why = meta.split(":")
    if why and why[0] in CLARIFY:
        return CLARIFY[why[0]].format(
            f"Output {number} of {name} is a view of a view which", written
        )
    return (CUSTOM if why else MULTI).format(number, name, written)
