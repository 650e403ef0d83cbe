import { useEffect, useRef, useState } from 'react'
import { SubmissionText } from '#web/features/submissions/submission-text.tsx'

/** Submitted work, folded after some lines where it is long. `of` names whose of many it is, for people who cannot see it. */
export function ExpandableText({ children, of }: { children: string; of?: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [folds, setFolds] = useState(false)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      if (!open) setFolds(element.scrollHeight > element.clientHeight + 1)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [open])
  return (
    <div className="mt-4 rounded-control bg-canvas px-4 py-3">
      <div ref={box} className={open ? '' : 'max-h-44 overflow-hidden'}>
        <SubmissionText className="text-[0.9375rem]">{children}</SubmissionText>
      </div>
      {folds && (
        <button
          type="button"
          className="link mt-1 min-h-8 text-sm"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : 'Show all of it'}
          {of && <span className="sr-only">, work of {of}</span>}
        </button>
      )}
    </div>
  )
}
