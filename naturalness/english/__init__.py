"""What holds for English alone: rules and word lists as data, inflection, phrases, registers."""
