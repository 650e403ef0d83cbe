import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { UserText } from '#web/ui/user-text.tsx'

/** Renders submitted work, collapsed when it is long. `author` distinguishes the buttons of several submissions for screen readers. */
export function ExpandableText({ children, of: author }: { children: string; of?: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [isExpanded, setIsExpanded] = useState(false)
  const [isClipped, setIsClipped] = useState(false)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      if (!isExpanded) setIsClipped(element.scrollHeight > element.clientHeight + 1)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isExpanded])
  return (
    <div className="mt-4 rounded-control bg-canvas px-4 py-3">
      <div ref={box} className={isExpanded ? '' : 'max-h-44 overflow-hidden'}>
        <UserText className="text-[0.9375rem]">{children}</UserText>
      </div>
      {isClipped && (
        <button
          type="button"
          className="link mt-1 min-h-8 text-sm"
          aria-expanded={isExpanded}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          <ToggleLabel isExpanded={isExpanded} author={author} />
        </button>
      )}
    </div>
  )
}

function ToggleLabel({ isExpanded, author }: { isExpanded: boolean; author: string | undefined }) {
  if (!author) return isExpanded ? t`Show less` : t`Show more`
  return isExpanded ? (
    <Trans>
      Show less<span className="sr-only">, work of {author}</span>
    </Trans>
  ) : (
    <Trans>
      Show more<span className="sr-only">, work of {author}</span>
    </Trans>
  )
}
