/** Answers to one question. The three lists have an entry for each answer: numbers from 0. */
export type Votes = { items: Int32Array; workers: Int32Array; values: Int32Array }
export type Sizes = { items: number; workers: number; values: number }

/** `probabilities` are of each value for each item, item by item. `rate` is a worker's probability of a value where another is true. */
export type Estimates = {
  frequencies: Float64Array
  probabilities: Float64Array
  rate(worker: number, truth: number, given: number): number
  /** The worker's probability of a wrong answer, over all values as frequent as they are. */
  errorRate(worker: number): number
  iterations: number
  isConverged: boolean
}

/** The estimate ends when no probability changes by more. */
const TOLERANCE = 1e-5

/**
 * Estimates the true values of items and the error rates of workers by expectation-maximization: A. P. Dawid, A. M. Skene,
 * "Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm", Applied Statistics 28 (1979), 20–28. The
 * numbers in parentheses are its equations. It begins with the shares of the answers, and stops after `iterationsMax` steps.
 */
export function estimateTruth(
  { items, workers, values }: Votes,
  sizes: Sizes,
  iterationsMax: number,
): Estimates {
  const K = sizes.values
  // The rates are stored for each value that a worker gave: a table of all values would not fit for many workers.
  const { pairs, pairOf, count } = pairsOf(workers, values, K)
  const probabilities = sharesOf(items, values, sizes)
  const frequencies = new Float64Array(K)
  const rates = new Float64Array(count * K)
  const totals = new Float64Array(sizes.workers * K)
  const logRates = new Float64Array(rates.length)
  const likelihoods = new Float64Array(probabilities.length)
  let iterations = 0
  let change = Number.POSITIVE_INFINITY

  while (iterations < iterationsMax && change > TOLERANCE) {
    iterations++
    maximize()
    change = expect()
  }
  maximize()

  /** Estimates the error rates (2.3) and the frequencies of the values (2.4). */
  function maximize(): void {
    frequencies.fill(0)
    rates.fill(0)
    totals.fill(0)
    for (let at = 0; at < probabilities.length; at++)
      add(frequencies, at % K, valueAt(probabilities, at) / sizes.items)
    for (let vote = 0; vote < items.length; vote++) {
      const item = idAt(items, vote) * K
      const pair = idAt(pairs, vote) * K
      const worker = idAt(workers, vote) * K
      for (let truth = 0; truth < K; truth++) {
        const weight = valueAt(probabilities, item + truth)
        if (weight === 0) continue
        add(rates, pair + truth, weight)
        add(totals, worker + truth, weight)
      }
    }
  }

  /** Estimates the probabilities of the values of each item (2.5). Returns the largest change. */
  function expect(): number {
    for (const [key, pair] of pairOf) {
      const worker = Math.floor(key / K)
      for (let truth = 0; truth < K; truth++) {
        const joint = valueAt(rates, pair * K + truth)
        logRates[pair * K + truth] =
          joint === 0 ? Number.NEGATIVE_INFINITY : Math.log(joint / valueAt(totals, worker * K + truth))
      }
    }
    const logFrequencies = frequencies.map((frequency) => Math.log(frequency))
    for (let at = 0; at < likelihoods.length; at++) likelihoods[at] = valueAt(logFrequencies, at % K)
    for (let vote = 0; vote < items.length; vote++) {
      const item = idAt(items, vote) * K
      const pair = idAt(pairs, vote) * K
      for (let truth = 0; truth < K; truth++) add(likelihoods, item + truth, valueAt(logRates, pair + truth))
    }
    return normalize(likelihoods, probabilities, K)
  }

  const rate = (worker: number, truth: number, given: number) => {
    const pair = pairOf.get(worker * K + given)
    const total = valueAt(totals, worker * K + truth)
    return pair === undefined || total === 0 ? 0 : valueAt(rates, pair * K + truth) / total
  }
  const errorRate = (worker: number) => {
    let known = 0
    let right = 0
    for (let truth = 0; truth < K; truth++) {
      if (valueAt(totals, worker * K + truth) === 0) continue
      known += valueAt(frequencies, truth)
      right += valueAt(frequencies, truth) * rate(worker, truth, truth)
    }
    return known === 0 ? 0 : 1 - right / known
  }
  return { frequencies, probabilities, rate, errorRate, iterations, isConverged: change <= TOLERANCE }
}

// Typed arrays have a value at each of these places. A function for each kind is faster than one for both.
const valueAt = (list: Float64Array, place: number) => list[place] as number
const idAt = (list: Int32Array, place: number) => list[place] as number
const add = (list: Float64Array, place: number, value: number) => {
  list[place] = valueAt(list, place) + value
}

/** Numbers the values that each worker gave. `pairOf` has them by worker × K + value. */
function pairsOf(workers: Int32Array, values: Int32Array, K: number) {
  const pairOf = new Map<number, number>()
  const pairs = new Int32Array(workers.length)
  for (let vote = 0; vote < workers.length; vote++) {
    const key = idAt(workers, vote) * K + idAt(values, vote)
    const pair = pairOf.get(key) ?? pairOf.size
    pairOf.set(key, pair)
    pairs[vote] = pair
  }
  return { pairs, pairOf, count: pairOf.size }
}

/** Returns the share of each value in the answers to each item (3.1). */
function sharesOf(items: Int32Array, values: Int32Array, sizes: Sizes): Float64Array {
  const shares = new Float64Array(sizes.items * sizes.values)
  const answers = new Float64Array(sizes.items)
  for (let vote = 0; vote < items.length; vote++) {
    add(shares, idAt(items, vote) * sizes.values + idAt(values, vote), 1)
    add(answers, idAt(items, vote), 1)
  }
  return shares.map((share, at) => share / valueAt(answers, Math.floor(at / sizes.values)))
}

/** Sets the probabilities of each item in proportion to its likelihoods, given as logarithms. Returns the largest change. */
function normalize(likelihoods: Float64Array, probabilities: Float64Array, K: number): number {
  let change = 0
  for (let item = 0; item < probabilities.length; item += K) {
    let largest = Number.NEGATIVE_INFINITY
    for (let at = item; at < item + K; at++) largest = Math.max(largest, valueAt(likelihoods, at))
    if (largest === Number.NEGATIVE_INFINITY) continue
    let sum = 0
    for (let at = item; at < item + K; at++) {
      likelihoods[at] = Math.exp(valueAt(likelihoods, at) - largest)
      sum += valueAt(likelihoods, at)
    }
    for (let at = item; at < item + K; at++) {
      const probability = valueAt(likelihoods, at) / sum
      change = Math.max(change, Math.abs(probability - valueAt(probabilities, at)))
      probabilities[at] = probability
    }
  }
  return change
}
