import { pageMeta } from '#web/lib/meta.ts'

export const meta = () => pageMeta({ title: 'home', description: 'home' })

export default function Page() {
  return <h1 className="page py-16 text-title">home</h1>
}
