import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'

/** Renders the post about escrow. */
export function Escrow() {
  return (
    <>
      <p>
        <Trans>
          Two strangers want to trade a little work for a little money. One has to go first. If the buyer pays
          first, the work may never come. If the worker goes first, the pay may never come. Escrow takes that
          problem away, and this is how it works here.
        </Trans>
      </p>
      <h2>
        <Trans>The coins are set aside when you post</Trans>
      </h2>
      <p>
        <Trans>
          A task with twenty slots at five coins needs a hundred coins. The moment you post it, they leave
          your balance and wait in the escrow of that task. You cannot spend them on something else by
          mistake, and a worker who sees the task knows that its pay exists.
        </Trans>
      </p>
      <h2>
        <Trans>They leave in three ways only</Trans>
      </h2>
      <ul>
        <li>
          <Trans>
            <b>To the worker,</b> when the work is approved: by you, or automatically when the review period
            ends without a decision.
          </Trans>
        </li>
        <li>
          <Trans>
            <b>Back to you,</b> when a slot stays empty and the task closes. Nothing is kept from it.
          </Trans>
        </li>
        <li>
          <Trans>
            <b>To the next worker,</b> when a rejection is final: the slot is free again, and its pay waits
            for somebody else. On a closed task it goes back to you.
          </Trans>
        </li>
      </ul>
      <p>
        <Trans>
          Each of these happens once. Two clicks on Approve pay one worker once, and every coin that moves is
          a line in your coin statement with its reason.
        </Trans>
      </p>
      <h2>
        <Trans>A rejection does not end it</Trans>
      </h2>
      <p>
        <Trans>
          While a worker can still appeal, and while an appeal is open, the coins stay where they are. Neither
          side can win by being faster. The buyer responds to the appeal or concedes. If they stand by the
          rejection, a reviewer compares the work with the task as it was when the work was done, without
          seeing a name on either side. A missed deadline decides the case: silence of the buyer pays the
          worker, and an appeal that never comes makes the rejection final.
        </Trans>
      </p>
      <h2>
        <Trans>What escrow cannot do</Trans>
      </h2>
      <p>
        <Trans>
          It does not know good work from bad. That is still the buyer’s review, and a{' '}
          <Link to="/blog/write-a-task">clear description</Link> helps more than any rule. It also cannot help
          with a deal outside the marketplace. If somebody offers to pay you directly, there is no escrow, no
          appeal and no one to ask.
        </Trans>
      </p>
      <p>
        <Trans>
          The full rules are in the <Link to="/terms">terms</Link>, and every price is on the{' '}
          <Link to="/fees">fees page</Link>.
        </Trans>
      </p>
    </>
  )
}
