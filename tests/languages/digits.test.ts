import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatNumber as inBangla } from '#contract/amounts.bn.ts'
import { formatNumber } from '#contract/amounts.en.ts'
import { destinationNumberOf } from '#contract/destinations.ts'
import { latinDigits } from '#contract/digits.ts'
import { Rate } from '#contract/exchange-rates.ts'
import { EnterCode } from '#contract/second-factor.ts'
import { Paging } from '#contract/shapes.ts'
import { TaskFilter } from '#contract/tasks.ts'
import { parseAmount } from '#server/payouts/files/statement-lines.ts'

const banglaDigits = (text: string) => text.replace(/\d/g, (digit) => '০১২৩৪৫৬৭৮৯'.charAt(Number(digit)))

test('a number in Bangla digits is the same number in Latin digits', () => {
  fc.assert(
    fc.property(fc.nat(10 ** 12), (number) => {
      assert.equal(latinDigits(inBangla(number)), formatNumber(number))
      assert.equal(Number(latinDigits(banglaDigits(String(number)))), number)
    }),
    { seed: 1 },
  )
})

test('other characters stay, and a converted text converts to itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const latin = latinDigits(text)
      assert.equal(latin.length, text.length)
      assert.equal(latinDigits(latin), latin)
      assert.equal(latin.replace(/\d/g, ''), text.replace(/[\d০-৯]/g, ''))
    }),
    { seed: 1 },
  )
})

test('every text that holds a number accepts both', () => {
  const number = fc.integer({ min: 1, max: 900 }).map(String)
  fc.assert(
    fc.property(number, (latin) => {
      const bangla = banglaDigits(latin)
      for (const [parse, input] of [
        [(text: string) => Paging.parse({ limit: text }), latin],
        [(text: string) => TaskFilter.parse({ pay_min: text }), latin],
        [(text: string) => Rate.parse(text), `${latin}.5`],
        [(text: string) => EnterCode.parse({ code: text }), latin.padStart(6, '0')],
        [(text: string) => parseAmount(text), `1,${latin.padStart(3, '0')}.50`],
        [(text: string) => destinationNumberOf('Bkash', text), `01712345${latin.padStart(3, '0')}`],
        [(text: string) => destinationNumberOf('Bank', text), `1234567${latin.padStart(3, '0')}`],
      ] as const)
        assert.deepEqual(parse(banglaDigits(input)), parse(input), `${bangla} ${input}`)
    }),
    { seed: 1 },
  )
})
