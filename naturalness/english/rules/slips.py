"""The word that a misspelt one was meant to be: frequent misspellings as a table, and slips of one letter.

A word is misspelt for us only where we know what it should have been. What may be a name, a foreign word, a compound, a
British or American form or a regular form of a known word is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from naturalness.english.inflection import inflect_regular
from naturalness.english.wordlist import REMEMBERED, WordList, edits, load_wordlist


def _pairs(text: str) -> Mapping[str, str]:
    """Read pairs ``wrong=right`` with spaces between; an underscore stands for a space."""
    pairs = (pair.split("=") for pair in text.split())
    return {wrong: right.replace("_", " ") for wrong, right in pairs}


# Too short to be recognised by one slip alone, formed like words, or in the word list for their number.
TYPOS = _pairs("""
    adn=and agian=again agre=agree ahve=have alos=also amde=made amny=many anf=and anual=annual
    aobut=about argueing=arguing arund=around aviod=avoid babys=babies basicly=basically
    bcak=back becuz=because befor=before bevore=before bieng=being biger=bigger borth=both
    braek=break bulid=build bussy=busy bying=buying calender=calendar carefull=careful
    careing=caring casue=cause certen=certain chage=change cheif=chief citys=cities cna=can
    comming=coming coudl=could countrys=countries crazyness=craziness creat=create decied=decide
    deside=decide devide=divide dieing=dying differents=different doign=doing doind=doing
    donig=doing easely=easily easyer=easier enogh=enough enoug=enough eny=any esay=easy
    evry=every exame=exam exept=except faithfull=faithful familys=families feild=field fidn=find
    finaly=finally foward=forward frome=from fuction=function futher=further futur=future
    generaly=generally gerat=great geting=getting goig=going goign=going graet=great
    grammer=grammar gruop=group haev=have hapen=happen happyer=happier hapy=happy haveing=having
    hawe=have healt=health heared=heard helpfull=helpful hightest=highest hime=him
    hisself=himself hlep=help hosue=house hte=the htis=this hygene=hygiene idae=idea idia=idea
    instructer=instructor knaw=know konw=know konws=knows kwon=know ladys=ladies lern=learn
    levle=level lifes=lives likly=likely litle=little littel=little loosing=losing mabe=maybe
    maek=make makeing=making maney=many meny=many migth=might mnay=many mony=money moust=most
    muhc=much neice=niece noticable=noticeable nowdays=nowadays nto=not ocur=occur ofen=often
    offen=often oftenly=often oging=going omre=more onyl=only opne=open otehr=other othe=other
    ourself=ourselves owrk=work partys=parties peice=piece peopels=people peple=people
    personaly=personally persue=pursue peson=person piont=point plase=please plese=please
    preson=person puplic=public realy=really relly=really rember=remember rigth=right
    runing=running rythm=rhythm sayed=said schol=school scholl=school seing=seeing sence=sense
    shoud=should sicne=since smae=same smoe=some soem=some sould=should specialy=specially
    speek=speak spned=spend storys=stories stpo=stop studys=studies successfull=successful
    surviver=survivor swiming=swimming taht=that teh=the tehm=them tehn=then tehre=there
    tehy=they thay=they theirself=themselves theirselves=themselves themselfs=themselves
    thes=these thet=that thic=this thier=their thign=thing thikn=think thnig=thing thoes=those
    thsi=this tiem=time todya=today transfering=transferring tring=trying truely=truly
    tryed=tried trys=tries ture=true tyhe=the uesd=used unforseen=unforeseen unitl=until
    untill=until usaly=usually usefull=useful usualy=usually vegatable=vegetable verry=very
    vrey=very waht=what watn=want wehn=when whan=when whent=went whihc=which wich=which
    wierd=weird wiht=with witht=with wokr=work wonderfull=wonderful woud=would woudl=would
    wriet=write writting=writing wrok=work yera=year yeras=years yong=young yuo=you yuong=young
    yuor=your
""")

TOGETHER = _pairs("""
    afew=a_few afterall=after_all alittle=a_little alot=a_lot alots=a_lot aslong=as_long
    aswell=as_well atlast=at_last atleast=at_least canbe=can_be didnot=did_not doesnot=does_not
    donnot=do_not donot=do_not eachother=each_other eventhough=even_though
    forexample=for_example forthe=for_the fromthe=from_the ihave=I_have inaddition=in_addition
    infact=in_fact infront=in_front inorder=in_order inspite=in_spite inthe=in_the isnot=is_not
    ithink=I_think itis=it_is itwas=it_was iwas=I_was nomatter=no_matter noone=no_one
    ofcourse=of_course ofthe=of_the onthe=on_the otherhand=other_hand overthe=over_the
    shouldbe=should_be somany=so_many somuch=so_much sothat=so_that thatis=that_is
    theother=the_other thereare=there_are thereis=there_is thesame=the_same toomany=too_many
    toomuch=too_much tothe=to_the upto=up_to verymuch=very_much verywell=very_well
    wasnot=was_not whichis=which_is willbe=will_be withthe=with_the
""")

# Words that our corpora do not know and that are one slip away from one that is frequent.
RARE_WORDS = """
    ablution academe actinon advocaat adware aggress albumose allene alterative altercate
    alternant alumna ambagious ampule anteing antonym antonymous ariose arkose assort assumably
    astroid atonic attaint austral axillary ballocks banket barong barreras bathos beefalo
    behoove benison bindle blagging blench bollocking bollocks bordure botcher bourdon braider
    branchia bronchus bruiser burnet byroad caesura calculous callus camber cameral capitate
    carious carpus catalo cattleya centra cerebrate cerebration chancre chasse cheapo chicle
    chiding chrism chromo chunter clavier cloying codling coffer coition collard collegia
    collimate collocutor collogue colorization comedo commis communization compadre compere
    compline compote confection consistence consomme constantan continua continuant contracture
    contusion coracle corrie couloir cowling crasis crawdad creatine cremate cremator criterial
    critter crocket crooner crooners crudites crusado cryonic cuprous curvet cuttle dangler
    deafened decidua deferent deffer definiens degression dehiscent dentil depute destine
    diagenesis dimeter discus docent dodgem domaine drubbed dunlin duologue dynast eaglet elevon
    eluviation emoticon emphases emprise enchanter epidermic erelong escapade ethnical evolute
    exempla exotica explicate expulsive extensile externa extraordinaire extrema facture fauces
    fellahs fenland fermata fiance fiances fibber finial fixies flambe fletch foregut fortifier
    friseur fundus fusible gabbed gentes gibing globule gradin grandad gratin greave grovel
    guerdon gulden habituate habitue hallow hieing hierarch housel humerus ideologue impalement
    impassible impassibly imperil indention indictor infante inherence insatiability intensional
    interj interjection intestate intrusted jangle journalese lability lactation lampas lathery
    launder leathern libratory likability limbus literati livability loather loathly locution
    gramma locutions longueur louver louvers magickal manege marginalia markhor marline mechanist
    mediant medullar melodia menthol meseems messuage miliary minium minuend minutia missive
    moderato modiste monition mousse muenster mullion mullions muniment murine nickle nobble
    noumenal nucellus nuclease nucleolar nucleoli nucleolus nursling officialese officinal
    operose oregano organza orogenic oversew pamper papular parotid partible parvis passably
    passible passus pastie patency patriate patristic perfecta perfecto peripteral permute
    personalty pervious photom piragua pirogue pistil placket placoid platys pledget polenta
    politicos portiere potentilla prance precess precis predication presbyterial primero primmer
    pronto proscription protean proteinase provability proximate pyrometer quartern quinte
    rabbet radices radicle recension recuse refection reflate regelate regnant religiose residua
    ressentiment retiary reverso rickets romaine rowdily saccular salience salina salver
    sanatory satiable satiation scupper sectary sensitize sensoria sequela serous shambolic
    shandy shirring showery shtick shyster silvern simper singeing sinuate sleave sniggle
    snuffer snuggest solderer sophisticate soppily sotted sottish sparge spavin specula specular
    spinel spinule spirant spirituel spirula sprain springe spurge stabile stearin steatite
    stellate stetted stolon straggle straggly strake stratus stretto strophe stropped stropping
    stylet summand summitry superl supranatural supremo swacked swaddle swatch sweven swigged
    swigging swinge swingeing swingle symphonia taction teethe tempera terrane terrine terroir
    testis testudo theologue thereat therme thicko thrawn thrips transl trinal tripos tropology
    tuberculoses tuberculous uranous ursine vaccinia variate varices varmint venule verbify
    verdin versification versify villein violone vortical wellie whereon whiskered whosever
    wildling wingding winnower
"""
RARE = frozenset(RARE_WORDS.split())


VOWELS = frozenset("aeiouy")
MIN_LETTERS = 6
"""Letters of a word that is corrected without the table: shorter ones have too many neighbours."""
FREQUENT = 3.8
"""Zipf value from which a word is a likely correction."""
FAMILIAR = 3.0
"""Zipf value from which other words may be formed from a word."""
SOUNDS = 0.8
"""Added to the Zipf value of a candidate with the same consonants."""
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# British and American forms of the same word, and their like.
VARIANTS = (
    ("is", "iz"),
    ("iz", "is"),
    ("ys", "yz"),
    ("our", "or"),
    ("or", "our"),
    ("ae", "e"),
    ("oe", "e"),
    ("re", "er"),
    ("ence", "ense"),
    ("ogue", "og"),
    ("lled", "led"),
    ("led", "lled"),
    ("lling", "ling"),
    ("ling", "lling"),
    ("ller", "ler"),
    ("ler", "ller"),
    ("lment", "llment"),
    ("lful", "llful"),
    ("lous", "llous"),
    ("llous", "lous"),
)
BEFORE = (
    "un re non pre over under mis sub anti co out inter super micro multi counter semi bio geo neo "
    "auto de en up post pro trans hyper photo electro dis in im bi fore mid be tele thermo psycho "
    "hydro mono poly"
)
PREFIXES = tuple(BEFORE.split())
BEHIND = (
    "ness less like er ers or ors able ish y ism isms ist ists ship hood wise ward wards fold let "
    "lets dom ess ise ize ised ized ising izing ee ees ery ette esque ian ians ity age al ic ical "
    "ful ings ly iest ier ily iness est en ens ened ening ator ate ous ation ations ment ments man "
    "men most some"
)
SUFFIXES = tuple(BEHIND.split())


@lru_cache(maxsize=REMEMBERED)
def _slip(words: WordList, word: str) -> str | None:
    """Return the word that an unknown one was meant to be."""
    if not MIN_LETTERS <= len(word) <= 24 or not (word.isascii() and word.isalpha()):
        return None
    if word in words or word in RARE or formed(words, word):
        return None
    nearest = _nearest(words, word)
    return nearest if nearest and not _variant(word, nearest) else None


def _nearest(words: WordList, word: str) -> str | None:
    """Return the likeliest frequent word one edit away, or with the same consonants."""
    key = consonants(word)
    best, weight = None, FREQUENT
    for other in set(edits(word)):
        zipf = words.lookup(other)
        if zipf >= FREQUENT and _slips(word, other):
            zipf += SOUNDS * (consonants(other) == key)
            best, weight = max((weight, best or ""), (zipf, other))[::-1]
    if best or len(word) < MIN_LETTERS + 1:
        return best
    near = [other for other in _by_consonants(words).get(key, ()) if distance(word, other) == 2]
    return max(near, key=words.lookup, default=None)


def _slips(word: str, other: str) -> bool:
    """Return whether a hand or an ear slips like that: the first letter stands, no odd substitution."""
    if word[0] != other[0] or word[0] == other[1:2] != word[1]:
        return False
    if len(word) != len(other):
        return True
    pairs = [(a, b) for a, b in zip(word, other, strict=True) if a != b]
    if len(pairs) == 2:
        return True
    a, b = pairs[0]
    return ({a, b} <= VOWELS) or _neighbours(a, b) or len(word) > MIN_LETTERS + 2


def _neighbours(a: str, b: str) -> bool:
    """Return whether two letters are next to each other on the keyboard."""
    return any(f"{x}{y}" in row for row in KEYS for x, y in ((a, b), (b, a)))


def formed(words: WordList, word: str) -> bool:
    """Return whether a word is a regular form, a derivation or a compound of known ones."""

    def known(part: str, least: float = FAMILIAR) -> bool:
        return len(part) > 2 and words.lookup(part) >= least

    if _inflected(words, word):
        return True
    for prefix in PREFIXES:
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) > 3 and (known(rest) or _inflected(words, rest)):
            return True
    for suffix in SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem != word and any(map(known, (stem, stem + "e", stem + "y", _undoubled(stem)))):
            return True
    cuts = range(3, len(word) - 2)
    return any(known(word[:i], 3.5) and known(word[i:], 3.5) for i in cuts)


def _inflected(words: WordList, word: str) -> bool:
    """Return whether a word is a known one with a regular ending."""
    for tag, ending in (("NNS", "s"), ("VBD", "ed"), ("VBG", "ing")):
        if not word.endswith(ending):
            continue
        stem = word.removesuffix(ending)
        stems = [stem, stem + "e", _undoubled(stem)]
        if ending == "s":
            stems += [stem.removesuffix("e"), stem.removesuffix("ie") + "y"]
        elif ending == "ed":
            stems.append(stem.removesuffix("i") + "y")
        if any((s in words or s in RARE) and len(s) > 2 and inflect_regular(s, tag) == word for s in stems):
            return True
    return False


def _undoubled(stem: str) -> str:
    return stem[:-1] if stem[-1:] == stem[-2:-1] else stem


def _variant(word: str, other: str) -> bool:
    """Return whether two words differ as British and American forms do."""
    return any(
        word[:i] + new + word[i + len(old) :] == other
        for old, new in VARIANTS
        for i in range(1, len(word))
        if word.startswith(old, i)
    )


def consonants(word: str) -> str:
    """Return first letter and consonants, doubled ones once: those of *seperate* and *separate*."""
    skeleton = word[0]
    for letter in word[1:]:
        if letter not in "aeiouyhw" and letter != skeleton[-1]:
            skeleton += letter
    return skeleton


@lru_cache(maxsize=1)
def _by_consonants(words: WordList) -> Mapping[str, list[str]]:
    """Return frequent words by their consonants."""
    by_consonants: dict[str, list[str]] = {}
    for word in words.counts:
        if len(word) >= MIN_LETTERS and word.isalpha() and words.lookup(word) >= FREQUENT:
            by_consonants.setdefault(consonants(word), []).append(word)
    return by_consonants


def distance(a: str, b: str) -> int:
    """Count edits from one word to another; neighbours that changed places count once."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            least = min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y))
            if before and j > 1 and x == b[j - 2] and a[i - 2] == y:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        before, last = last, row
    return last[-1]


def misspelling(word: str) -> str | None:
    """Return what a lower-case word that is no word should be; None where that is not clear."""
    words = load_wordlist()
    return TYPOS.get(word) or (None if word in words.counts else _slip(words, word))
