import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { screen } from '@testing-library/react'
import { OPERATOR_SETTINGS, type OperatorSetting, operatorSettings } from '#contract/operator-settings.ts'
import { openApp, server } from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'

const { ResizeObserver } = globalThis
let scrolledTo: string[] = []
/** What the browser calls for each observed element when it is shown. */
let shown = new Map<Element, () => void>()

beforeEach(() => {
  scrolledTo = []
  shown = new Map()
  class Observer {
    readonly #callback: () => void
    constructor(callback: () => void) {
      this.#callback = callback
    }
    observe(element: Element): void {
      shown.set(element, this.#callback)
    }
    unobserve(): void {}
    disconnect(): void {}
  }
  Object.assign(globalThis, { ResizeObserver: Observer })
  Element.prototype.scrollIntoView = function scrollIntoView() {
    scrolledTo.push(this.id)
  }
})

afterEach(() => {
  Object.assign(globalThis, { ResizeObserver })
  scrollTo(0, 0)
  Reflect.deleteProperty(Element.prototype, 'scrollIntoView')
})

const show = (id: string) => shown.get(document.getElementById(id) as Element)?.()

async function openSettings(fragment: string): Promise<void> {
  const settings = Object.entries(OPERATOR_SETTINGS).map(([name, setting]) => ({
    name: name as OperatorSetting['name'],
    version: 1,
    value: setting.default as OperatorSetting['value'],
    changes: [],
    proposal: null,
  }))
  server.serve(operatorSettings, settings)
  await openApp(`/dashboard/settings${fragment}`, { as: aUser('Admin') })
  await screen.findByRole('form', { name: 'Coin packages' })
}

test('a link to a setting scrolls to it when the settings have arrived', async () => {
  await openSettings('#payout_rules')
  show('seller')
  assert.deepEqual(scrolledTo, [])
  show('payout_rules')
  assert.deepEqual(scrolledTo, ['payout_rules'])
})

test('settings that were scrolled meanwhile stay where they are', async () => {
  await openSettings('#payout_rules')
  scrollTo(0, 300)
  show('payout_rules')
  assert.deepEqual(scrolledTo, [])
})

test("a link to the worker's languages scrolls to them when they are shown", async () => {
  await openApp('/dashboard#languages', { as: aUser('Worker') })
  await screen.findByRole('region', { name: 'Languages and qualifications' })
  show('languages')
  assert.deepEqual(scrolledTo, ['languages'])
})
