import { t } from '@lingui/core/macro'
import '@mantine/core/styles/Group.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Button, getDefaultZIndex, Modal, type ModalProps, Textarea } from '@mantine/core'
import { ModalsProvider, modals } from '@mantine/modals'
import { type ReactNode, useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { text } from '#contract/shapes.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { recoverFocus } from '#web/lib/recover-focus.ts'
import { useSession } from '#web/lib/session.tsx'
import {
  type ContentOptions,
  DialogLock,
  type Dialogs,
  type MessageOptions,
  type PromptOptions,
  useDialogLock,
} from '#web/ui/dialogs.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { IconAlertTriangle, IconCircleCheck } from '#web/ui/icons.ts'

const MODAL = {
  withCloseButton: false,
  size: 'sm',
  classNames: { header: 'pb-2 min-h-0', title: 'text-xl font-heading tracking-tight' },
}

let setMounted = () => {}
/** Resolves when the host is rendered: `modals` loses what is opened before. */
export const mounted = new Promise<void>((resolve) => {
  setMounted = resolve
})

/** Shows the dialog above the open one, or closes it. */
let setOnTop: (dialog: ModalProps) => void = () => {}

export default function DialogHost() {
  const [onTop, set] = useState<ModalProps>({ opened: false, onClose: () => {} })
  const [isLocked, setLocked] = useState(false)
  useEffect(() => {
    setOnTop = set
    setMounted()
  }, [])
  const userId = useSession().userData?._id
  // What a user has opened closes when they sign out or another user signs in.
  useEffect(() => {
    if (userId === undefined) return
    return () => {
      modals.closeAll()
      set((shown) => ({ ...shown, opened: false }))
    }
  }, [userId])
  // Escape closes only the dialog on top.
  return (
    <>
      <DialogLock value={setLocked}>
        <ModalsProvider
          modalProps={{
            ...MODAL,
            closeOnEscape: !onTop.opened && !isLocked,
            closeOnClickOutside: !isLocked,
          }}
        />
      </DialogLock>
      <Modal {...MODAL} zIndex={getDefaultZIndex('modal') + 2} {...onTop} />
    </>
  )
}

export const dialogs: Dialogs = {
  message: (options) =>
    new Promise((resolve) => {
      let run = () => {}
      const close = (next?: () => void) => {
        if (next) run = next
        modals.close(id)
      }
      const id = modals.open({
        title: <Title>{options.title}</Title>,
        children: <Message options={options} close={close} />,
        onExitTransitionEnd: () => {
          resolve()
          run()
        },
      })
    }),
  confirm: ({ title, text, confirmLabel, cancelLabel = t`Cancel`, danger }) =>
    new Promise((resolve) => {
      let confirmed = false
      modals.openConfirmModal({
        title: <Title>{title}</Title>,
        children: text && <div className="text-dim">{text}</div>,
        labels: { confirm: confirmLabel, cancel: cancelLabel },
        confirmProps: { color: danger ? 'red' : undefined },
        cancelProps: { 'data-autofocus': true },
        groupProps: { mt: 24, gap: 12 },
        onConfirm: () => {
          confirmed = true
        },
        onExitTransitionEnd: () => resolve(confirmed),
      })
    }),
  prompt: async (options) => {
    await openWithResult(options.title, 'md', (close) => (
      <Prompt options={options} close={() => close(null)} />
    ))
  },
  content: ({ title, content }) => openWithResult(title, 'sm', content),
  contentOnTop: <Result,>({ title, content }: ContentOptions<Result>) =>
    new Promise<Result | null>((resolve) => {
      let result: Result | null = null
      const close = (value: Result | null) => {
        result = value
        setOnTop({ ...dialog, opened: false })
        // The button below that had the focus is disabled while its dialog waits.
        const [below, above] = document.querySelectorAll<HTMLElement>('[role=dialog]')
        if (above) below?.focus()
      }
      const dialog: ModalProps = {
        title: <Title>{title}</Title>,
        children: <OfUser>{content(close)}</OfUser>,
        opened: true,
        onClose: () => close(null),
        onExitTransitionEnd: () => resolve(result),
      }
      setOnTop(dialog)
    }),
}

function openWithResult<Result>(
  title: string,
  size: 'sm' | 'md',
  content: ContentOptions<Result>['content'],
): Promise<Result | null> {
  return new Promise((resolve) => {
    let result: Result | null = null
    const close = (value: Result | null) => {
      result = value
      modals.close(id)
    }
    const id = modals.open({
      title: <Title>{title}</Title>,
      size,
      children: <OfUser>{content(close)}</OfUser>,
      onExitTransitionEnd: () => resolve(result),
    })
  })
}

/** Renders the content of a dialog until the user who opened it is no longer signed in: it may need their record. */
function OfUser({ children }: { children: ReactNode }) {
  const userId = useSession().userData?._id
  const [opener] = useState(userId)
  return opener === undefined || opener === userId ? children : null
}

/**
 * Renders the title of a dialog. The focus is still in the dialog when its exit ends, and lost when it is removed: it returns to what had
 * it before, or to the content when that was removed or disabled meanwhile.
 */
function Title({ children }: { children: string }) {
  const [opener] = useState(() => document.activeElement as HTMLElement | null)
  useEffect(() => () => recoverFocus(opener), [opener])
  return children
}

function Message({ options, close }: { options: MessageOptions; close: (next?: () => void) => void }) {
  const { closeAfterMs, next } = options
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the message is shown
  useEffect(() => {
    if (closeAfterMs === undefined) return
    const timer = setTimeout(close, closeAfterMs)
    return () => clearTimeout(timer)
  }, [])
  const isError = options.tone === 'error'
  const Icon = isError ? IconAlertTriangle : IconCircleCheck
  return (
    <>
      <div className="flex items-start gap-3">
        <Icon size={24} className={`shrink-0 ${isError ? 'text-danger' : 'text-brand'}`} aria-hidden />
        <div className="text-dim">{options.text}</div>
      </div>
      {closeAfterMs === undefined && (
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Button
            variant={next ? 'default' : 'filled'}
            data-autofocus={!next || undefined}
            onClick={() => close()}
          >
            {options.confirmLabel ?? t`OK`}
          </Button>
          {next && (
            <Button data-autofocus onClick={() => close(next.run)}>
              {next.label}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function Prompt({ options, close }: { options: PromptOptions; close: () => void }) {
  const { userData } = useSession()
  const draftKey = `${options.draft} ${userData?._id}`
  const form = useForm({
    about: draftKey,
    schema: z.object({ text: text(options.maxLength, options.requiredMessage) }),
    initialValues: readDraft(draftKey, { text: '' }),
    submit: async (values) => {
      if ((await options.submit(values.text)) !== false) deleteDraft(draftKey)
      close()
    },
  })
  useDraft(draftKey, form.values)
  useDialogLock(form.isSubmitting)
  return (
    <form {...form.props} className="space-y-4">
      {options.text && <div className="text-dim">{options.text}</div>}
      <Textarea
        label={options.label}
        placeholder={options.placeholder}
        required
        data-autofocus
        autosize
        minRows={3}
        maxRows={10}
        maxLength={options.maxLength}
        {...form.field('text')}
      />
      <FormError message={form.submitError} />
      <div className="flex flex-wrap justify-end gap-3 pt-2">
        <Button variant="default" disabled={form.isSubmitting} onClick={close}>{t`Cancel`}</Button>
        <Button type="submit" color={options.danger ? 'red' : undefined} loading={form.isSubmitting}>
          {options.confirmLabel}
        </Button>
      </div>
    </form>
  )
}
