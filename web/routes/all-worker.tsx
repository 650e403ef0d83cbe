import { pageMeta } from '#web/lib/meta.ts'

export const meta = () => pageMeta({ title: 'all-worker', description: 'all-worker' })

export default function Page() {
  return <h1 className="page py-16 text-title">all-worker</h1>
}
