"""Element types with torch's names, each standing for one NumPy dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    import ml_dtypes

    _BFLOAT16: np.dtype[Any] | None = np.dtype(ml_dtypes.bfloat16)
except ImportError:  # bfloat16 needs the optional package ml_dtypes
    _BFLOAT16 = None


UNFIT_ARRAY = (
    "can't convert np.ndarray of type numpy.{}. The only supported types are: float64, float32, "
    "float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and "
    "bool."
)


class dtype:
    """One element type; `np` is the NumPy dtype behind it, `type_name` torch's tensor type."""

    __slots__ = ("category", "name", "np", "type_name")

    def __init__(self, name: str, numpy_dtype: Any, category: int, type_name: str) -> None:
        self.name, self.category, self.type_name = name, category, type_name
        self.np = np.dtype(numpy_dtype)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> Any:
        return (by_name, (self.name,))

    @property
    def is_floating_point(self) -> bool:
        return self.category == FLOATING

    @property
    def is_complex(self) -> bool:
        return self.category == COMPLEX

    @property
    def native_name(self) -> str:
        """The type of a tensor as torch's C++ part words it in errors."""
        plain = self.name != "bool" and self.name != "bfloat16" and not self.is_complex
        return f"torch.{self.type_name}Tensor" if plain else f"CPU{self.type_name}Type"

    @property
    def c_name(self) -> str:
        """The C++ type of an element."""
        return _C_NAMES.get(self.name, self.name)

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's dtype: lets `np.zeros(3, dtype=t.dtype)` work."""
        return self.np

    @property
    def kind(self) -> str:
        """NumPy's letter for the category."""
        return self.np.kind

    @property
    def is_signed(self) -> bool:
        return self.category >= FLOATING or self.np.kind == "i"

    @property
    def itemsize(self) -> int:
        return self.np.itemsize

    def to_real(self) -> Any:
        """The type of the real part."""
        return {complex64: float32, complex128: float64}.get(self, self)

    def to_complex(self) -> Any:
        """The complex type of the same precision."""
        return {float32: complex64, float64: complex128}.get(self, complex64)


BOOLEAN, INTEGER, FLOATING, COMPLEX = range(4)

bool_ = dtype("bool", np.bool_, BOOLEAN, "Bool")
uint8 = dtype("uint8", np.uint8, INTEGER, "Byte")
int8 = dtype("int8", np.int8, INTEGER, "Char")
int16 = short = dtype("int16", np.int16, INTEGER, "Short")
int32 = int_ = dtype("int32", np.int32, INTEGER, "Int")
int64 = long = dtype("int64", np.int64, INTEGER, "Long")
uint16 = dtype("uint16", np.uint16, INTEGER, "UInt16")
uint32 = dtype("uint32", np.uint32, INTEGER, "UInt32")
uint64 = dtype("uint64", np.uint64, INTEGER, "UInt64")
float16 = half = dtype("float16", np.float16, FLOATING, "Half")
float32 = float_ = dtype("float32", np.float32, FLOATING, "Float")
float64 = double = dtype("float64", np.float64, FLOATING, "Double")
complex64 = cfloat = dtype("complex64", np.complex64, COMPLEX, "ComplexFloat")
complex128 = cdouble = dtype("complex128", np.complex128, COMPLEX, "ComplexDouble")

_ALL = [
    bool_, uint8, int8, int16, int32, int64, uint16, uint32, uint64,
    float16, float32, float64, complex64, complex128,
]  # fmt: skip
if _BFLOAT16 is not None:
    bfloat16 = dtype("bfloat16", _BFLOAT16, FLOATING, "BFloat16")
    _ALL.append(bfloat16)

_C_NAMES = {
    "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int",
    "int64": "long int", "uint16": "short unsigned int", "uint32": "unsigned int",
    "uint64": "long unsigned int", "float16": "c10::Half", "bfloat16": "c10::BFloat16",
    "float32": "float", "float64": "double", "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}  # fmt: skip
BY_NUMPY: dict[Any, dtype] = {d.np: d for d in _ALL}
_BY_NAME: dict[str, dtype] = {d.name: d for d in _ALL}
_PYTHON = {bool: bool_, int: int64, float: None, complex: None}

F32, F64 = float32.np, float64.np
REAL_FLOATS = frozenset(d.np for d in _ALL if d.category == FLOATING)
_default = [float32]


def by_name(name: str) -> dtype:
    """The type called `name`, such as "float32"."""
    return _BY_NAME[name]


def get_default_dtype() -> dtype:
    """The floating type that Python floats become."""
    return _default[0]


def set_default_dtype(d: dtype) -> None:
    """Change the floating type that Python floats become."""
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default[0] = d


def default_complex() -> dtype:
    """The complex type that Python complex numbers become."""
    return _default[0].to_complex()


def from_numpy(numpy_dtype: Any) -> dtype:
    """Our type for a NumPy dtype; TypeError where there is none (strings, objects)."""
    found = BY_NUMPY.get(numpy_dtype)
    if found is None:
        found = BY_NUMPY.get(np.dtype(numpy_dtype).newbyteorder("="))
        if found is None:
            raise TypeError(UNFIT_ARRAY.format(np.dtype(numpy_dtype).type.__name__))
    return found


def as_dtype(given: Any) -> dtype:
    """Our type for one of ours, a Python type, or anything NumPy takes for a dtype."""
    if isinstance(given, dtype):
        return given
    if given is float:
        return float64
    if given is complex:
        return complex128
    if given in _PYTHON:
        return _PYTHON[given] or float32
    return from_numpy(np.dtype(given))


def python_scalar_dtype(value: Any) -> dtype:
    """The type of a tensor made from a Python number."""
    if isinstance(value, bool):
        return bool_
    if isinstance(value, int):
        return int64
    return default_complex() if isinstance(value, complex) else _default[0]


def promote_types(a: dtype, b: dtype) -> dtype:
    """The smallest type that both convert to, by torch's rules."""
    if a is b:
        return a
    if a.category < b.category:
        a, b = b, a
    if a.category == COMPLEX:
        if b.category <= INTEGER or b in (float16, float32) or b.name == "bfloat16":
            return a
        return complex128
    if a.category == FLOATING and b.category <= INTEGER:
        return a
    if a.category == FLOATING and a.itemsize == b.itemsize == 2:
        return float32  # half with bfloat16
    if a.category == FLOATING:
        return a if a.itemsize >= b.itemsize else b
    return from_numpy(np.promote_types(a.np, b.np))


class finfo:
    """Limits of a floating type: `eps, min, max, tiny, smallest_normal, resolution, bits`."""

    def __init__(self, type: Any = None) -> None:
        found = as_dtype(type or get_default_dtype())
        if found.np.kind in "iub":
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle"
                " 'torch.finfo'"
            )
        info: Any = ml_dtypes.finfo(found.np) if found.name == "bfloat16" else np.finfo(found.np)
        if found.np.kind == "c":  # the limits of its parts
            found = from_numpy(np.empty(0, found.np).real.dtype)
        self.dtype, self.bits = found.name, found.itemsize * 8
        self.eps, self.max, self.min = float(info.eps), float(info.max), float(info.min)
        self.tiny = self.smallest_normal = float(info.tiny)
        self.resolution = 10.0**-info.precision

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        limits = ", ".join(f"{name}={getattr(self, name):.6g}" for name in names)
        return f"finfo({limits}, dtype={self.dtype})"


class iinfo:
    """Limits of an integer type: `min, max, bits`."""

    def __init__(self, type: Any) -> None:
        found = as_dtype(type)
        info = np.iinfo(found.np)
        self.dtype, self.bits, self.min, self.max = found.name, info.bits, info.min, info.max

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:.6g}, max={self.max:.6g}, dtype={self.dtype})"


class Size(tuple[int, ...]):
    """A shape, printed `torch.Size([2, 3])`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    def numel(self) -> int:
        """How many elements a tensor of this shape has."""
        count = 1
        for n in self:
            count *= n
        return count

    def __getitem__(self, index: Any) -> Any:
        found = tuple.__getitem__(self, index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> Any:
        return Size(tuple.__add__(self, tuple(other)))

    def __mul__(self, count: Any) -> Any:
        return Size(tuple.__mul__(self, count))

    __rmul__ = __mul__
