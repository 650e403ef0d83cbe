import { type ComponentType, lazy, type ReactNode, Suspense, useMemo, useSyncExternalStore } from 'react'
import { loadChunk } from '#web/lib/chunk-loading.ts'
import { NativeDialog } from '#web/ui/native-dialog.tsx'

type Common = { id: number; title: string; text?: ReactNode }
export type Dialog = Common &
  (
    | {
        kind: 'message'
        closeAfterMs?: number
        confirmLabel?: string
        tone?: 'good' | 'bad'
        done: () => void
      }
    | {
        kind: 'confirm'
        confirmLabel: string
        cancelLabel?: string
        danger?: boolean
        done: (yes: boolean) => void
      }
    | {
        kind: 'ask'
        label: string
        placeholder?: string
        maxLength: number
        required: string
        confirmLabel: string
        danger?: boolean
        done: (text: string | null) => void
      }
  )

type Part<Kind extends Dialog['kind']> = Omit<Extract<Dialog, { kind: Kind }>, 'id' | 'kind' | 'done'>

/** Dialogs wait for each other: the first in the list is the one on the screen. */
let waiting: readonly Dialog[] = []
let nextId = 0
const subscribers = new Set<() => void>()

function change(next: readonly Dialog[]) {
  waiting = next
  for (const notify of subscribers) notify()
}

/** Says something in a dialog. With `closeAfterMs` it has no button and closes by itself. */
export function say(part: Part<'message'>): Promise<void> {
  return new Promise((done) => change([...waiting, { ...part, id: nextId++, kind: 'message', done }]))
}

/** Asks before something happens; `text` names the effect. The safe button has the focus. */
export function confirm(part: Part<'confirm'>): Promise<boolean> {
  return new Promise((done) => change([...waiting, { ...part, id: nextId++, kind: 'confirm', done }]))
}

/** Asks for a sentence (the reason of a rejection); null when the person thinks better of it. */
export function ask(part: Part<'ask'>): Promise<string | null> {
  return new Promise((done) => change([...waiting, { ...part, id: nextId++, kind: 'ask', done }]))
}

const box = () => import('#web/ui/dialog-box.tsx')
type Box = ComponentType<{ dialog: Dialog; onClosed: () => void }>
const begin = () =>
  lazy<Box>(() =>
    loadChunk(box).catch(() => {
      Box = begin() // the next dialog tries again
      return { default: NativeDialog }
    }),
  )
let Box = begin()

/** Fetches the looks of dialogs before there is one. */
export function fetchDialogs(): void {
  void loadChunk(box).catch(() => {})
}

/** Stands once, in the root. Its looks load with the first dialog. */
export function DialogHost() {
  const all = useSyncExternalStore(
    (notify) => {
      subscribers.add(notify)
      return () => subscribers.delete(notify)
    },
    () => waiting,
    () => waiting,
  )
  const dialog = all[0]
  // One dialog keeps the box that it began with.
  const DialogBox = useMemo(() => (dialog ? Box : null), [dialog])
  if (!dialog || !DialogBox) return null
  return (
    <Suspense>
      <DialogBox
        key={dialog.id}
        dialog={dialog}
        onClosed={() => change(waiting.filter((d) => d !== dialog))}
      />
    </Suspense>
  )
}
