import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailableCoinsText } from '#contract/unavailable-coins.en.ts'

test('the verb follows the number of coins that cannot be withdrawn yet', () => {
  const later = (cause: 'holding' | 'sign_up', coins: number) =>
    unavailableCoinsText({ cause, coins, until: null })
  assert.equal(later('holding', 1), '1 coin was earned recently.')
  assert.equal(later('holding', 2), '2 coins were earned recently.')
  assert.equal(later('sign_up', 1), '1 coin is a starting coin, and can be withdrawn after a purchase.')
  assert.equal(later('sign_up', 2), '2 coins are starting coins, and can be withdrawn after a purchase.')
})
