"""Sentences of our own that a model of form may judge wrongly: all written for this measurement."""

from __future__ import annotations

from collections.abc import Mapping

GOOD: Mapping[str, tuple[str, ...]] = {
    "plain sentences": (
        "The bakery on the corner opens at seven every morning.",
        "We took the early train because the later one is always full.",
        "My sister has lived in this town for almost ten years.",
        "The report explains why the bridge was closed last winter.",
        "He put the letter back into the drawer and said nothing.",
        "Most visitors come in spring, when the gardens are in bloom.",
        "The committee will decide on the budget next Tuesday.",
        "She could not remember where she had left her keys.",
        "After the storm, volunteers cleared the road within a day.",
        "You can return the book at any branch of the library.",
        "The children were asleep before we reached the border.",
        "It is cheaper to repair the roof now than to wait a year.",
    ),
    "titles and headlines": (
        "Council approves new bridge over northern canal",
        "Ten ways to keep a small garden green in summer",
        "A short history of the lighthouse keepers",
        "Bakery owner wins national award for rye bread",
        "Notes on the repair of wooden clocks",
        "Storm leaves thousands without power for second night",
        "The baker's daughter and the winter fair",
        "School to close early as heat wave continues",
        "An introduction to the birds of the lower valley",
        "Museum reopens after two years of repairs",
        "Why the night train is coming back",
        "Annual report of the harbour office",
    ),
    "fragments and answers": (
        "Not before Monday.",
        "Probably the one next to the station.",
        "Because of the rain, mostly.",
        "Sure, no problem.",
        "Same time tomorrow?",
        "A small one with milk, please.",
        "Only on weekdays, as far as I know.",
        "No idea, sorry.",
        "From my uncle, I think.",
        "Well, almost.",
        "Nothing much, and you?",
        "Two for the evening show.",
    ),
    "terse notes and commands": (
        "Restart the server, then check the log.",
        "Milk, eggs, two loaves, paper towels.",
        "Keep dry and away from sunlight.",
        "Gate 12, boarding in five minutes.",
        "Battery low, please charge.",
        "Back at noon, ring the other bell.",
        "Add salt, stir, let it rest.",
        "File not found, please try again.",
        "Third floor, second door on the left.",
        "Push to open.",
        "Meeting moved to four, room 210.",
        "Rain in the west, dry elsewhere.",
    ),
    "dialect and other standards": (
        "She been working at that shop since she was sixteen.",
        "We was just about to leave when you rang.",
        "He don't know nothing about no letter.",
        "Y'all should come round for supper on Sunday.",
        "I'm after losing my keys again.",
        "They're fixing to close the road next week.",
        "The car needs washed before the weekend.",
        "I ain't seen him since the fair.",
        "You might could ask the woman at the desk.",
        "Them apples is from my gran's tree.",
        "He is knowing the answer already, isn't it?",
        "She gave it me yesterday, so she did.",
    ),
    "long sentences with inserts": (
        "The clerk who, for reasons that nobody had ever thought to ask about, kept the older "
        "records in the cellar was, of course, the first to notice that some were gone.",
        "I shall, as I have said before and as my colleague will no doubt confirm, be glad to "
        "answer whatever questions remain once the meeting is over.",
        "What the engineers had not expected, although the drawings showed it clearly, was that "
        "the river, which is shallow in summer, rises by two metres in March.",
        "The house that the family had bought from the widow whose son now runs the mill stood "
        "empty for a year, and then, to everyone's surprise, it was sold again.",
        "If, on the other hand, the parcel is not collected within the week, it will, unless you "
        "tell us otherwise, be returned to whoever sent it.",
        "The mayor, a quiet man who had never wanted the office and who, it was said, kept his "
        "old desk at the post office, answered every letter himself.",
        "That the painting had been restored twice, once badly, was something which, had she "
        "looked at the back, even a student could have seen.",
        "They had come, some on foot and some in carts, from villages so far up the valley that "
        "the driver, who knew the road well, had not heard of them.",
    ),
}
"""Natural texts by kind."""
PAIRS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "one agreement error": (
        ("The keys to the cabinet are on the shelf.", "The keys to the cabinet is on the shelf."),
        ("She walks to work when it does not rain.", "She walk to work when it does not rain."),
        ("The list of names was read aloud.", "The list of names were read aloud."),
        ("My brothers have a boat on the lake.", "My brothers has a boat on the lake."),
        ("There were three cats in the kitchen.", "There was three cats in the kitchen."),
        ("The price of the tickets has gone up.", "The price of the tickets have gone up."),
        ("He does not like the new chairs.", "He do not like the new chairs."),
        ("These shoes need a new pair of laces.", "These shoes needs a new pair of laces."),
        ("The girl who sings in the choir lives here.", "The girl who sing in the choir lives here."),
        ("Everyone knows the way to the mill.", "Everyone know the way to the mill."),
    ),
    "one wrong preposition": (
        ("She is afraid of the neighbour's dog.", "She is afraid from the neighbour's dog."),
        ("We arrived at the station in good time.", "We arrived to the station in good time."),
        ("The answer depends on the weather.", "The answer depends of the weather."),
        ("He has been waiting for the bus since noon.", "He has been waiting the bus since noon."),
        ("He is good at mending clocks.", "He is good in mending clocks."),
        ("I am interested in old maps.", "I am interested on old maps."),
        ("The shop is open on Sundays.", "The shop is open at Sundays."),
        ("She insisted on paying for lunch.", "She insisted for paying for lunch."),
    ),
    "one article wrong": (
        ("He bought a car from an old friend.", "He bought car from an old friend."),
        ("We saw an owl in the barn.", "We saw a owl in the barn."),
        ("The sun was low over the hills.", "Sun was low over the hills."),
        ("The dog slept under the table.", "The dog slept under table."),
        ("It was the best meal of the trip.", "It was best meal of the trip."),
        ("I need some advice about the lease.", "I need an advice about the lease."),
        ("Life is quiet in the village.", "The life is quiet in the village."),
        ("He works as a nurse at the clinic.", "He works as nurse at the clinic."),
    ),
    "one slip of word order": (
        ("She always drinks her coffee black.", "She drinks always her coffee black."),
        ("I have never been to the island.", "I have been never to the island."),
        ("What time does the museum close?", "What time the museum does close?"),
        ("They gave the old dog a bath.", "They gave a bath the old dog."),
        ("He speaks English very well.", "He speaks very well English."),
        ("The barn burned down last year.", "The barn burned last year down."),
        ("I do not know where he lives.", "I do not know where does he live."),
        ("We also met the owner.", "We met also the owner."),
    ),
    "no sense, sound form": (
        ("The cook sliced the onions with a knife.", "The onions sliced the cook with a melody."),
        ("The letter was written by my aunt.", "The letter was eaten by my opinion."),
        ("The farmer sold three sheep at the market.", "The farmer sold three Tuesdays at the elbow."),
        ("He opened the window to let in some air.", "He opened the sorrow to let in some furniture."),
        ("The teacher answered the child's question.", "The teacher divorced the child's staircase."),
        ("The river flows past the old mill.", "The river forgives past the old arithmetic."),
    ),
}
"""A sound text and the same with one fault, by fault."""


def every() -> list[str]:
    """All texts."""
    natural = [text for texts in GOOD.values() for text in texts]
    return natural + [text for pairs in PAIRS.values() for pair in pairs for text in pair]
