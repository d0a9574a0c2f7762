"""The items of the race: the same for every program, about 45 characters each.

A number of six digits leads each, so that an item can be seen on a screen and found in a file. The words differ from
item to item, and the names are made up of syllables: a text that is always the same compresses too well, which would
flatter git.
"""

import random
import uuid

FIRST = 100001
VERBS = "call write ask book buy bring check clean find fix mend pay plan read return sell send sort visit wash".split()
THINGS = (
    "attic bicycle boiler books boxes camera carpet chairs coffee curtains dentist door family fence flowers garage"
    " garden hotel insurance kitchen ladder lamp letters library mirror neighbour paint passport piano pictures plumber"
    " printer roof school shelf shoes station table tickets tyres window wine").split()
SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]


def words(number):
    """The words of an item, without its number."""
    chance = random.Random(number)
    verb, thing = chance.choice(VERBS), chance.choice(THINGS)
    one, other = ("".join(chance.choices(SYLLABLES, k=3)).capitalize() for _ in range(2))
    return f"{verb} the {thing} with {one} for {other}"


def text(number):
    """Item `number`, counted from 0."""
    return f"{FIRST + number} {words(number)}"


def identity(number):
    """An id that is the item's in every run."""
    return str(uuid.UUID(int=random.Random(f"id {number}").getrandbits(128), version=4))
