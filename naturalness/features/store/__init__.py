"""Features kept between runs."""
