import { Link } from 'react-router'

/** Renders the post about writing tasks. */
export function WriteATask() {
  return (
    <>
      <p>
        Most rejected work is honest work. The worker read the task one way, the buyer meant it another way,
        and both lost an evening. A good description costs you ten minutes and saves you most of those cases.
      </p>
      <h2>Say what the result looks like</h2>
      <p>
        “Collect shop addresses” can mean ten things. “Find 20 grocery shops in Sylhet that are open now. For
        each one: name, street, phone number and a link to its page” can mean only one. Name the number, the
        place, the format and the language. If you would count something as wrong, say so before the work
        begins and not after it.
      </p>
      <h2>Show one example</h2>
      <p>
        One finished line is worth more than a paragraph of rules. Copy a real result into the details, with
        the punctuation you want. Workers will match it.
      </p>
      <h2>Ask for one proof</h2>
      <p>
        Decide how you will check the work, and ask for exactly that: a link, a screenshot or a short text.
        Every further proof makes good workers leave, because it takes their time and pays nothing. Never ask
        for passwords, codes or personal documents. Tasks like that are removed.
      </p>
      <h2>Split what is long</h2>
      <p>
        A task of ten minutes finds workers within the hour. A task of three hours waits, and one mistake in
        it costs both of you much more. Post twenty slots with ten shops each rather than one slot with two
        hundred. If the first few results miss the point, improve the text: what is already submitted is
        judged by the text its worker saw, and everybody after that gets the new one.
      </p>
      <h2>Pay for the time it takes</h2>
      <p>
        Do one piece yourself with a clock beside you, double the time for somebody who has never seen it, and
        pay for that. Workers see the pay and how you decide: how much you approve, how fast, and how often a
        rejection was overturned. A fair buyer gets picked first.
      </p>
      <h2>Review early, and use a revision</h2>
      <p>
        Look at the first two or three submissions as soon as they arrive. If something small is missing, ask
        for a revision and say what it is. That takes a minute, keeps the worker, and you get what you needed.
        A rejection is for work that does not do what the text asks, and its reason should quote the line that
        was missed.
      </p>
      <p>
        Ready to try? <Link to="/dashboard/add-task">Create a task</Link>. The coins for it wait in escrow,
        and what nobody earns comes back to you.
      </p>
    </>
  )
}
