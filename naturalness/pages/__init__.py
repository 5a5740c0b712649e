"""What all pages are drawn with: templates, charts, trees."""
