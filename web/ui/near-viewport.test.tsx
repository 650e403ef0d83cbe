import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act, screen } from '@testing-library/react'
import { render } from '#web/testing/app.tsx'
import { NearViewport } from './near-viewport.tsx'

test('content below the fold is rendered when it comes into view', (context) => {
  const observers: (() => void)[] = []
  class Observer {
    constructor(callback: IntersectionObserverCallback) {
      observers.push(() => callback([{ isIntersecting: true } as IntersectionObserverEntry], this as never))
    }
    observe(): void {}
    disconnect(): void {}
  }
  const { IntersectionObserver } = globalThis
  context.after(() => Object.assign(globalThis, { IntersectionObserver }))
  Object.assign(globalThis, { IntersectionObserver: Observer })
  render(
    <NearViewport height={300}>
      <p>Charts</p>
    </NearViewport>,
  )
  assert.equal(screen.queryByText('Charts'), null)
  act(() => observers[0]?.())
  assert.ok(screen.getByText('Charts'))
})
