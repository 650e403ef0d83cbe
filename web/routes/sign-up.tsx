import { pageMeta } from '#web/lib/meta.ts'

export const meta = () => pageMeta({ title: 'sign-up', description: 'sign-up' })

export default function Page() {
  return <h1 className="page py-16 text-title">sign-up</h1>
}
