import { pageMeta } from '#web/lib/meta.ts'

export const meta = () => pageMeta({ title: 'login', description: 'login' })

export default function Page() {
  return <h1 className="page py-16 text-title">login</h1>
}
