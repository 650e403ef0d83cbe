import type { ApiClient } from './api-client.ts'
import { expect } from './fixtures.ts'

const NAME = 'Mst. Kamrunnahar Begum Chowdhury of Brahmanbaria'

/** Creates a project with every kind of question and a long name, and returns its id. */
export async function aProject(call: ApiClient): Promise<string> {
  const { _id } = await call('POST', '/projects', {
    title: `Shops of ${NAME} ${'long-name-'.repeat(6)}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a project
    instructions: 'Look at the shop ${name} in ${city}.\nWrite down its opening hours.',
    pictureColumns: [],
    examples: [
      { text: 'Open from 9 to 5, closed on Friday', good: true },
      { text: 'https://example.com/a-link-instead-of-hours', good: false },
    ],
    form: {
      fields: [
        {
          type: 'text',
          name: 'code',
          label: 'Code on the door',
          required: true,
          pattern: String.raw`[A-Z]{2}-\d{4}`,
          patternHint: 'Enter a code like AB-1234.',
        },
        {
          type: 'long_text',
          name: 'hours',
          label: 'Opening hours',
          required: true,
          help: 'One day per line.',
        },
        { type: 'number', name: 'floors', label: 'Floors', required: false, min: 1, max: 9, whole: true },
        {
          type: 'choice',
          name: 'kind',
          label: 'Kind of shop',
          required: true,
          options: ['Food', 'Books', NAME],
        },
        { type: 'choices', name: 'goods', label: 'Goods', required: false, options: ['Rice', 'Tea'], min: 1 },
        { type: 'link', name: 'site', label: 'Website', required: false },
        { type: 'picture', name: 'photos', label: 'Photos of the shop', required: false, max: 2 },
      ],
    },
    category: 'local',
    reward: 2,
    workersPerItem: 3,
    reviewHours: null,
    reservationMinutes: 60,
  })
  return _id as string
}

/** Uploads a file of items, ten of them with known answers, with or without errors, and returns the id of its batch when it is checked. */
export async function aCheckedBatch(call: ApiClient, hasErrors: boolean): Promise<string> {
  const project = await aProject(call)
  const rows = Array.from(
    { length: 30 },
    (_, row) => `${NAME} ${row},${hasErrors && row < 20 ? '' : 'Dhaka'},${row % 3 === 0 ? 'Food' : ''}`,
  )
  const content = Buffer.from(['name,city,Golden.kind', ...rows].join('\n'))
  const { _id } = await call('POST', `/projects/${project}/batches`, {
    fileName: `shops-${'long-name-'.repeat(8)}.csv`,
  })
  await call('PUT', `/batches/${_id}/chunks/0`, { content: content.toString('base64') })
  await call('POST', `/batches/${_id}/check`, { bytes: content.length })
  await expect.poll(async () => (await call('GET', `/batches/${_id}`)).state).toBe('checked')
  return _id as string
}

/** Pays a batch and returns its id and the id of its task. */
export async function anOpenBatch(call: ApiClient): Promise<{ batch: string; task: string }> {
  const batch = await aCheckedBatch(call, false)
  const { cost } = (await call('GET', `/batches/${batch}`)) as { cost: { total: number } }
  const completion_date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  await call('POST', `/batches/${batch}/funding`, { completion_date, total: cost.total })
  await expect.poll(async () => (await call('GET', `/batches/${batch}`)).state).toBe('open')
  const { taskId } = await call('GET', `/batches/${batch}`)
  return { batch, task: taskId as string }
}

/** Reserves items of a batch's task and submits long answers to them. Another `shift` chooses other options. */
export async function submitItems(call: ApiClient, task: string, count: number, shift = 0): Promise<void> {
  for (let submitted = 0; submitted < count; submitted++) {
    const { number } = await call('POST', `/tasks/${task}/items`)
    await call('POST', `/tasks/${task}/items/${number}/answers`, {
      answers: {
        code: 'AB-1234',
        hours: `Saturday to Thursday, 9 to 5. ${NAME} ${'long-word-'.repeat(20)}`,
        floors: 1 + (submitted % 9),
        kind: (submitted + shift) % 3 === 0 ? NAME : 'Food',
        goods: ['Rice', 'Tea'],
        site: `https://example.com/${'long-path-'.repeat(15)}`,
      },
    })
  }
}
