import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Button, Modal, Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Dialog } from '#web/ui/dialogs.tsx'
import { IconAlertTriangle, IconCircleCheck } from '#web/ui/icons.ts'

/** One dialog on the screen. Resolves when it has closed, so that what follows does not run below it. */
export default function DialogBox({ dialog, onClosed }: { dialog: Dialog; onClosed: () => void }) {
  const [opened, setOpened] = useState(true)
  const [result, setResult] = useState<() => void>(() => () => {
    if (dialog.kind === 'message') dialog.done()
    else if (dialog.kind === 'confirm') dialog.done(false)
    else dialog.done(null)
  })
  const close = (answered?: () => void) => {
    if (answered) setResult(() => answered)
    setOpened(false)
  }

  const closeAfterMs = dialog.kind === 'message' ? dialog.closeAfterMs : undefined
  useEffect(() => {
    if (closeAfterMs === undefined) return
    const timer = setTimeout(() => setOpened(false), closeAfterMs)
    return () => clearTimeout(timer)
  }, [closeAfterMs])

  return (
    <Modal
      opened={opened}
      onClose={() => close()}
      onExitTransitionEnd={() => {
        onClosed()
        result()
      }}
      title={dialog.title}
      withCloseButton={false}
      size={dialog.kind === 'prompt' ? 'md' : 'sm'}
      classNames={{
        header: 'pb-2 min-h-0',
        title: 'text-xl font-heading tracking-tight',
      }}
    >
      {dialog.kind === 'message' && <Message dialog={dialog} close={() => close()} />}
      {dialog.kind === 'confirm' && (
        <>
          {dialog.text && <div className="text-dim">{dialog.text}</div>}
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <Button variant="default" data-autofocus onClick={() => close(() => dialog.done(false))}>
              {dialog.cancelLabel ?? 'Cancel'}
            </Button>
            <Button color={dialog.danger ? 'red' : undefined} onClick={() => close(() => dialog.done(true))}>
              {dialog.confirmLabel}
            </Button>
          </div>
        </>
      )}
      {dialog.kind === 'prompt' && <Prompt dialog={dialog} close={close} />}
    </Modal>
  )
}

function Message({ dialog, close }: { dialog: Extract<Dialog, { kind: 'message' }>; close: () => void }) {
  const isError = dialog.tone === 'error'
  const Icon = isError ? IconAlertTriangle : IconCircleCheck
  return (
    <>
      <div className="flex items-start gap-3">
        <Icon size={24} className={`shrink-0 ${isError ? 'text-danger' : 'text-brand'}`} aria-hidden />
        <div className="text-dim">{dialog.text}</div>
      </div>
      {dialog.closeAfterMs === undefined && (
        <div className="mt-6 flex justify-end">
          <Button data-autofocus onClick={close}>
            {dialog.confirmLabel ?? 'OK'}
          </Button>
        </div>
      )}
    </>
  )
}

type PromptProps = { dialog: Extract<Dialog, { kind: 'prompt' }>; close: (answered: () => void) => void }

function Prompt({ dialog, close }: PromptProps) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') setError(dialog.requiredMessage)
    else close(() => dialog.done(text.trim()))
  }
  return (
    <form onSubmit={submit} noValidate>
      {dialog.text && <div className="mb-4 text-dim">{dialog.text}</div>}
      <Textarea
        label={dialog.label}
        placeholder={dialog.placeholder}
        required
        data-autofocus
        autosize
        minRows={3}
        maxRows={10}
        maxLength={dialog.maxLength}
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setError(null)
        }}
      />
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="default" onClick={() => close(() => dialog.done(null))}>
          Cancel
        </Button>
        <Button type="submit" color={dialog.danger ? 'red' : undefined}>
          {dialog.confirmLabel}
        </Button>
      </div>
    </form>
  )
}
