/** Clipboard HTML of office suites, note apps and mail clients, and the article that each becomes. */
export interface PastedSource {
  readonly source: string
  readonly html: string
  readonly article: string
}

const WORD_ITEM = (level: number, marker: string, text: string, list = 'l0') =>
  `<p class=MsoListParagraph style='margin-left:${level * 36}pt;text-indent:-18.0pt;mso-list:${list} level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`

const WORD_WEB_ITEM = (list: string, level: number, text: string) =>
  `<div class="ListContainerWrapper SCXW1 BCX0"><${list} class="BulletListStyle1" role="list" style="font-family: verdana;"><li aria-level="${level}" data-leveltext="" class="OutlineElement Ltr" style="display: block;"><p class="Paragraph" style="font-weight: normal; font-style: normal;"><span class="TextRun"><span class="NormalTextRun">${text}</span></span><span class="EOP" data-ccp-props="{}">&nbsp;</span></p></li></${list}></div>`

export const OFFICE: readonly PastedSource[] = [
  {
    source: 'Google Docs: formatting',
    html: `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1f"><h1 dir="ltr" style="line-height:1.38;"><span style="font-size:20pt;font-weight:400;white-space:pre-wrap;">Knots</span></h1><p dir="ltr" style="line-height:1.38;"><span style="font-weight:400;font-style:normal;text-decoration:none;white-space:pre-wrap;">Plain, </span><span style="font-weight:700;font-style:normal;text-decoration:none;white-space:pre-wrap;">bold</span><span style="font-weight:400;white-space:pre-wrap;">, </span><span style="font-weight:400;font-style:italic;white-space:pre-wrap;">italic</span><span style="font-weight:400;white-space:pre-wrap;"> and </span><span style="font-weight:400;text-decoration:underline;white-space:pre-wrap;">underlined</span></p><br /><p dir="ltr"><a href="https://example.org" style="text-decoration:none;"><span style="font-weight:400;text-decoration:underline;">a link</span></a></p></b>`,
    article:
      '<h1>Knots</h1><p>Plain, <strong>bold</strong>, <em>italic</em> and <u>underlined</u></p><p>a link</p>',
  },
  {
    source: 'Google Docs: list and code',
    html: `<b style="font-weight:normal;" id="docs-internal-guid-2f"><ul style="margin-top:0;"><li dir="ltr" style="list-style-type:disc;font-weight:400;white-space:pre;" aria-level="1"><p dir="ltr" role="presentation"><span style="font-weight:400;white-space:pre-wrap;">one</span></p></li><ul><li dir="ltr" style="list-style-type:circle;white-space:pre;" aria-level="2"><p dir="ltr" role="presentation"><span style="white-space:pre-wrap;">inside</span></p></li></ul><li dir="ltr" aria-level="1"><p role="presentation"><span>two with </span><span style="font-family:'Courier New',monospace;">code</span></p></li></ul></b>`,
    article:
      '<ul><li><p>one</p><ul><li><p>inside</p></li></ul></li><li><p>two with <code>code</code></p></li></ul>',
  },
  {
    source: 'Word for the desktop: text',
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- @font-face {font-family:Calibri;} p.MsoNormal {margin:0cm; font-size:11.0pt;} h2 {font-weight:bold;} span.Strong1 {font-weight:bold;} --></style></head><body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment--><h2>Head<o:p></o:p></h2><p class=MsoNormal>Some <b><span lang=EN-GB>bold</span></b>, <i>italic</i>, <u>lined</u> and <span class=Strong1>styled</span> text<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>After a gap<span style='display:none;mso-hide:all'>hidden</span></p><!--EndFragment--></body></html>`,
    article:
      '<h2>Head</h2><p>Some <strong>bold</strong>, <em>italic</em>, <u>lined</u> and <strong>styled</strong> text</p><p>After a gap</p>',
  },
  {
    source: 'Word for the desktop: bullets on two levels',
    html: `<body>${WORD_ITEM(1, '·', 'one')}${WORD_ITEM(2, 'o', 'inside <b>one</b>')}${WORD_ITEM(2, 'o', 'again')}${WORD_ITEM(1, '·', 'two')}<p class=MsoNormal>After</p></body>`,
    article:
      '<ul><li><p>one</p><ul><li><p>inside <strong>one</strong></p></li><li><p>again</p></li></ul></li><li><p>two</p></li></ul><p>After</p>',
  },
  {
    source: 'Word for the desktop: numbers with letters below',
    html: `<body>${WORD_ITEM(1, '1.', 'first')}${WORD_ITEM(2, 'a.', 'detail')}${WORD_ITEM(3, 'iv)', 'deeper')}${WORD_ITEM(1, '2.', 'second')}</body>`,
    article:
      '<ol><li><p>first</p><ol><li><p>detail</p><ol><li><p>deeper</p></li></ol></li></ol></li><li><p>second</p></li></ol>',
  },
  {
    source: 'Word for the web',
    html: `<div class="OutlineElement Ltr SCXW1"><p role="heading" aria-level="2" class="Paragraph" style="font-weight: normal;"><span class="TextRun"><span class="NormalTextRun">Head</span></span><span class="EOP">&nbsp;</span></p></div><div class="OutlineElement Ltr"><p class="Paragraph" style="font-weight: normal; font-style: normal;"><span class="TextRun" style="font-weight: bold;"><span class="NormalTextRun">Bold</span></span><span class="TextRun" style="font-weight: normal; font-style: italic;"><span class="NormalTextRun"> slanted</span></span><span class="TextRun Underlined" style="text-decoration: underline;"><span class="NormalTextRun">lined</span></span><span class="EOP">&nbsp;</span></p></div>${WORD_WEB_ITEM('ul', 1, 'one')}${WORD_WEB_ITEM('ul', 2, 'inside')}${WORD_WEB_ITEM('ul', 1, 'two')}${WORD_WEB_ITEM('ol', 1, 'first')}`,
    article:
      '<h2>Head</h2><p><strong>Bold</strong><em> slanted</em><u>lined</u></p><ul><li><p>one</p><ul><li><p>inside</p></li></ul></li><li><p>two</p></li></ul><ol><li><p>first</p></li></ol>',
  },
  {
    source: 'Word: a table and a picture',
    html: `<body><table class=MsoTableGrid border=1><tr style='mso-yfti-irow:0'><td width=100 style='border:solid'><p class=MsoNormal><b>Name</b><o:p></o:p></p></td><td><p class=MsoNormal>Use</p></td></tr><tr><td><p class=MsoNormal>Bowline</p></td><td><p class=MsoNormal>Loop</p></td></tr></table><p class=MsoNormal><!--[if gte vml 1]><v:shape></v:shape><![endif]--><![if !vml]><img width=200 height=100 src="file:///C:/x/clip_image001.png"><![endif]></p></body>`,
    article: '<p><strong>Name</strong></p><p>Use</p><p>Bowline</p><p>Loop</p>',
  },
  {
    source: 'LibreOffice Writer',
    html: `<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 24.2"/><style type="text/css">p { line-height: 115%; margin-bottom: 0.1in; background: transparent }</style></head><body lang="en-US"><h3 class="western">Head</h3><p style="line-height: 100%"><font face="Liberation Serif, serif">Text with <b>weight</b>, <i>slope</i>, <u>line</u></font></p><ol><li><p style="margin-bottom: 0in">first</p><ol><li><p>below</p></li></ol></li><li><p>second</p></li></ol></body></html>`,
    article:
      '<h3>Head</h3><p>Text with <strong>weight</strong>, <em>slope</em>, <u>line</u></p><ol><li><p>first</p><ol><li><p>below</p></li></ol></li><li><p>second</p></li></ol>',
  },
  {
    source: 'macOS rich text (TextEdit, Notes)',
    html: `<!DOCTYPE html><html><head><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">p.p1 {margin: 0.0px; font: 12.0px Helvetica} p.p2 {margin: 0.0px; font: 12.0px Helvetica; min-height: 14.0px} span.s1 {text-decoration: underline} span.s2 {font: 12.0px Menlo} span.s3 {font: bold 12.0px Helvetica}</style></head><body><p class="p1"><b>Bold</b> and <i>italic</i><span class="Apple-converted-space">&nbsp;</span><span class="s1">lined</span> <span class="s2">fixed</span> <span class="s3">heavy</span></p><p class="p2"><br></p><ul class="ul1"><li class="li1">one</li></ul></body></html>`,
    article:
      '<p><strong>Bold</strong> and <em>italic</em> <u>lined</u> <code>fixed</code> <strong>heavy</strong></p><ul><li><p>one</p></li></ul>',
  },
  {
    source: 'Apple Mail',
    html: `<span style="caret-color: rgb(0, 0, 0); font-family: Helvetica; font-size: 12px; font-style: normal; font-weight: 400; text-decoration: none; display: inline !important;">Hello<span class="Apple-converted-space">&nbsp;</span></span><span style="font: bold 12px/normal Helvetica;">you</span><div style="font-weight: 400;">next line</div><div><br class="webkit-block-placeholder"></div><div style="font-style: italic;">slanted</div>`,
    article: '<p>Hello <strong>you</strong></p><p>next line</p><p><em>slanted</em></p>',
  },
  {
    source: 'Gmail',
    html: `<div dir="ltr" style="font-family: Arial; font-size: small; font-weight: 400;">Hi <b>Ana</b> <img goomoji="1f44d" data-goomoji="1f44d" alt="👍" src="https://mail.example/e/1f44d" width="18"><div><br></div><div><span style="font-style:italic">See</span> you</div><blockquote class="gmail_quote" style="border-left:1px solid"><div>quoted</div></blockquote><img src="https://t.example/p.gif" width="1" height="1"></div>`,
    article:
      '<p>Hi <strong>Ana</strong> 👍</p><p><em>See</em> you</p><blockquote><p>quoted</p></blockquote>',
  },
  {
    source: 'Outlook on the web',
    html: `<div class="elementToProof" style="font-family: Aptos, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);"><b>Bold</b> line</div><div class="elementToProof"><br></div><div style="direction: ltr; font-weight: 700;">all heavy</div><ul data-editing-info="{}"><li style="list-style-type: disc;"><div class="elementToProof" role="presentation">point</div></li></ul>`,
    article:
      '<p><strong>Bold</strong> line</p><p><strong>all heavy</strong></p><ul><li><p>point</p></li></ul>',
  },
  {
    source: 'Thunderbird, plain text',
    html: `<div class="moz-text-plain" wrap="true" style="font-family: -moz-fixed; font-size: 13px;" lang="x-unicode"><pre class="moz-quote-pre" wrap="">First paragraph,\nsecond line.\n\nAnother paragraph.</pre></div>`,
    article: '<p>First paragraph,<br>second line.</p><p>Another paragraph.</p>',
  },
  {
    source: 'Excel',
    html: `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!--td {font-weight:400; font-style:normal; text-decoration:none; white-space:nowrap; mso-rotate:0;} .xl65 {font-weight:700;} .xl66 {font-style:italic;}--></style></head><body><table border=0><!--StartFragment--><col width=64><tr height=20><td class=xl65 height=20 width=64>Rope</td><td>12</td></tr><tr><td class=xl66>Cord</td><td></td></tr><!--EndFragment--></table></body></html>`,
    article: '<p><strong>Rope</strong></p><p>12</p><p><em>Cord</em></p>',
  },
  {
    source: 'Google Sheets',
    html: `<google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #ccc;} br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" data-sheets-root="1"><colgroup><col width="100"/></colgroup><tbody><tr style="height:21px;"><td style="font-weight:bold;" data-sheets-value="{}">Knot</td><td>A<br/>B</td></tr></tbody></table></google-sheets-html-origin>`,
    article: '<p><strong>Knot</strong></p><p>A<br>B</p>',
  },
]
