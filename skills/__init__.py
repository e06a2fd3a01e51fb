"""The Scenario Adapter: Skills compiled offline, selected at request time."""
