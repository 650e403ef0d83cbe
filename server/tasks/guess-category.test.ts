import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessCategory } from '#contract/guess-category.ts'
import type { TaskCategory } from '#contract/task-categories.ts'
import { TASK_CATEGORIES } from '#contract/task-category-ids.ts'

const TITLES: [title: string, category: TaskCategory][] = [
  ['Translate a menu into Bangla', 'translation'],
  ['একটি মেনু অনুবাদ করুন', 'translation'],
  ['Transcribe a two-minute voice note', 'transcription'],
  ['Label 50 pictures of birds', 'labeling'],
  ['Short survey about mobile banking', 'survey'],
  ['Test our sign-up on an old phone', 'testing'],
  ['Share our post on Facebook', 'social_media'],
  ['Check 20 prices at the shop next door', 'local'],
  ['Record a video of your street', 'photo_video'],
  ['Write about a shop', 'writing'],
  ['Take a photo of a bus ticket', 'photo_video'],
  ['Draw a logo', 'design'],
  ['WRITE 5 product descriptions', 'writing'],
  ['Data-entry: 40 business cards', 'data_entry'],
  ['Find 30 e-mail addresses of schools', 'research'],
  ['লোগো ডিজাইন করুন', 'design'],
  ['আমাদের ফেসবুক পেজ ফলো করুন', 'social_media'],
  ['দাম সংগ্রহ করুন', 'research'],
  ['Help', 'other'],
  ['', 'other'],
]

for (const [title, category] of TITLES) {
  test(`"${title}" is ${category}`, () => assert.equal(guessCategory(title, ''), category))
}

test('the title decides before the details', () => {
  assert.equal(guessCategory('A menu', 'Translate it, then write a summary.'), 'translation')
  assert.equal(guessCategory('Write a summary', 'Of a translation.'), 'writing')
})

test('a word within another one does not count', () => {
  assert.equal(guessCategory('The latest protest', ''), 'other')
})

test('every category but other has a title that suggests it', () => {
  const suggested = new Set(TITLES.map(([title]) => guessCategory(title, '')))
  assert.deepEqual(
    TASK_CATEGORIES.filter((category) => !suggested.has(category)),
    [],
  )
})

test('a long text is guessed in time that does not grow with it', () => {
  assert.equal(guessCategory('Help', `${'x '.repeat(1_000_000)} translate`), 'other')
})
