### The language itself.

# What it calls itself, for the switch between languages.
name = English
# Two letters or signs for the same switch, where there is no room for the name.
short = EN
# The tag by which browsers write its dates and numbers, and which pages name as their language.
formats = en-GB
# With a region, as other sites ask for it.
locale = en_US
# CLDR's rules for whole numbers, one for each plural category but "other":
# https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html
plurals =
    .one = i = 1 and v = 0
