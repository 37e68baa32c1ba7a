"""Where data come from: files, the package's own, and services that are asked for them."""
