import type { Answers, FormField } from '#contract/answer-form.ts'
import { pictureSource, thumbnailSource } from '#web/lib/picture-source.ts'
import { UserText } from '#web/ui/user-text.tsx'

type Props = {
  field: FormField
  value: Answers[string] | undefined
  /** Shows whole texts and large pictures. */
  isWhole?: boolean
}

/** Renders a worker's answer to a question. */
export function AnswerValue({ field, value, isWhole = false }: Props) {
  if (value === undefined) return <span className="text-dim">–</span>
  if (field.type === 'picture') {
    return (
      <span className="flex flex-wrap gap-2">
        {[value].flat().map((url) => (
          <a key={url} href={String(url)} target="_blank" rel="noopener noreferrer nofollow ugc">
            <img
              src={isWhole ? pictureSource(String(url)) : thumbnailSource(String(url), 48)}
              alt={field.label}
              decoding="async"
              className={
                isWhole
                  ? 'max-h-[60dvh] min-h-10 max-w-full rounded-control object-contain'
                  : 'size-12 rounded-control bg-canvas object-cover'
              }
            />
          </a>
        ))}
      </span>
    )
  }
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  if (isWhole) return <UserText>{text}</UserText>
  return <span className="line-clamp-3 wrap-anywhere">{text}</span>
}
