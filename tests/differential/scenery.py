"""What expressions want and the program does not have yet.

Every function here answers with an expression for something that exists from then on, or None where it cannot.
"""

from .attributes import (
    buffer,
    flag,
    int_attribute,
    leaf,
    maybe_module,
    module,
    module_dict,
    module_list,
    parameter,
    string_attribute,
    tensor_attribute,
)
from .classes import call_submodule, inherit, new_class
from .functions import call_helper, call_method, partial
from .settings import config_field, function_table, module_constant, options, record

__all__ = [
    "buffer",
    "call_helper",
    "call_method",
    "call_submodule",
    "config_field",
    "flag",
    "function_table",
    "inherit",
    "int_attribute",
    "leaf",
    "maybe_module",
    "module",
    "module_constant",
    "module_dict",
    "module_list",
    "new_class",
    "options",
    "parameter",
    "partial",
    "record",
    "string_attribute",
    "tensor_attribute",
]
