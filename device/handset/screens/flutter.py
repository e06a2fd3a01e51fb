"""The tree that a Flutter app shows: the same page with what Flutter keeps of it.

After `engine/src/flutter/shell/platform/android/io/flutter/view/AccessibilityBridge.java`: views are
`android.view.View`, a row is one node whose description joins its texts by line breaks, a field keeps its class and its
text and loses its hint, and there are no resource ids.
"""

from device.handset.screens.node import Node

FLUTTER_APPS = frozenset(("Uber", "PayPal"))
"""Apps that are drawn so."""
_VIEW, _KEPT = "android.view.View", ("android.widget.EditText", "android.widget.Button", "android.widget.Switch")


def as_flutter(node: Node) -> Node:
    """The node and all below it, changed in place."""
    said = [part for inner in node.walk() for part in (inner.text or inner.desc,) if part]
    switches = [inner for inner in node.walk() if inner.cls == "android.widget.Switch" and inner is not node]
    if node.clickable and node.cls != "android.widget.EditText":
        node.desc, node.text, node.children = "\n".join(said), "", []
        if switches:
            node.cls, node.checkable, node.checked = switches[0].cls, True, switches[0].checked
    elif not node.clickable and node.text:
        node.desc, node.text = node.text, ""
    if node.cls not in _KEPT:
        node.cls = _VIEW
    node.rid = node.hint = ""
    node.children = [as_flutter(child) for child in node.children]
    return node
