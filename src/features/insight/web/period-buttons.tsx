import { type Period, periodNames, periods } from '../rules.ts'

interface Props {
  period: Period
  onChange: (period: Period) => void
}

/** Buttons that select the period of the figures. */
export function PeriodButtons({ period, onChange }: Props) {
  return (
    <fieldset className="period-buttons">
      <legend className="sr-only">Period</legend>
      {periods.map((option) => (
        <button key={option} type="button" aria-pressed={option === period} onClick={() => onChange(option)}>
          {periodNames[option]}
        </button>
      ))}
    </fieldset>
  )
}
