"""Everything that is specific to English: rules and word lists as data, inflection, registers."""
