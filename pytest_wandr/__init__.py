"""Test research agents the way you test code: collect wide, prove deep, offline and repeatably."""

__version__ = "0.1.0"
