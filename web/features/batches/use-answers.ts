import { useRef, useState } from 'react'
import type { Answers } from '#contract/answer-form.ts'
import { ApiError, errorMessage } from '#web/lib/api.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { usePictureUpload } from '#web/lib/upload-picture.ts'

type Options = {
  draftKey: string
  initial: Answers
  /** Sends the answers. A retry of the same ones has the same idempotency key. */
  send: (answers: Answers, attempt: { idempotencyKey: string }) => Promise<void>
  /** Called after a refusal, with its error. */
  onFailure?: (error: unknown) => void
}

/** Returns the state of a form with answers. They are kept as a draft until the server has accepted them. */
export function useAnswers({ draftKey, initial, send, onFailure }: Options) {
  const [answers, setAnswers] = useState<Answers>(() => readDraft(draftKey, initial))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setIsSending] = useState(false)
  const attempt = useRef({ content: '', key: '' })
  useDraft(draftKey, answers)
  const { upload, isUploading } = usePictureUpload()

  const submit = async () => {
    if (isSending || isUploading) return
    setIsSending(true)
    setErrors({})
    setFailure(null)
    const content = JSON.stringify(answers)
    if (attempt.current.content !== content) attempt.current = { content, key: crypto.randomUUID() }
    try {
      await send(answers, { idempotencyKey: attempt.current.key })
      deleteDraft(draftKey)
    } catch (error) {
      const fields = error instanceof ApiError ? Object.entries(error.fields) : []
      setErrors(
        Object.fromEntries(fields.map(([path, message]) => [path.replace(/^answers\./, ''), message])),
      )
      setFailure(errorMessage(error))
      setIsSending(false)
      onFailure?.(error)
    }
  }
  return { answers, setAnswers, errors, failure, upload, isUploading, isSending, submit }
}
