"""Articles: *a* and *an* by sound, too many, too few."""

from __future__ import annotations

from collections.abc import Iterator

from naturalness.english.rules import counting
from naturalness.english.rules.counting import MORE
from naturalness.english.rules.pattern import Binding, CodeRule, Finding, Rule, Sentence, instead, token
from naturalness.english.rules.sounds import begins_with_vowel

PARTS = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "CD", "VBN", "VBG", "RB"})


def _sounds_wrong(sentence: Sentence) -> Iterator[Finding]:
    """Find *a* before the sound of a vowel, *an* before that of a consonant."""
    view = sentence.view
    for i in range(sentence.start, sentence.end - 1):
        article = view.lower[i]
        if article not in ("a", "an") or (view.texts[i] == "A" and i > sentence.start):
            continue
        following = i + 2 if view.texts[i + 1] in ('"', "'") and i + 2 < sentence.end else i + 1
        if view.tags[following] not in PARTS or view.tags[i] != "DT":
            continue
        vowel = begins_with_vowel(view.texts[following])
        if vowel is not None and vowel != (article == "an"):
            right = "an" if vowel else "a"
            shown = right.capitalize() if view.texts[i][0].isupper() else right
            yield Finding(i, i + 1, f"'{right}' before '{view.texts[following]}'", (shown,))


def _with_article(sentence: Sentence, bound: Binding) -> tuple[str, ...]:
    """Return the noun, and its adjective if it has one, with *a* or *an*."""
    first = bound.get("adjective", bound["noun"])
    words = sentence.view.texts[first : bound["noun"] + 1]
    return (" ".join(["an" if begins_with_vowel(words[0]) else "a", *words]),)


RULES: tuple[Rule | CodeRule, ...] = (
    CodeRule(
        id="A_OR_AN",
        find=_sounds_wrong,
        bad=(
            "She ate a apple.",
            "He is an good man.",
            "It took a hour.",
            "We saw an unicorn.",
            "She has a MBA.",
            "They have a 8-year-old son.",
            "He wore an uniform.",
        ),
        good=(
            "She waited an hour for a university bus.",
            "He has an MBA and a NATO pass.",
            "They met an 8-year-old boy and an 11-year-old girl.",
            "It was an honest one-off.",
            "Take a vitamin A or a vitamin B pill.",
            "he is an fbi agent with a u.s. passport.",
            "we bought an mp3 player, a usb stick and an lg screen.",
            "It is a European idea and a useful one.",
        ),
    ),
    Rule(
        id="IS_WITHOUT_ARTICLE",
        message="an article is missing before '{noun}'",
        tokens=(
            token("noun", lower="teacher student doctor engineer lawyer driver nurse girl boy woman", tag="NN"),
            token("be", "before noun", lower="is was 's 'm am"),
            token("subject", "before be", lower="he she i it"),
        ),
        unless=(
            token("more", "after noun", tag="NN NNS NNP NNPS HYPH POS JJ"),
            token("joint", "after noun", lower="- ' 's / and or enough of at in"),
        ),
        mark="noun",
        suggest=_with_article,
        bad=("He is teacher.", "She was doctor, and her brother was ill."),
        good=("He is a teacher.", "She was doctor and nurse to all of us."),
    ),
    Rule(
        id="IS_ADJECTIVE_WITHOUT_ARTICLE",
        message="an article is missing before '{adjective} {noun}'",
        tokens=(
            token(
                "noun",
                lower="idea example way place thing choice opportunity person student "
                "teacher solution reason job school country city car book friend problem "
                "question mistake",
                tag="NN",
            ),
            token(
                "adjective", "before noun", tag="JJ", lower_not="own same other such last next first second only one"
            ),
            token("be", "before adjective", lower="is was are were be been become becomes"),
        ),
        unless=(
            token("more", "after noun", tag="NN NNS NNP NNPS HYPH POS JJ VBG VBN"),
            token("joint", "after noun", lower="- ' 's / and or"),
            token("question", "anywhere before noun", lower="how too so as"),
        ),
        mark="adjective noun",
        suggest=_with_article,
        bad=("It is good idea to go there.", "This was big problem for us."),
        good=("It is a good idea to go there.", "How good an idea is that?"),
    ),
    Rule(
        id="MOST_OF_BARE_PLURAL",
        message="'{part} of' needs 'the' or another determiner before '{noun}'",
        tokens=(
            token("part", lower="most many some several few each none both one"),
            token("of", "after part", lower="of"),
            token(
                "noun",
                "after of",
                tag="NNS",
                text_not="thousands hundreds millions dozens billions tens scores which countless multiple trillions",
            ),
        ),
        unless=(
            token("more", "after noun", tag="NN NNS NNP HYPH POS"),
            token("joint", "after noun", lower="' 's - to"),
            (token("both", "same as part", lower="both"), token("and", "after noun", lower="and")),
            token(
                "capital",
                "same as noun",
                tag="NNS",
                like=lambda word: word in ("us", "lots", "many", "others", "course", "late", "two", "these"),
            ),
        ),
        test=lambda s, b: s.view.texts[b["noun"]].islower(),
        mark="part noun",
        suggest=instead("{part} of the {noun}", "{part} {noun}"),
        bad=("Most of students live at home.", "He is one of players in the team."),
        good=(
            "Most of the students live at home.",
            "He is one of thousands.",
            "She is one of my friends.",
            "He wrote of the lives both of men and of women.",
        ),
    ),
    Rule(
        id="ONE_OF_SUPERLATIVE",
        message="'the' is missing before '{best}'",
        tokens=(
            token("best", tag="JJS RBS"),
            token("of", "before best", lower="of"),
            token("one", "before of", lower="one some"),
        ),
        mark="one best",
        suggest=instead("one of the {best}"),
        bad=("He is one of best players.", "It is one of most beautiful towns."),
        good=("He is one of the best players.", "She is one of their best friends."),
    ),
    Rule(
        id="SAME_WITHOUT_THE",
        message="'the' is missing before 'same'",
        tokens=(
            token("same", lower="same"),
            token("before", "before same", tag="IN VB VBP VBZ VBD VBG", lower_not="vs than as"),
            token(
                "noun",
                "after same",
                tag="NN",
                lower_not="sex day gender size age store old race origin team level type",
            ),
        ),
        unless=(token("joint", "after noun", lower="- /"), token("more", "after noun", tag="NN NNS")),
        mark="same",
        suggest=instead("the same"),
        bad=("They have same problem.", "We arrived at same time."),
        good=("They have the same problem.", "Same-day delivery is free.", "We do same-day work."),
    ),
    Rule(
        id="IN_MIDDLE_OF",
        message="'the' is missing before '{noun}'",
        tokens=(
            token("noun", lower="beginning end middle"),
            token("in", "before noun", lower="in at"),
            token("of", "after noun", lower="of"),
        ),
        unless=(token("from", "before in", lower="from"),),
        mark="in noun",
        suggest=instead("{in} the {noun}"),
        bad=("She left in middle of the night.", "We pay at end of the month."),
        good=("She left in the middle of the night.", "We pay at the end of the month."),
    ),
    Rule(
        id="LOT_OF_WITHOUT_A",
        message="'a' is missing before 'lot of'",
        tokens=(
            token("lot", lower="lot"),
            token("of", "after lot", lower="of"),
            token("before", "before lot", tag="IN VB VBP VBZ VBD VBG VBN EX TO CC PRP"),
        ),
        mark="lot of",
        suggest=instead("a lot of", "lots of"),
        bad=("They have lot of money.", "There is lot of rain in spring."),
        good=("They have a lot of money.", "The first lot of books was sold."),
    ),
    Rule(
        id="AN_OTHER",
        message="'another' is one word",
        tokens=(token("other", lower="other"), token("an", "before other", lower="an a")),
        unless=(token("joint", "after other", lower="- wise worldly"), token("than", "2 after other", lower="than")),
        mark="an other",
        suggest=instead("another"),
        bad=("An other reason is the price.", "We need an other car."),
        good=("Another reason is the price.", "The other reason is the price."),
    ),
    Rule(
        id="MOST_OF_ADJECTIVE_PLURAL",
        message="'most of' needs 'the' or another determiner before '{adjective} {noun}'",
        tokens=(
            token("part", lower="most"),
            token("of", "after part", lower="of"),
            token("adjective", "after of", tag="JJ", lower_not="us our"),
            token("noun", "after adjective", tag="NNS"),
        ),
        unless=(token("more", "after noun", tag=MORE), token("s", "after noun", lower="' 's -")),
        test=lambda s, b: s.view.texts[b["adjective"]].islower(),
        mark="part noun",
        suggest=instead("most {adjective} {noun}", "most of the {adjective} {noun}"),
        bad=("Most of young people like music.", "Most of old houses are cold."),
        good=("Most young people like music.", "Most of the old houses are cold."),
    ),
    *counting.RULES,
)
