import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fireEvent, screen } from '@testing-library/react'
import { allUsers } from '#contract/users.ts'
import { useSearchParams, withParam } from '#web/lib/search-params.ts'
import { button, field, openApp, render, server, until } from '#web/testing/app.tsx'
import { aPublicUser } from '#web/testing/records.ts'

function Filters() {
  const [params, setParams] = useSearchParams()
  const set = (name: string, value: string) => setParams((current) => withParam(current, name, value))
  return (
    <>
      <p>{params.toString()}</p>
      <button
        type="button"
        onClick={() => {
          set('role', 'Worker')
          set('flag', 'frozen')
        }}
      >
        Both
      </button>
      <button type="button" onClick={() => set('role', '')}>
        Every role
      </button>
    </>
  )
}

test('of two parameters that are set before the next render, none is lost', async () => {
  render(<Filters />, '/?q=rafi')
  button('Both').click()
  await screen.findByText('q=rafi&role=Worker&flag=frozen')
  button('Every role').click()
  await screen.findByText('q=rafi&flag=frozen')
})

test('a filter that was set before a screen was left does not return with the screen', async () => {
  const router = render(<Filters />, '/?q=rafi')
  button('Both').click()
  await screen.findByText('q=rafi&role=Worker&flag=frozen')
  void router.navigate('/?q=asha')
  await screen.findByText('q=asha')
  button('Both').click()
  await screen.findByText('q=asha&role=Worker&flag=frozen')
})

test('a role that is chosen while the search waits for the next letter is kept', async () => {
  server.serveList(allUsers, [aPublicUser({ name: 'Asha' })])
  await openApp('/all-worker')
  await screen.findByText('Asha')
  fireEvent.change(field('Search by name or email'), { target: { value: 'ash' } })
  fireEvent.change(field('Role'), { target: { value: 'Worker' } })
  await until(() => {
    const { q, role } = server.received(allUsers).at(-1)?.query ?? {}
    assert.deepEqual({ q, role }, { q: 'ash', role: 'Worker' })
  })
})
