import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { worth } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { Face } from '#web/ui/face.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** Who you are here, and what you have. */
export default function Profile() {
  const person = useUserData()
  return (
    <Screen title="Profile">
      <section className="card flex flex-wrap items-center gap-5 p-6">
        <Face name={person.name} image={person.image} size={88} />
        <div className="min-w-0">
          <h2 className="text-xl">{person.name}</h2>
          <p className="text-dim">{person.email}</p>
          <p className="mt-2">
            <StatusBadge tone="good">{person.role}</StatusBadge>
          </p>
        </div>
        <div className="ml-auto text-right">
          <CoinAmount value={person.coin} className="text-title" />
          <p className="text-sm text-dim">worth {worth(person.coin)}</p>
        </div>
      </section>
    </Screen>
  )
}
