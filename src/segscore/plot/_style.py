"""Colours, marks and lines that differ for the colour-blind and in grey print.

The colours are those of Okabe & Ito (2008), chosen so that people with any kind of colour vision
tell them apart. No picture tells things apart by colour alone: marks or lines differ as well.
"""

BLACK = "#000000"
BLUE = "#0072B2"
VERMILION = "#D55E00"
GREEN = "#009E73"
ORANGE = "#E69F00"
SKY = "#56B4E9"
PURPLE = "#CC79A7"
GREY = "#767676"
LIGHT = "#D9D9D9"

CYCLE = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, BLACK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
DASHES = ("-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 2)))
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++++")
