import { formatCents } from '#kit/money.ts'
import { Mascot } from '#web/brand/mascot.tsx'
import { eyeCount } from '#web/brand/mascot-shapes.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import type { LargerPlan } from '../rules.ts'

/** The ordinal of the next screen, by the number of screens of the plan. */
const nth: Record<number, string> = { 1: 'second', 2: 'third', 3: 'fourth', 4: 'fifth' }

interface Props {
  /** The number of screens that may play at the same time; 0 without a current plan. */
  screens: number
  larger?: LargerPlan | undefined
}

/** A link to plans with more screens. */
export function MoreScreens({ screens, larger }: Props) {
  return (
    <section className="card more-screens" aria-labelledby="more-screens">
      <Mascot tier={3} eyes={eyeCount(screens + 1)} size={76} look={[0.2, 0.1]} mouth={false} />
      <div>
        <h2 id="more-screens">
          {screens === 0 ? 'Choose a plan' : screens in nth ? `Need a ${nth[screens]}?` : 'Need another screen?'}
        </h2>
        <p>
          {screens === 0
            ? 'The number of connections is the number of screens that can play at the same time.'
            : `${larger ? priceText(larger) : 'A plan with more connections plays on more screens.'} You pay only for the days that are left.`}
        </p>
      </div>
      <ButtonLink to="/pricing" variant="line">
        {screens === 0 ? 'See All Plans' : 'Change Plan'}
      </ButtonLink>
    </section>
  )
}

/** Returns a sentence such as `4 connections cost $30.00 more for 6 months.` */
const priceText = ({ connections, months, difference }: LargerPlan): string =>
  `${connections} connections cost ${formatCents(difference)} more for ${months === 1 ? '1 month' : `${months} months`}.`
