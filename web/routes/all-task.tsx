import { pageMeta } from '#web/lib/meta.ts'

export const meta = () => pageMeta({ title: 'all-task', description: 'all-task' })

export default function Page() {
  return <h1 className="page py-16 text-title">all-task</h1>
}
