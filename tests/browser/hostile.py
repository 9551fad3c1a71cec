"""Two hundred strings that would run, break or confuse a careless page."""

_PLAIN = [
    "<script>window.hit=1</script>", "</script><script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>", "<svg onload=window.hit=1>", "<svg/onload=window.hit=1>",
    "<body onload=window.hit=1>", "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
    "<iframe src=javascript:parent.hit=1>", "<a href=javascript:window.hit=1>x</a>",
    "<math><mi//xlink:href='data:x,<script>window.hit=1</script>'>", "<object data=javascript:1>",
    "<embed src=javascript:window.hit=1>", "<link rel=stylesheet href=http://example.org/x.css>",
    "<style>*{display:none}</style>", "<style>@import 'http://example.org/x.css'</style>",
    "<base href=http://example.org/>", "<meta http-equiv=refresh content='0;url=http://example.org'>",
    "<form action=http://example.org><input name=a>", "<input autofocus onfocus=window.hit=1>",
    "<details open ontoggle=window.hit=1>", "<video><source onerror=window.hit=1></video>",
    "<audio src=x onerror=window.hit=1>", "<marquee onstart=window.hit=1>", "<textarea>", "</textarea>",
    "<!--", "-->", "<![CDATA[", "]]>", "<?xml version='1.0'?>", "<!DOCTYPE html>", "</title>",
    "</style><script>window.hit=1</script>", "</table>", "</main></body></html>", "<plaintext>",
    "<xmp>", "<noscript>", "<template><script>window.hit=1</script></template>", "<bdo dir=rtl>",
    "javascript:window.hit=1", "data:text/html,<script>window.hit=1</script>", "vbscript:x",
    "${window.hit=1}", "{{window.hit=1}}", "{{constructor.constructor('window.hit=1')()}}",
    "`+(window.hit=1)+`", "'+(window.hit=1)+'", '"+(window.hit=1)+"', "\\';window.hit=1;//",
    '\\";window.hit=1;//', "\\u003cscript\\u003ewindow.hit=1\\u003c/script\\u003e",
    "&lt;script&gt;window.hit=1&lt;/script&gt;", "&#60;script&#62;window.hit=1&#60;/script&#62;",
    "%3Cscript%3Ewindow.hit=1%3C/script%3E", "&amp;", "&nbsp;", "&", "#at-1", "#document=x&at=2",
    "?a=b&c=d", "a=b&reference=c", "../../etc/passwd", "file:///etc/passwd", "__proto__",
    "constructor", "prototype", "hasOwnProperty", "toString", "valueOf", "null", "undefined", "NaN",
    "true", "0", "-1", "everyone", "consensus:0.5", "consensus", "nobody", "name", "all",
    "\u202ertl override", "\u202dltr override", "\u2066isolate", "\u2069end", "\u200fmark",
    "שלום עולם", "مرحبا بالعالم", "\u200bzero width", "\ufeffbyte order", "\u2028line", "\u2029paragraph",
    "\x01\x02\x03", "\x1b[31mred", "a\tb", "a\nb", "a\rb", "a\r\nb", "\x7f", "\x85", "e\u0301", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L",
    "👩‍👩‍👧‍👦", "𝄞", "\ufffd", "\uffff", "ﷺ", "ｗｉｄｅ", "K" * 300, "w" * 5000, "a b " * 200, "'", '"', "`", "\\",
    "/", "<", ">", "<<", ">>", "</", "<>", "=", "==", ";", ":", "|", "||", "$", "$$x^2$$", "%", "%s", "%(x)s",
    "{", "}", "{}", "[", "]", "[]", "(", ")", "()", "*", "**", "~", "~~", "^", "@", "!", "+", "-", "_", ",", ".", "..",
]  # fmt: skip
_AROUND = ['"{}"', "'{}'", '">{}', "'>{}", "</bdi>{}", "</code></pre>{}", "</option></select>{}"]
_MORE = [around.format(string) for around in _AROUND for string in _PLAIN[:20]]
STRINGS = list(dict.fromkeys([*_PLAIN, *_MORE]))[:200]
