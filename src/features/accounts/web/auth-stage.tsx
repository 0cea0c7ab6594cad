import { clsx } from 'clsx'
import type { Site } from '#features/settings/contract.ts'
import { HeroWall } from '#web/brand/hero-wall.tsx'
import { Mascot } from '#web/brand/mascot.tsx'
import { TestBars } from '#web/brand/test-bars.tsx'
import { Ticks } from '#web/ui/ticks.tsx'

interface Props {
  site: Site
  /** Whether the mascots close their eyes, because a password field has the focus. */
  eyesClosed: boolean
}

const mascots = [
  { tier: 1, size: 'w-[21%]' },
  { tier: 3, size: 'w-[36%] -ml-[3%]' },
  { tier: 2, size: 'w-[25%] -ml-[3%]' },
  { tier: 4, size: 'w-[31%] -ml-[4%]' },
] as const

/** The dark half of the page: claims and the mascots, which close their eyes while a password is typed. */
export function AuthStage({ site: { brand, claims }, eyesClosed }: Props) {
  const facts = [
    `${claims.liveChannels} live channels from ${claims.countries} countries`,
    'HD & 4K quality on every device',
    `${claims.moneyBackDays}-day money back, ${claims.support} support`,
  ]
  return (
    <div className="stage">
      <div className="relative isolate flex flex-col overflow-clip lg:sticky lg:top-18 lg:h-[calc(100svh-4.5rem)] lg:min-h-[36rem]">
        <div className="hidden pt-14 pr-6 pl-[max(var(--gutter),calc((100vw-var(--wrap))/2))] lg:block">
          <p className="display max-w-[11em] text-[clamp(2.25rem,3.8vw,3.75rem)]">{brand.tagline}</p>
          <div className="mt-7 text-lg">
            <Ticks items={facts} />
          </div>
        </div>
        <div
          className="relative flex h-36 flex-1 items-end justify-center px-4 lg:mt-8 lg:h-auto lg:px-8"
          aria-hidden="true"
        >
          <div className="absolute inset-0 -z-1 overflow-clip [--copy-end:1rem]">
            <HeroWall />
            <div className="absolute inset-0 bg-linear-to-b from-bg via-bg/55 to-bg/20 max-lg:hidden" />
          </div>
          {brand.mascot && (
            <div className="flex w-full max-w-88 items-end justify-center lg:max-w-none">
              {mascots.map(({ tier, size }) => (
                <Mascot
                  key={tier}
                  tier={tier}
                  eyes={tier}
                  look={[0.35, 0.1]}
                  lid={eyesClosed ? 0.9 : 0.29}
                  className={clsx('-mb-1 h-auto', size)}
                />
              ))}
            </div>
          )}
        </div>
        <TestBars className="relative" />
      </div>
    </div>
  )
}
