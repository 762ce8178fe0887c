### The language itself.

# Its own name, for the language switch.
name = English
# A short name of one or two characters for the same switch, if there is no room for the name.
short = EN
# The language tag of the pages, with which browsers format dates and numbers.
formats = en-GB
# What stands between the elements of a list in a sentence.
separator = { ", " }
# The tag with a region, for link cards.
locale = en_US
# CLDR's rules for whole numbers, one for each plural category but "other":
# https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html
plurals =
    .one = i = 1 and v = 0
