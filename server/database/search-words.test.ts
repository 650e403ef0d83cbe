import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { hasNoWord, searchWords, wordsOf } from './search-words.ts'

describe('the words of a search', () => {
  const db = useDatabase()

  async function isFound(q: string, stored: string): Promise<boolean> {
    const { rows } = await db.database.pool.query<{ found: boolean }>(
      `select to_tsvector('simple', $1) @@ to_tsquery('simple', $2) as found`,
      [stored, searchWords(q)],
    )
    return rows[0]?.found === true
  }

  test('are found in a text of the same characters, whichever code points it has', async () => {
    for (const spellings of [
      ['সম\u09df', 'সম\u09af\u09bc'],
      ['বা\u09dcি', 'বা\u09a1\u09bcি'],
      ['মূ\u09dd', 'মূ\u09a2\u09bc'],
      ['ন\u09cb\u09df', 'ন\u09cb\u09af\u09bc', 'ন\u09c7\u09be\u09af\u09bc'],
      ['caf\u00e9', 'cafe\u0301'],
      ['র\u200d\u09cd\u09afাম'],
      ['শ\u09be\u0995\u09cd\u200cসবজি'],
    ])
      for (const q of spellings)
        for (const stored of spellings) {
          assert.ok(await isFound(q, `আগে ${stored} পরে`), `${q} in ${stored}`)
          assert.ok(await isFound(`পরে ${q}`, `${stored}xyz পরে`), `${q} as a prefix in ${stored}`)
          assert.equal(await isFound(`${q} নেই`, stored), false)
        }
  })

  test('are found as they are typed where the text has both forms of a letter in one word', async () => {
    const mixed = 'পা\u09dcা\u09af\u09bc ন\u09c7\u09be\u09df'
    assert.ok(await isFound(mixed, mixed))
  })

  test('are found in quotation marks, in any locale of the database', async () => {
    for (const stored of [
      'Name the “river Padma” twice',
      'Name the ‘river Padma’',
      '„river“',
      '«river»',
      '(“river”)',
    ])
      assert.ok(await isFound('river', stored), stored)
    assert.ok(await isFound('সময়', 'লিখুন ‘সময়’ কত'))
    assert.equal(await isFound('river', 'a “driver”'), false)
  })

  test('have joiners inside them only, and are at most eight', () => {
    assert.deepEqual(wordsOf('\u200dকাজ\u200c, র\u200d\u09cd\u09afাম \u200e(a\u00adb)\ufeff'), [
      'কাজ',
      'র\u200d\u09cd\u09afাম',
      'a\u00adb',
    ])
    assert.ok(hasNoWord('\u200d\u200c'))
    assert.equal(wordsOf('ক\u09df '.repeat(20)).length, 8)
  })
})
