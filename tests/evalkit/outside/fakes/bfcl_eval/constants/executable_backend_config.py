"""Where classes and their documentation stand."""

PREFIX = "bfcl_eval.eval_checker.multi_turn_eval.func_source_code"
MULTI_TURN_FUNC_DOC_FILE_MAPPING = {"Shelf": "shelf.json", "Sums": "sums.json", "Leaky": "leaky.json"}
CLASS_FILE_PATH_MAPPING = {"Shelf": f"{PREFIX}.shelf", "Sums": f"{PREFIX}.sums", "Leaky": f"{PREFIX}.leaky"}
STATELESS_CLASSES = ["Sums"]
