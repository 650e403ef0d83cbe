import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { cleanup, screen, within } from '@testing-library/react'
import * as z from 'zod/mini'
import { sendContact } from '#contract/contact.ts'
import { RoleChoice } from '#web/features/auth/role-choice.tsx'
import { askForSecondAttempt } from '#web/features/coins/second-attempt.tsx'
import ContactForm from '#web/features/landing/contact-form.tsx'
import { PictureField } from '#web/features/users/picture-field.tsx'
import { ApiError } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { switchLanguage, takeTransferredPictures, typedValues } from '#web/lib/form-transfer.ts'
import { prepareLanguageSwitch, TRANSFER_KEY } from '#web/lib/language-switch.ts'
import { transferPictures } from '#web/lib/picture-transfer.ts'
import { onSecondAttempt } from '#web/lib/second-attempt.ts'
import { useTransferredState } from '#web/lib/use-transferred-state.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  prerender,
  render,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { DialogHost } from '#web/ui/dialogs.tsx'

const textIn = (name: RegExp) => (field(name) as HTMLInputElement).value
const formElement = () => document.querySelector('form') as HTMLFormElement

function Choice() {
  const form = useForm({
    schema: z.object({ role: z.string() }),
    postsTo: { path: '/choice' },
    initialValues: { role: '' },
    submit: async () => {},
  })
  return (
    <form {...form.props}>
      <RoleChoice {...form.field('role')} />
      <output>{form.values.role}</output>
    </form>
  )
}

test('a prerendered form posts to an endpoint, and the browser validates it', () => {
  prerender(<ContactForm />)
  const form = formElement()
  assert.equal(form.getAttribute('method'), 'post')
  assert.equal(form.getAttribute('action'), '/forms/contact')
  assert.equal(form.hasAttribute('novalidate'), false)
  assert.equal(form.querySelectorAll('[required]').length, 4)
})

test('what was typed before hydration stays, with the focus, and is sent', async () => {
  server.serve(sendContact, () => ({ acknowledged: true, insertedId: randomUUID() }))
  const hydrate = prerender(
    <>
      <ContactForm />
      <DialogHost />
    </>,
  )
  const typed = { name: 'Asha Das', email: 'asha@example.com', subject: 'A question' }
  await user.type(field(/^full name/i), typed.name)
  await user.type(field(/^email/i), typed.email)
  await user.type(field(/^subject/i), typed.subject)
  hydrate()
  assert.deepEqual([textIn(/^full name/i), textIn(/^email/i)], [typed.name, typed.email])
  expectFocus(field(/^subject/i))
  assert.equal(formElement().noValidate, true)
  await user.type(field(/^message/i), 'How long does it take?')
  await user.click(button('Send message'))
  await until(() => assert.equal(server.received(sendContact).length, 1))
  assert.deepEqual(server.received(sendContact)[0]?.body, { ...typed, message: 'How long does it take?' })
  await dialog()
})

test('what was chosen before hydration stays', async () => {
  const hydrate = prerender(<Choice />)
  await user.click(screen.getByRole('radio', { name: /^Buyer/ }))
  hydrate()
  assert.equal((screen.getByRole('radio', { name: /^Buyer/ }) as HTMLInputElement).checked, true)
  assert.equal(screen.getByRole('status').textContent, 'Buyer')
})

test('the error of a form that was posted without scripts disappears when it is sent again', async () => {
  const hydrate = prerender(<ContactForm />)
  hydrate()
  assert.ok(document.getElementById('too_many_requests'))
  await user.click(button('Send message'))
  await until(() => assert.equal(document.getElementById('too_many_requests'), null))
})

type PaymentProps = { attemptName?: string; pay: (idempotencyKey: string) => Promise<unknown> }

function Payment({ attemptName, pay }: PaymentProps) {
  const form = useForm({
    ...(attemptName !== undefined && { attemptName }),
    schema: z.object({ coins: z.string() }),
    initialValues: { coins: '5' },
    submit: (_, { idempotencyKey }) => pay(idempotencyKey),
  })
  return (
    <form {...form.props}>
      <input {...form.field('coins')} />
      <p role="alert">{form.submitError}</p>
      <button type="submit" disabled={form.isSubmitting}>
        Pay
      </button>
    </form>
  )
}

/** Presses Pay for each of these statuses of the response, and returns the key of each attempt. */
async function payWith(statuses: number[]): Promise<string[]> {
  const keys: string[] = []
  const pay = async (key: string) => {
    const status = statuses[keys.length] ?? 200
    keys.push(key)
    if (status !== 200) throw new ApiError(status, 'x', `Failed ${keys.length}`)
  }
  render(<Payment pay={pay} />)
  for (const [n, status] of statuses.entries()) {
    await user.click(button('Pay'))
    if (status === 200) await until(() => assert.equal(screen.getByRole('alert').textContent, ''))
    else await screen.findByText(`Failed ${n + 1}`)
    await until(() => assert.equal((button('Pay') as HTMLButtonElement).disabled, false))
  }
  return keys
}

test('attempts keep their idempotency key until the server has accepted or refused one', async () => {
  const [first, ...others] = await payWith([0, 429, 401, 408, 503, 200, 409, 200])
  assert.deepEqual(
    others.slice(0, 5),
    Array.from({ length: 5 }, () => first),
  )
  assert.equal(new Set([first, ...others]).size, 3)
})

test('a first attempt that is rejected for its session or a limit was not processed: its key is not used again', async () => {
  const [rejected, ...others] = await payWith([429, 0, 401, 200])
  assert.deepEqual(
    others.map((key) => [key === rejected, key === others[0]]),
    Array.from({ length: 3 }, () => [false, true]),
  )
})

for (const outcome of ['success', 'refusal'] as const) {
  test(`a lost attempt keeps its idempotency key after the ${outcome} of another one in another tab`, async () => {
    const keys: string[] = []
    const payAndLose = async (key: string) => {
      keys.push(key)
      if (keys.length === 1) throw new ApiError(0, 'offline', 'Lost')
    }
    const payOther = async () => {
      if (outcome === 'refusal') throw new ApiError(409, 'x', 'Refused')
    }
    // Tabs share the browser's storage, as forms of one page do.
    render(
      <>
        <Payment attemptName="bonus" pay={payAndLose} />
        <Payment attemptName="bonus" pay={payOther} />
      </>,
    )
    const pay = async (tab: number) => {
      const pressed = screen.getAllByRole('button', { name: 'Pay' })[tab] as HTMLButtonElement
      await user.click(pressed)
      await until(() => assert.equal(pressed.disabled, false))
    }
    await pay(0)
    await fill(inputs()[1] as HTMLElement, '7')
    await pay(1)
    await pay(0)
    assert.equal(keys.length, 2)
    assert.equal(keys[1], keys[0])
  })
}

test('an attempt whose key is refused as reused may have succeeded: it is sent under a new one only after confirmation', async () => {
  const keys: string[] = []
  const pay = async (key: string) => {
    keys.push(key)
    if (keys.length === 1) throw new ApiError(0, 'offline', 'Lost')
    if (keys.length === 2) throw new ApiError(422, 'idempotency_key_reused', 'Refused')
  }
  render(
    <>
      <Payment pay={pay} />
      <DialogHost />
    </>,
  )
  await user.click(button('Pay'))
  await screen.findByText('Lost')
  for (const choice of ['Cancel', 'Send again']) {
    await user.click(button('Pay'))
    const asked = await dialog('This may already have been done')
    assert.equal(keys.length, 2)
    await user.click(within(asked).getByRole('button', { name: choice }))
    await until(() => expectGone(screen.queryByRole('dialog')))
  }
  await until(() => assert.equal(keys.length, 3))
  assert.equal(keys[1], keys[0])
  assert.notEqual(keys[2], keys[0])
  await until(() => assert.equal((button('Pay') as HTMLButtonElement).disabled, false))
})

test('a form whose question about a second attempt does not load can be sent again', async (context) => {
  onSecondAttempt(() => Promise.reject(new TypeError('Failed to fetch')))
  context.after(() => onSecondAttempt(askForSecondAttempt))
  const keys: string[] = []
  const pay = async (key: string) => {
    keys.push(key)
    if (keys.length === 1) throw new ApiError(0, 'offline', 'Lost')
    throw new ApiError(422, 'idempotency_key_reused', 'Refused')
  }
  render(<Payment pay={pay} />)
  await user.click(button('Pay'))
  await screen.findByText('Lost')
  await user.click(button('Pay'))
  await screen.findByText(/^No connection/)
  await until(() => assert.equal((button('Pay') as HTMLButtonElement).disabled, false))
  assert.equal(keys.length, 2)
})

test('another picture is another attempt', async () => {
  const keys: string[] = []
  const save = async (key: string) => {
    keys.push(key)
    throw new ApiError(0, 'offline', `Lost ${keys.length}`)
  }
  render(<Picture save={save} />)
  for (const [n, name] of ['me.png', 'me.png', 'us.png'].entries()) {
    const chooser = document.querySelector<HTMLInputElement>('input[type=file]')
    assert.ok(chooser)
    await user.upload(chooser, new File(['pixels'], name, { type: 'image/png', lastModified: 1 }))
    await user.click(button('Save'))
    await screen.findByText(`Lost ${n + 1}`)
  }
  assert.equal(keys[1], keys[0])
  assert.notEqual(keys[2], keys[0])
})

function Picture({ save }: { save: (idempotencyKey: string) => Promise<unknown> }) {
  const form = useForm({
    schema: z.object({ image: z.custom<File>() }),
    initialValues: { image: null as File | null },
    submit: (_, { idempotencyKey }) => save(idempotencyKey),
  })
  return (
    <form {...form.props}>
      <PictureField {...form.field('image')} userName="Ruma" />
      <p role="alert">{form.submitError}</p>
      <button type="submit" disabled={form.isSubmitting}>
        Save
      </button>
    </form>
  )
}

function Profile({ about = '' }: { about?: string }) {
  const form = useForm({
    schema: z.object({ name: z.string(), role: z.string(), password: z.string() }),
    about,
    initialValues: { name: 'Ruma', role: '', password: '' },
    submit: async () => {},
  })
  return (
    <form {...form.props}>
      <input {...form.field('name')} />
      <input {...form.field('role')} />
      <input type="password" {...form.field('password')} />
    </form>
  )
}
const inputs = () => [...document.querySelectorAll('input')] as HTMLInputElement[]
const typed = () => inputs().map(({ value }) => value)

/** Follows a link to the page in a language, as far as the page that is left is concerned. */
function leaveFor(language: string) {
  const link = Object.assign(document.createElement('a'), { href: '/bn', hreflang: language })
  prepareLanguageSwitch(link, typedValues())
}

test('changed values are carried to the same form in the language that is opened, once and without secrets', async () => {
  render(<Profile />)
  const [, role, password] = inputs()
  await user.type(role as HTMLElement, 'Buyer')
  await user.type(password as HTMLElement, 'Shapla-Phul-9')
  leaveFor('en')
  assert.doesNotMatch(JSON.stringify({ ...sessionStorage, ...localStorage }), /Shapla|Ruma/)
  cleanup()
  render(<Profile about="another" />)
  assert.deepEqual(typed(), ['Ruma', '', ''])
  cleanup()
  render(<Profile />)
  assert.deepEqual(typed(), ['Ruma', 'Buyer', ''])
  cleanup()
  render(<Profile />)
  assert.deepEqual(typed(), ['Ruma', '', ''])
})

test('values that were meant for the page in another language are not taken', async () => {
  render(<Profile />)
  await user.type(inputs()[1] as HTMLElement, 'Buyer')
  leaveFor('bn')
  cleanup()
  render(<Profile />)
  assert.deepEqual(typed(), ['Ruma', '', ''])
})

function Notes() {
  const [note, setNote] = useTransferredState('note', () => '')
  return <textarea value={note} onChange={(event) => setNote(event.currentTarget.value)} />
}

test('a state of a form is carried too', async () => {
  const note = () => document.querySelector('textarea') as HTMLTextAreaElement
  render(<Notes />)
  await user.type(note(), 'Weekly payouts')
  leaveFor('en')
  cleanup()
  render(<Notes />)
  assert.equal(note().value, 'Weekly payouts')
})

test('a form that the app does not know yet is read from the page', () => {
  prerender(<ContactForm />)
  const name = field(/^full name/i) as HTMLInputElement
  name.value = 'Asha Das'
  leaveFor('en')
  document.body.replaceChildren()
  render(<ContactForm />)
  assert.equal(textIn(/^full name/i), 'Asha Das')
})

function Portrait() {
  const form = useForm({
    schema: z.object({ name: z.string(), image: z.custom<File>() }),
    initialValues: { name: '', image: null as File | null },
    submit: async () => {},
  })
  return (
    <>
      <form {...form.props}>
        <input {...form.field('name')} />
        <PictureField {...form.field('image')} userName={form.values.name} />
      </form>
      <output>{form.values.image?.name}</output>
      <a href="/" hrefLang="en" onClick={switchLanguage}>
        Read on
      </a>
    </>
  )
}

test('a chosen picture is carried with the typed text, once', async (context) => {
  const opened: string[] = []
  context.mock.method(location, 'assign', (url: string) => opened.push(url))
  render(<Portrait />)
  await user.type(inputs()[0] as HTMLElement, 'Ruma')
  const chooser = document.querySelector<HTMLInputElement>('input[type=file]')
  assert.ok(chooser)
  await user.upload(chooser, new File(['pixels'], 'me.png', { type: 'image/png' }))
  await screen.findByText('me.png', { selector: 'output' })
  await user.click(screen.getByRole('link', { name: 'Read on' }))
  await until(() => assert.equal(opened.length, 1))
  cleanup()
  render(<Portrait />)
  await screen.findByText('me.png', { selector: 'output' })
  assert.equal(typed()[0], 'Ruma')
  assert.doesNotMatch(JSON.stringify({ ...sessionStorage }), /me\.png|Ruma/)
  cleanup()
  render(<Portrait />)
  assert.equal(typed()[0], '')
  assert.equal(screen.getByRole('status').textContent, '')
})

test('a picture keeps its bytes and its type on the way', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, n) => n)
  const image = new File([bytes], 'me.webp', { type: 'image/webp' })
  sessionStorage.setItem(TRANSFER_KEY, JSON.stringify({ to: 'en', forms: {} }))
  await transferPictures({ '/sign-up': { image } })
  const carried = await takeTransferredPictures('/sign-up')
  assert.ok(carried?.image)
  assert.equal(carried.image.type, 'image/webp')
  assert.deepEqual(new Uint8Array(await carried.image.arrayBuffer()), bytes)
  assert.equal(takeTransferredPictures('/sign-up'), undefined)
})
