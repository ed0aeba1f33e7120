import type { DemoLesson } from './types.ts'

export const lessonsEn3: DemoLesson[] = [
  {
    owner: 'mira.s',
    language: 'en',
    title: 'Mix any green',
    description: 'Throw out the tube marked green; two others do it better.',
    video: 'https://www.youtube.com/watch?v=mGr33nTub3A',
    tags: ['colour', 'painting', 'watercolour'],
    article: `<p>Green from a tube looks like a plastic lawn. Real leaves are never that clean, so mix your own and let each patch differ a little.</p>
<h2>Three families</h2>
<ul><li><strong>Cool and bright:</strong> lemon yellow with a little phthalo blue. Young leaves, backlit.</li><li><strong>Warm and quiet:</strong> yellow ochre with ultramarine. Olive trees, August grass.</li><li><strong>Nearly black:</strong> ultramarine, burnt sienna and a breath of yellow. Firs, the inside of a hedge.</li></ul>
<p>Always start from the yellow and carry blue to it on the tip of the brush: blue is the stronger one and a pea of it swallows a spoonful. If the result shouts, touch it with its opposite, <em>a dot of red</em>, and it calms down at once.</p>
<p>Paint a chart: yellows down the side, blues along the top, every crossing a small square. It takes one rainy hour and hangs over my desk since school.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 133,
    views: 812,
    likedBy: ['leila.h', 'elena', 'oak_and_ash', 'ana_k'],
    boughtBy: ['leila.h'],
  },
  {
    owner: 'mira.s',
    language: 'en',
    title: 'A page every day',
    description: 'How a sketchbook survives the second week of January.',
    video: 'https://www.youtube.com/watch?v=sk3tchD4ily',
    tags: ['drawing', 'habit', 'sketchbook'],
    article: `<p>Most sketchbooks die on page nine, of a bad drawing that their owner could not bear to look at. The cure is to make a page so cheap that it can’t fail.</p>
<ol><li>Buy the smallest book you can stand, with paper you are not afraid of.</li><li>Date the page <strong>before</strong> you draw. A dated empty page nags politely.</li><li>Set a timer for seven minutes and stop when it rings, in the middle of a line if need be.</li><li>Draw what is already in front of you: keys, a cup, the person asleep on the tram.</li></ol>
<p>Never tear a page out. The poor ones are the record; leafing back in May you will see the month when hands stopped looking like rakes.</p>
<blockquote>If you miss a day, draw the next one. You owe the book nothing.</blockquote>`,
    resource: 'https://example.org/sketchbook/prompts.pdf',
    picture: null,
    publishedDaysAgo: 52,
    views: 274,
    likedBy: ['teo', 'leila.h'],
    boughtBy: [],
  },
  {
    owner: 'jonas.w',
    language: 'en',
    title: 'Tidy a spreadsheet',
    description: 'One row per thing, one column per fact, no merged cells.',
    video: 'https://www.youtube.com/watch?v=t1dySh33tQw',
    tags: ['data', 'spreadsheets', 'basics'],
    article: `<p>Every hour of “cleaning” later is paid for with a minute of carelessness now. A sheet that a machine can read follows three rules, and people can read it too.</p>
<ol><li><strong>A row is one thing</strong>: one sale, one measurement, one person on one day.</li><li><strong>A column is one fact</strong> about it, named in the first row and nowhere else.</li><li><strong>A cell is one value.</strong> “12 kg (est.)” is three: number, unit, doubt.</li></ol>
<p>So no merged cells, no totals between the rows, no colour that means something. If red means late, add a column that says <code>late</code>.</p>
<p>Write dates as <code>2026-03-09</code>; every other way is read differently somewhere. Leave unknown values empty: a zero is an answer, and yours is a question.</p>
<p>Then freeze the first row, switch the filter on, and enjoy how dull it looks.</p>`,
    resource: 'https://example.org/data/before-after.csv',
    picture: null,
    publishedDaysAgo: 171,
    views: 1012,
    likedBy: ['petar-iliev', 'elena', 'teo', 'oak_and_ash', 'ивайло', 'sam_ok', 'Рада'],
    boughtBy: ['petar-iliev'],
  },
  {
    owner: 'jonas.w',
    language: 'en',
    title: 'Charts that answer',
    description: 'Pick the question first and the chart picks itself.',
    opening:
      'Nobody has ever needed a chart. They needed an answer, and somebody gave them forty bars instead.',
    video: 'https://www.youtube.com/watch?v=ch4rtAnsw3r',
    tags: ['data', 'charts'],
    article: `<p>Nobody has ever asked for a chart. They asked <em>which</em>, <em>since when</em> or <em>how much of it</em>, and each of these has one good picture.</p>
<ul><li><strong>Which is bigger?</strong> Horizontal bars, sorted, beginning at zero.</li><li><strong>Since when?</strong> A line, time from left to right, few lines at once.</li><li><strong>Do these two go together?</strong> Dots, one per thing, both axes named.</li><li><strong>How much of the whole?</strong> One stacked bar. A pie only for two slices.</li></ul>
<p>Write the answer as the title: “Rents doubled in nine years”, not “Rents 2014–2023”. If you can’t write that sentence, the chart has no point yet, and no colour will give it one.</p>
<p>Last, take away: the frame, the legend (write beside the line), every second number. Stop when removing one more thing would hurt.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 36,
    views: 198,
    likedBy: ['Рада', 'mira.s'],
    boughtBy: [],
  },
  {
    owner: 'sam_ok',
    language: 'en',
    title: 'Read the clouds',
    description: 'Six hours of weather warning, free, above your head.',
    video: 'https://www.youtube.com/watch?v=cl0udsR3ad1',
    tags: ['weather', 'outdoors', 'hiking'],
    article: `<p>The forecast was made for the valley this morning. The clouds are made for where you stand, now.</p>
<h2>The slow warning</h2>
<p>Thin hooks of ice come first, high up. Then a milky veil with a ring round the sun, then a grey sheet that makes shadows soft. That order, over half a day, is a warm front walking in: rain by evening, and hours of it.</p>
<h2>The fast one</h2>
<p>Small cotton heaps before noon are fine. When they grow <strong>taller than they are wide</strong> by eleven, turn round early; when a top goes fuzzy and spreads like an anvil, you are late. Leave ridges, lone trees and wire fences.</p>
<ul><li>Flash to thunder under 30 seconds: it can reach you.</li><li>Wait half an hour after the last one.</li></ul>
<p>A cap of cloud sitting still on a peak means strong wind up there, however calm your lunch is.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 138,
    views: 903,
    likedBy: ['teo', 'ивайло', 'elena', 'oak_and_ash', 'Рада'],
    boughtBy: ['teo'],
  },
  {
    owner: 'sam_ok',
    language: 'en',
    title: 'A tarp for the night',
    description: 'Three pitches that stay up, with two poles and six pegs.',
    video: 'https://www.youtube.com/watch?v=t4rpN1ghtZz',
    tags: ['camping', 'outdoors', 'shelter'],
    article: `<p>A tarp weighs as much as a jacket and teaches more than a tent. Three by three metres is enough for two people who like each other.</p>
<ol><li><strong>A-frame.</strong> A line between two trees at hip height, the cloth over it, corners pegged low. Rain from anywhere.</li><li><strong>Lean-to.</strong> One edge high, one on the ground, back to the wind. Best with a fire, worst when the wind turns.</li><li><strong>Half pyramid.</strong> One pole, three corners down, the door away from the weather. For above the tree line.</li></ol>
<p>Choose the ground before the view: a slight slope, no hollow, nothing dead overhead. Kneel and feel for the stone you will otherwise find at two in the morning.</p>
<p>Tie with a <em>taut-line hitch</em> so that you can tighten at midnight without getting up: wet nylon stretches, it always does.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 63,
    views: 341,
    likedBy: ['leila.h', 'Рада', 'jonas.w'],
    boughtBy: [],
  },
  {
    owner: 'sam_ok',
    language: 'en',
    title: 'Water you can drink',
    description: 'Boil, filter or drops: what each removes and what it can’t.',
    video: 'https://www.youtube.com/watch?v=wat3rDr1nkQ',
    tags: ['outdoors', 'safety', 'hiking'],
    article: `<p>Clear water is only water you can see through. What makes people ill is small, and comes from a sheep round the corner that you will never meet.</p>
<ul><li><strong>Boiling</strong> kills everything alive. A rolling boil is enough; three minutes above 2,000 metres.</li><li><strong>A filter</strong> of 0.1 µm stops bacteria and parasites at once, not viruses. If it has frozen once, it is finished, though it looks the same.</li><li><strong>Chlorine dioxide drops</strong> take thirty minutes in clear water, hours in cold or cloudy.</li></ul>
<p>None of them takes out farm chemicals or metals, so walk past ponds under fields and streams below old mines. Fill up <em>above</em> the path, the hut and the cows.</p>
<p>Let muddy water stand in a bag overnight and pour off the top. And keep one bottle for dirty, one for clean; mark them so that a tired person can tell.</p>`,
    resource: null,
    picture: null,
    publishedDaysAgo: 21,
    views: 87,
    likedBy: ['oak_and_ash'],
    boughtBy: [],
  },
]
