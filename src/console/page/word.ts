import * as v from 'valibot';
import { definePage } from '../page.ts';
import { html } from '../part/html.ts';
import { onTap } from '../part/on-tap.ts';
import { wordSections } from '../part/word/word-list.ts';

const wordField = v.object({ id: v.string(), word: v.string(), meaning: v.string(), example: v.string() });

/** The words of all pages, explained for someone who meets them for the first time. */
export const wordPage = definePage({
  path: '/words',
  title: 'Words',
  summary: 'What the words of these pages mean, each with an example in numbers.',
  reads: [],
  query: v.object({}),
  answer: v.object({ sections: v.array(v.object({ title: v.string(), words: v.array(wordField) })) }),
  read: () => ({
    sections: wordSections.map(({ title, words }) => ({ title, words: words.map(each => ({ ...each })) })),
  }),
  draw: ({
    sections,
  }) => html`<p>What the words of these pages mean. Words that are underlined with dots lead here.</p>
${sections.map(
  ({ title, words }) => html`<h2>${title}</h2>
${onTap(
  words.map(({ word }) => word).join(', '),
  html`<dl class="words">${words.map(({ id, word, meaning, example }) => html`<dt id=${id}><dfn>${word}</dfn></dt><dd>${meaning}<p class="detail">For example: ${example}</p></dd>`)}</dl>`,
)}`,
)}`,
});
