import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { Suspense, useState } from 'react'
import { ContactForm as rules, sendContact } from '#contract/contact.ts'
import { isDay } from '#contract/shapes.ts'
import ContactForm from '#web/features/landing/contact-form.tsx'
import { loadChunk, loadChunkWithRetry } from '#web/lib/chunk-loading.ts'
import { prefetchOnIntent, prefetchRoute } from '#web/lib/prefetch.ts'
import {
  expectGone,
  field,
  fill,
  render,
  server,
  setOnline,
  setWidth,
  until,
  user,
} from '#web/testing/app.tsx'
import { anId } from '#web/testing/records.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ChunkedGrid } from '#web/ui/chunked-grid.tsx'
import { DayInput } from '#web/ui/day-input.tsx'
import { DialogHost } from '#web/ui/dialogs.tsx'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { ResponsiveList } from '#web/ui/responsive-list.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import { UserText } from '#web/ui/user-text.tsx'

const Loaded = { default: () => <p>The chart</p> }

test('a part whose code did not load is loaded again when it is asked for', async () => {
  let attempts = 0
  const Part = lazyComponent(async () => {
    if (++attempts === 1) throw new TypeError('Failed to fetch')
    return Loaded
  })
  render(
    <Suspense>
      <Part />
    </Suspense>,
  )
  const alert = await screen.findByRole('alert')
  await user.click(alert.querySelector('button') as HTMLElement)
  await screen.findByText('The chart')
})

test('a part whose code did not load loads automatically when the network is back', async () => {
  setOnline(false)
  const Part = lazyComponent(async () => {
    if (!navigator.onLine) throw new TypeError('Failed to fetch')
    return Loaded
  })
  render(
    <Suspense>
      <Part />
    </Suspense>,
  )
  await screen.findByRole('alert')
  setOnline(true)
  await screen.findByText('The chart')
})

test('code that failed to load can be loaded later', async () => {
  let attempts = 0
  const load = async () => {
    if (++attempts === 1) throw new TypeError('Failed to fetch')
    return 'code'
  }
  await assert.rejects(loadChunk(load))
  assert.equal(await loadChunk(load), 'code')
})

test('code that nobody waits for is tried again after a while', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let attempts = 0
  const loaded = loadChunkWithRetry(async () => {
    if (++attempts < 3) throw new TypeError('Failed to fetch')
    return 'code'
  })
  for (const ms of [2_000, 4_000]) {
    await new Promise(setImmediate)
    context.mock.timers.tick(ms)
  }
  assert.equal(await loaded, 'code')
  assert.equal(attempts, 3)
})

function Search() {
  const [words, find] = useSearchQuery()
  return (
    <>
      <SearchInput label="Search" value={words} onChange={find} />
      <p>Searching for {words}</p>
    </>
  )
}

test('the typed text becomes the search', async () => {
  const router = render(<Search />)
  await user.type(await screen.findByRole('searchbox'), ' voice ')
  await screen.findByText('Searching for voice')
  assert.equal(router.state.location.search, '?q=voice')
})

test('Tab and Enter search at once', async (context) => {
  const router = render(<Search />)
  const field = await screen.findByRole('searchbox')
  context.mock.timers.enable({ apis: ['setTimeout'] })
  fireEvent.change(field, { target: { value: 'voice' } })
  fireEvent.keyDown(field, { key: 'Tab' })
  assert.equal(router.state.location.search, '?q=voice')
  fireEvent.change(field, { target: { value: 'text' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  assert.equal(router.state.location.search, '?q=text')
})

test('the search field follows the address', async () => {
  const router = render(<Search />, '/?q=voice')
  await screen.findByText('Searching for voice')
  await router.navigate('/?q=text')
  await until(() => assert.equal((screen.getByRole('searchbox') as HTMLInputElement).value, 'text'))
})

test('a search begins the list from its first page', async () => {
  const router = render(<Search />, '/?q=voice')
  await user.clear(await screen.findByRole('searchbox'))
  await until(() => assert.equal(router.state.location.search, ''))
})

const letter = (name: string) => <button type="button">{name}</button>
function Letters() {
  const [rows, setRows] = useState(['b', 'c'])
  return (
    <>
      <ChunkedGrid label="Letters" rows={rows} rowKey={String} renderCard={letter} columns="" />
      <input aria-label="Add" onChange={() => setRows(['a', ...rows])} />
    </>
  )
}

test('a new first row leaves the focus where it is', async () => {
  render(<Letters />)
  const c = await screen.findByRole('button', { name: 'c' })
  c.focus()
  fireEvent.change(screen.getByLabelText('Add'), { target: { value: '1' } })
  await screen.findByRole('button', { name: 'a' })
  assert.ok(document.activeElement === c)
})

test('a list of more than a chunk keeps its order', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => `row ${index}`)
  render(<ChunkedGrid label="Rows" rows={rows} rowKey={(row) => row} renderCard={(row) => row} columns="" />)
  const items = await screen.findAllByRole('listitem')
  assert.deepEqual(
    items.map((item) => item.textContent),
    rows,
  )
})

test('a list is a table where there is room and cards where there is none', async () => {
  const list = (
    <ResponsiveList
      label="People"
      rows={['Rafi']}
      rowKey={(name) => name}
      columns={[{ header: 'Name', cell: (name) => name }]}
      renderCard={(name) => <p>Card of {name}</p>}
    />
  )
  render(list)
  await screen.findByRole('table', { name: 'People' })
  cleanup()
  setWidth(390)
  render(list)
  await screen.findByText('Card of Rafi')
  expectGone(screen.queryByRole('table'))
})

test('a picture that does not load is replaced by initials', async () => {
  render(<Avatar name="Ayesha Rahman" image="/gone.webp" />)
  await until(() => assert.ok(document.querySelector('img')))
  fireEvent.error(document.querySelector('img') as HTMLElement)
  await until(() => assert.ok(document.querySelector('[data-initials="AR"]')))
})

test('a picture of another site is loaded through this one', async () => {
  render(<Avatar name="Ayesha Rahman" image="https://i.example.com/a b.png?x=1&y=2" />)
  await until(() => {
    const source = document.querySelector('img')?.getAttribute('src')
    assert.equal(source, '/images/foreign?url=https%3A%2F%2Fi.example.com%2Fa%20b.png%3Fx%3D1%26y%3D2')
  })
})

test('a picture of this site is loaded directly', async () => {
  render(<Avatar name="Ayesha Rahman" image={`${location.origin}/images/a.webp`} />)
  await until(() =>
    assert.equal(document.querySelector('img')?.getAttribute('src'), `${location.origin}/images/a.webp`),
  )
})

test('initials are whole letters of any script', async () => {
  render(<Avatar name="আয়েশা রহমান" />)
  await until(() => {
    assert.equal(document.querySelector('[data-initials]')?.getAttribute('data-initials'), 'আর')
  })
})

function manifest() {
  window.__reactRouterManifest = {
    routes: {
      root: { module: '/assets/root.js' },
      task: { parentId: 'root', path: 'dashboard/task/:id', module: '/assets/task.js', css: ['/task.css'] },
    },
  }
}
const hints = () => [...document.head.querySelectorAll('link')].map((link) => link.getAttribute('href'))

test('prefetching a route fetches its code, its styles and those of its parents, once', () => {
  manifest()
  prefetchRoute('/dashboard/task/7')
  prefetchRoute('/dashboard/task/8')
  assert.deepEqual(hints(), ['/assets/task.js', '/task.css', '/assets/root.js'])
})

test('an unknown route prefetches nothing', () => {
  manifest()
  prefetchRoute('/elsewhere')
  assert.deepEqual(hints(), [])
})

test('pointing at a link prefetches its route, until it is stopped', () => {
  manifest()
  const stop = prefetchOnIntent()
  const link = document.body.appendChild(document.createElement('a'))
  link.href = '/dashboard/task/7'
  fireEvent.pointerOver(link)
  assert.equal(hints().length, 3)
  document.head.replaceChildren()
  stop()
  fireEvent.pointerOver(link)
  assert.deepEqual(hints(), [])
  link.remove()
})

test('a message to the operators is sent once it is complete, and the form is empty again', async () => {
  server.serve(sendContact, { acknowledged: true, insertedId: anId() })
  render(
    <>
      <ContactForm />
      <DialogHost />
    </>,
  )
  const send = () => user.click(document.querySelector('button[type=submit]') as HTMLElement)
  await screen.findByLabelText(/^subject/i)
  await send()
  await screen.findByText('Subject is required')
  await screen.findByText('Message is required')
  assert.equal(server.received(sendContact).length, 0)
  const message = { name: 'Sadia', email: 'sadia@example.com', subject: 'Hello', message: 'How do I begin?' }
  await fill(field(/name/i), message.name)
  await fill(field(/^email/i), message.email)
  await fill(field(/^subject/i), message.subject)
  await fill(field(/^message/i), message.message)
  await send()
  await screen.findByRole('dialog')
  assert.deepEqual(server.received(sendContact)[0]?.body, rules.parse(message))
  assert.equal((field(/^subject/i) as HTMLInputElement).value, '')
})

function DayFilter({ received }: { received: string[] }) {
  const [day, setDay] = useState('')
  const change = (value: string) => {
    received.push(value)
    setDay(isDay(value) ? value : '')
  }
  return (
    <>
      <DayInput label="From" value={day} onChange={change} />
      <button type="button" onClick={() => setDay('2026-01-15')}>
        This month
      </button>
    </>
  )
}

test('a day stays in its field while its year is typed, and is reported when it is complete', async () => {
  const received: string[] = []
  render(<DayFilter received={received} />)
  const input = field('From') as HTMLInputElement
  for (const value of ['0002-11-05', '0020-11-05', '0202-11-05', '2026-11-05']) {
    fireEvent.change(input, { target: { value } })
    assert.equal(input.value, value)
  }
  assert.deepEqual(received, ['2026-11-05'])
  await user.click(screen.getByText('This month'))
  assert.equal(input.value, '2026-01-15')
  fireEvent.change(input, { target: { value: '' } })
  assert.deepEqual(received, ['2026-11-05', ''])
})

test('a link in the text of a user ends before the punctuation, also in Bangla', () => {
  render(<UserText>{'See https://a.example/x. দেখুন https://b.example/y। শেষ https://c.example/z॥'}</UserText>)
  assert.deepEqual(
    screen.getAllByRole<HTMLAnchorElement>('link').map(({ href }) => href),
    ['https://a.example/x', 'https://b.example/y', 'https://c.example/z'],
  )
})

test('a dated download has the day of the user, not that of UTC', async (context) => {
  const dhaka = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Asia/Dhaka' }).format
  context.mock.getter(Intl.DateTimeFormat.prototype, 'format', () => dhaka)
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-27T20:00:00Z') })
  const names: string[] = []
  context.mock.method(HTMLAnchorElement.prototype, 'click', function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  render(
    <DownloadButton
      label="Download CSV"
      fileName="payments.csv"
      isDated
      load={async () => new Blob(['Date'])}
      failure="Could not download the payments"
    />,
  )
  await user.click(screen.getByRole('button', { name: 'Download CSV' }))
  await until(() => assert.deepEqual(names, ['payments-2026-11-28.csv']))
})
