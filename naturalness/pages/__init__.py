"""The parts of pages: templates, formats, charts, trees."""
