"""Recognise texts in other languages than English by their letters and most frequent words.

Each word has a weight: the log10 ratio of its probabilities in the other language and in English. A few dozen words
make up half of any text, so the words of `FREQUENT` carry most of the evidence. English words count for English by
their frequencies in the word list. All other words count little, since they may be names. A text is foreign if the
weights for one language add up to `MIN_EVIDENCE`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from naturalness.english.wordlist import REMEMBERED, load_wordlist

NOT_ENGLISH = "not English"
"""Warning beside the score of a foreign text."""
FREQUENT: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "French": (
            "le la les l un une des du de d et est sont était être a ont avait avoir je j tu il "
            "elle on nous vous ils elles ce c cette cet ces mon ma mes ton ta tes son sa ses "
            "notre nos votre vos leur leurs qui que qu dont où ne n pas plus jamais rien très "
            "trop bien aussi au aux dans sur sous avec pour par sans chez entre vers mais ou "
            "donc si quand comme parce puis alors fait faire va vais aller peut peux veut veux "
            "suis es sommes êtes été y se s lui eux moi toi tout tous toute toutes même cela ça "
            "aujourd hui jour chaque beaucoup peu quelque quelques encore déjà toujours "
            "maintenant"
        ),
        "German": (
            "der die das den dem des ein eine einen einem einer eines und oder aber denn weil "
            "dass daß wenn als ob ich du er sie es wir ihr mich dich sich uns euch mir dir ihm "
            "ihn ihnen mein meine meinen meinem meiner dein deine sein seine seinen seinem "
            "seiner ihre ihren ihrem ihrer unser unsere euer ist sind war waren bin bist hat "
            "habe haben hatte wird werden wurde kann können muss müssen soll will wollen möchte "
            "nicht kein keine keinen nie nur auch noch schon sehr so wie was wer wo wann warum "
            "in im ins an am auf aus bei beim mit nach von vom zu zum zur für über unter vor "
            "hinter zwischen durch gegen ohne um bis seit heute morgen gestern hier dort immer "
            "jetzt viel viele alle alles mehr man gibt geht jeden jede"
        ),
        "Spanish": (
            "el la los las un una unos unas lo de del al a y e o u que qué quien en con por "
            "para sin sobre entre hasta desde hacia es son era eran fue ser eres está están "
            "estaba estoy estar han había hay he hemos tiene tienen tengo tener hace hacer "
            "va van voy puede quiero yo tú él ella nosotros ellos ellas usted me te se nos le "
            "les mi mis tu tus su sus nuestro nuestra este esta esto estos estas ese esa eso "
            "aquel no ni nunca nada sí muy más menos también tampoco pero porque cuando como "
            "cómo donde dónde si ya hoy ayer mañana ahora aquí siempre todo toda todos todas "
            "mucho mucha muchos muchas poco cada otro otra bien año"
        ),
        "Italian": (
            "il lo la i gli le l un uno una di del dello della dei degli delle dell a al allo "
            "alla ai agli alle all da dal dalla dai dalle in nel nello nella nei nelle nell su "
            "sul sulla sui sulle con per tra fra e ed o ma che chi cui non né è sono era erano "
            "essere sei siamo ho hai hanno aveva avere abbiamo fa fare va vado può puoi "
            "vuole voglio io tu lui lei noi voi loro mi ti si ci vi ne mio mia miei mie tuo tua "
            "suo sua suoi sue nostro nostra questo questa questi queste quello quella c d s più "
            "meno molto molta molti poco anche ancora già mai sempre quando come dove perché se "
            "ogni tutto tutta tutti tutte oggi ieri domani ora qui bene stato stata"
        ),
        "Portuguese": (
            "o a os as um uma uns umas de do da dos das em no na nos nas num numa ao à aos às "
            "por pelo pela pelos pelas para com sem sobre entre até e ou mas que quem não nem é "
            "são era eram foi ser sou está estão estava estou estar tem têm tinha tenho ter há "
            "vai vou faz fazer pode quer quero eu tu ele ela nós eles elas você vocês me te se "
            "lhe lhes meu minha meus minhas teu tua seu sua seus suas nosso nossa este esta "
            "isto esse essa isso aquele aquela muito muita muitos muitas mais menos também já "
            "ainda nunca sempre nada quando como onde porque todo toda todos todas tudo cada "
            "outro outra hoje ontem amanhã agora aqui bem dia"
        ),
        "Dutch": (
            "de het een en of maar want dat die dit deze ik jij je hij zij ze wij we jullie u "
            "mij me jou hem haar ons hen hun mijn jouw zijn onze is was waren ben bent heeft "
            "heb hebben had wordt worden werd kan kunnen moet moeten wil willen zal zou gaat "
            "gaan niet geen nooit ook nog al heel erg zo als dan toen omdat wanneer wat wie "
            "waar hoe waarom in op aan van voor met bij naar uit om te tot over onder tussen "
            "door tegen zonder na er hier daar nu vandaag gisteren morgen altijd veel alle "
            "alles meer elke andere naast achter goed"
        ),
        "Swedish": (
            "och eller men att som det den de en ett jag du han hon vi ni mig dig honom henne "
            "oss er dem sig min mitt mina din ditt dina sin sitt sina hans hennes vår vårt våra "
            "deras är var vara varit har hade blir blev kan kunde ska skulle vill måste får "
            "fick går inte aldrig bara också mycket många mer alla allt när där här hur vad vem "
            "varför om i på av för med till från hos under över mellan genom efter utan vid så "
            "nu idag igår imorgon alltid varje någon något några ingen inga detta denna dessa "
            "mot ut upp in"
        ),
        "Danish": (
            "og eller men at som der det den de en et jeg du han hun vi i mig dig ham hende os "
            "jer dem sig min mit mine din dit dine sin sit sine hans hendes vores deres er var "
            "være været har havde have bliver blev kan kunne skal skulle vil ville må måtte får "
            "fik går ikke ikkje aldri aldrig kun bare også meget mange mer mere alle alt når "
            "hvor hvordan hva hvad hvem hvorfor om på af av for med til fra hos under over "
            "mellem mellom gennem etter efter uden uten ved så nu nå dag morgen altid alltid "
            "hver noen nogen noget nogle ingen dette denne disse mod ud op ind"
        ),
        "Polish": (
            "i oraz lub ale że się nie tak to ten ta te tego tej tym tych w we z ze na do od po "
            "za przez przed pod nad przy bez dla o u jak co kto kiedy gdzie dlaczego jest są "
            "był była było były być będzie będę ma mam mają miał miała może mogę musi chce chcę "
            "idzie ja ty on ona ono my wy oni one mnie mi ciebie ci go jego jej im ich nas nam "
            "was mój moja moje moją twój twoja swój swoją swoje nasz nasza bardzo już jeszcze "
            "tylko też także nigdy zawsze dziś dzisiaj wczoraj jutro teraz tu tam bo gdy jeśli "
            "czy żeby aby wszystko wszyscy każdy dużo więcej ją coś nic"
        ),
        "Czech": (
            "a i nebo ale že se si ne ano to ten ta ty toho té tom těch v ve z ze s na do od po "
            "za přes před pod nad při bez pro o u jak co kdo kdy kde proč je jsou byl byla bylo "
            "byli být bude jsem jsi jsme má mám mají měl měla může mohu musí chce chci já on "
            "ona ono my vy oni mě mi tě ti ho jeho její jim jich nás nám můj moje tvůj svůj "
            "svou své náš velmi už ještě jen také taky nikdy vždy dnes včera zítra teď tady tam "
            "protože když jestli aby všechno každý hodně více ji něco nic"
        ),
        "Turkish": (
            "ve veya ama fakat çünkü ile bir bu şu o ben sen biz siz onlar beni bana bende seni "
            "sana onu ona bizim sizin onun benim senin onların için gibi kadar sonra önce göre "
            "daha en çok az değil yok var mı mi mu mü da de ki ne nerede neden nasıl hangi her "
            "hiç bazı bütün tüm şey zaman gün bugün dün yarın şimdi burada orada ise olarak "
            "olan oldu olur olduğu idi iyi güzel büyük küçük üzerinde içinde altında ya hem "
            "artık sadece bile evde eve yeni"
        ),
        "Finnish": (
            "ja tai mutta että kun jos koska kuin on oli ovat olivat olla ole olen olet olemme "
            "ei en et emme eivät minä sinä hän me te he se ne tämä tuo nämä minun sinun hänen "
            "meidän teidän heidän sen minua minulla minulle sinulla hänellä meillä niin myös "
            "vain vielä jo nyt sitten aina koskaan hyvin paljon enemmän kanssa ilman ennen "
            "jälkeen alla päällä vieressä mitä mikä kuka missä milloin miksi miten joka jotka "
            "kaikki tänään eilen huomenna täällä siellä usein pitää voi täytyy haluan menee "
            "tulee tästä siitä hieman aamulla illalla päivä"
        ),
    }.items()
}
"""Words of which some stand in nearly every sentence, the rests of elisions (*l*, *qu*) too."""
LANGUAGES: Mapping[str, tuple[str, ...]] = {
    word: tuple(language for language, words in FREQUENT.items() if word in words)
    for word in frozenset().union(*FREQUENT.values())
}
"""The languages in which each of those words is frequent."""
NAMES = "de del la las los le du des d l di da das do dos della dei degli van von der den ten ter zu y e i et und al el"
PARTICLES = frozenset(NAMES.split())
"""Frequent words that stand inside names: *Simone de Beauvoir*."""
ENGLISH = "u v wat dat dem da ze yo ja ta tu o e y na ya ma mi im den ni ben bin dan hans si tom von"
SHARED = frozenset(ENGLISH.split())
"""Frequent words that English has as slang, letters, slips or names that begin a sentence."""
CONTRACTION = re.compile(r"(?<=n)['’] ?t\b|['’] ?(?:s|m|d|re|ve|ll|em)\b", re.IGNORECASE)
"""English contractions; their endings would count as words of other languages."""
WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
LETTER = re.compile(r"[^\W\d_]")
LATIN = re.compile(r"[A-Za-zªºÀ-ʯᴀ-ỿⱠ-Ɀ꜠-ꟿﬀ-ﬆＡ-Ｚａ-ｚ𝐀-𝟋]")
ACCENTED = re.compile("[àâãäåæçèêëìíîïðñòóôõöøùúûüýþßáéąćęłńśźżěščřžýůďťňğışőűăâîșț]")
MIN_WORDS = 3
"""Minimum of words, or of letters of other scripts, for a verdict."""
ZIPF, OTHERS = 6.8, 4.3
"""Approximate Zipf values of a word of `FREQUENT` in its language, and of any other word."""
MAX_PLAIN, MAX_ACCENTED = 0.3, 0.9
"""Maximum weights of words outside `FREQUENT`: of plain lower-case letters, and with a letter that English lacks."""
OF_NAME, OF_SHARED = 0.2, 0.7
"""Maximum weights of a frequent word that may be part of a name, or is in `SHARED`."""
MIN_EVIDENCE = 2.0
"""Minimum log10 likelihood ratio between the other language and English."""


def is_foreign(text: str) -> bool:
    """Return whether a text is in another language than English; False for texts that are too short."""
    text = unicodedata.normalize("NFC", text)
    if not text.isascii():
        letters = LETTER.findall(text)
        strange = len(letters) - len(LATIN.findall("".join(letters)))
        if 2 * strange > len(letters):
            return strange >= MIN_WORDS
    words = WORD.findall(CONTRACTION.sub("", text))
    return len(words) >= MIN_WORDS and evidence(words) >= MIN_EVIDENCE


def language_note(text: str) -> str:
    """Return the warning for a text in another language than English; empty for any other."""
    return NOT_ENGLISH if is_foreign(text) else ""


def evidence(words: Sequence[str]) -> float:
    """Return the log10 likelihood ratio between the best-fitting language and English."""
    more = dict.fromkeys(FREQUENT, 0.0)
    total = 0.0
    for i, word in enumerate(words):
        rare, frequent, languages = _weights(word, i == 0)
        total += rare
        if languages:
            if word.lower() in PARTICLES and _inside_name(words, i):
                frequent = min(frequent, OF_NAME)
            for language in languages:
                more[language] += max(0.0, frequent - rare)
    return total + max(more.values())


@lru_cache(maxsize=REMEMBERED)
def _weights(word: str, first: bool) -> tuple[float, float, tuple[str, ...]]:
    """Return the weights of a word for languages in which it is rare and frequent, and the latter languages.

    A capitalised word other than the first may be a name.
    """
    lower = word.lower()
    zipf = load_wordlist().lookup(lower)
    name = word[0].isupper() and not first
    odd = not word.isascii() and ACCENTED.search(lower) is not None
    most = (0.0, MAX_PLAIN)[odd] if name else (MAX_PLAIN, MAX_ACCENTED)[odd]
    frequent = ZIPF - zipf
    if name or lower in SHARED:
        frequent = min(frequent, OF_NAME if name else OF_SHARED)
    return min(most, OTHERS - zipf), frequent, LANGUAGES.get(lower, ())


def _inside_name(words: Sequence[str], i: int) -> bool:
    """Return whether a particle, alone or with others, stands between capitalised words."""
    before, behind = i - 1, i + 1
    while before >= 0 and words[before] in PARTICLES:
        before -= 1
    while behind < len(words) and words[behind] in PARTICLES:
        behind += 1
    return before >= 0 and behind < len(words) and words[before][0].isupper() and words[behind][0].isupper()
