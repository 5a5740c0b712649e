"""The web servers for rating texts (`annotate`) and for scoring over HTTP (`serve`); `web` is shared by both."""
