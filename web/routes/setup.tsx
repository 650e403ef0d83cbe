import { pageMeta } from '#web/lib/meta.ts'

export const meta = () => pageMeta({ title: 'setup', description: 'setup' })

export default function Page() {
  return <h1 className="page py-16 text-title">setup</h1>
}
