"""Several people segment the same texts: how well they agree, on what, and who segments like
whom.

`ss.agreement` gives the answer; here are the other coefficients, what lies behind an answer, and
who differs from whom where. `ss.consensus` makes one coding of many.
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.coders.boundary_support import support as support
    from segscore.coders.clusters import coder_clusters as coder_clusters
    from segscore.coders.coder_labels import LabelReliability as LabelReliability
    from segscore.coders.coder_labels import label_reliability as label_reliability
    from segscore.coders.coder_labels import label_similarity as label_similarity
    from segscore.coders.competitiveness import human_competitiveness as human_competitiveness
    from segscore.coders.competitiveness import who_deviates as who_deviates
    from segscore.coders.decisions import fleiss_kappa as fleiss_kappa
    from segscore.coders.decisions import krippendorff_alpha as krippendorff_alpha
    from segscore.coders.decisions import percentage_agreement as percentage_agreement
    from segscore.coders.habits import boundaries_per_coder as boundaries_per_coder
    from segscore.coders.habits import segment_counts as segment_counts
    from segscore.coders.pairwise_values import pairwise as pairwise
    from segscore.coders.person_feedback import Feedback as Feedback
    from segscore.coders.person_feedback import feedback as feedback
    from segscore.coders.places import contested as contested
    from segscore.coders.places import edit_totals as edit_totals
    from segscore.coders.places import side_by_side as side_by_side
    from segscore.coders.rounds import compare_rounds as compare_rounds
    from segscore.coders.segment_granularity import Granularity as Granularity
    from segscore.coders.segment_granularity import granularity as granularity

_HOMES = {
    "Feedback": "person_feedback",
    "Granularity": "segment_granularity",
    "LabelReliability": "coder_labels",
    "boundaries_per_coder": "habits",
    "coder_clusters": "clusters",
    "compare_rounds": "rounds",
    "contested": "places",
    "edit_totals": "places",
    "feedback": "person_feedback",
    "fleiss_kappa": "decisions",
    "granularity": "segment_granularity",
    "human_competitiveness": "competitiveness",
    "krippendorff_alpha": "decisions",
    "label_reliability": "coder_labels",
    "label_similarity": "coder_labels",
    "pairwise": "pairwise_values",
    "percentage_agreement": "decisions",
    "segment_counts": "habits",
    "side_by_side": "places",
    "support": "boundary_support",
    "who_deviates": "competitiveness",
}
__all__ = list(_HOMES)

__getattr__ = names_on_demand(__name__, _HOMES)
