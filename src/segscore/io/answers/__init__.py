"""Answers of language models that were asked for segments in a stated shape: from raw text to a
segmentation, or to the reason why there is none.

`answer_text` finds the answer in what a model said, `shapes` reads it in the shape that was asked
for, and `quotations` finds quoted and copied text in the document. Files of answers are read by
`segscore.io.formats.llm`; `segscore.answers` is what users call.
"""
