import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REFUSAL_TEXTS as BANGLA } from '#contract/refusals.bn.ts'
import { REFUSAL_TEXTS as ENGLISH } from '#contract/refusals.en.ts'
import { unavailableCoinsText } from '#contract/unavailable-coins.en.ts'

test('the verb follows the number of coins that cannot be withdrawn yet', () => {
  const later = (cause: 'holding' | 'sign_up', coins: number) =>
    unavailableCoinsText({ cause, coins, until: null })
  assert.equal(later('holding', 1), '1 coin was earned recently.')
  assert.equal(later('holding', 2), '2 coins were earned recently.')
  assert.equal(later('sign_up', 1), '1 coin is a starting coin, and can be withdrawn after a purchase.')
  assert.equal(later('sign_up', 2), '2 coins are starting coins, and can be withdrawn after a purchase.')
})

test('less than the minimum cannot be withdrawn, whatever the limit', () => {
  const none = /You cannot withdraw now: your withdrawable coins are below the minimum of 200 coins\./
  const noneInBangla = /আপনি এখন কয়েন তুলতে পারবেন না। কমপক্ষে ২০০টি কয়েন তুলতে হয়/
  const noneToAccount =
    /You cannot withdraw to this account now: its limit leaves less than the minimum of 200 coins\./
  const noneToAccountInBangla = /আপনি এখন এই অ্যাকাউন্টে কয়েন তুলতে পারবেন না/
  const later = [{ cause: 'sign_up' as const, coins: 250, until: null }]
  for (const coins of [0, 199, 200]) {
    for (const [texts, text, textOfAccount] of [
      [ENGLISH, none, noneToAccount],
      [BANGLA, noneInBangla, noneToAccountInBangla],
    ] as const) {
      for (const message of [texts.holding_time({ coins }), texts.payout_limit({ coins, later })])
        assert.equal(text.test(message), coins < 200, message)
      const message = texts['payout_limit.first_payout']({ coins, limit: 1500 })
      assert.equal(textOfAccount.test(message), coins < 200, message)
    }
  }
  assert.match(ENGLISH.payout_limit({ coins: 199, later }), /250 coins are starting coins/)
  assert.match(ENGLISH.holding_time({ coins: 200 }), /You can withdraw 200 coins now\./)
  assert.match(BANGLA.holding_time({ coins: 200 }), /আপনি এখন ২০০টি কয়েন তুলতে পারবেন।/)
})
