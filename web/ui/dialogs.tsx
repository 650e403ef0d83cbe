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
        tone?: 'success' | 'error'
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
        kind: 'prompt'
        label: string
        placeholder?: string
        maxLength: number
        requiredMessage: string
        confirmLabel: string
        danger?: boolean
        done: (text: string | null) => void
      }
  )

type Options<Kind extends Dialog['kind']> = Omit<Extract<Dialog, { kind: Kind }>, 'id' | 'kind' | 'done'>

/** Open dialogs in order; the first one is shown. */
let queue: readonly Dialog[] = []
let nextId = 0
const subscribers = new Set<() => void>()

function setQueue(next: readonly Dialog[]) {
  queue = next
  for (const notify of subscribers) notify()
}

/** Shows a message in a dialog. With `closeAfterMs` it has no button and closes after that time. */
export function showMessage(options: Options<'message'>): Promise<void> {
  return new Promise((done) => setQueue([...queue, { ...options, id: nextId++, kind: 'message', done }]))
}

/** Asks for confirmation; `text` names the effect. Cancel has the focus. Resolves to whether the user confirmed. */
export function confirm(options: Options<'confirm'>): Promise<boolean> {
  return new Promise((done) => setQueue([...queue, { ...options, id: nextId++, kind: 'confirm', done }]))
}

/** Asks for a text, such as the reason of a rejection. Resolves to null when the user cancels. */
export function prompt(options: Options<'prompt'>): Promise<string | null> {
  return new Promise((done) => setQueue([...queue, { ...options, id: nextId++, kind: 'prompt', done }]))
}

const loadBox = () => import('#web/ui/dialog-box.tsx')
type Box = ComponentType<{ dialog: Dialog; onClosed: () => void }>
const createLazyBox = () =>
  lazy<Box>(() =>
    loadChunk(loadBox).catch(() => {
      Box = createLazyBox() // the next dialog tries again
      return { default: NativeDialog }
    }),
  )
let Box = createLazyBox()

/** Prefetches the dialog component, so that dialogs also open offline. */
export function prefetchDialogs(): void {
  void loadChunk(loadBox).catch(() => {})
}

/** Renders the open dialog. Mounted once, in the root; the dialog component loads with the first dialog. */
export function DialogHost() {
  const all = useSyncExternalStore(
    (notify) => {
      subscribers.add(notify)
      return () => subscribers.delete(notify)
    },
    () => queue,
    () => queue,
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
        onClosed={() => setQueue(queue.filter((d) => d !== dialog))}
      />
    </Suspense>
  )
}
