import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'

/** Renders the post about the first withdrawal. */
export function FirstWithdrawal() {
  return (
    <>
      <p>
        <Trans>
          You start with ten coins, and a withdrawal starts at two hundred. That sounds far away, and it is
          usually a week of evenings. This is how to get there without losing work on the way.
        </Trans>
      </p>
      <h2>
        <Trans>Choose the buyer, then the task</Trans>
      </h2>
      <p>
        <Trans>
          Every task names its buyer, and behind the name is a record: how many submissions they approve, how
          long they take, and how often a rejection was overturned. For your first tasks take buyers who
          review fast. Ten coins tomorrow teach you more than fifty next week.
        </Trans>
      </p>
      <h2>
        <Trans>Reserve, read, then work</Trans>
      </h2>
      <p>
        <Trans>
          Press <b>Start work</b> before you begin. The slot is yours until the time is over, so nobody can
          take the last one while you type. Read the details once more, and above all what you have to submit.
          If the buyer asks for a link and a screenshot, send a link and a screenshot. Your text is kept as a
          draft if the connection drops.
        </Trans>
      </p>
      <h2>
        <Trans>What happens after you submit</Trans>
      </h2>
      <p>
        <Trans>
          The buyer has a review period, which you see on the task. If they approve, you are paid at once. If
          they do nothing, your work is approved automatically and you are paid too. They can ask once for a
          revision: fix what they name, and submit it again within three days.
        </Trans>
      </p>
      <h2>
        <Trans>If your work is rejected</Trans>
      </h2>
      <p>
        <Trans>
          Read the reason first. Sometimes it is right, and the next task goes better. If it is not, appeal
          before the time shown on your submission is over. Write which line of the task you followed and
          where your work shows it, and add a picture if that helps. The coins stay in escrow meanwhile. The
          buyer responds, and if you still disagree, a reviewer who knows neither of you decides. If the buyer
          stays silent, you are paid.
        </Trans>
      </p>
      <h2>
        <Trans>The withdrawal itself</Trans>
      </h2>
      <p>
        <Trans>
          Save your account as a payout destination early, and check the number twice: a wrong digit sends
          money to a stranger. Verify your email address as well. From two hundred coins on you can request a
          withdrawal; the form shows what the coins pay before you send it. An Admin checks and pays it, and
          you are notified. The current rate is on the <Link to="/fees">fees page</Link>.
        </Trans>
      </p>
      <p>
        <Trans>One account is enough. Opening several breaks the terms, and can cost you all of them.</Trans>
      </p>
      <p>
        <Trans>
          Now <Link to="/all-task">find your first task</Link>.
        </Trans>
      </p>
    </>
  )
}
