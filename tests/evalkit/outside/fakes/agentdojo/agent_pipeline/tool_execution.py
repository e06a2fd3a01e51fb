"""Texts of results."""

from agentdojo.agent_pipeline.llms.google_llm import EMPTY_FUNCTION_NAME


def tool_result_to_str(result):
    """The text of a result."""
    return EMPTY_FUNCTION_NAME if result == {} else f"- {result}"
