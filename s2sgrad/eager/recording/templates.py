"""Source templates of the fast paths; `fastpath` fills them in and compiles them."""

QUIETLY = """token = silence(SILENT)
try:
    ya = {}
finally:
    speak(token)"""

UNARY = """
def unary(x):
    if not STATE.fast:
        return general(x)
    xa = x._array
    d = xa.dtype
    if d is not F64 and d is not F32:
        return general(x)
{evaluated}
    if ya.__class__ is not ndarray:
        ya = asarray(ya)
    y = new(Tensor)
    y._array = ya
    y._view = None
    y._vc = y_vc = [0]
    edge = x._node
    if x._view is not None:
        edge = x._edge()
    elif edge is LEAF:
        edge = x
    if edge is None:
        y._node = None
        return y
    y._node = node = new(NodeClass)
    node.order = next_order()
    node.parents = (edge,)
    node.hooks = None
    node.fit = None
{save}
    return y
"""

START = """
def binary(x, other):
    xa = x._array
    d = xa.dtype
    if not STATE.fast or (d is not F64 and d is not F32):
        return general(x, other)
    edge = x._node
    if x._view is not None:
        edge = x._edge()
    elif edge is LEAF:
        edge = x
"""

BINARY = """
    if isinstance(other, Tensor):
        oa = other._array
        if oa.dtype is not d:
            return general(x, other)
        other_edge = other._node
        if other._view is not None:
            other_edge = other._edge()
        elif other_edge is LEAF:
            other_edge = other
        try:
{two}
        except ValueError:
            return general(x, other)
        if ya.__class__ is not ndarray:
            ya = asarray(ya)
        y = new(Tensor)
        y._array = ya
        y._view = None
        y._vc = y_vc = [0]
        if edge is None:
            if other_edge is None:
                y._node = None
                return y
            y._node = node = new(Second)
{save_second}
        elif other_edge is None:
            y._node = node = new(First)
{save_first}
        else:
            y._node = node = new(Both)
{save_both}
        node.order = next_order()
        node.parents = (edge, other_edge)
        node.hooks = None
        node.fit = None if xa.shape == oa.shape else (xa.shape, oa.shape)
        return y
{scalar}
"""

SCALAR = """
    kind = other.__class__
    if kind is not float and kind is not int:
        return general(x, other)
    oa = other
{scalar_result}
    if ya.__class__ is not ndarray:
        ya = asarray(ya)
    y = new(Tensor)
    y._array = ya
    y._view = None
    y._vc = y_vc = [0]
    if edge is None:
        y._node = None
        return y
    y._node = node = new(Scalar)
{save_scalar}
    node.order = next_order()
    node.parents = {parents}
    node.hooks = None
    node.fit = None
    return y
"""

MATRICES = """
def matrices(x, other):
    if STATE.fast and isinstance(other, Tensor):
        xa = x._array
        oa = other._array
        d = xa.dtype
        if (
            xa.ndim == {left} and oa.ndim == {right} and oa.dtype is d and (d is F64 or d is F32)
            and xa.shape[-1] == oa.shape[0]
        ):
            ya = xa.dot(oa)
            if ya.__class__ is not ndarray:
                ya = asarray(ya)
            edge = x._node
            if x._view is not None:
                edge = x._edge()
            elif edge is LEAF:
                edge = x
            other_edge = other._node
            if other._view is not None:
                other_edge = other._edge()
            elif other_edge is LEAF:
                other_edge = other
            y = new(Tensor)
            y._array = ya
            y._view = None
            y._vc = [0]
            if edge is None:
                if other_edge is None:
                    y._node = None
                    return y
                y._node = node = new(Second)
                node.saved = (xa, x._vc, x._vc[0])
            elif other_edge is None:
                y._node = node = new(First)
                node.saved = (oa, other._vc, other._vc[0])
            else:
                y._node = node = new(Both)
                node.saved = (xa, x._vc, x._vc[0], oa, other._vc, other._vc[0])
            node.order = next_order()
            node.parents = (edge, other_edge)
            node.hooks = None
            node.fit = (xa.shape, oa.shape)
            return y
    return general(x, other)
"""
