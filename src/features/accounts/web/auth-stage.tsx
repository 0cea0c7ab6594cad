import { clsx } from 'clsx'
import type { Site } from '#features/settings/contract.ts'
import { Beast } from '#web/ui/beast.tsx'
import { HeroWall } from '#web/ui/hero-wall.tsx'
import { TestBars } from '#web/ui/test-bars.tsx'
import { Ticks } from '#web/ui/ticks.tsx'

interface Props {
  claims: Site['claims']
  mascot: boolean
  /** Somebody is typing a password. */
  lookAway: boolean
}

const family = [
  { tier: 1, size: 'w-20 lg:w-[22%]' },
  { tier: 3, size: 'w-32 lg:w-[38%] -ml-3 lg:-ml-6' },
  { tier: 2, size: 'w-24 lg:w-[26%] -ml-3 lg:-ml-6' },
  { tier: 4, size: 'w-28 lg:w-[31%] -ml-3 lg:-ml-6' },
] as const

/** The dark half of the page: what one gets, and the family, who are discreet. */
export function AuthStage({ claims, mascot, lookAway }: Props) {
  const facts = [
    `${claims.liveChannels} live channels from ${claims.countries} countries`,
    'HD & 4K quality on every device',
    `${claims.moneyBackDays}-day money back, ${claims.support} support`,
  ]
  return (
    <div className="stage relative isolate flex flex-col justify-end overflow-clip">
      <div className="relative z-2 hidden flex-1 px-[var(--gutter)] py-16 lg:block">
        <p className="display max-w-[12em] text-[clamp(2.25rem,3.6vw,3.75rem)]">Streaming shouldn't be rocket science</p>
        <div className="mt-8 text-lg">
          <Ticks items={facts} />
        </div>
      </div>
      <div className="absolute inset-0 -z-1 overflow-clip" aria-hidden="true">
        <HeroWall />
      </div>
      <div className="flex h-36 items-end justify-center px-4 lg:h-auto" aria-hidden="true">
        {mascot &&
          family.map(({ tier, size }) => (
            <Beast key={tier} tier={tier} eyes={tier} look={[0.35, 0.1]} lid={lookAway ? 0.9 : 0.29} className={clsx('-mb-1 h-auto', size)} />
          ))}
      </div>
      <TestBars />
    </div>
  )
}
