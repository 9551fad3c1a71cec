"""Several people segment the same texts: how well they agree, on what, and who segments like
whom.

`ss.agreement` gives the answer; here are the other coefficients, what lies behind an answer, and
who differs from whom where. `ss.consensus` makes one coding of many.
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.coders.differences import compare_rounds as compare_rounds
    from segscore.coders.differences import human_competitiveness as human_competitiveness
    from segscore.coders.differences import who_deviates as who_deviates
    from segscore.coders.gold import support as support
    from segscore.coders.habits import boundaries_per_coder as boundaries_per_coder
    from segscore.coders.habits import granularity as granularity
    from segscore.coders.habits import segment_counts as segment_counts
    from segscore.coders.nominal import LabelReliability as LabelReliability
    from segscore.coders.nominal import fleiss_kappa as fleiss_kappa
    from segscore.coders.nominal import krippendorff_alpha as krippendorff_alpha
    from segscore.coders.nominal import label_reliability as label_reliability
    from segscore.coders.nominal import label_similarity as label_similarity
    from segscore.coders.nominal import percentage_agreement as percentage_agreement
    from segscore.coders.pairwise_values import coder_clusters as coder_clusters
    from segscore.coders.pairwise_values import pairwise as pairwise
    from segscore.coders.person_feedback import Feedback as Feedback
    from segscore.coders.person_feedback import feedback as feedback
    from segscore.coders.places import contested as contested
    from segscore.coders.places import edit_totals as edit_totals
    from segscore.coders.places import side_by_side as side_by_side

_HOMES = {
    "differences": "compare_rounds human_competitiveness who_deviates",
    "gold": "support",
    "habits": "boundaries_per_coder granularity segment_counts",
    "nominal": "LabelReliability fleiss_kappa krippendorff_alpha label_reliability label_si"
    "milarity percentage_agreement",
    "pairwise_values": "coder_clusters pairwise",
    "person_feedback": "Feedback feedback",
    "places": "contested edit_totals side_by_side",
}  # modules, and what they define
_PLACES = {name: home for home, names in _HOMES.items() for name in names.split()}
__all__ = list(_PLACES)

__getattr__ = names_on_demand(__name__, _PLACES)
