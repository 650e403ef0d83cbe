/** A URL without the punctuation after it, which in Bangla includes the danda. */
const URL_PATTERN = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]।॥])/g

/** Renders text written by a user. URLs become links; nothing else is interpreted as markup. */
export function UserText({ children, className = '' }: { children: string; className?: string }) {
  const parts = children.split(URL_PATTERN)
  return (
    <p className={`whitespace-pre-wrap break-words ${className}`}>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
            key={index}
            href={part}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            className="link"
          >
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  )
}
