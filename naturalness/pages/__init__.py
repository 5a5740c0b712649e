"""The building blocks of HTML pages: templates, number formats, charts and trees."""
