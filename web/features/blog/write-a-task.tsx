import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'

/** Renders the post about writing tasks. */
export function WriteATask() {
  return (
    <>
      <p>
        <Trans>
          Most rejected work is honest work. The worker read the task one way, the buyer meant it another way,
          and both lost an evening. A good description costs you ten minutes and saves you most of those
          cases.
        </Trans>
      </p>
      <h2>
        <Trans>Say what the result looks like</Trans>
      </h2>
      <p>
        <Trans>
          “Collect shop addresses” can mean ten things. “Find 20 grocery shops in Sylhet that are open now.
          For each one: name, street, phone number and a link to its page” can mean only one. Name the number,
          the place, the format and the language. If you would count something as wrong, say so before the
          work begins and not after it.
        </Trans>
      </p>
      <h2>
        <Trans>Show one example</Trans>
      </h2>
      <p>
        <Trans>
          One finished line is worth more than a paragraph of rules. Copy a real result into the details, with
          the punctuation you want. Workers will match it.
        </Trans>
      </p>
      <h2>
        <Trans>Ask for one proof</Trans>
      </h2>
      <p>
        <Trans>
          Decide how you will check the work, and ask for exactly that: a link, a screenshot or a short text.
          Every further proof makes good workers leave, because it takes their time and pays nothing. Never
          ask for passwords, codes or personal documents. Tasks like that are removed.
        </Trans>
      </p>
      <h2>
        <Trans>Split what is long</Trans>
      </h2>
      <p>
        <Trans>
          A task of ten minutes finds workers within the hour. A task of three hours waits, and one mistake in
          it costs both of you much more. Post twenty slots with ten shops each rather than one slot with two
          hundred. If the first few results miss the point, improve the text: what is already submitted is
          judged by the text its worker saw, and everybody after that gets the new one.
        </Trans>
      </p>
      <h2>
        <Trans>Pay for the time it takes</Trans>
      </h2>
      <p>
        <Trans>
          Do one piece yourself with a clock beside you, double the time for somebody who has never seen it,
          and pay for that. Workers see the pay and how you decide: how much you approve, how fast, and how
          often a rejection was overturned. A fair buyer gets picked first.
        </Trans>
      </p>
      <h2>
        <Trans>Review early, and use a revision</Trans>
      </h2>
      <p>
        <Trans>
          Look at the first two or three submissions as soon as they arrive. If something small is missing,
          ask for a revision and say what it is. That takes a minute, keeps the worker, and you get what you
          needed. A rejection is for work that does not do what the text asks, and its reason should quote the
          line that was missed.
        </Trans>
      </p>
      <p>
        <Trans>
          Ready to try? <Link to="/dashboard/add-task">Create a task</Link>. The coins for it wait in escrow,
          and what nobody earns comes back to you.
        </Trans>
      </p>
    </>
  )
}
