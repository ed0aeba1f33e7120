/** Clipboard HTML of web pages, editors and viewers, and the article that each becomes. */
import type { PastedSource } from './pasted-office.ts'

/** Styles that Chromium adds to text copied from a page. */
const COPIED =
  'color: rgb(36, 41, 47); font-family: Arial, sans-serif; font-size: 16px; font-style: normal; font-weight: 400; white-space: normal; text-decoration-style: initial; display: inline !important; float: none;'

export const WEB: readonly PastedSource[] = [
  {
    source: 'Notion',
    html: `<!-- notionvc: 1 --><h2>Plan</h2><p>Some <strong>bold</strong> and <code>code</code></p><ul><li>one<ul><li>inside</li></ul></li></ul><pre><code class="language-js">let a = 1\n  + 2\n</code></pre><hr>`,
    article:
      '<h2>Plan</h2><p>Some <strong>bold</strong> and <code>code</code></p><ul><li><p>one</p><ul><li><p>inside</p></li></ul></li></ul><pre><code>let a = 1\n  + 2</code></pre>',
  },
  {
    source: 'Slack',
    html: `<meta charset='utf-8'><span style="${COPIED}">See </span><b data-stringify-type="bold" style="box-sizing: inherit; font-weight: 700;">this</b><span style="${COPIED}"> </span><img data-stringify-type="emoji" alt=":wave:" src="https://s.example/wave.png"><span class="c-mrkdwn__br" data-stringify-type="paragraph-break" style="box-sizing: inherit; display: block; height: 8px;"></span><code data-stringify-type="code">npm ci</code>`,
    article: '<p>See <strong>this</strong> :wave:</p><p><code>npm ci</code></p>',
  },
  {
    source: 'Teams',
    html: `<div style="font-size: 14px; ${COPIED.replace('inline', 'block')}"><p>Meet <span style="font-weight: bolder;">now</span></p><p>&nbsp;</p><p>Room <span style="font-style: italic">two</span> <img alt="🙂" itemtype="http://schema.skype.com/Emoji" src="https://s.example/e.png"></p></div>`,
    article: '<p>Meet <strong>now</strong></p><p>Room <em>two</em> 🙂</p>',
  },
  {
    source: 'GitHub',
    html: `<h2 dir="auto" style="box-sizing: border-box; font-weight: 600;">Install</h2><p dir="auto" style="${COPIED}">Run <code class="notranslate" style="font-family: ui-monospace, SFMono-Regular, monospace; white-space: break-spaces;">npm start</code>.</p><div class="highlight highlight-source-shell notranslate"><pre style="font-family: ui-monospace;"><span class="pl-c1">echo</span> hi\nls</pre></div><ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled> do it</li></ul>`,
    article:
      '<h2>Install</h2><p>Run <code>npm start</code>.</p><pre><code>echo hi\nls</code></pre><ul><li><p>do it</p></li></ul>',
  },
  {
    source: 'VS Code',
    html: `<meta charset='utf-8'><div style="color: #d4d4d4;background-color: #1e1e1e;font-family: 'Droid Sans Mono', 'monospace', monospace;font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;"><div><span style="color: #569cd6;">if</span><span style="color: #d4d4d4;"> (a) {</span></div><br><div><span style="color: #d4d4d4;">    b()</span></div><div><span style="color: #d4d4d4;">}</span></div></div>`,
    article: '<pre><code>if (a) {\n\n    b()\n}</code></pre>',
  },
  {
    source: 'JetBrains editors',
    html: `<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body><pre style="background-color:#2b2b2b;color:#a9b7c6;font-family:'JetBrains Mono',monospace;font-size:9.8pt;"><span style="color:#cc7832;">val </span>a = 1<br>val b = 2<br></pre></body></html>`,
    article: '<pre><code>val a = 1\nval b = 2</code></pre>',
  },
  {
    source: 'Wikipedia',
    html: `<p style="margin: 0.5em 0px; ${COPIED}">A <b>knot</b> is an <i>intentional</i> complication<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">[1]</a></sup> with <span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;"><math><mi>E</mi></math></span><img src="https://w.example/math.svg" class="mwe-math-fallback-image-inline" alt="E=mc^{2}"></span>.</p><figure><a href="/wiki/File"><img src="https://w.example/k.jpg" width="220" height="165"></a><figcaption>Some knots</figcaption></figure>`,
    article:
      '<p>A <strong>knot</strong> is an <em>intentional</em> complication[1] with E=mc^{2}.</p><p>Some knots</p>',
  },
  {
    source: 'WordPress',
    html: `<!-- wp:heading --><h2 class="wp-block-heading">Ropes</h2><!-- /wp:heading --><!-- wp:paragraph --><p class="has-text-align-center">About <strong>them</strong></p><!-- /wp:paragraph --><!-- wp:image --><figure class="wp-block-image"><img src="https://b.example/r.jpg" alt="Ropes on a table"/></figure><!-- /wp:image --><!-- wp:code --><pre class="wp-block-code"><code>a &lt; b</code></pre><!-- /wp:code -->`,
    article: '<h2>Ropes</h2><p>About <strong>them</strong></p><pre><code>a &lt; b</code></pre>',
  },
  {
    source: 'PDF viewer',
    html: `<span role="presentation" dir="ltr" style="left: 10%; top: 5%; font-size: calc(var(--scale-factor)*12px); font-family: sans-serif;">A line of a page</span><br role="presentation"><span role="presentation" dir="ltr" style="left: 10%;">goes on here.</span>`,
    article: '<p>A line of a page goes on here.</p>',
  },
  {
    source: 'ChatGPT',
    html: `<h3 data-start="0" data-end="9">Steps</h3><ol data-start="10"><li data-start="11"><p data-start="12"><strong data-start="13">First</strong>: cut.</p></li><li><p>Then tie <code>a</code>.</p><ul><li><p>twice</p></li></ul></li></ol><p>So <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow><annotation encoding="application/x-tex">a &lt; b</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base">a&lt;b</span></span></span></p><hr>`,
    article:
      '<h3>Steps</h3><ol><li><p><strong>First</strong>: cut.</p></li><li><p>Then tie <code>a</code>.</p><ul><li><p>twice</p></li></ul></li></ol><p>So a &lt; b</p>',
  },
  {
    source: 'WhatsApp',
    html: `<span dir="ltr" class="selectable-text copyable-text" style="white-space: pre-wrap; font-weight: 400;"><span>First line\nsecond  line\n\nlast <strong class="selectable-text" style="font-weight: 600;">bold</strong></span></span>`,
    article: '<p>First line<br>second&nbsp; line</p><p>last <strong>bold</strong></p>',
  },
  {
    source: 'Stack Overflow',
    html: `<div class="s-prose js-post-body" itemprop="text"><p>Use <code>map</code>:</p><pre class="lang-js s-code-block"><code class="hljs"><span class="hljs-keyword">const</span> a = b.map(c)</code></pre><kbd>Ctrl</kbd>+<kbd>V</kbd></div>`,
    article:
      '<p>Use <code>map</code>:</p><pre><code>const a = b.map(c)</code></pre><p><code>Ctrl</code>+<code>V</code></p>',
  },
  {
    source: 'A newsletter laid out by tables',
    html: `<table role="presentation" width="100%"><tbody><tr><td style="display:none;font-size:0">preheader</td></tr><tr><td><table><tbody><tr><td><h2 style="font: bold 20px Arial">News</h2><p style="font-family: Arial">Read <span style="font-weight:bold">this</span></p></td></tr></tbody></table></td></tr></tbody></table>`,
    article: '<h2>News</h2><p>Read <strong>this</strong></p>',
  },
  {
    source: 'A page with line breaks for paragraphs',
    html: `One<br>two<br><br><b>three</b> words<br><br><br>four<script>alert(1)</script><iframe src="https://x.example"></iframe>`,
    article: '<p>One<br>two</p><p><strong>three</strong> words</p><p>four</p>',
  },
  {
    source: 'Nested bold and normal text',
    html: `<div style="font-weight:bold">heavy <span style="font-weight:normal">light <u>lined</u></span><em style="font-style:normal"> upright</em></div><p style="text-decoration: underline"><span style="text-decoration: none">still lined</span></p>`,
    article:
      '<p><strong>heavy </strong>light <u>lined</u><strong> upright</strong></p><p><u>still lined</u></p>',
  },
  {
    source: 'A page about styles',
    html: `<style>b { font-weight: 400 } .x { font-style: italic }</style><p STYLE = 'font-weight:700'>Write style="a" or &lt;style&gt; <span class="x">here</span></p><pre>style = 1</pre>`,
    article:
      '<p><strong>Write style="a" or &lt;style&gt; <em>here</em></strong></p><pre><code>style = 1</code></pre>',
  },
  {
    source: 'A picture alone',
    html: `<img src="https://example.org/cat.png" alt="A cat">`,
    article: '',
  },
]
