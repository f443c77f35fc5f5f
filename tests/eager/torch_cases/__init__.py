"""Small torch programs and what torch prints, returns and raises for them."""
