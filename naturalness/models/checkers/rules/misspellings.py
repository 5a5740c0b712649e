"""Frequent misspellings that the word list cannot tell, and rare words that look like them."""

from __future__ import annotations

from collections.abc import Mapping


def _pairs(text: str) -> Mapping[str, str]:
    """``wrong=right`` apart by spaces; an underscore stands for a space."""
    pairs = (pair.split("=") for pair in text.split())
    return {wrong: right.replace("_", " ") for wrong, right in pairs}


# Too short to be told by one slip alone, formed like words, or in the word list for their number.
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
