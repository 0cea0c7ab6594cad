import { type Period, periodNames, periods } from '../rules.ts'

interface Props {
  period: Period
  onChange: (period: Period) => void
}

/** The choice of the period that figures are shown for. */
export function PeriodButtons({ period, onChange }: Props) {
  return (
    <fieldset className="period-buttons">
      <legend className="sr-only">Period</legend>
      {periods.map((one) => (
        <button key={one} type="button" aria-pressed={one === period} onClick={() => onChange(one)}>
          {periodNames[one]}
        </button>
      ))}
    </fieldset>
  )
}
