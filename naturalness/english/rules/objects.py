"""A preposition too many or too few: go to home, explain me, listen music."""

from __future__ import annotations

from naturalness.english.rules.idioms import ends
from naturalness.english.rules.pattern import Rule, instead, token

VERB = "VB VBP VBZ VBD VBG VBN"

RULES: tuple[Rule, ...] = (
    Rule(
        id="BECAUSE_OF_CLAUSE",
        message="use 'because' before a clause",
        tokens=(
            token("because", lower="because"),
            token("of", "after because", lower="of"),
            token("subject", "after of", lower="he she we they i", tag="PRP"),
        ),
        mark="because of",
        suggest=instead("because"),
        bad=("We stayed because of we were tired.", "Because of he is ill, he stays at home."),
        good=("We stayed because we were tired.", "Because of his illness he stays at home."),
    ),
    Rule(
        id="BECAUSE_WITHOUT_OF",
        message="use 'because of' before a noun",
        tokens=(
            token("because", lower="because"),
            token("the", "after because", tag="DT PRP$", lower="the this their his my our its"),
            token("noun", "after the", tag="NN NNS"),
        ),
        unless=(token("of", "after noun", tag="IN PRP WDT WP TO CC"),),
        test=ends,
        mark="because",
        suggest=instead("because of"),
        bad=("We stayed at home because the rain.", "He was late because the traffic, as always."),
        good=("We stayed at home because of the rain.", "We left because the rain stopped."),
    ),
    Rule(
        id="LISTEN_WITHOUT_TO",
        message="write 'listen to'",
        tokens=(
            token("listen", lemma="listen", tag="VB VBP VBZ VBD VBG"),
            token(
                "noun",
                "after listen",
                lower="the my his her their our your me him them us "
                "music radio teachers teacher songs lecture lectures what whatever",
            ),
        ),
        unless=(token("call", "before listen", like=lambda word: not word.isalpha()),),
        mark="listen",
        suggest=instead("{listen} to"),
        bad=("They listen music all day.", "She listened the news in the car."),
        good=("They listen to music all day.", "Listen carefully to me."),
    ),
    Rule(
        id="EXPLAIN_ME",
        message="write '{verb} to {person}'",
        tokens=(
            token("verb", lemma="explain suggest describe", tag="VB VBP VBZ VBD VBG"),
            token("person", "after verb", lower="me him us them"),
            token("what", "after person", tag="DT PRP$ NN NNS WP WRB JJ"),
        ),
        unless=(token("as", "soon after person", lower="as"),),
        mark="verb person",
        suggest=instead("{verb} to {person}"),
        bad=("She explained me the rules.", "He suggested us a good hotel."),
        good=("She explained the rules to me.", "She explained them to me."),
    ),
    Rule(
        id="TELL_TO_PERSON",
        message="'{verb}' takes a person without 'to'",
        tokens=(
            token("verb", lower="tell tells told ask asks asked", tag="VB VBP VBZ VBD"),
            token("to", "after verb", lower="to"),
            token("person", "after to", lower="me him us them you my her"),
        ),
        unless=(token("passive", "soon before verb", lemma="be get have"),),
        mark="verb to",
        suggest=instead("{verb}"),
        bad=("He told to me the truth.", "They asked to him a question."),
        good=("He told me the truth.", "We were told to leave."),
    ),
    Rule(
        id="GO_TO_HOME",
        message="write '{go} {place}', without '{to}'",
        tokens=(
            token("place", lower="home abroad there here overseas upstairs downstairs everywhere anywhere somewhere"),
            token("to", "before place", lower="to"),
            token("go", "before to", lemma="go come travel move get return", tag=VERB),
        ),
        unless=(
            token("more", "after place", tag="NN NNS NNP NNPS POS HYPH CD"),
            token("joint", "after place", lower="- ' 's and"),
            token("from", "soon before go", lower="from"),
        ),
        mark="to place",
        suggest=instead("{place}"),
        bad=("He went to home after work.", "They travel to abroad every year."),
        good=("He went home after work.", "The runner went to home base."),
    ),
    Rule(
        id="GO_SCHOOL",
        message="'to' is missing before '{place}'",
        tokens=(
            token("place", lower="school university college church hospital bed market cinema", tag="NN"),
            token("go", "before place", lower="go goes went going gone"),
        ),
        unless=(
            token("more", "after place", tag="NN NNS HYPH"),
            token("joint", "after place", lower="- 's"),
            token("old", "before go", lower="the a"),
        ),
        mark="go place",
        suggest=instead("{go} to {place}"),
        bad=("They go school by bus.", "We went cinema last night."),
        good=("They go to school by bus.", "They go church-hunting."),
    ),
    Rule(
        id="TAKE_CARE",
        message="write 'take {care} of'",
        tokens=(
            token("care", lower="care advantage"),
            token("take", "before care", lemma="take"),
            token("wrong", "after care", lower="about from their his her my our your the"),
        ),
        mark="take care",
        suggest=instead("{take} {care} of"),
        bad=("She takes care about her sister.", "They take care their parents."),
        good=("She takes care of her sister.", "Take care, my friend."),
    ),
    Rule(
        id="TAKE_PART",
        message="write 'take part in'",
        tokens=(
            token("part", lower="part"),
            token("take", "before part", lemma="take"),
            token("wrong", "after part", lower="to of at on"),
            token("noun", "2 after part", tag="DT PRP$ NN NNS"),
        ),
        mark="take wrong",
        suggest=instead("{take} part in"),
        bad=("He took part to the race.", "They take part of the meeting."),
        good=("He took part in the race.", "He took part in it."),
    ),
    Rule(
        id="PAY_ATTENTION",
        message="write 'pay attention to'",
        tokens=(
            token("attention", lower="attention"),
            token("pay", "soon before attention", lemma="pay"),
            token("wrong", "after attention", lower="on at for in the about"),
            token("noun", "after wrong", tag="DT PRP$ PRP NN NNS VBG JJ"),
        ),
        unless=(token("time", "after wrong", lower="this that all school least class"),),
        mark="attention wrong",
        suggest=instead("attention to"),
        bad=("Please pay attention on the road.", "They pay more attention for their clothes."),
        good=("Please pay attention to the road.", "They pay attention at school."),
    ),
    Rule(
        id="LOOK_FORWARD",
        message="write 'look forward to'",
        tokens=(
            token("forward", lower="forward"),
            token("look", "before forward", lemma="look"),
            token(
                "wrong",
                "after forward",
                tag="VBG PRP$ DT IN",
                lower_not="to in on into at and "
                "with as from the when if while because rather this that until through over by "
                "beyond past toward towards so after",
            ),
        ),
        mark="look forward",
        suggest=instead("{look} forward to"),
        bad=("We look forward hearing from you.", "I look forward your answer."),
        good=("We look forward to hearing from you.", "He looked forward and waved."),
    ),
    Rule(
        id="LACK_OF_VERB",
        message="the verb 'lack' takes no 'of'",
        tokens=(token("lack", lower="lack lacks lacked", tag="VBP VBZ VBD VB"), token("of", "after lack", lower="of")),
        unless=(token("the", "before lack", tag="DT JJ PRP$ IN POS VB VBG VBD CC"),),
        mark="lack of",
        suggest=instead("{lack}"),
        bad=("They lack of money.", "The town lacks of good schools."),
        good=("They lack money.", "It failed for lack of money."),
    ),
    Rule(
        id="A_LOT_WITHOUT_OF",
        message="'of' is missing after 'a lot'",
        tokens=(
            token("lot", lower="lot"),
            token("a", "before lot", lower="a"),
            token(
                "noun",
                "after lot",
                lower="people money time things friends information "
                "problems work books countries students children cars water",
                tag="NN NNS",
            ),
        ),
        unless=(token("verb", "after noun", tag="VBP MD PRP"),),
        mark="a lot",
        suggest=instead("a lot of"),
        bad=("There are a lot people in town.", "It takes a lot time."),
        good=("There are a lot of people in town.", "Thanks a lot, people of Rome."),
    ),
    Rule(
        id="AGREE_WITHOUT_WITH",
        message="write 'agree with'",
        tokens=(
            token("agree", lemma="agree disagree", tag="VB VBP VBZ VBD VBG"),
            token("this", "after agree", lower="this the that your his their these my"),
            token(
                "opinion",
                "soon after this",
                lower="statement point opinion idea view opinions argument theory author professor writer teacher",
            ),
        ),
        unless=(token("verb", "after opinion", tag="VBZ VBD MD VBP"),),
        mark="agree",
        suggest=instead("{agree} with"),
        bad=("I agree this opinion.", "Many people disagree the statement."),
        good=("I agree with this opinion.", "We agree the idea is good."),
    ),
    Rule(
        id="GO_TO_SHOPPING",
        message="write 'go {doing}', without 'to'",
        tokens=(
            token(
                "doing",
                lower="shopping swimming fishing skiing camping dancing jogging hiking walking sightseeing",
                tag="VBG NN",
            ),
            token("to", "before doing", lower="to"),
            token("go", "before to", lemma="go"),
        ),
        unless=(token("more", "after doing", tag="NN NNS NNP HYPH"), token("joint", "after doing", lower="-")),
        mark="to doing",
        suggest=instead("{doing}"),
        bad=("We go to shopping on Saturdays.", "They went to fishing at the lake."),
        good=("We go shopping on Saturdays.", "They went to fishing villages."),
    ),
    Rule(
        id="CARE_WITHOUT_ABOUT",
        message="write 'care about'",
        tokens=(
            token("care", lemma="care", tag="VB VBP VBZ VBD"),
            token("what", "after care", tag="PRP$ NNS", lower_not="others lots loads tons"),
            token("not", "soon before care", lower="not n't really only always"),
        ),
        unless=(token("verb", "2 after care", tag="VBP VBD MD"),),
        mark="care",
        suggest=instead("{care} about"),
        bad=("They do not care their health.", "She does not really care people."),
        good=("They do not care about their health.", "He does not care what you say."),
    ),
)
