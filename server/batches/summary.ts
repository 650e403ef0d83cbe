import type { AnswerForm, FormField } from '#contract/answer-form.ts'
import type { QuestionSummary } from '#contract/batch-answers.ts'
import { type Db, query } from '#server/database/database.ts'
import { ALL_ANSWERS } from './answers.ts'

/** `option` is null in the row that counts all answers to a question. */
type OptionRow = { name: string; option: string | null; count: number }
type NumberRow = { name: string } & NonNullable<QuestionSummary['numbers']>

const RANGES_MAX = 10

const GIVEN = `from submissions cross join lateral jsonb_each(answers) as given(name, value)
  where task_id = $1 and item_number is not null and status <> 'rejected' and name = any ($2::text[])`

const countOptions = query<OptionRow, [task: string, names: string[]]>(
  'batch_answers_by_option',
  `select name, option, count(*) from (select name, value ${GIVEN}) as given
    cross join lateral (select null as option union all select jsonb_array_elements_text(
      case jsonb_typeof(value) when 'array' then value else jsonb_build_array(value) end)) as each
    group by name, option`,
  ALL_ANSWERS,
)
// The average of float8 overflows from about 1e154, which answers may still have from before they had a limit.
const describeNumbers = query<NumberRow, [task: string, names: string[]]>(
  'batch_answers_of_numbers',
  `with given as materialized (select name, value::numeric ${GIVEN}),
  described as (
    select name, count(*), min(value), max(value), avg(value) as mean,
           percentile_cont(0.5) within group (order by value::float8) as median, count(distinct value) as all_values
      from given group by name),
  counted as (
    select name, min(given.value) as least, max(given.value) as greatest, count(*)
      from given join described using (name)
     group by name, case when all_values <= ${RANGES_MAX} then value
                         else least(width_bucket(value, described.min, described.max, ${RANGES_MAX}), ${RANGES_MAX}) end)
  select name, count, min::float8, max::float8, mean::float8, median,
         (select jsonb_agg(jsonb_build_object('from', least, 'to', greatest, 'count', counted.count) order by least)
            from counted where counted.name = described.name) as ranges
    from described`,
  ALL_ANSWERS,
)

/** Counts the answers of a batch's task to the questions with options, and describes those with numbers. */
export async function summarize(db: Db, taskId: string, { fields }: AnswerForm): Promise<QuestionSummary[]> {
  const namesOf = (...types: FormField['type'][]) =>
    fields.filter(({ type }) => types.includes(type)).map(({ name }) => name)
  const [counts, numbers] = await Promise.all([
    countOptions(db, taskId, namesOf('choice', 'choices')),
    describeNumbers(db, taskId, namesOf('number')),
  ])
  return fields.flatMap((field) => {
    const { name, label } = field
    if (field.type === 'number') {
      const { name: _, ...found } = numbers.find((row) => row.name === name) ?? {}
      return {
        name,
        label,
        answers: 'count' in found ? found.count : 0,
        options: [],
        numbers: 'count' in found ? (found as Omit<NumberRow, 'name'>) : null,
      }
    }
    if (field.type !== 'choice' && field.type !== 'choices') return []
    const countOf = (option: string | null) =>
      counts.find((row) => row.name === name && row.option === option)?.count ?? 0
    const options = field.options.map((option) => ({ option, count: countOf(option) }))
    return { name, label, answers: countOf(null), options, numbers: null }
  })
}
