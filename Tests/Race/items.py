"""The items of the race: the same for every program, about 45 characters each.

A number of six digits leads each, so that an item can be seen on a screen and found in a file. The words differ from
item to item as they do in a real list: text that is always the same compresses too well, which flatters git.
"""

import random
import uuid

FIRST = 100001
VERBS = "call write ask book buy bring check clean find fix mend pay plan read return sell send sort visit wash".split()
THINGS = (
    "attic bicycle boiler books boxes camera carpet chairs coffee curtains dentist door family fence flowers garage"
    " garden hotel insurance kitchen ladder lamp letters library mirror neighbour paint passport piano pictures plumber"
    " printer roof school shelf shoes station table tickets tyres window wine").split()
WHENS = "today tomorrow soon first later".split()


def words(number):
    """The words of an item, without its number."""
    chance = random.Random(number)
    return f"{chance.choice(VERBS)} the {chance.choice(THINGS)} and the {chance.choice(THINGS)} {chance.choice(WHENS)}"


def text(number):
    """Item `number`, counted from 0."""
    return f"{FIRST + number} {words(number)}"


def identity(number):
    """An id that is the item's in every run."""
    return str(uuid.UUID(int=random.Random(f"id {number}").getrandbits(128), version=4))
