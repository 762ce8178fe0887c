"""The page and the script that other sites embed. They use no cookies and no storage."""
