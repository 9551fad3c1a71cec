"""Answers of language models that were asked for segments: from raw text to a segmentation, or to
the reason why there is none.

`json_answers` and `plain_answers` find what an answer claims (`claims`), `unit_numbers` and
`quotations` turn claims into boundaries, `answer_reading` puts the steps together, `output_files`
finds the answers in files, and `model_outputs` is what users call. Nothing is guessed: an ambiguous
answer is a failure, or an error that asks the caller.
"""
