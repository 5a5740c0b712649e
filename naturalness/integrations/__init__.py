"""The package inside other programs: each module needs an extra of its own."""
