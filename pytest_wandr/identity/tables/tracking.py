"""Which query parameters and host labels of an address never choose the page?"""

from __future__ import annotations

from pytest_wandr.identity.tables.reading import words

PARAMS: frozenset[str] = words("""
    fbclid gclid gclsrc dclid wbraid gbraid msclkid yclid twclid ttclid li_fat_id mc_cid mc_eid igsh igshid
    hsctatracking mkt_tok oly_anon_id oly_enc_id _openstat wickedid rb_clickid s_cid ncid cmp cmpid ocid icid
    ito soc_src soc_trk guccounter __twitter_impression _ga _gl at_medium at_campaign xtor echobox ref_src
    ref_url spm scm trk trkinfo originalsubdomain wt_mc sr_share share_id zanpid epik srsltid hss_channel
    campaign_id adid amp outputtype
""")
"""Exact names, lower case."""

PREFIXES: tuple[str, ...] = ("utm_", "_hs", "vero_", "guce_", "mtm_", "pk_", "piwik_", "ns_")
"""Whole families of names."""

HOST_PARAMS: dict[str, frozenset[str]] = {
    "youtube.com": words("feature si t pp ab_channel"),
    "x.com": words("s t"),
    "sciencedirect.com": words("via"),
    "medium.com": words("source sk"),
    "nytimes.com": words("smid"),
    "udn.com": words("from"),
}
"""Further names, on this host and below it."""

AMAZON_PARAMS: frozenset[str] = words("tag ref psc qid sr keywords")
"""On every amazon.TLD."""

SOCIAL_PARAMS: frozenset[str] = words("ref source from")
"""Dropped only with one of the values below: elsewhere they may hold the document itself."""

SOCIAL_VALUES: frozenset[str] = words("""
    fb tw rss feed twitter facebook linkedin newsletter email producthunt hackernews share social home
    homepage ts
""")

HOST_ALIASES: dict[str, str] = {
    "twitter.com": "x.com",
    "old.reddit.com": "reddit.com",
    "new.reddit.com": "reddit.com",
    "np.reddit.com": "reddit.com",
    "i.reddit.com": "reddit.com",
    "dx.doi.org": "doi.org",
    "export.arxiv.org": "arxiv.org",
    "music.youtube.com": "youtube.com",
    "youtube-nocookie.com": "youtube.com",
}
"""One site under two names, after the labels www, m, mobile and amp are gone."""
