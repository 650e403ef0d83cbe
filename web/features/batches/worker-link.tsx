import { t } from '@lingui/core/macro'
import { Link } from 'react-router'

/** Renders a worker's pseudonym as a link to their answers, in the list of all answers on the same screen. */
export function WorkerLink({ worker }: { worker: string }) {
  return (
    <Link
      to={`?worker=${worker}#answers`}
      className="link font-mono text-xs whitespace-nowrap"
      aria-label={t`Answers of ${worker}`}
    >
      {worker}
    </Link>
  )
}
