import { type Estimates, estimateTruth, type Votes } from './dawid-skene.ts'

/** A question with options: one of them is chosen, or several. */
export type ClosedQuestion = { options: number; isMultiple: boolean }

/**
 * The answers of a batch, in the order of their items; items and workers are numbered from 0. `codes` are the answers to each
 * question: the place of the option, the sum of 2 ^ place of several options, or -1 without an answer.
 */
export type AgreementInput = {
  questions: ClosedQuestion[]
  items: Int32Array
  workers: Int32Array
  codes: Float64Array[]
  itemCount: number
  workerCount: number
}

/**
 * The answers to one question by item. `majority` and `estimate` are codes: -1 without an answer, and where two are equally frequent
 * or equally probable. `items` have two answers or more; `shares` is the mean of their shares.
 */
export type QuestionAgreement = {
  votes: Int32Array
  majority: Float64Array
  share: Float64Array
  estimate: Float64Array
  probability: Float64Array
  /** By worker; NaN without an answer. */
  errorRates: Float64Array
  summary: {
    items: number
    unanimous: number
    tied: number
    meanShare: number
    iterations: number
    isConverged: boolean
  }
}

/** `compared` counts the answers of each worker to items with other answers, `agreeing` those that equal the estimates. */
export type Agreement = { questions: QuestionAgreement[]; compared: Int32Array; agreeing: Int32Array }

/** Bounds the time: steps times answers times values of all estimates together. */
const OPERATIONS_MAX = 5e8
const ITERATIONS_MAX = 50
const ITERATIONS_MIN = 10
/** Probabilities that are closer than this are a tie. */
const TIE = 1e-6

const SINGLE = { items: 0, unanimous: 0, tied: 0, meanShare: 0, iterations: 0, isConverged: true }

/** Returns the majorities, the estimates of Dawid and Skene and the error rates of workers for each question. */
export function computeAgreement(input: AgreementInput): Agreement {
  const estimates = input.questions.reduce(
    (sum, { options, isMultiple }) => sum + (isMultiple ? options : 1),
    0,
  )
  const questions = input.questions.map((question, place) =>
    agreementOn(question, input, input.codes[place] as Float64Array, OPERATIONS_MAX / estimates),
  )
  return { questions, ...compare(input, questions) }
}

function agreementOn(
  question: ClosedQuestion,
  input: AgreementInput,
  codes: Float64Array,
  operations: number,
): QuestionAgreement {
  const { itemCount, workerCount } = input
  const found: QuestionAgreement = {
    votes: new Int32Array(itemCount),
    majority: new Float64Array(itemCount).fill(-1),
    share: new Float64Array(itemCount),
    estimate: new Float64Array(itemCount).fill(-1),
    probability: new Float64Array(itemCount),
    errorRates: new Float64Array(workerCount).fill(Number.NaN),
    summary: { ...SINGLE },
  }
  setMajorities(found, input.items, codes)
  const answered = compact(input, codes)
  if (answered.items.length === 0) return found
  const columns = question.isMultiple ? question.options : 1
  const iterationsMax = Math.floor(
    operations / (2 * answered.items.length * (question.isMultiple ? 2 : question.options)),
  )
  const steps = Math.min(ITERATIONS_MAX, Math.max(ITERATIONS_MIN, iterationsMax))
  for (const { item } of answered.places) {
    found.estimate[item] = 0
    found.probability[item] = 1
  }
  for (const worker of answered.workers) found.errorRates[worker] = 0
  for (let option = 0; option < columns; option++) {
    const values = question.isMultiple
      ? answered.codes.map((code) => Math.floor(code / 2 ** option) % 2)
      : answered.codes
    const sizes = {
      items: answered.places.length,
      workers: workerCount,
      values: question.isMultiple ? 2 : question.options,
    }
    const votes: Votes = { items: answered.items, workers: answered.workers, values: Int32Array.from(values) }
    const estimates = estimateTruth(votes, sizes, steps)
    for (const [place, { item }] of answered.places.entries())
      setEstimate(
        found,
        item,
        mostProbable(estimates, place, sizes.values),
        question.isMultiple ? 2 ** option : 1,
      )
    for (const worker of new Set(answered.workers))
      found.errorRates[worker] = (found.errorRates[worker] ?? 0) + estimates.errorRate(worker) / columns
    found.summary.iterations = Math.max(found.summary.iterations, estimates.iterations)
    found.summary.isConverged &&= estimates.isConverged
  }
  return found
}

/** Sets the majority of each item and the summary. The answers to an item follow one another. */
function setMajorities(found: QuestionAgreement, items: Int32Array, codes: Float64Array): void {
  const { summary } = found
  let shares = 0
  for (let first = 0; first < items.length; ) {
    const item = items[first] as number
    const counts = new Map<number, number>()
    let next = first
    for (; next < items.length && items[next] === item; next++) {
      const code = codes[next] as number
      if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1)
    }
    first = next
    const votes = [...counts.values()].reduce((sum, count) => sum + count, 0)
    if (votes === 0) continue
    const most = Math.max(...counts.values())
    const leaders = [...counts].filter(([, count]) => count === most)
    found.votes[item] = votes
    found.share[item] = most / votes
    if (leaders.length === 1) found.majority[item] = leaders[0]?.[0] ?? -1
    if (votes === 1) continue
    summary.items++
    shares += most / votes
    if (most === votes) summary.unanimous++
    if (leaders.length > 1) summary.tied++
  }
  summary.meanShare = summary.items === 0 ? 0 : shares / summary.items
}

/** Leaves out answers without this question, and items without any. `places` has the items that remain. */
function compact({ items, workers }: AgreementInput, codes: Float64Array) {
  const places: { item: number }[] = []
  const kept = { items: [] as number[], workers: [] as number[], codes: [] as number[] }
  for (const [vote, code] of codes.entries()) {
    if (code < 0) continue
    const item = items[vote] as number
    if (places.at(-1)?.item !== item) places.push({ item })
    kept.items.push(places.length - 1)
    kept.workers.push(workers[vote] as number)
    kept.codes.push(code)
  }
  return {
    places,
    items: Int32Array.from(kept.items),
    workers: Int32Array.from(kept.workers),
    codes: kept.codes,
  }
}

/** Returns the most probable value of an item; null where two are equally probable. */
function mostProbable({ probabilities }: Estimates, item: number, values: number) {
  let [best, value, second] = [-1, 0, -1]
  for (let at = 0; at < values; at++) {
    const probability = probabilities[item * values + at] as number
    if (probability > best) {
      second = best
      best = probability
      value = at
    } else if (probability > second) second = probability
  }
  return { value: best - second < TIE ? null : value, probability: best }
}

/** Adds what was estimated for one option, or for the one answer, to the code of an item. */
function setEstimate(
  { estimate, probability }: QuestionAgreement,
  item: number,
  found: ReturnType<typeof mostProbable>,
  weight: number,
): void {
  probability[item] = (probability[item] as number) * found.probability
  const before = estimate[item] as number
  if (before < 0 || found.value === null) estimate[item] = -1
  else estimate[item] = before + found.value * weight
}

/** Compares each answer with the estimates of its item. */
function compare({ items, workers, codes, workerCount }: AgreementInput, questions: QuestionAgreement[]) {
  const compared = new Int32Array(workerCount)
  const agreeing = new Int32Array(workerCount)
  for (const [vote, worker] of workers.entries()) {
    const item = items[vote] as number
    let [isCompared, agrees] = [false, true]
    for (const [place, { votes, estimate }] of questions.entries()) {
      const code = codes[place]?.[vote] ?? -1
      const truth = estimate[item] as number
      if (code < 0 || truth < 0 || (votes[item] as number) < 2) continue
      isCompared = true
      agrees &&= code === truth
    }
    if (!isCompared) continue
    compared[worker] = (compared[worker] ?? 0) + 1
    if (agrees) agreeing[worker] = (agreeing[worker] ?? 0) + 1
  }
  return { compared, agreeing }
}
