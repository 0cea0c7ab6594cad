import type { Site } from '#features/settings/contract.ts'
import { Card } from '#web/ui/card.tsx'
import { Ticks } from '#web/ui/ticks.tsx'

/** The benefits of a trial. The figures come from the site settings. */
export function TrialBenefits({ claims }: { claims: Site['claims'] }) {
  return (
    <Card title="What You Get" titleId="trial-benefits-title">
      <Ticks
        items={[
          `Trials typically last ${claims.trialHours} hours`,
          `${claims.liveChannels} live channels from ${claims.countries} countries, movies and shows`,
          'HD and 4K on the device you already have',
          'No payment details needed',
          `${claims.support} support while you try`,
        ]}
      />
    </Card>
  )
}
