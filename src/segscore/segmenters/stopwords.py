"""Our own list of English stop words: function words, by kind, and what contractions leave behind.

Written for this library, without use of a published list.
"""

_PRONOUNS = """
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself
she her hers herself it its itself they them their theirs themselves one ones oneself who whom whose
whoever which whichever what whatever that this these those someone somebody something anyone
anybody anything everyone everybody everything nobody nothing none
"""
_DETERMINERS = """
a an the some any no every each either neither both all half such much many more most little less
least few fewer several enough own same other others another certain various first second last next
two three four five six seven eight nine ten
"""
_PREPOSITIONS = """
about above across after against along alongside amid among amongst around as at before behind below
beneath beside besides between beyond by despite down during except for from in inside into like
near of off on onto opposite out outside over past per regarding round since than through throughout
till to toward towards under underneath until unto up upon versus via with within without
"""
_CONJUNCTIONS = """
and but or nor so yet if unless although though because whereas while whilst whether lest once
provided therefore thus hence however moreover furthermore nevertheless nonetheless otherwise
instead meanwhile accordingly consequently
"""
_VERBS = """
am is are was were be been being have has had having do does did done doing can could may might must
shall should will would ought need dare used get gets got gotten getting become becomes became let
lets make makes made making go goes went gone going come comes came coming take takes took taken say
says said saying see sees saw seen seem seems seemed seeming put keep kept give gives gave given
know known show shown call called find found use uses using want wanted
"""
_ADVERBS = """
not never ever always often sometimes usually again already almost also alone altogether anyway
anywhere apart aside away back else elsewhere especially etc even everywhere far further here hereby
herein how indeed just largely later latter mainly maybe merely mostly namely nearly now nowhere
only partly perhaps please quite rather really still somehow somewhat somewhere soon then there
thereafter thereby therein together too very well when whenever where wherever whereby wherein why
yes
"""
_CONTRACTIONS = """
n't 's 'm 're 've 'll 'd s t m d ll re ve don didn doesn isn aren wasn weren hasn haven hadn won
wouldn couldn shouldn can't cannot couldn't didn't doesn't don't hadn't hasn't haven't isn't aren't
wasn't weren't won't wouldn't shouldn't mustn't needn't i'm i've i'd i'll you're you've you'd you'll
he's he'd he'll she's she'd she'll it's it'd it'll we're we've we'd we'll they're they've they'd
they'll that's there's here's what's who's where's how's let's
"""

ENGLISH = frozenset(
    " ".join(
        (_PRONOUNS, _DETERMINERS, _PREPOSITIONS, _CONJUNCTIONS, _VERBS, _ADVERBS, _CONTRACTIONS)
    ).split()
)
