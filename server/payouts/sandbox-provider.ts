import { type Database, query } from '#server/database/database.ts'
import { DuplicateReference, type PayoutOutcome, type PayoutProvider } from './provider.ts'

const acceptPayment = query<{ reference: string }, [reference: string, account: string, cents: number]>(
  'sandbox_payout_accept',
  `insert into sandbox_payouts (reference, account_number, cents) values ($1, $2, $3)
   on conflict (reference) do nothing returning reference`,
)
const queryPayment = query<{ account_number: string; queries: number }, [reference: string]>(
  'sandbox_payout_query',
  'update sandbox_payouts set queries = queries + 1 where reference = $1 returning account_number, queries',
)
const FEE_POISHA = 500

/** The last two digits of an account number choose what becomes of a payment to it. Every other number is paid. */
const TIMES_OUT_PAID = '91'
const TIMES_OUT_LOST = '92'
const FAILS = '93'
const FAILS_LATE = '94'
const PAID_LATE = '95'

/** Creates a simulated disbursement API: no money moves, and payments fail and time out as with a real one. */
export function createSandboxPayouts(database: Database): PayoutProvider {
  return {
    name: 'sandbox',
    async pay({ reference, accountNumber, cents }) {
      const kind = accountNumber.slice(-2)
      if (kind === TIMES_OUT_LOST) throw new Error('The sandbox provider timed out')
      const [accepted] = await acceptPayment(database, reference, accountNumber, cents)
      if (accepted === undefined) throw new DuplicateReference(reference)
      if (kind === TIMES_OUT_PAID) throw new Error('The sandbox provider timed out')
      return outcomeOf(reference, kind, 0)
    },
    async find(reference) {
      const [payment] = await queryPayment(database, reference)
      if (payment === undefined) return null
      return outcomeOf(reference, payment.account_number.slice(-2), payment.queries)
    },
  }
}

function outcomeOf(reference: string, kind: string, queries: number): PayoutOutcome {
  if (kind === FAILS) return { state: 'failed', reason: 'The wallet does not exist' }
  if ((kind === FAILS_LATE || kind === PAID_LATE) && queries < 2) return { state: 'pending' }
  if (kind === FAILS_LATE) return { state: 'failed', reason: 'The wallet is closed' }
  return { state: 'confirmed', transactionId: `SBX${reference}`, feePoisha: FEE_POISHA }
}
