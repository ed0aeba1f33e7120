import type { DemoLesson } from './types.ts'

export const lessonsEn2: DemoLesson[] = [
  {
    owner: 'jonas.w',
    language: 'en',
    title: 'Regex by ear',
    description: 'Read a pattern aloud and it stops being line noise.',
    video: 'https://www.youtube.com/watch?v=ES7mLuhot8P',
    tags: ['regex', 'programming', 'text'],
    article: `<p>A regular expression looks like a cat walked over the keyboard until you <strong>say it aloud</strong>, one sign at a time.</p>
<pre><code>^\\d{2}:\\d{2}$</code></pre>
<p>“From the start, a digit twice, a colon, a digit twice, and that is the end.” That is a clock time. It is also 99:99, and here you should stop: whether an hour exists is a job for the program, not for the pattern.</p>
<h2>Five words to know</h2>
<ul><li><code>.</code> anything at all</li><li><code>?</code> or not</li><li><code>+</code> at least one</li><li><code>*</code> any number, none too</li><li><code>[abc]</code> one of these</li></ul>
<p>A star is greedy: <code>".*"</code> runs from the first quotation mark to the <em>last</em> one on the line. Say what may stand between instead: <code>"[^"]*"</code>, “a quote, anything but a quote, a quote”. If you cannot read it out in one breath, split it in two.</p>`,
    resource: 'https://example.org/regex/spoken-cards.pdf',
    picture: null,
    publishedDaysAgo: 128,
    views: 1000,
    likedBy: ['Рада', 'mira.s', 'petar-iliev', 'ana_k', 'elena', 'ивайло', 'leila.h'],
    boughtBy: [],
  },
  {
    owner: 'jonas.w',
    language: 'en',
    title: 'Read a payslip',
    description: 'Gross, net and the four lines that lie between them.',
    video: 'https://www.youtube.com/watch?v=flThU9_AGyH',
    tags: ['money', 'work', 'basics'],
    article: `<p>Every payslip tells the same story, whatever the country: a large number becomes a smaller one. Read it from the top, with a pencil.</p>
<ol><li><strong>Gross</strong>: what the contract says, plus overtime and bonuses. Check the hours first; that is where the mistakes are.</li><li><strong>Contributions</strong>: pension, health, unemployment. Each is a percentage, often up to a ceiling.</li><li><strong>Taxable pay</strong>: gross minus whatever the law lets you take off.</li><li><strong>Tax</strong>: a part of that line, not of the gross.</li><li><strong>Net</strong>: what lands in your account. Compare it with the bank.</li></ol>
<p>Divide tax by taxable pay, and you have your real rate. It is nearly always lower than the bracket people complain about, because a bracket applies only to the money inside it.</p>
<p>Keep the slips for years. The one missing month is always the one the <em>pension office</em> asks about.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 40,
    views: 212,
    likedBy: ['teo', 'ana_k'],
    boughtBy: [],
  },
  {
    owner: 'petar-iliev',
    language: 'en',
    title: 'Bind your first book',
    description: 'Four sections, linen thread and a cover made of board.',
    opening:
      'A book is paper that has agreed to stay together. Everything else, the cloth, the gold, the ribbon, came later. Take eight sheets, fold each one away from you, and listen: well-made paper answers with a crack.',
    video: 'https://www.youtube.com/watch?v=COLQbjFVAI6',
    tags: ['bookbinding', 'paper', 'craft'],
    article: `<p>I have repaired books for thirty years, and the ones that come back least were sewn by beginners: they use too much thread and pull it with respect.</p>
<h2>You need</h2>
<ul><li>16 sheets of paper, with the grain running along the spine;</li><li>linen thread, waxed, and a blunt needle;</li><li>an awl, a bone folder, white glue, grey board.</li></ul>
<h2>The order of work</h2>
<ol><li>Fold the sheets by fours into <strong>sections</strong> and press them under a dictionary.</li><li>Mark five holes along the fold of one, and pierce all four sections by it.</li><li>Sew in and out, and join each new section to the one below with a <em>kettle stitch</em>.</li><li>Glue the spine thinly. Leave it overnight.</li></ol>
<p>Find the grain before anything else: bend the sheet both ways, and fold it the way it resists less. Paper that fights the spine never learns to lie open.</p>`,
    resource: 'https://example.org/books/hole-template-a5.pdf',
    picture: 'book.webp',
    publishedDaysAgo: 405,
    views: 1141,
    likedBy: ['mira.s', 'Рада', 'leila.h', 'jonas.w', 'oak_and_ash', 'teo', 'ивайло', 'vesi'],
    boughtBy: ['mira.s', 'Рада'],
  },
  {
    owner: 'petar-iliev',
    language: 'en',
    title: 'Type on a grid',
    description: 'Why the lines of a good page all seem to hold hands.',
    video: 'https://www.youtube.com/watch?v=JfPJqgQTMhf',
    tags: ['typography', 'design', 'print'],
    article: `<p>Hold a well-made book against a window. The lines on both sides of the leaf fall on each other, and the page stays quiet. That is a <strong>baseline grid</strong>, and it costs only arithmetic.</p>
<p>Start from the text. At 11 points on a line of about 65 characters, 15 points of leading read well. <em>Fifteen</em> is now your unit: every height on the page is some number of fifteens.</p>
<ul><li>A heading at 20 points takes two lines, 30.</li><li>The space above it is larger than the space below, say 30 and 15, so that it belongs to what follows.</li><li>A picture begins at the height of a small x and ends on a baseline.</li><li>Notes at 9 points sit on leading of 10: three of theirs for two of yours.</li></ul>
<p>Only then draw columns. Beginners start there, and so the page is neat across and nervous down.</p>
<blockquote>Nobody sees the grid. Everybody sees its absence.</blockquote>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 215,
    views: 655,
    likedBy: ['mira.s', 'oak_and_ash', 'vesi', 'jonas.w'],
    boughtBy: [],
  },
  {
    owner: 'sam_ok',
    language: 'en',
    title: 'Knots that hold',
    description: 'Three knots for almost everything, and how to undo them.',
    opening:
      'There are some four thousand knots in the big book. My grandfather worked on boats for forty years and used three.',
    video: 'https://www.youtube.com/watch?v=JVPLPuOcOKm',
    tags: ['knots', 'outdoors', 'rope'],
    article: `<p>A good knot does three things: it holds, it shows at a glance that it is right, and it comes undone after a wet night. Learn three, and learn them in the dark.</p>
<h2>Bowline</h2>
<p>A loop that never slips. Make a small eye, then: the rabbit comes <em>up the hole, round the tree, and back down the hole</em>. Pull all three ends and leave a tail a hand long.</p>
<h2>Sheet bend</h2>
<p>Joins two ropes, even of different thickness. Fold the thick one; bring the thin one up through the fold, round behind both, and under <strong>itself</strong>. Both tails on the same side.</p>
<h2>Round turn and two half hitches</h2>
<p>Ties a rope to a post. The turn takes the load, so you can finish at leisure, even with a boat on the other end.</p>
<p>None of these is for climbing. If a life hangs from it, learn from a person who can look at your hands.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 283,
    views: 1070,
    likedBy: ['jonas.w', 'oak_and_ash', 'ивайло', 'teo', 'leila.h', 'Рада', 'ana_k'],
    boughtBy: [],
  },
  {
    owner: 'sam_ok',
    language: 'en',
    title: 'Touch typing',
    description: 'Ten days, ten fingers, and a tea towel over your hands.',
    video: 'https://www.youtube.com/watch?v=2nQ48KzknvN',
    tags: ['typing', 'skills', 'office'],
    article: `<p>Feel the two little ridges on <code>F</code> and <code>J</code>. They are there so that you can come home without looking. Index fingers on the ridges, the others beside them, thumbs on the space bar.</p>
<p>For ten days, <strong>fifteen minutes a day</strong>:</p>
<ol><li>Days 1–3: only the home row. Lay a tea towel over your hands. Slow is fine, looking is not.</li><li>Days 4–6: the row above. Each finger goes up and slightly left, and <em>returns</em>.</li><li>Days 7–8: the row below, then capitals with the opposite little finger.</li><li>Days 9–10: real sentences, your own mail.</li></ol>
<p>Around day five you will be slower than before and you will want to cheat. Everybody does. Never practise faster than you can get right: fingers learn mistakes just as eagerly.</p>
<p>Relax the shoulders, keep the wrists off the table, and stop when anything hurts.</p>`,
    resource: 'https://example.org/typing/ten-days.pdf',
    picture: null,
    publishedDaysAgo: 251,
    views: 1297,
    likedBy: [
      'jonas.w',
      'oak_and_ash',
      'teo',
      'ana_k',
      'Рада',
      'vesi',
      'petar-iliev',
      'ивайло',
      'leila.h',
    ],
    boughtBy: ['jonas.w'],
  },
  {
    owner: 'sam_ok',
    language: 'en',
    title: 'Fix a flat tyre',
    description: 'A bicycle, two levers and the thorn that is still there.',
    video: 'https://www.youtube.com/watch?v=f3Cnd13L7zl',
    tags: ['bicycle', 'repair', 'outdoors'],
    article: `<p>The patch is the easy part. Most second punctures of the day come from the <strong>same thorn</strong>, still sitting in the tyre.</p>
<ol><li>Wheel out; chain on the smallest cog makes the rear one easy. Let out all the air.</li><li>Start opposite the valve. Two levers under the edge, a hand apart, and lift one side only.</li><li>Pump the tube a little and listen. No hiss? Hold it under water, or against your lip.</li><li>Now lay tube over tyre, valve to valve, and look where the hole points. Feel inside <em>slowly</em>.</li><li>Roughen, thin glue, wait until it is <strong>dry to the touch</strong>, press the patch on hard.</li></ol>
<p>Two small holes side by side mean that the tube was pinched against the rim: no thorn, just too little air. Put some in before you refit, so that it doesn’t twist, and finish with your thumbs. Levers pinch.</p>`,
    resource: null,
    picture: 'bicycle.webp',
    publishedDaysAgo: 25,
    views: 530,
    likedBy: ['leila.h', 'ивайло', 'mira.s'],
    boughtBy: [],
  },
  {
    owner: 'elena',
    language: 'en',
    title: 'The Oxford comma',
    description: 'One small mark before “and”, and when it earns its keep.',
    video: 'https://www.youtube.com/watch?v=BflK_y0pFYl',
    tags: ['writing', 'grammar', 'english'],
    article: `<p>In a list of three or more, some people put a comma before the last <em>and</em>. That is the whole of the Oxford comma. The quarrel about it is older than any of us, and it has a practical answer.</p>
<h2>Where it helps</h2>
<blockquote>She thanked her parents, Mira and Sam.</blockquote>
<p>Are these four people, or two? Write <em>her parents, Mira, and Sam</em>, and nobody asks. It helps just as much when an item has an <em>and</em> of its own: <em>tea, bread and butter, and jam</em>.</p>
<h2>Where it hurts</h2>
<blockquote>To my mother, Elena, and Petar.</blockquote>
<p>Now the comma <strong>makes</strong> the doubt: is Elena the mother? No comma can mend that. Turn the list round: <em>to Elena, Petar and my mother</em>.</p>
<p>So follow the house that publishes you, be consistent, and when a sentence can be misread, change its order first and its commas second.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 151,
    views: 722,
    likedBy: ['jonas.w', 'petar-iliev', 'Рада', 'mira.s'],
    boughtBy: ['jonas.w'],
  },
  {
    owner: 'elena',
    language: 'en',
    title: 'Haiku, then cut it',
    description: 'Write seventeen syllables and keep the ones that matter.',
    video: 'https://www.youtube.com/watch?v=m6-6TdVgjPj',
    tags: ['poetry', 'writing'],
    article: `<p>Schools teach haiku as sums: five, seven, five. But a Japanese sound is shorter than an English syllable, so seventeen of ours are a crowd. Use the count to begin, and then take things out.</p>
<p>Here is a first draft, properly counted:</p>
<pre><code>the old woman waits
beside the empty bus stop
in the evening rain</code></pre>
<p>Now ask every word what it does. <em>Old</em> explains. <em>Empty</em> is in <em>waits</em> already. <em>Evening</em> and <em>rain</em> say the same grey.</p>
<pre><code>bus stop—
her umbrella
folded</code></pre>
<p>No weather any more, and yet you know that the rain has stopped, and for how long she has been there. That is the <strong>cut</strong>: two things side by side, with nothing between them to explain the one by the other.</p>
<p>Write one a day for a week. Publish none before Sunday.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 23,
    views: 7,
    boughtBy: [],
  },
  {
    owner: 'oak_and_ash',
    language: 'en',
    title: 'Seeds to seedlings',
    description: 'Light, warmth and less water than you would think.',
    video: 'https://www.youtube.com/watch?v=Jydmaiplz6R',
    tags: ['garden', 'spring', 'seeds'],
    article: `<p>A seed is a plant with a packed lunch. It needs nothing from you at first but damp, warmth and time; it needs <strong>light</strong> from the very day it shows.</p>
<ol><li>Use fine, poor compost. Rich soil burns young roots.</li><li>Bury a seed twice as deep as it is thick. Dust-fine ones, such as lettuce, stay on top.</li><li>Water from below: stand the tray in a centimetre of water for ten minutes, then take it out.</li><li>Cover until the first green, then <em>uncover that same day</em>.</li></ol>
<h2>Two ways to lose them</h2>
<p><strong>Leggy</strong>: tall, pale, leaning. A windowsill in March is too warm and too dark. Move them somewhere cooler and brighter, and stroke them with your palm every morning; they grow stouter for it.</p>
<p><strong>Fallen over</strong>, thin at the soil: a fungus that loves wet, still air. Water less, open a window, and sow again. It is not too late.</p>`,
    resource: 'https://example.org/garden/sowing-calendar.pdf',
    picture: 'seedlings.webp',
    publishedDaysAgo: 9,
    views: 1009,
    likedBy: ['leila.h', 'Рада', 'vesi', 'ana_k', 'mira.s', 'sam_ok', 'teo'],
    boughtBy: ['leila.h', 'Рада'],
  },
  {
    owner: 'sam_ok',
    language: 'en',
    title: 'Fire without matches',
    description: 'A ferro rod, birch bark, and more patience than sparks.',
    video: 'https://www.youtube.com/watch?v=XQFt4jKxx9L',
    tags: ['outdoors', 'fire', 'camp'],
    article: `<p>The spark comes last. Who scratches a ferro rod over wet twigs may scratch until morning. Nine tenths of a fire are made before there is one.</p>
<ol><li><strong>Place</strong>: a fireplace where it is allowed, out of the wind, bare soil for two metres around, water at hand. In a drought none is lit at all.</li><li><strong>Tinder</strong>: birch bark scraped to fluff, or resinous pine in shavings. A handful, not a pinch.</li><li><strong>Sticks</strong>: three heaps, as thick as a match, a pencil and a thumb. Break dead ones that still hang; what lies on the ground drinks water.</li><li><strong>Spark</strong>: set the rod into the tinder, hold the knife still, and pull the <em>rod</em> back. So the heap stays where it is.</li></ol>
<p>Feed it from the thinnest up. In the end pour water, stir, and pour again, until a hand can lie on the ashes.</p>`,
    resource: null,
    picture: 'fire.webp',
    publishedDaysAgo: 28,
    views: 1061,
    likedBy: ['teo', 'jonas.w', 'oak_and_ash', 'vesi', 'petar-iliev', 'mira.s', 'ивайло'],
    boughtBy: ['teo'],
  },
]
