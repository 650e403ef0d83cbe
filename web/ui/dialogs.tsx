import { createContext, type ReactNode, use, useLayoutEffect } from 'react'
import { lazyHost } from '#web/ui/lazy-host.tsx'
import { nativeDialogs } from '#web/ui/native-dialogs.ts'

type Common = { title: string; text?: ReactNode }
export type MessageOptions = Common & {
  closeAfterMs?: number
  confirmLabel?: string
  tone?: 'success' | 'error'
  /** A second button, for what can be done next. It has the focus. `run` is called when the dialog has closed. */
  next?: { label: string; run: () => void } | undefined
}
export type ConfirmOptions = Common & { confirmLabel: string; cancelLabel?: string; danger?: boolean }
export type PromptOptions = Common & {
  label: string
  placeholder?: string
  maxLength: number
  requiredMessage: string
  confirmLabel: string
  danger?: boolean
  /** What the text is for, with the id of the row: a text that was not sent is there when the user is asked for it again. */
  draft: string
  /**
   * Sends the text. What it throws is shown below the text, which can be sent again. With `false` the dialog closes and the text
   * stays a draft. It must not wait for another dialog, which is shown only after this one has closed.
   */
  submit: (text: string) => Promise<unknown>
}

export type ContentOptions<Result> = {
  title: string
  /** Renders the dialog's content, which closes the dialog with a result. */
  content: (close: (result: Result | null) => void) => ReactNode
}

/** Each resolves when its dialog has closed, so that what follows does not run below it. */
export type Dialogs = {
  message(options: MessageOptions): Promise<void>
  confirm(options: ConfirmOptions): Promise<boolean>
  prompt(options: PromptOptions): Promise<void>
  content<Result>(options: ContentOptions<Result>): Promise<Result | null>
  contentOnTop<Result>(options: ContentOptions<Result>): Promise<Result | null>
}

const load = () => import('#web/ui/dialog-host.tsx')
const host = lazyHost(load)
export const { Host: DialogHost, prefetch: prefetchDialogs } = host

async function openDialogs(): Promise<Dialogs> {
  try {
    const { dialogs, mounted } = await host.open()
    await mounted
    return dialogs
  } catch {
    return nativeDialogs
  }
}

/** Sets whether the dialog around it stays open when Escape or its outside is pressed. */
export const DialogLock = createContext<(isLocked: boolean) => void>(() => {})

/** Keeps the dialog around it open while a request is in flight, whose outcome it shows. */
export function useDialogLock(isLocked: boolean): void {
  const setLocked = use(DialogLock)
  // With the paint that shows the outcome, so that the dialog closes from then on.
  useLayoutEffect(() => {
    if (!isLocked) return
    setLocked(true)
    return () => setLocked(false)
  }, [isLocked, setLocked])
}

/** Dialogs are shown one after another, each when the one before has closed. */
let last: Promise<unknown> = Promise.resolve()

function enqueue<Result>(show: (dialogs: Dialogs) => Promise<Result>): Promise<Result> {
  const result = last.then(openDialogs).then(show)
  last = result.catch(() => {})
  return result
}

/** Shows a message in a dialog. With `closeAfterMs` it has no button and closes after that time. */
export function showMessage(options: MessageOptions): Promise<void> {
  return enqueue((dialogs) => dialogs.message(options))
}

/** Shows what went wrong, and below it what the server says about it. */
export function showError(title: string, text: string, detail: string): Promise<void> {
  return showMessage({
    title,
    text: (
      <>
        <p>{text}</p>
        <p className="mt-2 text-sm">{detail}</p>
      </>
    ),
    tone: 'error',
  })
}

/** Asks for confirmation; `text` names the effect. Cancel has the focus. Resolves to whether the user confirmed. */
export function confirm(options: ConfirmOptions): Promise<boolean> {
  return enqueue((dialogs) => dialogs.confirm(options))
}

/** Asks for a text, such as the reason of a rejection, and stays open until it was sent or the user cancels. */
export function prompt(options: PromptOptions): Promise<void> {
  return enqueue((dialogs) => dialogs.prompt(options))
}

/** Shows a dialog with content of its own. Resolves to its result, or to null when the user cancels. */
export function showDialog<Result>(options: ContentOptions<Result>): Promise<Result | null> {
  return enqueue((dialogs) => dialogs.content(options))
}

/** As `showDialog`, but above the open dialog, which may wait for the result. One at a time. */
export function showDialogOnTop<Result>(options: ContentOptions<Result>): Promise<Result | null> {
  const result = openDialogs().then((dialogs) => dialogs.contentOnTop(options))
  last = Promise.allSettled([last, result])
  return result
}
