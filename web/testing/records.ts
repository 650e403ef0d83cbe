import type { uploadImage } from '#contract/images.ts'
import type { ListedTask } from '#contract/tasks.ts'
import type { User } from '#contract/users.ts'
import type { Reply } from '#web/lib/api.ts'

/** Replies of the API as tests need them. Each has its own id, so that nothing is shared between tests. */

let last = 0

export function anId(): string {
  return `00000000-0000-4000-8000-${String(++last).padStart(12, '0')}`
}

export function aUser(role: User['role'], change: Partial<User> = {}): User {
  const number = ++last
  const name = change.name ?? `${role} ${number}`
  return {
    _id: anId(),
    name,
    user: name,
    email: `${role.toLowerCase()}.${number}@example.com`,
    image: '',
    img: '',
    role,
    coin: 500,
    wallet: 0,
    createdAt: '2026-01-01T09:00:00.000Z',
    ...change,
  }
}

export function aTask(change: Partial<ListedTask> = {}): ListedTask {
  const id = anId()
  return {
    _id: id,
    task_title: `Task ${last}`,
    task_detail: 'Record a voice note of two minutes.',
    required_workers: 10,
    payable_amount: 25,
    completion_date: '2026-12-18',
    submission_info: 'A link to the recording',
    task_image_url: '',
    buyer: 'buyer@example.com',
    buyer_name: 'Nadia Buyer',
    Buyer_name: 'Nadia Buyer',
    worker: 4,
    amount: 250,
    total: 250,
    isCompleted: false,
    isClosed: false,
    createdAt: '2026-01-10T09:00:00.000Z',
    ...change,
  }
}

/** The reply to an upload. */
export function aStoredImage(url: string): Reply<typeof uploadImage> {
  const data = { display_url: url, url, thumb: { url }, width: 100, height: 100 }
  return { data, success: true, status: 200 }
}
