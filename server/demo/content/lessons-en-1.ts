import type { DemoLesson } from './types.ts'

export const lessonsEn1: DemoLesson[] = [
  {
    owner: 'leila.h',
    language: 'en',
    title: 'Sourdough, day one',
    description: 'A jar, some rye flour and the patience of one week.',
    opening:
      'The jar on my windowsill is nine years old and has outlived two ovens. It began as you will begin tonight: two spoons of rye flour, two of water, and a lid that does not quite close. On the third day it will look dead. It is not.',
    video: 'https://www.youtube.com/watch?v=ewPFkflgNLX',
    tags: ['baking', 'sourdough', 'kitchen'],
    article: `<p>A sourdough starter is a small zoo: wild yeast and lactic bacteria that already live on the flour. You don’t add them, you only make them comfortable. Today takes five minutes.</p>
<h2>What to do</h2>
<ol><li>Weigh 50 g of wholegrain rye and 50 g of water at about 26 °C.</li><li>Stir in a clean jar until no dry flour is left, and scrape down the sides.</li><li>Put the lid on loosely and mark the level with a rubber band.</li></ol>
<h2>What to expect</h2>
<p>Day two often looks like a triumph: bubbles, a rise, a whiff of gym shoes. Those are the <em>wrong</em> bacteria, and they leave by themselves once it turns sour. Day three looks dead. <strong>Do not throw it out.</strong> Each day keep 50 g, feed it 50 g of flour and 50 g of water, and wait.</p>
<blockquote>It is ready when it doubles within six hours, two days in a row.</blockquote>`,
    resource: 'https://example.org/sourdough/feeding-diary.pdf',
    picture: 'bread.webp',
    publishedDaysAgo: 396,
    views: 1577,
    likedBy: [
      'mira.s',
      'ивайло',
      'elena',
      'oak_and_ash',
      'sam_ok',
      'teo',
      'petar-iliev',
      'ana_k',
      'jonas.w',
      'Рада',
      'vesi',
    ],
    boughtBy: ['mira.s', 'ивайло', 'sam_ok'],
  },
  {
    owner: 'leila.h',
    language: 'en',
    title: 'Pour-over coffee',
    description: 'One cup, one filter, and why the first 40 g of water wait.',
    opening:
      'Most bad coffee is good coffee that was hurried. Before you buy another grinder, take the scales out of the drawer and make one cup with me, slowly enough to see it swell.',
    video: 'https://www.youtube.com/watch?v=O5UVj60pamJ',
    tags: ['coffee', 'kitchen'],
    article: `<p>A good cup is mostly arithmetic. Use <strong>60 g of coffee to a litre</strong>; for one mug that is 15 g and 250 g of water, just off the boil. Put the whole thing on a scale and stop guessing.</p>
<ol><li>Rinse the paper with hot water. It warms the cone and takes away the taste of cardboard.</li><li>Pour 40 g and wait 40 seconds. Fresh coffee swells: that is gas leaving, and while it leaves, water cannot get in.</li><li>Pour in slow circles to 150 g, pause, then to 250 g.</li></ol>
<p>The last drop should fall at about three minutes. Now taste, and change <em>only the grinder</em>:</p>
<ul><li>sour and thin: grind finer;</li><li>bitter and dry: grind coarser;</li><li>flat: buy younger beans.</li></ul>
<p>Write the setting on the bag. Tomorrow morning you will not remember it, and tomorrow morning is when it matters.</p>`,
    resource: null,
    picture: 'coffee.webp',
    publishedDaysAgo: 371,
    views: 1094,
    likedBy: ['jonas.w', 'elena', 'mira.s', 'teo', 'petar-iliev', 'ивайло', 'vesi'],
    boughtBy: ['jonas.w'],
  },
  {
    owner: 'leila.h',
    language: 'en',
    title: 'Ferment cabbage',
    description: 'Two per cent of salt does nearly all of the work.',
    video: 'https://www.youtube.com/watch?v=zypwN8x4vV7',
    tags: ['fermenting', 'kitchen', 'winter'],
    article: `<p>Sauerkraut is cabbage that has been salted, squeezed and left alone. The bacteria that sour it are on the leaves already; salt holds the others back while they get going.</p>
<h2>The one number</h2>
<p>Weigh the shredded cabbage and add <strong>2 % of its weight</strong> in salt: 20 g for a kilo. Less and it goes soft, much more and it never starts.</p>
<h2>The one rule</h2>
<p>Knead until a fistful drips, pack it hard into a jar and keep everything <em>under the brine</em>. An outer leaf on top and a small glass of water as a weight will do. Air is what lets mould in.</p>
<ul><li>Days 1–5: room temperature, open the lid daily, expect foam.</li><li>Day 7: taste it with a clean fork.</li><li>Week 3: sour enough for most people. Into the fridge.</li></ul>
<p>White film is harmless yeast, skim it off. Anything fuzzy or coloured goes in the bin, jar and all.</p>`,
    resource: 'https://example.org/ferment/salt-table.pdf',
    picture: null,
    publishedDaysAgo: 322,
    views: 1040,
    likedBy: ['oak_and_ash', 'jonas.w', 'ивайло', 'ana_k', 'sam_ok', 'mira.s', 'petar-iliev'],
    boughtBy: ['oak_and_ash'],
  },
  {
    owner: 'leila.h',
    language: 'en',
    title: 'Sharpen any knife',
    description: 'A wet stone, a steady angle and a marker pen.',
    video: 'https://www.youtube.com/watch?v=dDH4bjwbs6R',
    tags: ['tools', 'kitchen', 'sharpening'],
    article: `<p>A dull knife is the dangerous one: it slips, because you push. Ten minutes on a 1000-grit stone fixes nearly everything in a kitchen drawer.</p>
<p>Colour the very edge with a <strong>marker pen</strong>. Lay the blade flat, lift the spine about the height of two stacked coins, and make one stroke. Look:</p>
<ul><li>ink gone only at the top: you are too flat;</li><li>gone only at the very edge: too steep;</li><li>gone all over: that is your angle, keep it.</li></ul>
<h2>Then</h2>
<ol><li>Work one side from heel to tip until you feel a <em>burr</em>, a tiny hook, along the whole other side.</li><li>Turn over and do the same, counting strokes.</li><li>Finish with single light strokes, changing sides each time.</li></ol>
<p>Test it on a tomato, never on a thumb. And wash the knife before you cook: the grey mud on it is steel.</p>`,
    resource: null,
    picture: 'knife.webp',
    publishedDaysAgo: 240,
    views: 1015,
    likedBy: ['jonas.w', 'oak_and_ash', 'sam_ok', 'ana_k', 'elena', 'vesi', 'mira.s'],
    boughtBy: [],
  },
  {
    owner: 'leila.h',
    language: 'en',
    title: 'Rice that behaves',
    description: 'Fluffy every time: rinse, measure, then leave it alone.',
    video: 'https://www.youtube.com/watch?v=0Has5SM3P5L',
    tags: ['kitchen', 'basics'],
    article: `<p>Sticky rice and burnt rice are the same mistake seen from two ends: somebody kept lifting the lid. Steam does the cooking, and each peek lets it out.</p>
<ol><li><strong>Rinse</strong> a cup of long-grain rice in cold water, four times, until you can see your fingers through it. What you pour off is loose starch, in other words glue.</li><li>Drain well. Add a cup and a half of water and a good pinch of salt.</li><li>Bring to a boil without the lid, stir once, cover, and turn the heat as low as it goes.</li><li><strong>Twelve minutes.</strong> Do not look.</li><li>Take it off the heat and wait ten more, still covered. The wet bottom and the dry top even each other out.</li></ol>
<p>Now lift the lid and loosen with a fork, from the edge in. For two cups use three of water minus a splash: a wide pot does not lose twice as much.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 96,
    views: 388,
    likedBy: ['jonas.w', 'ana_k', 'petar-iliev'],
    boughtBy: [],
  },
  {
    owner: 'leila.h',
    language: 'en',
    title: 'Save a split mayo',
    description: 'What an emulsion is, and how to mend one at the table.',
    video: 'https://www.youtube.com/watch?v=xS-GwDskdzl',
    tags: ['kitchen', 'chemistry', 'sauces'],
    article: `<p>Mayonnaise is oil pretending to be a cream. Millions of droplets float in a spoonful of lemon juice, and lecithin from the yolk sits on each one so that they cannot join. Pour too fast and there are more droplets than lecithin to cover them; they meet, they merge, and you own a bowl of oil.</p>
<h2>The rescue</h2>
<ol><li>Do not add more oil, and do not whisk harder.</li><li>Take a <em>clean</em> bowl and a teaspoon of warm water, or a new yolk if the bowl is large.</li><li>Whisk the broken sauce into it, the first spoonful <strong>drop by drop</strong>.</li><li>Once it turns thick and pale, the rest may go in as a thread.</li></ol>
<p>The same cure works for hollandaise and for a vinaigrette with mustard. Next time have everything at room temperature: cold oil is thick and breaks into drops that are too large.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 58,
    views: 46,
    boughtBy: [],
  },
  {
    owner: 'mira.s',
    language: 'en',
    title: 'Draw what you see',
    description: 'Turn the picture upside down and stop naming things.',
    video: 'https://www.youtube.com/watch?v=Qb0m1JQOq85',
    tags: ['drawing', 'beginners', 'pencil'],
    article: `<p>Nobody draws badly because of the hand. We draw badly because we know too much: the moment you think <em>eye</em>, your pencil makes an almond with a dot in it, whatever is in front of you.</p>
<h2>The exercise</h2>
<p>Take a photograph of a chair and turn it <strong>upside down</strong>. Cover all but the top third with paper. For twenty minutes you may only ask three questions:</p>
<ul><li>Where does this line begin, measured from the edge?</li><li>Which way does it lean, compared with the paper’s side?</li><li>What shape is the <em>gap</em> between these two lines?</li></ul>
<p>Slide the cover down and go on. Do not turn anything round until the end, and do not rub out: put the better line beside the worse one and leave both.</p>
<blockquote>The gaps are never symbols. Nobody has a picture in mind of the air under a chair.</blockquote>`,
    resource: 'https://example.org/drawing/ten-upside-down-photos.zip',
    picture: 'pencil.webp',
    publishedDaysAgo: 388,
    views: 1480,
    likedBy: [
      'leila.h',
      'ana_k',
      'sam_ok',
      'Рада',
      'elena',
      'vesi',
      'ивайло',
      'jonas.w',
      'oak_and_ash',
      'petar-iliev',
      'teo',
    ],
    boughtBy: ['leila.h', 'ana_k'],
  },
  {
    owner: 'mira.s',
    language: 'en',
    title: 'Linocut in an hour',
    description: 'One block, one gouge, and a spoon for a press.',
    opening:
      'You carve away what will stay white. It takes about ten minutes for the hands to believe it, and the first print always surprises somebody.',
    video: 'https://www.youtube.com/watch?v=Kf9AF04XjsR',
    tags: ['printmaking', 'paper', 'craft'],
    article: `<p>A linocut is honest: what you cut away stays white, and there is no undo. That is why the first one should be small, about the size of a playing card.</p>
<ol><li>Draw with a thick marker. Any line you cannot draw with it, you cannot cut either.</li><li>Remember that the print is a <strong>mirror</strong>. Letters go backwards.</li><li>Warm the lino on a radiator until it bends; cold lino crumbles.</li><li>Cut away from the other hand, always, and turn the block instead of the wrist.</li></ol>
<h2>Printing without a press</h2>
<p>Roll out the ink until it whispers. If it sounds like frying it is too thick. Cover the block with two thin coats, lay the paper on it, and rub the back with a <em>wooden spoon</em> in small circles. Lift one corner and look; while the rest holds, you can lay it back and rub more.</p>
<p>Keep the first bad print. In a year it will be the one you like.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 301,
    views: 1057,
    likedBy: ['petar-iliev', 'jonas.w', 'sam_ok', 'ивайло', 'vesi', 'teo', 'Рада'],
    boughtBy: ['petar-iliev'],
  },
  {
    owner: 'mira.s',
    language: 'en',
    title: 'Watercolour skies',
    description: 'Wet paper, three colours and the courage to stop.',
    video: 'https://www.youtube.com/watch?v=rxRBJfszgu5',
    tags: ['watercolour', 'painting', 'sky'],
    article: `<p>A sky takes four minutes to paint and an afternoon to ruin. Everything depends on how wet the paper is, so look at it from the side: you want a <strong>shine without puddles</strong>.</p>
<ol><li>Wet the whole sheet with clean water and a wide brush. Count to thirty.</li><li>Drop ultramarine along the top and tilt the board, so that it runs down and pales by itself.</li><li>Near the horizon use a warm, thin ochre. Leave a gap between the two, or you get green.</li><li>For clouds take colour <em>out</em>: a dry tissue, pressed once and lifted. Grey shadows go under them while it is still damp.</li></ol>
<p>When the shine is gone, your time is over. A brush in half-dry paint pushes water out into a hard cauliflower edge, and nothing will take that back.</p>
<p>Paint six of them on one sheet, with no landscape below. Five are practice. You won’t know beforehand which five.</p>`,
    resource: null,
    picture: 'sky.webp',
    publishedDaysAgo: 187,
    views: 940,
    likedBy: ['Рада', 'vesi', 'leila.h', 'jonas.w', 'oak_and_ash'],
    boughtBy: ['Рада'],
  },
  {
    owner: 'mira.s',
    language: 'en',
    title: 'Hands in five lines',
    description: 'A mitten first, fingers later, nails not at all.',
    video: 'https://www.youtube.com/watch?v=MXjFNhHIlpd',
    tags: ['drawing', 'figure'],
    article: `<p>People hide hands in pockets because they begin with the fingers. Begin with a <strong>mitten</strong>.</p>
<h2>The five lines</h2>
<ol><li>One for the outside, from the wrist to the tip of the little finger.</li><li>One for the inside, from the wrist to where the index finger starts.</li><li>An arc over the tips. The middle finger is its highest point.</li><li>A second arc for the knuckles, halfway between the wrist and that first arc.</li><li>The thumb, as a wedge growing out of the <em>wrist</em>, not of the palm.</li></ol>
<p>Only now divide the mitten, and draw the gaps rather than the fingers. Two or three fingers usually move together; drawn all alike, they turn into a fork.</p>
<p>Use your other hand as the model, ninety seconds a pose, and let it hold something: a cup tells the fingers where to go. Fill a page before you judge any of it.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 70,
    views: 0,
    boughtBy: [],
  },
  {
    owner: 'jonas.w',
    language: 'en',
    title: 'SQL joins, drawn',
    description: 'Two tables, two circles and the rows that fall between.',
    opening:
      'Forget the overlapping circles for a minute. Put two lists on a table, a pencil in your hand, and draw a line wherever a row on the left knows a row on the right. That is all a join ever does.',
    video: 'https://www.youtube.com/watch?v=GvaOIk_IMbh',
    tags: ['sql', 'databases', 'data'],
    article: `<p>A join answers one question: what happens to a row that has <em>no partner</em>? Draw people on the left and orders on the right, and connect them with lines. Everything else follows.</p>
<ul><li><strong>inner</strong>: only what has a line at both ends;</li><li><strong>left</strong>: everybody on the left; those without a line get empty cells;</li><li><strong>full</strong>: nobody is left out;</li><li><strong>cross</strong>: every possible line, whether you want it or not.</li></ul>
<pre><code>select p.name, count(o.id)
from person p
left join orders o on o.person_id = p.id
group by p.id, p.name</code></pre>
<p>Count <code>o.id</code> and not <code>*</code>: the person without orders still has one row, full of nulls, and a star would count it as one.</p>
<p>And if a person has three orders, he appears three times. Joins do not add columns to a row; they make new rows. Most wrong totals start there.</p>`,
    resource: 'https://example.org/sql/joins-on-one-page.pdf',
    picture: 'code.webp',
    publishedDaysAgo: 344,
    views: 1395,
    likedBy: [
      'leila.h',
      'petar-iliev',
      'ивайло',
      'mira.s',
      'oak_and_ash',
      'ana_k',
      'sam_ok',
      'vesi',
      'elena',
      'Рада',
    ],
    boughtBy: ['leila.h', 'petar-iliev'],
  },
  {
    owner: 'jonas.w',
    language: 'en',
    title: 'Git without fear',
    description: 'Almost nothing is ever lost. Here is where it hides.',
    video: 'https://www.youtube.com/watch?v=ZXoPC74H_7J',
    tags: ['git', 'programming', 'tools'],
    article: `<p>A commit is a photograph of the whole folder, with a note and the name of the photograph before it. A branch is a <strong>sticky label</strong> on one of them. Most commands only move labels, which is why so little can go wrong.</p>
<pre><code>git status          what is going on
git switch -c try   a label to play with
git commit          take the photograph
git reflog          everywhere you have been</code></pre>
<p>The last one is the safety net. You “lost” your work after a bad reset or rebase? Find the line from before it in the reflog and put a label there:</p>
<pre><code>git branch rescued abc1234</code></pre>
<p>So the only work you can really lose is the work you have <em>never committed</em>. Commit early, with ugly notes, on a branch of your own, and tidy up before you show it to anybody.</p>
<blockquote>Before any command you don’t trust: commit.</blockquote>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 262,
    views: 1170,
    likedBy: ['ивайло', 'ana_k', 'teo', 'elena', 'Рада', 'sam_ok', 'leila.h', 'petar-iliev'],
    boughtBy: ['ивайло'],
  },
]
