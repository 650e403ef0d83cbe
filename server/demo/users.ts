import type { Role } from '#contract/endpoint.ts'

type DemoUser = { key: string; name: string; role: Role; joinedDaysAgo: number; packages?: number }

/**
 * The demo users, in the order in which they joined: their ids have it too, and users are listed by id. `packages` counts the
 * packages of 1000 coins they bought. "Try as …" signs in the first of each role.
 */
export const DEMO_USERS: readonly DemoUser[] = [
  { key: 'rehana', name: 'Rehana Akter', role: 'Admin', joinedDaysAgo: 70 },
  { key: 'shafiq', name: 'Shafiq Mia', role: 'Buyer', joinedDaysAgo: 62, packages: 4 },
  { key: 'nusrat', name: 'Nusrat Jahan', role: 'Worker', joinedDaysAgo: 60 },
  { key: 'maya', name: 'Maya Textiles', role: 'Buyer', joinedDaysAgo: 58, packages: 3 },
  { key: 'tanvir', name: 'Tanvir Ahmed', role: 'Worker', joinedDaysAgo: 55 },
  { key: 'farhana', name: 'Farhana Islam', role: 'Worker', joinedDaysAgo: 48 },
  { key: 'dhaka-eats', name: 'Dhaka Eats', role: 'Buyer', joinedDaysAgo: 44, packages: 2 },
  { key: 'arif', name: 'Arif Chowdhury', role: 'Worker', joinedDaysAgo: 41 },
  { key: 'sadia', name: 'Sadia Rahman', role: 'Worker', joinedDaysAgo: 33 },
  { key: 'imran', name: 'ইমরান কবির', role: 'Worker', joinedDaysAgo: 20 },
]

export function demoEmail(key: string): string {
  return `${key}@demo.example`
}

/** Returns the email of the user that "Try as …" signs in for this role. */
export function demoEmailOf(role: Role): string {
  const user = DEMO_USERS.find((candidate) => candidate.role === role)
  if (user === undefined) throw new Error(`No demo user has the role ${role}`)
  return demoEmail(user.key)
}
