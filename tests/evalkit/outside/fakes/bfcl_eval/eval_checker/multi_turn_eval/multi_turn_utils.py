"""An executor that keeps its instances from call to call under the task's id, in a global."""

import copy
import importlib
import json

from bfcl_eval.constants.executable_backend_config import CLASS_FILE_PATH_MAPPING, STATELESS_CLASSES

KEPT = {}


def execute_multi_turn_func_call(
    func_call_list, initial_config, involved_classes, model_name, test_entry_id, long_context=False, is_evaL_run=False
):
    """Texts of the results, and the instances."""
    instances, methods = {}, {}
    for name in involved_classes:
        key = f"{model_name}_{test_entry_id}_{name}"
        if key not in KEPT:
            KEPT[key] = getattr(importlib.import_module(CLASS_FILE_PATH_MAPPING[name]), name)()
            if name not in STATELESS_CLASSES:
                KEPT[key]._load_scenario(copy.deepcopy(initial_config.get(name, {})), long_context=long_context)
        instances[name] = KEPT[key]
        methods.update({one: getattr(KEPT[key], one) for one in dir(KEPT[key]) if not one.startswith("_")})
    results = [eval(call, {name: one for name, one in methods.items() if callable(one)}) for call in func_call_list]
    return [text(one) for one in results], instances


def text(result):
    """JSON where there is one."""
    try:
        return json.dumps(result) if isinstance(result, dict) else str(result)
    except TypeError:
        return str(result)
