import type { Role } from '#contract/endpoint.ts'

type DemoPerson = { key: string; name: string; role: Role; joinedDaysAgo: number; packages?: number }

/** The people of the demo world; `packages` of 1000 coins they bought. The first of each role is whom "Try as …" signs in. */
export const PEOPLE: readonly DemoPerson[] = [
  { key: 'nusrat', name: 'Nusrat Jahan', role: 'Worker', joinedDaysAgo: 60 },
  { key: 'shafiq', name: 'Shafiq Mia', role: 'Buyer', joinedDaysAgo: 62, packages: 4 },
  { key: 'rehana', name: 'Rehana Akter', role: 'Admin', joinedDaysAgo: 70 },
  { key: 'tanvir', name: 'Tanvir Ahmed', role: 'Worker', joinedDaysAgo: 55 },
  { key: 'farhana', name: 'Farhana Islam', role: 'Worker', joinedDaysAgo: 48 },
  { key: 'arif', name: 'Arif Chowdhury', role: 'Worker', joinedDaysAgo: 41 },
  { key: 'sadia', name: 'Sadia Rahman', role: 'Worker', joinedDaysAgo: 33 },
  { key: 'imran', name: 'ইমরান কবির', role: 'Worker', joinedDaysAgo: 20 },
  { key: 'maya', name: 'Maya Textiles', role: 'Buyer', joinedDaysAgo: 58, packages: 3 },
  { key: 'dhaka-eats', name: 'Dhaka Eats', role: 'Buyer', joinedDaysAgo: 44, packages: 2 },
]

export function demoEmail(key: string): string {
  return `${key}@demo.example`
}

/** Whom the buttons on the login screen sign in. */
export function demoUserOf(role: Role): string {
  const person = PEOPLE.find((one) => one.role === role)
  if (person === undefined) throw new Error(`The demo world has no ${role}`)
  return demoEmail(person.key)
}
